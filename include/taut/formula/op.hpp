// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)

namespace taut::formula {

/// Every operation has one fixed meaning: IEEE double, operands in the order written, no
/// contraction of a*b+c, and the named function of the C library where it is not arithmetic.
enum class Op : std::uint8_t {
  constant,
  input,
  add,
  sub,
  mul,
  div,
  neg,
  pow,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  sign,  ///< 1, -1, or the argument itself when it is 0 or NaN
  min,   ///< NaN if either is
  max,   ///< NaN if either is
  floor,
  less,    ///< 1 if a < b, else 0
  select,  ///< a != 0 ? b : c
  cell,    ///< a pair of whole numbers as one: see Table
  knot,    ///< of a table: how many knots of one axis lie below a, and the part of the way on
  piece,   ///< of a table: the polynomial of cell c at (a, b), or a derivative of it
};

}  // namespace taut::formula

#pragma GCC visibility pop
