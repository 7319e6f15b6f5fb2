// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace taut::cli {

/// What a file descriptor is connected to, where that is a terminal.
struct Terminal {
  bool is_one = false;
  bool escapes = false;  ///< understands escape sequences: it is not called dumb
  int width = 80;        ///< characters in a line
  bool unicode = false;  ///< shows more than ASCII: the locale's characters are UTF-8
};
[[nodiscard]] Terminal terminal(int descriptor);

}  // namespace taut::cli
