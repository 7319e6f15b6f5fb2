// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include <array>
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
    } else if (end.marker != nullptr) {
      result.emplace_back(formula_.graph,
                          scope_.marker(*end.marker, i, is_velocity, formula_.graph));
    } else {
      const auto node = scope_.anchor(*end.anchor, i, is_velocity, formula_.graph);
      result.emplace_back(formula_.graph, node.value_or(formula_.graph.constant(0.0)));
    }
  }
  return result;
}

void Compiler::Trace::force(const End& end, const std::vector<Sym>& F) {
  if (end.point != nullptr)
    for (std::size_t i = 0; i < F.size(); ++i) force(end.point->first + static_cast<int>(i), F[i]);
  if (end.marker == nullptr) return;
  const Symbols::BodyEntry& body = end.marker->body;
  for (std::size_t i = 0; i < 3; ++i) force(body.first + static_cast<int>(i), F[i]);
  // of x + Σ p_c r_c: p_c F on r_c; and where r_c = r_a x r_b, p_c r_b x F on r_a, p_c F x r_a on
  // r_b
  const auto cross = [](const std::vector<Sym>& a, const std::vector<Sym>& b, std::size_t i) {
    return a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  };
  for (std::size_t c = 0; c < 3; ++c) {
    if (end.marker->at[c] == 0.0) continue;
    const Sym p = parameter(end.marker->at[c]);
    const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
    for (std::size_t i = 0; i < 3; ++i) {
      const int row = static_cast<int>(i);
      if (body.column[c] >= 0) {
        force(body.column[c] + row, p * F[i]);
      } else {
        force(body.column[a] + row, p * cross(column(body, b), F, i));
        force(body.column[b] + row, p * cross(F, column(body, a), i));
      }
    }
  }
}

double Compiler::Trace::magnitude(NodeId root) const {
  // value of each node and its rounding error in units of epsilon, to first order:
  // E(f(a, b)) = |f_a| E(a) + |f_b| E(b) + |f|
  const formula::Graph& graph = formula_.graph;
  std::vector<double> value(static_cast<std::size_t>(root) + 1, 0.0);
  std::vector<double> error(value.size(), 0.0);
  for (NodeId id = 0; id <= root; ++id) {
    const formula::Node& node = graph[id];
    const auto i = static_cast<std::size_t>(id);
    if (node.op == Op::constant) {
      value[i] = node.value;
    } else if (node.op == Op::input) {
      value[i] = start_value(node.input);
    } else {
      const std::array operands{node.a, node.b, node.c};
      std::array<double, 3> x{};
      for (std::size_t k = 0; k < x.size(); ++k)
        if (operands[k] != formula::no_node) x[k] = value[static_cast<std::size_t>(operands[k])];
      value[i] = formula::evaluate(node.op, x[0], x[1], x[2]);
      for (std::size_t k = 0; k < x.size(); ++k) {
        if (operands[k] == formula::no_node) continue;
        // slopes by differences: two digits are plenty here
        const double d = 1e-5 * (std::abs(x[k]) + 1e-5);
        auto above = x, below = x;
        above[k] += d;
        below[k] -= d;
        const double slope = (formula::evaluate(node.op, above[0], above[1], above[2]) -
                              formula::evaluate(node.op, below[0], below[1], below[2])) /
                             (2.0 * d);
        if (std::isfinite(slope))
          error[i] += std::abs(slope) * error[static_cast<std::size_t>(operands[k])];
      }
    }
    error[i] += std::abs(value[i]);
  }
  const double result = error[static_cast<std::size_t>(root)];
  return std::isfinite(result) && result > 0.0 ? result : 1.0;
}

double Compiler::Trace::start_value(formula::Input input) const {
  const auto k = static_cast<std::size_t>(input.index);
  switch (input.slot) {
    case formula::Slot::q:
      return compiler_.q_[static_cast<std::size_t>(scope_.coordinates()[k])];
    case formula::Slot::v:
      return compiler_.v_[static_cast<std::size_t>(scope_.coordinates()[k])];
    case formula::Slot::parameter:
      return scope_.parameters()[k];
    case formula::Slot::t:
      return compiler_.given_.t;
    case formula::Slot::theta:
      return compiler_.symbols_.theta_rate * compiler_.given_.t + compiler_.theta_phase_;
    default:
      return 0.0;
  }
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
