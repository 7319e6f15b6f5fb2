// SPDX-License-Identifier: BSD-3-Clause
// Section 4.2: a chain of pendula, errors against the rigid chain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "items.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/gauss_newton.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "methods/zhang_skeel.hpp"
#include "problem.hpp"
#include "readings/readings.hpp"

namespace taut::papers::variational {
namespace {

/// Largest distance of a pendulum from where it should be, over all pendula and times.
double largest_distance(const Track& found, const Track& truth) {
  if (!found.whole) return std::nan("");
  const std::size_t every = stride(found, truth);
  double worst = 0.0;
  for (std::size_t n = 0; n < truth.states.size(); ++n) {
    const Vec d = found.states[n * every].q - truth.states[n].q;
    for (Index k = 0; k < d.size(); k += 2) worst = std::max(worst, std::hypot(d[k], d[k + 1]));
  }
  return worst;
}

}  // namespace

Shown chain() {
  std::vector<Row> rows;
  Figure figure{
      .title = "Figure 3: a chain of ten pendula",
      .caption = "Coordinates of the first and the last pendulum. omega = 20, beta = 0.4.",
      .panels = {}};
  for (const char* title : {"x1", "y1", "x10", "y10"})
    figure.panels.push_back({.title = title, .x_name = "t", .y_name = "", .series = {}});
  struct Case {
    int n;
    double h, until;
  };
  for (const Case& c : {Case{10, 0.05, 50.0}, Case{100, 0.05, 20.0}}) {
    const CompiledModel model = chain(c.n);
    const System hard = rigid(model.system);
    const Track truth =
        reference(hard, model.given, DormandPrince853{{.tol = 1e-11}}, c.h, c.until);
    const auto add = [&](const char* name, const System& system, Method method, double step,
                         bool drawn = false) {
      const Track found = track(system, model.given, std::move(method), step, c.until);
      const double error = largest_distance(found, truth);
      rows.push_back(
          ours(fmt::format("n = {}, T = {:.0f}, {}: largest error", c.n, c.until, name), error));
      rows.push_back(
          ours(fmt::format("n = {}, {}: energy error", c.n, name), energy_error(system, found)));
      if (drawn && c.n == 10)
        for (std::size_t i = 0; i < 4; ++i) {
          Series series{.name = name};
          for (const State& s : found.states) {
            series.x.push_back(s.t);
            series.y.push_back(s.q[i < 2 ? static_cast<Index>(i) : static_cast<Index>(16 + i)]);
          }
          figure.panels[i].series.push_back(std::move(series));
        }
      return error;
    };
    const System soft = penalized(model.system, 20.0);
    add("SHAKE, h = 0.05", hard, Shake{}, c.h, true);
    add("SHAKE, h = 0.025", hard, Shake{}, c.h / 2, true);
    add("RATTLE, h = 0.05", hard, Rattle{}, c.h);
    add("Verlet, omega = 20, h = 0.005", soft, Verlet{}, c.h / 10);
    const double apart = add("Zhang-Skeel, omega = 20, h = 0.05", soft, ZhangSkeel{0.4}, c.h, true);
    add("Gauss-Newton, omega = 2000, h = 0.05", equations(penalized(model.system, 2000.0)),
        GaussNewton{{.beta = 0.26}}, c.h);
    add("Gauss-Newton, rigid, h = 0.05", hard, GaussNewton{{.beta = 0.26}}, c.h);
    if (c.n == 10)
      rows.push_back(
          stated("n = 10, T = 50, Zhang-Skeel: largest error over the length of the chain",
                 "good agreement between SHAKE and Zhang-Skeel", "section 4.2, Figure 3", 0.0,
                 apart / (10.0 * std::sqrt(5.0)), near(0.01)));
  }
  return {std::move(rows), {std::move(figure)}};
}

}  // namespace taut::papers::variational
