// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"
#include "taut/statics/equilibria.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Values of a parameter: `points` of them, evenly from the first to the last; with `log`, where
/// both are positive, in equal ratios. A single point is the first. Any others are listed.
struct SweepAxis {
  std::string parameter;
  double first = 0.0, last = 1.0;
  int points = 2;
  bool log = false;
  std::vector<double> listed = {};  ///< the values, `points` of them, from `first` to `last`

  /// These values.
  [[nodiscard]] static SweepAxis of(std::string parameter, std::vector<double> values) {
    return {.parameter = std::move(parameter),
            .first = values.front(),
            .last = values.back(),
            .points = static_cast<int>(values.size()),
            .listed = std::move(values)};
  }

  [[nodiscard]] double value(int k) const {
    if (!listed.empty()) return listed[static_cast<std::size_t>(k)];
    if (k == 0) return first;
    if (k == points - 1) return last;
    if (!log) return first + (last - first) * k / (points - 1);
    // by decades: whole powers of ten come out as such
    const double s = static_cast<double>(k) / (points - 1);
    return std::pow(10.0, (1 - s) * std::log10(first) + s * std::log10(last));
  }
};

/// A system for some values of the parameters, and where an equilibrium of it is looked for; or
/// why there is none.
struct SweepCase {
  Status status = Status::ok;
  std::string reason = {};
  System system = {};
  System second_opinion = {};  ///< see EquilibriaOptions
  State near = {};
};

/// Called by several threads at a time, with one value for each axis.
using MakeSweepCase = std::function<SweepCase(const std::vector<double>& values)>;

/// What is known at some values of the parameters.
struct SweepPoint {
  std::vector<double> values;
  bool exists = false;  ///< there is an equilibrium
  bool jumped = false;  ///< it is not the one of the neighbour: that one came to an end
  std::string reason;   ///< why there is none
  Equilibrium equilibrium;
};

/// Where a stable equilibrium turns unstable, between two neighbours.
struct SweepBorder {
  std::vector<double> values;
  int axis = 0;               ///< along which they are neighbours
  double uncertainty = 0.0;   ///< of values[axis]
  bool stable_above = false;  ///< stable for larger values[axis]
};

struct SweepOptions {
  double reach = 0.0;                                  ///< see EquilibriaOptions
  double tolerance = 1e-3;                             ///< of the border, relative
  unsigned threads = 0;                                ///< 0: one for each core
  std::function<void(double fraction)> progress = {};  ///< called by one thread at a time
};

struct StabilitySweep {
  Status status = Status::ok;  ///< not ok: no equilibrium anywhere
  std::string reason = {};
  std::vector<SweepAxis> axes = {};
  std::vector<std::string> coordinates = {};
  std::vector<SweepPoint> points = {};  ///< the first axis runs fastest
  std::vector<SweepBorder> borders = {};
  std::size_t without = 0;  ///< points that have no equilibrium
  std::size_t jumps = 0;    ///< points that have not the one of their neighbour

  [[nodiscard]] const SweepPoint& at(int i, int j = 0) const {
    return points[static_cast<std::size_t>(i) +
                  static_cast<std::size_t>(axes[0].points) * static_cast<std::size_t>(j)];
  }
};

/// Follows one equilibrium over one or two parameters and finds where it turns unstable.
///
/// At the first values it is the one nearest to the state that goes with them. From there it is
/// followed from value to value: Newton's method starts at the neighbour's, and where it ends
/// farther away than a twentieth of the reach the way is halved, up to five times. An
/// equilibrium that has come to an end is replaced by the one nearest to where it was, and the
/// point is marked. Between neighbours of different verdict (see Equilibrium::leans_stable) the
/// border is found by bisection; points on the way that errors leave undecided widen its
/// uncertainty.
///
/// Columns of two parameters, and pieces of one, are followed at the same time. What is found does
/// not depend on the number of threads.
[[nodiscard]] StabilitySweep sweep_stability(const std::vector<SweepAxis>& axes,
                                             const MakeSweepCase& make,
                                             const SweepOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
