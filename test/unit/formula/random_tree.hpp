// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "taut/formula/graph.hpp"
#include "taut/formula/scalar.hpp"

namespace taut::formula::testing {

/// An expression as it was written: nothing simplified, nothing shared.
struct Tree {
  Op op = Op::constant;
  double value = 0.0;
  Input input;
  std::vector<std::shared_ptr<const Tree>> operands;
};
using TreePtr = std::shared_ptr<const Tree>;

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>{low, high}(random);
}
inline int pick(Random& random, int count) {
  return std::uniform_int_distribution<int>{0, count - 1}(random);
}

inline TreePtr tree(Op op, std::vector<TreePtr> operands) {
  return std::make_shared<const Tree>(Tree{op, 0.0, {}, std::move(operands)});
}
inline TreePtr number(double value) {
  return std::make_shared<const Tree>(Tree{Op::constant, value, {}, {}});
}
inline TreePtr leaf(Input input) {
  return std::make_shared<const Tree>(Tree{Op::input, 0.0, input, {}});
}

/// Any operation on anything: what a fuzzer would write.
inline TreePtr random_tree(Random& random, const std::vector<Input>& inputs, int depth) {
  if (depth == 0 || pick(random, 8) == 0) {
    if (pick(random, 3) > 0)
      return leaf(inputs[static_cast<std::size_t>(pick(random, static_cast<int>(inputs.size())))]);
    constexpr double numbers[] = {0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 1.5, 0.1, -0.25, 7.0};
    return number(numbers[pick(random, 10)]);
  }
  constexpr Op ops[] = {Op::add,   Op::sub,  Op::mul,  Op::div,  Op::add,   Op::sub,  Op::mul,
                        Op::neg,   Op::pow,  Op::sqrt, Op::exp,  Op::log,   Op::sin,  Op::cos,
                        Op::tan,   Op::asin, Op::acos, Op::atan, Op::sinh,  Op::cosh, Op::tanh,
                        Op::abs,   Op::sign, Op::min,  Op::max,  Op::floor, Op::less, Op::select,
                        Op::atan2, Op::mul,  Op::neg};
  const Op op = ops[pick(random, static_cast<int>(std::size(ops)))];
  int arity = 1;
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::less:
      arity = 2;
      break;
    case Op::select:
      arity = 3;
      break;
    default:
      break;
  }
  std::vector<TreePtr> operands;
  for (int k = 0; k < arity; ++k) operands.push_back(random_tree(random, inputs, depth - 1));
  // the same operand twice now and then: x - x, x * x
  if (arity == 2 && pick(random, 6) == 0) operands[1] = operands[0];
  return tree(op, std::move(operands));
}

/// Smooth almost everywhere and of moderate size, for derivative tests.
inline TreePtr smooth_tree(Random& random, const std::vector<Input>& inputs, int depth) {
  const auto sub = [&] { return smooth_tree(random, inputs, depth - 1); };
  if (depth == 0) {
    const TreePtr x =
        leaf(inputs[static_cast<std::size_t>(pick(random, static_cast<int>(inputs.size())))]);
    return pick(random, 3) == 0 ? tree(Op::mul, {number(uniform(random, -2.0, 2.0)), x}) : x;
  }
  const auto positive = [&] {
    const TreePtr x = sub();
    return tree(Op::add, {number(uniform(random, 0.5, 2.0)), tree(Op::mul, {x, x})});
  };
  const auto small = [&] { return tree(Op::mul, {number(0.5), tree(Op::sin, {sub()})}); };
  constexpr Op bounded[] = {Op::tan, Op::asin, Op::acos, Op::sinh, Op::cosh};
  switch (pick(random, 20)) {
    case 0:
    case 1:
      return tree(Op::add, {sub(), sub()});
    case 2:
      return tree(Op::sub, {sub(), sub()});
    case 3:
    case 4:
      return tree(Op::mul, {sub(), sub()});
    case 5:
      return tree(Op::div, {sub(), positive()});
    case 6:
      return tree(Op::sin, {sub()});
    case 7:
      return tree(Op::cos, {sub()});
    case 8:
      return tree(Op::exp, {tree(Op::sin, {sub()})});
    case 9:
      return tree(Op::sqrt, {positive()});
    case 10:
      return tree(Op::log, {positive()});
    case 11:
      return tree(Op::atan2, {sub(), positive()});
    case 12:
      return tree(Op::tanh, {sub()});
    case 13:
      return tree(Op::pow, {positive(), number(0.5 * (pick(random, 11) - 5))});
    case 14:
      return tree(pick(random, 2) == 0 ? Op::min : Op::max, {sub(), sub()});
    case 15:
      return tree(Op::select, {tree(Op::less, {sub(), sub()}), sub(), sub()});
    case 16:
    case 17:
      return tree(bounded[pick(random, static_cast<int>(std::size(bounded)))], {small()});
    case 18:
      return tree(Op::pow, {positive(), small()});
    default:
      return tree(Op::atan, {tree(Op::abs, {sub()})});
  }
}

/// A number with a bound of its rounding error; `unsure` once a jump or an overflow is in reach.
struct Bounded {
  double value = 0.0;
  double error = 0.0;
  bool unsure = false;
};

/// The value of a tree in plain arithmetic, with how far another order of operations may be off.
template <class ValueOf>
Bounded evaluate_bounded(const Tree& x, const ValueOf& value_of) {
  constexpr double eps = 4.0 * std::numeric_limits<double>::epsilon();
  if (x.op == Op::constant) return {x.value, 0.0, false};
  if (x.op == Op::input) return {value_of(x.input), 0.0, false};
  Bounded o[3];
  for (std::size_t k = 0; k < x.operands.size(); ++k)
    o[k] = evaluate_bounded(*x.operands[k], value_of);
  const auto [a, b, c] = std::tuple{o[0], o[1], o[2]};
  Bounded r;
  r.unsure = a.unsure || b.unsure || c.unsure;
  using namespace functions;
  // near |slope| the first-order bound holds with room to spare as long as errors are small
  const auto chain = [&](double value, double slope) {
    r.value = value;
    r.error = 2.0 * std::fabs(slope) * a.error + eps * std::fabs(value);
    if (a.error > 1e-4 * (std::fabs(a.value) + 1e-300) && a.error > 0.0) r.unsure = true;
  };
  switch (x.op) {
    case Op::add:
    case Op::sub:
      r.value = x.op == Op::add ? a.value + b.value : a.value - b.value;
      r.error = a.error + b.error + eps * (std::fabs(a.value) + std::fabs(b.value));
      break;
    case Op::mul:
      r.value = a.value * b.value;
      r.error = std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error +
                eps * std::fabs(r.value);
      break;
    case Op::div:
      r.value = a.value / b.value;
      r.error = (a.error + std::fabs(r.value) * b.error) / std::fabs(b.value) * 2.0 +
                eps * std::fabs(r.value);
      if (!(b.error < 1e-3 * std::fabs(b.value))) r.unsure = true;
      break;
    case Op::neg:
      r = a;
      r.value = -a.value;
      break;
    case Op::pow: {
      r.value = pow(a.value, b.value);
      const double slope = b.value * pow(a.value, b.value - 1.0);
      const double slope_b = a.value > 0.0 ? r.value * log(a.value) : 0.0;
      r.error = 2.0 * (std::fabs(slope) * a.error + std::fabs(slope_b) * b.error) +
                8.0 * eps * std::fabs(r.value);
      // an exponent off by one rounding is another function for negative a, and 0 decides jumps
      if (b.error > 0.0 || a.error > 1e-4 * std::fabs(a.value) || a.value == 0.0) r.unsure = true;
      break;
    }
    case Op::sqrt:
      chain(sqrt(a.value), 0.5 / sqrt(a.value));
      if (a.value <= a.error && a.error > 0.0) r.unsure = true;
      break;
    case Op::exp:
      chain(exp(a.value), exp(a.value));
      break;
    case Op::log:
      chain(log(a.value), 1.0 / a.value);
      break;
    case Op::sin:
      chain(sin(a.value), 1.0);
      break;
    case Op::cos:
      chain(cos(a.value), 1.0);
      break;
    case Op::tan:
      chain(tan(a.value), 1.0 + tan(a.value) * tan(a.value));
      break;
    case Op::asin:
    case Op::acos: {
      const double rest = 1.0 - a.value * a.value;
      chain(x.op == Op::asin ? asin(a.value) : acos(a.value), 1.0 / sqrt(rest));
      if (rest < 1e-3) r.unsure = true;
      break;
    }
    case Op::atan:
      chain(atan(a.value), 1.0);
      break;
    case Op::atan2: {
      r.value = atan2(a.value, b.value);
      const double size = std::fabs(a.value) + std::fabs(b.value);
      r.error = 4.0 * (a.error + b.error) / size + eps * std::fabs(r.value);
      // on the cut the sign of a zero decides, and that is not kept
      if (std::fabs(a.value) <= a.error || a.value == 0.0 || a.error + b.error > 1e-3 * size)
        r.unsure = true;
      break;
    }
    case Op::sinh:
      chain(sinh(a.value), cosh(a.value));
      break;
    case Op::cosh:
      chain(cosh(a.value), sinh(a.value));
      break;
    case Op::tanh:
      chain(tanh(a.value), 1.0);
      break;
    case Op::abs:
      chain(abs(a.value), 1.0);
      break;
    case Op::sign:
      r.value = sign(a.value);
      if (std::fabs(a.value) <= a.error && a.error > 0.0) r.unsure = true;
      break;
    case Op::min:
    case Op::max:
      r.value = x.op == Op::min ? min(a.value, b.value) : max(a.value, b.value);
      r.error = std::fmax(a.error, b.error);
      break;
    case Op::floor:
      r.value = floor(a.value);
      if (a.error > 0.0 && floor(a.value + a.error) != floor(a.value - a.error)) r.unsure = true;
      break;
    case Op::less:
      r.value = less(a.value, b.value);
      if (a.error + b.error > 0.0 && std::fabs(a.value - b.value) <= a.error + b.error)
        r.unsure = true;
      break;
    case Op::select:
      r.value = select(a.value, b.value, c.value);
      r.error = a.value != 0.0 ? b.error : c.error;
      if (std::fabs(a.value) <= a.error && a.error > 0.0) r.unsure = true;
      break;
    case Op::cell:  // of tables: random trees have none
    case Op::knot:
    case Op::piece:
    case Op::constant:
    case Op::input:
      break;
  }
  // overflow, underflow and NaN are where simplification is allowed to differ
  const double size = std::fabs(r.value);
  if (!(size < 1e100) || (size != 0.0 && size < 1e-100) || !(r.error < 1e100)) r.unsure = true;
  return r;
}

/// The value of a tree in any scalar; value_of(Input) gives its inputs.
template <Scalar S, class ValueOf>
S evaluate_tree(const Tree& x, const ValueOf& value_of) {
  using namespace functions;
  if (x.op == Op::constant) return S{x.value};
  if (x.op == Op::input) return value_of(x.input);
  const auto at = [&](std::size_t k) { return evaluate_tree<S>(*x.operands[k], value_of); };
  switch (x.op) {
    case Op::add:
      return at(0) + at(1);
    case Op::sub:
      return at(0) - at(1);
    case Op::mul:
      return at(0) * at(1);
    case Op::div:
      return at(0) / at(1);
    case Op::neg:
      return -at(0);
    case Op::pow:
      if (x.operands[1]->op == Op::constant) return pow(at(0), x.operands[1]->value);
      return pow(at(0), at(1));
    case Op::sqrt:
      return sqrt(at(0));
    case Op::exp:
      return exp(at(0));
    case Op::log:
      return log(at(0));
    case Op::sin:
      return sin(at(0));
    case Op::cos:
      return cos(at(0));
    case Op::tan:
      return tan(at(0));
    case Op::asin:
      return asin(at(0));
    case Op::acos:
      return acos(at(0));
    case Op::atan:
      return atan(at(0));
    case Op::atan2:
      return atan2(at(0), at(1));
    case Op::sinh:
      return sinh(at(0));
    case Op::cosh:
      return cosh(at(0));
    case Op::tanh:
      return tanh(at(0));
    case Op::abs:
      return abs(at(0));
    case Op::sign:
      return sign(at(0));
    case Op::min:
      return min(at(0), at(1));
    case Op::max:
      return max(at(0), at(1));
    case Op::floor:
      return floor(at(0));
    case Op::less:
      return less(at(0), at(1));
    case Op::select:
      return select(at(0), at(1), at(2));
    case Op::cell:  // of tables: random trees have none
    case Op::knot:
    case Op::piece:
    case Op::constant:
    case Op::input:
      break;
  }
  return S{0.0};
}

}  // namespace taut::formula::testing
