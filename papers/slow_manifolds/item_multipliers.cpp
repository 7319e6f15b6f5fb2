// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "../stiff_rk/dense_algebra.hpp"
#include "collocation.hpp"
#include "items.hpp"
#include "problem.hpp"
#include "recipe.hpp"

namespace taut::papers::slow_manifolds {
namespace {

using Pair = Eigen::Vector2d;

// (4): ω² g at the slow point
Pair multipliers_at(const Recipe& recipe, const State& from) {
  return recipe.omega * recipe.omega * constraint_values(project(recipe, from).state).head<2>();
}

// λ of (2):  g' g'ᵀ λ = g''[p, p]
Pair exact_multipliers(const State& s) {
  const ConstraintsAt at = double_pendulum_constraints(s.q.cast<Real>());
  const RealVec p = s.v.cast<Real>();
  RealVec curvature(2);
  for (Index i = 0; i < 2; ++i) curvature(i) = p.dot(at.hessian[static_cast<std::size_t>(i)] * p);
  return Lu<Real>{at.G.lazyProduct(at.G.transpose())}.solve(curvature).cast<double>();
}

// ω² g = λ + c₁ ω⁻² + c₂ ω⁻⁴ + ...: the polynomial in ω⁻² through the values, at 0. The published
// tolerance of g would leave 1e-9 ω² in them; the glide of the iteration, like ω⁻⁴, is the least
// that can be asked for.
Pair richardson(const std::vector<double>& omegas) {
  Pair sum = Pair::Zero();
  for (std::size_t i = 0; i < omegas.size(); ++i) {
    const double tol = std::max(1e-12, 5.0 / std::pow(omegas[i], 4));
    double weight = 1.0;
    for (std::size_t j = 0; j < omegas.size(); ++j) {
      const double ratio = omegas[j] / omegas[i];
      if (j != i) weight /= 1.0 - ratio * ratio;
    }
    sum += weight * multipliers_at({.omega = omegas[i], .tol = tol}, constrained_start());
  }
  return sum;
}

std::string lambda(const std::string& where, Index i) {
  return fmt::format("{}: lambda{}", where, i + 1);
}

void add_printed(std::vector<Row>& rows, const std::string& where, std::array<double, 2> published,
                 const Pair& obtained, const char* source, double last_digit) {
  for (Index i = 0; i < 2; ++i)
    rows.push_back(printed(lambda(where, i), published[static_cast<std::size_t>(i)], obtained(i),
                           source, unit_of(last_digit)));
}

void add_ours(std::vector<Row>& rows, const std::string& where, const Pair& obtained,
              const std::string& note = {}) {
  for (Index i = 0; i < 2; ++i) rows.push_back(ours(lambda(where, i), obtained(i), note));
}

}  // namespace

Shown multipliers() {
  std::vector<Row> rows;
  const State from = constrained_start();
  const Pair exact = exact_multipliers(from);
  add_printed(rows, "exact, at (31)-(32)", {1.50, 1.25}, exact, "section 5.4", 0.01);

  add_printed(rows, "omega^2 g at (33), omega = 1000", {1.49, 1.23},
              multipliers_at({.omega = 1000}, from), "section 5.4", 0.01);
  rows[2].note =
      "cut off instead of rounded this could be 1.4996; with 1.23 beside it, it is the "
      "value of a window twice as long";
  rows[3] =
      at_odds(std::move(rows[3]),
              {"Multipliers at (33)",
               "contradicts (33) itself, from which 1.25 follows; 1.23 is the value of a window "
               "twice as long, L = 12 pi"});
  add_ours(rows, "omega^2 g with L = 12 pi, omega = 1000",
           multipliers_at({.omega = 1000, .steps = 2 * published_steps}, from),
           "1.49 and 1.23 are printed for (33), where L is 6 pi");
  add_printed(rows, "omega^2 g at (35), omega = 10000", {1.50, 1.25},
              multipliers_at({.omega = 10000}, from), "section 5.4", 0.01);
  const Pair far = multipliers_at({.omega = 1000}, far_start());
  rows.push_back(printed("omega^2 g at the end of Table 1, omega = 1000: lambda1", 1.01, far(0),
                         "section 5.3", unit_of(0.01)));
  rows.push_back(printed("omega^2 g at the end of Table 1, omega = 1000: lambda2", 0.895, far(1),
                         "section 5.3", unit_of(0.001)));
  add_ours(rows, "omega^2 g, omega = 100", multipliers_at({.omega = 100}, from));

  const Pair single = (multipliers_at({.omega = 1000}, from) - exact).cwiseAbs();
  for (const std::vector<double>& omegas :
       {std::vector{1000.0, 2000.0}, {200.0, 400.0, 800.0}, {500.0, 1000.0, 2000.0}}) {
    const Pair error = (richardson(omegas) - exact).cwiseAbs();
    const std::string where =
        fmt::format("Richardson over omega = {}, error", fmt::join(omegas, ", "));
    for (Index i = 0; i < 2; ++i)
      rows.push_back(stated(lambda(where, i),
                            "multipliers of great accuracy by Richardson extrapolation in omega: a "
                            "thousandth of the error of omega = 1000 alone",
                            "section 5.4", 1e-3 * single(i), error(i), at_most()));
  }

  // (4): on the slow manifold omega² g tends to lambda
  std::array<Pair, 3> slow;
  constexpr std::array omegas{100.0, 1000.0, 10000.0};
  for (std::size_t k = 0; k < omegas.size(); ++k) {
    const SlowMotion motion = slow_motion(double_pendulum_constraints, omegas[k], from);
    slow[k] =
        motion.status == Status::ok ? Pair(motion.lambda(0).cast<double>()) : Pair(no_state(2).q);
    add_ours(rows,
             fmt::format("omega^2 g on the slow manifold, by collocation, omega = {}", omegas[k]),
             slow[k]);
  }
  for (Index i = 0; i < 2; ++i)
    rows.push_back(stated(
        lambda("order in 1/omega of omega^2 g - lambda, omega = 100 to 1000", i),
        "omega^2 g on slow solutions tends to lambda; the manifolds are O(omega^-2) apart",
        "(4), Remark 2", 2.0,
        std::log10(std::abs((slow[0](i) - exact(i)) / (slow[1](i) - exact(i)))), at_least(0.1)));
  return rows;
}

}  // namespace taut::papers::slow_manifolds
