// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "model/element_context.hpp"

namespace taut::elements {

/// Distance l of two points, and its rate.
struct LineMotion {
  formula::Sym length, rate;
};
[[nodiscard]] LineMotion line_motion(Compiler::Trace& trace, const Ends& between);

/// Shows what pulls two points together with the force F > 0 along their line:
///
///   NAME.force = F,  NAME.length = l,  NAME.power = -F l'                                     (1)
///
/// the power is that of both forces on the points: negative while the element takes energy.
void show_line(ElementContext& context, Compiler::Trace& trace, const LineMotion& line,
               const formula::Sym& force);

/// Shows what a joint does on its second side, as follows from its rows, whatever they are: with
/// virtual motions of the body as a rigid one, translations along e_i and turns about e_i and the
/// place of the joint,
///
///   F_i = -Σ_r λ_r dg_r/d(translation),   T_i = -Σ_r λ_r dg_r/d(turn)                         (2)
///
/// the force of the first side on the second, and its torque about the place of the joint. Names:
/// NAME.fx, .fy, .fz, .tx, .ty, .tz along the axes of space, NAME.f1, ..., .t3 along directions of
/// the joint that are fixed to the second side; in the plane NAME.fx, .fy and .tz.
struct Wrench {
  Symbols::MarkerEntry on;  ///< the body that is moved, and the place of the joint on it
  double sign = 1.0;        ///< -1 where that is the first side
  std::function<std::vector<formula::Sym>(Compiler::Trace&, std::size_t k)> direction;
};
/// Of the rows since ElementContext::record_rows().
void show_wrench(ElementContext& context, const Wrench& wrench);

/// Whether the user has given this element a name: it is not `force 3`.
[[nodiscard]] bool is_called(std::string_view kind, const ElementContext& context);

/// Whether a formula jumps with a velocity, as sign(slip) does. Where such a force holds two things
/// together, it is none of its values, and is not shown.
[[nodiscard]] bool may_stick(const formula::Sym& value, Compiler::Trace& trace);

/// Shows a force or torque that is stated and does not jump, along the axes of space, and the power
/// of what it does: NAME.fx, .fy, .fz for the letter f, in the plane a torque as NAME.tz; of one
/// number NAME.force.
void show_applied(ElementContext& context, Compiler::Trace& trace, std::string_view what,
                  const std::vector<formula::Sym>& values, const std::vector<formula::Sym>& rates);

/// ω of a body along the axes of space, in the plane its one component.
[[nodiscard]] std::vector<formula::Sym> angular_velocity(Compiler::Trace& trace,
                                                         const Symbols::BodyEntry& body);

/// Shows angular velocity and angles of a body:
///
///   NAME.wx, .wy, .wz       angular velocity  ω = 1/2 Σ_c r_c x r_c'  along the axes of space  (3)
///   NAME.w1, .w2, .w3       the same along the axes of the body, r_c . ω
///   NAME.yaw, .pitch, .roll   R = R_z(yaw) R_y(pitch) R_x(roll)                                (4)
void show_rotation(ElementContext& context, const Symbols::BodyEntry& body);

}  // namespace taut::elements
