// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "taut/formula/graph.hpp"
#include "taut/formula/scalar.hpp"

#pragma GCC visibility push(default)

namespace taut::formula {

/// Recording scalar: arithmetic on it builds nodes. A formula written as a template over its scalar
/// is called once with Sym, and its graph gives every derivative.
///
/// Sym does not convert to bool: a formula that branches does not compile, and `select(c, a, b)`
/// with `less(a, b)` says the same on the graph.
class Sym {
 public:
  Sym(double value = 0.0) : value_{value} {}  // NOLINT(google-explicit-constructor)
  Sym(Graph& graph, NodeId node) : graph_{&graph}, node_{node} {}

  /// The node in `graph`; a plain number becomes a constant of it.
  [[nodiscard]] NodeId node(Graph& graph) const;

  Sym& operator+=(const Sym& b) { return *this = *this + b; }
  Sym& operator-=(const Sym& b) { return *this = *this - b; }
  Sym& operator*=(const Sym& b) { return *this = *this * b; }
  Sym& operator/=(const Sym& b) { return *this = *this / b; }

  friend Sym operator+(const Sym& a) { return a; }
  friend Sym operator-(const Sym& a) { return record(Op::neg, a); }
  friend Sym operator+(const Sym& a, const Sym& b) { return record(Op::add, a, b); }
  friend Sym operator-(const Sym& a, const Sym& b) { return record(Op::sub, a, b); }
  friend Sym operator*(const Sym& a, const Sym& b) { return record(Op::mul, a, b); }
  friend Sym operator/(const Sym& a, const Sym& b) { return record(Op::div, a, b); }

  friend Sym pow(const Sym& a, const Sym& b) { return record(Op::pow, a, b); }
  friend Sym sqrt(const Sym& a) { return record(Op::sqrt, a); }
  friend Sym exp(const Sym& a) { return record(Op::exp, a); }
  friend Sym log(const Sym& a) { return record(Op::log, a); }
  friend Sym sin(const Sym& a) { return record(Op::sin, a); }
  friend Sym cos(const Sym& a) { return record(Op::cos, a); }
  friend Sym tan(const Sym& a) { return record(Op::tan, a); }
  friend Sym asin(const Sym& a) { return record(Op::asin, a); }
  friend Sym acos(const Sym& a) { return record(Op::acos, a); }
  friend Sym atan(const Sym& a) { return record(Op::atan, a); }
  friend Sym atan2(const Sym& y, const Sym& x) { return record(Op::atan2, y, x); }
  friend Sym sinh(const Sym& a) { return record(Op::sinh, a); }
  friend Sym cosh(const Sym& a) { return record(Op::cosh, a); }
  friend Sym tanh(const Sym& a) { return record(Op::tanh, a); }
  friend Sym abs(const Sym& a) { return record(Op::abs, a); }
  friend Sym sign(const Sym& a) { return record(Op::sign, a); }
  friend Sym min(const Sym& a, const Sym& b) { return record(Op::min, a, b); }
  friend Sym max(const Sym& a, const Sym& b) { return record(Op::max, a, b); }
  friend Sym floor(const Sym& a) { return record(Op::floor, a); }
  friend Sym less(const Sym& a, const Sym& b) { return record(Op::less, a, b); }
  friend Sym select(const Sym& condition, const Sym& a, const Sym& b) {
    return record(Op::select, condition, a, b);
  }

 private:
  static Sym record(Op op, const Sym& a);
  static Sym record(Op op, const Sym& a, const Sym& b);
  static Sym record(Op op, const Sym& a, const Sym& b, const Sym& c);

  Graph* graph_ = nullptr;  // none: a plain number
  NodeId node_ = no_node;
  double value_ = 0.0;
};

static_assert(!std::convertible_to<Sym, bool>);
static_assert(Scalar<Sym>);

}  // namespace taut::formula

#pragma GCC visibility pop
