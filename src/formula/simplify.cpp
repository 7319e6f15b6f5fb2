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
//
// Derivatives of what they leave exist at corners wherever those of the formula do:
//
//   x^(n + 1/2)       stays one node, whose derivative is (n + 1/2) x^(n - 1/2); x^n sqrt(x) would
//                     give 0/0 at x = 0. lower() computes it as that product              (1)
//   sqrt(k x^2)       is sqrt(k) |x|, and (x^2)^(n + 1/2) is |x|^(2n + 1)                  (2)
//   y select(c, x, 0) is select(c, y x, 0): what is multiplied by the 0 of a derivative may be
//                     infinite, as in that of max(0, u)^1.5 where u < 0                    (3)

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
    case Op::cell:
      if (is_constant(a) && is_constant(b)) return constant(record(op, number(a), number(b)));
      return intern(op, a, b);
    default:
      assert(op != Op::constant && op != Op::input && op != Op::knot && op != Op::piece);
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
  if (const NodeId guarded = inside_select(Op::mul, a, b); guarded != no_node) return guarded;
  if (const NodeId power = joined_power(a, b); power != no_node) return power;
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
  if (const NodeId guarded = inside_select(Op::div, a, b); guarded != no_node) return guarded;
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

/// (3): a b or a / b of two cores, inside the one that has a 0 for a branch; no_node where none
/// has.
NodeId Graph::inside_select(Op op, NodeId a, NodeId b) {
  const auto guards = [&](NodeId id) {
    const Node& n = (*this)[id];
    return n.op == Op::select && (is_constant(n.b, 0.0) || is_constant(n.c, 0.0));
  };
  const bool second = op == Op::mul && guards(b);
  if (!second && !guards(a)) return no_node;
  const Node n = (*this)[second ? b : a];
  const NodeId other = second ? a : b;
  const auto part = [&](NodeId branch) {
    if (is_constant(branch, 0.0)) return branch;
    return op == Op::mul ? make(op, other, branch) : make(op, branch, other);
  };
  const NodeId first = part(n.b);
  return choose(n.a, first, part(n.c));
}

/// r >= 0 with r^2 = x, if x is a product of squares; else no_node.
NodeId Graph::root_of_square(NodeId x) {
  const Node n = (*this)[x];
  if (n.op == Op::mul && n.a == n.b) return unary(Op::abs, n.a);
  if (n.op != Op::mul && n.op != Op::div) return no_node;
  const NodeId a = root_of_square(n.a), b = a == no_node ? no_node : root_of_square(n.b);
  return b == no_node ? no_node : make(n.op, a, b);
}

/// a b as one power (1), if both are powers of one x with a corner and one is a root; else no_node.
/// Of other x the product is as good and cheaper to differentiate.
NodeId Graph::joined_power(NodeId a, NodeId b) {
  if (powers_ == Powers::products) return no_node;
  struct Power {
    NodeId base;
    int halves;  // twice the exponent
  };
  const auto power_of = [&](NodeId id) -> Power {
    const Node& n = (*this)[id];
    if (n.op == Op::sqrt) return {n.a, 1};
    if (n.op == Op::mul && n.a == n.b) return {n.a, 4};
    if (n.op == Op::pow && is_constant(n.b))
      if (const int form = exponent_of(number(n.b)); form > 0 && form < whole_even)
        return {n.a, form};
    return {id, 2};
  };
  const Power of_a = power_of(a), of_b = power_of(b);
  const int halves = of_a.halves + of_b.halves;
  if (of_a.base != of_b.base || halves % 2 == 0) return no_node;
  const Op op = (*this)[of_a.base].op;
  if (op != Op::max && op != Op::min && op != Op::abs && op != Op::select) return no_node;
  return power(of_a.base, constant(halves / 2.0));
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
    const int size = std::abs(form);
    const NodeId result = half_power(a, size);
    return form > 0 ? result : make(Op::div, constant(1.0), result);
  }
  if (form != no_whole && strip_sign(a)) {
    const NodeId result = intern(Op::pow, a, b);
    return form == whole_odd ? negate(result) : result;
  }
  return intern(Op::pow, a, b);
}

/// a^(halves/2)
NodeId Graph::half_power(NodeId a, int halves) {
  if (halves % 2 == 0) {
    const Node n = (*this)[a];
    // sqrt(x)^n = x^(n/2) wherever the root exists
    if (n.op == Op::sqrt && traits_[static_cast<std::size_t>(n.a)].non_negative)
      return half_power(n.a, halves / 2);
    return integer_power(a, halves / 2);
  }
  if (halves == 1) return unary(Op::sqrt, a);
  if (const NodeId root = root_of_square(a); root != no_node) return integer_power(root, halves);
  if (powers_ == Powers::products)
    return make(Op::mul, integer_power(a, halves / 2), intern(Op::sqrt, a));
  return intern(Op::pow, a, constant(halves / 2.0));
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
      const Factor f = factor(a);
      const NodeId root = f.core == no_node ? no_node : root_of_square(f.core);
      if (root == no_node) return intern(op, a);
      return make(Op::mul, unary(op, scale(f.coefficient, f.parameter, no_node)), root);
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
