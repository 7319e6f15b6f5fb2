// SPDX-License-Identifier: BSD-3-Clause
#include "model/trace.hpp"

#include <algorithm>

#include "formula/derivative.hpp"
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
  for (std::size_t i = 0; i < F.size(); ++i) force(body.first + static_cast<int>(i), F[i]);
  // of x + Σ p_c r_c: p_c F on r_c
  for (std::size_t c = 0; c < 3; ++c) {
    if (end.marker->at[c] == 0.0) continue;
    const Sym p = parameter(end.marker->at[c]);
    std::vector<Sym> on_column;
    for (const Sym& component : F) on_column.push_back(p * component);
    force_on_column(body, c, on_column);
  }
}

// F on r_c; where r_c = r_a x r_b, r_b x F on r_a and F x r_a on r_b; in the plane F . dr_c/da on a
void Compiler::Trace::force_on_column(const Symbols::BodyEntry& body, std::size_t c,
                                      const std::vector<Sym>& F) {
  if (body.planar()) {
    // dr_1/da = r_2, dr_2/da = -r_1
    const auto other = column(body, 1 - c);
    const Sym work = F[0] * other[0] + F[1] * other[1];
    force(body.angle, c == 0 ? work : -work);
    return;
  }
  const auto cross = [](const std::vector<Sym>& a, const std::vector<Sym>& b, std::size_t i) {
    return a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  };
  const std::size_t a = (c + 1) % 3, b = (c + 2) % 3;
  for (std::size_t i = 0; i < 3; ++i) {
    const int row = static_cast<int>(i);
    if (body.column[c] >= 0) {
      force(body.column[c] + row, F[i]);
    } else {
      force(body.column[a] + row, cross(column(body, b), F, i));
      force(body.column[b] + row, cross(F, column(body, a), i));
    }
  }
}

// Where the body turns by δφ, δr_c = δφ x r_c. With F_c = τ x r_c / 2 on each column the work is
// Σ F_c . δr_c = Σ (τ x r_c) . (δφ x r_c) / 2 = Σ (τ . δφ - (τ . r_c)(δφ . r_c)) / 2 = τ . δφ,
// and none is done against the rows that keep R a rotation: Σ F_c . (S r_c) = 0 for symmetric S.
void Compiler::Trace::torque(const Symbols::BodyEntry& body, const std::vector<Sym>& torque) {
  if (body.planar()) {
    force(body.angle, torque[0]);
    return;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    const auto r = column(body, c);
    std::vector<Sym> F;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      F.push_back(0.5 * (torque[j] * r[k] - torque[k] * r[j]));
    }
    force_on_column(body, c, F);
  }
}

void Compiler::Trace::force_on(const Sym& on, const Sym& value) {
  formula::Derivatives derivatives{formula_.graph};
  for (const formula::Partial& partial :
       derivatives.gradient(on.node(formula_.graph), formula::Slot::q))
    root(formula::Role::force, value * Sym{formula_.graph, partial.node}, partial.index);
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
    for (const int column : {body.column[0], body.column[1], body.column[2], body.angle})
      if (within(column, column == body.angle ? 1 : 3)) return 1.0;
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
      return k < compiler_.symbols_.inputs.size() ? compiler_.symbols_.inputs[k].second
                                                  : Number{0.0};  // no turn yet
    case formula::Slot::t:
      return compiler_.start_time_;
    case formula::Slot::theta:
      return compiler_.symbols_.theta_rate * compiler_.start_time_ + compiler_.theta_phase_;
    default:
      return 0.0;
  }
}

void Compiler::Trace::finish(const std::string& label) {
  const bool moves =
      std::any_of(formula_.roots.begin(), formula_.roots.end(),
                  [](const auto& root) { return root.role == formula::Role::kinetic; });
  std::vector<bool>& found = compiler_.has_kinetic_energy_;
  found.resize(compiler_.q_.size(), false);
  const formula::Graph& graph = formula_.graph;
  for (NodeId node = 0; moves && node < graph.size(); ++node)
    if (graph[node].op == formula::Op::input && graph[node].input.slot == formula::Slot::v)
      found[static_cast<std::size_t>(
          scope_.coordinates()[static_cast<std::size_t>(graph[node].input.index)])] = true;
  finish(label, *compiler_.batches_);
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
