// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>
#include <cmath>
#include <utility>

#include "formula/arithmetic.hpp"
#include "formula/origins.hpp"
#include "taut/formula/graph.hpp"

// The rules of Graph::make. A product has the form  coefficient * (parameter * core)  where the
// coefficient is a positive constant and the second factor reads parameters alone; signs stand
// outermost. Every rule takes its operands apart into these and puts the result together again.

namespace taut::formula {
namespace {

bool is_negative(const Number& x) {
  const Kind kind = kind_of(x);
  return kind > Kind::nan && kind < Kind::zero;
}

bool harmless(const Number& coefficient) {
  switch (kind_of(coefficient)) {
    case Kind::minus_normal:
    case Kind::minus_one:
    case Kind::one:
    case Kind::normal:
      return true;
    default:
      return false;
  }
}

}  // namespace

NodeId Graph::make(Op op, NodeId a, NodeId b, NodeId c) {
  switch (op) {
    case Op::add:
    case Op::sub: {
      const bool a_negative = strip_sign(a);
      const bool b_negative = strip_sign(b) != (op == Op::sub);
      if (a_negative == b_negative) return a_negative ? negate(add(a, b)) : add(a, b);
      return a_negative ? subtract(b, a) : subtract(a, b);
    }
    case Op::mul:
    case Op::div: {
      const bool a_negative = strip_sign(a);
      const bool negative = strip_sign(b) != a_negative;
      const NodeId result = op == Op::mul ? multiply(a, b) : divide(a, b);
      return negative ? negate(result) : result;
    }
    case Op::neg:
      return negate(a);
    case Op::pow:
      return power(a, b);
    case Op::min:
    case Op::max:
      return extremum(op, a, b);
    case Op::less:
      return compare(a, b);
    case Op::select:
      return choose(a, b, c);
    case Op::atan2:
      if (is_constant(a) && is_constant(b)) {
        return constant(record(op, number(a), number(b)));
      }
      // atan2(-y, x) = -atan2(y, x)
      return strip_sign(a) ? negate(intern(op, a, b)) : intern(op, a, b);
    default:
      assert(op != Op::constant && op != Op::input);
      return unary(op, a);
  }
}

bool Graph::before(NodeId a, NodeId b) const {
  // constants first, then what reads parameters alone: factor() relies on it
  const auto rank = [&](NodeId id) { return reads(id) == 0 ? 0 : parameter_only(id) ? 1 : 2; };
  return std::pair{rank(a), a} < std::pair{rank(b), b};
}

/// Replaces `id` by the node without its sign; true when there was one.
bool Graph::strip_sign(NodeId& id) {
  const Node& n = (*this)[id];
  if (n.op == Op::neg) {
    id = n.a;
    return true;
  }
  if (n.op == Op::constant && n.value < 0.0) {
    id = constant(-number(id));
    return true;
  }
  return false;
}

NodeId Graph::negate(NodeId id) {
  const Node& n = (*this)[id];
  if (n.op == Op::constant) return constant(-number(id));
  if (n.op == Op::neg) return n.a;
  return intern(Op::neg, id);
}

Graph::Factor Graph::factor(NodeId id) const {
  Factor f;
  if (const Node& n = (*this)[id]; n.op == Op::constant) {
    f.coefficient = number(id);
    return f;
  } else if (n.op == Op::mul && is_constant(n.a)) {
    f.coefficient = number(n.a);
    id = n.b;
  }
  if (parameter_only(id)) {
    f.parameter = id;
    return f;
  }
  if (const Node& n = (*this)[id]; n.op == Op::mul && parameter_only(n.a)) {
    f.parameter = n.a;
    id = n.b;
  }
  f.core = id;
  return f;
}

/// coefficient * (parameter * core), with a coefficient >= 0 or NaN.
NodeId Graph::scale(const Number& coefficient, NodeId parameter, NodeId core) {
  const Kind kind = kind_of(coefficient);
  if (kind == Kind::zero) return constant(0.0);
  NodeId result = core;
  if (core == no_node) {
    if (parameter == no_node) return constant(coefficient);
    result = parameter;
  } else if (parameter != no_node) {
    result = intern(Op::mul, parameter, core);
  }
  return kind == Kind::one ? result : intern(Op::mul, constant(coefficient), result);
}

NodeId Graph::add(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) return constant(number(a) + number(b));
  if (is_constant(a, 0.0)) return b;
  if (is_constant(b, 0.0)) return a;
  const Factor fa = factor(a), fb = factor(b);
  if (fa.core == fb.core && fa.parameter == fb.parameter) {
    const Number sum = fa.coefficient + fb.coefficient;
    if (harmless(sum)) return scale(sum, fa.parameter, fa.core);
  }
  if (have_common_factor(fa, fb)) {
    return make(Op::mul, scale(fa.coefficient, fa.parameter, no_node), add(fa.core, fb.core));
  }
  return before(a, b) ? intern(Op::add, a, b) : intern(Op::add, b, a);
}

NodeId Graph::subtract(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) return constant(number(a) - number(b));
  if (is_constant(a, 0.0)) return negate(b);
  if (is_constant(b, 0.0)) return a;
  if (a == b) return constant(0.0);
  const Factor fa = factor(a), fb = factor(b);
  if (fa.core == fb.core && fa.parameter == fb.parameter) {
    const Number difference = fa.coefficient - fb.coefficient;
    if (harmless(difference)) {
      const NodeId size = scale(abs(difference), fa.parameter, fa.core);
      return is_negative(difference) ? negate(size) : size;
    }
  }
  if (have_common_factor(fa, fb)) {
    return make(Op::mul, scale(fa.coefficient, fa.parameter, no_node), subtract(fa.core, fb.core));
  }
  // a - b and b - a share their node
  return before(a, b) ? intern(Op::sub, a, b) : negate(intern(Op::sub, b, a));
}

/// True for  k x  and  k y  with one k that is not 1: their sum is k (x + y).
bool Graph::have_common_factor(const Factor& a, const Factor& b) {
  // no guards: equal constants of one graph are one node, and a factor 1 is not written
  const double x = a.coefficient.value(), y = b.coefficient.value();
  return a.core != no_node && b.core != no_node && x == y && a.parameter == b.parameter &&
         (x != 1.0 || a.parameter != no_node);
}

/// a * b of two cores or two parameter factors; either may be missing.
NodeId Graph::product(NodeId a, NodeId b) {
  if (a == no_node) return b;
  if (b == no_node) return a;
  if (!before(a, b)) std::swap(a, b);
  const Node na = (*this)[a], nb = (*this)[b];
  // (x y) y = x y^2: squares are recognised, and their derivative is one term
  if (nb.op == Op::mul && nb.a != nb.b && (nb.a == a || nb.b == a)) {
    return product(nb.a == a ? nb.b : nb.a, product(a, a));
  }
  if (na.op == Op::mul && na.a != na.b && (na.a == b || na.b == b)) {
    return product(na.a == b ? na.b : na.a, product(b, b));
  }
  return intern(Op::mul, a, b);
}

NodeId Graph::multiply(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) return constant(number(a) * number(b));
  if (is_constant(a, 0.0) || is_constant(b, 0.0)) return constant(0.0);
  if (a == b && (*this)[a].op == Op::sqrt) {
    // sqrt(x)^2 = x wherever the root exists; its derivative then exists at 0 as well
    const NodeId x = (*this)[a].a;
    if (traits_[static_cast<std::size_t>(x)].non_negative) return x;
  }
  const Factor fa = factor(a), fb = factor(b);
  const Number coefficient = fa.coefficient * fb.coefficient;
  if (!harmless(coefficient)) return before(a, b) ? intern(Op::mul, a, b) : intern(Op::mul, b, a);
  return scale(coefficient, product(fa.parameter, fb.parameter), product(fa.core, fb.core));
}

NodeId Graph::divide(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) return constant(number(a) / number(b));
  if (is_constant(a, 0.0)) return a;
  const Factor fa = factor(a), fb = factor(b);
  const Number coefficient = fa.coefficient / fb.coefficient;
  if (!harmless(coefficient) || !harmless(1.0 / fb.coefficient)) return intern(Op::div, a, b);
  return scale(coefficient, quotient(fa.parameter, fb.parameter), quotient(fa.core, fb.core));
}

/// a / b of two cores or two parameter factors; either may be missing.
NodeId Graph::quotient(NodeId a, NodeId b) {
  if (b == no_node) return a;
  const Node n = (*this)[b];
  // x / (1 / y) = x y
  if (n.op == Op::div && is_constant(n.a, 1.0)) return product(a, n.b);
  const NodeId one = constant(1.0);
  if (a == no_node) return intern(Op::div, one, b);
  if (parameter_only(b)) return product(a, intern(Op::div, one, b));
  return intern(Op::div, a, b);
}

bool Graph::parameter_only(NodeId id) const { return reads(id) == mask(Slot::parameter); }

NodeId Graph::integer_power(NodeId a, int exponent) {
  NodeId result = no_node;
  for (NodeId square = a;; square = make(Op::mul, square, square)) {
    if (exponent & 1) result = result == no_node ? square : make(Op::mul, result, square);
    exponent >>= 1;
    if (exponent == 0) return result;
  }
}

NodeId Graph::power(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) {
    return constant(record(Op::pow, number(a), number(b)));
  }
  if (is_constant(a, 1.0)) return a;
  if (!is_constant(b)) return intern(Op::pow, a, b);

  const int form = exponent_of(number(b));
  if (form == 0) return constant(1.0);
  if (form != whole_even && form != whole_odd && form != no_whole) {
    // x^n, and x^(n + 1/2) = x^n sqrt(x)
    const int size = std::abs(form), whole = size / 2;
    NodeId result = whole > 0 ? integer_power(a, whole) : constant(1.0);
    if (size % 2 != 0) result = make(Op::mul, result, make(Op::sqrt, a));
    return form > 0 ? result : make(Op::div, constant(1.0), result);
  }
  if (form != no_whole && strip_sign(a)) {
    const NodeId result = intern(Op::pow, a, b);
    return form == whole_odd ? negate(result) : result;
  }
  return intern(Op::pow, a, b);
}

NodeId Graph::unary(Op op, NodeId a) {
  if (is_constant(a)) return constant(record(op, number(a), {}));
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sign:
      return strip_sign(a) ? negate(intern(op, a)) : intern(op, a);
    case Op::cos:
    case Op::cosh:
      strip_sign(a);
      return intern(op, a);
    case Op::abs:
      strip_sign(a);
      return traits_[static_cast<std::size_t>(a)].non_negative ? a : intern(op, a);
    case Op::sqrt: {
      const Node& n = (*this)[a];
      if (n.op == Op::mul && n.a == n.b) return unary(Op::abs, n.a);
      return intern(op, a);
    }
    default:
      return intern(op, a);
  }
}

NodeId Graph::extremum(Op op, NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) {
    return constant(record(op, number(a), number(b)));
  }
  if (a == b) return a;
  if ((*this)[a].op == Op::neg && (*this)[b].op == Op::neg) {
    // min(-a, -b) = -max(a, b)
    return negate(extremum(op == Op::min ? Op::max : Op::min, (*this)[a].a, (*this)[b].a));
  }
  return before(a, b) ? intern(op, a, b) : intern(op, b, a);
}

NodeId Graph::compare(NodeId a, NodeId b) {
  if (is_constant(a) && is_constant(b)) {
    return constant(record(Op::less, number(a), number(b)));
  }
  if (a == b) return constant(0.0);
  if ((*this)[a].op == Op::neg && (*this)[b].op == Op::neg) {
    return intern(Op::less, (*this)[b].a, (*this)[a].a);
  }
  return intern(Op::less, a, b);
}

NodeId Graph::choose(NodeId condition, NodeId a, NodeId b) {
  if (is_constant(condition)) return (*this)[condition].value != 0.0 ? a : b;
  if (a == b) return a;
  strip_sign(condition);
  if ((*this)[a].op == Op::neg && (*this)[b].op == Op::neg) {
    return negate(intern(Op::select, condition, (*this)[a].a, (*this)[b].a));
  }
  return intern(Op::select, condition, a, b);
}

}  // namespace taut::formula
