// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
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
/// that are 0 whatever the numbers are (of constants, of t beyond the first) are left out; fixed
/// factors are taken out of products and quotients, of which equal ones are then one; a product
/// with 1/b is a quotient. So coefficients differ from those of the loops by roundings.
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
  [[nodiscard]] Value coefficient(Value v, std::size_t k);

 private:
  using Series = std::size_t;  // number of one
  static constexpr Series none = ~Series{0};
  /// ± factor times a series; the factor is a fixed value, or no_value for 1.
  struct View {
    Series base = none;
    Value factor = no_value;
    bool minus = false;
  };
  enum class Rule : unsigned char {
    sum,         // of two views
    difference,  // likewise
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
    scaled,  // the view a
  };
  struct Step {
    Rule rule;
    Series to, a = none, b = none, c = none;
    Value of_a = no_value, of_b = no_value;  // factors of a sum; of a for `scaled`
    bool negative = false;                   // of `scaled`
  };

  explicit UnrolledSeries(StraightLine& line) : line_{&line} {}
  [[nodiscard]] bool add(Value v, const std::function<bool(Value)>& fixed);
  void drop_unneeded(std::span<const Value> wanted);
  Series begin(Value first);
  [[nodiscard]] const View& view(Value v) const;
  Series plain(const View& view);
  Series plain(Value v) { return plain(view(v)); }
  Series shared(Rule rule, Series a, Series b, Value first);
  View product_of(const View& a, const View& b);
  View quotient_of(const View& a, const View& b);
  View sum_of(const View& a, const View& b, Value first);
  void companions(Value v, Series to, Series a);

  [[nodiscard]] Value at(Series s, std::size_t k) const;
  [[nodiscard]] Value first(Series s) const { return series_[s].front(); }
  Value plus(Value x, Value y);
  Value minus(Value x, Value y);
  Value times(Value x, Value y);
  Value scaled(Value x, Value factor);
  Value both(Value factor, Value other);
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
  std::vector<View> of_value_;
  std::vector<Series> cosine_of_;   // of a sine, by series; hyperbolic, too
  std::vector<Series> inverse_of_;  // by series
  std::map<std::tuple<Rule, Series, Series>, Series> shared_;
  std::map<std::tuple<Series, Value, bool>, Series> scaled_;
  std::vector<Step> steps_;
};

}  // namespace taut::fused
