// SPDX-License-Identifier: BSD-3-Clause
#include "curves/curve_features.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "curves/expression_text.hpp"
#include "formula/enclosure.hpp"
#include "model/watched_batch.hpp"

namespace taut {

using formula::NodeId;
using formula::Slot;

CurveFeatures features_of(const JetSystem& system) {
  CurveFeatures features;
  features.frozen = system;
  features.orders.assign(system.unknowns.size(), 0);
  for (const JetSystem::Equation& equation : system.equations)
    for (const Index jet : system.reads(equation.node))
      if (jet > 0) {
        Index& most = features.orders[static_cast<std::size_t>((jet - 1) % system.n())];
        most = std::max(most, (jet - 1) / system.n());
      }
  formula::Formula formula;
  formula.graph = system.graph;
  formula.coordinates = static_cast<int>(system.size(system.order));
  formula.rows = static_cast<int>(system.equations.size());
  for (std::size_t e = 0; e < system.equations.size(); ++e)
    formula.roots.push_back(
        {formula::Role::constraint, system.equations[e].node, static_cast<int>(e)});
  if (!formula::has_switches(formula)) return features;
  formula::Frozen frozen = formula::freeze(formula);
  features.frozen.graph = std::move(frozen.formula.graph);
  features.frozen.events.clear();  // they stay as they are written
  features.frozen.outputs.clear();
  for (std::size_t e = 0; e < system.equations.size(); ++e)
    features.frozen.equations[e].node = frozen.formula.roots[e].node;
  features.guards = std::move(frozen.guards);
  return features;
}

bool may_be_missed(const CurveFeatures& features) {
  if (!features.guards.empty()) return true;
  std::vector<NodeId> roots;
  for (const JetSystem::Equation& equation : features.frozen.equations)
    roots.push_back(equation.node);
  const formula::Graph& graph = features.frozen.graph;
  const formula::EnclosedGraph enclosed{graph, roots};
  for (NodeId id = 0; id < graph.size(); ++id)
    if (enclosed.place(id) >= 0 && is_steep(enclosed, graph, id)) return true;
  return false;
}

JetSystem CurveFeatures::with(const std::vector<double>& sides, const Vec& given) const {
  JetSystem smooth;
  smooth.independent = frozen.independent;
  smooth.unknowns = frozen.unknowns;
  smooth.order = frozen.order;
  smooth.given = given;
  formula::Copier copier{frozen.graph, smooth.graph, [&](formula::Input input, formula::Graph& to) {
                           return input.slot == Slot::mode
                                      ? to.constant(sides[static_cast<std::size_t>(input.index)])
                                      : to.input(input);
                         }};
  for (const JetSystem::Equation& equation : frozen.equations)
    smooth.equations.push_back({equation.name, copier(equation.node), equation.line});
  return smooth;
}

std::string CurveFeatures::label(std::size_t guard) const {
  const formula::Guard& g = guards[guard];
  const JetSystem::Equation& equation = frozen.equations[g.root];
  // without the modes of other switches it says what a user has written
  std::string at;
  if ((frozen.graph.reads(g.node) & formula::mask(Slot::mode)) == 0)
    at = fmt::format(" where {} {}",
                     expression_text(
                         frozen.graph, g.node, [&](int jet) { return frozen.name_of(jet); }, 60),
                     g.kind == formula::Guard::Kind::floor ? "is whole" : "is 0");
  const std::string line = equation.line > 0 ? fmt::format(" (line {})", equation.line) : "";
  const bool named = !equation.name.starts_with("equation");
  return fmt::format("{}{} switches{}",
                     named ? fmt::format("equation '{}'", equation.name) : equation.name, line, at);
}

}  // namespace taut
