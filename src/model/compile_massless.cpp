// SPDX-License-Identifier: BSD-3-Clause
// Coordinates without inertia that a constraint determines. A rigid row g(q, t) = 0, or a condition
// on velocities A v + b = 0, holds along every motion, and with it vanishes
//
//   g' = G v + g_t,   of a condition on velocities the row itself,                             (1)
//
// and the derivatives of g'. So does the energy
//
//   T_s = κ/2 (g')²                                                                            (2)
//
// and its part of the equations of motion, κ Gᵀ g'' + κ (dG/dt - ∂g'/∂q)ᵀ g' = 0: motion and
// multipliers are those without it. But the mass matrix becomes M + κ GᵀG, which is regular where M
// is on what the rows allow, G v = 0. For rows that read a coordinate without inertia κ is the mass
// that resists them at the start, from the masses of their other coordinates,
//
//   1/κ = Σ G_i²/m_i;   where there are none, κ Σ G_i² = 1 kg over all coordinates.            (3)
#include <algorithm>
#include <array>

#include "formula/derivative.hpp"
#include "model/element.hpp"

namespace taut {

Compiler::RecordedRow Compiler::recorded(const Trace& trace, int number) {
  return {trace.formula(), trace.coordinates(), trace.parameters(), number};
}

Sym Compiler::copied(const RecordedRow& row, Trace& to) {
  const auto place = [](const formula::Input& input) {
    return static_cast<std::size_t>(input.index);
  };
  const auto substitute = [&](formula::Input input, formula::Graph& graph) {
    switch (input.slot) {
      case Slot::q:
      case Slot::v:
        return to.coordinate(row.coordinates[place(input)], input.slot).node(graph);
      case Slot::parameter:
        return to.parameter(row.parameters[place(input)]).node(graph);
      default:
        return graph.input(input);
    }
  };
  formula::Copier copy{row.formula.graph, to.graph(), substitute};
  return {to.graph(), copy(row.formula.roots.back().node)};
}

void Compiler::note_determining(const Trace& trace, int number, const Number& compliance) {
  const std::vector<int>& read = trace.coordinates();
  const bool massless = std::any_of(read.begin(), read.end(), [&](int coordinate) {
    return mass_[static_cast<std::size_t>(coordinate)] == 0.0;
  });
  if (massless && compliance == 0.0) determining_rows_.push_back(recorded(trace, number));
}

void Compiler::give_inertia_to_determined() {
  has_kinetic_energy_.resize(q_.size(), false);
  const std::vector<bool> has_inertia = has_kinetic_energy_;
  for (const RecordedRow& row : determining_rows_) {
    const bool needed = std::any_of(
        row.coordinates.begin(), row.coordinates.end(),
        [&](int coordinate) { return !has_inertia[static_cast<std::size_t>(coordinate)]; });
    if (!needed) continue;
    const std::string label =
        "inertia from " + structure_.rows[static_cast<std::size_t>(row.number)].name;
    Trace trace{*this, time | positions | velocities, label};
    formula::Graph& graph = trace.graph();
    const Sym g = copied(row, trace);
    const bool of_velocities = row.formula.roots.back().role == Role::rolling;
    formula::Derivatives derivatives{graph};
    Number resistance = 0.0, square = 0.0;  // (3)
    for (const formula::Partial& partial :
         derivatives.gradient(g.node(graph), of_velocities ? Slot::v : Slot::q)) {
      const Number slope = trace.value_at_start(partial.node);
      if (!isfinite(slope)) continue;
      square += slope * slope;
      const auto coordinate =
          static_cast<std::size_t>(trace.coordinates()[static_cast<std::size_t>(partial.index)]);
      if (mass_[coordinate] > 0.0) resistance += slope * slope / mass_[coordinate];
    }
    if (resistance == 0.0) resistance = square;
    if (resistance == 0.0) continue;
    Sym rate = g;
    if (!of_velocities) {
      std::vector<formula::Seed> seeds{
          {graph.input({Slot::t, 0}), graph.constant(1.0)},
          {graph.input({Slot::theta, 0}), graph.constant(symbols_.theta_rate)}};
      for (const int coordinate : row.coordinates)
        seeds.push_back({trace.coordinate(coordinate, Slot::q).node(graph),
                         trace.coordinate(coordinate, Slot::v).node(graph)});
      derivatives.direction(seeds);
      rate = Sym{graph, derivatives.along(g.node(graph))};  // (1)
    }
    trace.root(Role::kinetic, 0.5 / trace.parameter(resistance) * rate * rate);  // (2)
    trace.finish(label);
  }
}

}  // namespace taut
