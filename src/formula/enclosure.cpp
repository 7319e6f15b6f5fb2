// SPDX-License-Identifier: BSD-3-Clause
#include "formula/enclosure.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "formula/arithmetic.hpp"
#include "formula/table.hpp"

namespace taut::formula {
namespace {

constexpr Interval one{1.0, 1.0};
constexpr Interval none{0.0, 0.0};

Interval scaled(double factor, Interval a) { return point(factor) * a; }

/// Whether a switch of these operands has one value on the piece.
bool ordered(Interval a, Interval b) { return a.hi < b.lo || b.hi <= a.lo; }

Interval less(Interval a, Interval b) {
  if (a.hi < b.lo) return one;
  if (b.hi <= a.lo) return none;
  return {0.0, 1.0};
}

Interval sign(Interval a) {
  if (a.lo > 0.0) return one;
  if (a.hi < 0.0) return {-1.0, -1.0};
  if (a.lo == 0.0 && a.hi == 0.0) return none;
  return {-1.0, 1.0};
}

bool chosen(Interval condition, bool& first) {
  first = !condition.contains(0.0);
  return first || (condition.lo == 0.0 && condition.hi == 0.0);
}

Interval natural(Op op, Interval a, Interval b, Interval c, bool same) {
  if (op == Op::mul && same) return square(a);
  if (const std::optional<Interval> value = evaluate_plain(op, a, b)) return *value;
  switch (op) {
    case Op::sign:
      return sign(a);
    case Op::min:
      return min(a, b);
    case Op::max:
      return max(a, b);
    case Op::floor:
      return {std::floor(a.lo), std::floor(a.hi)};
    case Op::less:
      return less(a, b);
    case Op::select: {
      bool first = false;
      if (chosen(a, first)) return first ? b : c;
      return hull(b, c);
    }
    case Op::cell:
      return point(cells_in_row) * a + b;
    default:
      return whole_line;
  }
}

/// Derivative of `op` in time, from ranges and rates of its operands; `value` is its own range.
Interval natural_rate(Op op, Interval value, const Enclosure& a, const Enclosure& b,
                      const Enclosure& c) {
  const auto is_constant = [](const Enclosure& x) { return x.rate.lo == 0.0 && x.rate.hi == 0.0; };
  switch (op) {
    case Op::add:
      return a.rate + b.rate;
    case Op::sub:
      return a.rate - b.rate;
    case Op::mul:
      return a.value * b.rate + a.rate * b.value;
    case Op::div:
      return (a.rate - value * b.rate) / b.value;
    case Op::neg:
      return -a.rate;
    case Op::pow: {
      Interval sum = none;
      if (!is_constant(a)) sum = sum + b.value * pow(a.value, b.value - one) * a.rate;
      if (!is_constant(b)) sum = sum + value * log(a.value) * b.rate;
      return sum;
    }
    case Op::sqrt:
      return a.rate / scaled(2.0, value);
    case Op::exp:
      return value * a.rate;
    case Op::log:
      return a.rate / a.value;
    case Op::sin:
      return cos(a.value) * a.rate;
    case Op::cos:
      return -(sin(a.value) * a.rate);
    case Op::tan:
      return (one + square(value)) * a.rate;
    case Op::asin:
      return a.rate / sqrt(one - square(a.value));
    case Op::acos:
      return -(a.rate / sqrt(one - square(a.value)));
    case Op::atan:
      return a.rate / (one + square(a.value));
    case Op::atan2:
      if (b.value.lo <= 0.0 && a.value.contains(0.0)) return whole_line;  // on the cut
      return (b.value * a.rate - a.value * b.rate) / (square(a.value) + square(b.value));
    case Op::sinh:
      return cosh(a.value) * a.rate;
    case Op::cosh:
      return sinh(a.value) * a.rate;
    case Op::tanh:
      return (one - square(value)) * a.rate;
    case Op::abs:
      return sign(a.value) * a.rate;
    case Op::min:
    case Op::max:
      if (ordered(a.value, b.value))
        return ((a.value.hi < b.value.lo) == (op == Op::min)) ? a.rate : b.rate;
      return hull(a.rate, b.rate);
    case Op::less:
      return ordered(a.value, b.value) ? none : whole_line;
    case Op::sign:
      return value.lo == value.hi ? none : whole_line;
    case Op::floor:
      return value.lo == value.hi ? none : whole_line;
    case Op::select: {
      bool first = false;
      if (chosen(a.value, first)) return first ? b.rate : c.rate;
      return whole_line;
    }
    case Op::cell:
      return is_constant(a) && is_constant(b) ? none : whole_line;
    case Op::knot:
    case Op::piece:
    case Op::constant:
    case Op::input:
      break;
  }
  return none;
}

/// The angle of a piece that crosses the cut and keeps away from the origin: about pi.
Enclosure across_cut(const Enclosure& y, const Enclosure& x) {
  constexpr double pi = std::numbers::pi;
  return {.value = whole_pi + atan2(-y.value, -x.value),
          .rate = (x.value * y.rate - y.value * x.rate) / (square(x.value) + square(y.value)),
          .middle = pi + std::atan2(-y.middle, -x.middle)};
}

/// A derivative of what is looked up.
Lookup differentiated(Lookup what, bool in_x) {
  ++(in_x ? what.order_x : what.order_y);
  return what;
}

}  // namespace

double EnclosedGraph::value_of(const Step& s, double a, double b, double c) {
  return s.table != nullptr ? s.table->look_up(s.op, s.lookup, a, b, c) : evaluate(s.op, a, b, c);
}

Interval EnclosedGraph::range_of(const Step& s, Interval a, Interval b, Interval c) {
  return s.table != nullptr ? s.table->look_up(s.op, s.lookup, a, b, c)
                            : natural(s.op, a, b, c, s.a == s.b);
}

Interval EnclosedGraph::rate_of(const Step& s, Interval value, const Enclosure& a,
                                const Enclosure& b, const Enclosure& c) {
  if (s.table == nullptr) return natural_rate(s.op, value, a, b, c);
  const auto slope = [&](bool in_x) {
    return s.table->look_up(s.op, differentiated(s.lookup, in_x), a.value, b.value, c.value);
  };
  if (s.op == Op::knot) return s.lookup.order_x == 0 ? slope(true) * a.rate : whole_line;
  // across a knot only what is continuous has a rate
  if (c.value.lo != c.value.hi && !s.table->is_continuous(s.lookup)) return whole_line;
  Interval sum = slope(true) * a.rate;
  if (s.table->axes() == 2) sum = sum + slope(false) * b.rate;
  return sum;
}

EnclosedGraph::EnclosedGraph(const Graph& graph, std::span<const NodeId> roots)
    : place_(static_cast<std::size_t>(graph.size()), -1) {
  std::vector<bool> reached(static_cast<std::size_t>(graph.size()), false);
  std::vector<NodeId> stack{roots.begin(), roots.end()};
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (reached[static_cast<std::size_t>(id)]) continue;
    reached[static_cast<std::size_t>(id)] = true;
    const Node& n = graph[id];
    for (const NodeId operand : {n.a, n.b, n.c})
      if (operand != no_node) stack.push_back(operand);
  }
  const auto of = [&](NodeId id) {
    return id == no_node ? -1 : place_[static_cast<std::size_t>(id)];
  };
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (!reached[static_cast<std::size_t>(id)]) continue;
    const Node& n = graph[id];
    Step step{.op = n.op, .a = of(n.a), .b = of(n.b), .c = of(n.c), .value = n.value};
    if (n.op == Op::input) {
      step.input = static_cast<int>(inputs_.size());
      inputs_.push_back(n.input);
    }
    if (n.lookup.table >= 0) {
      tables_.push_back(graph.table(n.lookup.table));
      step.table = tables_.back().get();
      step.lookup = n.lookup;
    }
    place_[static_cast<std::size_t>(id)] = static_cast<int>(steps_.size());
    steps_.push_back(step);
  }
  find_degrees();
}

void EnclosedGraph::find_degrees() {
  // by input, in the order of inputs
  using Degrees = std::vector<std::pair<int, int>>;
  constexpr int most = 1 << 20;
  constexpr SlotMask moving = mask(Slot::q) | mask(Slot::v) | mask(Slot::t) | mask(Slot::theta);
  const auto merge = [](const Degrees& a, const Degrees& b, auto&& both) {
    Degrees result;
    auto i = a.begin(), j = b.begin();
    while (i != a.end() || j != b.end()) {
      if (j == b.end() || (i != a.end() && i->first < j->first)) {
        result.push_back(*i++);
      } else if (i == a.end() || j->first < i->first) {
        result.push_back(*j++);
      } else {
        result.emplace_back(i->first, both(i->second, j->second));
        ++i, ++j;
      }
    }
    return result;
  };
  std::vector<Degrees> all(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    Degrees& degrees = all[i];
    const auto add = [&](int place, auto&& both) {
      if (place >= 0) degrees = merge(degrees, all[static_cast<std::size_t>(place)], both);
    };
    const auto larger = [](int x, int y) { return std::max(x, y); };
    const auto sum = [most](int x, int y) { return std::min(x + y, most); };
    switch (step.op) {
      case Op::constant:
        break;
      case Op::input:
        if ((mask(inputs_[static_cast<std::size_t>(step.input)].slot) & moving) != 0)
          degrees.emplace_back(step.input, 1);
        break;
      case Op::mul:
        add(step.a, sum);
        add(step.b, sum);
        break;
      default:
        for (const int operand : {step.a, step.b, step.c}) add(operand, larger);
        if (step.op == Op::add || step.op == Op::sub || step.op == Op::neg ||
            step.op == Op::select ||
            (step.op == Op::div && all[static_cast<std::size_t>(step.b)].empty()))
          break;
        for (auto& [input, degree] : degrees) degree = std::min(degree, 1);
        break;
    }
    for (const auto& [input, degree] : degrees) step.degree = std::max(step.degree, degree);
  }
}

int EnclosedGraph::place(Input input) const {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].op == Op::input && inputs_[static_cast<std::size_t>(steps_[i].input)] == input)
      return static_cast<int>(i);
  return -1;
}

void EnclosedGraph::enclose(std::span<const Enclosure> inputs, double r,
                            std::vector<Enclosure>& all) const {
  all.resize(steps_.size());
  const Enclosure nothing;
  const Interval along{-r, r};
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
    Enclosure& to = all[i];
    if (s.op == Op::constant) {
      to = {.value = point(s.value), .rate = none, .middle = s.value};
      continue;
    }
    if (s.op == Op::input) {
      to = inputs[static_cast<std::size_t>(s.input)];
      continue;
    }
    const auto of = [&](int place) -> const Enclosure& {
      return place < 0 ? nothing : all[static_cast<std::size_t>(place)];
    };
    const Enclosure &a = of(s.a), &b = of(s.b), &c = of(s.c);
    if (s.unwound && a.value.contains(0.0) && b.value.hi < 0.0) {
      to = across_cut(a, b);
      continue;
    }
    to.middle = value_of(s, a.middle, b.middle, c.middle);
    to.value = range_of(s, a.value, b.value, c.value);
    to.rate = rate_of(s, to.value, a, b, c);
    // (1)
    if (std::isfinite(to.middle) && std::isfinite(to.rate.lo) && std::isfinite(to.rate.hi)) {
      // the value in the middle has the rounding of its operands
      constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
      const Interval mean = point(to.middle) + to.rate * along;
      const double slack = rounding * std::max(a.value.magnitude(), b.value.magnitude());
      to.value = intersection(to.value, {mean.lo - slack, mean.hi + slack});
    }
  }
}

void EnclosedGraph::ranges(std::span<const Interval> inputs, std::vector<Enclosure>& all) const {
  all.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
    all[i].rate = whole_line;
    if (s.op == Op::constant) {
      all[i].value = point(s.value);
    } else if (s.op == Op::input) {
      all[i].value = inputs[static_cast<std::size_t>(s.input)];
    } else {
      const auto of = [&](int place) {
        return place < 0 ? none : all[static_cast<std::size_t>(place)].value;
      };
      const bool crosses = s.unwound && of(s.a).contains(0.0) && of(s.b).hi < 0.0;
      all[i].value =
          crosses ? whole_pi + atan2(-of(s.a), -of(s.b)) : range_of(s, of(s.a), of(s.b), of(s.c));
    }
  }
}

void EnclosedGraph::values(std::span<const double> inputs, std::vector<double>& all) const {
  all.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& s = steps_[i];
    const auto of = [&](int place) {
      return place < 0 ? 0.0 : all[static_cast<std::size_t>(place)];
    };
    all[i] = s.op == Op::constant ? s.value
             : s.op == Op::input  ? inputs[static_cast<std::size_t>(s.input)]
                                  : value_of(s, of(s.a), of(s.b), of(s.c));
  }
}

void EnclosedGraph::sensitivities(const std::vector<Enclosure>& all, Weights& of) const {
  std::vector<double>& weight = of.weight;
  std::vector<double>& effect = of.effect;
  const auto width = [&](std::size_t i) { return all[i].value.width(); };
  effect.resize(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) effect[i] = bounded_product(weight[i], width(i));
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const Step& s = steps_[i];
    const double w = weight[i];
    effect[i] = std::min(effect[i], bounded_product(w, width(i)));
    if (w == 0.0 || s.op == Op::constant || s.op == Op::input) continue;
    const auto range = [&](int place) { return all[static_cast<std::size_t>(place)].value; };
    const auto pass = [&](int place, double slope) {
      if (place < 0) return;
      const auto to = static_cast<std::size_t>(place);
      // at a singular point nothing is known of a slope
      const double passed = std::isnan(slope) ? unbounded : bounded_product(w, slope);
      weight[to] += passed;
      effect[to] += std::min(bounded_product(passed, width(to)), effect[i]);
    };
    const Interval own = all[i].value;
    switch (s.op) {
      case Op::add:
      case Op::sub:
      case Op::min:
      case Op::max:
        pass(s.a, 1.0);
        pass(s.b, 1.0);
        break;
      case Op::neg:
      case Op::abs:
      case Op::sin:
      case Op::cos:
      case Op::tanh:
      case Op::atan:
        pass(s.a, 1.0);
        break;
      case Op::mul:
        pass(s.a, range(s.b).magnitude());
        pass(s.b, range(s.a).magnitude());
        break;
      case Op::div:
        pass(s.a, 1.0 / range(s.b).mignitude());
        pass(s.b, own.magnitude() / range(s.b).mignitude());
        break;
      case Op::pow:
        pass(s.a, (range(s.b) * pow(range(s.a), range(s.b) - one)).magnitude());
        pass(s.b, (own * log(range(s.a))).magnitude());
        break;
      case Op::sqrt:
        pass(s.a, 0.5 / own.mignitude());
        break;
      case Op::exp:
        pass(s.a, own.magnitude());
        break;
      case Op::log:
        pass(s.a, 1.0 / range(s.a).mignitude());
        break;
      case Op::tan:
        pass(s.a, (one + square(own)).magnitude());
        break;
      case Op::asin:
      case Op::acos:
        pass(s.a, 1.0 / sqrt(one - square(range(s.a))).mignitude());
        break;
      case Op::atan2: {
        const double radius = (square(range(s.a)) + square(range(s.b))).mignitude();
        pass(s.a, range(s.b).magnitude() / radius);
        pass(s.b, range(s.a).magnitude() / radius);
        break;
      }
      case Op::sinh:
      case Op::cosh:
        pass(s.a, cosh(range(s.a)).magnitude());
        break;
      case Op::select: {
        bool first = false;
        if (chosen(range(s.a), first)) {
          pass(first ? s.b : s.c, 1.0);
        } else {
          pass(s.b, 1.0);
          pass(s.c, 1.0);
        }
        // what the choice decides about
        pass(s.a, (range(s.b) - range(s.c)).magnitude());
        break;
      }
      case Op::cell:
        pass(s.a, 1.0);
        pass(s.b, 1.0);
        break;
      case Op::knot:
        pass(s.a, s.table->look_up(s.op, differentiated(s.lookup, true), range(s.a), none, none)
                      .magnitude());
        break;
      case Op::piece: {
        const auto slope = [&](bool in_x) {
          const Interval x = range(s.a), y = range(s.b), cell = range(s.c);
          return s.table->look_up(s.op, differentiated(s.lookup, in_x), x, y, cell).magnitude();
        };
        pass(s.a, slope(true));
        if (s.table->axes() == 2) pass(s.b, slope(false));
        pass(s.c, s.table->jump(s.lookup, range(s.a), range(s.b), range(s.c)));
        break;
      }
      case Op::sign:
      case Op::less:
      case Op::floor:
      case Op::constant:
      case Op::input:
        break;
    }
  }
}

}  // namespace taut::formula
