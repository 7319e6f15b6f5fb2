// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "damping.hpp"
#include "items.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = long double;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double at(const std::vector<Deviation>& list, std::size_t i) {
  return i < list.size() ? static_cast<double>(list[i].both() / list[0].both()) : nan;
}

// ρ_1 of the position alone: it does not see the coupling R'(∞) into the velocity
double position_ratio(const Problem<Real>& problem, const Tableau<Real>& tableau) {
  const auto list = deviations(problem, tableau, {.eps = 1e-5L, .h = 0.005L}, 1);
  if (list.size() < 2) return nan;
  const VecOf<Real>&before = list[0].position, &after = list[1].position;
  return static_cast<double>(after.dot(before) / before.squaredNorm());
}

void ratios(std::vector<Row>& rows) {
  const auto a = pendulum<Real>(), b = double_pendulum<Real>(), c = general_problem<Real>();
  const Tableau<Real> theta = theta_method(0.6L);
  struct Case {
    const Tableau<Real>& tableau;
    const Problem<Real>& problem;
  };
  const std::array list{
      Case{theta, *a},          Case{theta, *b},          Case{theta, *c},
      Case{sdirk3<Real>(), *a}, Case{sdirk3<Real>(), *b}, Case{sdirk3<Real>(), *c},
      Case{gauss<Real>(1), *a}, Case{gauss<Real>(2), *a}, Case{gauss<Real>(3), *a},
  };
  for (const Case& known : list)
    rows.push_back(stated(
        fmt::format("{} on the {}: ratio of g per step, eps = 1e-5, h = 0.005 (R at infinity)",
                    known.tableau.name, known.problem.name()),
        "off the smooth motion a step multiplies v by R(infinity), up to O(h) and O((eps/h)^2)",
        "Lemma 5.3, proof of Lemma 5.4", static_cast<double>(known.tableau.r_infinity()),
        position_ratio(known.problem, known.tableau), near(0.01)));
}

void first_steps(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  // R'(∞) = ∓s lets a push of the position pass into h v once: s of the push 1 + 0.5
  for (int s = 1; s <= 4; ++s) {
    const auto list =
        deviations(*problem, radau_iia<Real>(s), {.eps = 1e-5L, .h = 0.02L, .velocity = 0.5L}, 2);
    rows.push_back(stated(fmt::format("radau-iia-{}: normal deviation after 1 step, eps = 1e-5, "
                                      "h = 0.02 (s / 1.5)",
                                      s),
                          "a push of the position passes into h v by R'(infinity)",
                          "proof of Lemma 5.4", s / 1.5, at(list, 1), near(0.05 * s)));
    rows.push_back(stated(fmt::format("radau-iia-{}: after 2 steps", s),
                          "with R(infinity) = 0 any rho > 0 will do", "Theorem 3.2, (3.8)", 0.0,
                          at(list, 2), at_most(1e-3)));
  }
  const auto lobatto =
      deviations(*problem, lobatto_iiic<Real>(3), {.eps = 1e-5L, .h = 0.02L, .velocity = 0.5L}, 1);
  rows.push_back(stated("lobatto-iiic-3: normal deviation after 1 step, eps = 1e-5, h = 0.02",
                        "R(infinity) = R'(infinity) = 0: gone after one step", "Lemma 5.4", 0.0,
                        at(lobatto, 1), at_most(1e-3)));
  const auto list =
      deviations(*problem, radau_iia<Real>(3), {.eps = 1e-3L, .h = 0.02L, .velocity = 0.5L}, 4);
  for (std::size_t i = 1; i <= 4; ++i)
    rows.push_back(
        ours(fmt::format("radau-iia-3: normal deviation after {} steps, eps = 1e-3, h = 0.02", i),
             at(list, i)));
  // |R(∞)| = 1 and R'(∞) ≠ 0: h v grows linearly
  for (int s = 1; s <= 3; ++s) {
    const auto run =
        deviations(*problem, gauss<Real>(s), {.eps = 1e-5L, .h = 0.005L, .velocity = 0.5L}, 20);
    rows.push_back(ours(fmt::format("gauss-{}: normal deviation after 20 steps", s), at(run, 20),
                        "excluded by (3.4): |R(infinity)| = 1"));
  }
}

// |R(i w)| of Radau IIA with three stages
void on_the_imaginary_axis(std::vector<Row>& rows) {
  using Complex = std::complex<double>;
  const ImplicitTableau& t = taut::radau_iia(3);
  for (const double w : {1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0}) {
    const Complex z{0.0, w};
    const Eigen::Matrix3cd I = Eigen::Matrix3cd::Identity(), A = t.A.cast<Complex>();
    const Eigen::Vector3cd k = (I - z * A).inverse() * Eigen::Vector3cd::Ones();
    const Complex R = 1.0 + z * k.cwiseProduct(t.b.cast<Complex>()).sum();
    rows.push_back(stated(fmt::format("radau-iia-3: |R(i {})|", w), "|R(i w)| < 1 for w not 0",
                          "(3.5)", 1.0, std::abs(R), at_most()));
  }
}

}  // namespace

Shown damping() {
  std::vector<Row> rows;
  ratios(rows);
  first_steps(rows);
  on_the_imaginary_axis(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
