// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/fits.hpp"

#include <fmt/format.h>
#include "taut/core/wording.hpp"

namespace taut {

std::string fits(const MethodInfo& info, const Structure& structure) {
  const Index rigid = (structure.C.array() == 0.0).count();
  if (rigid > 0 && !info.constraints)
    return worded(fmt::format(
        "{} integrates free motion, and the model has {} rigid constraint{}: take rattle, or make "
        "them stiff with <<reading: penalized>>",
        info.name, rigid, rigid == 1 ? "" : "s"));
  if (!structure.mass_constant && !info.variable_mass)
    return fmt::format("{} needs a constant mass matrix, and M depends on q: take rattle or dop853",
                       info.name);
  const bool damped_rows = (structure.d.array() > 0.0).any();
  if ((structure.force_uses_velocity || damped_rows) && !info.velocity_forces)
    return fmt::format(
        "{} needs forces that do not depend on velocities (dampers and the inertial forces of "
        "T(q, v) do): take rattle or dop853",
        info.name);
  if (!structure.differentiable && info.derivatives)
    return fmt::format(
        "{} needs derivatives of the forces, and there are none (a slow flow, forces of a black "
        "box, "
        "or too many pairs of points): take dop853, or rk4 for constant steps",
        info.name);
  return {};
}

std::string refusal(const MethodInfo& info, const Structure& structure) {
  if ((structure.C.array() > 0.0).any() && !info.compliance)
    return fmt::format(
        "{} does not treat constraints with compliance as equations: take springs(system), the "
        "reading that turns them into springs, or rigid(system)",
        info.name);
  return fits(info, structure);
}

}  // namespace taut
