// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/core/problems.hpp"

namespace taut::model_file {

/// Limits on what is read: a file is untrusted.
inline constexpr std::size_t max_file_size = std::size_t{16} << 20;
inline constexpr std::size_t max_values = 1'000'000;
inline constexpr int max_key_parts = 16;

/// A file made safe for the TOML library, which overflows its stack on keys of very many parts and
/// is undefined on some characters beyond ASCII.
struct Scanned {
  /// The text with `?` for every character beyond ASCII; lines and columns stay what they were.
  std::string ascii;
  /// For each quoted text that holds such characters, by line and column of its opening quote:
  /// what stood in place of each `?` in it.
  std::map<std::pair<int, int>, std::vector<std::string>> replaced;
  bool readable = true;  ///< false: too long, too deep, or not UTF-8; `problems` says which
};

/// Walks over a text as TOML does, quoted texts and comments apart from the rest.
[[nodiscard]] Scanned scan(std::string_view text, Problems& problems);

/// Puts back what `scan` replaced in the quoted text that begins at `at`.
[[nodiscard]] std::string restored(std::string text, Position at, const Scanned& scanned);

}  // namespace taut::model_file
