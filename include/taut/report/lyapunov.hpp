// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/modes/lyapunov.hpp"

#pragma GCC visibility push(default)

namespace taut {

[[nodiscard]] std::string lyapunov_json(const LyapunovExponents& found);

/// Gives what went wrong, or nothing.
[[nodiscard]] std::string write_lyapunov_json(const LyapunovExponents& found,
                                              const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
