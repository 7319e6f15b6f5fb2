// SPDX-License-Identifier: BSD-3-Clause
// Section 4.2: a chain of pendula, errors against the rigid chain.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

std::vector<Row> chain() {
  std::vector<Row> rows;
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
                         std::optional<double> known) {
      const Track found = track(system, model.given, std::move(method), step, c.until);
      rows.push_back(
          value_row(fmt::format("n = {}, T = {:.0f}, {}: largest error", c.n, c.until, name), {},
                    c.n == 10 ? known : std::nullopt, largest_distance(found, truth), 0.15));
      rows.push_back({.name = fmt::format("n = {}, {}: energy error", c.n, name),
                      .obtained = energy_error(system, found)});
    };
    const System soft = penalized(model.system, 20.0);
    add("SHAKE, h = 0.05", hard, Shake{}, c.h, 0.0032);
    add("SHAKE, h = 0.025", hard, Shake{}, c.h / 2, {});
    add("RATTLE, h = 0.05", hard, Rattle{}, c.h, {});
    add("Verlet, omega = 20, h = 0.005", soft, Verlet{}, c.h / 10, 0.039);
    add("Zhang-Skeel, omega = 20, h = 0.05", soft, ZhangSkeel{0.4}, c.h, 0.034);
    add("Gauss-Newton, omega = 2000, h = 0.05", equations(penalized(model.system, 2000.0)),
        GaussNewton{{.beta = 0.26}}, c.h, 0.0025);
    add("Gauss-Newton, rigid, h = 0.05", hard, GaussNewton{{.beta = 0.26}}, c.h, {});
  }
  return rows;
}

}  // namespace taut::papers::variational
