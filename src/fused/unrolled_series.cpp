// SPDX-License-Identifier: BSD-3-Clause
#include "fused/unrolled_series.hpp"

#include <algorithm>
#include <cassert>

namespace taut::fused {

using formula::Code;
using Kind = StraightLine::Node::Kind;

std::optional<UnrolledSeries> UnrolledSeries::of(StraightLine& line, std::span<const Value> wanted,
                                                 const std::function<bool(Value)>& fixed) {
  UnrolledSeries all{line};
  const Value end = line.size();
  all.of_value_.assign(static_cast<std::size_t>(end), none);
  // operands have smaller numbers than what is made of them
  std::vector<bool> reached(static_cast<std::size_t>(end), false);
  for (const Value v : wanted) reached[static_cast<std::size_t>(v)] = true;
  for (Value v = end; v-- > 0;) {
    if (!reached[static_cast<std::size_t>(v)] || fixed(v)) continue;
    const StraightLine::Node& n = line[v];
    for (const Value operand : {n.a, n.b, n.c})
      if (operand != no_value) reached[static_cast<std::size_t>(operand)] = true;
  }
  for (Value v = 0; v < end; ++v) {
    if (!reached[static_cast<std::size_t>(v)]) continue;
    if (fixed(v) || line[v].kind != Kind::operation)
      all.of_value_[static_cast<std::size_t>(v)] = all.begin(v);
    else if (!all.add(v, line[v].b != no_value && !fixed(line[v].b)))
      return std::nullopt;
  }
  return all;
}

UnrolledSeries::Series UnrolledSeries::begin(Value first) {
  series_.push_back({first});
  cosine_of_.push_back(none);
  return series_.size() - 1;
}

UnrolledSeries::Series UnrolledSeries::of(Value v) {
  return v == no_value ? none : of_value_[static_cast<std::size_t>(v)];
}

bool UnrolledSeries::add(Value v, bool b_varies) {
  const StraightLine::Node n = (*line_)[v];
  const Series a = of(n.a), b = of(n.b), c = of(n.c);
  const Series to = of_value_[static_cast<std::size_t>(v)] = begin(v);
  const auto rule = [&](Rule r) { steps_.push_back({r, to, a, b, c}); };
  switch (n.code) {
    case Code::add:
      rule(Rule::sum);
      return true;
    case Code::sub:
      rule(Rule::difference);
      return true;
    case Code::mul:
      rule(Rule::product);
      return true;
    case Code::div:
      rule(Rule::quotient);
      return true;
    case Code::neg:
      rule(Rule::negative);
      return true;
    case Code::sqrt:
      rule(Rule::root);
      return true;
    case Code::abs:
      rule(Rule::magnitude);
      return true;
    case Code::min:
      rule(Rule::smaller);
      return true;
    case Code::max:
      rule(Rule::larger);
      return true;
    case Code::select:
      rule(Rule::choice);
      return true;
    case Code::sign:
    case Code::floor:
    case Code::less:
    case Code::cell:
      return true;  // flat
    case Code::mul_add:
    case Code::mul_sub:
    case Code::sub_mul:
    case Code::sincos:
    case Code::knot:
    case Code::piece:
      return false;
    case Code::pow:
      if (b_varies) {
        // a^b = exp(b log a), but for its first coefficient
        const Series logarithm = begin(line_->operation(Code::log, n.a));
        const Series exponent =
            begin(line_->operation(Code::mul, n.b, series_[logarithm].front()));
        steps_.push_back({Rule::quotient_integral, logarithm, a, a});
        steps_.push_back({Rule::product, exponent, b, logarithm});
        steps_.push_back({Rule::integral, to, exponent, to});
        return true;
      }
      rule(Rule::power);
      return true;
    default:
      companions(v, to, a);
      return true;
  }
}

// Functions, by a differential equation each.
void UnrolledSeries::companions(Value v, Series to, Series a) {
  const StraightLine::Node n = (*line_)[v];
  const auto operation = [&](Code code) { return line_->operation(code, n.a); };
  const Value one = number(1.0);
  switch (n.code) {
    case Code::exp:
      steps_.push_back({Rule::integral, to, a, to});
      return;
    case Code::log:
      steps_.push_back({Rule::quotient_integral, to, a, a});
      return;
    case Code::sin:
    case Code::cos:
    case Code::sinh:
    case Code::cosh: {
      const bool sine = n.code == Code::sin || n.code == Code::sinh;
      const bool hyperbolic = n.code == Code::sinh || n.code == Code::cosh;
      // the one of the other, where that has been there before
      for (Series s = 0; s < series_.size(); ++s)
        if (cosine_of_[s] != none && series_[cosine_of_[s]].front() == v) {
          of_value_[static_cast<std::size_t>(v)] = cosine_of_[s];
          return;
        }
      const Code other = hyperbolic ? (sine ? Code::cosh : Code::sinh)
                                    : (sine ? Code::cos : Code::sin);
      const Series beside = begin(operation(other));
      cosine_of_[to] = beside;
      const Rule down = hyperbolic ? Rule::integral : Rule::minus_integral;
      steps_.push_back({sine ? Rule::integral : down, to, a, beside});
      steps_.push_back({sine ? down : Rule::integral, beside, a, to});
      return;
    }
    case Code::tan:
    case Code::tanh: {
      const bool plain = n.code == Code::tan;
      const Value square = line_->operation(Code::mul, v, v);
      const Series w = begin(line_->operation(plain ? Code::add : Code::sub, one, square));
      steps_.push_back({Rule::integral, to, a, w});
      steps_.push_back({plain ? Rule::one_plus_square : Rule::one_minus_square, w, to});
      return;
    }
    case Code::atan: {
      const Series w = begin(plus(one, times(n.a, n.a)));
      steps_.push_back({Rule::one_plus_square, w, a});
      steps_.push_back({Rule::quotient_integral, to, a, w});
      return;
    }
    case Code::asin:
    case Code::acos: {
      const Series w = begin(times(minus(one, n.a), plus(one, n.a)));
      const Series u = begin(line_->operation(Code::sqrt, series_[w].front()));
      steps_.push_back({Rule::one_minus_square, w, a});
      steps_.push_back({Rule::root, u, w});
      if (n.code == Code::asin) {
        steps_.push_back({Rule::quotient_integral, to, a, u});
        return;
      }
      const Series minus_a = begin(negative(n.a));
      steps_.push_back({Rule::negative, minus_a, a});
      steps_.push_back({Rule::quotient_integral, to, minus_a, u});
      return;
    }
    default: {
      assert(n.code == Code::atan2);
      // atan2(a, b) has the derivative of atan(a/b), and of -atan(b/a), where both are defined:
      // (a² + b²) z' = b a' - a b', with y' = b a' and x' = a b'
      const Series b = of(n.b);
      const Series aa = begin(times(n.a, n.a)), bb = begin(times(n.b, n.b));
      const Series w = begin(plus(series_[aa].front(), series_[bb].front()));
      const Series y = begin(no_value), x = begin(no_value), d = begin(no_value);
      steps_.push_back({Rule::product, aa, a, a});
      steps_.push_back({Rule::product, bb, b, b});
      steps_.push_back({Rule::sum, w, aa, bb});
      steps_.push_back({Rule::integral, y, a, b});
      steps_.push_back({Rule::integral, x, b, a});
      steps_.push_back({Rule::difference, d, y, x});
      steps_.push_back({Rule::quotient_integral, to, d, w});
    }
  }
}

void UnrolledSeries::set(Value input, std::size_t k, Value coefficient) {
  const Series s = of(input);
  if (s == none) return;  // nothing reads it
  series_[s].resize(k, no_value);
  series_[s].push_back(coefficient);
}

Value UnrolledSeries::coefficient(Value v, std::size_t k) const {
  return at(of_value_[static_cast<std::size_t>(v)], k);
}

Value UnrolledSeries::at(Series s, std::size_t k) const {
  return k < series_[s].size() ? series_[s][k] : no_value;
}

void UnrolledSeries::compute(std::size_t k) {
  if (k == 0) return;  // they are the values themselves
  for (const Step& step : steps_) {
    const Value value = next(step, k);
    std::vector<Value>& to = series_[step.to];
    if (value == no_value) continue;
    to.resize(k, no_value);
    to.push_back(value);
  }
}

Value UnrolledSeries::plus(Value x, Value y) {
  if (x == no_value) return y;
  return y == no_value ? x : line_->operation(Code::add, x, y);
}
Value UnrolledSeries::minus(Value x, Value y) {
  if (y == no_value) return x;
  return x == no_value ? negative(y) : line_->operation(Code::sub, x, y);
}
Value UnrolledSeries::times(Value x, Value y) {
  return x == no_value || y == no_value ? no_value : line_->operation(Code::mul, x, y);
}
Value UnrolledSeries::over(Value x, Value y) {
  if (x == no_value) return x;
  // one division for all coefficients; none of them needs its last digit
  return times(x, line_->operation(Code::div, number(1.0), y));
}
Value UnrolledSeries::negative(Value x) {
  return x == no_value ? x : line_->operation(Code::neg, x);
}

/// j a_j
Value UnrolledSeries::slope(Series s, std::size_t j) {
  return j == 1 ? at(s, j) : times(number(static_cast<double>(j)), at(s, j));
}

/// Σ a_j b_{k-j}, j from first to last = k - first or k: (1), (2)
Value UnrolledSeries::product(Series a, Series b, std::size_t k, std::size_t first,
                              std::size_t last) {
  Value sum = no_value;
  if (a == b && first + last == k) {
    for (std::size_t j = (k + 1) / 2; j-- > first;) sum = plus(sum, times(at(a, j), at(a, k - j)));
    sum = twice(sum);
    return k % 2 == 0 && k / 2 >= first ? plus(sum, times(at(a, k / 2), at(a, k / 2))) : sum;
  }
  for (std::size_t j = std::max<std::size_t>(first, 1); j <= last && j < k; ++j)
    sum = plus(sum, times(at(a, j), at(b, k - j)));
  if (first == 0) sum = plus(sum, times(at(a, 0), at(b, k)));
  return last == k ? plus(sum, times(at(a, k), at(b, 0))) : sum;
}

/// Σ j a_j w_{k-j} / k, j from 1 to last
Value UnrolledSeries::moment(Series a, Series w, std::size_t k, std::size_t last) {
  Value sum = no_value;
  for (std::size_t j = 1; j <= last; ++j) sum = plus(sum, times(slope(a, j), at(w, k - j)));
  return times(sum, number(1.0 / static_cast<double>(k)));
}

Value UnrolledSeries::next(const Step& step, std::size_t k) {
  const Series a = step.a, b = step.b, z = step.to;
  switch (step.rule) {
    case Rule::sum:
      return plus(at(a, k), at(b, k));
    case Rule::difference:
      return minus(at(a, k), at(b, k));
    case Rule::negative:
      return negative(at(a, k));
    case Rule::product:
      return product(a, b, k, 0, k);
    case Rule::quotient: {
      // b_0 z_k = a_k - Σ b_j z_{k-j}, the latest z last
      Value sum = no_value;
      for (std::size_t j = k; j >= 1; --j) sum = plus(sum, times(at(b, j), at(z, k - j)));
      return over(minus(at(a, k), sum), at(b, 0));
    }
    case Rule::root:
      return over(minus(at(a, k), product(z, z, k, 1, k - 1)), twice(at(z, 0)));
    case Rule::integral:
      return moment(a, b, k, k);
    case Rule::minus_integral:
      return negative(moment(a, b, k, k));
    case Rule::quotient_integral:
      return over(minus(at(a, k), moment(z, b, k, k - 1)), at(b, 0));
    case Rule::power: {
      // k a_0 z_k = b Σ j a_j z_{k-j} - Σ a_j (k-j) z_{k-j}
      Value sum = no_value;
      for (std::size_t j = 1; j < k; ++j) sum = plus(sum, times(at(a, j), slope(z, k - j)));
      const Value mean = times(sum, number(1.0 / static_cast<double>(k)));
      return over(minus(times(at(b, 0), moment(a, z, k, k)), mean), at(a, 0));
    }
    case Rule::one_minus_square:
      return negative(product(a, a, k, 0, k));
    case Rule::one_plus_square:
      return product(a, a, k, 0, k);
    case Rule::magnitude:
      return at(a, k) == no_value
                 ? no_value
                 : times(line_->operation(Code::sign, at(a, 0)), at(a, k));
    case Rule::smaller:
    case Rule::larger:
    case Rule::choice: {
      const bool chosen = step.rule == Rule::choice;
      const Value x = chosen ? at(b, k) : at(a, k), y = chosen ? at(step.c, k) : at(b, k);
      if (x == no_value && y == no_value) return no_value;
      const Value which = chosen                         ? at(a, 0)
                          : step.rule == Rule::smaller   ? line_->operation(Code::less, at(a, 0), at(b, 0))
                                                         : line_->operation(Code::less, at(b, 0), at(a, 0));
      const Value zero = number(0.0);
      return line_->operation(Code::select, which, x == no_value ? zero : x,
                              y == no_value ? zero : y);
    }
  }
  return no_value;
}

}  // namespace taut::fused
