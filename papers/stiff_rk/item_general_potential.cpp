// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>
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
  const Point<Real> from = smooth_start(*problem, 1e-3L);
  std::vector<double> rate;
  for (const Real h : {0.2L, 0.1L, 0.05L, 0.025L}) {
    const auto found = GeneralPotential{*problem, tableau, 1e-3L, {.outer = 0}}.stages(from, h);
    rate.push_back(found ? static_cast<double>(found->contraction) : nan);
    rows.push_back(ours(fmt::format("contraction of the inner iteration, eps = 1e-3, h = {}",
                                    static_cast<double>(h)),
                        rate.back()));
  }
  rows.push_back(stated("order in h of the contraction of the inner iteration, h = 0.05 to 0.025",
                        "the inner iteration converges with rate O(h)", "Lemma 8.2", 1.0,
                        std::log2(rate[2] / rate[3]), at_least(0.15)));
  std::vector<double> condition;
  for (const Real eps : {1e-4L, 1e-6L}) {
    const auto found = GeneralPotential{*problem, tableau, eps, {.outer = 0}}.stages(
        smooth_start(*problem, eps), 0.1L);
    condition.push_back(found ? static_cast<double>(found->condition) : nan);
    rows.push_back(
        ours(fmt::format("condition number of (8.8), eps = {}, h = 0.1", static_cast<double>(eps)),
             condition.back()));
  }
  rows.push_back(stated("condition number of (8.8) at eps = 1e-6 over that at 1e-4",
                        "(8.8) has a uniformly bounded inverse as eps/h tends to 0",
                        "section 8, Lemma 8.2", 1.0, condition[1] / condition[0], near(0.01)));

  struct Outer {
    Real eps;
    std::size_t iterations;
  };
  std::vector<std::vector<double>> error;  // of Y'' over eps², for k = 0, 1, ..
  for (const Outer& outer : {Outer{1e-2L, 3}, Outer{1e-3L, 2}}) {
    const Point<Real> at = smooth_start(*problem, outer.eps);
    const auto exact = FixedStep<Real>{*problem, tableau, Form::index3, outer.eps}.stages(at, 0.1L);
    const auto x =
        GeneralPotential{
            *problem, tableau, outer.eps, {.outer = static_cast<int>(outer.iterations) - 1}}
            .stages(at, 0.1L);
    error.emplace_back();
    for (std::size_t k = 0; k < outer.iterations; ++k) {
      error.back().push_back(exact && x
                                 ? static_cast<double>((x->acceleration[k] - exact->A).norm() /
                                                       (outer.eps * outer.eps))
                                 : nan);
      rows.push_back(ours(fmt::format("|Y''({}) - Y''| / eps^2, eps = {}, h = 0.1", k,
                                      static_cast<double>(outer.eps)),
                          error.back().back()));
    }
  }
  rows.push_back(stated("order in eps of |Y''(0) - Y''|, eps = 1e-2 to 1e-3",
                        "errors of the outer iteration are O(eps^2 h^(2k))", "Lemma 8.2", 2.0,
                        2.0 + std::log10(error[0][0] / error[1][0]), at_least(0.1)));
  rows.push_back(
      stated("|Y''(1) - Y''| / eps^2 over |Y''(0) - Y''| / eps^2 and h^2, eps = 1e-2, h = "
             "0.1",
             "errors of the outer iteration are O(eps^2 h^(2k))", "Lemma 8.2", 1.0,
             error[0][1] / error[0][0] / 0.01, at_most()));
  rows.back().note = "not sharp: each iteration gains eps^2, whatever h";
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
  struct Case {
    int outer;
    Real eps;
  };
  for (const Case& k : {Case{0, 1e-2L}, {0, 1e-3L}, {0, 1e-4L}, {1, 1e-2L}, {1, 1e-3L}})
    for (const int steps : {16, 32})
      rows.push_back(
          ours(fmt::format("deviation of y at T = 1 after {} corrections, eps = {}, h = 1/{}",
                           k.outer, static_cast<double>(k.eps), steps),
               deviation_at(k.eps, steps, {.outer = k.outer})));
  using R = GeneralPotential::Remainder;
  const auto loose = [&](R remainder) {
    return deviation_at(1e-3L, 16, {.outer = 1, .inner_tolerance = 1e-3L, .remainder = remainder});
  };
  rows.push_back(ours("loose inner iteration, (8.7): deviation of y at T = 1, eps = 1e-3, h = 1/16",
                      loose(R::paper)));
  rows.push_back(
      ours("the same with the remainder taken from the stages alone", loose(R::from_stages)));
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
      rows.push_back(ours(where + "steps", run.done ? run.steps : nan));
      rows.push_back(
          ours(where + "error of y at T = 1", run.done ? (run.end.y - exact).norm() : nan));
    }
  }
}

}  // namespace

Shown general_potential() {
  std::vector<Row> rows;
  one_step(rows);
  whole_motion(rows);
  adaptive(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
