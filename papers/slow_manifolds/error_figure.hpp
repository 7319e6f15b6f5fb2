// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "../figure.hpp"
#include "recipe.hpp"

namespace taut::papers::slow_manifolds {

/// Figures 2 to 6: errors of q and p at t = 10 against the effort, for three values of omega.
[[nodiscard]] inline std::vector<Panel> error_panels(const char* effort) {
  std::vector<Panel> panels;
  for (const char* what : {"error of q", "error of p"}) {
    Panel panel{.title = what, .x_name = effort, .y_name = "", .series = {}};
    panel.log_x = panel.log_y = true;
    for (const char* name : {"omega = 100", "omega = 1000", "omega = 10000"})
      panel.series.push_back({.name = name, .look = Series::Look::marked_line});
    panels.push_back(std::move(panel));
  }
  return panels;
}

inline void add_point(Figure& figure, std::size_t omega, double effort, const Errors& e) {
  for (std::size_t i = 0; i < 2; ++i) {
    Series& series = figure.panels[i].series[omega];
    series.x.push_back(effort);
    series.y.push_back(i == 0 ? e.q : e.p);
  }
}

}  // namespace taut::papers::slow_manifolds
