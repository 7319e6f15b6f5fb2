// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/fits.hpp"

#include "core/notes.hpp"

namespace taut {

Note fits(const MethodInfo& info, const Structure& structure) {
  if (structure.has_velocity_rows() && !info.velocity_rows)
    return note<notes::needs_no_velocity_rows>(info.name);
  const Index rigid = (structure.C.array() == 0.0).count();
  if (rigid > 0 && !info.constraints) return note<notes::needs_free_motion>(info.name, rigid);
  if (!structure.mass_constant && !info.variable_mass)
    return note<notes::needs_constant_mass>(info.name);
  const bool damped_rows = (structure.d.array() > 0.0).any();
  if ((structure.force_uses_velocity || damped_rows) && !info.velocity_forces)
    return note<notes::needs_no_velocities>(info.name);
  if (!structure.differentiable && info.derivatives)
    return note<notes::needs_derivatives>(info.name);
  return {};
}

Note refusal(const MethodInfo& info, const Structure& structure) {
  if ((structure.C.array() > 0.0).any() && !info.compliance)
    return note<notes::needs_no_compliance>(info.name);
  return fits(info, structure);
}

}  // namespace taut
