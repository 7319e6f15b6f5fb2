// SPDX-License-Identifier: BSD-3-Clause
#include "fused/unrolled_series.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace taut::fused {

using formula::Code;
using Kind = StraightLine::Node::Kind;

std::optional<UnrolledSeries> UnrolledSeries::of(StraightLine& line, std::span<const Value> wanted,
                                                 const std::function<bool(Value)>& fixed) {
  UnrolledSeries all{line};
  const Value end = line.size();
  all.of_value_.assign(static_cast<std::size_t>(end), View{});
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
      all.of_value_[static_cast<std::size_t>(v)] = {.base = all.begin(v)};
    else if (!all.add(v, fixed))
      return std::nullopt;
  }
  all.drop_unneeded(wanted);
  return all;
}

UnrolledSeries::Series UnrolledSeries::begin(Value first) {
  series_.push_back({first});
  cosine_of_.push_back(none);
  inverse_of_.push_back(none);
  return series_.size() - 1;
}

const UnrolledSeries::View& UnrolledSeries::view(Value v) const {
  return of_value_[static_cast<std::size_t>(v)];
}

/// A view as a series of its own.
UnrolledSeries::Series UnrolledSeries::plain(const View& view) {
  if (view.factor == no_value && !view.minus) return view.base;
  const auto [found, is_new] = scaled_.try_emplace({view.base, view.factor, view.minus}, none);
  if (is_new) {
    const Value value = scaled(first(view.base), view.factor);
    found->second = begin(view.minus ? negative(value) : value);
    steps_.push_back({.rule = Rule::scaled,
                      .to = found->second,
                      .a = view.base,
                      .of_a = view.factor,
                      .negative = view.minus});
  }
  return found->second;
}

UnrolledSeries::Series UnrolledSeries::shared(Rule rule, Series a, Series b, Value first) {
  const auto [found, is_new] = shared_.try_emplace({rule, a, b}, none);
  if (is_new) {
    found->second = begin(first);
    steps_.push_back({.rule = rule, .to = found->second, .a = a, .b = b});
  }
  return found->second;
}

UnrolledSeries::View UnrolledSeries::product_of(const View& a, const View& b) {
  View made{.factor = both(a.factor, b.factor), .minus = a.minus != b.minus};
  for (const auto& [x, y] : {std::pair{a.base, b.base}, std::pair{b.base, a.base}})
    if (inverse_of_[y] != none && inverse_of_[x] == none) {
      made.base = shared(Rule::quotient, x, inverse_of_[y], times(first(x), first(y)));
      return made;
    }
  const auto [x, y] = std::minmax(a.base, b.base);
  made.base = shared(Rule::product, x, y, times(first(x), first(y)));
  return made;
}

UnrolledSeries::View UnrolledSeries::quotient_of(const View& a, const View& b) {
  View made{.factor = a.factor, .minus = a.minus != b.minus};
  if (b.factor != no_value)
    made.factor = both(made.factor, line_->operation(Code::div, number(1.0), b.factor));
  made.base = shared(Rule::quotient, a.base, b.base,
                     line_->operation(Code::div, first(a.base), first(b.base)));
  return made;
}

UnrolledSeries::View UnrolledSeries::sum_of(const View& a, const View& b, Value first) {
  const Rule rule = a.minus == b.minus ? Rule::sum : Rule::difference;
  const Series to = begin(first);
  View made{.base = to};
  // -a + b is -(a - b), and its first coefficient that of the view
  if (a.minus) {
    made.minus = true;
    series_[to].front() = negative(first);
  }
  steps_.push_back(
      {.rule = rule, .to = to, .a = a.base, .b = b.base, .of_a = a.factor, .of_b = b.factor});
  return made;
}

bool UnrolledSeries::add(Value v, const std::function<bool(Value)>& fixed) {
  const StraightLine::Node n = (*line_)[v];
  View& to = of_value_[static_cast<std::size_t>(v)];
  const auto is_fixed = [&](Value x) { return x != no_value && fixed(x); };
  const auto by = [&](const View& x, Value factor) {
    return View{.base = x.base, .factor = both(x.factor, factor), .minus = x.minus};
  };
  const auto rule = [&](Rule r) {
    Step step{.rule = r, .to = begin(v), .a = plain(n.a)};
    if (n.b != no_value) step.b = plain(n.b);
    if (n.c != no_value) step.c = plain(n.c);
    steps_.push_back(step);
    to.base = step.to;
    return true;
  };
  switch (n.code) {
    case Code::add:
      to = sum_of(view(n.a), view(n.b), v);
      return true;
    case Code::sub: {
      View b = view(n.b);
      b.minus = !b.minus;
      to = sum_of(view(n.a), b, v);
      return true;
    }
    case Code::mul:
      to = is_fixed(n.a)   ? by(view(n.b), n.a)
           : is_fixed(n.b) ? by(view(n.a), n.b)
                           : product_of(view(n.a), view(n.b));
      return true;
    case Code::div:
      if (is_fixed(n.b)) {
        to = by(view(n.a), line_->operation(Code::div, number(1.0), n.b));
      } else if (is_fixed(n.a)) {
        const Series one = begin(number(1.0));
        to = by(quotient_of({.base = one}, view(n.b)), n.a);
        inverse_of_[to.base] = view(n.b).base;
      } else {
        to = quotient_of(view(n.a), view(n.b));
      }
      return true;
    case Code::neg:
      to = view(n.a);
      to.minus = !to.minus;
      return true;
    case Code::sqrt:
      return rule(Rule::root);
    case Code::abs:
      return rule(Rule::magnitude);
    case Code::min:
      return rule(Rule::smaller);
    case Code::max:
      return rule(Rule::larger);
    case Code::select:
      return rule(Rule::choice);
    case Code::sign:
    case Code::floor:
    case Code::less:
    case Code::cell:
      to.base = begin(v);  // flat
      return true;
    case Code::mul_add:
    case Code::mul_sub:
    case Code::sub_mul:
    case Code::sincos:
    case Code::knot:
    case Code::piece:
      return false;
    case Code::pow: {
      if (is_fixed(n.b)) return rule(Rule::power);
      // a^b = exp(b log a), but for its first coefficient
      to.base = begin(v);
      const Series a = plain(n.a), b = plain(n.b);
      const Series logarithm = begin(line_->operation(Code::log, n.a));
      const Series exponent = begin(line_->operation(Code::mul, n.b, first(logarithm)));
      steps_.push_back({.rule = Rule::quotient_integral, .to = logarithm, .a = a, .b = a});
      steps_.push_back({.rule = Rule::product, .to = exponent, .a = b, .b = logarithm});
      steps_.push_back({.rule = Rule::integral, .to = to.base, .a = exponent, .b = to.base});
      return true;
    }
    default: {
      const Series made = begin(v);
      of_value_[static_cast<std::size_t>(v)] = {.base = made};
      companions(v, made, plain(n.a));
      return true;
    }
  }
}

/// Steps that nothing reads, such as inverses of which all products are quotients.
void UnrolledSeries::drop_unneeded(std::span<const Value> wanted) {
  std::vector<bool> needed(series_.size(), false);
  for (const Value v : wanted) needed[view(v).base] = true;
  // a companion may stand after what reads it
  for (bool more = true; more;) {
    more = false;
    for (std::size_t k = steps_.size(); k-- > 0;) {
      const Step& step = steps_[k];
      if (!needed[step.to]) continue;
      for (const Series s : {step.a, step.b, step.c})
        if (s != none && !needed[s]) needed[s] = more = true;
    }
  }
  std::erase_if(steps_, [&](const Step& step) { return !needed[step.to]; });
}

// Functions, by a differential equation each.
void UnrolledSeries::companions(Value v, Series to, Series a) {
  const StraightLine::Node n = (*line_)[v];
  const auto operation = [&](Code code) { return line_->operation(code, n.a); };
  const Value one = number(1.0);
  switch (n.code) {
    case Code::exp:
      steps_.push_back({.rule = Rule::integral, .to = to, .a = a, .b = to});
      return;
    case Code::log:
      steps_.push_back({.rule = Rule::quotient_integral, .to = to, .a = a, .b = a});
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
          of_value_[static_cast<std::size_t>(v)] = {.base = cosine_of_[s]};
          return;
        }
      const Code other =
          hyperbolic ? (sine ? Code::cosh : Code::sinh) : (sine ? Code::cos : Code::sin);
      const Series beside = begin(operation(other));
      cosine_of_[to] = beside;
      const Rule down = hyperbolic ? Rule::integral : Rule::minus_integral;
      steps_.push_back({.rule = sine ? Rule::integral : down, .to = to, .a = a, .b = beside});
      steps_.push_back({.rule = sine ? down : Rule::integral, .to = beside, .a = a, .b = to});
      return;
    }
    case Code::tan:
    case Code::tanh: {
      const bool plain = n.code == Code::tan;
      const Value square = line_->operation(Code::mul, v, v);
      const Series w = begin(line_->operation(plain ? Code::add : Code::sub, one, square));
      steps_.push_back({.rule = Rule::integral, .to = to, .a = a, .b = w});
      steps_.push_back(
          {.rule = plain ? Rule::one_plus_square : Rule::one_minus_square, .to = w, .a = to});
      return;
    }
    case Code::atan: {
      const Series w = begin(plus(one, times(n.a, n.a)));
      steps_.push_back({.rule = Rule::one_plus_square, .to = w, .a = a});
      steps_.push_back({.rule = Rule::quotient_integral, .to = to, .a = a, .b = w});
      return;
    }
    case Code::asin:
    case Code::acos: {
      const Series w = begin(times(minus(one, n.a), plus(one, n.a)));
      const Series u = begin(line_->operation(Code::sqrt, series_[w].front()));
      steps_.push_back({.rule = Rule::one_minus_square, .to = w, .a = a});
      steps_.push_back({.rule = Rule::root, .to = u, .a = w});
      if (n.code == Code::asin) {
        steps_.push_back({.rule = Rule::quotient_integral, .to = to, .a = a, .b = u});
        return;
      }
      const Series minus_a = plain(View{.base = a, .minus = true});
      steps_.push_back({.rule = Rule::quotient_integral, .to = to, .a = minus_a, .b = u});
      return;
    }
    default: {
      assert(n.code == Code::atan2);
      // atan2(a, b) has the derivative of atan(a/b), and of -atan(b/a), where both are defined:
      // (a² + b²) z' = b a' - a b', with y' = b a' and x' = a b'
      const Series b = plain(n.b);
      const Series aa = begin(times(n.a, n.a)), bb = begin(times(n.b, n.b));
      const Series w = begin(plus(series_[aa].front(), series_[bb].front()));
      const Series y = begin(no_value), x = begin(no_value), d = begin(no_value);
      steps_.push_back({.rule = Rule::product, .to = aa, .a = a, .b = a});
      steps_.push_back({.rule = Rule::product, .to = bb, .a = b, .b = b});
      steps_.push_back({.rule = Rule::sum, .to = w, .a = aa, .b = bb});
      steps_.push_back({.rule = Rule::integral, .to = y, .a = a, .b = b});
      steps_.push_back({.rule = Rule::integral, .to = x, .a = b, .b = a});
      steps_.push_back({.rule = Rule::difference, .to = d, .a = y, .b = x});
      steps_.push_back({.rule = Rule::quotient_integral, .to = to, .a = d, .b = w});
    }
  }
}

void UnrolledSeries::set(Value input, std::size_t k, Value coefficient) {
  const Series s = view(input).base;
  if (s == none) return;  // nothing reads it
  series_[s].resize(k, no_value);
  series_[s].push_back(coefficient);
}

Value UnrolledSeries::coefficient(Value v, std::size_t k) {
  if (k == 0) return v;
  const View& of = view(v);
  const Value value = scaled(at(of.base, k), of.factor);
  return of.minus ? negative(value) : value;
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
/// A coefficient times a factor of a view.
Value UnrolledSeries::scaled(Value x, Value factor) {
  return factor == no_value ? x : times(x, factor);
}
/// Two such factors together.
Value UnrolledSeries::both(Value factor, Value other) {
  return factor == no_value ? other : scaled(factor, other);
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
      return plus(scaled(at(a, k), step.of_a), scaled(at(b, k), step.of_b));
    case Rule::difference:
      return minus(scaled(at(a, k), step.of_a), scaled(at(b, k), step.of_b));
    case Rule::scaled: {
      const Value value = scaled(at(a, k), step.of_a);
      return step.negative ? negative(value) : value;
    }
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
      return at(a, k) == no_value ? no_value
                                  : times(line_->operation(Code::sign, at(a, 0)), at(a, k));
    case Rule::smaller:
    case Rule::larger:
    case Rule::choice: {
      const bool chosen = step.rule == Rule::choice;
      const Value x = chosen ? at(b, k) : at(a, k), y = chosen ? at(step.c, k) : at(b, k);
      if (x == no_value && y == no_value) return no_value;
      const Value which = chosen ? at(a, 0)
                          : step.rule == Rule::smaller
                              ? line_->operation(Code::less, at(a, 0), at(b, 0))
                              : line_->operation(Code::less, at(b, 0), at(a, 0));
      const Value zero = number(0.0);
      return line_->operation(Code::select, which, x == no_value ? zero : x,
                              y == no_value ? zero : y);
    }
  }
  return no_value;
}

}  // namespace taut::fused
