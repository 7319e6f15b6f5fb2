// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "taut/run/run_options.hpp"
#include "taut/studies/sweep.hpp"

namespace taut::cli {

/// One line on standard error that is written again and again, and wiped at the end. Silent unless
/// standard error is a terminal that can wipe a line.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// What integrate() is to call; empty when silent, as are the others.
  [[nodiscard]] std::function<void(const Progress&)> callback() const;

  /// The same for sweep_runs(), and for work of which a fraction is known.
  [[nodiscard]] std::function<void(const SweepProgress&)> of_runs() const;
  [[nodiscard]] std::function<void(double)> of_fraction() const;

  /// The same with what is at work, for compare().
  [[nodiscard]] std::function<void(std::string_view, double)> of_work() const;

 private:
  bool on_;
};

}  // namespace taut::cli
