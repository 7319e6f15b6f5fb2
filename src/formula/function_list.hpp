// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "taut/formula/graph.hpp"

namespace taut::formula {

/// A function that expressions may call.
struct Function {
  std::string_view name;
  int arguments;
  Op op;

  /// How it is written: atan2(x, y).
  [[nodiscard]] std::string usage() const;
};

/// Nothing when there is none of this name.
[[nodiscard]] const Function* find_function(std::string_view name);

/// All their names, each behind a space.
[[nodiscard]] std::string names_of_functions();

/// The function that was meant: what other languages call so, or one whose name is alike; else
/// empty.
[[nodiscard]] std::string function_meant_by(std::string_view name);

/// Whether it is the name of a unit that people write behind numbers.
[[nodiscard]] bool is_unit(std::string_view name);

}  // namespace taut::formula
