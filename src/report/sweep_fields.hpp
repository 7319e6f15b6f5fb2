// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "report/json.hpp"
#include "taut/report/sweep.hpp"
#include "taut/studies/sweep_summary.hpp"

namespace taut {

/// Fields that the JSON of every sweep begins with.
inline Json sweep_head(const SweepOrigin& origin) {
  return {{"kind", "sweep"},
          {"version", origin.version},
          {"file", origin.file},
          {"command", origin.command},
          {"run", origin.run}};
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

/// What measures of runs lie over: the axes, or the numbers of listed points.
inline std::vector<SweepAxis> axes_of(const RunSweep& sweep) {
  if (sweep.points.empty()) return sweep.axes;
  return {{.parameter = "point",
           .first = 0.0,
           .last = static_cast<double>(sweep.points.size()) - 1.0,
           .points = static_cast<int>(sweep.points.size())}};
}

inline Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

/// `values(k)` are those of run k.
template <class Values>
Json failure_groups_json(const std::vector<FailureGroup>& groups, const Values& values) {
  Json list = Json::array();
  for (const FailureGroup& one : groups)
    list.push_back({{"status", one.status},
                    {"reason", one.reason},
                    {"count", one.count},
                    {"first", one.first},
                    {"values", values(one.first)}});
  return list;
}

}  // namespace taut
