// SPDX-License-Identifier: BSD-3-Clause
// What a report judges: numbers and what they are worth, without a word.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "report/report_loads.hpp"
#include "taut/report/report.hpp"

namespace taut {

enum class Mark : unsigned char { good, fair, bad, none };
[[nodiscard]] std::string_view name(Mark mark);

/// Largest values that are good, and fair; see report.hpp.
struct MarkBounds {
  double good, fair;
};
inline constexpr MarkBounds constraint_bounds{1e-9, 1e-5}, energy_bounds{1e-4, 1e-2},
    places_bounds{1e-4, 1e-2};

/// A number that was measured, with its mark.
struct Measured {
  double value = 0.0;
  Mark mark = Mark::none;
};
[[nodiscard]] Measured measured(double value, const MarkBounds& bounds);

/// Of the end of a run: bad where it broke off, neither at its end nor at a limit.
[[nodiscard]] Mark mark_of(Status status);

/// Of a run in time.
struct RunMarks {
  Mark ending = Mark::none;
  std::optional<Measured> constraints;  ///< Summary::max_relative_constraint, where any is rigid
  std::optional<Measured> energy;       ///< Summary::energy_error, where energy is conserved
  std::optional<Measured> balance;      ///< Summary::energy_balance_error, where it is not
  /// Largest error of a coordinate along the run, of the largest change of any; where estimated.
  std::optional<Measured> places;
  std::optional<ReportLoad> load;         ///< main_load()
  std::optional<ReportLoad> spring_load;  ///< spring_load()
};
[[nodiscard]] RunMarks marks_of(const RunRecord& run);

/// The largest change of any coordinate in the rows of a motion; where none changes, the largest.
[[nodiscard]] double size_of(const Motion& motion);

/// Of a run along a curve.
struct CurveMarks {
  Mark ending = Mark::none;
  std::optional<Measured> equations;  ///< CurveSummary::max_relative, where there are any
  std::size_t impasse_points = 0;
};
[[nodiscard]] CurveMarks marks_of(const CurveRecord& run);

}  // namespace taut
