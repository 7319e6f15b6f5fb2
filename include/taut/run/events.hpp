// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Something that happened: the name of the event and where the system was.
struct EventRecord {
  std::string name;
  State state;
  bool stops = false;
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
class EventWatch {
 public:
  [[nodiscard]] Status start(const System& system, const State& state);

  /// Whether the model has events at all.
  [[nodiscard]] bool any() const { return !events_.empty(); }

  /// Appends what happened in the step from `t_begin` to `end` to `found`, in order of time.
  [[nodiscard]] Status check(const System& system, double t_begin, const State& end,
                             StepInterior& interior, EventScan& scan,
                             std::vector<EventRecord>& found);

  void archive(Archive& archive) { archive(value_); }

 private:
  [[nodiscard]] Status values(const System& system, const State& state);
  [[nodiscard]] Status value_at(const System& system, int event, double t, StepInterior& interior,
                                double& value);
  [[nodiscard]] Status add(const System& system, int event, Bracket bracket, const State& end,
                           StepInterior& interior, std::vector<EventRecord>& found);
  [[nodiscard]] Status locate(const System& system, int event, Bracket bracket, const State& end,
                              StepInterior& interior, State& at);

  std::vector<int> events_;  // which observables are events
  Evaluation ev_;
  Vec value_;  // of every observable at the end of the last step
  Vec after_;
  State probe_;
};

}  // namespace taut

#pragma GCC visibility pop
