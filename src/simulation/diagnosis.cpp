// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/diagnosis.hpp"

#include "model/accelerations.hpp"
#include "model/frequencies.hpp"
#include "readings/readings.hpp"

namespace taut {

Diagnosis diagnose(const PreparedModel& prepared) {
  const System system = springs(prepared.system);
  const Structure& structure = system.structure();
  Diagnosis d;
  d.coordinates = structure.places();
  d.states = structure.nz;
  for (const Row& row : structure.rows) ++(row.equation >= 0 ? d.rigid : d.compliant);
  d.start = consistent_start(system, prepared.compiled.given);
  d.freedom = structure.places();
  d.mass_constant = structure.mass_constant;
  d.mass_diagonal = structure.mass_diagonal;
  d.conservative = structure.conservative;
  d.force_uses_velocity = structure.force_uses_velocity;
  d.force_uses_time = structure.force_uses_time;
  d.constraint_uses_time = structure.constraint_uses_time;

  const State& at = d.start.state;
  Accelerations accelerations;
  Vec a(structure.nq), lambda(structure.nc);
  if (accelerations.start(system) == Status::ok &&
      accelerations(system, at.t, at.q, at.v, a, lambda) == Status::ok) {
    d.rank = accelerations.kkt().rank();
    d.freedom = structure.places() - d.rank;
    d.redundant = redundancies(accelerations.kkt(), structure);
    Frequencies found = frequencies(system, at);
    d.frequencies = std::move(found.omega);
    d.growth = found.growth;
  }
  return d;
}

Start consistent_start(const PreparedModel& prepared) {
  return consistent_start(springs(prepared.system), prepared.compiled.given);
}

SlowStart slow_start(const PreparedModel& prepared, const SlowOptions& options) {
  return slow_start(equations(prepared.system), prepared.compiled.given,
                    {.via = options.via, .band = options.band});
}

}  // namespace taut
