// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/motion_source.hpp"

namespace taut::device {

/// Runs that a device does at the same time: columns of numbers, as motion_source.hpp has them.
struct Batch {
  std::size_t runs = 0;
  std::vector<double> in, out;
  std::vector<unsigned char> how;
};

/// A compiled MotionSource. Two batches may be under way at a time.
class DeviceProgram {
 public:
  virtual ~DeviceProgram() = default;

  /// Begins with a batch, which nobody touches until it is finished. What went wrong, or nothing.
  [[nodiscard]] virtual std::string begin(Batch& batch) = 0;
  /// Waits for it. What went wrong, or nothing.
  [[nodiscard]] virtual std::string finish(Batch& batch) = 0;
};

/// Something that compiles sources and does runs.
class Device {
 public:
  virtual ~Device() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  /// `measures`: numbers that come out of a run. Nothing where it does not work: `why` says so.
  [[nodiscard]] virtual std::unique_ptr<DeviceProgram> compile(const MotionSource& source,
                                                               std::size_t measures,
                                                               std::string& why) = 0;
  /// Runs of a batch: enough to be busy, and in a bounded memory.
  [[nodiscard]] virtual std::size_t batch() const = 0;
};

}  // namespace taut::device
