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
using Printed = std::array<std::optional<double>, 2>;
constexpr Printed not_printed{};

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

void add(std::vector<Row>& rows, const std::string& where, const Printed& published,
         std::array<double, 2> reference, const Pair& obtained, double allowed) {
  for (std::size_t i = 0; i < 2; ++i)
    rows.push_back({.name = fmt::format("{}: lambda{}", where, i + 1),
                    .published = published[i],
                    .reference = reference[i],
                    .obtained = obtained(static_cast<Index>(i)),
                    .allowed = allowed});
}

}  // namespace

std::vector<Row> multipliers() {
  std::vector<Row> rows;
  const State from = constrained_start();
  add(rows, "exact, at (31)-(32)", {1.50, 1.25}, {1.5, 1.25}, exact_multipliers(from), 1e-12);

  add(rows, "omega^2 g at (33), omega = 1000", {1.49, 1.23}, {1.499566, 1.248817},
      multipliers_at({.omega = 1000}, from), 1e-5);
  for (std::size_t i = rows.size() - 2; i < rows.size(); ++i) {
    rows[i].misprint = true;
    rows[i].note = "contradicts (33); it is the value of L = 12 pi";
  }
  add(rows, "omega^2 g with L = 12 pi, omega = 1000", {1.49, 1.23}, {1.4927, 1.2308},
      multipliers_at({.omega = 1000, .steps = 2 * published_steps}, from), 1e-2);
  add(rows, "omega^2 g at (35), omega = 10000", {1.50, 1.25}, {1.4999957, 1.2499881},
      multipliers_at({.omega = 10000}, from), 1e-2);
  add(rows, "omega^2 g at the end of Table 1, omega = 1000", {1.01, 0.895}, {1.007216, 0.8952276},
      multipliers_at({.omega = 1000}, far_start()), 1e-2);
  add(rows, "omega^2 g, omega = 100", not_printed, {1.4568, 1.1364},
      multipliers_at({.omega = 100}, from), 1e-4);

  struct Extrapolation {
    std::vector<double> omegas;
    double allowed;
  };
  for (const Extrapolation& e :
       {Extrapolation{{1000, 2000}, 2e-7}, {{200, 400, 800}, 5e-8}, {{500, 1000, 2000}, 3e-9}})
    add(rows, fmt::format("Richardson over omega = {}", fmt::join(e.omegas, ", ")), not_printed,
        {1.5, 1.25}, richardson(e.omegas), e.allowed);

  struct Slow {
    double omega;
    std::array<double, 2> lambda;
    double allowed;
  };
  for (const Slow& slow : {Slow{100, {1.504597, 1.252875}, 1e-6},
                           {1000, {1.500045071, 1.250028193}, 1e-9},
                           {10000, {1.500000451, 1.250000282}, 1e-9}}) {
    const SlowMotion motion = slow_motion(double_pendulum_constraints, slow.omega, from);
    const Pair obtained =
        motion.status == Status::ok ? Pair(motion.lambda(0).cast<double>()) : Pair(no_state(2).q);
    add(rows, fmt::format("omega^2 g on the slow manifold, by collocation, omega = {}", slow.omega),
        not_printed, slow.lambda, obtained, slow.allowed);
  }
  return rows;
}

}  // namespace taut::papers::slow_manifolds
