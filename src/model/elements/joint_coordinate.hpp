// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/element.hpp"
#include "model/elements/quantities.hpp"
#include "model/elements/space.hpp"

namespace taut::elements {

// What is stated on the coordinate s of a joint, the angle of a hinge or the travel of a slider:
//
//   spring     U = stiffness/2 (s - rest)²                                                   (1)
//   damper     -damping s'                                                                   (2)
//   motor      torque or force, an expression                                                (3)
//   friction   -friction tanh(s'/friction_speed)                                             (4)
//   limits     U = limit_stiffness/2 u²,  u = max(0, low - s), max(0, s - high)              (5)
//              -limit_damping u s'                                                           (6)
//   motion     s - prescribed(t) = 0; of an angle in space see Turned                        (7)
//
// A force F on s(q) is F ds/dq on the coordinates: it does the work F δs.

/// Cosine and sine of an angle x. An angle in space is known by them, up to whole turns. Where x is
/// to be 0, as an equation of motion without a memory of turns,
///
///   2 tan(x/2) = 2 s/(1 + c)                                                               (8)
///
/// has the value and the first two derivatives of x where x is any number of whole turns, and no
/// other zero: half a turn off it is infinite, where sin x would be 0, too. Newton's steps x -> x -
/// sin x lead to 0 from anywhere.
struct Turned {
  Sym c = 1.0, s = 0.0;

  friend Turned operator*(const Turned& a, const Turned& b) {
    return {a.c * b.c - a.s * b.s, a.c * b.s + a.s * b.c};
  }
  [[nodiscard]] Turned back() const { return {c, -s}; }
  [[nodiscard]] Sym zero() const { return 2.0 * s / (1.0 + c); }  // (8)
};

[[nodiscard]] inline Turned turned(const Symbols::JointEntry& joint, Trace& trace) {
  const auto [c, s] = trace.scope().turn(joint, trace.graph());
  return {trace.symbol(c), trace.symbol(s)};
}
[[nodiscard]] inline Turned turned(const Sym& x) { return {cos(x), sin(x)}; }

/// angle - of, where that is to be 0: of what is rigid in space (8), which needs no memory of
/// turns; of what gives way its true size.
[[nodiscard]] inline Sym angle_from(const Symbols::JointEntry& joint, const Sym& of, bool rigid,
                                    Trace& trace) {
  if (joint.dimension == 2 || !rigid)
    return trace.symbol(trace.scope().angle(joint, trace.graph())) - of;
  return (turned(joint, trace) * turned(of - trace.parameter(joint.angle_at_start)).back()).zero();
}

/// One coordinate of a joint, as formulas.
class JointCoordinate {
 public:
  JointCoordinate(const Symbols::JointEntry& joint, bool is_angle)
      : joint_{joint}, is_angle_{is_angle} {}

  [[nodiscard]] Sym value(Trace& trace) const {
    return trace.symbol(is_angle_ ? trace.scope().angle(joint_, trace.graph())
                                  : trace.scope().travel(joint_, trace.graph()));
  }
  [[nodiscard]] Sym rate(Trace& trace) const {
    return trace.symbol(is_angle_
                            ? trace.scope().turn_rate(joint_, trace.graph())
                            : trace.scope().rate(value(trace).node(trace.graph()), trace.graph()));
  }
  /// A force on it.
  void push(Trace& trace, const Sym& force) const {
    // its gradient does not know which turn it is
    trace.force_on(
        is_angle_ ? trace.symbol(trace.scope().angle_in_turn(joint_, trace.graph())) : value(trace),
        force);
  }

 private:
  const Symbols::JointEntry& joint_;
  bool is_angle_;
};

/// Springs, dampers, motors, friction and limits of a joint. What each of them gives on the
/// coordinate is shown, with the coordinate and its rate:
///
///   NAME.angle, .rate, NAME.travel, .speed
///   NAME.drive_torque, .drive_force   of a motor, stated or as a prescribed motion takes it
///   NAME.spring, .damper, .friction, .stop
class WordsOnCoordinate {
 public:
  WordsOnCoordinate(const Joint& joint, const Symbols::JointEntry& entry, Softness softness,
                    ElementContext& context)
      : joint_{joint}, entry_{entry}, softness_{softness}, context_{context} {}

  void add() {
    words();
    show();
  }

 private:
  using Shown = std::function<std::optional<Sym>(Trace&)>;

  void words() {
    motor(joint_.torque, "torque", true);
    motor(joint_.force, "force", false);
    motion(joint_.angle, "angle", true);
    motion(joint_.travel, "travel", false);
    const bool any = joint_.stiffness || joint_.rest || joint_.damping || joint_.friction ||
                     joint_.friction_speed || !joint_.limits.empty() || joint_.limit_stiffness ||
                     joint_.limit_damping;
    if (!any) return;
    const bool has_two =
        entry_.turns && entry_.slides && !joint_.pitch;  // those of a screw are one
    if (has_two || (!entry_.turns && !entry_.slides)) {
      context_.refuse(context_.at(), {},
                      entry_.turns ? "springs, dampers, friction and limits are stated on one "
                                     "coordinate, and this joint has two"
                                   : "has no coordinate for springs, dampers, friction and limits",
                      entry_.turns ? "state them with torque and force, as expressions of "
                                     "angle(...), rate(...), travel(...) and speed(...)"
                                   : "state them on a hinge or a slider");
      return;
    }
    const JointCoordinate s{entry_, entry_.turns};
    spring(s);
    damper(s);
    friction(s);
    limits(s);
  }

  void keep(const char* name, Shown formula) { shown_.emplace_back(name, std::move(formula)); }
  void show() {
    if (!context_.shows_quantities()) return;
    Trace trace = context_.trace(everything);
    ElementContext::Quantities quantities;
    for (const bool angle : {true, false}) {
      // the parameter of a curve is a coordinate
      if (!(angle ? entry_.turns : entry_.slides && entry_.along < 0)) continue;
      const JointCoordinate s{entry_, angle};
      quantities.emplace_back(angle ? "angle" : "travel", s.value(trace));
      quantities.emplace_back(angle ? "rate" : "speed", s.rate(trace));
    }
    for (const auto& [name, formula] : shown_) {
      const auto value = formula(trace);
      if (!value || may_stick(*value, trace)) continue;
      const auto found = std::find_if(
          quantities.begin(), quantities.end(),
          [&, name = name](const auto& q) { return q.first == std::string_view{name}; });
      if (found == quantities.end())
        quantities.emplace_back(name, *value);
      else
        found->second += *value;
    }
    if (!quantities.empty()) context_.add_quantities(trace, quantities);
  }

  std::optional<Number> positive(const std::optional<Value>& value, const char* field,
                                 bool may_be_zero = true) {
    const auto x = context_.number(value, field);
    if (!x || *x > 0.0 || (may_be_zero && *x == 0.0)) return x;
    context_.refuse(value->at(), field, fmt::format("{} is not > 0", x->value()),
                    "give a number > 0");
    return {};
  }
  template <class Formula>
  void formula(unsigned allow, const char* what, const Formula& record) {
    Trace trace = context_.trace(allow);
    record(trace);
    trace.finish(fmt::format("{} ({})", context_.label(), what));
  }
  bool has(bool angle, const std::optional<Value>& value, const char* field) {
    if (!value) return false;
    if (angle ? entry_.turns : entry_.slides) return true;
    context_.refuse(value->at(), field,
                    angle ? "this joint does not turn" : "this joint does not slide",
                    angle ? "torque and angle are those of hinges, cylinders and screws"
                          : "force and travel are those of sliders, cylinders and screws");
    return false;
  }

  /// In space a prescribed angle is known up to whole turns: it begins near that of the start.
  bool near_start(const Sym& prescribed, const Position& at, Trace& trace) {
    constexpr double nearly_half_a_turn = 3.0;
    if (entry_.dimension == 2) return true;
    const Number begins = trace.value_at_start(prescribed.node(trace.graph()));
    const Number& start = entry_.angle_at_start;
    if (!(abs(begins - start) > nearly_half_a_turn)) return true;
    context_.refuse(
        at, "angle",
        fmt::format("begins at {:.9g} rad, and the joint at {:.9g}", begins.value(), start.value()),
        fmt::format("turn the body at the start to where it belongs, and give the "
                    "joint its angle there, start = {:.9g}",
                    begins.value()));
    return false;
  }
  void motor(const std::optional<Value>& given, const char* field, bool angle) {
    if (!has(angle, given, field)) return;
    const auto text = context_.expression(*given, field);
    Trace trace = context_.trace(everything, field);
    const auto value = text ? trace.expression(*text) : std::nullopt;
    if (!value) return;
    JointCoordinate{entry_, angle}.push(trace, *value);
    trace.finish(fmt::format("{} (motor)", context_.label()));
    keep(drive(angle), [text = *text](Trace& shown) { return shown.expression(text); });
  }
  void motion(const std::optional<Value>& given, const char* field, bool angle) {
    if (!has(angle, given, field)) return;
    const auto text = context_.expression(*given, field);
    const std::string label = fmt::format("{} {}", context_.label(), field);
    Trace trace = context_.called(label).trace(time, field);
    const auto value = text ? trace.expression(*text) : std::nullopt;
    if (!value) return;
    if (angle && !near_start(*value, given->at(), trace)) return;
    const Sym g = angle ? angle_from(entry_, *value, softness_.rigid(), trace)
                        : trace.symbol(trace.scope().travel(entry_, trace.graph())) - *value;
    const Number size = angle ? Number{scale_of_axes} : entry_.side[0].size + entry_.side[1].size;
    const std::size_t before = context_.recorded_rows();
    context_.add_row(trace, g, softness_, label, size);
    trace.finish(label);
    if (context_.recorded_rows() == before) return;
    keep(drive(angle), [row = context_.recorded_number(before)](Trace& shown) {
      return std::optional{-shown.multiplier(row)};
    });
  }
  [[nodiscard]] static const char* drive(bool angle) {
    return angle ? "drive_torque" : "drive_force";
  }
  void spring(const JointCoordinate& s) {
    const auto k = positive(joint_.stiffness, "stiffness");
    const auto rest = context_.number(joint_.rest.value_or(joint_.start), "rest");
    if (joint_.rest && !joint_.stiffness)
      context_.refuse(joint_.rest->at(), "rest", "there is no spring", "give a stiffness, too");
    if (!k || !rest || *k == 0.0) return;
    formula(positions, "spring", [&](Trace& trace) {
      const Sym stretch = s.value(trace) - trace.parameter(*rest);
      trace.root(Role::potential, 0.5 * trace.parameter(*k) * stretch * stretch);  // (1)
    });
    keep("spring", [=](Trace& shown) {
      return std::optional{-shown.parameter(*k) * (s.value(shown) - shown.parameter(*rest))};
    });
  }
  void damper(const JointCoordinate& s) {
    const auto c = positive(joint_.damping, "damping");
    if (!c || *c == 0.0) return;
    formula(time | positions | velocities, "damper", [&](Trace& trace) {
      s.push(trace, -(trace.parameter(*c) * s.rate(trace)));  // (2)
    });
    keep("damper",
         [=](Trace& shown) { return std::optional{-shown.parameter(*c) * s.rate(shown)}; });
  }
  void friction(const JointCoordinate& s) {
    const auto moving = context_.moving(joint_.friction, "friction", everything);
    const auto F = moving ? Number{1.0} : positive(joint_.friction, "friction");
    const auto speed = positive(joint_.friction_speed, "friction_speed", false);
    if (joint_.friction_speed && !joint_.friction)
      context_.refuse(joint_.friction_speed->at(), "friction_speed", "there is no friction",
                      "give friction, too");
    if (!F || *F == 0.0 || (joint_.friction_speed && !speed)) return;
    constexpr double usual = 1e-3;
    const auto formula = [=](Trace& trace) -> std::optional<Sym> {
      const auto most = moving ? trace.expression(*moving) : trace.parameter(*F);
      if (!most) return {};
      return -(*most * tanh(s.rate(trace) / trace.parameter(speed.value_or(usual))));  // (4)
    };
    Trace trace = context_.trace(everything, "friction");
    const auto value = formula(trace);
    if (!value) return;
    s.push(trace, *value);
    trace.finish(fmt::format("{} (friction)", context_.label()));
    keep("friction", formula);
  }
  void limits(const JointCoordinate& s) {
    const auto ends = context_.numbers(joint_.limits, "limits");
    const auto k = positive(joint_.limit_stiffness, "limit_stiffness", false);
    const auto c = positive(joint_.limit_damping, "limit_damping");
    const bool stated = !joint_.limits.empty();
    if (stated != joint_.limit_stiffness.has_value() || (!stated && joint_.limit_damping))
      context_.refuse(context_.at(), "limits", "limits and limit_stiffness belong together",
                      "give both: [lowest, highest] and the stiffness of the stops");
    if (!stated || !ends || !k) return;
    if (ends->size() != 2 || !((*ends)[0] < (*ends)[1])) {
      context_.refuse(joint_.limits.front().at(), "limits", "are not two values in order",
                      "give [lowest, highest]");
      return;
    }
    for (const double side : {-1.0, 1.0}) {
      const Number& end = (*ends)[side < 0 ? 0 : 1];
      const auto depth = [s, side, end](Trace& trace) {
        return max(0.0, side * (s.value(trace) - trace.parameter(end)));
      };
      keep("stop", [=](Trace& shown) {
        const Sym u = depth(shown);
        Sym force = -side * shown.parameter(*k) * u;
        if (c) force -= shown.parameter(*c) * u * s.rate(shown);
        return std::optional{force};
      });
      formula(positions, "stop", [&](Trace& trace) {
        const Sym u = depth(trace);
        trace.root(Role::potential, 0.5 * trace.parameter(*k) * u * u);  // (5)
      });
      if (!c || *c == 0.0) continue;
      formula(time | positions | velocities, "stop damping", [&](Trace& trace) {
        const Sym u = depth(trace);
        s.push(trace, -(trace.parameter(*c) * u * s.rate(trace)));  // (6)
      });
    }
  }

  const Joint& joint_;
  const Symbols::JointEntry& entry_;
  Softness softness_;
  ElementContext& context_;
  std::vector<std::pair<const char*, Shown>> shown_;
};

inline void add_words_on_coordinate(const Joint& joint, const Symbols::JointEntry& entry,
                                    Softness softness, ElementContext& context) {
  WordsOnCoordinate{joint, entry, softness, context}.add();
}

}  // namespace taut::elements
