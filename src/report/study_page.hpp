// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/json.hpp"

namespace taut {

/// The data of a page of a fit or a design (web/README.md, study), without tables and charts.
[[nodiscard]] Json study_page(const std::string& title, const std::string& model,
                              const std::string& subtitle, const std::string& message);
/// A line of a chart: its kind is "line", "dashed" or "points".
[[nodiscard]] Json study_line(const std::string& label, const char* kind, int color, Json x,
                              Json y);

}  // namespace taut
