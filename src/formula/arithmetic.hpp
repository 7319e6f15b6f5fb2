// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "taut/formula/graph.hpp"

namespace taut::formula {

// The meaning of every operation that is not a single IEEE operation or C function. Folding,
// scalar kernels and lanes all use these, so that they agree to the bit.

inline double sign_of(double x) { return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : x); }
inline double minimum(double a, double b) { return ((a < b) | (a != a)) ? a : b; }
inline double maximum(double a, double b) { return ((b < a) | (a != a)) ? a : b; }
inline double less_than(double a, double b) { return a < b ? 1.0 : 0.0; }
inline double choice(double condition, double a, double b) { return condition != 0.0 ? a : b; }

/// The value of one operation; `op` is neither constant nor input.
inline double evaluate(Op op, double a, double b, double c) {
  switch (op) {
    case Op::constant:
    case Op::input:
      break;
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
      return std::pow(a, b);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::atan2:
      return std::atan2(a, b);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::abs:
      return std::fabs(a);
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
  }
  return 0.0;
}

}  // namespace taut::formula
