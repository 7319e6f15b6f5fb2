// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#pragma GCC visibility push(default)

namespace taut {

/// What is taken for rigid, stiff or slow in a model (see Reading).
enum class ReadingKind : unsigned char { as_written, rigid, penalized, slow, averaged };

/// As they are called in files and on the command line, in the order of the enumeration.
inline constexpr std::array<std::string_view, 5> reading_names{"as-written", "rigid", "penalized",
                                                               "slow", "averaged"};

[[nodiscard]] constexpr std::string_view name(ReadingKind kind) {
  return reading_names[static_cast<std::size_t>(kind)];
}

}  // namespace taut

#pragma GCC visibility pop
