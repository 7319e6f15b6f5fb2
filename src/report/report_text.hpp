// SPDX-License-Identifier: BSD-3-Clause
// Parts of sentences: numbers, units, names, lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "taut/report/report.hpp"

namespace taut {

/// "1 rod", "2 rods".
[[nodiscard]] std::string counted(std::size_t count, const char* what);

/// "a", "a and b", "a, b and 3 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

/// A name inside a sentence: its direction of writing does not reach beyond it.
[[nodiscard]] std::string isolated(std::string_view name);

/// Without characters that turn the direction of writing.
[[nodiscard]] std::string without_turns(std::string_view text);

/// A sentence: upper case at its beginning, a full stop at its end.
[[nodiscard]] std::string as_sentence(std::string text);

/// Units that sentences and plots have; "" for those of a model that states its own.
struct ReportUnits {
  std::string length, time, force, energy;
};
[[nodiscard]] ReportUnits units_of(const ReportSubject& subject);

/// "5 N", or "5" where there is no unit.
[[nodiscard]] std::string with_unit(std::string number, const std::string& unit);

/// With as many digits as it takes to tell it from other times of the run, and `significant`
/// figures of the span of the run at least.
[[nodiscard]] std::string time_text(double t, double span, int significant = 4);

}  // namespace taut
