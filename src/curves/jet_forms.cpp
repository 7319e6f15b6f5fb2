// SPDX-License-Identifier: BSD-3-Clause
#include "taut/curves/jet_forms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/name_list.hpp"
#include "curves/jet_curve.hpp"
#include "formula/derivative.hpp"
#include "model/node_value.hpp"
#include "model/pattern.hpp"

namespace taut {
namespace {

using formula::Graph;
using formula::NodeId;
using formula::Role;
using formula::Slot;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// One equation with a graph of its own, in which equal equations of other unknowns look the same.
struct LocalEquation {
  formula::Formula formula;  // one root
  Instance instance;
  int order = -1;  // of the highest derivative it reads; -1: none of the unknowns
  /// Derivatives by the jets of order q: which unknown, and the value if it is constant (else NaN).
  std::vector<std::pair<int, double>> top;
  std::string curved;  // an unknown whose derivative of order q is not linear in it; empty: none
};

/// Copies what `root` is made of, node by node in their order, into the equation's own graph.
void copy_into(const Graph& from, NodeId root, LocalEquation& to, std::vector<int>& jets) {
  std::vector<NodeId> reached{root};
  std::unordered_map<NodeId, NodeId> copy{{root, formula::no_node}};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const formula::Node& node = from[reached[i]];
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand != formula::no_node && copy.try_emplace(operand, formula::no_node).second)
        reached.push_back(operand);
  }
  std::sort(reached.begin(), reached.end());
  Graph& graph = to.formula.graph;
  std::unordered_map<int, int> local;
  for (const NodeId id : reached) {
    const formula::Node& node = from[id];
    const auto operand = [&](NodeId a) { return a == formula::no_node ? a : copy.at(a); };
    if (node.op == formula::Op::constant) {
      copy[id] = graph.constant(node.value);
    } else if (node.op == formula::Op::input) {
      const auto [it, is_new] = local.try_emplace(node.input.index, static_cast<int>(jets.size()));
      if (is_new) jets.push_back(node.input.index);
      copy[id] = graph.input({Slot::q, it->second});
    } else {
      copy[id] = graph.make_like(from, node, operand(node.a), operand(node.b), operand(node.c));
    }
  }
  to.formula.roots = {{Role::constraint, copy.at(root), 0}};
}

LocalEquation localise(const JetSystem& system, const JetSystem::Equation& equation) {
  LocalEquation result;
  std::vector<int>& jets = result.instance.coordinates;
  copy_into(system.graph, equation.node, result, jets);
  result.formula.coordinates = static_cast<int>(jets.size());
  result.instance.label = equation.name;

  const int first_top = static_cast<int>(system.jet(system.order, 0));
  Graph graph = result.formula.graph;  // grows by derivatives
  formula::Derivatives derivatives{graph};
  const NodeId root = result.formula.roots.front().node;
  for (const formula::Partial& partial : derivatives.gradient(root, Slot::q)) {
    const int jet = jets[static_cast<std::size_t>(partial.index)];
    if (jet > 0) result.order = std::max(result.order, (jet - 1) / static_cast<int>(system.n()));
    if (jet < first_top) continue;
    const bool is_constant = graph.is_constant(partial.node);
    result.top.emplace_back(jet - first_top, is_constant ? graph[partial.node].value : nan);
    for (const int i : derivatives.support(partial.node, Slot::q))
      if (jets[static_cast<std::size_t>(i)] >= first_top) result.curved = system.name_of(jet);
  }
  return result;
}

std::vector<LocalEquation> localise(const JetSystem& system) {
  std::vector<LocalEquation> result;
  result.reserve(system.equations.size());
  for (const JetSystem::Equation& equation : system.equations)
    result.push_back(localise(system, equation));
  return result;
}

/// What no form can be made of.
std::string refusal(const JetSystem& system, const std::vector<LocalEquation>& equations) {
  if (system.n() == 0) return "the system has no unknowns";
  std::vector<bool> appears(static_cast<std::size_t>(system.n()), false);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const LocalEquation& equation = equations[i];
    const NodeId root = equation.formula.roots.front().node;
    const Graph& graph = equation.formula.graph;
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (!graph.is_constant(id) || std::isfinite(graph[id].value)) continue;
      return fmt::format(
          "equation '{}' contains a constant that is not finite; the start must give what an "
          "invariant reads",
          equation.instance.label);
    }
    if (graph.is_constant(root))
      return fmt::format("equation '{}' contains no unknown: it says {:g} = 0",
                         equation.instance.label, graph[root].value);
    for (const int jet : equation.instance.coordinates)
      if (jet > 0) appears[static_cast<std::size_t>((jet - 1) % system.n())] = true;
  }
  for (std::size_t j = 0; j < appears.size(); ++j)
    if (!appears[j])
      return fmt::format("the unknown {} appears in no equation", system.unknowns[j]);
  return {};
}

/// Collects what becomes f, and what gives rows (2) of JetCurve.
class FormBuilder {
 public:
  /// Jets of order `highest` are the last coordinates of p.
  FormBuilder(const JetSystem& system, int highest)
      : system_{system}, n_{system.n()}, m_{system.size(highest)} {
    for (Index i = 0; i < m_; ++i) structure_.coordinates.push_back(system.name_of(i));
    point_ = Vec::Zero(m_);
    for (Index i = 0; i < m_; ++i)
      point_[i] = std::isfinite(system.given[i]) ? system.given[i] : 1.0;
  }

  /// A row of f.
  void constraint(LocalEquation equation) {
    const int row = static_cast<int>(structure_.rows.size());
    const auto& jets = equation.instance.coordinates;
    const double size = rounding_size(
        equation.formula.graph, equation.formula.roots.front().node,
        [&](formula::Input input) { return point_[jets[static_cast<std::size_t>(input.index)]]; });
    structure_.rows.push_back(
        {.name = equation.instance.label, .scale = std::isfinite(size) && size > 0.0 ? size : 1.0});
    equation.instance.rows = {row};
    equation.formula.rows = 1;
    batches_.add(std::move(equation.formula), std::move(equation.instance));
  }

  /// A row A y_q + a~ of the distribution; y_q stands in place of the first velocities.
  void quasilinear(const LocalEquation& equation) {
    const int number = static_cast<int>(structure_.observables.size());
    structure_.observables.push_back({.name = equation.instance.label});
    const auto& jets = equation.instance.coordinates;
    formula::Formula formula;
    Instance instance;
    instance.label = equation.instance.label;
    const auto local = [&](int coordinate) {
      const auto found =
          std::find(instance.coordinates.begin(), instance.coordinates.end(), coordinate);
      const auto index = found - instance.coordinates.begin();
      if (found == instance.coordinates.end()) instance.coordinates.push_back(coordinate);
      return static_cast<int>(index);
    };
    const NodeId root = formula::copy(
        equation.formula.graph, equation.formula.roots.front().node,
        [&](formula::Input input, Graph& to) {
          const int jet = jets[static_cast<std::size_t>(input.index)];
          if (jet < m_) return to.input({Slot::q, local(jet)});
          return to.input({Slot::v, local(jet - static_cast<int>(m_))});
        },
        formula.graph);
    formula.roots = {{Role::observable, root, 0}};
    formula.observables = 1;
    formula.coordinates = static_cast<int>(instance.coordinates.size());
    instance.observables = {number};
    tops_.push_back(equation.top);
    batches_.add(std::move(formula), std::move(instance));
  }

  /// The derivative of a row of f becomes one of the distribution.
  void tangent(int row, std::vector<std::pair<int, double>> top) {
    tangent_.push_back(row);
    tops_.push_back(std::move(top));
  }

  [[nodiscard]] CurveForm finish(DistributionMethod wanted) {
    JetCurve::Parts parts;
    parts.n = n_;
    parts.tangent = tangent_;
    parts.system = std::make_shared<const CompiledSystem>(batches_.finish(), std::move(structure_),
                                                          std::vector<PairField>{}, 0.0, 0.0);
    const Structure& s = parts.system->structure();
    CurveStructure& c = parts.structure;
    c.m = s.nq;
    c.k = s.nc;
    c.coordinates = s.coordinates;
    c.scale.resize(c.k);
    for (Index r = 0; r < c.k; ++r) {
      c.rows.push_back(s.rows[static_cast<std::size_t>(r)].name);
      c.scale[r] = s.rows[static_cast<std::size_t>(r)].scale;
    }
    c.df = s.G;
    c.d2f = s.H;
    c.second_derivatives = true;
    c.uses_x = false;
    for (Index r = 0; r < c.k; ++r) {
      const Sparse::InnerIterator first{c.df, r};
      c.uses_x |= first && first.col() == 0;
      const Index last = c.df.outerIndexPtr()[r + 1] - 1;
      if (last < c.df.outerIndexPtr()[r] || c.df.innerIndexPtr()[last] < c.m - n_)
        parts.inherited.push_back(static_cast<int>(r));
    }
    parts.distribution = Distribution{rows(s), wanted};
    CurveForm form;
    form.reason = parts.distribution.reason();
    form.distribution = parts.distribution.method();
    if (!form.reason.empty()) return form;
    c.x_grows = parts.distribution.needs_b_alone();
    auto curve = std::make_shared<JetCurve>(std::move(parts));
    curve->choose_rows(point_);
    form.curve = Curve{std::move(curve)};
    return form;
  }

 private:
  /// Patterns of (2), then (3).
  Distribution::Rows rows(const Structure& s) const {
    Distribution::Rows result;
    const auto a = static_cast<int>(s.observables.size());
    Pattern pattern;
    for (int r = 0; r < a; ++r) {
      result.names.push_back(s.observables[static_cast<std::size_t>(r)].name);
      for (Sparse::InnerIterator e{s.observable_v, r}; e; ++e)
        pattern.add(r, static_cast<int>(e.col()));
    }
    const Index top = m_ - n_;
    for (int t = 0; t < static_cast<int>(tangent_.size()); ++t) {
      const int row = tangent_[static_cast<std::size_t>(t)];
      result.names.push_back(s.rows[static_cast<std::size_t>(row)].name);
      for (Sparse::InnerIterator e{s.G, row}; e; ++e)
        if (e.col() >= top) pattern.add(a + t, static_cast<int>(e.col() - top));
    }
    result.pattern = pattern.matrix(static_cast<Index>(tops_.size()), n_);
    for (Index r = 0; r < result.pattern.rows(); ++r) {
      for (Sparse::InnerIterator e{result.pattern, r}; e; ++e) {
        const auto& entries = tops_[static_cast<std::size_t>(r)];
        const auto found = std::find_if(entries.begin(), entries.end(),
                                        [&](const auto& entry) { return entry.first == e.col(); });
        result.constants.push_back(found == entries.end() ? nan : found->second);
      }
    }
    for (Index j = 0; j < n_; ++j)
      result.unknowns.push_back(system_.name_of(system_.jet(system_.order, j)));
    return result;
  }

  const JetSystem& system_;
  Index n_, m_;
  Vec point_;  // the start as far as it is given, 1 elsewhere
  Structure structure_;
  BatchBuilder batches_{0.0};
  std::vector<int> tangent_;
  std::vector<std::vector<std::pair<int, double>>> tops_;  // of each row of the distribution
};

std::string too_few(const JetSystem& system, std::size_t rows, std::string_view what) {
  std::vector<std::string> names;
  for (Index j = 0; j < system.n(); ++j)
    names.push_back(system.name_of(system.jet(system.order, j)));
  return fmt::format(
      "wrong number of equations: {} {} for the {} unknowns {}; add equations, such as derivatives "
      "of those that are stated (`taut complete` finds them)",
      rows, what, system.n(), list_of_names(names));
}

}  // namespace

CurveForm general_form(const JetSystem& system, DistributionMethod distribution) {
  std::vector<LocalEquation> equations = localise(system);
  if (std::string why = refusal(system, equations); !why.empty()) return {.reason = std::move(why)};
  FormBuilder builder{system, system.order};
  std::size_t rows = 0;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    if (equations[i].order == system.order) {
      builder.tangent(static_cast<int>(i), equations[i].top);
      ++rows;
    }
    builder.constraint(std::move(equations[i]));
  }
  if (rows < static_cast<std::size_t>(system.n()))
    return {.reason = too_few(system, rows,
                              fmt::format("contain derivatives of order {}", system.order))};
  return builder.finish(distribution);
}

CurveForm invariants_form(const JetSystem& system, DistributionMethod distribution) {
  std::vector<LocalEquation> equations = localise(system);
  if (std::string why = refusal(system, equations); !why.empty()) return {.reason = std::move(why)};
  const int q = system.order;
  if (q == 0) return {.reason = "the form with invariants needs derivatives, and there are none"};
  std::size_t rows = 0;
  for (const LocalEquation& equation : equations) {
    if (!equation.curved.empty())
      return {.reason = fmt::format(
                  "equation '{}' is not linear in {}, or multiplies derivatives of order {} with "
                  "one another: the form with invariants needs A y_q + f = 0",
                  equation.instance.label, equation.curved, q)};
    rows += equation.order == q;
  }
  FormBuilder builder{system, q - 1};
  for (const LocalEquation& equation : equations)
    if (equation.order == q) builder.quasilinear(equation);
  // where they are too few, what M is made of must be kept
  const bool adds_tangents = rows < static_cast<std::size_t>(system.n());
  int row = 0;
  for (LocalEquation& equation : equations) {
    if (equation.order == q) continue;
    if (adds_tangents && equation.order == q - 1) {
      builder.tangent(row, {});
      ++rows;
    }
    builder.constraint(std::move(equation));
    ++row;
  }
  if (rows < static_cast<std::size_t>(system.n()))
    return {.reason = too_few(system, rows,
                              fmt::format("contain derivatives of order {} or {}", q, q - 1))};
  return builder.finish(distribution);
}

}  // namespace taut
