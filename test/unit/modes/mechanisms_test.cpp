// SPDX-License-Identifier: BSD-3-Clause
// Modes of known mechanisms beside equations that were derived by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "models.hpp"
#include "taut/modes/periodic.hpp"
#include "taut/modes/response.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::test {
namespace {

using Complex = std::complex<double>;

/// Eigenvalues of the benchmark's equations for lean and steer, M q'' + v C q' + (g K0 + v^2 K2) q
/// = 0, with its numbers (meijaard2007); by real parts.
std::vector<Complex> benchmark_roots(double v) {
  Eigen::Matrix2d M, C, K0, K2;
  M << 80.81722, 2.31941332208709, 2.31941332208709, 0.29784188199686;
  C << 0, 33.86641391492494, -0.85035641456978, 1.68540397397560;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -0.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomLeftCorner<2, 2>() = -M.inverse() * (9.81 * K0 + v * v * K2);
  A.bottomRightCorner<2, 2>() = -M.inverse() * v * C;
  const Eigen::EigenSolver<Eigen::Matrix4d> solver{A};
  std::vector<Complex> roots;
  for (const Complex& s : solver.eigenvalues())
    if (s.imag() >= 0) roots.push_back(s);
  std::sort(roots.begin(), roots.end(),
            [](const Complex& a, const Complex& b) { return a.real() < b.real(); });
  return roots;
}

TEST(Mechanisms, BicycleHasThePublishedRoots) {
  // castering, then those of the weave and of the capsize, as they are printed
  struct Published {
    double speed;
    std::vector<Complex> roots;
  };
  const std::vector<Published> table{
      {1, {-7.11008014637442, -3.13423125066578, {3.52696170990070, 0.80774027519930}}},
      {3, {-10.35101467245920, -2.63366137253667, {1.70675605663975, 2.31582447384325}}},
      {5, {-14.07838969279822, {-0.77534188219585, 4.46486771378823}, -0.32286642900409}},
      {8, {-20.27940894394569, {-2.69348683581097, 8.46037971396931}, 0.14327879765713}},
  };
  for (const auto& [speed, published] : table) {
    SCOPED_TRACE(speed);
    Model model = load(TAUT_MODELS "/bicycle.toml");
    ASSERT_TRUE(model.set("push", 0.0));
    ASSERT_TRUE(model.set("speed", speed));
    const Modes found = modes(model);
    ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
    EXPECT_EQ(found.linear.kind, PointKind::steady);
    std::vector<Complex> roots = roots_in(found);
    std::sort(roots.begin(), roots.end(),
              [](const Complex& a, const Complex& b) { return a.real() < b.real(); });
    ASSERT_EQ(roots.size(), published.size());
    const std::vector<Complex> derived = benchmark_roots(speed);
    for (std::size_t k = 0; k < roots.size(); ++k) {
      EXPECT_LE(std::abs(roots[k] - published[k]), 1e-11 * std::abs(published.front()))
          << roots[k] << " instead of " << published[k];
      EXPECT_LE(std::abs(roots[k] - derived[k]), 1e-11 * std::abs(published.front()));
    }
  }
}

// rods of length h with masses m at their ends and torsion springs k between them, clamped: in
// their angles T = m h^2/2 sum_i (sum_j<=i theta_j')^2, U = k/2 (theta_1^2 + sum (theta_i -
// theta_i-1)^2)
TEST(Mechanisms, CantileverOfTwoHundredRods) {
  constexpr int n = 200;
  constexpr double h = 0.01, m = 0.02, k = 50;
  const Modes found = modes(linear_test_model(fmt::format(R"toml(
[parameters]
h = {}
stiff = {}
[anchors]
p0 = [0, 0]
[points]
"p{{k}}" = {{ mass = {}, at = ["{{k}}*h", 0], repeat = {{ k = "1:{}" }} }}
[[rod]]
between = ["p{{k-1}}", "p{{k}}"]
repeat = {{ k = "1:{}" }}
[[potential]]
energy = "stiff/2*atan2(p1.y, p1.x)^2"
[[potential]]
energy = "stiff/2*atan2(p1.x*(p2.y-p1.y) - p1.y*(p2.x-p1.x), p1.x*(p2.x-p1.x) + p1.y*(p2.y-p1.y))^2"
[[potential]]
energy = "stiff/2*atan2((p{{k}}.x-p{{k-1}}.x)*(p{{k+1}}.y-p{{k}}.y) - (p{{k}}.y-p{{k-1}}.y)*(p{{k+1}}.x-p{{k}}.x), (p{{k}}.x-p{{k-1}}.x)*(p{{k+1}}.x-p{{k}}.x) + (p{{k}}.y-p{{k-1}}.y)*(p{{k+1}}.y-p{{k}}.y))^2"
repeat = {{ k = "2:{}" }}
)toml",
                                                          h, k, m, n, n, n - 1)),
                            {}, {.at = LinearizeAt::start}, {.shares = false});
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  Mat M(n, n), K = Mat::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = m * h * h * (n - std::max(i, j));
  for (int i = 0; i < n; ++i) {
    K(i, i) += k;
    if (i == 0) continue;
    K(i - 1, i - 1) += k;
    K(i, i - 1) -= k;
    K(i - 1, i) -= k;
  }
  // 1/omega^2 of M x = x/omega^2 K: low frequencies are large
  const Eigen::GeneralizedSelfAdjointEigenSolver<Mat> low{M, K}, high{K, M};
  const auto roots = roots_in(found);
  ASSERT_EQ(roots.size(), static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    const double omega =
        j < n / 2 ? 1 / std::sqrt(low.eigenvalues()[n - 1 - j]) : std::sqrt(high.eigenvalues()[j]);
    expect_root(roots[static_cast<std::size_t>(j)], {0, omega}, 1e-9);
  }
}

/// Places of a four-bar with crank a, coupler l, rocker r on ground d, by the angle of the crank.
struct FourBar {
  long double a = 1, l = 3, r = 2.5L, d = 3.5L;
  struct Place {
    long double x, y;
  };
  [[nodiscard]] Place crank(long double phi) const {
    return {a * std::cos(phi), a * std::sin(phi)};
  }
  [[nodiscard]] Place rocker(long double phi) const {
    const auto [bx, by] = crank(phi);
    const long double ex = d - bx, ey = -by, e = std::hypot(ex, ey);
    const long double along = (l * l - r * r + e * e) / (2 * e);
    const long double across = std::sqrt(l * l - along * along);
    return {bx + (along * ex - across * ey) / e, by + (along * ey + across * ex) / e};
  }
};

/// Derivatives of order 1 and 2 by eight differences.
std::array<long double, 2> slopes(const auto& f, long double x) {
  constexpr std::array<long double, 4> first{4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  constexpr std::array<long double, 4> second{8.0L / 5, -1.0L / 5, 8.0L / 315, -1.0L / 560};
  constexpr long double h = 0.005L;
  long double one = 0, two = -205.0L / 72 * f(x);
  for (int k = 0; k < 4; ++k) {
    const long double up = f(x + (k + 1) * h), down = f(x - (k + 1) * h);
    one += first[static_cast<std::size_t>(k)] * (up - down);
    two += second[static_cast<std::size_t>(k)] * (up + down);
  }
  return {one / h, two / (h * h)};
}

TEST(Mechanisms, FourBarOnASpringHasTheFrequencyOfItsOneAngle) {
  const FourBar bars;
  constexpr long double mb = 2, mc = 3, k = 400, rest = 1.2L, damping = 5;
  const auto stretch = [&](long double phi) {
    const auto [x, y] = bars.rocker(phi);
    return std::hypot(x - 1, y - 4) - rest;
  };
  const auto potential = [&](long double phi) {
    return k / 2 * stretch(phi) * stretch(phi) +
           9.81L * (mb * bars.crank(phi).y + mc * bars.rocker(phi).y);
  };
  const auto b = bars.crank(1.2L), c = bars.rocker(1.2L);
  const Modes found =
      modes(linear_test_model(fmt::format(R"toml(
[anchors]
d = [3.5, 0]
top = [1, 4]
[points]
b = {{ mass = 2, at = [{:.17g}, {:.17g}] }}
c = {{ mass = 3, at = [{:.17g}, {:.17g}] }}
[[rod]]
between = ["origin", "b"]
length = 1
[[rod]]
between = ["b", "c"]
length = 3
[[rod]]
between = ["c", "d"]
length = 2.5
[[spring]]
name = "spring"
between = ["c", "top"]
stiffness = 400
length = 1.2
[[damper]]
between = ["c", "top"]
damping = 5
[[gravity]]
acceleration = [0, -9.81]
)toml",
                                          static_cast<double>(b.x), static_cast<double>(b.y),
                                          static_cast<double>(c.x), static_cast<double>(c.y))));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  ASSERT_EQ(found.modes.size(), 1u);
  // the equilibrium that was found is one
  const Vec& q = found.linear.state.q;
  long double phi = std::atan2(q[1], q[0]);
  for (int n = 0; n < 20; ++n) {
    const auto [slope, bend] = slopes(potential, phi);
    phi -= slope / bend;
  }
  EXPECT_NEAR(q[0], static_cast<double>(bars.crank(phi).x), 1e-12);
  EXPECT_NEAR(q[2], static_cast<double>(bars.rocker(phi).x), 1e-12);
  EXPECT_NEAR(q[3], static_cast<double>(bars.rocker(phi).y), 1e-12);
  const auto [rate_x, bend_x] = slopes([&](long double p) { return bars.rocker(p).x; }, phi);
  const auto [rate_y, bend_y] = slopes([&](long double p) { return bars.rocker(p).y; }, phi);
  const long double mass = mb * bars.a * bars.a + mc * (rate_x * rate_x + rate_y * rate_y);
  const long double rate = slopes(stretch, phi)[0];
  const long double loss = damping * rate * rate / (2 * mass);
  const long double omega2 = slopes(potential, phi)[1] / mass;
  const Complex root{static_cast<double>(-loss),
                     static_cast<double>(std::sqrt(omega2 - loss * loss))};
  expect_root(found.modes[0].s, root, 1e-11);
}

// three points on rods in a plane, every rod twice and both planes of a cross: M_ij = L_i L_j sum
// of the masses below, K_ii = g L_i sum of the masses below
TEST(Mechanisms, PendulumOfThreeWithConstraintsThatAreRedundant) {
  const std::array<double, 3> m{1, 2, 0.5}, L{1, 0.7, 1.3};
  Eigen::Matrix3d M, K = Eigen::Matrix3d::Zero();
  const auto below = [&](int i) {
    double sum = 0.0;
    for (int j = i; j < 3; ++j) sum += m[static_cast<std::size_t>(j)];
    return sum;
  };
  for (int i = 0; i < 3; ++i) {
    const auto length = [&](int j) { return L[static_cast<std::size_t>(j)]; };
    for (int j = 0; j < 3; ++j) M(i, j) = length(i) * length(j) * below(std::max(i, j));
    K(i, i) = 9.81 * length(i) * below(i);
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix3d> truth{K, M};
  const Modes found = modes(linear_test_model(R"toml(
[points]
a = { mass = 1, at = [0, -1, 0] }
b = { mass = 2, at = [0, -1.7, 0] }
c = { mass = 0.5, at = [0, -3, 0] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "origin"]
[[rod]]
between = ["a", "b"]
[[rod]]
between = ["b", "a"]
[[rod]]
between = ["b", "c"]
[[constraint]]
zero = "(b.x - c.x)^2 + (b.y - c.y)^2 + (b.z - c.z)^2 - 1.69"
[[constraint]]
zero = "a.z"
[[constraint]]
zero = "b.z"
[[constraint]]
zero = "c.z"
[[constraint]]
zero = "a.z + b.z + c.z"
[[gravity]]
acceleration = [0, -9.81, 0]
)toml"));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  const auto roots = roots_in(found);
  ASSERT_EQ(roots.size(), 3u);
  for (int k = 0; k < 3; ++k)
    expect_root(roots[static_cast<std::size_t>(k)], {0, std::sqrt(truth.eigenvalues()[k])}, 1e-11);
}

// a pendulum, pulled sideways by alpha times the tension of its rod and by u: it rests at sin theta
// = alpha, omega^2 = g / cos theta, theta'' = u / cos theta + ...
TEST(Mechanisms, ForcesThatReadMultipliersAreLinearisedWithThem) {
  const std::string text = R"toml(
[parameters]
alpha = 0.3
[inputs]
u = 0
[points]
bob = { mass = 2, at = [0, -1] }
[[rod]]
name = "rod"
between = ["origin", "bob"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
[[force]]
on = "bob.x"
value = "alpha*lambda(rod) + 2*u - 0.2*bob.vx*lambda(rod)/9.81"
)toml";
  const Modes found = modes(linear_test_model(text));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  ASSERT_EQ(found.modes.size(), 1u);
  EXPECT_NEAR(found.linear.state.q[0], 0.3, 1e-12);
  const double c = std::sqrt(1 - 0.09);
  // lambda at rest: 2 g / cos theta; v_x = cos theta theta', and the force of the damper moves the
  // tension, too, by which the whole of it counts 1 / cos^2 theta
  const double loss = 0.2 * 2 / c / 2 * c * c / (c * c) / 2;
  expect_root(found.modes[0].s, {-loss, std::sqrt(9.81 / c - loss * loss)}, 1e-10);
  const LinearModel linear = linearize(linear_test_model(text), {},
                                       {.inputs = {"u"}, .outputs = {"bob.x", "lambda(rod)"}});
  const auto responses = frequency_responses(linear);
  ASSERT_EQ(responses.size(), 2u);
  EXPECT_NEAR(responses[0].static_gain, c / 9.81, 1e-12);
  // lambda sin theta = alpha lambda + 2 u, lambda cos theta = 2 g: with d theta/du = 1/g
  EXPECT_NEAR(responses[1].static_gain, 2 * 0.3 / (c * c), 1e-10);
}

// the tension of the rod is theta'^2 + g cos theta + F sin theta
TEST(Mechanisms, PeriodicMotionsHaveMultipliersInTheirForces) {
  const auto found = [](const std::string& text) {
    Problems problems{"m.toml"};
    PeriodicMotion motion = periodic_motion(linear_test_model(text), {}, {}, problems);
    problems.throw_if_any();
    EXPECT_EQ(motion.status, Status::ok) << motion.reason;
    return motion;
  };
  const PeriodicMotion rod = found(R"toml(
[points]
bob = { mass = 1, at = [0, -1] }
[[rod]]
name = "rod"
between = ["origin", "bob"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
[[force]]
on = "bob"
value = ["cos(2*t) - 0.05*lambda(rod)*bob.vx", "-0.05*lambda(rod)*bob.vy"]
)toml");
  const PeriodicMotion angle = found(R"toml(
[coordinates]
theta = { mass = 1 }
[definitions]
tension = "v(theta)^2 + 9.81*cos(theta) + cos(2*t)*sin(theta)"
[[force]]
on = "theta"
value = "-9.81*sin(theta) + cos(2*t)*cos(theta) - 0.05*tension*v(theta)"
)toml");
  ASSERT_EQ(rod.multipliers.size(), 2);
  ASSERT_EQ(angle.multipliers.size(), 2);
  for (Index k = 0; k < 2; ++k)
    EXPECT_LE(std::min(std::abs(rod.multipliers[k] - angle.multipliers[0]),
                       std::abs(rod.multipliers[k] - angle.multipliers[1])),
              1e-8);
  EXPECT_NEAR(rod.highest[0], std::sin(angle.highest[0]), 1e-6);
}

// masses on a hanging chain of n rods: omega^2 = g/L times the zeros of Laguerre's polynomial L_n
TEST(Mechanisms, HangingChainHasTheZerosOfLaguerre) {
  constexpr int n = 600;
  const Modes found = modes(linear_test_model(fmt::format(R"toml(
[anchors]
p0 = [0, 0]
[points]
"p{{k}}" = {{ mass = 0.02, at = [0, "-0.01*{{k}}"], repeat = {{ k = "1:{}" }} }}
[[rod]]
between = ["p{{k-1}}", "p{{k}}"]
length = 0.01
repeat = {{ k = "1:{}" }}
[[gravity]]
acceleration = [0, -9.81]
)toml",
                                                          n, n)),
                            {}, {.at = LinearizeAt::start}, {.lowest = 5});
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  ASSERT_EQ(found.modes.size(), 5u);
  const auto laguerre = [&](long double x) {
    long double before = 1, now = 1 - x;
    for (int k = 1; k < n; ++k) {
      const long double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
      before = now;
      now = next;
    }
    return now;
  };
  long double last = 0;
  for (const Mode& mode : found.modes) {
    // between its neighbours the polynomial changes its sign once
    const long double guess = mode.s.imag() * mode.s.imag() * 0.01L / 9.81L;
    long double low = guess * (1 - 1e-6L), high = guess * (1 + 1e-6L);
    ASSERT_LT(laguerre(low) * laguerre(high), 0);
    EXPECT_GT(low, last);
    for (int k = 0; k < 80; ++k) {
      const long double middle = (low + high) / 2;
      (laguerre(middle) * laguerre(low) > 0 ? low : high) = middle;
    }
    expect_root(mode.s, {0, static_cast<double>(std::sqrt(low * 9.81L / 0.01L))}, 1e-10);
    last = high;
  }
}

TEST(Mechanisms, AVibratedPendulumThatStandsHasItsFrequency) {
  // theta'' = (g/l) sin - (vmax^2 / 2 l^2) sin cos, to the order 1/omega^2
  std::vector<double> off;
  for (const double omega : {2000.0, 4000.0}) {
    Model model = load(TAUT_MODELS "/inverted_pendulum.toml");
    ASSERT_TRUE(model.set("omega", omega));
    const Modes found = modes(model);
    ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
    EXPECT_EQ(found.linear.reading, "averaged");
    EXPECT_NEAR(found.linear.state.q[0], 0.0, 1e-6);
    ASSERT_EQ(found.modes.size(), 1u);
    off.push_back(found.modes[0].s.imag() / std::sqrt(16 / 0.08 - 9.8 / 0.2) - 1);
    EXPECT_NEAR(off.back(), 0.0, 1e-3);
  }
  EXPECT_LT(std::abs(off[1]), 0.5 * std::abs(off[0]) + 1e-7);
}

}  // namespace
}  // namespace taut::test
