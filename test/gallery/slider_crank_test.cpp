// SPDX-License-Identifier: BSD-3-Clause
// The elastic slider crank against its equations as published, with the matrices written out.
#include <cmath>
#include <numbers>

#include "end_of_run.hpp"
#include "model/accelerations.hpp"

namespace taut::test {
namespace {

using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;
using std::numbers::pi;

/// M(q) and f(q, v) of Simeon's model: FE matrices and the vectors of their mean values.
struct Published {
  static constexpr double m2 = 0.151104, m3 = 0.075552, l1 = 0.15, l2 = 0.30, J1 = 0.002727,
                          J2 = 0.0045339259, E = 0.20e12, b = 0.0080, h = 0.0080, rho = 7870.0;
  static constexpr double mass = rho * b * h * l2, stretch = E * b * h / l2;

  Mat4 Mq = Mat4::Zero(), Kq = Mat4::Zero(), B = Mat4::Zero();
  Vec4 c1{0, 0, 2.0 / 3, 1.0 / 6}, c2{2 / pi, 0, 0, 0}, c12{0, 0, l2 / 3, l2 / 6},
      c21{l2 / pi, -l2 / (2 * pi), 0, 0};

  Published() {
    for (Vec4* c : {&c1, &c2, &c12, &c21}) *c *= mass;
    Mq.diagonal() << 0.5, 0.5, 8, 2;
    Mq(2, 3) = Mq(3, 2) = 1;
    Mq *= mass;
    const double slender = std::pow(pi, 4) * std::pow(h / l2, 2);
    Kq.diagonal() << slender / 24, slender * 2 / 3, 16.0 / 3, 7.0 / 3;
    Kq(2, 3) = Kq(3, 2) = -8.0 / 3;
    Kq *= stretch;
    const double cubed = std::pow(pi, 3);
    B(0, 2) = -16 / cubed;
    B(0, 3) = 8 / cubed - 1 / pi;
    B(1, 3) = 1 / (2 * pi);
    B = (mass * (B - B.transpose().eval())).eval();
  }

  [[nodiscard]] Mat M(const Vec& x) const {
    const double C = std::cos(x(0) - x(1)), S = std::sin(x(0) - x(1));
    const Vec4 q = x.tail<4>();
    Mat out = Mat::Zero(7, 7);
    out(0, 0) = J1 + m2 * l1 * l1;
    out(0, 1) = out(1, 0) = 0.5 * l1 * l2 * m2 * C + l1 * (S * c2.dot(q) + C * c1.dot(q));
    out(1, 1) = J2 + q.dot(Mq * q) + 2 * c12.dot(q);
    out(2, 2) = m3;
    out.block<1, 4>(0, 3) = (l1 * (C * c2 - S * c1)).transpose();
    out.block<1, 4>(1, 3) = (c21 + B.transpose() * q).transpose();
    out.block<4, 1>(3, 0) = out.block<1, 4>(0, 3).transpose();
    out.block<4, 1>(3, 1) = out.block<1, 4>(1, 3).transpose();
    out.block<4, 4>(3, 3) = Mq;
    return out;
  }

  [[nodiscard]] Vec f(const Vec& x, const Vec& v) const {
    const double C = std::cos(x(0) - x(1)), S = std::sin(x(0) - x(1)), w1 = v(0), w2 = v(1);
    const Vec4 q = x.tail<4>(), u = v.tail<4>();
    Vec out = Vec::Zero(7);
    out(0) = -0.5 * l1 * l2 * m2 * w2 * w2 * S + l1 * w2 * w2 * (C * c2.dot(q) - S * c1.dot(q)) -
             2 * l1 * w2 * (C * c1.dot(u) + S * c2.dot(u));
    out(1) = 0.5 * l1 * l2 * m2 * w1 * w1 * S + l1 * w1 * w1 * (S * c1.dot(q) - C * c2.dot(q)) -
             2 * w2 * (c12.dot(u) + u.dot(Mq * q)) - u.dot(B * u);
    out.tail<4>() =
        w2 * w2 * (Mq * q + c12) + l1 * w1 * w1 * (C * c1 + S * c2) + 2 * w2 * B * u - Kq * q;
    return out;
  }
};

/// A place that is nowhere special: strains and rates as large as they become, or larger.
State somewhere(const State& start, double seed) {
  State s = start;
  for (Index i = 0; i < 7; ++i) {
    const double wave = std::sin(seed + 2.3 * static_cast<double>(i * i + i));
    s.q(i) = (i < 3 ? 2.0 : 1e-3) * wave;
    s.v(i) = (i < 3 ? 150.0 : 1.0) * std::cos(3.0 * seed + static_cast<double>(i));
  }
  return s;
}

TEST(SliderCrank, HasThePublishedMassMatrixAndForces) {
  const Loaded crank = load("slider_crank");
  const Published published;
  Evaluation ev;
  crank.system.prepare(ev);
  for (const double seed : {0.3, 1.1, 2.6}) {
    const State s = somewhere(crank.start, seed);
    const Arguments at{.t = s.t, .q = s.q, .v = s.v};
    ASSERT_EQ(crank.system.evaluate(needs(Target::mass, Target::force), at, ev), Status::ok);
    const Mat M = published.M(s.q);
    const Vec f = published.f(s.q, s.v);
    EXPECT_LE((Mat{ev.M} - M).norm(), 1e-14 * M.norm());
    for (Index i = 0; i < 7; ++i) EXPECT_NEAR(ev.f(i), f(i), 1e-12 * (1.0 + std::abs(f(i)))) << i;
  }
}

// published with the model: accelerations and multipliers of a rod that is not strained
TEST(SliderCrank, StartsAsPublishedWithoutStrain) {
  const Loaded crank = load("slider_crank");
  State s = crank.start;
  s.q << 0, 0, 0.45, 0, 0, 0, 0;
  s.v << 150, -75, 0, 0, 0, 0, 0;
  Accelerations accelerations;
  Vec a(7), lambda(3);
  ASSERT_EQ(accelerations.start(crank.system), Status::ok);
  ASSERT_EQ(accelerations(crank.system, s.t, s.q, s.v, a, lambda), Status::ok);
  EXPECT_NEAR(a(2), -3.789473684210526e3, 1e-11);
  EXPECT_NEAR(a(5), 1.924342105263158e2, 1e-12);
  EXPECT_NEAR(a(6), 1.273026315789474e3, 1e-11);
  EXPECT_NEAR(lambda(1), 2.863023157894737e2, 1e-12);
}

TEST(SliderCrank, EndsWhereTwoMethodsAgree) {
  const Loaded crank = load("slider_crank");
  const State explicit_end = end_of_run(crank.system, crank.start, 0.1, "dop853", 1e-11);
  const State implicit_end = end_of_run(crank.system, crank.start, 0.1, "cvode-bdf", 1e-11);
  EXPECT_NEAR(explicit_end.q(1), -0.3311734988, 1e-9);
  EXPECT_NEAR(explicit_end.q(2), 0.1697373326, 1e-9);
  EXPECT_NEAR(explicit_end.q(3), 1.893192468e-4, 1e-12);
  EXPECT_LE((implicit_end.q - explicit_end.q).lpNorm<Eigen::Infinity>(), 1e-8);
}

}  // namespace
}  // namespace taut::test
