// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coverage.hpp"

namespace taut::papers {

[[nodiscard]] std::span<const Covered> involutive_coverage();
[[nodiscard]] std::span<const Covered> slow_manifolds_coverage();
[[nodiscard]] std::span<const Covered> stiff_rk_coverage();
[[nodiscard]] std::span<const Covered> variational_coverage();
[[nodiscard]] std::span<const Covered> vibrations_coverage();

}  // namespace taut::papers
