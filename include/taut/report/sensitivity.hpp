// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/gradients/sensitivities.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Derivatives of a run as a JSON object: `status` and `message`, those at the end by what is
/// differentiated and by what, and those of the times of events and of the states there.
[[nodiscard]] std::string sensitivity_json(const DifferentiatedRun& run);
[[nodiscard]] std::string write_sensitivity_json(const DifferentiatedRun& run,
                                                 const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
