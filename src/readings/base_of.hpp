// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

/// What a reading of rows (rigid, penalized, springs, equations) was built on; another system
/// itself.
[[nodiscard]] System base_of(const System& system);

/// A base without the forces that a program has added to it; and `formulas` with those of `base`.
[[nodiscard]] System without_forces(const System& base);
[[nodiscard]] System with_forces_of(const System& base, const System& formulas);

/// `base`, which has the rows of base_of(reading), with these rows read as `reading` reads them.
[[nodiscard]] System read_like(const System& base, const System& reading);

}  // namespace taut
