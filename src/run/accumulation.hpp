// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "taut/core/archive.hpp"

namespace taut {

/// Whether events that act come one upon another without end (Zeno). Of the times t_n of one event
/// with distances d_n = t_n - t_{n-1} and r_n = d_n / d_{n-1} < 1,
///
///   T = t_n + d_n r_n / (1 - r_n)                                                            (1)
///
/// is where they accumulate if they go on so. They do where eight distances or more have shrunk
/// steadily, and what is left, T - t_n, is below 1e-6 of the time since the first of these (heights
/// of bounces are then 1e-12 of the first: soon they would be rounding), or below a thousand times
/// the resolution of the time. So do 4 times at once, at distances that only the search of an event
/// leaves; and 20000 times within a millionth of a run, whatever their rhythm.
class Accumulation {
 public:
  /// `at_once`: distances up to this are none; `resolution` of the time; `span` of the run.
  struct Scales {
    double at_once = 0.0, resolution = 0.0, span = 0.0;
  };
  /// An event has happened; the time at which it accumulates, where it does.
  [[nodiscard]] std::optional<double> happened(int event, double t, const Scales& scales);

  /// How long the last time of an event was after the one before; 0 where it is the first.
  [[nodiscard]] double distance(int event) const;

  void archive(Archive& archive);

 private:
  struct Series {
    int event = 0;
    double last = 0.0, distance = 0.0, ratio = 0.0;
    double first = 0.0;  // where distances began to shrink
    double crowd_from = 0.0;
    std::int64_t count = 0, shrunk = 0, at_once = 0, crowd = 0;
  };
  std::vector<Series> all_;
};

}  // namespace taut
