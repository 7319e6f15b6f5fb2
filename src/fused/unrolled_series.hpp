// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fused/straight_line.hpp"

namespace taut::fused {

/// Power series of values of a straight line, coefficient by coefficient, as further values of it:
/// what formula::SeriesProgram computes in loops, with every loop unrolled. With the letters of
/// that class, products are summed from the inside out,
///
///   z = a b      z_k = a_1 b_{k-1} + ... + a_{k-1} b_1 + a_0 b_k + a_k b_0                  (1)
///   z = a a      z_k = 2 (a_1 a_{k-1} + ... + a_0 a_k)  (+ a_{k/2}²)                         (2)
///
/// so that what is computed last is read last: the sums before it do not wait for it. Coefficients
/// that are 0 whatever the numbers are (of constants, of t beyond the first) are left out.
class UnrolledSeries {
 public:
  /// Of `wanted` and what they are made of; values that are `fixed` do not move with s. Nothing
  /// where an operation has no rule here: it looks up in a table.
  [[nodiscard]] static std::optional<UnrolledSeries> of(StraightLine& line,
                                                        std::span<const Value> wanted,
                                                        const std::function<bool(Value)>& fixed);

  /// Coefficient k of an input, or of a fixed value.
  void set(Value input, std::size_t k, Value coefficient);
  /// Coefficient k of everything else, once those before it and those of the inputs are there.
  void compute(std::size_t k);
  /// no_value: it is 0.
  [[nodiscard]] Value coefficient(Value v, std::size_t k) const;

 private:
  using Series = std::size_t;  // number of one
  static constexpr Series none = ~Series{0};
  enum class Rule : unsigned char {
    sum,
    difference,
    product,
    quotient,
    root,
    integral,           // z' = w a'
    minus_integral,     // z' = -w a'
    quotient_integral,  // w z' = a'
    power,              // b constant
    one_minus_square,   // 1 - a²
    one_plus_square,
    magnitude,
    smaller,
    larger,
    choice,
    negative,
  };
  struct Step {
    Rule rule;
    Series to, a = none, b = none, c = none;
  };

  explicit UnrolledSeries(StraightLine& line) : line_{&line} {}
  [[nodiscard]] bool add(Value v, bool b_varies);
  Series begin(Value first);
  Series of(Value v);
  void companions(Value v, Series to, Series a);

  [[nodiscard]] Value at(Series s, std::size_t k) const;
  Value plus(Value x, Value y);
  Value minus(Value x, Value y);
  Value times(Value x, Value y);
  Value over(Value x, Value y);
  Value negative(Value x);
  Value number(double x) { return line_->constant(x); }
  Value twice(Value x) { return x == no_value ? x : plus(x, x); }
  Value slope(Series s, std::size_t j);
  Value product(Series a, Series b, std::size_t k, std::size_t first, std::size_t last);
  Value moment(Series a, Series w, std::size_t k, std::size_t last);
  Value next(const Step& step, std::size_t k);

  StraightLine* line_;
  std::vector<std::vector<Value>> series_;
  std::vector<Series> of_value_;   // by value
  std::vector<Series> cosine_of_;  // of a sine, by series; hyperbolic, too
  std::vector<Step> steps_;
};

}  // namespace taut::fused
