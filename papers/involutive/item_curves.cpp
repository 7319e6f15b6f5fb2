// SPDX-License-Identifier: BSD-3-Clause
// Figures 1, 4 and 5: solution curves in space, and their projections.
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "items.hpp"
#include "problem.hpp"
#include "published_run.hpp"

namespace taut::papers::involutive {
namespace {

/// A curve in the three coordinates y from three sides.
Figure three_sides(std::string title, const Counted& run, bool equal) {
  Figure figure{
      .title = std::move(title), .caption = "The curve seen along its three axes.", .panels = {}};
  const auto side = [&](Index a, Index b, const char* x_name, const char* y_name) {
    Series series;
    for (const Vec& p : run.points) {
      series.x.push_back(p[1 + a]);
      series.y.push_back(p[1 + b]);
    }
    figure.panels.push_back({.title = "",
                             .x_name = x_name,
                             .y_name = y_name,
                             .series = {std::move(series)},
                             .equal = equal});
  };
  side(0, 1, "y1", "y2");
  side(0, 2, "y1", "y3");
  side(1, 2, "y2", "y3");
  figure.columns = 2;
  return figure;
}

/// max |f| over the points.
double largest_residual(const Curve& curve, const Counted& run) {
  CurveEvaluation ev;
  curve.prepare(ev);
  double worst = run.status == Status::ok ? 0.0 : std::nan("");
  for (const Vec& p : run.points)
    if (curve.value(p, ev) == Status::ok) worst = std::max(worst, ev.f.norm());
  return worst;
}

}  // namespace

Shown curves() {
  std::vector<Row> rows;
  std::vector<Figure> figures;
  const auto add = [&](const JetSystem& system, const char* name, const char* title,
                       const char* source, double until, double tol, double longest) {
    const CurveForm form = invariants_form(system, DistributionMethod::explicit_solution);
    CurveIntegratorOptions options = options_of(CurveTableau::dopri54, true, false);
    options.tol = tol;
    options.first_step = longest;
    options.max_step = longest;  // for smooth pictures
    const Counted run =
        count(form.curve, system.given.head(form.curve.size()), options, until, true);
    rows.push_back(stated(std::string{name} + ": largest |f| over all points",
                          "solutions respect all the constraints of the problem", source, 1.05e-5,
                          largest_residual(form.curve, run), at_most(1e-6)));
    rows.back().note = "1.05e-5 is what the printed Newton test leaves of f";
    for (Index i = 0; i < 3; ++i)
      rows.push_back(
          ours(std::string{name} + ": y" + std::to_string(i + 1) + " at the end", run.end[1 + i]));
    // the last curve runs away along one axis
    figures.push_back(three_sides(title, run, until > 2.0));
    return run;
  };
  const Counted body = add(rigid_body(), "rigid body", "Figure 1: solution curve of the rigid body",
                           "abstract, Figure 1", 3600, 1e-6, 1.0);
  rows.push_back(stated("rigid body: | |y| - 1 | at the end", "|y| is a constant of motion",
                        "(6.2)", 0.0, std::abs(body.end.segment(1, 3).norm() - 1.0),
                        at_most(1e-5)));
  add(magnetic_particle(), "magnetic field",
      "Figure 4: solution curve of the particle in a magnetic field", "abstract, Figure 4", 20,
      1e-5, 0.05);
  add(magnetohydrodynamics(), "magnetohydrodynamics", "Figure 5: solution curve of 3D-MHD",
      "abstract, Figure 5", 1.75, 1e-7, 0.5);
  // (6.12) as it is printed, beta = gamma = 1
  constexpr std::array y{1.0, 1.0, 1.0}, v{0.4, 0.5, 0.6};
  rows.push_back(at_odds(printed("(6.12), last row at the printed start", 0.0,
                                 4 * y[1] * y[1] + 3 * y[2] * v[1] + y[2] * y[2] * y[2] / 12 -
                                     y[1] * v[2] - v[2] * v[2] / 8 - 3 * v[1] - y[2] / 4 + 3 * v[0],
                                 "(6.12), section 6.3.4", rounding(1e-12)),
                         {"The last row of (6.12)",
                          "the row is constant along solutions, not zero: with 0 constant steps "
                          "would be 11 622 instead of the printed 27 094"}));
  return {std::move(rows), std::move(figures)};
}

}  // namespace taut::papers::involutive
