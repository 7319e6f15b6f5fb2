// SPDX-License-Identifier: BSD-3-Clause
// Methods without nonlinear solves on bodies: Zhang and Skeel's on stiff springs that hold the axes
// together, the Gauss-Newton variant on rigid ones.
#include "methods/gauss_newton.hpp"
#include "methods/zhang_skeel.hpp"
#include "support.hpp"

namespace taut::test {
namespace {

const char* const sprung_body = R"toml(
[[body]]
name    = "b"
mass    = 2
inertia = [1, 1.3, 1.6]
spin    = [0.5, 0.3, -0.4]
markers = { tip = [0.3, -0.2, 0.5] }
[anchors]
wall = [0, 0, 1.5]
[[spring]]
between   = ["b.tip", "wall"]
stiffness = 2
length    = 0.5
)toml";

TEST(ZhangSkeelOnABody, IsSymplectic) {
  const auto model = bodies(sprung_body);
  const System system = penalized(model.system, 20);
  const Vec masses = system.structure().M.diagonal();
  const double h = 0.1;
  State z = model.given;
  ZhangSkeel method{0.3};
  ASSERT_EQ(method.start(system, z), Status::ok);
  for (int n = 0; n < 20; ++n) ASSERT_EQ(method.step(system, h, z), Status::ok);

  // one step in (q, M v), by differences of fourth order
  const Index n = system.nq();
  const auto stepped = [&](Index i, double by) {
    State s = z;
    if (i < n)
      s.q[i] += by;
    else
      s.v[i - n] += by / masses[i - n];
    ZhangSkeel fresh{0.3};
    EXPECT_EQ(fresh.start(system, s), Status::ok);
    EXPECT_EQ(fresh.step(system, h, s), Status::ok);
    Vec y(2 * n);
    y << s.q, masses.cwiseProduct(s.v);
    return y;
  };
  constexpr double d = 1e-4;
  std::vector<Vec> J;
  for (Index i = 0; i < 2 * n; ++i)
    J.push_back((8 * (stepped(i, d) - stepped(i, -d)) - (stepped(i, 2 * d) - stepped(i, -2 * d))) /
                (12 * d));
  double defect = 0;
  for (Index i = 0; i < 2 * n; ++i)
    for (Index j = 0; j < 2 * n; ++j) {
      const Vec &a = J[static_cast<std::size_t>(i)], &b = J[static_cast<std::size_t>(j)];
      const double form = a.head(n).dot(b.tail(n)) - a.tail(n).dot(b.head(n));
      defect = std::max(defect, std::abs(form - (j == i + n ? 1 : i == j + n ? -1 : 0)));
    }
  EXPECT_LE(defect, 1e-8);
}

TEST(GaussNewtonOnABody, KeepsMomentumAndFollowsTheClosedFormWithOrderTwo) {
  const auto model = bodies(R"toml(
[[body]]
name    = "b"
mass    = 1
inertia = [1, 2, 2.5]
spin    = [0.8, 0, 1.2]
)toml");
  const System system = rigid(model.system);
  const Vec3 I{1, 2, 2.5}, J{1.75, 0.75, 0.25};
  const FreeBody truth{I, 0.8, 1.2};
  double dL = 0;
  const auto error = [&](int steps) {
    GaussNewton method;
    State s = model.given;
    EXPECT_EQ(method.start(system, s), Status::ok);
    const double h = 4.0 / steps;
    double largest = 0;
    for (int n = 1; n <= steps; ++n) {
      EXPECT_EQ(method.step(system, h, s), Status::ok) << n;
      const Pose p{system, s, "b"};
      Vec3 L = Vec3::Zero();  // R is a rotation only to O(h²)
      for (int c = 0; c < 3; ++c) L += J[c] * p.R.col(c).cross(p.R_dot.col(c));
      dL = std::max(dL, (L - I.cwiseProduct(Vec3{0.8, 0, 1.2})).norm());
      if (n % (steps / 4) == 0) largest = std::max(largest, (p.R - truth.axes(s.t)).norm());
    }
    return largest;
  };
  EXPECT_NEAR(std::log2(error(400) / error(800)), 2.0, 0.1);
  EXPECT_LE(dL, 1e-12);
}

}  // namespace
}  // namespace taut::test
