// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Something that happened: the name of the event and where the system was.
struct EventRecord {
  std::string name;
  State state;  ///< just before it acted, where it did
  bool stops = false;
  bool acts = false;
  State after;          ///< of one that has acted: just behind it; otherwise empty
  int observable = -1;  ///< its number in Structure::observables
};

/// A function of a program in place of the formula of an event, which the model names. Its value
/// is looked at at both ends of each step and at three places inside it, but not inside of constant
/// steps; what it does between two of them and takes back is not seen. Runs are repeated for
/// Result::at(): the same state must have the same value.
struct EventFunction {
  std::string event;  ///< a name of [[event]]
  /// Anything but Status::ok ends the run.
  std::function<Status(const State& at, double& value)> value;
};

/// A part of a step in which the value of an event changes its sign.
struct StepPart {
  double begin = 0.0, end = 0.0;  ///< [s]
};

class EventScan;
struct Bracket;

/// The motion inside a step, on demand.
class StepInterior {
 public:
  virtual ~StepInterior() = default;
  /// The state at a time inside the step.
  [[nodiscard]] virtual Status at(double t, State& out) = 0;
  /// Whether both ends say nearly all: a step of constant length, whose inside would cost another.
  [[nodiscard]] virtual bool is_short() const { return false; }
};

/// Finds where the events of a model cross zero.
///
/// An event fires when its value has another sign at the end of a step than it had last, in the
/// direction asked for, or reaches zero there. A value that is exactly zero has no sign: an event
/// that starts at zero does not fire at the start, and one that fired at the very end of a step
/// does not fire again in the next. The time is found on the step's interior to 1e-12 of the step
/// (or the resolution of t). Where the events can be scanned, all crossings within one step are
/// found; where not, a value that crosses twice within a step is not seen.
///
/// Events that change the motion (Observable::acts) happen at the end of a step, all together that
/// cross zero at the same time. Behind them values are looked at anew: a jump is no crossing. One
/// that is still at zero there has the sign of the side it goes to, so that it does not happen
/// again at once; where it does not leave zero, it has the sign of the side it came from.
class EventWatch {
 public:
  EventWatch() = default;
  /// `functions` outlive it.
  explicit EventWatch(const std::vector<EventFunction>& functions) : given_{&functions} {}

  [[nodiscard]] Status start(const System& system, const State& state);

  /// Whether the model has events at all.
  [[nodiscard]] bool any() const { return !events_.empty(); }

  /// Appends what happened in the step from `t_begin` to `end` to `found`, in order of time.
  [[nodiscard]] Status check(const System& system, double t_begin, const State& end,
                             StepInterior& interior, EventScan& scan,
                             std::vector<EventRecord>& found);

  /// An event that has happened, and how its value came there.
  struct Happened {
    int event = 0;       ///< in Structure::observables
    double sense = 1.0;  ///< -1: it fell
    double noise = 0.0;  ///< what is zero where it was found
    void archive(Archive& archive) { archive(event, sense, noise); }
  };
  /// The last check has found it at this time.
  [[nodiscard]] Happened happened(int event, double t) const;
  /// After start() behind events that have acted, found in a step of length `step`: accelerations
  /// `a` belong to `state`.
  [[nodiscard]] Status leave(const System& system, const State& state, const Vec& a, double step,
                             const std::vector<Happened>& events);

  /// The event whose function gave no number, where one did.
  [[nodiscard]] const std::string& not_finite() const { return not_finite_; }

  void archive(Archive& archive) { archive(value_); }

 private:
  [[nodiscard]] Status values(const System& system, const State& state);
  [[nodiscard]] Status value_of(const EventFunction& function, const State& state, double& value);
  [[nodiscard]] const EventFunction* function_of(int event) const;
  [[nodiscard]] Status look_inside(int event, double t_begin, const State& end,
                                   StepInterior& interior);
  [[nodiscard]] Status value_at(const System& system, int event, double t, StepInterior& interior,
                                double& value);
  [[nodiscard]] Status add(const System& system, int event, Bracket bracket, const State& end,
                           StepInterior& interior, std::vector<EventRecord>& found);
  [[nodiscard]] Status locate(const System& system, int event, Bracket& bracket, const State& end,
                              StepInterior& interior, State& at);

  std::vector<int> events_;  // which observables are events
  const std::vector<EventFunction>* given_ = nullptr;
  std::vector<std::pair<int, const EventFunction*>> functions_;  // of observables
  std::string not_finite_;
  std::vector<StepPart> parts_;  // in which a function has crossed zero
  Evaluation ev_;
  struct Crossing {
    Happened happened;
    double t = 0.0;
  };
  std::vector<Crossing> crossings_;  // of the last step
  // of every observable at the end of the last step; behind them, of those that an event has left
  // at zero, what they are as long as they rest there, or NaN
  Vec value_;
  Vec after_;
  State probe_;
};

}  // namespace taut

#pragma GCC visibility pop
