// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "report/page_table.hpp"
#include "taut/report/report.hpp"

namespace taut {

/// Where the columns of a motion stand in the table of its page.
struct MotionColumns {
  std::vector<std::size_t> q, v, lambda, place;
};

/// Fills the table with the motion of a run: its plots, and what its picture is drawn from. `run`
/// must outlive the table.
[[nodiscard]] MotionColumns fill_table(const RunRecord& run, PageTable& table);

}  // namespace taut
