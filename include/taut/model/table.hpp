// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A function that is given by numbers, in one or two variables: [tables]. Expressions call it by
/// its name, road(t) or map(n, T).
struct Table {
  enum class Kind : std::uint8_t { linear, cubic, monotone };
  enum class Outside : std::uint8_t { refuse, hold, extend };

  std::string name;
  Kind kind = Kind::linear;
  Outside outside = Outside::refuse;  ///< what it is beyond its first and last point
  bool periodic = false;              ///< in its first variable
  std::vector<double> x;              ///< increasing
  std::vector<double> y;              ///< values at x; of two variables: the second one, increasing
  std::vector<double> z;  ///< of two variables: values at (x_i, y_j), those of x_0 first
  std::string file;       ///< that the numbers were read from; empty when they stand in the model
  Position position;
  bool unread = false;  ///< its numbers could not be read, which problems say
};

}  // namespace taut

#pragma GCC visibility pop
