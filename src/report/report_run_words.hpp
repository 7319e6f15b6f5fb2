// SPDX-License-Identifier: BSD-3-Clause
// Parts of what the report of a run in time says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/report_words.hpp"

namespace taut {

/// Coordinates less the rigid constraints that do not follow from others.
[[nodiscard]] std::size_t degrees_of_freedom(const RunRecord& run);

/// From the first row to the last [s].
[[nodiscard]] double span_of(const Motion& motion);

/// "computed at 5 of 9 steps"; empty where it was at all of them.
[[nodiscard]] std::string where_measured(const Motion& motion);

/// Of a reading that leaves vibrations out, loads are means.
[[nodiscard]] bool shows_mean_loads(const Summary& summary);

/// The number, with "at least" where steps were left out.
[[nodiscard]] std::string load_text(const ReportLoad& load, const RunRecord& run);

/// What a reader must know of the number of a load: that it belongs to an averaged motion, for
/// instance; empty where there is nothing.
[[nodiscard]] std::string load_note(const ReportLoad& load, const RunRecord& run);

[[nodiscard]] std::string load_sentence(const ReportLoad& load, const RunRecord& run);

/// How well the motion was computed, and what to doubt.
void say_well(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& well);
void say_doubt(const RunRecord& run, const RunMarks& marks, std::vector<std::string>& doubt);

}  // namespace taut
