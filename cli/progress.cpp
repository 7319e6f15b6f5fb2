// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace taut::cli {

ProgressLine::ProgressLine(bool quiet) : on_{!quiet && ::isatty(STDERR_FILENO) == 1} {}

ProgressLine::~ProgressLine() {
  if (on_) fmt::print(stderr, "\r\033[K");
}

std::function<void(const Progress&)> ProgressLine::callback() const {
  if (!on_) return {};
  return [](const Progress& p) {
    std::string left = "?";
    if (p.fraction > 0.0)
      left = fmt::format("{:.0f} s", p.wall_seconds / p.fraction * (1 - p.fraction));
    fmt::print(stderr, "\rt = {:.6g}  {:.1f} %  {} steps  {} left\033[K", p.t, 100 * p.fraction,
               p.steps, left);
    std::fflush(stderr);
  };
}

}  // namespace taut::cli
