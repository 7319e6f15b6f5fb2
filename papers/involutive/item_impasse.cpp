// SPDX-License-Identifier: BSD-3-Clause
// Figures 2 and 3: the plug flow runs into its impasse point in the variables of the model, and
// through it in those of (6.5).
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "curves/curve_projection.hpp"
#include "items.hpp"
#include "problem.hpp"
#include "taut/run/follow.hpp"

namespace taut::papers::involutive {
namespace {

/// The start as it is printed, pulled onto the curve at right angles.
Vec printed_start(const Curve& curve, const JetSystem& system) {
  Vec p = system.given.head(curve.size());
  CurveProjection projection;
  CurveEvaluation ev;
  curve.prepare(ev);
  projection.start(curve);
  return projection(curve, p, ev) == Status::ok ? p : Vec(system.given.head(curve.size()));
}

}  // namespace

Shown impasse() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<Row> rows;
  FollowOptions options;
  options.until = 3.2188;
  options.integrator.tol = 1e-10;
  options.integrator.max_step = 0.05;  // for smooth pictures
  CurveMotion motion, to_the_wall;

  const JetSystem flow = plug_flow();
  const CurveForm through = invariants_form(flow);
  const CurveSummary passed =
      follow(through.curve, {}, printed_start(through.curve, flow), options, motion);
  const bool found = passed.good() && passed.impasse_points.size() == 1;
  const auto at_impasse = [&](Index i) { return found ? passed.impasse_points[0].p[i] : none; };
  const std::string passes = "the impasse point is a regular point of (6.6): the curve passes it";
  rows.push_back(stated("figure 3: impasse points on the way", passes, "section 6.2.2, Figure 3",
                        1.0, static_cast<double>(passed.impasse_points.size()), counted()));
  rows.push_back(ours("figure 3: x of the impasse point", at_impasse(0)));
  rows.push_back(
      printed("figure 3: pressure y1 there", 0.0, at_impasse(1), "section 6.2.2", rounding(1e-6)));
  rows.push_back(ours("figure 3: y2 there", at_impasse(2)));
  rows.push_back(printed("figure 3: annular phase y3 there", 0.0, at_impasse(3), "section 6.2.2",
                         rounding(1e-6)));
  rows.push_back(printed("figure 3: end of the curve, x", 3.2188,
                         passed.good() ? passed.p[0] : none, "section 6.3.2", unit_of(1e-4)));
  rows.push_back(stated("figure 3: pressure there", "behind the singularity y1 is negative",
                        "section 6.2.2", 0.0, passed.good() ? passed.p[1] : none, at_most()));
  rows.push_back(ours("figure 3: length of the curve", passed.good() ? passed.s : none));

  const JetSystem original = plug_flow_as_modelled();
  const CurveForm against = invariants_form(original);
  options.integrator.max_step = 0.0;
  const CurveSummary stopped =
      follow(against.curve, {}, printed_start(against.curve, original), options, to_the_wall);
  const bool said = stopped.status == Status::impasse;
  rows.push_back(
      stated("figure 2: x where the original model stops, less that of the impasse point",
             "in the variables of (6.4) it is not possible to pass", "section 6.3.2", 0.0,
             said ? stopped.p[0] - at_impasse(0) : none, near(1e-5)));
  rows.push_back(stated("figure 2: u2 there", "u2 tends to infinity", "section 6.2.2", 1e4,
                        said ? stopped.p[2] : none, at_least()));
  rows.push_back(ours("figure 2: steps up to there", static_cast<double>(stopped.counters.steps)));

  const auto curve_of = [](const CurveMotion& of, std::size_t coordinate, const char* name) {
    Series series{.name = name};
    const std::size_t width = of.coordinates.size();
    for (std::size_t r = 0; r < of.rows(); ++r) {
      series.x.push_back(of.p[r * width]);
      series.y.push_back(of.p[r * width + coordinate]);
    }
    return series;
  };
  Figure singular{.title = "Figure 2: the singularity of the two phase plug flow",
                  .caption = "In the variables of the model u2 grows without bound.",
                  .panels = {}};
  singular.panels.push_back(
      {.title = "pressure u1 and annular phase u3",
       .x_name = "x",
       .series = {curve_of(to_the_wall, 1, "u1"), curve_of(to_the_wall, 3, "u3")}});
  singular.panels.push_back(
      {.title = "u2", .x_name = "x", .series = {curve_of(to_the_wall, 2, "")}, .log_y = true});
  Figure whole{.title = "Figure 3: solution of the two phase plug flow",
               .caption =
                   "In the variables of (6.5) the curve passes where pressure and annular "
                   "phase vanish.",
               .panels = {}};
  whole.panels.push_back({.title = "",
                          .x_name = "x",
                          .series = {curve_of(motion, 1, "y1"), curve_of(motion, 2, "y2"),
                                     curve_of(motion, 3, "y3")}});
  whole.columns = 1;
  return {std::move(rows), {std::move(singular), std::move(whole)}};
}

}  // namespace taut::papers::involutive
