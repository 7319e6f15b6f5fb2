// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "run/dense_check.hpp"
#include "run/dense_output.hpp"
#include "run/event_scan.hpp"
#include "run/step_watch.hpp"

namespace taut::lanes {

/// The polynomial of the method inside a step, not yet pulled onto the constraints, with rates.
class DensePolynomial {
 public:
  virtual ~DensePolynomial() = default;
  [[nodiscard]] virtual Status at(double t, State& out) = 0;
  [[nodiscard]] virtual Status rates(double t, State& rate) = 0;
};

/// What TimeRun does with a step that its method has accepted, for the one run of a lane and by the
/// same numbers: the watch over it (StepWatch), and what is done where its dense output is read and
/// is none (DenseCheck). Such a step is taken again, shorter.
class LaneLook {
 public:
  struct Run {
    System system;
    bool watched = false, has_events = false;
    double until = 0.0, tolerance = 0.0;
    double resolution = 0.0;  ///< of time
  };
  /// A run begins at this state. False where there is no such look at it.
  [[nodiscard]] bool start(const Run& run, const State& state);

  /// A step begins that was not tried before.
  void begin(double t) {
    limit_ = run_.until;
    bound_ = next_bound_ > 0.0 ? next_bound_ : std::numeric_limits<double>::infinity();
    next_bound_ = 0.0;
    t_begin_ = t;
    repeats_ = 0;
    poor_ = {};
  }
  /// Where it ends at the latest.
  [[nodiscard]] double stop() const { return std::min(limit_, t_begin_ + bound_); }

  enum class Verdict : unsigned char { stands, again, leave };
  /// The watch; the knots are those of the step.
  [[nodiscard]] Verdict watch(DensePolynomial& inside);
  /// Of a step with rows in it, the first of them at `row`, whose dense output is to be looked at
  /// closely. `row_time(k)` are the rows from that one on.
  template <class RowTime>
  [[nodiscard]] Verdict check(DensePolynomial& inside, const RowTime& row_time) {
    if (repeats_ >= most_repeats) return Verdict::leave;
    double error = 0.0;
    const double h = to.state.t - from.state.t;
    if (h < 256 * run_.resolution) return Verdict::stands;
    bool known = true;
    for (const int j : {3, 5})
      known = known && check_at(inside, from.state.t + (1.0 + Tube::sample_place(j)) / 2 * h, true,
                                error) == Status::ok;
    for (int k = 0; known && error <= DenseCheck::allowed; ++k) {
      const double t = row_time(k);
      if (!(t < to.state.t - run_.resolution)) break;
      known = check_at(inside, t, false, error) == Status::ok;
    }
    return known ? judge(error, row_time(0)) : Verdict::leave;
  }
  /// Whether an event may lie in the step, which is then looked at closely, too. False of what
  /// cannot be told.
  [[nodiscard]] bool may_happen(DensePolynomial& inside, bool& may);
  /// What happens in the step, up to the event that stops the run. False where that fails.
  [[nodiscard]] bool find_events(DensePolynomial& inside);
  [[nodiscard]] bool has_events() const { return run_.has_events; }
  [[nodiscard]] std::vector<EventRecord>& events() { return events_; }
  /// Where an event has stopped the run; null where none has.
  [[nodiscard]] const State* stopped() const { return stops_ ? &events_.back().state : nullptr; }

  /// The step stands.
  void end() {
    if (poor_.tries > 0 && !poor_.stays) next_bound_ = 2 * (to.state.t - from.state.t);
  }

  /// The step, filled in by whoever has taken it.
  Knot from, to;

 private:
  /// The motion as a run has it: as methods pull it onto the constraints, and then whoever reads
  /// it.
  class Pulled final : public StepInterior {
   public:
    Pulled(LaneLook& look, DensePolynomial& inside) : look_{look}, inside_{inside} {}
    [[nodiscard]] Status at(double t, State& out) override;

   private:
    LaneLook& look_;
    DensePolynomial& inside_;
  };
  // as in TimeRun
  static constexpr int most_repeats = 60;
  struct Poor {
    int tries = 0;
    double error = 0.0;
    bool stays = false;
  };

  [[nodiscard]] Status check_at(DensePolynomial& inside, double t, bool fully, double& error);
  [[nodiscard]] Verdict judge(double error, double row);
  [[nodiscard]] Verdict shorten(const Finding& found);

  Run run_;
  System system_;
  std::shared_ptr<Switches> switches_;
  StepWatch watch_;
  OutputProjection projection_;
  DenseCheck dense_check_;
  EventScan scan_;
  EventWatch event_watch_;
  std::vector<EventRecord> found_, events_;
  std::vector<std::int64_t> counts_;  // how often each has happened
  bool stops_ = false;
  bool projects_ = false, checks_ = false;  // they have been started
  State inside_, rate_;
  double limit_ = 0.0, bound_ = 0.0, next_bound_ = 0.0, t_begin_ = 0.0;
  int repeats_ = 0;
  Poor poor_;
};

}  // namespace taut::lanes
