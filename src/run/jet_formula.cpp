// SPDX-License-Identifier: BSD-3-Clause
#include "run/jet_formula.hpp"

#include <algorithm>

namespace taut {

using formula::Enclosure;
using formula::Input;
using formula::NodeId;
using formula::Slot;

namespace {

// behind all unknowns beside a curve
constexpr int nowhere = 1 << 29;

Index find(const std::vector<std::string>& names, const std::string& name) {
  const auto place = std::find(names.begin(), names.end(), name);
  return place == names.end() ? -1 : place - names.begin();
}

}  // namespace

JetReading reading_of(const JetSystem& system, const CurveStructure& structure,
                      const std::vector<std::string>& unknowns, Index jet) {
  using From = JetReading::From;
  if (const Index own = find(structure.coordinates, system.name_of(jet)); own >= 0)
    return {From::coordinate, own};
  if (const Index beside = find(unknowns, system.name_of(jet)); beside >= 0)
    return {From::unknown, beside};
  if (jet < 1 + system.n()) return {};
  const Index below = find(structure.coordinates, system.name_of(jet - system.n()));
  return {below >= 0 ? From::derivative : From::nowhere, below};
}

JetFormula::JetFormula(const JetSystem& system, const CurveStructure& structure,
                       const std::vector<std::string>& unknowns, const formula::Graph& graph,
                       std::span<const NodeId> roots)
    : graph_{{}, {}} {
  formula::Copier copier{
      graph, own_, [&](Input input, formula::Graph& to) {
        if (input.slot == Slot::mode) return to.input(input);
        const auto [from, place] = reading_of(system, structure, unknowns, input.index);
        const int at = static_cast<int>(place);
        NodeId node = to.constant(0.0);
        switch (from) {
          case JetReading::From::coordinate:
            node = to.input({Slot::q, at});
            break;
          case JetReading::From::unknown:
            reads_unknowns_ = true;
            node = to.input({Slot::parameter, at});
            break;
          case JetReading::From::derivative:
            reads_direction_ = true;
            node = to.make(formula::Op::div, to.input({Slot::v, at}), to.input({Slot::v, 0}));
            break;
          case JetReading::From::nowhere:
            if (missing_.empty()) missing_ = system.name_of(input.index);
            break;
        }
        if (input.index > 0) jet_nodes_.push_back(node);
        return node;
      }};
  for (const NodeId root : roots) roots_.push_back(copier(root));
  graph_ = formula::EnclosedGraph{own_, roots_};
  for (const NodeId root : roots_) places_.push_back(graph_.place(root));
  for (const NodeId jet : jet_nodes_)
    if (graph_.place(jet) >= 0) jets_.push_back(graph_.place(jet));
}

void JetFormula::on(const Tube& tube, std::span<const double> modes, double c, double r,
                    std::vector<Enclosure>& inputs) const {
  inputs.clear();
  for (const Input& input : graph_.inputs()) {
    switch (input.slot) {
      case Slot::q:
        inputs.push_back(tube.q(input.index, c, r));
        break;
      case Slot::v:
        inputs.push_back(tube.v(input.index, c, r));
        break;
      case Slot::mode: {
        const double mode = modes[static_cast<std::size_t>(input.index)];
        inputs.push_back({.value = formula::point(mode), .middle = mode});
        break;
      }
      default:
        inputs.push_back({.value = formula::whole_line, .rate = formula::whole_line});
        break;
    }
  }
}

void JetFormula::at(const Vec& p, const Vec& V, std::span<const double> modes, const Vec& unknowns,
                    std::vector<Enclosure>& inputs) const {
  inputs.clear();
  for (const Input& input : graph_.inputs()) {
    const Index i = input.index;
    double x = 0.0;
    formula::Interval rate{0.0, 0.0};
    switch (input.slot) {
      case Slot::q:
        x = p[i];
        rate = formula::point(V[i]);
        break;
      case Slot::v:
        x = V[i];
        rate = formula::whole_line;
        break;
      case Slot::mode:
        x = modes[static_cast<std::size_t>(i)];
        break;
      default:
        x = i < unknowns.size() ? unknowns[i] : 0.0;
        rate = formula::whole_line;
        break;
    }
    inputs.push_back({.value = formula::point(x), .rate = rate, .middle = x});
  }
}

}  // namespace taut
