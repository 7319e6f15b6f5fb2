// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>

#include "taut/formula/graph.hpp"

namespace taut::formula {

// The meaning of every operation that is not a single IEEE operation or C function. Folding,
// scalar kernels and lanes all use these, so that they agree to the bit.

inline double sign_of(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : x); }
inline double minimum(double a, double b) { return ((a < b) | (a != a)) ? a : b; }
inline double maximum(double a, double b) { return ((b < a) | (a != a)) ? a : b; }
inline double less_than(double a, double b) { return a < b ? 1.0 : 0.0; }
/// Pairs of whole numbers: the second may be anything from -2^25 to 2^25.
inline constexpr double cells_in_row = 0x1p26;
inline double cell_of(double row, double column) { return row * cells_in_row + column; }
inline double choice(double condition, double a, double b) { return condition != 0.0 ? a : b; }

/// The value of an operation that is a single operation or function of this name, for doubles and
/// for whatever else has them; nothing for the others.
template <class S>
[[nodiscard]] std::optional<S> evaluate_plain(Op op, const S& a, const S& b) {
  // the functions of doubles; others are found by their arguments
  using std::pow, std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos,
      std::atan, std::atan2, std::sinh, std::cosh, std::tanh, std::abs;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::sub:
      return a - b;
    case Op::mul:
      return a * b;
    case Op::div:
      return a / b;
    case Op::neg:
      return -a;
    case Op::pow:
      return pow(a, b);
    case Op::sqrt:
      return sqrt(a);
    case Op::exp:
      return exp(a);
    case Op::log:
      return log(a);
    case Op::sin:
      return sin(a);
    case Op::cos:
      return cos(a);
    case Op::tan:
      return tan(a);
    case Op::asin:
      return asin(a);
    case Op::acos:
      return acos(a);
    case Op::atan:
      return atan(a);
    case Op::atan2:
      return atan2(a, b);
    case Op::sinh:
      return sinh(a);
    case Op::cosh:
      return cosh(a);
    case Op::tanh:
      return tanh(a);
    case Op::abs:
      return abs(a);
    default:
      return std::nullopt;
  }
}

/// The value of one operation; `op` is neither constant nor input.
inline double evaluate(Op op, double a, double b, double c) {
  if (const std::optional<double> value = evaluate_plain(op, a, b)) return *value;
  switch (op) {
    case Op::sign:
      return sign_of(a);
    case Op::min:
      return minimum(a, b);
    case Op::max:
      return maximum(a, b);
    case Op::floor:
      return std::floor(a);
    case Op::less:
      return less_than(a, b);
    case Op::select:
      return choice(a, b, c);
    case Op::cell:
      return cell_of(a, b);
    default:
      return 0.0;
  }
}

}  // namespace taut::formula
