// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../shown.hpp"

/// The items of `taut paper stiff-rk`: Lubich, Integration of stiff mechanical systems by
/// Runge-Kutta methods (lubich1993). The paper has no tables: rows are decided by the exponents and
/// limits of its theorems and lemmas.
namespace taut::papers::stiff_rk {

[[nodiscard]] Shown orders();
[[nodiscard]] Shown plateau();
[[nodiscard]] Shown damping();
[[nodiscard]] Shown expansion();
[[nodiscard]] Shown start();
[[nodiscard]] Shown newton();
[[nodiscard]] Shown estimator();
[[nodiscard]] Shown general_potential();
[[nodiscard]] Shown software();

}  // namespace taut::papers::stiff_rk
