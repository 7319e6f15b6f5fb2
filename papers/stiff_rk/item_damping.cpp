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
  struct Known {
    const Tableau<Real>& tableau;
    const Problem<Real>& problem;
    double ratio;
  };
  const std::array list{
      Known{theta, *a, -0.6666},          Known{theta, *b, -0.6685},
      Known{theta, *c, -0.6678},          Known{sdirk3<Real>(), *a, -0.7320},
      Known{sdirk3<Real>(), *b, -0.7341}, Known{sdirk3<Real>(), *c, -0.7333},
      Known{gauss<Real>(1), *a, -1.0},    Known{gauss<Real>(2), *a, 1.0},
      Known{gauss<Real>(3), *a, -1.0},
  };
  for (const Known& known : list)
    rows.push_back(value_row(
        fmt::format("{} on the {}: ratio of g per step, eps = 1e-5, h = 0.005 (R at infinity)",
                    known.tableau.name, known.problem.name()),
        static_cast<double>(known.tableau.r_infinity()), known.ratio,
        position_ratio(known.problem, known.tableau), 0.01));
}

void first_steps(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  // R'(∞) = ∓s lets a push of the position pass into h v once
  constexpr std::array jump{0.67, 1.3, 2.0, 2.7};
  for (int s = 1; s <= 4; ++s) {
    const auto list =
        deviations(*problem, radau_iia<Real>(s), {.eps = 1e-5L, .h = 0.02L, .velocity = 0.5L}, 2);
    rows.push_back(value_row(fmt::format("radau-iia-{}: normal deviation after 1 step, eps = 1e-5, "
                                         "h = 0.02 (s / 1.5)",
                                         s),
                             s / 1.5, jump[static_cast<std::size_t>(s - 1)], at(list, 1), 0.05));
    rows.push_back(
        {fmt::format("radau-iia-{}: after 2 steps", s), {}, 0.0, at(list, 2), Rule::equal, 1e-3});
  }
  const auto lobatto =
      deviations(*problem, lobatto_iiic<Real>(3), {.eps = 1e-5L, .h = 0.02L, .velocity = 0.5L}, 1);
  rows.push_back({"lobatto-iiic-3: normal deviation after 1 step, eps = 1e-5, h = 0.02",
                  {},
                  0.0,
                  at(lobatto, 1),
                  Rule::equal,
                  1e-3});
  constexpr std::array known{1.4, 0.31, 0.042, 0.003};
  const auto list =
      deviations(*problem, radau_iia<Real>(3), {.eps = 1e-3L, .h = 0.02L, .velocity = 0.5L}, 4);
  for (std::size_t i = 1; i <= 4; ++i)
    rows.push_back(value_row(
        fmt::format("radau-iia-3: normal deviation after {} steps, eps = 1e-3, h = 0.02", i), {},
        known[i - 1], at(list, i), 0.25));  // the reference has one digit
  // |R(∞)| = 1 and R'(∞) ≠ 0: h v grows linearly
  constexpr std::array growth{55.0, 160.0, 320.0};
  for (int s = 1; s <= 3; ++s) {
    const auto run =
        deviations(*problem, gauss<Real>(s), {.eps = 1e-5L, .h = 0.005L, .velocity = 0.5L}, 20);
    rows.push_back(value_row(fmt::format("gauss-{}: normal deviation after 20 steps", s), {},
                             growth[static_cast<std::size_t>(s - 1)], at(run, 20), 0.2));
  }
}

// |R(i w)| of Radau IIA with three stages
void on_the_imaginary_axis(std::vector<Row>& rows) {
  using Complex = std::complex<double>;
  const ImplicitTableau& t = radau_iia(3);
  constexpr std::array<std::array<double, 2>, 7> known{
      {{1, 0.9999}, {2, 0.993}, {3, 0.947}, {5, 0.695}, {10, 0.321}, {30, 0.101}, {100, 0.030}}};
  for (const auto& [w, reference] : known) {
    const Complex z{0.0, w};
    const Eigen::Matrix3cd I = Eigen::Matrix3cd::Identity(), A = t.A.cast<Complex>();
    const Eigen::Vector3cd k = (I - z * A).inverse() * Eigen::Vector3cd::Ones();
    const Complex R = 1.0 + z * k.cwiseProduct(t.b.cast<Complex>()).sum();
    rows.push_back(
        value_row(fmt::format("radau-iia-3: |R(i {})|", w), {}, reference, std::abs(R), 0.02));
  }
}

}  // namespace

std::vector<Row> damping() {
  std::vector<Row> rows;
  ratios(rows);
  first_steps(rows);
  on_the_imaginary_axis(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
