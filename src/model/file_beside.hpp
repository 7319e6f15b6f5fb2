// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace taut {

/// Reads a file that a model names: one in the folder of the model, by its plain name, not a link
/// out of it, of at most `most_bytes`. Gives why it cannot be read; empty when it is in `text`.
/// `what` it should be is for that sentence: "a file of numbers".
[[nodiscard]] std::string read_file_beside(const std::string& model_file, const std::string& name,
                                           std::size_t most_bytes, const char* what,
                                           std::string& text);

/// What to do about it.
inline constexpr const char* put_file_beside =
    "put the file into the folder of the model, and give its name alone";

/// The number that a word of such a file is; nothing where it is none.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return {};
  return value;
}

/// A word as a message quotes it: not all of a long one, nothing that a terminal would obey.
[[nodiscard]] std::string quoted(std::string_view word);

}  // namespace taut
