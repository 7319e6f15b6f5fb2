// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace taut {

/// A place in a model file; line 0 means "not from a file".
struct Position {
  int line = 0;
  int column = 0;
};

/// One mistake in a model: where it stands, what it is, and what to do about it.
struct Problem {
  Position at;
  std::string where;   ///< element and field, such as `rod 2: length`
  std::string what;    ///< what stands there and which rule it breaks
  std::string remedy;  ///< what to do; never empty
};

/// All mistakes of a model, collected before any of them is reported.
class Problems {
 public:
  explicit Problems(std::string file = {}) : file_{std::move(file)} {}

  /// Options in the sentences are called as they are where these are shown: see worded().
  void add(Position at, std::string_view where, std::string_view what, std::string_view remedy);

  /// While paused, what is added is dropped without being counted: for copies of one mistake.
  void pause(bool paused) { paused_ = paused; }

  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::size_t count() const { return list_.size() + dropped_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// In file order. At most `limit` are kept; the rest is only counted.
  [[nodiscard]] std::vector<Problem> sorted() const;
  [[nodiscard]] std::size_t dropped() const { return dropped_; }

  /// Every mistake on lines of their own: `file:line:column: where: what` and the remedy below.
  [[nodiscard]] std::string message() const;

  /// Throws ModelError when there is anything to report.
  void throw_if_any() const;

  static constexpr std::size_t limit = 100;

 private:
  std::string file_;
  std::vector<Problem> list_;
  std::size_t dropped_ = 0;
  bool paused_ = false;
};

/// Bad input, found while a System is built. what() is Problems::message().
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(Problems problems)
      : std::runtime_error{problems.message()}, problems_{std::move(problems)} {}
  [[nodiscard]] const Problems& problems() const { return problems_; }

 private:
  Problems problems_;
};

/// The candidate nearest to `name` in edit distance, or "" when none is near enough to be meant.
[[nodiscard]] std::string nearest_name(std::string_view name,
                                       const std::vector<std::string>& candidates);

}  // namespace taut

#pragma GCC visibility pop
