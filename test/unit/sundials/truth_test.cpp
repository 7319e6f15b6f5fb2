// SPDX-License-Identifier: BSD-3-Clause
// Rods against angles: the same motions in coordinates that know no constraint.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

#include "methods/arkode.hpp"
#include "methods/cvode.hpp"
#include "methods/ida.hpp"
#include "problems.hpp"

namespace taut::test {
namespace {

using Real = long double;
using Angles = std::array<Real, 4>;  // two angles from the x axis, two rates

/// Double pendulum of unit masses and unit rods under gravity 1, from its Lagrangian in angles.
Angles rates(const Angles& y) {
  const auto [a, b, w, z] = y;
  const Real c = std::cos(a - b), s = std::sin(a - b);
  // [2 c; c 1] (a'', b'') = (-z² s - 2 cos a, w² s - cos b)
  const Real r1 = -z * z * s - 2 * std::cos(a), r2 = w * w * s - std::cos(b);
  const Real det = 2 - c * c;
  return {w, z, (r1 - c * r2) / det, (2 * r2 - c * r1) / det};
}

Angles runge_kutta(Angles y, Real t, int steps) {
  const Real h = t / steps;
  const auto at = [](const Angles& x, Real s, const Angles& k) {
    Angles out = x;
    for (int i = 0; i < 4; ++i) out[i] += s * k[i];
    return out;
  };
  for (int n = 0; n < steps; ++n) {
    const Angles k1 = rates(y), k2 = rates(at(y, h / 2, k1)), k3 = rates(at(y, h / 2, k2)),
                 k4 = rates(at(y, h, k3));
    for (int i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

State in_rods(double t, const Angles& y) {
  const auto [a, b, w, z] = y;
  const Real x1 = std::cos(a), y1 = std::sin(a), u1 = -w * y1, v1 = w * x1;
  const Real x2 = x1 + std::cos(b), y2 = y1 + std::sin(b), u2 = u1 - z * std::sin(b),
             v2 = v1 + z * std::cos(b);
  const auto d = [](Real x) { return static_cast<double>(x); };
  return {.t = t, .q = vec({d(x1), d(y1), d(x2), d(y2)}), .v = vec({d(u1), d(v1), d(u2), d(v2)})};
}

double distance(const State& a, const State& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

template <class M>
class DoublePendulum : public testing::Test {};
using Methods = testing::Types<CvodeAdams, CvodeBdf, Arkode, Ida>;
TYPED_TEST_SUITE(DoublePendulum, Methods);

TYPED_TEST(DoublePendulum, FollowsTheAnglesAtTheEndsAndInsideOfSteps) {
  const Chain chain{.n = 2};
  const System system = by_hand(chain);
  const double t_end = 3.0;
  double last = 1.0;
  for (const double tol : {1e-5, 1e-7, 1e-9}) {
    TypeParam method{{.tol = tol}};
    State state = chain.start(), inside;
    ASSERT_EQ(method.start(system, state), Status::ok);
    double error_inside = 0.0;
    int checked = 0;
    while (state.t < t_end) {
      const double t0 = state.t;
      ASSERT_EQ(method.advance(system, t_end, state), Status::ok);
      ASSERT_GT(state.t, t0);
      if (++checked % 20 != 0) continue;
      const double t = t0 + 0.37 * (state.t - t0);
      ASSERT_EQ(method.interpolate(system, t, inside), Status::ok);
      EXPECT_EQ(inside.t, t);
      error_inside = std::max(error_inside, distance(inside, in_rods(t, runge_kutta({}, t, 4000))));
    }
    const double error = distance(state, in_rods(t_end, runge_kutta({}, t_end, 4000)));
    EXPECT_LE(error, 2e3 * tol);
    EXPECT_LE(error_inside, 2e3 * tol);
    EXPECT_LE(error, 0.2 * last) << "a hundredth of the tolerance gains at least a factor 5";
    last = error;
  }
}

TYPED_TEST(DoublePendulum, HoldsRodsAndEnergyOverALongTime) {
  const Chain chain{.n = 2};
  const System system = by_hand(chain);
  TypeParam method{{.tol = 1e-8}};
  State state = chain.start();
  Evaluation ev;
  system.prepare(ev);
  ASSERT_EQ(method.start(system, state), Status::ok);
  double g = 0.0, Gv = 0.0;
  while (state.t < 100.0) {
    ASSERT_EQ(method.advance(system, 100.0, state), Status::ok);
    constexpr Needs wanted =
        needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
    ASSERT_EQ(system.evaluate(wanted, {.t = state.t, .q = state.q, .v = state.v}, ev), Status::ok);
    g = std::max(g, ev.g.lpNorm<Eigen::Infinity>());
    Gv = std::max(Gv, (ev.G * state.v + ev.g_t).lpNorm<Eigen::Infinity>());
  }
  EXPECT_LE(g, 1e-14);   // metres
  EXPECT_LE(Gv, 1e-14);  // metres per second
  // a history that drifts off the rods loses three times this bound or more
  const double energy = 0.5 * state.v.squaredNorm() + state.q(1) + state.q(3);
  EXPECT_LE(std::abs(energy), 1.5e-4);
}

TYPED_TEST(DoublePendulum, MovesAsBeforeWhenARodIsStatedTwice) {
  const Chain twice{.n = 2, .twice = true};
  TypeParam method{{.tol = 1e-8}};
  const System system = by_hand(twice);
  State state = twice.start();
  ASSERT_EQ(method.start(system, state), Status::ok);
  while (state.t < 3.0) ASSERT_EQ(method.advance(system, 3.0, state), Status::ok);
  EXPECT_LE(distance(state, in_rods(3.0, runge_kutta({}, 3.0, 4000))), 1e-5);
}

TYPED_TEST(DoublePendulum, RunsBackwards) {
  const Chain chain{.n = 2};
  const System system = by_hand(chain);
  TypeParam method{{.tol = 1e-9}};
  State state = in_rods(1.0, runge_kutta({}, 1.0, 4000));
  ASSERT_EQ(method.start(system, state), Status::ok);
  while (state.t > 0.0) ASSERT_EQ(method.advance(system, 0.0, state), Status::ok);
  EXPECT_EQ(state.t, 0.0);
  EXPECT_LE(distance(state, chain.start()), 1e-6);
}

TEST(ArkodeOrder, ErrorFallsWithTheFourthPowerOfTheSteps) {
  const Chain chain{.n = 2};
  const System system = by_hand(chain);
  const State truth = in_rods(3.0, runge_kutta({}, 3.0, 16000));
  std::array<double, 2> error{}, steps{};
  for (std::size_t k = 0; k < 2; ++k) {
    Arkode method{{.tol = k == 0 ? 1e-9 : 1e-11}};
    State state = chain.start();
    ASSERT_EQ(method.start(system, state), Status::ok);
    while (state.t < 3.0) ASSERT_EQ(method.advance(system, 3.0, state), Status::ok);
    error[k] = distance(state, truth);
    steps[k] = static_cast<double>(method.counters.steps - method.counters.rejected);
  }
  const double order = std::log(error[0] / error[1]) / std::log(steps[1] / steps[0]);
  EXPECT_NEAR(order, Arkode::info.order, 0.2) << error[0] << ", " << error[1];
}

}  // namespace
}  // namespace taut::test
