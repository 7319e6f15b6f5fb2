// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/model/system.hpp"

namespace taut {

/// Row::scale of the nc equations; 1 where a row has none.
inline Vec row_scales(const Structure& structure) {
  Vec result = Vec::Ones(structure.nc);
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.scale > 0.0) result[row.equation] = row.scale;
  return result;
}

}  // namespace taut
