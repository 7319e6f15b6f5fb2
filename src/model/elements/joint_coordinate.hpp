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

/// Compliance and damping of the rows of a joint: of those that hold places, and of those that hold
/// angles.
struct JointSoftness {
  Softness places, turns;
};

/// Whether a joint has no coordinate, so that its damping is that of its rows.
[[nodiscard]] inline bool damps_its_rows(Joint::Kind kind) {
  return kind == Joint::Kind::fixed || kind == Joint::Kind::point_on_plane;
}

/// One coordinate of a joint, as formulas: an angle, a travel, or the angle between the axes of a
/// ball.
class JointCoordinate {
 public:
  JointCoordinate(const Symbols::JointEntry& joint, bool is_angle, bool is_second = false)
      : joint_{joint}, is_angle_{is_angle}, is_second_{is_second} {}

  [[nodiscard]] Sym value(Trace& trace) const {
    LocalScope& scope = trace.scope();
    formula::Graph& graph = trace.graph();
    return trace.symbol(joint_.tilts ? scope.tilt(joint_, graph)
                        : is_angle_  ? scope.angle(joint_, graph)
                                     : scope.travel(joint_, graph));
  }
  [[nodiscard]] Sym rate(Trace& trace) const {
    return trace.symbol(is_angle_ && !joint_.tilts
                            ? trace.scope().turn_rate(joint_, trace.graph())
                            : trace.scope().rate(value(trace).node(trace.graph()), trace.graph()));
  }
  /// A force on it.
  void push(Trace& trace, const Sym& force) const {
    // its gradient does not know which turn it is
    trace.force_on(is_angle_ && !joint_.tilts
                       ? trace.symbol(trace.scope().angle_in_turn(joint_, trace.graph()))
                       : value(trace),
                   force);
  }
  [[nodiscard]] bool is_angle() const { return is_angle_; }
  /// How results call it and its rate.
  [[nodiscard]] std::string name() const { return called(is_angle_ ? "angle" : "travel"); }
  [[nodiscard]] std::string name_of_rate() const { return called(is_angle_ ? "rate" : "speed"); }
  /// Where it is at the start.
  [[nodiscard]] double start() const {
    if (joint_.tilts) return 0.0;
    return is_angle_ ? joint_.angle_at_start : joint_.travel_at_start;
  }

 private:
  [[nodiscard]] std::string called(const char* what) const {
    return is_second_ ? fmt::format("second_{}", what) : what;
  }

  const Symbols::JointEntry& joint_;
  bool is_angle_, is_second_;
};

/// Springs, dampers, motors, friction and limits of a joint. What each of them gives on the
/// coordinate is shown, with the coordinate and its rate:
///
///   NAME.angle, .rate, NAME.travel, .speed
///   NAME.drive_torque, .drive_force   of a motor, stated or as a prescribed motion takes it
///   NAME.spring, .damper, .friction, .stop
///
/// Of a joint with several coordinates, NAME.travel_spring, NAME.second_angle_spring, ... A ball is
/// damped, and rubs, against all of its spin ω, that of the second side from the first,
///
///   torque     -damping ω,   -friction tanh(|ω|/friction_speed) ω/|ω|                        (9)
class WordsOnCoordinate {
 public:
  WordsOnCoordinate(const Joint& joint, Joint::Kind kind, const Symbols::JointEntry& entry,
                    const JointSoftness& softness, ElementContext& context)
      : joint_{joint}, entry_{entry}, softness_{softness}, context_{context} {
    is_ball_ = kind == Joint::Kind::ball;
    is_screw_ = kind == Joint::Kind::screw;
    holds_all_ = damps_its_rows(kind);
    coordinates();
  }

  void add() {
    words();
    show();
  }

 private:
  using Shown = std::function<std::optional<Sym>(Trace&)>;

  /// All that it has, travels first. Those of a screw are one.
  void coordinates() {
    const auto& joints = context_.symbols().joints;
    const auto second = joints.find(entry_.second);
    const bool has_second = !entry_.second.empty() && second != joints.end();
    if (entry_.slides && !is_screw_) {
      all_.emplace_back(entry_, false);
      if (has_second && second->second.slides) all_.emplace_back(second->second, false, true);
    }
    if (entry_.turns || entry_.tilts) {
      all_.emplace_back(entry_, true);
      if (has_second && second->second.turns) all_.emplace_back(second->second, true, true);
    }
  }

  void words() {
    motor(joint_.torque, "torque", true);
    motor(joint_.force, "force", false);
    motion(joint_.angle, "angle", true);
    motion(joint_.travel, "travel", false);
    if (is_ball_ && has_spin()) {
      // against its spin, whatever its coordinate
      spin_words();
      if (all_.empty() && !on_coordinate().empty()) {
        context_.refuse(context_.at(), on_coordinate(), "this ball has no axis",
                        "give it one: springs and limits act on the angle by which the axis of one "
                        "side leaves that of the other");
        return;
      }
    } else if (all_.empty()) {
      const bool damped = !joint_.damping.empty() && !(holds_all_ && joint_.damping.size() == 1);
      if (on_coordinate().empty() && !damped && joint_.friction.empty() &&
          joint_.friction_speed.empty())
        return;
      context_.refuse(context_.at(), {},
                      "has no coordinate for springs, dampers, friction and limits",
                      "state them on a hinge or a slider");
      return;
    }
    for (std::size_t k = 0; k < all_.size(); ++k) {
      spring(k);
      if (is_ball_) continue;
      damper(k);
      friction(k);
    }
    limits();
  }
  /// The first key that is given of those that need a coordinate.
  [[nodiscard]] std::string_view on_coordinate() const {
    for (const auto& [values, field] : {std::pair{&joint_.stiffness, "stiffness"},
                                        {&joint_.rest, "rest"},
                                        {&joint_.limits, "limits"},
                                        {&joint_.limit_stiffness, "limit_stiffness"},
                                        {&joint_.limit_damping, "limit_damping"}})
      if (!values->empty()) return field;
    return {};
  }
  [[nodiscard]] bool has_spin() const {
    return entry_.dimension == 3 && !entry_.side[0].point && !entry_.side[1].point;
  }

  /// One number for coordinate k of a key.
  const Value* given(const std::vector<Value>& values, std::size_t k, const char* field,
                     std::size_t each = 1) {
    if (values.empty()) return nullptr;
    const auto same = [&](const JointCoordinate& s) {
      return s.is_angle() == all_.front().is_angle();
    };
    const std::size_t count = is_ball_ ? 1 : all_.size();
    if (values.size() == each * count) return &values[each * k];
    if (values.size() == each && std::all_of(all_.begin(), all_.end(), same)) return &values[0];
    if (k > 0) return nullptr;  // said once
    std::string names;
    for (const JointCoordinate& s : all_)
      for (const char* const end : {"lowest ", "highest "})
        if (each == 2 || *end == 'l')
          names += fmt::format("{}{}{}", names.empty() ? "" : ", ", each == 2 ? end : "", s.name());
    context_.refuse(
        values.front().at(), field,
        fmt::format("has {} number{} where this joint has {} coordinate{}", values.size(),
                    values.size() == 1 ? "" : "s", count, count == 1 ? "" : "s"),
        count == 1 ? fmt::format("give {}", each == 1 ? "one number" : "two")
                   : fmt::format("give {} for each, 0 for none: {} = [{}]",
                                 each == 1 ? "one" : "two", field, names));
    return nullptr;
  }

  void keep(const std::string& name, Shown formula) {
    shown_.emplace_back(name, std::move(formula));
  }
  /// The column of what acts on one coordinate.
  [[nodiscard]] std::string of(std::size_t k, const char* what) const {
    return all_.size() == 1 ? what : fmt::format("{}_{}", all_[k].name(), what);
  }
  void show() {
    if (!context_.shows_quantities()) return;
    Trace trace = context_.trace(everything);
    ElementContext::Quantities quantities;
    const auto add = [&](const JointCoordinate& s) {
      quantities.emplace_back(s.name(), s.value(trace));
      quantities.emplace_back(s.name_of_rate(), s.rate(trace));
    };
    for (const bool angle : {true, false})
      for (const JointCoordinate& s : all_)
        // the parameter of a curve is a coordinate
        if (s.is_angle() == angle && (angle || entry_.along < 0)) add(s);
    if (is_screw_) add(JointCoordinate{entry_, false});
    for (const auto& [name, formula] : shown_) {
      const auto value = formula(trace);
      if (!value || may_stick(*value, trace)) continue;
      const auto found = std::find_if(quantities.begin(), quantities.end(),
                                      [&, name = name](const auto& q) { return q.first == name; });
      if (found == quantities.end())
        quantities.emplace_back(name, *value);
      else
        found->second += *value;
    }
    if (!quantities.empty()) context_.add_quantities(trace, quantities);
  }

  /// (9)
  void spin_words() {
    const auto c = positive(given(joint_.damping, 0, "damping"), "damping");
    const Value* const most = given(joint_.friction, 0, "friction");
    const auto moving =
        context_.moving(most == nullptr ? std::optional<Value>{} : *most, "friction", everything);
    const auto F = moving ? Number{1.0} : positive(most, "friction");
    const Value* const at_speed = given(joint_.friction_speed, 0, "friction_speed");
    const auto speed = positive(at_speed, "friction_speed", false);
    friction_is_there(at_speed, most);
    const auto spin = [this](Trace& trace) {
      return trace.scope().relative_spin(entry_, trace.graph());
    };
    const auto size = [](const std::array<Sym, 3>& w, double tiny) {
      return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + tiny);
    };
    // a torque that is `factor` of ω
    const auto against = [&](const char* what, const auto& factor) {
      Trace trace = context_.trace(everything, what);
      const auto w = spin(trace);
      const std::optional<Sym> f = factor(trace, w);
      if (!f) return;
      for (const std::size_t k : {0, 1})
        if (const auto& place = entry_.side[k].place) {
          const double sign = k == 0 ? -1.0 : 1.0;
          trace.torque(place->body, {sign * *f * w[0], sign * *f * w[1], sign * *f * w[2]});
        }
      trace.finish(fmt::format("{} ({})", context_.label(), what));
      keep(what, [=](Trace& shown) -> std::optional<Sym> {
        const auto seen = spin(shown);
        const std::optional<Sym> part = factor(shown, seen);
        if (!part) return {};
        return *part * size(seen, 1e-300);
      });
    };
    if (c && *c != 0.0)
      against("damper",
              [c = *c](Trace& trace, const auto&) { return std::optional{-trace.parameter(c)}; });
    if (!F || *F == 0.0 || (at_speed != nullptr && !speed)) return;
    against("friction",
            [=, F = *F](Trace& trace, const std::array<Sym, 3>& w) -> std::optional<Sym> {
              const auto torque = moving ? trace.expression(*moving) : trace.parameter(F);
              if (!torque) return {};
              const Sym v = trace.parameter(speed.value_or(usual_speed));
              const Sym x = size({w[0] / v, w[1] / v, w[2] / v}, 1e-18);
              return -(*torque * tanh(x) / (x * v));
            });
  }
  void friction_is_there(const Value* speed, const Value* friction) {
    if (speed != nullptr && friction == nullptr)
      context_.refuse(speed->at(), "friction_speed", "there is no friction", "give friction, too");
  }

  std::optional<Number> positive(const Value* value, const char* field, bool may_be_zero = true) {
    return value == nullptr ? std::nullopt
                            : positive(std::optional<Value>{*value}, field, may_be_zero);
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
    const Softness& softness = angle ? softness_.turns : softness_.places;
    const Sym g = angle ? angle_from(entry_, *value, softness.rigid(), trace)
                        : trace.symbol(trace.scope().travel(entry_, trace.graph())) - *value;
    const Number size = angle ? Number{scale_of_axes} : entry_.side[0].size + entry_.side[1].size;
    const std::size_t before = context_.recorded_rows();
    context_.add_row(trace, g, softness, label, size);
    trace.finish(label);
    if (context_.recorded_rows() == before) return;
    keep(drive(angle), [row = context_.recorded_number(before)](Trace& shown) {
      return std::optional{-shown.multiplier(row)};
    });
  }
  [[nodiscard]] static const char* drive(bool angle) {
    return angle ? "drive_torque" : "drive_force";
  }
  void spring(std::size_t k) {
    const JointCoordinate& s = all_[k];
    const Value* const stiffness = given(joint_.stiffness, k, "stiffness");
    const auto stiff = positive(stiffness, "stiffness");
    const Value* const rest = given(joint_.rest, k, "rest");
    if (rest != nullptr && joint_.stiffness.empty())
      context_.refuse(rest->at(), "rest", "there is no spring", "give a stiffness, too");
    std::optional<Number> at = Number{s.start()};
    if (rest != nullptr)
      at = context_.number(*rest, "rest");
    else if (all_.size() == 1 && !is_ball_)
      at = context_.number(joint_.start, "start");
    if (!stiff || !at || *stiff == 0.0) return;
    formula(positions, "spring", [&](Trace& trace) {
      const Sym stretch = s.value(trace) - trace.parameter(*at);
      trace.root(Role::potential, 0.5 * trace.parameter(*stiff) * stretch * stretch);  // (1)
    });
    keep(of(k, "spring"), [=](Trace& shown) {
      return std::optional{-shown.parameter(*stiff) * (s.value(shown) - shown.parameter(*at))};
    });
  }
  void damper(std::size_t k) {
    const JointCoordinate& s = all_[k];
    const auto c = positive(given(joint_.damping, k, "damping"), "damping");
    if (!c || *c == 0.0) return;
    formula(time | positions | velocities, "damper", [&](Trace& trace) {
      s.push(trace, -(trace.parameter(*c) * s.rate(trace)));  // (2)
    });
    keep(of(k, "damper"),
         [=](Trace& shown) { return std::optional{-shown.parameter(*c) * s.rate(shown)}; });
  }
  void friction(std::size_t k) {
    const JointCoordinate& s = all_[k];
    const Value* const most = given(joint_.friction, k, "friction");
    const auto moving =
        context_.moving(most == nullptr ? std::optional<Value>{} : *most, "friction", everything);
    const auto F = moving ? Number{1.0} : positive(most, "friction");
    const Value* const at_speed = given(joint_.friction_speed, k, "friction_speed");
    const auto speed = positive(at_speed, "friction_speed", false);
    friction_is_there(at_speed, most);
    if (!F || *F == 0.0 || (at_speed != nullptr && !speed)) return;
    const auto formula = [=](Trace& trace) -> std::optional<Sym> {
      const auto torque = moving ? trace.expression(*moving) : trace.parameter(*F);
      if (!torque) return {};
      return -(*torque *
               tanh(s.rate(trace) / trace.parameter(speed.value_or(usual_speed))));  // (4)
    };
    Trace trace = context_.trace(everything, "friction");
    const auto value = formula(trace);
    if (!value) return;
    s.push(trace, *value);
    trace.finish(fmt::format("{} (friction)", context_.label()));
    keep(of(k, "friction"), formula);
  }
  void limits() {
    const bool stated = !joint_.limits.empty();
    if (stated != !joint_.limit_stiffness.empty() || (!stated && !joint_.limit_damping.empty())) {
      context_.refuse(context_.at(), "limits", "limits and limit_stiffness belong together",
                      "give both: [lowest, highest] and the stiffness of the stops");
      return;
    }
    for (std::size_t k = 0; stated && k < all_.size(); ++k) limits(k);
  }
  void limits(std::size_t which) {
    const JointCoordinate& s = all_[which];
    const auto k = positive(given(joint_.limit_stiffness, which, "limit_stiffness"),
                            "limit_stiffness", all_.size() > 1);
    const auto c = positive(given(joint_.limit_damping, which, "limit_damping"), "limit_damping");
    const Value* const first = given(joint_.limits, which, "limits", 2);
    if (first == nullptr || !k || *k == 0.0) return;
    const auto ends = context_.numbers({first[0], first[1]}, "limits");
    if (!ends) return;
    if (!((*ends)[0] < (*ends)[1])) {
      context_.refuse(first->at(), "limits", "are not two values in order",
                      "give [lowest, highest]");
      return;
    }
    for (const double side : {-1.0, 1.0}) {
      const Number& end = (*ends)[side < 0 ? 0 : 1];
      const auto depth = [s, side, end](Trace& trace) {
        return max(0.0, side * (s.value(trace) - trace.parameter(end)));
      };
      keep(of(which, "stop"), [=](Trace& shown) {
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

  static constexpr double usual_speed = 1e-3;  // of friction

  const Joint& joint_;
  const Symbols::JointEntry& entry_;
  const JointSoftness& softness_;
  ElementContext& context_;
  bool is_ball_ = false, is_screw_ = false, holds_all_ = false;
  std::vector<JointCoordinate> all_;
  std::vector<std::pair<std::string, Shown>> shown_;
};

}  // namespace taut::elements
