// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/page.hpp"
#include "taut/report/report.hpp"

namespace taut {

/// A page before it is HTML: `data` is its JSON text (web/README.md).
struct PageText {
  Page page = Page::report;
  std::string title;
  std::string data;
};

/// The report of a run as data.
[[nodiscard]] PageText report_data(const RunRecord& run);
[[nodiscard]] PageText report_data(const CurveRecord& run);

}  // namespace taut
