// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <limits>

#include "adaptive.hpp"
#include "errors.hpp"
#include "items.hpp"
#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

// Step counts depend on every detail of a controller: they count as equal within a factor. What
// the table shows are factors of 50 to 2000.
Row count_row(std::string name, double reference, const AdaptiveResult& run, double factor) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Row row = value_row(std::move(name), {}, reference, run.done ? run.steps : nan, 0.0);
  row.allowed = run.steps < reference ? reference * (1 - 1 / factor) : reference * (factor - 1);
  return row;
}

constexpr std::array<std::pair<const char*, Estimate>, 3> estimates{
    {{"|dy| + |dv|", Estimate::standard},
     {"|dy| + h |dv|", Estimate::scaled},
     {"|dy| + |P dv| + h |(I-P) dv|", Estimate::split}}};

// a start whose velocity has a part normal to the constraint
void off_the_manifold(std::vector<Row>& rows) {
  const auto problem = pendulum<double>();
  struct Known {
    double eps, push, tol, standard, scaled;
  };
  constexpr std::array known{Known{1e-3, 1e-4, 1e-6, 2905, 32}, Known{1e-3, 1e-2, 1e-4, 3543, 20},
                             Known{1e-4, 1e-2, 1e-6, 84993, 36}};
  for (const Known& k : known) {
    Point<double> from = smooth_start(*problem, k.eps);
    from.v += k.push * from.y.normalized();
    for (const auto& [name, estimate] : estimates) {
      const AdaptiveResult run =
          integrate_adaptively(*problem, k.eps, from, 2.0, {.estimate = estimate, .tol = k.tol});
      const bool standard = estimate == Estimate::standard;
      rows.push_back(
          count_row(fmt::format("steps with {}: eps = {}, normal velocity {}, tol = {}, T = 2",
                                name, k.eps, k.push, k.tol),
                    standard ? k.standard : k.scaled, run, standard ? 4.0 : 2.0));
    }
  }
}

// orders of the estimates, seen in the number of steps on a smooth motion
void on_the_manifold(std::vector<Row>& rows) {
  const auto problem = pendulum<double>();
  const Point<double> from = smooth_start(*problem, 1e-6);
  constexpr std::array<double, 3> known{1772, 427, 467};
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const AdaptiveResult run = integrate_adaptively(*problem, 1e-6, from, 5.0,
                                                    {.estimate = estimates[i].second, .tol = 1e-9});
    rows.push_back(
        count_row(fmt::format("steps with {}: eps = 1e-6, smooth start, tol = 1e-9, T = 5",
                              estimates[i].first),
                  known[i], run, 1.5));
  }
}

// the form ode, where Newton's method limits the step
void standard_form(std::vector<Row>& rows) {
  const auto problem = pendulum<double>();
  constexpr std::array<std::pair<double, double>, 4> ode{
      {{1e-2, 86}, {1e-3, 273}, {1e-4, 794}, {1e-6, 8473}}};
  std::vector<double> x, steps;
  for (const auto& [eps, known] : ode) {
    const AdaptiveResult run =
        integrate_adaptively(*problem, eps, smooth_start(*problem, eps), 5.0,
                             {.form = Form::ode, .tol = 1e-3, .kappa = 0.003});
    rows.push_back(
        count_row(fmt::format("steps in the form y'' = ..., eps = {}, tol = 1e-3, T = 5", eps),
                  known, run, 1.5));
    x.push_back(eps);
    steps.push_back(run.steps);
  }
  rows.push_back({"the same: exponent of eps in the number of steps",
                  {},
                  -0.5,
                  slope(x, steps),
                  Rule::equal,
                  0.06});
  for (const double eps : {1e-3, 1e-4, 1e-6, 0.0}) {
    const AdaptiveResult run = integrate_adaptively(
        *problem, eps, smooth_start(*problem, eps), 5.0,
        {.form = Form::index3, .estimate = Estimate::scaled, .tol = 1e-3, .kappa = 0.003});
    rows.push_back(count_row(
        fmt::format("steps in the form eps^2 lambda = g, eps = {}, tol = 1e-3, T = 5", eps), 25,
        run, 1.5));
  }
}

}  // namespace

std::vector<Row> estimator() {
  std::vector<Row> rows;
  off_the_manifold(rows);
  on_the_manifold(rows);
  standard_form(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
