// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "taut/simulation/plan.hpp"
#include "taut/studies/measure.hpp"
#include "taut/studies/sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Runs of one model over a grid of its parameters: the same as simulate() with these values.
class MotionSweep {
 public:
  /// `model` is as its author states it. Mistakes of the model, of the options and of the measures
  /// (read_measures()) go to `problems`; it may only be used when there is none.
  MotionSweep(Model model, SimulationOptions options, std::vector<RunMeasure> measures,
              Problems& problems);

  /// The model as it stands, with what measures add to it; to be looked at before plan().
  [[nodiscard]] const PreparedModel& prepared() const { return prepared_; }
  [[nodiscard]] const SimulationOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<RunMeasure>& measures() const { return measures_; }

  /// What is wrong with a run of the model as it stands is wrong everywhere: it goes to `problems`.
  [[nodiscard]] Plan plan(Problems& problems) const;

  /// What all results of a sweep over these axes depend on; `plan` is that of the model as it
  /// stands, `axes` as a user gave them.
  [[nodiscard]] RunIdentity identity(const Plan& plan, const std::vector<std::string>& axes) const;

  /// All runs of the grid, or those at `options.points`. `options.cancel` ends those that are under
  /// way, too.
  [[nodiscard]] RunSweep operator()(const std::vector<SweepAxis>& axes,
                                    const RunSweepOptions& options = {}) const;

  /// One run, with these values of these parameters; one that was cancelled has no status. May be
  /// called by several threads at once.
  [[nodiscard]] SweptRun run(const std::vector<std::string>& parameters,
                             const std::vector<double>& values,
                             const std::atomic<bool>* cancel = nullptr) const;

 private:
  [[nodiscard]] SweptRun failure(std::string status, const std::string& reason) const;

  SimulationOptions options_;
  std::vector<RunMeasure> measures_;
  PreparedModel prepared_;
};

}  // namespace taut

#pragma GCC visibility pop
