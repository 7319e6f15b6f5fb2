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

/// The report of a run as data, in a share of the bytes that a page may have.
[[nodiscard]] PageText report_data(const RunRecord& run, double share = 1.0);
[[nodiscard]] PageText report_data(const CurveRecord& run, double share = 1.0);

}  // namespace taut
