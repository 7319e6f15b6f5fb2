// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fused/motion_programs.hpp"
#include "lanes/lane_runge_kutta.hpp"

namespace taut::device {

/// A number that is asked of the end of a run.
struct EndMeasure {
  enum class Of : unsigned char { observable, multiplier, t, steps, rejected, evaluations };
  Of of = Of::t;
  int index = 0;  ///< of the observable or the multiplier
  bool absolute = false;
};

/// What a run begins with, as numbers in a row:
///
///   q, v, t, until, tol, longest step, whether the start is consistent, 1 / scale of each row,
///   given (MotionPrograms::given())
///
/// Those that are the same for all runs stand in the source, the others come in columns, in this
/// order.
void flatten(const lanes::LaneStart& start, std::vector<double>& numbers);

/// The source of
///
///   void taut_runs(long long n, const double* in, double* out, unsigned char* how)
///
/// which takes n runs, each on its own, from their starts to their ends as LaneRungeKutta takes
/// them: `in` has a column of n numbers for each start number that differs, `out` one for each
/// measure; `how` says 1 where a run is done, 2 where its start is to be moved onto the constraints
/// first, 0 where it is to be done in the usual way. It is C++ and CUDA C: compiled as C++ without
/// contraction it gives the bits of LaneRungeKutta.
struct MotionSource {
  std::string text;
  std::size_t columns = 0;  ///< of `in`
};

/// Nothing where there is no source: `why` says so. `fixed` has the start numbers that all runs
/// share.
[[nodiscard]] std::optional<MotionSource> motion_source(
    const fused::MotionPrograms& programs, const lanes::LaneMethod& method,
    const std::vector<EndMeasure>& measures, const std::vector<std::optional<double>>& fixed,
    std::string& why);

/// Runs of a block of the device.
inline constexpr int block = 128;

}  // namespace taut::device
