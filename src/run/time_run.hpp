// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "model/accelerations.hpp"
#include "readings/turns.hpp"
#include "run/accumulation.hpp"
#include "run/blow_up.hpp"
#include "run/dense_check.hpp"
#include "run/dense_output.hpp"
#include "run/energy_balance.hpp"
#include "run/event_actions.hpp"
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
///
/// A step in which events act ends where they do, with the state just before. What they do is a
/// step of its own, of no length: the next advance(). Both sides are rows of the motion, and both
/// are what the inside of steps says on their side.
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
  [[nodiscard]] bool finished() const { return state_.t >= until_ && happened_.empty(); }
  /// Whether it has not come to t: there the present is that behind events that act.
  [[nodiscard]] bool is_before(double t) const {
    return state_.t < t || (state_.t == t && !happened_.empty());
  }

  [[nodiscard]] const System& system() const { return system_; }
  /// What events have made of the model, and how often they have changed its parameters.
  [[nodiscard]] const EventActions& actions() const { return actions_; }
  [[nodiscard]] std::int64_t changes_of_model() const { return changes_of_model_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] double last_step() const { return last_step_; }
  [[nodiscard]] Counters counters();
  [[nodiscard]] const std::vector<EventRecord>& events() const { return events_; }
  /// How often joints have turned. Where expressions will be asked for that are not known before
  /// begin(), count_turns() says so, with the system of this run.
  [[nodiscard]] const Turns& turns() const { return turns_; }
  void count_turns(const System& system) {
    turns_.want();
    freeze(system);
  }

  /// Methods of constant steps know the inside of steps only where rows or events may lie there, or
  /// where this was called before begin().
  void keep_interior() { keep_interior_ = true; }
  /// The step in which t lies will be read there: its dense output is checked, as that of steps in
  /// which rows and events lie. Without it, where the inside of steps is kept, all are.
  void expect(double t) { expected_ = t; }
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
  /// The same of a run whose events act.
  [[nodiscard]] Status change(const System& system, const CompiledModel& model);
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
  [[nodiscard]] std::string refused_functions() const;
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
  [[nodiscard]] Status looked_advance(double t_stop);
  [[nodiscard]] Status is_read(bool& read);
  [[nodiscard]] Status check_inside(double& error);
  [[nodiscard]] Status check_at(double t, bool fully, double& error);
  struct Poor {
    int tries = 0;
    double error = 0.0;  // of the last
    bool stays = false;  // shorter steps do not help
  };
  [[nodiscard]] Status check_dense(bool cut, Poor& poor, Finding& found);
  void keep_acceleration(Knot& knot) const;
  [[nodiscard]] Status look(Finding& found);
  [[nodiscard]] Status look_at_turns(Finding& found);
  [[nodiscard]] Status look_at_sliding(Finding& found);
  [[nodiscard]] Status start_method();
  [[nodiscard]] Status undo();
  [[nodiscard]] Status change_sides();
  [[nodiscard]] bool is_settled(SwitchId which) const;
  [[nodiscard]] Status cut(double t);
  [[nodiscard]] Status potential(double& energy, double& size);
  [[nodiscard]] bool jumps(double before, double after);
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
  [[nodiscard]] Status outputs_until(double t);

  // what events do: time_run_events.cpp
  [[nodiscard]] Status keep_events(double& t_stop);
  [[nodiscard]] std::size_t together(std::size_t first) const;
  [[nodiscard]] Status act();
  [[nodiscard]] Status act(int event);
  [[nodiscard]] Status take_model();
  [[nodiscard]] Status make_consistent(const EventActions::Change& change, const std::string& name);
  [[nodiscard]] Status judge_accumulation(int event);
  [[nodiscard]] Status keep_event_row();
  [[nodiscard]] const std::string& event_name(int event) const {
    return output_.structure().observables[static_cast<std::size_t>(event)].name;
  }

  // output
  [[nodiscard]] double output_time(std::int64_t k) const;
  [[nodiscard]] Status record(const State& state);
  void add_frame();
  [[nodiscard]] Status record_present() { return record(state_); }
  void pass_present();
  [[nodiscard]] Status measure(const State& state);
  [[nodiscard]] Status measure_multipliers();
  [[nodiscard]] Status complete_knots();
  /// The method's own dense output, as it is.
  [[nodiscard]] Status inside(double t, State& out);
  void start_balance();

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
  [[nodiscard]] std::string grown() const;

  Turns turns_;                         // of joints of system_
  std::shared_ptr<Switches> switches_;  // of system_
  System system_;                       // with its switches frozen
  System output_;  // the same with compliant equations as springs: what rows are computed with
  Method method_;
  bool adaptive_;
  bool conserves_ = false;          // its energy
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
  EventActions actions_;
  EventActions::Change change_;
  std::vector<EventWatch::Happened> happened_;  // events that are to act at the present
  bool acted_ = false;                          // the last step was what they did
  bool stops_behind_ = false;                   // and the run stops behind them
  double step_of_events_ = 0.0;                 // in which they were found, as it was tried
  std::vector<std::int64_t> counts_;            // how often each event has happened
  Accumulation accumulation_;
  std::int64_t changes_of_model_ = 0;
  Quality quality_;
  EnergyBalance balance_;
  EnergyBalance::Inside inside_step_;
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
    bool at_once = false;  // its guard was not on its side when the step began
    SwitchId which;
  };
  DenseCheck dense_check_;
  bool dense_check_ready_ = false;
  Tube inside_tube_;
  bool inside_sampled_ = false;
  State rate_;
  double expected_ = std::numeric_limits<double>::quiet_NaN();  // time that will be read
  std::int64_t poor_ = 0;  // steps that are read although their dense output is not good
  double first_poor_ = 0.0, poorest_ = 0.0;
  StepWatch step_watch_;
  bool watched_ = false;
  State inside_;
  Knot from_, to_;  // ends of the step that is looked at
  Crossing crossing_;
  Crossing settled_;  // the one after which sides were found last, and when
  double settled_at_ = std::numeric_limits<double>::quiet_NaN();
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
  State stop_state_;  // where they end the step
  Frame frame_;
  std::string stop_name_;
  Evaluation check_;                                     // of constraints, after a change
  std::shared_ptr<const SystemImplementation> checked_;  // whose it is
};

}  // namespace taut
