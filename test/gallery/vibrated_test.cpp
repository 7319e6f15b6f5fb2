// SPDX-License-Identifier: BSD-3-Clause
// The vibrated pendula against their effective potentials in angles.
#include <cmath>

#include "averaged/averaged.hpp"
#include "end_of_run.hpp"
#include "long_double_ode.hpp"

namespace taut::test {
namespace {

using Real = long double;
constexpr Real m1 = 0.01L, m2 = 0.005L, m = m1 + m2, l1 = 0.2L, l2 = 0.1L, g = 9.8L, vmax = 4;

/// Gravity and the mean kinetic energy of the vibration, (vmax²/4) bᵀA⁻¹b with the mass matrix A
/// and b = d(m1 y1 + m2 y2)/dq.
Real effective_potential(Real q1, Real q2) {
  const Real b1 = -m * l1 * std::sin(q1), b2 = -m2 * l2 * std::sin(q2);
  const Real a11 = m * l1 * l1, a12 = m2 * l1 * l2 * std::cos(q1 - q2), a22 = m2 * l2 * l2;
  const Real energy = (b1 * b1 * a22 - 2 * b1 * b2 * a12 + b2 * b2 * a11) / (a11 * a22 - a12 * a12);
  return g * (m * l1 * std::cos(q1) + m2 * l2 * std::cos(q2)) + vmax * vmax / 4 * energy;
}

/// A q'' = -dU/dq and the terms of the double pendulum in v², the force by differences.
void double_pendulum_in_angles(const LongVec& y, LongVec& dy) {
  constexpr Real d = 1e-5L;
  const auto slope = [&](Real d1, Real d2) {
    return (8 * (effective_potential(y[0] + d1, y[1] + d2) -
                 effective_potential(y[0] - d1, y[1] - d2)) -
            (effective_potential(y[0] + 2 * d1, y[1] + 2 * d2) -
             effective_potential(y[0] - 2 * d1, y[1] - 2 * d2))) /
           (12 * d);
  };
  const Real coupling = m2 * l1 * l2, c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]);
  const Real f1 = -slope(d, 0) - coupling * s * y[3] * y[3];
  const Real f2 = -slope(0, d) + coupling * s * y[2] * y[2];
  const Real a11 = m * l1 * l1, a12 = coupling * c, a22 = m2 * l2 * l2;
  const Real det = a11 * a22 - a12 * a12;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = (a22 * f1 - a12 * f2) / det;
  dy[3] = (a11 * f2 - a12 * f1) / det;
}

Vec expected(Real t) {
  const LongVec y =
      solve([](Real, const LongVec& at, LongVec& rates) { double_pendulum_in_angles(at, rates); },
            {0.5L, 0, 0, 0}, 0, t, 0.005L);
  const auto x1 = static_cast<double>(l1 * std::sin(y[0]));
  const auto y1 = static_cast<double>(l1 * std::cos(y[0]));
  return Vec{{x1, y1, x1 + static_cast<double>(l2 * std::sin(y[1])),
              y1 + static_cast<double>(l2 * std::cos(y[1]))}};
}

TEST(VibratedDoublePendulum, FollowsItsEffectivePotentialOnAverage) {
  const Loaded pendulum = load("vibrated_double_pendulum", {{"omega", 1e6}});
  const AveragedReading reading = averaged(pendulum.system, pendulum.start);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  const State soon = end_of_run(reading.system, pendulum.start, 0.1, "dop853", 1e-9);
  EXPECT_LE((soon.q - expected(0.1L)).lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LE((soon.q - Vec{{0.020326, 0.198964, 0.106368, 0.249923}}).lpNorm<Eigen::Infinity>(),
            1e-6);  // as the file says
  const State end = end_of_run(reading.system, pendulum.start, 1.0, "dop853", 1e-9);
  EXPECT_LE((end.q - expected(1)).lpNorm<Eigen::Infinity>(), 1e-5);
  EXPECT_LE((end.q - Vec{{0.006201, 0.199904, 0.082293, 0.264789}}).lpNorm<Eigen::Infinity>(),
            1e-5);
}

// every vibration resolved
TEST(VibratedDoublePendulum, AsWrittenStaysNearItsAverage) {
  const Loaded pendulum = load("vibrated_double_pendulum");
  const auto off = [&](double t) {
    const State state = end_of_run(pendulum.system, pendulum.start, t, "dop853", 1e-9);
    return (state.q - expected(static_cast<Real>(t))).lpNorm<Eigen::Infinity>();
  };
  EXPECT_LE(off(0.1), 5e-4);
  EXPECT_LE(off(1.0), 0.02);
}

}  // namespace
}  // namespace taut::test
