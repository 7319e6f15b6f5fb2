// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

[[nodiscard]] constexpr bool asks(Needs needs, Target target) {
  return (needs & need(target)) != 0;
}

/// Targets in which every slot belongs to one element, so that it is written, not summed.
[[nodiscard]] constexpr bool is_row_target(Target target) {
  switch (target) {
    case Target::constraint:
    case Target::constraint_jacobian:
    case Target::constraint_rate:
    case Target::constraint_curvature:
    case Target::velocity_jacobian:
    case Target::observable:
    case Target::observable_q:
    case Target::observable_v:
    case Target::observable_t:
    case Target::observable_multiplier:
      return true;
    default:
      return false;
  }
}

/// Targets that cannot be computed without the multipliers that formulas read.
[[nodiscard]] inline Needs multiplier_readers(const Structure& structure) {
  constexpr Needs of_forces = needs(Target::force, Target::momentum_force, Target::stiffness,
                                    Target::damping, Target::force_multiplier);
  constexpr Needs of_observables =
      needs(Target::observable, Target::observable_q, Target::observable_v, Target::observable_t,
            Target::observable_multiplier);
  return (structure.multipliers_in_forces ? of_forces : 0) |
         (structure.multipliers_in_observables ? of_observables : 0);
}

/// Where the numbers of a target stand in an evaluation.
[[nodiscard]] inline double* values_of(Target target, Evaluation& out) {
  switch (target) {
    case Target::mass:
      return out.M.valuePtr();
    case Target::force:
      return out.f.data();
    case Target::momentum_force:
      return out.momentum_force.data();
    case Target::momentum:
      return out.momentum.data();
    case Target::kinetic_energy:
      return &out.kinetic_energy;
    case Target::potential_energy:
      return &out.potential_energy;
    case Target::constraint:
      return out.g.data();
    case Target::constraint_jacobian:
      return out.G.valuePtr();
    case Target::constraint_rate:
      return out.g_t.data();
    case Target::constraint_curvature:
      return out.curvature.data();
    case Target::velocity_jacobian:
      return out.N.valuePtr();
    case Target::stiffness:
      return out.K.valuePtr();
    case Target::damping:
      return out.D.valuePtr();
    case Target::constraint_stiffness:
      return out.H.valuePtr();
    case Target::third:
      return out.third.data();
    case Target::observable:
      return out.observable.data();
    case Target::observable_q:
      return out.observable_q.valuePtr();
    case Target::observable_v:
      return out.observable_v.valuePtr();
    case Target::observable_t:
      return out.observable_t.data();
    case Target::force_multiplier:
      return out.force_multiplier.valuePtr();
    case Target::observable_multiplier:
      return out.observable_multiplier.valuePtr();
    case Target::acceleration_q:
      return out.acceleration_q.data();
    case Target::acceleration_v:
      return out.acceleration_v.data();
  }
  return nullptr;
}

}  // namespace taut
