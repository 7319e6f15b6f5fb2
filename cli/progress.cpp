// SPDX-License-Identifier: BSD-3-Clause
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "terminal.hpp"

namespace taut::cli {
namespace {

void show(const std::string& text) {
  fmt::print(stderr, "\r{}\033[K", text);
  std::fflush(stderr);
}

std::string bar(double fraction, int width) {
  const int full = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * width));
  return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", width - full);
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

ProgressLine::ProgressLine(bool quiet) : on_{!quiet && terminal(STDERR_FILENO).escapes} {}

ProgressLine::~ProgressLine() {
  if (on_) fmt::print(stderr, "\r\033[K");
}

std::function<void(const Progress&)> ProgressLine::callback() const {
  if (!on_) return {};
  return [](const Progress& p) {
    show(fmt::format("t = {:.6g}  {:.1f} %  {} steps  {} left", p.t, 100 * p.fraction, p.steps,
                     duration(p.wall_seconds / p.fraction * (1 - p.fraction))));
  };
}

std::function<void(const SweepProgress&)> ProgressLine::of_runs() const {
  if (!on_) return {};
  // what stands beside the bar takes about 50 characters
  const int width = std::clamp(terminal(STDERR_FILENO).width - 50, 0, 40);
  return [width](const SweepProgress& p) {
    const double rate = static_cast<double>(p.now) / p.seconds;
    const auto left = static_cast<double>(p.total - p.done);
    const double fraction = static_cast<double>(p.done) / static_cast<double>(p.total);
    show(fmt::format("{} {}/{}  {:.0f} %  {:.3g} runs/s  {} left", bar(fraction, width), p.done,
                     p.total, 100 * fraction, p.now > 0 ? rate : 0.0, duration(left / rate)));
  };
}

std::function<void(double)> ProgressLine::of_fraction() const {
  if (!on_) return {};
  return [](double fraction) { show(fmt::format("{:.0f} %", 100 * fraction)); };
}

std::function<void(std::string_view, double)> ProgressLine::of_work() const {
  if (!on_) return {};
  return [](std::string_view what, double fraction) {
    show(fmt::format("{:.0f} %  {}", 100 * fraction, what));
  };
}

}  // namespace taut::cli
