// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>

#include "errors.hpp"
#include "items.hpp"
#include "newton.hpp"
#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = NewtonStudy::Real;
constexpr Real largest = 0.6L;

// the largest h up to 0.6 for which a criterion holds that holds for small h
Real boundary(const std::function<bool(Real)>& holds) {
  if (holds(largest)) return largest;
  Real low = 1e-6L, high = largest;
  while (high / low > Real(1.001L)) {
    const Real middle = std::sqrt(low * high);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

constexpr std::array eps_list{1e-2L, 1e-3L, 1e-4L, 1e-5L, 1e-6L};

struct Criterion {
  const char* name;
  std::optional<double> published, slope;  // exponent of eps: of the lemma, of the earlier study
  std::array<double, 5> h;                 // of the earlier study; 0.6: no limit
  std::function<bool(const NewtonStudy&, Real)> holds;
};

std::vector<Criterion> criteria() {
  using M = NewtonMatrix;
  using Guess = NewtonStudy::Guess;
  const auto norm = [](M matrix) {
    return [matrix](const NewtonStudy& s, Real h) { return s.contraction(matrix, h).norm < 1; };
  };
  const auto converges = [](M matrix, Guess guess) {
    return [=](const NewtonStudy& s, Real h) { return s.converges(matrix, guess, h); };
  };
  const auto radius = [](M matrix) {
    return [matrix](const NewtonStudy& s, Real h) {
      return s.contraction(matrix, h).spectral_radius < 1;
    };
  };
  constexpr double none = static_cast<double>(largest);
  const std::array<double, 5> unlimited{none, none, none, none, none};
  return {
      {"(8.1) contracts in norm",
       2.0 / 3,
       0.667,
       {7.1e-2, 1.55e-2, 3.3e-3, 7.2e-4, 1.5e-4},
       norm(M::at_start)},
      {"(8.2) contracts in norm",
       0.5,
       0.50,
       {1.5e-1, 4.8e-2, 1.5e-2, 4.7e-3, 1.5e-3},
       norm(M::along_velocity)},
      {"(8.3) contracts in norm", {}, {}, unlimited, norm(M::at_constrained_stages)},
      {"(8.1) converges from constant acceleration",
       2.0 / 3,
       0.65,
       {1.1e-1, 2.7e-2, 5.9e-3, 1.2e-3, 2.7e-4},
       converges(M::at_start, Guess::constant)},
      {"(8.2) converges from constant acceleration",
       0.5,
       0.48,
       {2.1e-1, 6.9e-2, 2.3e-2, 7.5e-3, 2.6e-3},
       converges(M::along_velocity, Guess::constant)},
      {"(8.3) converges from constant acceleration",
       {},
       0.40,
       {4.6e-1, 1.7e-1, 6.7e-2, 2.7e-2, 1.1e-2},
       converges(M::at_constrained_stages, Guess::constant)},
      {"(8.3) converges from constrained stages",
       {},
       {},
       unlimited,
       converges(M::at_constrained_stages, Guess::constrained)},
      {"(8.1) spectral radius < 1",
       {},
       0.50,
       {3.0e-1, 8.6e-2, 2.7e-2, 8.5e-3, 2.7e-3},
       radius(M::at_start)},
      {"(8.2) spectral radius < 1", {}, {}, unlimited, radius(M::along_velocity)},
  };
}

void boundaries(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  std::vector<NewtonStudy> studies;
  for (const Real eps : eps_list)
    studies.emplace_back(*problem, radau_iia<Real>(3), eps, smooth_start(*problem, eps));
  for (const Criterion& criterion : criteria()) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < eps_list.size(); ++i) {
      const Real h = boundary([&](Real step) { return criterion.holds(studies[i], step); });
      x.push_back(static_cast<double>(eps_list[i]));
      y.push_back(static_cast<double>(h));
      rows.push_back(value_row(fmt::format("{}: largest h <= 0.6, eps = {}", criterion.name, x[i]),
                               {}, criterion.h[i], y[i], 0.1));
    }
    if (!criterion.slope) continue;
    Row row = order_row(fmt::format("{}: exponent of eps in the largest h", criterion.name),
                        criterion.published, criterion.slope, slope(x, y), 0.03);
    row.rule = Rule::equal;
    rows.push_back(row);
  }
}

void augmented(std::vector<Row>& rows) {
  const auto a = pendulum<Real>(), b = double_pendulum<Real>(), c = general_problem<Real>();
  struct Known {
    const Problem<Real>& problem;
    std::array<double, 3> radius;  // at h = 0.1, 0.05, 0.025
    double condition;
  };
  const std::array known{Known{*a, {0.057, 0.029, 0.015}, 169.0},
                         Known{*b, {0.081, 0.042, 0.022}, 308.0},
                         Known{*c, {0.087, 0.045, 0.023}, 411.0}};
  for (const Known& k : known)
    for (const Real eps : {1e-4L, 1e-6L, 0.0L}) {
      const NewtonStudy study{k.problem, radau_iia<Real>(3), eps, smooth_start(k.problem, eps)};
      Real h = 0.1L;
      for (const double reference : k.radius) {
        const auto found = study.augmented(h);
        rows.push_back(value_row(
            fmt::format("{}, augmented (8.4): spectral radius at h = {}, eps = {}",
                        k.problem.name(), static_cast<double>(h), static_cast<double>(eps)),
            {}, reference, static_cast<double>(found.spectral_radius), 0.03));
        h /= 2;
      }
      rows.push_back(value_row(fmt::format("{}, (8.8): condition number at h = 0.05, eps = {}",
                                           k.problem.name(), static_cast<double>(eps)),
                               {}, k.condition,
                               static_cast<double>(study.augmented(0.05L).condition), 0.02));
    }
}

}  // namespace

std::vector<Row> newton() {
  std::vector<Row> rows;
  boundaries(rows);
  augmented(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
