// SPDX-License-Identifier: BSD-3-Clause
// Theorems 3.2 (second term), 4.2 and 6.1, Lemmas 5.1, 5.2 and 5.4, and strong damping.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "dense_algebra.hpp"
#include "errors.hpp"
#include "items.hpp"
#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = long double;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double size(const Point<Real>& a, const Point<Real>& b) {
  return static_cast<double>((a.y - b.y).norm() + (a.v - b.v).norm());
}

// The coefficients of eps² and eps⁴ in e(eps) = numerical - smooth motion, from three values of
// eps; e(0) is known.
struct Coefficients {
  double first = nan, second = nan;
};

Coefficients coefficients(const Tableau<Real>& t, int steps) {
  const auto problem = pendulum<Real>();
  const ErrorStudy rigid{*problem, 0};
  const Point<Real> zero = rigid.difference(t, Form::index3, steps);
  std::array<VecOf<Real>, 2> quotient;  // (e(eps) - e(0)) / eps²
  const std::array<Real, 2> eps{Real(1) / (50 * steps), Real(1) / (100 * steps)};  // well below h
  for (std::size_t i = 0; i < 2; ++i) {
    const Point<Real> e = ErrorStudy{*problem, eps[i]}.difference(t, Form::index3, steps);
    if (e.y.size() == 0 || zero.y.size() == 0) return {};
    VecOf<Real> both(2 * e.y.size());
    both << e.y - zero.y, e.v - zero.v;
    quotient[i] = both / (eps[i] * eps[i]);
  }
  const Real a = eps[0] * eps[0], b = eps[1] * eps[1];
  const VecOf<Real> second = (quotient[0] - quotient[1]) / (a - b);
  return {static_cast<double>((quotient[1] - b * second).norm()),
          static_cast<double>(second.norm())};
}

void theorem_4_2(std::vector<Row>& rows) {
  for (const int s : {3, 4, 5}) {
    const Tableau<Real>& t = radau_iia<Real>(s);
    const Coefficients coarse = coefficients(t, 32), fine = coefficients(t, 64);
    const auto add = [&](const char* what, double promised, double from, double to) {
      rows.push_back(stated(
          fmt::format("{}: order in h of the error of the coefficient of {}, h = 1/32 to 1/64",
                      t.name, what),
          "the coefficient of eps^(2k) errs by O(h^(q-2k))", "Theorem 4.2, (4.3)", promised,
          std::log2(from / to), at_least(0.4)));
    };
    add("eps^2", s - 2.0, coarse.first, fine.first);
    if (s >= 4) add("eps^4", s - 4.0, coarse.second, fine.second);
  }
}

// (6.2): what is left of the numerical solution when the terms up to eps^(2k) are taken off
void theorem_6_1(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  constexpr int steps = 16;
  for (const int s : {2, 3, 4}) {
    const Tableau<Real>& t = radau_iia<Real>(s);
    const int k = s / 2;
    // numerical solutions themselves, at eps and eps/2, eps/4: remainders by extrapolation
    std::vector<double> x, r;
    const auto run = [&](Real eps) {
      return FixedStep<Real>{*problem, t, Form::index3, eps}.run(smooth_start(*problem, eps),
                                                                 Real(1) / steps, steps);
    };
    const auto zero = run(0);
    for (const Real eps : {1e-3L, 5e-4L, 2.5e-4L}) {
      const auto at = run(eps), half = run(eps / 2);
      if (!zero || !at || !half) continue;
      Point<Real> left = *at;
      // y(eps) - y0, and for k = 2 the part of eps² off as well: 4 y(eps/2) has it, too
      left.y -= zero->y;
      left.v -= zero->v;
      if (k >= 2) {
        left.y -= 4 * (half->y - zero->y);
        left.v -= 4 * (half->v - zero->v);
      }
      x.push_back(static_cast<double>(eps));
      r.push_back(static_cast<double>(left.y.norm() + left.v.norm()));
    }
    rows.push_back(stated(
        fmt::format("{}: exponent of eps in what follows the terms up to eps^{}", t.name,
                    2 * (k - 1)),
        "the numerical solution has an expansion in eps^2 with a remainder O(eps^(2k)), k = [q/2]",
        "Theorem 6.1, (6.2)", 2.0 * k, x.size() == 3 ? slope(x, r) : nan, at_least(0.15)));
  }
}

// Theorem 3.2: the start on the manifold of smooth motion whose numerical solution is nearest to
// that of a pushed start, by Newton's method in the angle and its velocity; what is left after n
// steps
double left_after_damping(const Tableau<Real>& t, Real eps, Real h, int n) {
  const auto problem = pendulum<Real>();
  const FixedStep<Real> method{*problem, t, Form::index3, eps};
  const auto on_manifold = [&](Real angle, Real spin) {
    Point<Real> at;
    at.y = VecOf<Real>(2);
    at.v = VecOf<Real>(2);
    at.y << std::sin(angle), -std::cos(angle);
    at.v << spin * std::cos(angle), spin * std::sin(angle);
    return smooth_motion(*problem, at, eps, sweeps_for(eps)).at(0);
  };
  Point<Real> pushed = on_manifold(1.2L, 0.7L);
  const VecOf<Real> outwards = pushed.y / pushed.y.norm();
  pushed.y += h * h * outwards;
  pushed.v += 0.5L * h * outwards;
  const auto target = method.run(pushed, h, n);
  if (!target) return nan;
  Real angle = 1.2L, spin = 0.7L;
  const auto tangential = [&](const Point<Real>& p) {
    const VecOf<Real> u = target->y / target->y.norm();
    VecOf<Real> along(2), parts(2);
    along << -u(1), u(0);
    parts << along.dot(p.y - target->y), along.dot(p.v - target->v);
    return parts;
  };
  std::optional<Point<Real>> found;
  for (int i = 0; i < 8; ++i) {
    constexpr Real d = 1e-6L;
    found = method.run(on_manifold(angle, spin), h, n);
    const auto a = method.run(on_manifold(angle + d, spin), h, n);
    const auto b = method.run(on_manifold(angle, spin + d), h, n);
    if (!found || !a || !b) return nan;
    const VecOf<Real> r = tangential(*found), ra = (tangential(*a) - r) / d,
                      rb = (tangential(*b) - r) / d;
    const Real det = ra(0) * rb(1) - rb(0) * ra(1);
    angle -= (r(0) * rb(1) - rb(0) * r(1)) / det;
    spin -= (ra(0) * r(1) - r(0) * ra(1)) / det;
  }
  found = method.run(on_manifold(angle, spin), h, n);
  return found ? size(*found, *target) : nan;
}

void theorem_3_2(std::vector<Row>& rows) {
  for (const int s : {2, 3})
    for (const Real eps : {1e-2L, 1e-3L}) {
      const Tableau<Real>& t = radau_iia<Real>(s);
      const Real h = 10 * eps;
      const double bound = static_cast<double>(s == 2 ? eps * eps : h * eps * eps);
      rows.push_back(stated(
          fmt::format("{}, eps = {}, h = 10 eps: distance from the nearest solution that began "
                      "smoothly, after 20 steps, over eps^2{}",
                      t.name, static_cast<double>(eps), s == 2 ? "" : " h"),
          "what damping leaves is O(eps^(2k)) for q = 2k, O(h eps^(2k)) for q = 2k + 1",
          "Theorem 3.2, (3.8)", 1.0, left_after_damping(t, eps, h, 20) / bound, at_most()));
      rows.back().volatile_value = true;  // by iteration, near rounding
    }
}

// Lemma 5.1: accelerations of the stages stay bounded for starts O(h²), O(h) off the manifold
void lemma_5_1(std::vector<Row>& rows) {
  const auto problem = double_pendulum<Real>();
  const auto largest = [&](Real eps, Real h) {
    Point<Real> from = smooth_start(*problem, eps);
    const MatOf<Real> G = problem->constraints(from.y).G;
    const VecOf<Real> outwards = G.transpose() * VecOf<Real>::Ones(problem->m());
    from.y += h * h * outwards;
    from.v += h * outwards;
    const auto stages =
        FixedStep<Real>{*problem, radau_iia<Real>(3), Form::index3, eps}.stages(from, h);
    return stages ? static_cast<double>(stages->A.cwiseAbs().maxCoeff()) : nan;
  };
  const std::string bounded = "the stages exist and their accelerations are O(1), uniformly in eps";
  const double first = largest(1e-3L, 0.02L);
  rows.push_back(
      ours("largest acceleration of a stage, start h^2 off, eps = 1e-3, h = 0.02", first));
  rows.push_back(stated("the same at eps = 1e-6 over that at 1e-3", bounded, "Lemma 5.1", 2.0,
                        largest(1e-6L, 0.02L) / first, at_most()));
  rows.push_back(stated("the same at h = 0.005 over that at 0.02", bounded, "Lemma 5.1", 2.0,
                        largest(1e-3L, 0.005L) / first, at_most()));
}

// Lemma 5.2: a change of the start normal to the constraints changes the stages by 1/h² of it, one
// along them by 1/h at most; Lemma 5.4: after many steps a normal change has an effect of its size
void lemmas_5_2_and_5_4(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  constexpr Real eps = 1e-5L, change = 1e-9L;
  const Point<Real> from = smooth_start(*problem, eps);
  const VecOf<Real> normal = from.y / from.y.norm();
  VecOf<Real> along(2);
  along << -normal(1), normal(0);
  const auto stage_change = [&](const VecOf<Real>& direction, Real h) {
    const FixedStep<Real> method{*problem, radau_iia<Real>(3), Form::index3, eps};
    Point<Real> other = from;
    other.y += change * direction;
    const auto a = method.stages(from, h), b = method.stages(other, h);
    return a && b ? static_cast<double>((a->A - b->A).cwiseAbs().maxCoeff() / change) : nan;
  };
  rows.push_back(
      stated("order in h of the change of stages by a normal change, h = 0.04 to 0.01",
             "accelerations change by 1/h^2 of it", "Lemma 5.2", -2.0,
             std::log(stage_change(normal, 0.04L) / stage_change(normal, 0.01L)) / std::log(4.0),
             at_least(0.1)));
  rows.push_back(
      stated("order in h of the change of stages by a tangential change, h = 0.04 to 0.01",
             "accelerations change by 1/h of it at most", "Lemma 5.2", -1.0,
             std::log(stage_change(along, 0.04L) / stage_change(along, 0.01L)) / std::log(4.0),
             at_least(0.1)));
  const auto effect = [&](Real h) {
    const FixedStep<Real> method{*problem, radau_iia<Real>(3), Form::index3, eps};
    Point<Real> other = from;
    other.y += change * normal;
    const int n = static_cast<int>(std::lround(1 / h));
    const auto a = method.run(from, h, n), b = method.run(other, h, n);
    return a && b ? size(*a, *b) / static_cast<double>(change) : nan;
  };
  rows.push_back(stated("effect at T = 1 of a normal change of y, h = 1/160 over that at 1/40",
                        "it is bounded by a multiple of the change, uniformly in h and eps",
                        "Lemma 5.4", 1.0, effect(1.0L / 160) / effect(1.0L / 40), at_most(0.2)));
}

// strong damping: eps² λ = g + G v, of index 2 for eps = 0
void strong_damping(std::vector<Row>& rows) {
  const auto problem = pendulum<Real>();
  const Tableau<Real>& t = radau_iia<Real>(3);
  // a fine run is the truth: there is no vibration to be avoided
  const auto run = [&](Real eps, int steps) {
    Point<Real> from = problem->start();
    return FixedStep<Real>{*problem, t, Form::damped, eps}.run(from, Real(1) / steps, steps);
  };
  const auto exact = run(0, 512), a = run(0, 16), b = run(0, 32);
  if (!exact || !a || !b) return;
  const auto order = [&](double coarse, double fine) { return std::log2(coarse / fine); };
  rows.push_back(ours("strong damping, radau-iia-3, eps = 0: order of y, h = 1/16 to 1/32",
                      order(static_cast<double>((a->y - exact->y).norm()),
                            static_cast<double>((b->y - exact->y).norm()))));
  rows.push_back(ours("strong damping, radau-iia-3, eps = 0: order of v, h = 1/16 to 1/32",
                      order(static_cast<double>((a->v - exact->v).norm()),
                            static_cast<double>((b->v - exact->v).norm()))));
  std::vector<double> x, distance;
  for (const Real eps : {1e-2L, 1e-3L, 1e-4L}) {
    const auto damped = run(eps, 32);
    x.push_back(static_cast<double>(eps));
    distance.push_back(damped ? size(*damped, *b) : nan);
  }
  rows.push_back(
      stated("strong damping: exponent of eps in the distance from the solution of index 2",
             "the numerical solution approaches that of a system of index 2", "section 1, end", 2.0,
             slope(x, distance), at_least(0.2)));
}

}  // namespace

Shown expansion() {
  std::vector<Row> rows;
  theorem_4_2(rows);
  theorem_6_1(rows);
  theorem_3_2(rows);
  lemma_5_1(rows);
  lemmas_5_2_and_5_4(rows);
  strong_damping(rows);
  return rows;
}

}  // namespace taut::papers::stiff_rk
