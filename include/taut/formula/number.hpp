// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <type_traits>

#include "taut/formula/op.hpp"

#pragma GCC visibility push(default)

namespace taut::formula {

template <class T>
concept PlainNumber = std::is_arithmetic_v<T>;

/// A number that may know where it came from. While a model is compiled, a number that was computed
/// from parameters has an origin: a place on the tape of everything that was computed from them
/// (see Origins). Arithmetic on it is recorded there, and every comparison is recorded as a
/// decision, so that the same compilation can be repeated with other values of the parameters by
/// running the tape and looking whether all decisions stand.
///
/// Converting it to `double` forgets the origin: the value then counts as decided, and a change of
/// it means compiling anew. Where nothing is recorded, a Number is a double.
class Number {
 public:
  Number(double value = 0.0) : value_{value} {}  // NOLINT(google-explicit-constructor)
  Number(double value, int origin) : value_{value}, origin_{origin} {}

  /// The value, to be shown or stored beside its origin: nothing may be decided by it.
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] int origin() const { return origin_; }
  [[nodiscard]] bool has_origin() const { return origin_ >= 0; }

  operator double() const {  // NOLINT(google-explicit-constructor): safe, see above
    if (has_origin()) decide();
    return value_;
  }

  Number& operator+=(const Number& b);

 private:
  void decide() const;

  double value_ = 0.0;
  int origin_ = -1;
};

/// One operation of the graph on numbers.
[[nodiscard]] Number record(Op op, const Number& a, const Number& b, const Number& c = {});
[[nodiscard]] Number hypot(const Number& a, const Number& b);
[[nodiscard]] inline Number abs(const Number& a) { return record(Op::abs, a, {}); }
[[nodiscard]] bool isfinite(const Number& a);
[[nodiscard]] bool is_less(const Number& a, const Number& b);
[[nodiscard]] bool is_less_or_equal(const Number& a, const Number& b);
[[nodiscard]] bool is_equal(const Number& a, const Number& b);

// a Number converts to double and back: the built-in operators are as near as these unless each
// combination is spelled out
#define TAUT_NUMBER_OPERATOR(symbol, result, expression)                                 \
  inline result operator symbol(const Number& a, const Number& b) { return expression; } \
  template <PlainNumber T>                                                               \
  result operator symbol(const Number& a, T plain) {                                     \
    const Number b{static_cast<double>(plain)};                                          \
    return expression;                                                                   \
  }                                                                                      \
  template <PlainNumber T>                                                               \
  result operator symbol(T plain, const Number& b) {                                     \
    const Number a{static_cast<double>(plain)};                                          \
    return expression;                                                                   \
  }
#define TAUT_NUMBER_ARITHMETIC(symbol, op) \
  TAUT_NUMBER_OPERATOR(                    \
      symbol, Number,                      \
      a.has_origin() || b.has_origin() ? record(op, a, b) : Number{a.value() symbol b.value()})
TAUT_NUMBER_ARITHMETIC(+, Op::add)
TAUT_NUMBER_ARITHMETIC(-, Op::sub)
TAUT_NUMBER_ARITHMETIC(*, Op::mul)
TAUT_NUMBER_ARITHMETIC(/, Op::div)
#undef TAUT_NUMBER_ARITHMETIC
TAUT_NUMBER_OPERATOR(<, bool, is_less(a, b))
TAUT_NUMBER_OPERATOR(>, bool, is_less(b, a))
TAUT_NUMBER_OPERATOR(<=, bool, is_less_or_equal(a, b))
TAUT_NUMBER_OPERATOR(>=, bool, is_less_or_equal(b, a))
TAUT_NUMBER_OPERATOR(==, bool, is_equal(a, b))
TAUT_NUMBER_OPERATOR(!=, bool, !is_equal(a, b))
#undef TAUT_NUMBER_OPERATOR

inline Number operator-(const Number& a) { return record(Op::neg, a, {}); }
inline Number& Number::operator+=(const Number& b) { return *this = *this + b; }

}  // namespace taut::formula

#pragma GCC visibility pop
