// SPDX-License-Identifier: BSD-3-Clause
// Andrews' mechanism from its kinetic energies, against the published mass matrix and velocity
// forces written by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "support.hpp"

namespace taut::test {
namespace {

struct Published {
  Mat M = Mat::Zero(7, 7);
  Vec f = Vec::Zero(7), g = Vec::Zero(6);
};

Published published(const Vec& q, const Vec& v) {
  const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
               m7 = .05498;
  const double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5,
               I6 = 5.667e-7, I7 = 1.912e-5;
  const double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072,
               c0 = 4530, l0 = .07785, mom = .033;
  const double d = .028, da = .0115, e = .02, ea = .01421, r = .007, ra = .00092, s = .035,
               sa = .01874, sb = .01043, sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04,
               ua = .01228, ub = .00449, zf = .02, zt = .04, fa = .01421;
  const double es = e - ea, fs = zf - fa;
  const double be = q[0], th = q[1], ga = q[2], ph = q[3], de = q[4], om = q[5], ep = q[6];
  const double bep = v[0], thp = v[1], php = v[3], dep = v[4], omp = v[5], epp = v[6];
  Published p;
  Mat& M = p.M;
  M(0, 0) = m1 * ra * ra + m2 * (r * r - 2 * da * r * std::cos(th) + da * da) + I1 + I2;
  M(0, 1) = M(1, 0) = m2 * (da * da - da * r * std::cos(th)) + I2;
  M(1, 1) = m2 * da * da + I2;
  M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
  M(3, 3) = m4 * es * es + I4;
  M(3, 4) = M(4, 3) = m4 * (es * es + zt * es * std::sin(ph)) + I4;
  M(4, 4) =
      m4 * (zt * zt + 2 * zt * es * std::sin(ph) + es * es) + m5 * (ta * ta + tb * tb) + I4 + I5;
  M(5, 5) = m6 * fs * fs + I6;
  M(5, 6) = M(6, 5) = m6 * (fs * fs - u * fs * std::sin(om)) + I6;
  M(6, 6) = m6 * (fs * fs - 2 * u * fs * std::sin(om) + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
  const double xd = sd * std::cos(ga) + sc * std::sin(ga) + xb;
  const double yd = sd * std::sin(ga) - sc * std::cos(ga) + yb;
  const double l = std::hypot(xd - xc, yd - yc);
  const double F = -c0 * (l - l0) / l, fx = F * (xd - xc), fy = F * (yd - yc);
  p.f << mom - m2 * da * r * thp * (thp + 2 * bep) * std::sin(th),
      m2 * da * r * bep * bep * std::sin(th),
      fx * (sc * std::cos(ga) - sd * std::sin(ga)) + fy * (sd * std::cos(ga) + sc * std::sin(ga)),
      m4 * zt * es * dep * dep * std::cos(ph), -m4 * zt * es * php * (php + 2 * dep) * std::cos(ph),
      -m6 * u * fs * epp * epp * std::cos(om), m6 * u * fs * omp * (omp + 2 * epp) * std::cos(om);
  const double X = r * std::cos(be) - d * std::cos(be + th);
  const double Y = r * std::sin(be) - d * std::sin(be + th);
  p.g << X - s * std::sin(ga) - xb, Y + s * std::cos(ga) - yb,
      X - e * std::sin(ph + de) - zt * std::cos(de) - xa,
      Y + e * std::cos(ph + de) - zt * std::sin(de) - ya,
      X - zf * std::cos(om + ep) - u * std::sin(ep) - xa,
      Y - zf * std::sin(om + ep) + u * std::cos(ep) - ya;
  return p;
}

TEST(Andrews, KineticEnergiesGiveThePublishedMassesAndForces) {
  Problems problems;
  const CompiledModel model =
      compile(read_model_file(std::string{TAUT_MODELS} + "/andrews.toml", problems), problems);
  problems.throw_if_any();
  Evaluation out;
  model.system.prepare(out);
  const Sparse& pattern = model.system.structure().M;
  EXPECT_EQ(pattern.nonZeros(), 13);  // seven on the diagonal, three pairs beside it
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Vec q = random_vector(7, seed), v = 30.0 * random_vector(7, seed + 100);
    ASSERT_EQ(model.system.evaluate(needs(Target::mass, Target::force, Target::constraint,
                                          Target::constraint_jacobian),
                                    {.t = 0, .q = q, .v = v}, out),
              Status::ok);
    const Published truth = published(q, v);
    EXPECT_LE((Mat(out.M) - truth.M).cwiseAbs().maxCoeff(), 1e-18);
    for (Index i = 0; i < 7; ++i)
      EXPECT_NEAR(out.f[i], truth.f[i], 1e-13 * (truth.f.cwiseAbs().maxCoeff()));
    EXPECT_LE((out.g - truth.g).cwiseAbs().maxCoeff(), 1e-16);
    const Mat G = differences([&](const Vec& x) { return published(x, v).g; }, q);
    EXPECT_LE((Mat(out.G) - G).cwiseAbs().maxCoeff(), 1e-11);
  }
}

}  // namespace
}  // namespace taut::test
