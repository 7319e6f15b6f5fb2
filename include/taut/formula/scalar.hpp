// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <concepts>

#pragma GCC visibility push(default)

namespace taut::formula {

/// The functions a formula may call, for plain numbers. Recording and dual scalars bring their own,
/// found by argument-dependent lookup; a formula template that is also called with double says
/// `using namespace taut::formula::functions;` first.
namespace functions {

inline double pow(double a, double b) { return std::pow(a, b); }
inline double sqrt(double a) { return std::sqrt(a); }
inline double exp(double a) { return std::exp(a); }
inline double log(double a) { return std::log(a); }
inline double sin(double a) { return std::sin(a); }
inline double cos(double a) { return std::cos(a); }
inline double tan(double a) { return std::tan(a); }
inline double asin(double a) { return std::asin(a); }
inline double acos(double a) { return std::acos(a); }
inline double atan(double a) { return std::atan(a); }
inline double atan2(double y, double x) { return std::atan2(y, x); }
inline double sinh(double a) { return std::sinh(a); }
inline double cosh(double a) { return std::cosh(a); }
inline double tanh(double a) { return std::tanh(a); }
inline double abs(double a) { return std::fabs(a); }
inline double sign(double a) { return a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : a); }
inline double min(double a, double b) { return a < b || a != a ? a : b; }
inline double max(double a, double b) { return b < a || a != a ? a : b; }
inline double floor(double a) { return std::floor(a); }
inline double less(double a, double b) { return a < b ? 1.0 : 0.0; }
inline double select(double condition, double a, double b) { return condition != 0.0 ? a : b; }

/// What a formula may do with its scalar: double, Sym and the dual scalars all satisfy it.
template <class S>
concept Scalar = std::copyable<S> && std::constructible_from<S, double> &&
    requires(S a, const S b, const S c, double x) {
  { -b } -> std::convertible_to<S>;
  { b + c } -> std::convertible_to<S>;
  { b - x } -> std::convertible_to<S>;
  { x* b } -> std::convertible_to<S>;
  { b / c } -> std::convertible_to<S>;
  a += b;
  a -= x;
  a *= b;
  a /= x;
  { pow(b, c) } -> std::convertible_to<S>;
  { sqrt(b) } -> std::convertible_to<S>;
  { exp(b) } -> std::convertible_to<S>;
  { log(b) } -> std::convertible_to<S>;
  { sin(b) } -> std::convertible_to<S>;
  { cos(b) } -> std::convertible_to<S>;
  { tan(b) } -> std::convertible_to<S>;
  { asin(b) } -> std::convertible_to<S>;
  { acos(b) } -> std::convertible_to<S>;
  { atan(b) } -> std::convertible_to<S>;
  { atan2(b, c) } -> std::convertible_to<S>;
  { sinh(b) } -> std::convertible_to<S>;
  { cosh(b) } -> std::convertible_to<S>;
  { tanh(b) } -> std::convertible_to<S>;
  { abs(b) } -> std::convertible_to<S>;
  { sign(b) } -> std::convertible_to<S>;
  { min(b, c) } -> std::convertible_to<S>;
  { max(b, x) } -> std::convertible_to<S>;
  { floor(b) } -> std::convertible_to<S>;
  { less(b, c) } -> std::convertible_to<S>;
  { select(less(b, x), b, c) } -> std::convertible_to<S>;
};

}  // namespace functions

using functions::Scalar;
static_assert(Scalar<double>);

}  // namespace taut::formula

#pragma GCC visibility pop
