// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/curves/curve.hpp"

namespace taut {

/// Values that the invariants of a curve made by holonomic_form() are kept at, T + U last.
[[nodiscard]] const Vec& invariant_constants(const Curve& holonomic);

/// The same curve with other values.
[[nodiscard]] Curve with_invariant_constants(const Curve& holonomic, Vec constants);

/// Which of the model's invariants does not stay constant along the direction V at p, in words with
/// its rate; empty where all do:
///
///   |dI/dt| <= 1e-6 ( |I_t| + |I_q| |v| + |I_v| (|a| + |M⁻¹f|) ) + small ‖dI‖ ‖(1, v, a)‖ (1)
///
/// Forces and reactions count apart, for what is left of them may be rounding. T + U is not asked
/// about: whether it is kept is known from the structure. One evaluation of df where there are
/// invariants, none else.
[[nodiscard]] std::string lost_invariant(const Curve& holonomic, const Vec& p, const Vec& V,
                                         double small, CurveEvaluation& scratch);

}  // namespace taut
