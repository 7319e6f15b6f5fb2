// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/jets/curve.hpp"

namespace taut {

/// Values that the invariants of a curve made by holonomic_form() are kept at, T + U last.
[[nodiscard]] const Vec& invariant_constants(const Curve& holonomic);

/// The same curve with other values.
[[nodiscard]] Curve with_invariant_constants(const Curve& holonomic, Vec constants);

}  // namespace taut
