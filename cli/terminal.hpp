// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace taut::cli {

/// What a file descriptor is connected to, where that is a terminal.
struct Terminal {
  bool is_one = false;
  bool escapes = false;  ///< understands escape sequences: it is not called dumb
  int width = 80;        ///< characters in a line
  bool unicode = false;  ///< shows more than ASCII: the locale's characters are UTF-8
};
[[nodiscard]] Terminal terminal(int descriptor);

enum class Color : unsigned char { red, green, yellow };
/// A text in a colour, where the descriptor is a terminal that has them and NO_COLOR
/// (no-color.org) does not say otherwise; else the text.
[[nodiscard]] std::string painted(int descriptor, Color color, std::string_view text);

}  // namespace taut::cli
