// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/gradients/gradient.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A gradient as a JSON object: `status`, `message`, `method`, and of each measure its value and
/// its derivatives by name and by the time of the end; with curves, these too.
[[nodiscard]] std::string gradient_json(const Gradient& gradient);
[[nodiscard]] std::string write_gradient_json(const Gradient& gradient, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
