// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gradients/adjoint.hpp"

namespace taut {

/// find_adjoint() of stiff motions: along the steps of Radau with five stages, by the transposes of
/// the equations that StiffFlow solves in each, so that the gradient is that of StiffFlow up to
/// rounding. Integrals are the sums h Σ b_i X_i over stages, of order 9. Steps end where something
/// enters at an instant.
[[nodiscard]] Status find_stiff_adjoint(const MotionToDifferentiate& motion,
                                        const std::vector<Variable>& by, const WideSystem& wide,
                                        const std::vector<int>& column_of,
                                        const AdjointWanted& wanted, Gradient& result);

}  // namespace taut
