// SPDX-License-Identifier: BSD-3-Clause
#include "modes/drive_period.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "formula/arithmetic.hpp"
#include "model/compiled_system.hpp"

namespace taut {
namespace {

using formula::Node;
using formula::NodeId;
using formula::Op;
using formula::Slot;

/// How a node goes with time, as in (1); its value where nothing but numbers is in it.
struct Course {
  bool known = true;
  double rate = 0.0;
  std::vector<double> frequencies = {};
  std::optional<double> value = {};

  [[nodiscard]] bool periodic() const { return known && rate == 0.0; }
};

const Course unknown{.known = false};

Course both(const Course& a, const Course& b, double rate) {
  Course sum{.known = a.known && b.known, .rate = rate, .frequencies = a.frequencies};
  sum.frequencies.insert(sum.frequencies.end(), b.frequencies.begin(), b.frequencies.end());
  return sum;
}

Course turned(Course x, double frequency, double rate) {
  if (frequency != 0.0) x.frequencies.push_back(frequency);
  x.rate = rate;
  return x;
}

/// x times a number.
Course scaled(Course x, const std::optional<double>& factor) {
  if (x.rate == 0.0) return x;
  if (!factor) return unknown;
  x.rate *= *factor;
  return x;
}

/// Of an operation on courses that are known, its value aside.
Course course_of(Op op, const Course& a, const Course& b, const Course& c) {
  const bool still = a.rate == 0.0 && b.rate == 0.0 && c.rate == 0.0;
  switch (op) {
    case Op::add:
      return both(a, b, a.rate + b.rate);
    case Op::sub:
      return both(a, b, a.rate - b.rate);
    case Op::neg:
      return turned(a, 0.0, -a.rate);
    case Op::mul:
      if (still) break;
      if (a.rate == 0.0) return a.value ? scaled(b, a.value) : unknown;
      return b.value ? scaled(a, b.value) : unknown;
    case Op::div:
      if (still) break;
      return b.value ? scaled(a, 1.0 / *b.value) : unknown;
    case Op::sin:
    case Op::cos:
      return turned(a, std::abs(a.rate), 0.0);
    case Op::tan:
      return turned(a, 2 * std::abs(a.rate), 0.0);
    case Op::floor:
      return turned(a, 2 * std::numbers::pi * std::abs(a.rate), a.rate);
    case Op::min:
    case Op::max:
      return a.rate == b.rate ? both(a, b, a.rate) : unknown;
    case Op::less:
      return a.rate == b.rate ? both(a, b, 0.0) : unknown;
    case Op::select: {
      if (a.rate != 0.0 || b.rate != c.rate) return unknown;
      return both(both(b, c, b.rate), a, b.rate);
    }
    default:
      break;
  }
  return still ? both(both(a, b, 0.0), c, 0.0) : unknown;
}

/// Courses of all roots of one instance that say how the model moves; false where one is not known.
bool add_frequencies(const CompiledSystem& model, const Batch& batch, int instance,
                     std::vector<double>& all) {
  const formula::Graph& graph = batch.formula.graph;
  std::vector<Course> courses(static_cast<std::size_t>(graph.size()));
  const Course nothing{.value = 0.0};
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    Course& here = courses[static_cast<std::size_t>(id)];
    if (node.op == Op::constant) {
      here.value = node.value;
      continue;
    }
    if (node.op == Op::input) {
      const int k = node.input.index;
      if (node.input.slot == Slot::t)
        here.rate = 1.0;
      else if (node.input.slot == Slot::theta)
        here.rate = model.theta_rate();
      else if (node.input.slot == Slot::parameter)
        here.value = batch.parameters[static_cast<std::size_t>(k * batch.instances + instance)];
      else if (node.input.slot == Slot::input)
        here.value = model.input(k);
      continue;
    }
    const auto operand = [&](NodeId n) -> const Course& {
      return n == formula::no_node ? nothing : courses[static_cast<std::size_t>(n)];
    };
    const Course &a = operand(node.a), &b = operand(node.b), &c = operand(node.c);
    if (!a.known || !b.known || !c.known) {
      here = unknown;
      continue;
    }
    here = course_of(node.op, a, b, c);
    here.value.reset();
    if (a.value && b.value && c.value && node.lookup.table < 0)
      here.value = formula::evaluate(node.op, *a.value, *b.value, *c.value);
    // an amplitude of 0
    if (node.op == Op::mul && ((a.value && *a.value == 0.0) || (b.value && *b.value == 0.0)))
      here = {.value = 0.0};
  }
  for (const formula::Root& root : batch.formula.roots) {
    if (root.role == formula::Role::observable) continue;
    const Course& course = courses[static_cast<std::size_t>(root.node)];
    if (course.known && course.rate != 0.0 && root.role == formula::Role::constraint)
      all.push_back(std::abs(course.rate));
    else if (!course.periodic())
      return false;
    all.insert(all.end(), course.frequencies.begin(), course.frequencies.end());
  }
  return true;
}

/// x as p / q with a small q: its denominator; 0 where there is none.
int denominator_of(double x) {
  constexpr int most = 1000;
  constexpr double same = 1e-10;
  for (int q = 1; q <= most; ++q)
    if (std::abs(q * x - std::round(q * x)) <= same * std::max(1.0, q * x)) return q;
  return 0;
}

/// The shortest time that is a whole number of periods of all; nothing where there is none below
/// a thousand of the longest.
std::optional<double> common_period(std::vector<double> frequencies) {
  if (frequencies.empty()) return std::nullopt;
  std::sort(frequencies.begin(), frequencies.end());
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()), frequencies.end());
  const double slowest = frequencies.front();
  int turns = 1;
  for (const double w : frequencies) {
    const int q = denominator_of(w / slowest);
    if (q == 0) return std::nullopt;
    turns = std::lcm(turns, q);
    constexpr int most = 1000;
    if (turns > most) return std::nullopt;
  }
  return turns * 2 * std::numbers::pi / slowest;
}

}  // namespace

std::optional<double> drive_period(const System& system) {
  const auto* const model = dynamic_cast<const CompiledSystem*>(system.implementation().model());
  if (model == nullptr || model->has_pairs()) return std::nullopt;
  std::vector<double> frequencies;
  for (const Batch& batch : model->batches()) {
    if (batch.drawn) continue;
    for (int i = 0; i < batch.instances; ++i)
      if (!add_frequencies(*model, batch, i, frequencies)) return std::nullopt;
  }
  return common_period(std::move(frequencies));
}

bool nothing_damps(const System& system) {
  const auto* const model = dynamic_cast<const CompiledSystem*>(system.implementation().model());
  const Structure& structure = system.structure();
  if (model == nullptr || model->has_pairs() || structure.nz > 0) return false;
  for (const Row& row : structure.rows)
    if (row.damping != 0.0) return false;
  for (const Batch& batch : model->batches()) {
    const formula::Graph& graph = batch.formula.graph;
    std::vector<bool> reads(static_cast<std::size_t>(graph.size()));
    const auto of = [&](NodeId n) {
      return n != formula::no_node && reads[static_cast<std::size_t>(n)];
    };
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph[id];
      reads[static_cast<std::size_t>(id)] =
          node.op == Op::input
              ? node.input.slot == Slot::v
              : node.op != Op::constant && (of(node.a) || of(node.b) || of(node.c));
    }
    for (const formula::Root& root : batch.formula.roots)
      if (root.role == formula::Role::force && of(root.node)) return false;
  }
  return true;
}

bool repeats(const System& system, const State& at, double period, const Vec& shift) {
  const Structure& structure = system.structure();
  if (!(period >= 0.0) || (period == 0.0 && shift.size() == 0)) return false;
  Needs wanted = needs(Target::mass, Target::force);
  if (structure.nc > 0)
    wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
                    Target::constraint_curvature);
  Evaluation ev;
  system.prepare(ev);
  // everything one after the other, beside what it is large as
  const auto values = [&](const State& s, Vec& all) {
    const Vec still = Vec::Zero(structure.nc);
    if (const Status st = system.evaluate(
            wanted, {.t = s.t, .q = s.q, .v = s.v, .a = nullptr, .lambda = &still}, ev);
        st != Status::ok)
      return st;
    const Sparse& M = structure.mass_constant ? structure.M : ev.M;
    const Index of_M = M.nonZeros(), of_G = structure.nc > 0 ? ev.G.nonZeros() : 0;
    const Index nc = structure.nc;
    all.resize(structure.nq + of_M + of_G + 3 * nc);
    all << ev.f, Eigen::Map<const Vec>(M.valuePtr(), of_M),
        Eigen::Map<const Vec>(ev.G.valuePtr(), of_G), ev.g.head(nc), ev.g_t.head(nc),
        ev.curvature.head(nc);
    return Status::ok;
  };
  constexpr int looks = 12;
  constexpr double apart = 0.01;
  Vec size, change, here, there;
  for (int k = 0; k < looks; ++k) {
    State s = at;
    // places beside the state, spread evenly without a period: a drive may do nothing at the state
    const auto spread = [](double x) { return x - std::floor(x) - 0.5; };
    for (Index i = 0; i < structure.nq; ++i) {
      const double n = static_cast<double>(i + structure.nq * k);
      s.q[i] += apart * (1.0 + std::abs(s.q[i])) * spread(0.5 + n * std::numbers::phi);
      s.v[i] += apart * (1.0 + std::abs(s.v[i])) * spread(0.3 + n * std::numbers::sqrt2);
    }
    s.t = at.t + period * (0.5 + spread(0.1 + k * std::numbers::phi));
    State later = s;
    later.t = s.t + period;
    if (shift.size() > 0) later.q += shift;
    if (values(s, here) != Status::ok || values(later, there) != Status::ok) continue;
    if (size.size() == 0) size = change = Vec::Zero(here.size());
    size = size.cwiseMax(here.cwiseAbs());
    change = change.cwiseMax((there - here).cwiseAbs());
  }
  constexpr double same = 1e-8;
  const double largest = size.size() > 0 ? size.head(structure.nq).maxCoeff() : 0.0;
  for (Index i = 0; i < change.size(); ++i)
    if (change[i] > same * std::max(size[i], i < structure.nq ? 1e-3 * largest : 0.0) + 1e-14)
      return false;
  return true;
}

namespace {

constexpr double turn = 2 * std::numbers::pi;

bool is_angle(const System& system, const State& at, Index i) {
  return repeats(system, at, 0.0, turn * Vec::Unit(at.q.size(), i)) &&
         !repeats(system, at, 0.0, Vec::Unit(at.q.size(), i));
}

}  // namespace

std::vector<Index> angles_of(const System& system, const State& at) {
  std::vector<Index> found;
  // each costs some evaluations of the model
  constexpr Index most = 200;
  if (system.structure().places() > most) return found;
  for (Index i = 0; i < system.structure().places(); ++i)
    if (is_angle(system, at, i)) found.push_back(i);
  return found;
}

Vec whole_turns(const System& system, const State& from, const Vec& to, double period) {
  Vec turns = Vec::Zero(from.q.size());
  for (Index i = 0; i < system.structure().places(); ++i)
    turns[i] = turn * std::round((to[i] - from.q[i]) / turn);
  if (turns.isZero(0.0)) return turns;
  // driven ones go with time, the others by themselves
  if (!system.structure().constraint_uses_time || repeats(system, from, period))
    period = 0.0;
  else if (repeats(system, from, period, turns))
    return turns;
  Vec kept = turns;
  for (Index i = 0; i < turns.size(); ++i)
    if (turns[i] != 0.0 && !is_angle(system, from, i)) kept[i] = 0.0;
  return period == 0.0 || repeats(system, from, period, kept) ? kept : Vec{Vec::Zero(turns.size())};
}

}  // namespace taut
