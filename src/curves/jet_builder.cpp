// SPDX-License-Identifier: BSD-3-Clause
#include <cassert>
#include <limits>
#include <utility>

#include "taut/curves/jet_forms.hpp"

namespace taut {

using formula::NodeId;
using formula::Slot;
using formula::Sym;

JetBuilder::JetBuilder(std::vector<std::string> unknowns, int order, std::string independent) {
  system_.independent = std::move(independent);
  system_.unknowns = std::move(unknowns);
  system_.order = order;
  system_.given.setConstant(system_.size(order), std::numeric_limits<double>::quiet_NaN());
}

NodeId JetBuilder::record(const std::function<Sym(const Jets&)>& formula) {
  formula::Graph& graph = system_.graph;
  // made once for all equations; a copy of the builder has a graph of its own
  if (recorded_ != &graph) {
    const auto jet = [&](Index number) {
      return Sym{graph, graph.input({Slot::q, static_cast<int>(number)})};
    };
    jets_.x = jet(0);
    jets_.y.assign(static_cast<std::size_t>(system_.order) + 1, {});
    for (int i = 0; i <= system_.order; ++i)
      for (Index j = 0; j < system_.n(); ++j)
        jets_.y[static_cast<std::size_t>(i)].push_back(jet(system_.jet(i, j)));
    recorded_ = &graph;
  }
  return formula(jets_).node(graph);
}

JetBuilder& JetBuilder::equation(std::string name, const std::function<Sym(const Jets&)>& zero) {
  system_.equations.push_back({std::move(name), record(zero)});
  return *this;
}

JetBuilder& JetBuilder::invariant(std::string name, const std::function<Sym(const Jets&)>& value) {
  invariants_.push_back(system_.equations.size());
  return equation(std::move(name), value);
}

JetBuilder& JetBuilder::event(std::string name, const std::function<Sym(const Jets&)>& zero,
                              Observable::Direction direction, bool stops) {
  system_.events.push_back({std::move(name), record(zero), direction, stops});
  return *this;
}

JetBuilder& JetBuilder::start(double x, const std::vector<std::vector<double>>& y) {
  assert(y.size() <= static_cast<std::size_t>(system_.order) + 1);
  system_.given[0] = x;
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t j = 0; j < y[i].size(); ++j)
      system_.given[system_.jet(static_cast<int>(i), static_cast<Index>(j))] = y[i][j];
  return *this;
}

JetSystem JetBuilder::build() const {
  JetSystem result = system_;
  for (const std::size_t i : invariants_) {
    NodeId& node = result.equations[i].node;
    const NodeId constant = result.graph.constant(result.value(node, result.given));
    node = result.graph.make(formula::Op::sub, node, constant);
  }
  return result;
}

}  // namespace taut
