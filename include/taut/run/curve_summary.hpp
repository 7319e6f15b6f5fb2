// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/types.hpp"
#include "taut/curves/curve_options.hpp"
#include "taut/run/summary_core.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A point at which dx/ds = 0: there the solution is no function of x, and its derivatives have no
/// bound. As a point of the curve it is like any other.
struct ImpassePoint {
  enum class Kind : unsigned char {
    turns_back,  ///< dx/ds changes its sign: x has an extremum
    passes,      ///< dx/ds touches zero: x goes on behind it
  };
  Kind kind = Kind::turns_back;
  double s = 0.0;  ///< arc length from the start
  Vec p;
  double slope = 0.0;                  ///< dx/ds that was found there: zero but for rounding
  std::vector<std::string> unbounded;  ///< coordinates whose derivative by x has no bound there
};

/// "turns back" or "passes".
[[nodiscard]] std::string_view name(ImpassePoint::Kind kind);

/// An event of the system that happened.
struct CurveEventRecord {
  std::string name;
  double s = 0.0;
  Vec p;
  bool stops = false;
};

/// How a run along a curve ended, what it found and what it cost. A plain value.
struct CurveSummary : SummaryCore {
  // of the caller, who knows them
  std::string method = "projected-rk";
  std::string form, distribution;
  std::optional<int> index;  ///< differentiation index, where it was found

  Vec p;           ///< at the end, or the last good one
  Vec V;           ///< direction there
  double s = 0.0;  ///< arc length from the start
  /// Unknowns that are no coordinates there, by name (CurveMotion::find()).
  std::vector<std::pair<std::string, double>> unknowns;

  CurveCounters counters;  ///< work of the steps
  Index equations = 0;     ///< f that points of the curve satisfy; 0: nothing to check
  // over all rows of the motion
  double max_equation = 0.0;   ///< max |f|
  double max_relative = 0.0;   ///< max |f| / size of its terms, (4) of CurveProjection
  std::string worst_equation;  ///< whose that is

  std::vector<std::pair<std::string, double>> moved;  ///< what the start had to change, by name
  std::vector<std::string> found;                     ///< CurveStart::found
  std::vector<std::pair<std::string, double>> taken;  ///< CurveStart::taken
  std::vector<CurveEventRecord> events;
  std::vector<ImpassePoint> impasse_points;

  /// As Summary::fields().
  template <class Self, class Each>
  static void fields(Self& s, Each&& each) {
    first_fields(s, each);
    each.unnamed(s.coordinates);
    each("method", s.method);
    each("form", s.form);
    each("distribution", s.distribution);
    each("reason", s.reason);
    each("index", s.index);
    each("s", s.s);
    each("p", s.coordinates, s.p);
    each("direction", s.coordinates, s.V);
    each("unknowns", s.unknowns);
    each.where(s.step > 0.0, "step", s.step);
    each("steps", s.counters.steps);
    each("rejected", s.counters.rejected);
    each("directions", s.counters.directions);
    each("projections", s.counters.projections);
    each("projection_iterations", s.counters.iterations);
    each("most_iterations", s.counters.most_iterations);
    each.unnamed(s.counters.rejected_once);
    each.unnamed(s.counters.stiff_steps);
    each.unnamed(s.counters.mean_iterations_up);
    each.unnamed(s.counters.mean_iterations_down);
    each("output_evaluations", s.output_evaluations);
    each("equations", s.equations);
    each("max_equation", s.max_equation);
    each("max_relative_equation", s.max_relative);
    each("worst_equation", s.worst_equation);
    each("start.moved", s.moved);
    each("start.found", s.found);
    each("start.taken", s.taken);
    each("impasse_points", s.impasse_points);
    each("events", s.events);
    last_fields(s, each);
  }
};

}  // namespace taut

#pragma GCC visibility pop
