// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "model/accelerations.hpp"
#include "run/blow_up.hpp"
#include "run/dense_output.hpp"
#include "run/event_scan.hpp"
#include "run/frame_measure.hpp"
#include "run/quality.hpp"
#include "run/run_shell.hpp"
#include "run/sampling.hpp"
#include "run/step_watch.hpp"
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
  [[nodiscard]] bool is_short() const override { return !adaptive_; }
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
  [[nodiscard]] bool is_off_constraints();
  void prepare_check();
  // of g against the terms it is made of, and of g' likewise: far above all rounding, and below
  // what anybody would see
  static constexpr double off_constraint = 1e-6;

  // between steps
  [[nodiscard]] Status refuse(std::string why);
  [[nodiscard]] Status begin_anew();
  [[nodiscard]] Status renew_output();

  // the loop
  [[nodiscard]] Status take_step();
  [[nodiscard]] Status take_adaptive_step();
  [[nodiscard]] Status take_constant_step();

  // what steps do not see: time_run_watch.cpp
  void freeze(const System& reading);
  [[nodiscard]] Status prepare_watch();
  [[nodiscard]] Status watched_advance(double t_stop);
  void keep_acceleration(Knot& knot) const;
  [[nodiscard]] Status look(Finding& found);
  [[nodiscard]] Status look_at_sliding(Finding& found);
  [[nodiscard]] Status start_method();
  [[nodiscard]] Status undo();
  [[nodiscard]] Status change_sides();
  [[nodiscard]] Status cut(double t);
  [[nodiscard]] Status potential(double& energy, double& size);
  [[nodiscard]] Status take_impact();
  [[nodiscard]] Status count_crossing();
  void note_watch();
  [[nodiscard]] const System& stepped_system() const;
  [[nodiscard]] Status failed(Status status);
  [[nodiscard]] Status after_step();
  [[nodiscard]] Status keep_what_happened();
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

  std::shared_ptr<Switches> switches_;  // of system_
  System system_;                       // with its switches frozen
  System output_;  // the same with compliant equations as springs: what rows are computed with
  Method method_;
  bool adaptive_;
  bool knows_multipliers_ = false;  // the method does, since it has started

  // plan
  double t0_ = 0.0, until_ = 0.0;
  double t_from_ = 0.0;               // where constant steps of length h_ began
  double h_ = 0.0;                    // constant step; 0 for adaptive methods
  std::int64_t N_ = 0;                // number of constant steps from there
  std::int64_t grid_ = 0;             // those that are reached
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
  EventScan event_scan_;
  std::vector<EventRecord> events_;
  Quality quality_;
  Measure measure_;
  bool measurable_ = false;  // measure_ has been started
  bool outdated_ = false;    // output is prepared for another system
  BlowUp blow_up_;           // of stepping methods
  struct Good {
    State state;
    Quality quality;
    bool known = false;
  };
  Good good_;     // row of a stepping method that was no part of a blow-up, the last one
  State before_;  // the last step
  Sampling sampling_;

  // what steps do not see
  struct Crossing {
    bool pending = false;  // of the step just taken: sides change before the next
    bool sliding = false;  // a switch stops to slide, no guard crosses
    SwitchId which;
  };
  StepWatch step_watch_;
  bool watched_ = false;
  State inside_;
  Knot from_, to_;  // ends of the step that is looked at
  Crossing crossing_;
  double time_crossing_ = 0.0;  // a guard that reads the time alone crosses here
  SwitchId time_switch_;
  bool time_crossing_known_ = false;
  double next_bound_ = 0.0;  // of the next step; 0: none
  std::int64_t crossings_ = 0, crowded_ = 0;
  double last_crossing_ = 0.0;
  std::int64_t unresolved_ = 0;  // constant steps in which something was not seen
  double first_unresolved_ = 0.0;
  std::int64_t impacts_ = 0;
  double first_impact_ = 0.0;
  Evaluation watch_scratch_;
  std::string blamed_;  // the element that a failure of the watch names

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
