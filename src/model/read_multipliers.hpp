// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

/// The multipliers that formulas read, from those of all rows.
inline void read_multipliers(const Structure& structure, const Vec& all_rows, Vec& mu) {
  mu.resize(static_cast<Index>(structure.read_multipliers.size()));
  for (Index k = 0; k < mu.size(); ++k)
    mu[k] = all_rows[structure.read_multipliers[static_cast<std::size_t>(k)]];
}

}  // namespace taut
