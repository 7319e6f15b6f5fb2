// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "gradients/linearised_forces.hpp"
#include "gradients/sensitivities.hpp"

namespace taut {

/// Derivatives of the state in which a motion begins. Of a stated start that is consistent they are
/// those of the statement, put onto the constraints: (3) of LinearisedForces. One that was moved
/// onto the constraints, or onto smooth motion, is differentiated by seven starts along each
/// column,
///
///   x' = (45 (x_1 - x_-1) - 9 (x_2 - x_-2) + x_3 - x_-3) / 60 h                               (1)
///
/// compared with five of them: `why` says where they do not agree.
[[nodiscard]] Status start_tangent(const MotionToDifferentiate& motion,
                                   const std::vector<Variable>& by, const WideSystem& wide,
                                   LinearisedForces& forces, Tangent& tangent, std::string& why);

}  // namespace taut
