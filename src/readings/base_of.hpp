// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

/// What a reading of rows (rigid, penalized, springs, equations) was built on; another system
/// itself.
[[nodiscard]] System base_of(const System& system);

/// `base`, which has the rows of base_of(reading), with these rows read as `reading` reads them.
[[nodiscard]] System read_like(const System& base, const System& reading);

}  // namespace taut
