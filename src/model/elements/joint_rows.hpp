// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/joint_coordinate.hpp"
#include "model/elements/space.hpp"

namespace taut::elements {

// A joint between two bodies, a body and a point, or one of them and the ground. Both sides have a
// place c and directions d_1, d_2, d_3, fixed to them, at right angles, and equal at the start; d_3
// is the axis. With those of the second side primed, and Δ = c' - c,
//
//   ball            c - c' = 0                                                three rows     (1)
//   hinge           (1),  d_3 . d_1' = 0,  d_3 . d_2' = 0                     five           (2)
//   fixed           (1),  d_2 . d_3' = 0,  d_3 . d_1' = 0,  d_1 . d_2' = 0    six            (3)
//   slider          d_1 . Δ = 0,  d_2 . Δ = 0,  and the turns of (3)          five           (4)
//   cylindrical     d_1 . Δ = 0,  d_2 . Δ = 0,  and the tilts of (2)          four           (5)
//   universal       (1),  d_3 . d_1' = 0: axis across second axis             four           (6)
//   planar          d_3 . Δ = 0,  and the tilts of (2)                        three          (7)
//   screw           (5),  angle - 2 pi travel / pitch = 0                     five           (8)
//   point-on-line   d_1 . Δ = 0,  d_2 . Δ = 0                                 two            (9)
//   point-on-plane  d_3 . Δ = 0                                               one           (10)
//   point-on-curve  c(s) - p = 0, along the axes of the first side, where s     three         (15)
//                   is a coordinate of its own; in the plane two
//
// λ of (1) is the force of the first side on the second [N], in the axes of space; of d_k . Δ it is
// the force of the second on the first along d_k. λ of the rows of (3) is the torque of the first
// on the second [N m] about d_1, d_2, d_3 in turn; the first row of (2) is the torque about d_2,
// the second that about -d_1. The rows of one joint are independent wherever they hold. In the
// plane
//
//   hinge           c - c' = 0                                                two           (11)
//   fixed           (11), a' - a - const = 0                                  three         (12)
//   slider          d_1 . Δ = 0,  a' - a - const = 0                          two           (13)
//   point-on-line   d_1 . Δ = 0                                               one           (14)
//
// where the axis d_3 of a slider lies in the plane, and d_1 across it.

/// d . d', the cosine between two directions that stay at right angles.
template <class S>
[[nodiscard]] S right_angle(Point<S> d, Point<S> other) {
  return dot(d, other);
}

/// Familiar words for the same joint become one; in the plane a ball is a hinge.
[[nodiscard]] inline Joint::Kind plain_kind(Joint::Kind kind, std::size_t dimension) {
  if (kind == Joint::Kind::spherical) kind = Joint::Kind::ball;
  if (kind == Joint::Kind::revolute || kind == Joint::Kind::pin) kind = Joint::Kind::hinge;
  if (kind == Joint::Kind::prismatic) kind = Joint::Kind::slider;
  return dimension == 2 && kind == Joint::Kind::ball ? Joint::Kind::hinge : kind;
}

/// Rows of one joint, each with its own formula.
class JointRows {
 public:
  JointRows(const Symbols::JointEntry& joint, const JointSoftness& softness,
            ElementContext& context)
      : joint_{joint}, softness_{softness}, context_{context} {}

  void places() {
    constexpr std::string_view xyz = "xyz";
    for (std::size_t i = 0; i < joint_.dimension; ++i)
      add(std::string{xyz[i]}, softness_.places, size(), [&](Trace& trace) {
        return trace.symbol(trace.scope().place(joint_.side[0], i, trace.graph())) -
               trace.symbol(trace.scope().place(joint_.side[1], i, trace.graph()));
      });
  }
  /// d_k . Δ
  void offset(std::size_t k, const std::string& name) {
    add(name, softness_.places, size(),
        [&](Trace& trace) { return trace.symbol(trace.scope().offset(joint_, k, trace.graph())); });
  }
  /// d_k . d_l'
  void right_angle(std::size_t k, std::size_t l, const std::string& name) {
    add(name, softness_.turns, scale_of_axes, [&](Trace& trace) {
      std::vector<Sym> d, other;
      for (std::size_t i = 0; i < 3; ++i) {
        d.push_back(trace.symbol(trace.scope().direction(joint_.side[0], k, i, trace.graph())));
        other.push_back(trace.symbol(trace.scope().direction(joint_.side[1], l, i, trace.graph())));
      }
      return elements::right_angle(Points{d}, Points{other});
    });
  }
  void on_curve() {
    constexpr std::string_view xyz = "xyz";
    for (std::size_t i = 0; i < joint_.dimension; ++i)
      add(std::string{xyz[i]}, softness_.places, size(), [&](Trace& trace) {
        const auto on = trace.scope().on_curve(joint_, trace.graph());
        return on.curve[i] - on.point[i];
      });
  }
  void tilts() {
    right_angle(2, 0, "tilt 1");
    right_angle(2, 1, "tilt 2");
  }
  void turns() {
    if (joint_.dimension == 2) {
      add("turn", softness_.turns, scale_of_axes,
          [&](Trace& trace) { return trace.symbol(trace.scope().angle(joint_, trace.graph())); });
      return;
    }
    right_angle(1, 2, "turn x");
    right_angle(2, 0, "turn y");
    right_angle(0, 1, "turn z");
  }
  /// angle - of = 0, over any number of turns.
  template <class Of>
  void angle_is(const std::string& name, const Of& of) {
    add(name, softness_.turns, scale_of_axes, [&](Trace& trace) {
      return angle_from(joint_, of(trace), softness_.turns.rigid(), trace);
    });
  }
  template <class Formula>
  void add(const std::string& name, const Softness& softness, const formula::Number& scale,
           const Formula& formula) {
    const std::string label = fmt::format("{} {}", context_.label(), name);
    Trace trace = context_.called(label).trace(time | positions);
    context_.add_row(trace, formula(trace), softness, label, scale);
    trace.finish(label);
  }

 private:
  [[nodiscard]] formula::Number size() const { return joint_.side[0].size + joint_.side[1].size; }

  const Symbols::JointEntry& joint_;
  const JointSoftness& softness_;
  ElementContext& context_;
};

inline void add_rows(const Joint& joint, Joint::Kind kind, const Symbols::JointEntry& entry,
                     const JointSoftness& softness, ElementContext& context) {
  JointRows rows{entry, softness, context};
  const bool planar = entry.dimension == 2;
  switch (kind) {
    case Joint::Kind::hinge:
      rows.places();
      if (!planar) rows.tilts();
      break;
    case Joint::Kind::fixed:
      rows.places();
      rows.turns();
      break;
    case Joint::Kind::slider:
    case Joint::Kind::cylindrical:
    case Joint::Kind::screw:
    case Joint::Kind::point_on_line:
      rows.offset(0, "across 1");
      if (!planar) rows.offset(1, "across 2");
      if (kind == Joint::Kind::slider) rows.turns();
      if (kind == Joint::Kind::cylindrical || kind == Joint::Kind::screw) rows.tilts();
      break;
    case Joint::Kind::universal:
      rows.places();
      rows.right_angle(2, 0, "cross");
      break;
    case Joint::Kind::planar:
      rows.offset(2, "across");
      rows.tilts();
      break;
    case Joint::Kind::point_on_plane:
      rows.offset(2, "across");
      break;
    case Joint::Kind::point_on_curve:
      rows.on_curve();
      break;
    default:
      rows.places();
      break;
  }
  const auto pitch = context.number(joint.pitch, "pitch");
  const bool is_screw = kind == Joint::Kind::screw;
  if (is_screw && (!joint.pitch || (pitch && *pitch == 0.0)))
    context.refuse(context.at(), "pitch", "a screw has a pitch",
                   "give the travel of one turn, not 0; negative for a left-handed thread");
  if (!is_screw && joint.pitch)
    context.refuse(joint.pitch->at(), "pitch", "only a screw has a pitch", "leave it out");
  if (is_screw && pitch && *pitch != 0.0)
    rows.angle_is("thread", [&](Trace& trace) {
      const Sym travel = trace.symbol(trace.scope().offset(entry, 2, trace.graph()));
      return travel * (2 * std::numbers::pi / trace.parameter(*pitch)) +
             trace.parameter(entry.angle_at_start);
    });
}

}  // namespace taut::elements
