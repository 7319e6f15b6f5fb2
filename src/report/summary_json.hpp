// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/json.hpp"
#include "taut/run/summary_core.hpp"

namespace taut {

/// What every summary begins with.
[[nodiscard]] Json summary_head(const SummaryCore& summary);

/// Length and number of steps.
template <class Counters>
void add_steps(const SummaryCore& summary, const Counters& counters, NamedNumbers& number,
               Json& j) {
  j["step"] = summary.step > 0.0 ? number("step", summary.step) : Json{};
  j["steps"] = counters.steps;
  j["rejected"] = counters.rejected;
}

/// The end of a summary, with the notes as they have become; the whole as text.
[[nodiscard]] std::string summary_text(Json j, const SummaryCore& summary,
                                       const std::vector<Note>& notes);

}  // namespace taut
