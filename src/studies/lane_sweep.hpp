// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lanes/lane_runge_kutta.hpp"
#include "studies/sweep_many.hpp"
#include "taut/simulation/plan.hpp"
#include "taut/studies/measure.hpp"

namespace taut {

/// Runs of a sweep in lanes: see lanes::LaneRungeKutta. Whatever a run of simulate() would do
/// besides taking steps and looking at the end is not done in lanes: such models and measures are
/// refused as a whole, and a run in which it turns out is done in the usual way.
class LaneSweep {
 public:
  /// What is done with models whose steps are watched: see switched_system.hpp.
  enum class Watch : unsigned char {
    kept,     ///< as single runs have it; where something switches there are no lanes
    left_out  ///< where nothing switches steps are taken without it; unwatched() says so
  };

  /// For runs of `prepared` over these axes. Nothing where that is not possible: `why` says what of
  /// it is not.
  [[nodiscard]] static std::unique_ptr<const LaneSweep> make(
      const PreparedModel& prepared, const SimulationOptions& options,
      const std::vector<RunMeasure>& measures, const std::vector<SweepAxis>& axes, std::string& why,
      Watch watch = Watch::kept);

  /// One run in the usual way; nothing comes of one that is cancelled.
  using RunAlone = std::function<SweptRun(const std::vector<double>& values)>;

  /// Runs until there is no next one, with at most `share` of them at a time; one thread each.
  void operator()(std::size_t share, const NextRun& next, const RunDone& done,
                  const RunAlone& alone, const std::atomic<bool>* cancel) const;

  /// What a lane begins with for these values; `moved`: with its start made consistent. Nothing
  /// where such a run does not fit into the lanes. One `scratch` for each thread.
  [[nodiscard]] std::optional<lanes::LaneStart> start(const std::vector<double>& values, bool moved,
                                                      std::vector<double>& scratch) const;

  /// Its steps would be watched otherwise.
  [[nodiscard]] bool unwatched() const { return watch_ == Watch::left_out && watchable_; }
  [[nodiscard]] const CompiledModel& model() const { return model_; }
  [[nodiscard]] const std::vector<RunMeasure>& measures() const { return measures_; }
  [[nodiscard]] const lanes::LaneMethod& method() const { return method_; }
  [[nodiscard]] const std::string& method_name() const { return method_name_; }
  [[nodiscard]] const fused::MotionPrograms& programs() const { return *programs_; }

 private:
  class Worker;

  LaneSweep() = default;

  CompiledModel model_;  // at a point amid the others
  std::vector<RunMeasure> measures_;
  std::vector<int> parameters_;  // by axis
  lanes::LaneMethod method_;
  std::string method_name_;  // as a summary has it
  Watch watch_ = Watch::kept;
  bool watchable_ = false;  // formulas may be short, or switch
  bool reads_rows_ = false, has_events_ = false;
  std::shared_ptr<const fused::MotionPrograms> programs_;
};

}  // namespace taut
