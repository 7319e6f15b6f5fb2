// SPDX-License-Identifier: BSD-3-Clause
// Roots and shapes against closed forms.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "models.hpp"
#include "modes/roots.hpp"

namespace taut::test {
namespace {

using Complex = std::complex<double>;

// the quartic of two masses, its roots polished by Newton's method from the printed ones
Complex quarter_car_root(Complex s) {
  const double ms = 300, mu = 40, ks = 20000, cs = 1200, kt = 180000, ct = 50;
  for (int k = 0; k < 20; ++k) {
    const auto value = [&](Complex x) {
      const Complex suspension = cs * x + ks;
      return (ms * x * x + suspension) * (mu * x * x + suspension + ct * x + kt) -
             suspension * suspension;
    };
    const Complex h = 1e-6 * s;
    s -= value(s) * (2.0 * h) / (value(s + h) - value(s - h));
  }
  return s;
}

TEST(Modes, QuarterCarHasTheRootsOfItsQuartic) {
  const Modes found = modes(linear_test_model(quarter_car_text));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  const auto roots = roots_in(found);
  ASSERT_EQ(roots.size(), 2u);
  expect_root(roots[0], quarter_car_root({-1.644, 7.646}));
  expect_root(roots[1], quarter_car_root({-15.98, 68.19}));
  EXPECT_EQ(found.modes[0].elements.front().name, "suspension");
  EXPECT_EQ(found.modes[1].elements.front().name, "tyre");
  EXPECT_EQ(found.modes[1].dissipation.front().name, "shock");
  for (const Mode& mode : found.modes) {
    double sum = 0.0;
    for (const ModeShare& share : mode.elements) sum += share.share;
    EXPECT_NEAR(sum, 1.0, 1e-9);
    EXPECT_EQ(mode.kind, ModeKind::vibration);
  }
  EXPECT_TRUE(found.stable());
}

// upright on a spring: gravity drives it away with a third of what the spring holds it by
TEST(Modes, SharesOfEnergyAddUpBySize) {
  const Modes found = modes(linear_test_model(R"toml(
[coordinates]
phi = { mass = 1 }
[[potential]]
name = "spring"
energy = "3*phi^2/2"
[[potential]]
name = "gravity"
energy = "cos(phi)"
)toml"));
  ASSERT_EQ(found.modes.size(), 1u);
  ASSERT_EQ(found.modes[0].elements.size(), 2u);
  EXPECT_NEAR(found.modes[0].elements[0].share, 0.75, 1e-12);
  EXPECT_NEAR(found.modes[0].elements[1].share, -0.25, 1e-12);
}

TEST(Modes, HintsOfLargeModelsNameWhatDoesWithoutAStateSpace) {
  LinearModel large;
  large.status = Status::not_supported;
  large.coordinates.resize(LinearModel::most_coordinates + 1);
  EXPECT_NE(large.hint().find("taut modes"), std::string_view::npos);
}

// two zeros with shapes of their own, a root that is small and not zero, numbers of many sizes
TEST(Roots, OfABadlyScaledMatrixHaveTheirRowsAndColumns) {
  Mat B = Mat::Zero(5, 5);
  B.topLeftCorner(2, 2) << -1, 2, -2, -1;
  B(2, 2) = 1e-6;
  const Vec u = Vec{{1, -2, 0.5, 1, 3}}.normalized(), d{{1, 1e4, 1e-4, 3, 1e3}};
  const Mat H = Mat::Identity(5, 5) - 2.0 * u * u.transpose();
  const Mat A = d.cwiseInverse().asDiagonal() * H * B * H * d.asDiagonal();
  const Roots roots = roots_of(A);
  ASSERT_TRUE(roots.found);
  EXPECT_EQ(roots.zeros, 2);
  ASSERT_EQ(roots.s.size(), 3);
  // in the scales in which A is of one size
  const Eigen::MatrixXcd right = d.asDiagonal() * roots.right,
                         left = roots.left * d.cwiseInverse().asDiagonal();
  const Mat C = H * B * H;
  for (Index k = 0; k < 3; ++k) {
    EXPECT_LE((C * right.col(k) - roots.s[k] * right.col(k)).norm(), 1e-9 * right.col(k).norm());
    EXPECT_LE((left.row(k) * C - roots.s[k] * left.row(k)).norm(), 1e-9 * left.row(k).norm());
  }
  EXPECT_LE((left * right - Eigen::MatrixXcd::Identity(3, 3)).norm(), 1e-8);
}

// Of each mode the shares follow from its shape alone: k u^2, c u'^2, m v^2.
TEST(Modes, SharesAreThoseOfTheEnergiesOfTheShape) {
  const Modes found = modes(linear_test_model(R"toml(
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 3, at = [2, 0] }
[[rod]]
name = "soft"
between = ["origin", "a"]
length = 1
compliance = 0.02
damping = 0.3
[[spring]]
name = "spring"
between = ["a", "b"]
length = 1
stiffness = 80
[[damper]]
name = "damper"
between = ["a", "b"]
damping = 0.5
[[constraint]]
zero = "a.y"
[[constraint]]
zero = "b.y"
)toml"));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  const auto share = [](const std::vector<ModeShare>& list, const std::string& of) {
    for (const ModeShare& one : list)
      if (one.name == of) return one.share;
    return 0.0;
  };
  int compared = 0;
  for (const Mode& mode : found.modes) {
    if (mode.kind != ModeKind::vibration) continue;
    ++compared;
    const double a = std::norm(mode.shape[0]), b = std::norm(mode.shape[2]);
    const double stretch = std::norm(mode.shape[2] - mode.shape[0]);
    EXPECT_NEAR(share(mode.elements, "soft"), 50 * a / (50 * a + 80 * stretch), 1e-9);
    EXPECT_NEAR(share(mode.dissipation, "soft"), 0.3 * a / (0.3 * a + 0.5 * stretch), 1e-9);
    EXPECT_NEAR(share(mode.parts, "b"), 3 * b / (a + 3 * b), 1e-9);
  }
  EXPECT_EQ(compared, 2);
}

// rods against angles: x'' of two pendulums, 3 - 4 w + w^2 / 2 ... in units of g / L
TEST(Modes, PendulumOfTwoRodsHasTheFrequenciesOfItsAngles) {
  const Modes found = modes(linear_test_model(R"toml(
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [2, 0] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
[[gravity]]
acceleration = [0, -9.81]
)toml"));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  const auto roots = roots_in(found);
  ASSERT_EQ(roots.size(), 2u);
  expect_root(roots[0], {0, std::sqrt(9.81 * (2 - std::sqrt(2.0)))});
  expect_root(roots[1], {0, std::sqrt(9.81 * (2 + std::sqrt(2.0)))});
}

TEST(Modes, ConstraintsThatFollowFromOthersChangeNothing) {
  const std::string plain = R"toml(
[points]
a = { mass = 1, at = [0, -1, 0] }
b = { mass = 2, at = [0.1, -2, 0.3] }
[[rod]]
between = ["origin", "a"]
[[rod]]
between = ["a", "b"]
[[gravity]]
acceleration = [0, -9.81, 0]
[[spring]]
between = ["origin", "b"]
stiffness = 7
length = 1
)toml";
  const Modes once = modes(linear_test_model(plain));
  const Modes twice = modes(linear_test_model(plain + R"toml(
[[constraint]]
zero = "a.x^2 + a.y^2 + a.z^2 - 1"
[[rod]]
between = ["b", "a"]
)toml"));
  ASSERT_EQ(twice.linear.status, Status::ok) << twice.linear.reason;
  const auto a = roots_in(once), b = roots_in(twice);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GE(a.size(), 3u);
  for (std::size_t k = 0; k < a.size(); ++k) expect_root(b[k], a[k], 1e-9);
  EXPECT_EQ(once.of, twice.of);
}

// A s^2 - i C w s - m g l = 0 in the complex tilt of a top that spins upright
TEST(Modes, SleepingTopHasItsNutationAndPrecession) {
  for (const double w : {60.0, 80.0}) {
    SCOPED_TRACE(w);
    const Modes found = modes(linear_test_model(fmt::format(R"toml(
[[body]]
name = "top"
mass = 0.5
inertia = [0.001, 0.001, 0.0008]
at = [0, 0, 0.06]
spin = [0, 0, {}]
[[joint]]
kind = "ball"
between = ["ground", "top"]
at = [0, 0, 0]
[[gravity]]
acceleration = [0, 0, -9.81]
)toml",
                                                            w)));
    ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
    ASSERT_EQ(found.linear.kind, PointKind::steady);
    const double A = 0.001 + 0.5 * 0.06 * 0.06, C = 0.0008, mgl = 0.5 * 9.81 * 0.06;
    const Complex root = std::sqrt(Complex{4 * A * mgl - C * C * w * w, 0.0});
    const Complex one = (Complex{0, C * w} + root) / (2 * A);
    const Complex other = (Complex{0, C * w} - root) / (2 * A);
    for (const Complex expected : {one, other}) {
      double nearest = 1e300;
      for (const Complex s : roots_in(found))
        nearest = std::min({nearest, std::abs(s - expected), std::abs(std::conj(s) - expected)});
      EXPECT_LE(nearest, 1e-10 * std::abs(expected));
    }
    EXPECT_EQ(found.stable(), C * C * w * w > 4 * A * mgl);
    EXPECT_EQ(found.of - roots_in(found).size() * 2, 2u);  // the angle of the spin
  }
}

// (A + m R^2) s^2 + (C + m R^2) C w^2 / A - m g R = 0 in the lean; it falls below V^2 = g R / 3
TEST(Modes, RollingDiscIsStableWhereItIsFast) {
  for (const double V : {3.0, 1.0}) {
    SCOPED_TRACE(V);
    const double m = 2, R = 0.5, g = 9.81, A = m * R * R / 4, C = m * R * R / 2, w = V / R;
    const double square = ((C + m * R * R) * C * w * w / A - m * g * R) / (A + m * R * R);
    const Modes found = modes(linear_test_model(disc_text(V)));
    ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
    ASSERT_EQ(found.linear.kind, PointKind::steady);
    EXPECT_EQ(found.of, 8u);
    const auto roots = roots_in(found);
    EXPECT_EQ(found.stable(), V * V > g * R / 3);
    if (square > 0) {
      ASSERT_EQ(roots.size(), 1u);
      EXPECT_NEAR(roots[0].imag(), std::sqrt(square), 1e-9);
      EXPECT_NEAR(roots[0].real(), 0.0, 1e-9);
    } else {
      ASSERT_EQ(roots.size(), 2u);
      EXPECT_NEAR(std::abs(roots[0].real()), std::sqrt(-square), 1e-9);
    }
  }
}

// L i' = -R i - k w,  J w' = k i
TEST(Modes, StatesAreStates) {
  const Modes found = modes(linear_test_model(R"toml(
[coordinates]
phi = { mass = 0.01 }
[states]
i = { rate = "(-2*i - 0.3*v(phi))/0.05" }
[[force]]
on = "phi"
value = "0.3*i"
)toml"));
  ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
  const auto roots = roots_in(found);
  const double L = 0.05, R = 2, k = 0.3, J = 0.01, d = std::sqrt(R * R * J * J - 4 * L * J * k * k);
  ASSERT_EQ(roots.size(), 2u);
  expect_root(roots[0], (-R * J + d) / (2 * L * J), 1e-9);
  expect_root(roots[1], (-R * J - d) / (2 * L * J), 1e-9);
  EXPECT_EQ(found.modes[0].kind, ModeKind::drift);
  EXPECT_EQ(found.of, 3u);
}

// a follower force that exceeds its border makes two frequencies one
TEST(Modes, FlutterAndDivergenceAreNamed) {
  const auto kind_at = [](const std::string& force) {
    const Modes found = modes(linear_test_model(fmt::format(R"toml(
[coordinates]
x = {{ mass = 1 }}
y = {{ mass = 1 }}
[[potential]]
energy = "x^2/2 + y^2"
[[force]]
on = "x"
value = "{0}*y"
[[force]]
on = "y"
value = "-{0}*x"
)toml",
                                                            force)),
                              {}, {.at = LinearizeAt::start});
    std::vector<ModeKind> kinds;
    for (const Mode& mode : found.modes) kinds.push_back(mode.kind);
    return kinds;
  };
  // squares (3 +- sqrt(1 - 4 p^2)) / 2
  EXPECT_THAT(kind_at("0.4"), testing::Each(ModeKind::vibration));
  EXPECT_THAT(kind_at("0.6"),
              testing::UnorderedElementsAre(ModeKind::flutter, ModeKind::vibration));
  const Modes falling = modes(linear_test_model("[coordinates]\nq = { mass = 1 }\n[[potential]]\n"
                                                "energy = \"-2*q^2\"\n"),
                              {}, {.at = LinearizeAt::start});
  ASSERT_EQ(falling.modes.size(), 2u);
  EXPECT_NEAR(std::abs(falling.modes[0].s.real()), 2.0, 1e-14);
  EXPECT_FALSE(falling.stable());
}

// 2 sqrt(k/m) sin(j pi / (2 (n + 1))) of n masses between walls
std::string string_of(int n) {
  return fmt::format(R"toml(
[coordinates]
"x{{k}}" = {{ mass = 0.5, repeat = {{ k = "1:{0}" }} }}
[[potential]]
energy = "8*(x{{k}} - x{{k+1}})^2/2"
repeat = {{ k = "1:{0}-1" }}
[[potential]]
energy = "8*x1^2/2 + 8*x{0}^2/2"
)toml",
                     n);
}

TEST(Modes, SparseAndDenseHaveTheFrequenciesOfAString) {
  for (const int n : {150, 3000}) {
    SCOPED_TRACE(n);
    const Modes found = modes(linear_test_model(string_of(n)), {}, {.at = LinearizeAt::start},
                              {.lowest = 12, .shares = false});
    ASSERT_EQ(found.linear.status, Status::ok) << found.linear.reason;
    ASSERT_EQ(found.modes.size(), 12u);
    for (int j = 1; j <= 12; ++j)
      expect_root(found.modes[static_cast<std::size_t>(j - 1)].s,
                  {0, 2 * std::sqrt(8 / 0.5) * std::sin(j * std::numbers::pi / (2 * (n + 1)))},
                  1e-9);
  }
}

// two strings that know nothing of each other: each frequency twice
TEST(Modes, SparseSearchFindsFrequenciesThatAreTwice) {
  const Modes found = modes(linear_test_model(R"toml(
[coordinates]
"x{k}" = { mass = 1, repeat = { k = "1:600" } }
"y{k}" = { mass = 1, repeat = { k = "1:600" } }
[[potential]]
energy = "(x{k} - x{k+1})^2/2 + (y{k} - y{k+1})^2/2"
repeat = { k = "1:599" }
[[potential]]
energy = "x1^2/2 + y1^2/2 + x600^2/2 + y600^2/2"
)toml"),
                            {}, {.at = LinearizeAt::start}, {.lowest = 8, .shares = false});
  ASSERT_EQ(found.modes.size(), 8u) << found.linear.reason;
  for (int j = 0; j < 8; ++j)
    expect_root(found.modes[static_cast<std::size_t>(j)].s,
                {0, 2 * std::sin((j / 2 + 1) * std::numbers::pi / 1202)}, 1e-9);
}

}  // namespace
}  // namespace taut::test
