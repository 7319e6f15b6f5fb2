// SPDX-License-Identifier: BSD-3-Clause
// Periodic motions against closed forms and tables.
#include "taut/modes/periodic.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <atomic>
#include <cmath>
#include <numbers>
#include <utility>

#include "models.hpp"
#include "modes/periodic_case.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::test {
namespace {

PeriodicMotion periodic_of(const std::string& text, const PeriodicOptions& options = {}) {
  Problems problems;
  PeriodicMotion found = periodic_motion(linear_test_model(text), {}, options, problems);
  EXPECT_TRUE(problems.empty()) << problems.message();
  return found;
}

// exp(-c T / 2m) in size, turned by the damped frequency; the amplitude 1 / |k - m w^2 + i c w|
TEST(Periodic, DrivenOscillatorHasItsAmplitudeAndMultipliers) {
  const PeriodicMotion found = periodic_of(R"toml(
[parameters]
w = 2
[coordinates]
x = { mass = 1 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = "-0.2*v(x) + cos(w*t)"
)toml",
                                           {.period = Value{"2*pi/w"}});
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_NEAR(found.highest[0], 1 / std::hypot(1 - 4.0, 0.4), 1e-6);
  ASSERT_EQ(found.multipliers.size(), 2);
  const double T = std::numbers::pi, turn = std::sqrt(1 - 0.01) * T;
  const std::complex<double> truth = std::polar(std::exp(-0.1 * T), turn);
  EXPECT_LE(std::min(std::abs(found.multipliers[0] - truth),
                     std::abs(std::conj(found.multipliers[0]) - truth)),
            1e-9);
  EXPECT_TRUE(found.stable());
}

// the period to the digits that are published for mu = 1, 6.6632868593231301897, and largest x =
// 2.00861986; the multiplier is exp of the integral of the divergence (Liouville); as an
// oscillator, and as two states of first order
TEST(Periodic, VanDerPolHasItsLimitCycle) {
  const PeriodicMotion cycle = periodic_of(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = "(1 - x^2)*v(x)"
)toml");
  ASSERT_EQ(cycle.status, Status::ok) << cycle.reason;
  EXPECT_TRUE(cycle.free);
  EXPECT_NEAR(cycle.period, 6.66328685932313, 1e-10);
  EXPECT_NEAR(cycle.highest[0], 2.00861986, 1e-6);
  ASSERT_EQ(cycle.trivial, 1);
  EXPECT_LE(std::abs(cycle.multipliers[0] - 1.0), 1e-8);
  EXPECT_EQ(cycle.verdict(), Floquet::stable);
  double divergence = 0.0;
  const auto rows = static_cast<Index>(cycle.times.size()) - 1;
  for (Index k = 0; k < rows; ++k) {
    const double x = cycle.places(k, 0);
    divergence += (1 - x * x) * cycle.period / static_cast<double>(rows);
  }
  EXPECT_NEAR(cycle.multipliers[1].real(), std::exp(divergence), 1e-9);
  const PeriodicMotion states = periodic_of(R"toml(
[states]
x = { at = 1, rate = "y" }
y = { rate = "(1 - x^2)*y - x" }
)toml");
  ASSERT_EQ(states.status, Status::ok) << states.reason;
  EXPECT_NEAR(states.period, 6.66328685932313, 1e-10);
  EXPECT_LE(std::abs(states.multipliers[0] - 1.0), 1e-8);
  EXPECT_LE(std::abs(states.multipliers[1] - cycle.multipliers[1]), 1e-8);
  ASSERT_EQ(states.coordinates, (std::vector<std::string>{"x", "y"}));
  EXPECT_NEAR(states.highest[0], 2.00861986, 1e-6);
  EXPECT_NEAR(states.lowest[0], -2.00861986, 1e-6);
}

// a rod on a pivot that moves, as a condition of time, against its angle
TEST(Periodic, PendulumOnAMovingPivotHasTheMultipliersOfItsAngle) {
  PeriodicOptions options;
  options.period = Value{2 * std::numbers::pi / 3};
  options.settle = 30;
  const PeriodicMotion rod = periodic_of(R"toml(
[points]
bob = { mass = 1, at = [0.2, -1] }
[[constraint]]
zero = "(bob.x - 0.2*cos(3*t))^2 + bob.y^2 - 1"
[[force]]
on = "bob"
value = ["-0.5*(v(bob.x) + 0.6*sin(3*t))", "-9.81 - 0.5*v(bob.y)"]
)toml",
                                         options);
  const PeriodicMotion angle = periodic_of(R"toml(
[coordinates]
a = { mass = 1 }
[[force]]
on = "a"
value = "-9.81*sin(a) + 1.8*cos(3*t)*cos(a) - 0.5*v(a)"
)toml",
                                           options);
  ASSERT_EQ(rod.status, Status::ok) << rod.reason;
  ASSERT_EQ(angle.status, Status::ok) << angle.reason;
  ASSERT_EQ(rod.multipliers.size(), 2);
  EXPECT_GT(angle.highest[0], 0.1);  // it does move
  // a pair: their sum and their product
  EXPECT_LE(std::abs(rod.multipliers.sum() - angle.multipliers.sum()), 1e-6);
  EXPECT_LE(std::abs(rod.multipliers.prod() - angle.multipliers.prod()), 1e-6);
}

/// 4 K(k), by the arithmetic-geometric mean.
double four_K(double k) {
  double a = 1.0, b = std::sqrt(1 - k * k);
  while (std::abs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return 2 * std::numbers::pi / a;
}

const char* const pendulum_text = R"toml(
[parameters]
g = 9.81
[points]
bob = { mass = 1, at = [0.6, -0.8] }
[[rod]]
between = ["origin", "bob"]
[[gravity]]
acceleration = [0, "-g"]
)toml";

// 4 K(sin(A/2)) / sqrt(g / L); a rod, so that the flow has a multiplier
TEST(Periodic, PendulumOnARodHasThePeriodOfItsAmplitude) {
  const PeriodicMotion found = periodic_of(pendulum_text);
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  const double amplitude = std::asin(found.highest[0]);
  EXPECT_GT(amplitude, 0.5);
  EXPECT_NEAR(found.period, four_K(std::sin(amplitude / 2)) / std::sqrt(9.81), 1e-6);
  // along the motion, and along the family
  ASSERT_EQ(found.trivial, 2);
  for (const std::complex<double> m : found.multipliers) EXPECT_LE(std::abs(m - 1.0), 1e-8);
  EXPECT_EQ(found.verdict(), Floquet::neutral);
}

// over its energy, from small swings to beyond a quarter turn: k^2 = (E + g L) / (2 g L)
TEST(Periodic, PendulumHasItsBackbone) {
  Problems problems;
  const double g = 9.81;
  const PeriodicBranch branch =
      periodic_branch(linear_test_model(pendulum_text), {}, {},
                      {.parameter = "energy", .first = -0.999 * g, .last = 0.9 * g}, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(branch.status, Status::ok) << branch.reason;
  EXPECT_EQ(branch.points.front().parameter, -0.999 * g);
  EXPECT_EQ(branch.points.back().parameter, 0.9 * g);
  for (const BranchPoint& point : branch.points) {
    const double k = std::sqrt((point.parameter + g) / (2 * g));
    EXPECT_NEAR(point.motion.period, four_K(k) / std::sqrt(g), 1e-9) << point.parameter;
    EXPECT_NEAR(point.motion.energy, point.parameter, 1e-9);
    EXPECT_EQ(point.kind, BranchPoint::Kind::plain);
  }
}

// over a parameter the energy of a family stays what it is
TEST(Periodic, FamiliesAreFollowedAtOneEnergy) {
  Problems problems;
  const PeriodicBranch branch =
      periodic_branch(linear_test_model(pendulum_text), {}, {},
                      {.parameter = "g", .first = 9.81, .last = 20}, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(branch.status, Status::ok) << branch.reason;
  const double E = branch.points.front().motion.energy;
  for (const BranchPoint& point : branch.points) {
    const double g = point.parameter, k = std::sqrt((E + g) / (2 * g));
    EXPECT_NEAR(point.motion.period, four_K(k) / std::sqrt(g), 1e-9) << g;
  }
}

/// x'' + c x' + x + b x^3 = F cos w t by harmonic balance: x = T z with the cosines and sines of
/// w t, 3 w t, ... at as many phases as make the projection of x^3 exact,
///
///   r(z, w) = L(w) z + b Tᵀ (T z)^3 2 / points - F,    J = r_z,                                (1)
///   a fold:  r = 0,  J u = 0,  u != 0                                                          (2)
class HarmonicBalance {
 public:
  HarmonicBalance(double c, double b, double F) : c_{c}, b_{b}, F_{F}, T_{points, 2 * harmonics} {
    for (int k = 0; k < points; ++k)
      for (int n = 0; n < harmonics; ++n) {
        const double phase = 2 * std::numbers::pi * k / points * (2 * n + 1);
        T_(k, 2 * n) = std::cos(phase);
        T_(k, 2 * n + 1) = std::sin(phase);
      }
  }

  /// The coefficients at w near those of a motion with this start.
  [[nodiscard]] Vec at(double w, double x, double v) const {
    Vec z = Vec::Zero(2 * harmonics);
    z[0] = x;
    z[1] = v / w;
    for (int k = 0; k < 50; ++k) {
      const Vec step = slope(z, w).fullPivLu().solve(residual(z, w));
      z -= step;
      if (step.norm() < 1e-14) break;
    }
    EXPECT_LT(residual(z, w).norm(), 1e-12) << w;
    return z;
  }

  /// The w of the fold that is near.
  [[nodiscard]] double fold(double w, double x, double v) const {
    const Index n = 2 * harmonics;
    Vec all(2 * n + 1);
    Vec z = Vec::Zero(n);
    z[0] = x;
    z[1] = v / w;
    const Eigen::JacobiSVD<Mat> svd{slope(z, w), Eigen::ComputeFullV};
    const Vec u = svd.matrixV().col(n - 1);
    all << z, u, w;
    const auto equations = [&](const Vec& at) {
      Vec F(2 * n + 1);
      F << residual(at.head(n), at[2 * n]), slope(at.head(n), at[2 * n]) * at.segment(n, n),
          u.dot(at.segment(n, n)) - 1;
      return F;
    };
    for (int k = 0; k < 30; ++k) {
      Mat D(2 * n + 1, 2 * n + 1);
      for (Index i = 0; i < all.size(); ++i) {
        Vec up = all, down = all;
        up[i] += 1e-6;
        down[i] -= 1e-6;
        D.col(i) = (equations(up) - equations(down)) / 2e-6;
      }
      all -= D.partialPivLu().solve(equations(all));
    }
    EXPECT_LT(equations(all).norm(), 1e-11) << w;
    return all[2 * n];
  }

  [[nodiscard]] static double largest(const Vec& z) {
    double most = 0.0;
    for (int k = 0; k < 4000; ++k) {
      double x = 0.0;
      for (int n = 0; n < harmonics; ++n) {
        const double phase = (2 * n + 1) * k * std::numbers::pi / 2000;
        x += z[2 * n] * std::cos(phase) + z[2 * n + 1] * std::sin(phase);
      }
      most = std::max(most, x);
    }
    return most;
  }

 private:
  static constexpr int harmonics = 12, points = 8 * harmonics;

  [[nodiscard]] Mat linear(double w) const {
    Mat L = Mat::Zero(2 * harmonics, 2 * harmonics);
    for (int n = 0; n < harmonics; ++n) {
      const double W = (2 * n + 1) * w;
      L(2 * n, 2 * n) = L(2 * n + 1, 2 * n + 1) = 1 - W * W;
      L(2 * n, 2 * n + 1) = c_ * W;
      L(2 * n + 1, 2 * n) = -c_ * W;
    }
    return L;
  }
  [[nodiscard]] Vec residual(const Vec& z, double w) const {
    Vec r = linear(w) * z;
    r += 2 * b_ / points * (T_.transpose() * (T_ * z).array().cube().matrix());
    r[0] -= F_;
    return r;
  }
  [[nodiscard]] Mat slope(const Vec& z, double w) const {
    const Vec square = (T_ * z).array().square();
    return linear(w) + 6 * b_ / points * (T_.transpose() * square.asDiagonal() * T_);
  }

  double c_, b_, F_;
  Mat T_;
};

TEST(Periodic, DuffingHasTheResonanceCurveOfHarmonicBalance) {
  Problems problems;
  const PeriodicBranch branch =
      periodic_branch(load(TAUT_MODELS "/duffing.toml"), {}, {},
                      {.parameter = "w", .first = 0.9, .last = 2}, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(branch.status, Status::ok) << branch.reason;
  const HarmonicBalance balance{0.1, 0.5, 0.3};
  std::vector<const BranchPoint*> folds;
  int unstable = 0;
  for (const BranchPoint& point : branch.points) {
    if (point.kind == BranchPoint::Kind::fold) folds.push_back(&point);
    unstable += point.motion.stable() ? 0 : 1;
  }
  ASSERT_EQ(folds.size(), 2u);
  for (const BranchPoint* fold : folds) {
    const State& start = fold->motion.state;
    EXPECT_NEAR(fold->parameter, balance.fold(fold->parameter, start.q[0], start.v[0]), 1e-8);
  }
  for (const BranchPoint& point : branch.points) {
    const double w = point.parameter;
    const auto near = [w](const BranchPoint* fold) { return std::abs(fold->parameter - w) < 1e-3; };
    if (std::any_of(folds.begin(), folds.end(), near)) continue;
    const State& start = point.motion.state;
    EXPECT_NEAR(point.motion.highest[0],
                HarmonicBalance::largest(balance.at(w, start.q[0], start.v[0])), 2e-6)
        << w;
  }
  for (const BranchPoint* fold : folds)
    EXPECT_LE(std::abs(fold->motion.multipliers[0] - 1.0), 1e-5);
  EXPECT_EQ(branch.points.front().parameter, 0.9);
  EXPECT_EQ(branch.points.back().parameter, 2.0);
  EXPECT_TRUE(branch.points.front().motion.stable());
  EXPECT_TRUE(branch.points.back().motion.stable());
  EXPECT_GT(unstable, 5);
}

/// Characteristic values of Mathieu's equation x'' + (a - 2 q cos 2 t) x = 0 for even and odd
/// motions of period pi and 2 pi: eigenvalues of the recurrence of their Fourier coefficients.
struct Mathieu {
  explicit Mathieu(double q) {
    constexpr int n = 40;
    const auto values = [&](auto diagonal, auto beside) {
      Mat R = Mat::Zero(n, n);
      for (int k = 0; k < n; ++k) {
        R(k, k) = diagonal(k);
        if (k > 0) R(k, k - 1) = R(k - 1, k) = beside(k);
      }
      return Vec{Eigen::SelfAdjointEigenSolver<Mat>{R}.eigenvalues()};
    };
    even = values([](int k) { return 4.0 * k * k; },
                  [&](int k) { return k == 1 ? std::sqrt(2.0) * q : q; });
    odd = values([](int k) { return 4.0 * (k + 1) * (k + 1); }, [&](int) { return q; });
    even_half = values([&](int k) { return (2.0 * k + 1) * (2 * k + 1) + (k == 0 ? q : 0.0); },
                       [&](int) { return q; });
    odd_half = values([&](int k) { return (2.0 * k + 1) * (2 * k + 1) - (k == 0 ? q : 0.0); },
                      [&](int) { return q; });
  }
  Vec even, odd, even_half, odd_half;
};

TEST(Periodic, MathieuHasItsTongues) {
  Problems problems;
  const PeriodicBranch branch =
      periodic_branch(linear_test_model(R"toml(
[parameters]
a = 1
q = 1
[coordinates]
x = { mass = 1 }
[[force]]
on = "x"
value = "-(a - 2*q*cos(2*t))*x"
)toml"),
                      {}, {}, {.parameter = "a", .first = -1, .last = 5}, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(branch.status, Status::ok) << branch.reason;
  const Mathieu truth{1.0};
  using Kind = BranchPoint::Kind;
  const std::vector<std::pair<double, Kind>> borders{{truth.even[0], Kind::branch},
                                                     {truth.odd_half[0], Kind::flip},
                                                     {truth.even_half[0], Kind::flip},
                                                     {truth.odd[0], Kind::branch},
                                                     {truth.even[1], Kind::branch}};
  EXPECT_NEAR(truth.even[0], -0.4551386041, 1e-10);  // as tables have it
  std::vector<const BranchPoint*> found;
  for (const BranchPoint& point : branch.points)
    if (point.kind != Kind::plain) found.push_back(&point);
  ASSERT_EQ(found.size(), borders.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k]->parameter, borders[k].first, 1e-8);
    EXPECT_EQ(found[k]->kind, borders[k].second);
    EXPECT_NEAR(found[k]->motion.period, std::numbers::pi, 1e-12);
  }
}

// upright on a pivot that goes up and down, on a rod: phi'' = (g + A W^2 cos W t) phi / L is
// Mathieu's equation with a = -4 g / (L W^2), q = 2 A / L; it stands above the W at which a is
// a0(q)
TEST(Periodic, VibratedPendulumStandsWhereMathieuSays) {
  const double g = 9.81, A = 0.05, L = 0.4;
  const double border = std::sqrt(-4 * g / (L * Mathieu{2 * A / L}.even[0]));
  Problems problems;
  const PeriodicBranch branch = periodic_branch(
      linear_test_model(R"toml(
[parameters]
A = 0.05
W = 60
[anchors]
pivot = [0, "A*cos(W*t)"]
[points]
bob = { mass = 1, at = [0, 0.45] }
[[rod]]
between = ["pivot", "bob"]
length = 0.4
[[gravity]]
acceleration = [0, -9.81]
)toml"),
      {}, {}, {.parameter = "W", .first = 1.4 * border, .last = 0.7 * border}, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  ASSERT_EQ(branch.status, Status::ok) << branch.reason;
  EXPECT_EQ(branch.points.front().motion.verdict(), Floquet::neutral);
  EXPECT_EQ(branch.points.back().motion.verdict(), Floquet::divergence);
  std::vector<const BranchPoint*> marks;
  for (const BranchPoint& point : branch.points)
    if (point.kind != BranchPoint::Kind::plain) marks.push_back(&point);
  ASSERT_EQ(marks.size(), 1u);
  EXPECT_EQ(marks[0]->kind, BranchPoint::Kind::branch);
  EXPECT_NEAR(marks[0]->parameter, border, 1e-6 * border);
}

// small changes grow as exp(t w sqrt((I2 - I1)(I3 - I2) / (I1 I3))), and shrink likewise; momenta
// and places make the other ten multipliers 1, in chains
TEST(Periodic, ABodyThatSpinsAboutItsMiddleAxisLeavesIt) {
  const auto text = [](const char* spin) {
    return fmt::format("[[body]]\nname = \"body\"\nmass = 1\ninertia = [1, 2, 2.5]\nspin = {}\n",
                       spin);
  };
  const PeriodicMotion middle = periodic_of(text("[0, 1, 0]"));
  ASSERT_EQ(middle.status, Status::ok) << middle.reason;
  // the nearest motion of its family
  EXPECT_NEAR(middle.period, 2 * std::numbers::pi, 1e-7);
  ASSERT_EQ(middle.multipliers.size(), 12);
  EXPECT_EQ(middle.growing(), 1);
  EXPECT_EQ(middle.verdict(), Floquet::divergence);
  const double growth = std::sqrt(1 * 0.5 / 2.5);
  EXPECT_NEAR(std::log(std::abs(middle.multipliers[2])) / middle.period, growth, 1e-6);
  EXPECT_NEAR(std::log(std::abs(middle.multipliers[11])) / middle.period, -growth, 1e-6);
  for (const char* spin : {"[1, 0, 0]", "[0, 0, 1]"}) {
    const PeriodicMotion found = periodic_of(text(spin));
    ASSERT_EQ(found.status, Status::ok) << found.reason;
    EXPECT_EQ(found.verdict(), Floquet::neutral) << spin;
  }
}

// beside a limit cycle, and beside a motion that is driven, an oscillator that a parameter begins
// to feed: its multipliers exp((mu +- i sqrt(5 - mu^2)) T) pass the circle at mu = 0
TEST(Periodic, VibrationsBesideAMotionMakeATorus) {
  const auto text = [](const char* first) {
    return fmt::format(R"toml(
[parameters]
mu = 0
[coordinates]
x = {{ mass = 1, at = 1 }}
y = {{ mass = 1 }}
[[force]]
on = "x"
value = "{}"
[[force]]
on = "y"
value = "2*mu*v(y) - 5*y - x*y*v(y)"
)toml",
                       first);
  };
  for (const auto& [first, trivial] : std::vector<std::pair<const char*, int>>{
           {"(1 - x^2)*v(x) - x", 1}, {"-x - 0.2*v(x) + cos(0.7*t)", 0}}) {
    Problems problems;
    const PeriodicBranch branch =
        periodic_branch(linear_test_model(text(first)), {}, {},
                        {.parameter = "mu", .first = -0.2, .last = 0.3}, problems);
    ASSERT_TRUE(problems.empty()) << problems.message();
    ASSERT_EQ(branch.status, Status::ok) << branch.reason;
    std::vector<const BranchPoint*> marks;
    for (const BranchPoint& point : branch.points) {
      EXPECT_EQ(point.motion.trivial, trivial);
      if (point.kind != BranchPoint::Kind::plain) marks.push_back(&point);
    }
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_EQ(marks[0]->kind, BranchPoint::Kind::torus);
    EXPECT_NEAR(marks[0]->parameter, 0.0, 1e-6);
    const PeriodicMotion& last = branch.points.back().motion;
    EXPECT_EQ(last.verdict(), Floquet::torus);
    EXPECT_NEAR(std::log(std::abs(last.multipliers[trivial])) / last.period, 0.3, 1e-8);
  }
}

TEST(Periodic, ItEndsWhenItsTimeIsOver) {
  Problems problems;
  const Model chain = load(TAUT_MODELS "/chain.toml");
  const PeriodicMotion found = periodic_motion(chain, {.max_seconds = 0.1}, {}, problems);
  EXPECT_EQ(found.status, Status::time_limit);
  EXPECT_NE(found.hint, "");
  std::atomic<bool> cancel = true;
  const PeriodicMotion stopped = periodic_motion(chain, {.cancel = &cancel}, {}, problems);
  EXPECT_EQ(stopped.status, Status::cancelled);
  EXPECT_TRUE(problems.empty()) << problems.message();
}

/// How long a force of time on a mass takes until it is the same again; 0: nobody can tell.
double told_period(const std::string& force, const std::string& more = "") {
  Problems problems;
  const PeriodicMotion found = periodic_motion(
      linear_test_model(
          "[parameters]\nw = 2\n[coordinates]\nx = { mass = 1 }\n[[force]]\non = \"x\"\n"
          "value = \"-0.3*x - 0.4*v(x) + " +
          force + "\"\n" + more),
      {}, {}, problems);
  EXPECT_TRUE(problems.empty()) << problems.message();
  if (found.status == Status::ok) return found.period;
  EXPECT_EQ(found.status, Status::invalid_argument) << found.reason;
  EXPECT_NE(found.hint.find(".period"), std::string::npos) << found.hint;
  return 0.0;
}

TEST(Periodic, ThePeriodOfTheDriveIsReadOffItsFormulas) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(told_period("cos(w*t + x)"), pi, 1e-12);
  EXPECT_NEAR(told_period("cos(2*t)*sin(3*t + 1)"), 2 * pi, 1e-12);
  EXPECT_NEAR(told_period("sin(w*t)^2"), pi / 2, 1e-12);
  EXPECT_NEAR(told_period("sin(0.3*t) + cos(0.5*(t - 2)/w)"), 40 * pi, 1e-10);
  EXPECT_NEAR(told_period("cos(t + 0.1*sin(t/3))"), 6 * pi, 1e-11);
  EXPECT_NEAR(told_period("(t/3 - floor(t/3))"), 3, 1e-12);
  EXPECT_NEAR(told_period("exp(sin(t))*x"), 2 * pi, 1e-12);
  EXPECT_EQ(told_period("0.1*t"), 0.0);
  EXPECT_EQ(told_period("sin(t) + sin(sqrt(2)*t)"), 0.0);
  EXPECT_EQ(told_period("sin(t^2)"), 0.0);
  EXPECT_EQ(told_period("exp(-t)"), 0.0);
}

// a drive that does not come back in the period that is stated is refused, though the motion might
TEST(Periodic, APeriodThatIsNotThatOfTheDriveIsAMistake) {
  const char* const text = R"toml(
[parameters]
w = 2
[coordinates]
x = { mass = 1 }
[[force]]
on = "x"
value = "-x - 0.2*v(x) + cos(w*t)"
)toml";
  for (const auto& [period, good] : std::vector<std::pair<Value, bool>>{{Value{"2*pi/w"}, true},
                                                                        {Value{"4*pi/w"}, true},
                                                                        {Value{3.0}, false},
                                                                        {Value{3.1416}, false},
                                                                        {Value{"pi/w"}, false},
                                                                        {Value{-1.0}, false},
                                                                        {Value{"2*pi/W"}, false}}) {
    Problems problems;
    const PeriodicMotion found =
        periodic_motion(linear_test_model(text), {}, {.period = period}, problems);
    EXPECT_EQ(problems.empty(), good);
    if (good) {
      EXPECT_EQ(found.status, Status::ok);
    } else {
      for (const Problem& one : problems.sorted()) EXPECT_NE(one.remedy, "");
    }
  }
}

TEST(Periodic, TheGuessIsSaidByName) {
  const Model model = linear_test_model(R"toml(
[coordinates]
x = { mass = 1 }
[[potential]]
energy = "-x^2/2 + x^4/4"
[[force]]
on = "x"
value = "0"
)toml");
  // about 1 and about -1
  for (const double side : {1.0, -1.0}) {
    const PeriodicMotion found =
        periodic_motion(model, {}, {.from = {{"x", 1.2 * side}, {"v(x)", Value{"0"}}}});
    ASSERT_EQ(found.status, Status::ok) << found.reason;
    EXPECT_GT(side * found.lowest[0], 0.0);
    EXPECT_GT(side * found.highest[0], 0.0);
  }
  Problems problems;
  static_cast<void>(periodic_motion(model, {}, {.from = {{"y", 1.0}}}, problems));
  ASSERT_EQ(problems.count(), 1u);
  const PeriodicMotion rest = periodic_motion(model);
  EXPECT_EQ(rest.status, Status::invalid_argument);
  EXPECT_NE(rest.hint, "");
}

// friction that jumps makes multipliers jump; one that is steep does not
TEST(Periodic, JumpsOfForcesAreNotTakenForSmooth) {
  const auto text = [](const char* friction) {
    return fmt::format(R"toml(
[coordinates]
x = {{ mass = 1 }}
[[force]]
on = "x"
value = "-x - 0.1*{} + cos(0.7*t)"
)toml",
                       friction);
  };
  const PeriodicMotion jumps = periodic_of(text("sign(v(x))"), {.settle = 100});
  EXPECT_EQ(jumps.status, Status::not_supported) << jumps.reason;
  const PeriodicMotion smooth = periodic_of(text("tanh(v(x)/0.1)"));
  EXPECT_EQ(smooth.status, Status::ok) << smooth.reason;
  EXPECT_TRUE(smooth.stable());
}

// springs in the place of rods; what is averaged has no drive
TEST(Periodic, ReadingsAreHeeded) {
  const Model model = linear_test_model(pendulum_text);
  const PeriodicMotion rigid = periodic_motion(model);
  const PeriodicMotion soft =
      periodic_motion(model, {.reading = Reading::penalized(Value{300.0})}, {});
  ASSERT_EQ(rigid.status, Status::ok);
  ASSERT_EQ(soft.status, Status::ok) << soft.reason;
  EXPECT_EQ(soft.reading, "penalized");
  EXPECT_GT(std::abs(soft.period - rigid.period), 1e-7);
  EXPECT_NEAR(soft.period, rigid.period, 1e-2);
  Problems problems;
  static_cast<void>(periodic_motion(model, {.reading = Reading::slow()}, {}, problems));
  EXPECT_FALSE(problems.empty());
}

/// x'' = 25 x + 0.3 cos t, or with sin x in the place of x: a motion that stays, and others run
/// away.
std::string runs_away(const char* x) {
  return fmt::format(R"toml(
[coordinates]
x = {{ mass = 1 }}
[[force]]
on = "x"
value = "25*{} + 0.3*cos(t)"
)toml",
                     x);
}

// small changes grow by exp(10 pi) = 4.4e13 in a period: what begins at 3 digits is lost in a tenth
TEST(Periodic, MotionsThatNoFlowClosesAreFoundInParts) {
  const double growth = std::exp(10 * std::numbers::pi);
  for (const char* const start : {"0", "-0.0115", "-0.0115384615384615", "3"}) {
    SCOPED_TRACE(start);
    const PeriodicMotion found =
        periodic_of(runs_away("x"), {.from = {{"x", Value{start}}}, .settle = 0.0});
    ASSERT_EQ(found.status, Status::ok) << found.reason;
    EXPECT_NEAR(found.state.q[0], -0.3 / 26, 1e-12);
    EXPECT_NEAR(found.state.v[0], 0.0, 1e-12);
    EXPECT_LE(found.closing, 1e-9);
    EXPECT_GT(found.nodes.size(), 1u);
    ASSERT_EQ(found.multipliers.size(), 2);
    EXPECT_NEAR(std::abs(found.multipliers[0]), growth, 1e-8 * growth);
    EXPECT_NEAR(std::abs(found.multipliers[1]) * growth, 1.0, 1e-8);
    EXPECT_EQ(found.verdict(), Floquet::divergence);
    EXPECT_EQ(found.moved > 1.0, std::string{start} == "3");
    for (Index k = 0; k < found.places.rows(); ++k)
      EXPECT_NEAR(found.places(k, 0),
                  -0.3 / 26 * std::cos(found.times[static_cast<std::size_t>(k)]), 1e-9);
  }
  // upright: nearly the same, and not a motion that goes round
  const PeriodicMotion upright =
      periodic_of(runs_away("sin(x)"), {.from = {{"x", -0.0115385}}, .settle = 0.0});
  ASSERT_EQ(upright.status, Status::ok) << upright.reason;
  EXPECT_NEAR(upright.highest[0], 0.3 / 26, 1e-6);
  EXPECT_EQ(upright.verdict(), Floquet::divergence);
}

// the same motions in 1 to 16 parts: the same verdict, the same multipliers, trivial ones 1
TEST(Periodic, MultipliersDoNotDependOnTheNumberOfParts) {
  const char* const van_der_pol =
      "[coordinates]\nx = { mass = 1, at = 2 }\n[[force]]\non = \"x\"\n"
      "value = \"4*(1 - x^2)*v(x) - x\"\n";
  const char* const well =
      "[coordinates]\nx = { mass = 1, at = 1 }\ny = { mass = 1, velocity = 0.01 }\n"
      "[[potential]]\nenergy = \"x^2/2 + x^4/4 + 1.1*y^2 + x^2*y^2/2\"\n";
  for (const auto& [text, trivial] : std::vector<std::pair<std::string, int>>{
           {van_der_pol, 1}, {well, 2}, {pendulum_text, 2}, {runs_away("x"), 0}}) {
    const Model model = linear_test_model(text);
    const PeriodicMotion found = periodic_motion(model);
    ASSERT_EQ(found.status, Status::ok) << found.reason;
    Problems problems;
    const PreparedModel prepared = prepared_for_periods(model, {}, problems);
    const PeriodicCase made = periodic_case(
        prepared, {}, {}, std::make_shared<const SearchLimits>(0.0, nullptr), problems);
    ASSERT_TRUE(problems.empty() && made.good()) << problems.message();
    std::vector<State> nodes = found.nodes;
    for (LinearFlow flow = made.flow(1e-12); nodes.size() <= 16;) {
      SCOPED_TRACE(nodes.size());
      PeriodicMotion again;
      describe(made, shoot(flow, nodes, found.period, Vec::Zero(nodes[0].q.size())), found.period,
               again);
      EXPECT_EQ(again.trivial, trivial);
      EXPECT_EQ(again.verdict(), found.verdict());
      ASSERT_EQ(again.multipliers.size(), found.multipliers.size());
      for (Index k = 0; k < again.multipliers.size(); ++k) {
        const double size = std::abs(found.multipliers[k]);
        if (k < trivial) {
          EXPECT_LE(std::abs(again.multipliers[k] - 1.0), 1e-8);
        }
        EXPECT_LE(std::abs(again.multipliers[k] - found.multipliers[k]),
                  std::max(1e-7 * size, 1e-10));
      }
      ASSERT_EQ(split(flow, found.period, nodes), Status::ok);
    }
  }
}

// phi'' = -sin phi with v = 3 below: a turn takes the integral of dphi / sqrt(v^2 - 2 (1 - cos
// phi))
TEST(Periodic, WhatTurnsRoundComesBackAfterWholeTurns) {
  const auto turning = [](const char* force, const char* more) {
    return fmt::format("[coordinates]\nphi = {{ mass = 1, velocity = 3 }}\n{}{}\n", more, force);
  };
  const PeriodicMotion pendulum = periodic_of(turning("[[potential]]\nenergy = \"-cos(phi)\"", ""));
  ASSERT_EQ(pendulum.status, Status::ok) << pendulum.reason;
  EXPECT_NEAR(pendulum.energy, 3.5, 1e-7);  // the nearest one of its family
  const double speed = std::sqrt(2 * (pendulum.energy + 1));
  EXPECT_NEAR(pendulum.period, 4 / speed * std::comp_ellint_1(2 / speed), 1e-10);
  ASSERT_EQ(pendulum.turns.size(), 1);
  EXPECT_EQ(pendulum.turns[0], 2 * std::numbers::pi);
  EXPECT_EQ(pendulum.trivial, 2);
  // a fan: the product of its multipliers is what phase space shrinks by, exp(-T)
  const PeriodicMotion fan =
      periodic_of(turning("[[force]]\non = \"phi\"\nvalue = \"0.2*sin(phi) - (v(phi) - 2)\"", ""));
  ASSERT_EQ(fan.status, Status::ok) << fan.reason;
  EXPECT_EQ(fan.turns[0], 2 * std::numbers::pi);
  EXPECT_NEAR(fan.multipliers[1].real(), std::exp(-fan.period), 1e-10);
  // a crank at constant speed shakes a mass: the drive is the same again with the crank turned
  const PeriodicMotion crank =
      periodic_of(turning("[[constraint]]\nzero = \"phi - 3*t\"\n[[force]]\non = \"x\"\n"
                          "value = \"cos(phi) - 0.4*v(x) - 25*x\"",
                          "x = { mass = 1 }\n"));
  ASSERT_EQ(crank.status, Status::ok) << crank.reason;
  EXPECT_NEAR(crank.period, 2 * std::numbers::pi / 3, 1e-12);
  EXPECT_EQ(crank.turns[0], 2 * std::numbers::pi);
  EXPECT_NEAR(crank.highest[1], 1 / std::hypot(25 - 9.0, 0.4 * 3), 1e-6);
  EXPECT_EQ(crank.verdict(), Floquet::stable);
  // a place that goes on is no angle
  const PeriodicMotion gone = periodic_of(
      "[coordinates]\nx = { mass = 1 }\n[[force]]\non = \"x\"\n"
      "value = \"1 + cos(t) - v(x)\"\n");
  EXPECT_NE(gone.status, Status::ok);
}

TEST(Periodic, WhatDoesNotComeBackIsSaid) {
  const PeriodicMotion gone = periodic_of(
      "[coordinates]\nx = { mass = 1, at = 1 }\ny = { mass = 1, velocity = 1 }\n"
      "[[potential]]\nenergy = \"x^2/2\"\n");
  EXPECT_EQ(gone.status, Status::step_limit);
  EXPECT_NE(gone.reason.find("20 000 steps"), std::string::npos) << gone.reason;
  const PeriodicMotion falling = periodic_of(
      "[coordinates]\nx = { mass = 1, at = 1 }\n[[force]]\non = \"x\"\nvalue = \"-x - v(x)*3\"\n");
  EXPECT_NE(falling.status, Status::ok);
  EXPECT_NE(falling.reason, "");
  EXPECT_NE(falling.hint, "");
}

}  // namespace
}  // namespace taut::test
