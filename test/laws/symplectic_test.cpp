// SPDX-License-Identifier: BSD-3-Clause
// The step map in canonical coordinates: angles and their momenta where there are rods.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <functional>

#include "method_list.hpp"
#include "problems.hpp"

namespace taut::test {
namespace {

/// Canonical coordinates z = (angles, momenta) of a problem, to states and back.
struct Chart {
  Problem problem;
  Vec z0;
  std::function<State(const Vec& z)> state;
  std::function<Vec(const State& s)> canonical;
};

// free motion of mass m: positions and momenta
Chart free_chart(const Problem& problem, double m) {
  Vec z0(4);
  z0 << problem.start.q, m * problem.start.v;
  return {problem, z0,
          [m](const Vec& z) {
            return State{0.0, z.head(2), z.tail(2) / m};
          },
          [m](const State& s) {
            Vec z(4);
            z << s.q, m * s.v;
            return z;
          }};
}

constexpr double m1 = 1.0, m2 = 0.7, L1 = 1.0, L2 = 0.6;  // of double_pendulum()

Mat angle_mass(double a, double b) {
  const double c = m2 * L1 * L2 * std::cos(a - b);
  return Mat{{(m1 + m2) * L1 * L1, c}, {c, m2 * L2 * L2}};
}

Chart double_pendulum_chart() {
  const auto state = [](const Vec& z) {
    const Vec w = angle_mass(z[0], z[1]).inverse() * z.tail(2);  // angular velocities
    State s{0.0, Vec(4), Vec(4)};
    s.q << L1 * std::sin(z[0]), -L1 * std::cos(z[0]), 0, 0;
    s.v << L1 * std::cos(z[0]) * w[0], L1 * std::sin(z[0]) * w[0], 0, 0;
    s.q.tail(2) = s.q.head(2) + L2 * Vec{{std::sin(z[1]), -std::cos(z[1])}};
    s.v.tail(2) = s.v.head(2) + L2 * w[1] * Vec{{std::cos(z[1]), std::sin(z[1])}};
    return s;
  };
  const auto canonical = [](const State& s) {
    const Vec d = s.q.tail(2) - s.q.head(2), dv = s.v.tail(2) - s.v.head(2);
    const double a = std::atan2(s.q[0], -s.q[1]), b = std::atan2(d[0], -d[1]);
    const Vec w{{(s.v[0] * -s.q[1] + s.v[1] * s.q[0]) / (L1 * L1),
                 (dv[0] * -d[1] + dv[1] * d[0]) / (L2 * L2)}};
    Vec z(4);
    z << a, b, angle_mass(a, b) * w;
    return z;
  };
  return {double_pendulum(), Vec{{0.9, 1.4, 0.6, -0.4}}, state, canonical};
}

// the bead on its curve: one angle, m(phi) = r² + r'²
Chart bead_chart() {
  const auto r = [](double phi) { return 1 + 0.3 * std::cos(phi); };
  const auto dr = [](double phi) { return -0.3 * std::sin(phi); };
  const auto m = [=](double phi) { return r(phi) * r(phi) + dr(phi) * dr(phi); };
  return {bead(), Vec{{1.2, 0.5}},
          [=](const Vec& z) {
            const double w = z[1] / m(z[0]);
            return State{0.0, Vec{{r(z[0]), z[0]}}, Vec{{dr(z[0]) * w, w}}};
          },
          [=](const State& s) {
            return Vec{{s.q[1], m(s.q[1]) * s.v[1]}};
          }};
}

// largest entry of Jᵀ Ω J - Ω for J the derivative of one step, by differences of fourth order
template <class M>
double symplectic_defect(const Chart& chart, double h) {
  const auto step = [&](const Vec& z) {
    M method;
    State s = chart.state(z);
    EXPECT_EQ(method.start(chart.problem.system, s), Status::ok);
    EXPECT_EQ(method.step(chart.problem.system, h, s), Status::ok);
    return chart.canonical(s);
  };
  const Index n = chart.z0.size();
  const double d = 1e-3;
  Mat J(n, n);
  for (Index i = 0; i < n; ++i) {
    const Vec e = d * Vec::Unit(n, i);
    const Vec near = step(chart.z0 + e) - step(chart.z0 - e);
    const Vec far = step(chart.z0 + 2 * e) - step(chart.z0 - 2 * e);
    J.col(i) = (8 * near - far) / (12 * d);
  }
  Mat Omega = Mat::Zero(n, n);
  Omega.topRightCorner(n / 2, n / 2).setIdentity();
  Omega.bottomLeftCorner(n / 2, n / 2) = -Mat::Identity(n / 2, n / 2);
  return (J.transpose() * Omega * J - Omega).lpNorm<Eigen::Infinity>();
}

template <class M>
class Symplectic : public ::testing::Test {};
TYPED_TEST_SUITE(Symplectic, SteppingMethods, MethodName);

template <class M>
void expect_as_claimed(const Chart& chart, double h) {
  SCOPED_TRACE(chart.problem.name);
  const double defect = symplectic_defect<M>(chart, h);
  // differences of fourth order over 1e-3 leave some 1e-11
  if (M::info.symplectic) {
    EXPECT_LE(defect, 1e-9);
  } else {
    EXPECT_GE(defect, 1e-8);
  }
}

TYPED_TEST(Symplectic, StepMapKeepsTheCanonicalFormAsClaimed) {
  if (TypeParam::info.name == "shake")
    GTEST_SKIP() << "leaves the tangent bundle: no step map in angles and momenta";
  // methods that filter compliant constraints alone are Verlet without them
  if (TypeParam::info.compliance)
    expect_as_claimed<TypeParam>(free_chart(elastic_pendulum(), 1.3), 0.1);
  else
    expect_as_claimed<TypeParam>(free_chart(henon_heiles(), 1.0), 0.3);
  if (TypeParam::info.constraints) expect_as_claimed<TypeParam>(double_pendulum_chart(), 0.05);
  if (TypeParam::info.variable_mass) expect_as_claimed<TypeParam>(bead_chart(), 0.05);
}

}  // namespace
}  // namespace taut::test
