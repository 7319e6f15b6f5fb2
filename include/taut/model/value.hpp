// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "taut/core/problems.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A number, or an expression that gives one, with the place where it was written.
class Value {
 public:
  Value() = default;
  // NOLINTBEGIN(google-explicit-constructor): numbers and texts are values
  Value(double number, Position at = {}) : content_{number}, at_{at} {}
  Value(std::string text, Position at = {}) : content_{std::move(text)}, at_{at} {}
  Value(const char* text) : content_{std::string{text}} {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] bool is_number() const { return std::holds_alternative<double>(content_); }
  [[nodiscard]] double number() const { return std::get<double>(content_); }
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(content_); }
  [[nodiscard]] Position at() const { return at_; }

 private:
  std::variant<double, std::string> content_ = 0.0;
  Position at_;
};

/// `repeat = { i = "1:n", j = "i+1:n" }`: the table stands once for each combination, first index
/// outermost; bounds are expressions of parameters and of the indices before.
struct Repeat {
  struct Range {
    std::string index;
    Value from, to;  ///< inclusive; empty when from > to
  };
  std::vector<Range> ranges;
};

/// Reference to a point, an anchor or a coordinate, by name; may contain {k} in a repeated table.
struct Name {
  std::string text;
  Position at;
};

}  // namespace taut

#pragma GCC visibility pop
