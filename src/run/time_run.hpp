// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "model/accelerations.hpp"
#include "run/blow_up.hpp"
#include "run/dense_output.hpp"
#include "run/frame_measure.hpp"
#include "run/quality.hpp"
#include "run/run_shell.hpp"
#include "run/sampling.hpp"
#include "slow/normal_energy.hpp"
#include "taut/run/integrate.hpp"

namespace taut {

/// A run over time that is held in the hand: the stepper behind integrate(), and what may be done
/// to it between two steps. Options and motion belong to the caller and outlive it.
///
///   TimeRun run{system, std::move(method), options, motion};
///   Status status = run.begin(start);
///   while (status == Status::ok && run.state().t < t) status = run.advance(t);
///   const Summary summary = run.finish(status);
///
/// is integrate() where t is options.until, to the same bits. After an event that stops, the next
/// advance() goes on from there, behind it.
///
/// What is changed from outside restarts the method, and what the run remembers of the last step:
/// the inside of that step is then not known any more, events are looked at anew (a jump is no
/// crossing), and the summary has no error of the energy, which others have changed. Rows,
/// counters, clock and events that were found go on.
class TimeRun final : public RunShell<TimeRun, RunOptions, Motion>, private StepInterior {
 public:
  TimeRun(const System& system, Method method, const RunOptions& options, Motion& motion);

  using RunShell::advance;
  /// One accepted step, not beyond t_stop. A t_stop other than the one before is the end from now
  /// on, as by aim().
  [[nodiscard]] Status advance(double t_stop);

  /// Another end than options.until, not before the present. A method of constant steps divides
  /// what is left into equal ones, as integrate() does from the start.
  [[nodiscard]] Status aim(double until);
  [[nodiscard]] double until() const { return until_; }
  [[nodiscard]] bool finished() const { return state_.t >= until_; }

  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] double last_step() const { return last_step_; }
  [[nodiscard]] Counters counters();
  [[nodiscard]] const std::vector<EventRecord>& events() const { return events_; }

  /// Methods of constant steps know the inside of steps only where rows or events may lie there, or
  /// where this was called before begin().
  void keep_interior() { keep_interior_ = true; }
  /// Where the last step began; the present where its inside is not known.
  [[nodiscard]] double known_from() const { return interior_known_ ? t_begin_ : state_.t; }
  /// The state at a time inside the last step, or at the present.
  [[nodiscard]] Status at(double t, State& out) override;
  /// Everything about it: a, lambda, energies, observables. frame() is it until the next call.
  [[nodiscard]] Status measure_at(double t);
  [[nodiscard]] const Frame& frame() const { return frame_; }

  /// The method begins anew at the present: after values that the system reads were changed. A
  /// state that is off the constraints then is refused, as by change(), and nothing has changed.
  [[nodiscard]] Status restart();
  /// The same with another state at the same time, which fulfils the constraints.
  [[nodiscard]] Status change(const State& state);
  /// The same with another system of the same structure: other parameters.
  [[nodiscard]] Status change(const System& system);
  /// Events that were found are forgotten, and values are looked at anew.
  [[nodiscard]] Status reset_events();

  [[nodiscard]] Summary finish(Status status);
  /// Of a status that advance() or a change has given.
  [[nodiscard]] std::string message(Status status) const;

 private:
  friend RunShell;

  static constexpr double most_steps = 1e15;  // more cannot be counted through in a lifetime

  // before the first step
  [[nodiscard]] static System output_system(const System& system);
  [[nodiscard]] std::string refusal(const State& start) const;
  [[nodiscard]] std::string refused_state(const State& state) const;
  [[nodiscard]] std::string refused_times(double t) const;
  void plan(const State& start);
  void plan_steps();
  void plan_outputs();
  void plan_extremes(std::int64_t rows);
  [[nodiscard]] std::int64_t measured_stride(std::int64_t steps) const;
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status prepare_output();
  [[nodiscard]] Status prepare_interior();
  [[nodiscard]] Status start_stepper();
  [[nodiscard]] Status prepare_projection();
  [[nodiscard]] Status watch_blow_up();
  [[nodiscard]] Status first();
  [[nodiscard]] Status check_start();
  [[nodiscard]] std::string off_constraints(Evaluation& ev, const char* what) const;

  // between steps
  [[nodiscard]] Status refuse(std::string why);
  [[nodiscard]] Status begin_anew();
  [[nodiscard]] Status renew_output();

  // the loop
  [[nodiscard]] Status take_step();
  [[nodiscard]] const System& stepped_system() const;
  [[nodiscard]] Status after_step();
  [[nodiscard]] Progress progress() const;
  [[nodiscard]] double projection_time() const;
  [[nodiscard]] Status project_when_due();
  [[nodiscard]] Status keep_events(double& t_stop);
  [[nodiscard]] Status outputs_until(double t);

  // output
  [[nodiscard]] double output_time(std::int64_t k) const;
  [[nodiscard]] Status record(const State& state);
  void add_frame();
  [[nodiscard]] Status record_present() { return record(state_); }
  void pass_present();
  [[nodiscard]] Status measure(const State& state);
  [[nodiscard]] Status measure_multipliers();
  [[nodiscard]] Status complete_knots();

  // the end
  [[nodiscard]] bool given() const { return method_.operator->() != nullptr; }
  [[nodiscard]] bool resumable() const { return method_.info().resumable; }
  void archive_run(Archive& archive);
  void archive_stepper(Archive& archive);
  [[nodiscard]] Status judged(Status status) const { return status; }
  void explain(Status status, SummaryCore& summary) const;
  [[nodiscard]] Status end_row();
  [[nodiscard]] std::string advice(Status status) const;
  [[nodiscard]] std::string culprit() const;

  System system_;
  System output_;  // the same with compliant equations as springs: what rows are computed with
  Method method_;
  bool adaptive_;
  bool knows_multipliers_ = false;  // the method does, since it has started

  // plan
  double t0_ = 0.0, until_ = 0.0;
  double t_from_ = 0.0;               // where constant steps of length h_ began
  double h_ = 0.0;                    // constant step; 0 for adaptive methods
  std::int64_t N_ = 0;                // number of constant steps from there
  std::int64_t n_from_ = 0;           // those taken before
  std::int64_t outputs_ = 0;          // number of output times after t0; the last is the end
  std::int64_t max_measured_ = 0;     // steps between rows of which everything is computed
  std::int64_t measured_stride_ = 1;  // these are its multiples; doubled as the run goes on
  bool keep_interior_ = false;

  // where the run is
  State state_;
  std::int64_t next_output_ = 1;  // index of the next output time
  double last_step_ = 0.0;
  bool stopped_ = false;    // by an event inside the last step
  bool disturbed_ = false;  // changed from outside
  Counters earlier_;        // of the method before it was restarted, where it forgets them
  EventWatch watch_;
  std::vector<EventRecord> events_;
  Quality quality_;
  Measure measure_;
  bool measurable_ = false;  // measure_ has been started
  bool outdated_ = false;    // output is prepared for another system
  BlowUp blow_up_;           // of stepping methods
  Sampling sampling_;

  // onto the slow manifold
  System equations_;  // with compliant rows, for normal_energy_
  NormalEnergy normal_energy_;
  std::int64_t next_projection_ = 1;  // index of the next given time
  std::int64_t projections_ = 0, projection_evaluations_ = 0;
  std::int64_t reading_before_ = 0;  // hidden evaluations of the run before it was resumed
  std::int64_t of_reading_ = 0;      // those of the run when it was stored

  // the last step
  double t_begin_ = 0.0;
  bool interior_known_ = false;
  Knot begin_, end_;  // of a stepping method, where something falls into the step
  bool begin_known_ = false, end_known_ = false;
  Accelerations accelerations_;
  std::int64_t knot_evaluations_ = 0;
  Vec knot_lambda_;
  Evaluation multiplier_scratch_;
  OutputProjection projection_;
  std::vector<EventRecord> found_;
  Frame frame_;
  std::string stop_name_;
  Evaluation check_;                                     // of constraints, after a change
  std::shared_ptr<const SystemImplementation> checked_;  // whose it is
};

}  // namespace taut
