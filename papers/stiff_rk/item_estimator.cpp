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

double steps_of(const AdaptiveResult& run) {
  return run.done ? run.steps : std::numeric_limits<double>::quiet_NaN();
}

constexpr std::array<std::pair<const char*, Estimate>, 3> estimates{
    {{"|dy| + |dv|", Estimate::standard},
     {"|dy| + h |dv|", Estimate::scaled},
     {"|dy| + |P dv| + h |(I-P) dv|", Estimate::split}}};

// a start whose velocity has a part normal to the constraint
void off_the_manifold(std::vector<Row>& rows) {
  const auto problem = pendulum<double>();
  struct Case {
    double eps, push, tol;
  };
  for (const Case& k : {Case{1e-3, 1e-4, 1e-6}, Case{1e-3, 1e-2, 1e-4}, Case{1e-4, 1e-2, 1e-6}}) {
    Point<double> from = smooth_start(*problem, k.eps);
    from.v += k.push * from.y.normalized();
    double standard = 0.0;
    for (const auto& [name, estimate] : estimates) {
      const AdaptiveResult run =
          integrate_adaptively(*problem, k.eps, from, 2.0, {.estimate = estimate, .tol = k.tol});
      const std::string where =
          fmt::format("steps with {}: eps = {}, normal velocity {}, tol = {}, T = 2", name, k.eps,
                      k.push, k.tol);
      if (estimate == Estimate::standard) {
        standard = steps_of(run);
        rows.push_back(not_repeatable(ours(where, standard)));
      } else if (estimate == Estimate::scaled) {
        rows.push_back(
            stated(where,
                   "step size control works well with |dy| + h |dv|: a tenth of the steps "
                   "that |dy| + |dv| takes",
                   "section 8", 0.1 * standard, steps_of(run), at_most()));
        rows.back().volatile_value = true;
      } else {
        rows.push_back(ours(where, steps_of(run)));
      }
    }
  }
}

// orders of the estimates, seen in the number of steps on a smooth motion
void on_the_manifold(std::vector<Row>& rows) {
  const auto problem = pendulum<double>();
  const Point<double> from = smooth_start(*problem, 1e-6);
  for (const auto& [name, estimate] : estimates) {
    const AdaptiveResult run =
        integrate_adaptively(*problem, 1e-6, from, 5.0, {.estimate = estimate, .tol = 1e-9});
    rows.push_back(
        ours(fmt::format("steps with {}: eps = 1e-6, smooth start, tol = 1e-9, T = 5", name),
             steps_of(run)));
  }
}

// the form ode, where Newton's method limits the step
void standard_form(std::vector<Row>& rows) {
  const auto problem = pendulum<double>();
  std::vector<double> x, steps;
  for (const double eps : {1e-2, 1e-3, 1e-4, 1e-6}) {
    const AdaptiveResult run =
        integrate_adaptively(*problem, eps, smooth_start(*problem, eps), 5.0,
                             {.form = Form::ode, .tol = 1e-3, .kappa = 0.003});
    rows.push_back(
        ours(fmt::format("steps in the form y'' = ..., eps = {}, tol = 1e-3, T = 5", eps),
             steps_of(run)));
    x.push_back(eps);
    steps.push_back(run.steps);
  }
  rows.push_back(stated("the same: exponent of eps in the number of steps",
                        "modified Newton iterations restrict the step severely as eps falls",
                        "section 8 (ii)", -0.4, slope(x, steps), at_most()));
  rows.back().note =
      "h = O(eps^(2/3)) is the limit of contraction in norm; a code that tolerates a "
      "growing update goes on to eps^(1/2)";
  double first = 0.0;
  for (const double eps : {1e-3, 1e-4, 1e-6, 0.0}) {
    const AdaptiveResult run = integrate_adaptively(
        *problem, eps, smooth_start(*problem, eps), 5.0,
        {.form = Form::index3, .estimate = Estimate::scaled, .tol = 1e-3, .kappa = 0.003});
    if (first == 0.0) first = steps_of(run);
    rows.push_back(
        stated(fmt::format("steps in the form eps^2 lambda = g, eps = {}, tol = 1e-3, T = 5", eps),
               "in the form (8.4) no such restriction: as many steps for every eps, within 20 %",
               "section 8, (8.4)", first, steps_of(run), near(0.2 * first)));
  }
}

}  // namespace

Shown estimator() {
  std::vector<Row> rows;
  off_the_manifold(rows);
  on_the_manifold(rows);
  standard_form(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
