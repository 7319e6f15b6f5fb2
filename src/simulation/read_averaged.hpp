// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "averaged/averaged.hpp"
#include "taut/simulation/reading.hpp"

namespace taut {

/// How forces are averaged for a motion of this tolerance.
[[nodiscard]] AveragedOptions averaged_options(const AveragingOptions& options, double tol);

}  // namespace taut
