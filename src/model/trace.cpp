// SPDX-License-Identifier: BSD-3-Clause
#include "model/trace.hpp"

#include "model/node_value.hpp"

namespace taut {

using formula::NodeId;
using formula::Number;
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

Number Compiler::Trace::magnitude(NodeId root) const {
  const Number size = rounding_size(formula_.graph, root,
                                    [this](formula::Input input) { return start_value(input); });
  return isfinite(size) && size > 0.0 ? size : Number{1.0};
}

Number Compiler::Trace::larger_magnitude(NodeId root) const {
  constexpr double by_chance = 1e-3;  // so much smaller are terms at one point only
  const Number here = rounding_size(formula_.graph, root,
                                    [this](formula::Input input) { return start_value(input); });
  if (!isfinite(here) || here == 0.0) return 0.0;
  const Number size = rounding_size(formula_.graph, root, [this](formula::Input input) {
    return input.slot == formula::Slot::q
               ? size_of(scope_.coordinates()[static_cast<std::size_t>(input.index)])
               : start_value(input);
  });
  return isfinite(size) && here < by_chance * size ? size : Number{0.0};
}

Number Compiler::Trace::size_of(int coordinate) const {
  const Symbols& symbols = compiler_.symbols_;
  const auto within = [&](int first, int count) {
    return first >= 0 && coordinate >= first && coordinate < first + count;
  };
  for (const auto& [name, body] : symbols.bodies)
    for (const int column : body.column)
      if (within(column, 3)) return 1.0;
  for (const auto& [name, point] : symbols.points) {
    if (!within(point.first, point.dimension)) continue;
    Number distance = 0.0;
    for (int i = 0; i < point.dimension; ++i)
      distance = hypot(distance, compiler_.q_[static_cast<std::size_t>(point.first + i)]);
    return distance;
  }
  return compiler_.q_[static_cast<std::size_t>(coordinate)];
}

int Compiler::Trace::coordinate_of(NodeId node) const {
  const formula::Node& found = formula_.graph[node];
  if (found.op != formula::Op::input || found.input.slot != formula::Slot::q) return -1;
  return scope_.coordinates()[static_cast<std::size_t>(found.input.index)];
}

Number Compiler::Trace::value_at_start(NodeId node) const {
  return node_value(formula_.graph, node,
                    [this](formula::Input input) { return start_value(input); });
}

Number Compiler::Trace::start_value(formula::Input input) const {
  const auto k = static_cast<std::size_t>(input.index);
  switch (input.slot) {
    case formula::Slot::q:
      return compiler_.q_[static_cast<std::size_t>(scope_.coordinates()[k])];
    case formula::Slot::v:
      return compiler_.v_[static_cast<std::size_t>(scope_.coordinates()[k])];
    case formula::Slot::parameter:
      return scope_.parameters()[k];
    case formula::Slot::input:
      return compiler_.symbols_.inputs[k].second;
    case formula::Slot::t:
      return compiler_.start_time_;
    case formula::Slot::theta:
      return compiler_.symbols_.theta_rate * compiler_.start_time_ + compiler_.theta_phase_;
    default:
      return 0.0;
  }
}

void Compiler::Trace::finish(const std::string& label, BatchBuilder& to) {
  instance_.coordinates = scope_.coordinates();
  instance_.parameters = scope_.parameters();
  instance_.label = label;
  formula_.coordinates = static_cast<int>(instance_.coordinates.size());
  formula_.parameters = static_cast<int>(instance_.parameters.size());
  formula_.rows = static_cast<int>(instance_.rows.size());
  formula_.observables = static_cast<int>(instance_.observables.size());
  to.add(std::move(formula_), std::move(instance_));
}

}  // namespace taut
