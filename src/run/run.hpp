// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "model/accelerations.hpp"
#include "run/blow_up.hpp"
#include "run/dense_output.hpp"
#include "run/frame_measure.hpp"
#include "run/pace.hpp"
#include "run/quality.hpp"
#include "run/recorder.hpp"
#include "run/sampling.hpp"
#include "slow/normal_energy.hpp"
#include "taut/run/integrate.hpp"

namespace taut {

/// One run of integrate(), with all that it carries from step to step.
class Run final : private StepInterior {
 public:
  Run(const System& system, Method method, const RunOptions& options, Motion& motion);

  [[nodiscard]] Summary operator()(const State& start);

 private:
  // before the first step
  void plan(const State& start);
  void plan_extremes(std::int64_t rows);
  [[nodiscard]] std::int64_t measured_stride(std::int64_t steps) const;
  [[nodiscard]] Status begin(const State& start);
  [[nodiscard]] Status start_interior();
  [[nodiscard]] Status start_method();
  [[nodiscard]] Status resume();

  // the loop
  [[nodiscard]] Status loop();
  [[nodiscard]] bool finished() const { return state_.t >= options_.until; }
  [[nodiscard]] Status take_step();
  [[nodiscard]] const System& stepped_system() const;
  [[nodiscard]] Status after_step();
  [[nodiscard]] Status look_at_clock();
  [[nodiscard]] double projection_time() const;
  [[nodiscard]] Status project_when_due();
  [[nodiscard]] Status keep_events(double& t_stop);
  [[nodiscard]] Status outputs_until(double t);

  // output
  [[nodiscard]] double output_time(std::int64_t k) const;
  [[nodiscard]] Status record(const State& state);
  void pass();
  [[nodiscard]] Status measure(const State& state);
  [[nodiscard]] Status measure_multipliers();
  [[nodiscard]] Status at(double t, State& out) override;
  [[nodiscard]] Status complete_knots();

  // the end
  void save();
  void archive(Archive& archive);
  [[nodiscard]] Summary finish(Status status);
  [[nodiscard]] std::string message(Status status) const;
  [[nodiscard]] std::string advice(Status status) const;
  [[nodiscard]] std::string culprit() const;

  const System& system_;
  System output_;  // the same with compliant equations as springs: what rows are computed with
  Method method_;
  const RunOptions& options_;
  Motion& motion_;
  bool adaptive_;
  bool knows_multipliers_ = false;  // the method does, since it has started
  double resolution_ = 0.0;         // times closer than this are the same

  // plan
  double t0_ = 0.0;
  double h_ = 0.0;                    // constant step; 0 for adaptive methods
  std::int64_t N_ = 0;                // number of constant steps
  std::int64_t outputs_ = 0;          // number of output times after t0; the last is `until`
  std::int64_t max_measured_ = 0;     // steps between rows of which everything is computed
  std::int64_t measured_stride_ = 1;  // these are its multiples; doubled as the run goes on

  // where the run is
  State state_;
  std::int64_t n_ = 0;            // accepted steps
  std::int64_t next_output_ = 1;  // index of the next output time
  double last_step_ = 0.0;
  double seconds_before_ = 0.0;  // wall time of the run before it was resumed
  Recorder recorder_;
  EventWatch watch_;
  std::vector<EventRecord> events_;
  std::int64_t events_dropped_ = 0;
  Quality quality_;
  Measure measure_;
  bool measurable_ = false;  // measure_ has been started
  BlowUp blow_up_;           // of stepping methods
  Sampling sampling_;
  std::string refused_;  // why a sampler cannot be served

  // onto the slow manifold
  System equations_;  // with compliant rows, for normal_energy_
  NormalEnergy normal_energy_;
  std::int64_t next_projection_ = 1;  // index of the next given time
  std::int64_t projections_ = 0, projection_evaluations_ = 0;
  std::int64_t reading_before_ = 0;  // hidden evaluations of the run before it was resumed

  // the last step
  double t_begin_ = 0.0;
  Knot begin_, end_;  // of a stepping method, where something falls into the step
  bool begin_known_ = false, end_known_ = false;
  Accelerations accelerations_;
  std::int64_t knot_evaluations_ = 0;
  Vec knot_lambda_;
  Evaluation multiplier_scratch_;
  OutputProjection projection_;
  std::vector<EventRecord> found_;
  Frame frame_;

  Pace pace_;
  double last_progress_ = 0.0, last_save_ = 0.0, save_cost_ = 0.0;
  std::int64_t n_saved_ = -1;
  bool save_failed_ = false;
  std::vector<std::string> notes_;
  std::string stop_name_;
};

}  // namespace taut
