// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/json.hpp"
#include "taut/report/report.hpp"

namespace taut {

/// What vibrates in a run whose rows are evenly spread (--every), and some more than a few: of
/// coordinates, multipliers and outputs the rms and the largest peaks of their spectra. Empty where
/// rows are the steps of the method.
[[nodiscard]] Json frequencies_of(const Motion& motion);

}  // namespace taut
