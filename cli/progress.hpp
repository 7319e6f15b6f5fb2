// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "taut/run/run_options.hpp"

namespace taut::cli {

/// One line on standard error that is written again and again, and wiped at the end. Silent unless
/// standard error is a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// What integrate() is to call; empty when silent.
  [[nodiscard]] std::function<void(const Progress&)> callback() const;

 private:
  bool on_;
};

}  // namespace taut::cli
