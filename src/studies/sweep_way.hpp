// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "studies/device_sweep.hpp"
#include "studies/lane_sweep.hpp"
#include "studies/sweep_many.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace taut {

/// How the runs of a sweep are done: one by one, side by side, or on a device.
class SweepWay {
 public:
  struct Wish {
    bool lanes = true;
    std::string device = {};  ///< see RunSweepOptions
    const std::atomic<bool>* cancel = nullptr;
  };
  /// `values(k)` are the points, of which there are `count`, about between the ends of `axes`.
  SweepWay(const MotionSweep& sweep, std::vector<SweepAxis> axes, std::size_t count,
           const std::function<std::vector<double>(std::size_t)>& values, const Wish& wish);

  /// Why it does not go as wished; empty where it does.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  /// As DoRuns.
  void operator()(std::size_t share, const NextRun& next, const RunDone& done);

  /// What is to be known of the results: a RunSweep or a StoredSweep.
  template <class Sweep>
  void tell(Sweep& sweep) const {
    if (!there_) return;
    sweep.device = device_->name();
    sweep.left_by_device = there_->left();
    if (sweep.problem.empty()) sweep.problem = there_->problem();
    if (unwatched_)
      sweep.note =
          "steps on a device are not watched: what is short compared with them, and far from where "
          "they look, may be missed; <<max step: H>> bounds them";
  }

 private:
  const MotionSweep& sweep_;
  std::vector<std::string> parameters_;
  const std::atomic<bool>* cancel_;
  std::unique_ptr<const LaneSweep> lanes_;
  std::unique_ptr<device::Device> device_;
  std::unique_ptr<DeviceSweep> there_;
  bool unwatched_ = false;
  std::string problem_;
};

}  // namespace taut
