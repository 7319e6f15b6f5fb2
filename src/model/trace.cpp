// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include <cmath>

#include "../formula/arithmetic.hpp"

namespace taut {

using formula::NodeId;
using formula::Op;
using formula::Sym;

std::vector<Sym> Compiler::Trace::components(const End& end, std::size_t dimension,
                                             bool is_velocity) {
  std::vector<Sym> result;
  for (std::size_t i = 0; i < dimension; ++i) {
    if (end.point != nullptr) {
      result.push_back(coordinate(end.point->first + static_cast<int>(i),
                                  is_velocity ? formula::Slot::v : formula::Slot::q));
    } else {
      const auto node = scope_.anchor(*end.anchor, i, is_velocity, formula_.graph);
      result.emplace_back(formula_.graph, node.value_or(formula_.graph.constant(0.0)));
    }
  }
  return result;
}

double Compiler::Trace::magnitude(NodeId root) const {
  // |value| and the size of its terms, node by node: sums add sizes where values may cancel,
  // products carry the size of each factor to first order, as they do its rounding error
  const formula::Graph& graph = formula_.graph;
  std::vector<double> value(static_cast<std::size_t>(root) + 1, 0.0);
  std::vector<double> size(value.size(), 0.0);
  for (NodeId id = 0; id <= root; ++id) {
    const formula::Node& node = graph[id];
    const auto i = static_cast<std::size_t>(id);
    const auto at = [&](const std::vector<double>& list, NodeId n) {
      return n == formula::no_node ? 0.0 : list[static_cast<std::size_t>(n)];
    };
    if (node.op == Op::constant) {
      value[i] = node.value;
    } else if (node.op == Op::input) {
      const auto k = static_cast<std::size_t>(node.input.index);
      switch (node.input.slot) {
        case formula::Slot::q:
          value[i] = compiler_.q_[static_cast<std::size_t>(scope_.coordinates()[k])];
          break;
        case formula::Slot::parameter:
          value[i] = scope_.parameters()[k];
          break;
        default:
          value[i] = 0.0;
          break;
      }
    } else {
      value[i] =
          formula::evaluate(node.op, at(value, node.a), at(value, node.b), at(value, node.c));
    }
    size[i] = std::abs(value[i]);
    if (node.op == Op::add || node.op == Op::sub)
      size[i] = at(size, node.a) + at(size, node.b);
    else if (node.op == Op::mul)
      size[i] = at(size, node.a) * std::abs(at(value, node.b)) +
                std::abs(at(value, node.a)) * at(size, node.b);
    else if (node.op == Op::div)
      size[i] = at(size, node.a) / std::abs(at(value, node.b));
    else if (node.op == Op::neg)
      size[i] = at(size, node.a);
  }
  const double result = size[static_cast<std::size_t>(root)];
  return std::isfinite(result) && result > 0.0 ? result : 1.0;
}

void Compiler::Trace::finish(const std::string& label) {
  instance_.coordinates = scope_.coordinates();
  instance_.parameters = scope_.parameters();
  instance_.label = label;
  formula_.coordinates = static_cast<int>(instance_.coordinates.size());
  formula_.parameters = static_cast<int>(instance_.parameters.size());
  formula_.rows = static_cast<int>(instance_.rows.size());
  formula_.observables = static_cast<int>(instance_.observables.size());
  compiler_.batches_->add(std::move(formula_), std::move(instance_));
}

}  // namespace taut
