// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "report/json.hpp"
#include "taut/report/sweep.hpp"

namespace taut {

/// Fields that the JSON of every sweep begins with.
inline Json sweep_head(const SweepOrigin& origin) {
  return {{"kind", "sweep"},
          {"version", origin.version},
          {"file", origin.file},
          {"command", origin.command}};
}

inline Json axes_json(const std::vector<SweepAxis>& axes) {
  Json list = Json::array();
  for (const SweepAxis& axis : axes) {
    Json values = Json::array();
    for (int k = 0; k < axis.points; ++k) values.push_back(axis.value(k));
    list.push_back({{"name", axis.parameter}, {"log", axis.log}, {"values", std::move(values)}});
  }
  return list;
}

inline Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

}  // namespace taut
