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
  std::optional<double> promised;  // exponent of eps in Lemma 8.1
  bool unlimited;                  // by the text: no restriction
  const char* note;
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
  return {
      {"(8.1) contracts in norm", 2.0 / 3, false, "", norm(M::at_start)},
      {"(8.2) contracts in norm", 0.5, false, "", norm(M::along_velocity)},
      {"(8.3) contracts in norm", {}, true, "", norm(M::at_constrained_stages)},
      {"(8.1) converges from constant acceleration", 2.0 / 3, false, "",
       converges(M::at_start, Guess::constant)},
      {"(8.2) converges from constant acceleration", 0.5, false, "",
       converges(M::along_velocity, Guess::constant)},
      {"(8.3) converges from constant acceleration",
       {},
       false,
       "(8.3) is without limit only where the iteration starts at the constrained stages, too",
       converges(M::at_constrained_stages, Guess::constant)},
      {"(8.3) converges from constrained stages",
       {},
       true,
       "",
       converges(M::at_constrained_stages, Guess::constrained)},
      {"(8.1) spectral radius < 1",
       {},
       false,
       "the bound of Lemma 8.1, called necessary, is one of contraction in norm",
       radius(M::at_start)},
      {"(8.2) spectral radius < 1",
       {},
       false,
       "below 1 always, but it tends to 1: the iteration stagnates",
       radius(M::along_velocity)},
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
      const std::string name = fmt::format("{}: largest h <= 0.6, eps = {}", criterion.name, x[i]);
      rows.push_back(criterion.unlimited
                         ? stated(name,
                                  "with the stages of the constrained problem no convergence "
                                  "problem occurs",
                                  "section 8, (8.3)", static_cast<double>(largest), y[i],
                                  at_least())
                         : ours(name, y[i], criterion.note));
    }
    if (criterion.unlimited || y.front() == static_cast<double>(largest)) continue;
    const std::string name = fmt::format("{}: exponent of eps in the largest h", criterion.name);
    if (criterion.promised)
      rows.push_back(
          stated(name,
                 "converges for h <= c eps^(2/3) with (8.1), c eps^(1/2) with (8.2), and "
                 "experiments indicate that this is necessary",
                 "Lemma 8.1", *criterion.promised, slope(x, y), near(0.03)));
    else
      rows.push_back(ours(name, slope(x, y), criterion.note));
  }
}

void augmented(std::vector<Row>& rows) {
  const auto a = pendulum<Real>(), b = double_pendulum<Real>(), c = general_problem<Real>();
  for (const auto* problem : {a.get(), b.get(), c.get()}) {
    std::vector<double> radius, condition;
    for (const Real eps : {1e-4L, 1e-6L, 0.0L}) {
      const NewtonStudy study{*problem, radau_iia<Real>(3), eps, smooth_start(*problem, eps)};
      for (const Real h : {0.1L, 0.05L, 0.025L}) {
        radius.push_back(static_cast<double>(study.augmented(h).spectral_radius));
        rows.push_back(
            ours(fmt::format("{}, augmented (8.4): spectral radius at h = {}, eps = {}",
                             problem->name(), static_cast<double>(h), static_cast<double>(eps)),
                 radius.back()));
      }
      condition.push_back(static_cast<double>(study.augmented(0.05L).condition));
      rows.push_back(ours(fmt::format("{}, (8.8): condition number at h = 0.05, eps = {}",
                                      problem->name(), static_cast<double>(eps)),
                          condition.back()));
    }
    rows.push_back(stated(
        fmt::format(
            "{}, augmented (8.4): order in h of the spectral radius, eps = 1e-6, h = 0.05 to "
            "0.025",
            problem->name()),
        "the modified Newton iteration converges with rate O(h), without a restriction on h",
        "section 8, (8.4), Lemma 8.2", 1.0, std::log2(radius[4] / radius[5]), at_least(0.1)));
    rows.push_back(stated(
        fmt::format("{}, augmented (8.4): spectral radius at eps = 1e-6 over that at 0, h = 0.05",
                    problem->name()),
        "the rate does not depend on eps", "section 8, (8.4)", 1.0, radius[4] / radius[7],
        near(1e-3)));
    rows.push_back(stated(
        fmt::format("{}, (8.8): condition number at eps = 1e-6 over that at 0", problem->name()),
        "(8.8) has a uniformly bounded inverse as eps/h tends to 0", "section 8", 1.0,
        condition[1] / condition[2], near(0.01)));
  }
}

}  // namespace

Shown newton() {
  std::vector<Row> rows;
  boundaries(rows);
  augmented(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
