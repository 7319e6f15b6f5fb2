// SPDX-License-Identifier: BSD-3-Clause
// Figures 2 and 3: the plug flow runs into its impasse point in the variables of the model, and
// through it in those of (6.5).
#include <cmath>
#include <limits>

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

std::vector<Row> impasse() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::vector<Row> rows;
  FollowOptions options;
  options.until = 3.2188;
  options.integrator.tol = 1e-10;
  CurveMotion motion;

  const JetSystem flow = plug_flow();
  const CurveForm through = invariants_form(flow);
  const CurveSummary passed =
      follow(through.curve, {}, printed_start(through.curve, flow), options, motion);
  const bool found = passed.good() && passed.impasse_points.size() == 1;
  const auto at_impasse = [&](Index i) { return found ? passed.impasse_points[0].p[i] : none; };
  rows.push_back({.name = "figure 3: impasse points on the way",
                  .published = 1,
                  .reference = {},
                  .obtained = static_cast<double>(passed.impasse_points.size())});
  rows.push_back({.name = "figure 3: x of the impasse point",
                  .published = {},
                  .reference = 1.0958051,
                  .obtained = at_impasse(0),
                  .allowed = 1e-6});
  rows.push_back({.name = "figure 3: pressure y1 there",
                  .published = 0,
                  .reference = {},
                  .obtained = at_impasse(1),
                  .allowed = 1e-6});
  rows.push_back(value_row("figure 3: y2 there", {}, 10.8288, at_impasse(2), 1e-5));
  rows.push_back({.name = "figure 3: annular phase y3 there",
                  .published = 0,
                  .reference = {},
                  .obtained = at_impasse(3),
                  .allowed = 1e-6});
  rows.push_back(value_row("figure 3: end of the curve, x", 3.2188, {},
                           passed.good() ? passed.p[0] : none, 1e-12));
  rows.push_back(
      value_row("figure 3: pressure there", {}, -8.42, passed.good() ? passed.p[1] : none, 1e-3));
  rows.push_back(
      value_row("figure 3: length of the curve", {}, 28.87, passed.good() ? passed.s : none, 1e-3));

  const JetSystem original = plug_flow_as_modelled();
  const CurveForm against = invariants_form(original);
  const CurveSummary stopped =
      follow(against.curve, {}, printed_start(against.curve, original), options, motion);
  const bool said = stopped.status == Status::impasse;
  rows.push_back({.name = "figure 2: x where the original model stops",
                  .published = {},
                  .reference = 1.0958051,
                  .obtained = said ? stopped.p[0] : none,
                  .allowed = 1e-5});
  rows.push_back({.name = "figure 2: u2 there, without bound",
                  .published = {},
                  .reference = {},
                  .obtained = said ? stopped.p[2] : none});
  rows.push_back({.name = "figure 2: steps up to there",
                  .published = {},
                  .reference = {},
                  .obtained = static_cast<double>(stopped.counters.steps)});
  return rows;
}

}  // namespace taut::papers::involutive
