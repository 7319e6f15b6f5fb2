// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <limits>

#include "adaptive.hpp"
#include "general_potential.hpp"
#include "items.hpp"
#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = GeneralPotential::Real;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// one step: contraction of the inner iteration, errors of the outer one
void one_step(std::vector<Row>& rows) {
  const auto problem = general_problem<Real>();
  const Tableau<Real>& tableau = radau_iia<Real>(3);
  constexpr std::array<std::pair<Real, double>, 4> contraction{
      {{0.2L, 0.20}, {0.1L, 0.13}, {0.05L, 0.065}, {0.025L, 0.034}}};
  const Point<Real> from = smooth_start(*problem, 1e-3L);
  for (const auto& [h, reference] : contraction) {
    const auto found = GeneralPotential{*problem, tableau, 1e-3L, {.outer = 0}}.stages(from, h);
    rows.push_back(value_row(fmt::format("contraction of the inner iteration, eps = 1e-3, h = {}",
                                         static_cast<double>(h)),
                             {}, reference, found ? static_cast<double>(found->contraction) : nan,
                             0.3));
  }
  const auto found = GeneralPotential{*problem, tableau, 1e-4L, {.outer = 0}}.stages(
      smooth_start(*problem, 1e-4L), 0.1L);
  rows.push_back(value_row("condition number of (8.8), eps = 1e-4, h = 0.1", {}, 510,
                           found ? static_cast<double>(found->condition) : nan, 0.02));

  struct Outer {
    Real eps;
    std::vector<double> error;  // of Y'' over eps^2, k = 0, 1, ..
  };
  const std::array outer{Outer{1e-2L, {3.9, 2.8e-4, 2.6e-8}}, Outer{1e-3L, {3.8, 2.7e-6}}};
  for (const Outer& known : outer) {
    const Point<Real> at = smooth_start(*problem, known.eps);
    const auto exact = FixedStep<Real>{*problem, tableau, Form::index3, known.eps}.stages(at, 0.1L);
    const auto x =
        GeneralPotential{
            *problem, tableau, known.eps, {.outer = static_cast<int>(known.error.size()) - 1}}
            .stages(at, 0.1L);
    for (std::size_t k = 0; k < known.error.size(); ++k)
      rows.push_back(value_row(fmt::format("|Y''({}) - Y''| / eps^2, eps = {}, h = 0.1", k,
                                           static_cast<double>(known.eps)),
                               {}, known.error[k],
                               exact && x
                                   ? static_cast<double>((x->acceleration[k] - exact->A).norm() /
                                                         (known.eps * known.eps))
                                   : nan,
                               0.05));
  }
}

// the whole motion, against the Runge-Kutta solution of the same equations
void whole_motion(std::vector<Row>& rows) {
  const auto problem = general_problem<Real>();
  const Tableau<Real>& tableau = radau_iia<Real>(3);
  const auto deviation_at = [&](Real eps, int steps, const GeneralPotential::Options& options) {
    const Point<Real> from = smooth_start(*problem, eps);
    const Real h = Real(1) / steps;
    const auto exact = FixedStep<Real>{*problem, tableau, Form::index3, eps}.run(from, h, steps);
    const auto x = GeneralPotential{*problem, tableau, eps, options}.run(from, h, steps);
    return exact && x ? static_cast<double>((x->y - exact->y).norm()) : nan;
  };
  struct Known {
    int outer;
    Real eps;
    double deviation;
  };
  constexpr std::array known{Known{0, 1e-2L, 3.5e-5}, Known{0, 1e-3L, 3.5e-7},
                             Known{0, 1e-4L, 3.5e-9}, Known{1, 1e-2L, 1.7e-9},
                             Known{1, 1e-3L, 1.7e-13}};
  for (const Known& k : known)
    for (const int steps : {16, 32})
      rows.push_back(
          value_row(fmt::format("deviation of y at T = 1 after {} corrections, eps = {}, h = 1/{}",
                                k.outer, static_cast<double>(k.eps), steps),
                    {}, k.deviation, deviation_at(k.eps, steps, {.outer = k.outer}), 0.2));
  using R = GeneralPotential::Remainder;
  const auto loose = [&](R remainder) {
    return deviation_at(1e-3L, 16, {.outer = 1, .inner_tolerance = 1e-3L, .remainder = remainder});
  };
  rows.push_back({"loose inner iteration, (8.7): deviation of y at T = 1, eps = 1e-3, h = 1/16",
                  {},
                  {},
                  loose(R::paper)});
  rows.push_back(
      {"the same with the remainder taken from the stages alone", {}, {}, loose(R::from_stages)});
}

// inside a code with step control
void adaptive(std::vector<Row>& rows) {
  const auto problem = general_problem<double>();
  const auto wide = general_problem<Real>();
  for (const double eps : {1e-2, 1e-4, 1e-6}) {
    const VecOf<double> exact =
        smooth_reference(*wide, static_cast<Real>(eps), Real(1)).y.cast<double>();
    const Point<double> from = smooth_start(*problem, eps);
    for (const bool hidden : {false, true}) {
      const AdaptiveResult run = integrate_adaptively(
          *problem, eps, from, 1.0,
          {.hidden_constraints = hidden, .estimate = Estimate::split, .tol = 1e-6, .kappa = 0.003});
      const std::string where =
          fmt::format("step control, {}, eps = {}, tol = 1e-6: ",
                      hidden ? "only gradient and Hessian of U known" : "g known", eps);
      rows.push_back({where + "steps", {}, {}, run.done ? run.steps : nan});
      rows.push_back(
          {where + "error of y at T = 1", {}, {}, run.done ? (run.end.y - exact).norm() : nan});
    }
  }
}

}  // namespace

std::vector<Row> general_potential() {
  std::vector<Row> rows;
  one_step(rows);
  whole_motion(rows);
  adaptive(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
