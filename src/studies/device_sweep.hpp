// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "studies/lane_sweep.hpp"

namespace taut {

/// Runs of a sweep on a device: those that LaneSweep does, each by a thread of its own. A run that
/// the device gives back is done in the usual way.
class DeviceSweep {
 public:
  /// `examples` are points of the sweep: numbers that are the same at all of them become a part of
  /// the source, and runs in which they differ are left to others. Nothing where the device does
  /// not do such runs: `why` says so.
  [[nodiscard]] static std::unique_ptr<DeviceSweep> make(
      device::Device& device, std::unique_ptr<const LaneSweep> lanes,
      const std::vector<std::vector<double>>& examples, std::string& why);
  ~DeviceSweep();

  /// Runs until there is no next one, at most `share` of them at a time; by several threads, whose
  /// batches follow each other on the device.
  void operator()(std::size_t share, const NextRun& next, const RunDone& done,
                  const LaneSweep::RunAlone& alone, const std::atomic<bool>* cancel);

  /// Runs that were done in the usual way.
  [[nodiscard]] std::size_t left() const { return left_; }
  /// What went wrong with the device; from then on all runs are done in the usual way.
  [[nodiscard]] std::string problem() const;

 private:
  struct Work;
  class Turn;

  DeviceSweep();
  [[nodiscard]] bool load(const std::vector<double>& values, Work& work) const;
  [[nodiscard]] bool compute(Work& work);

  std::unique_ptr<const LaneSweep> lanes_;
  std::unique_ptr<device::DeviceProgram> program_;
  std::vector<std::optional<double>> fixed_;
  std::size_t columns_ = 0, most_ = 0;
  bool moves_ = false;  // starts are made consistent
  std::atomic<std::size_t> left_ = 0;
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace taut
