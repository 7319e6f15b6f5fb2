// SPDX-License-Identifier: BSD-3-Clause
// Rigid, stiff, soft and damped constraints in one system, against the same system with every
// spring resolved by an explicit method, or against its limit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "long_double_ode.hpp"
#include "problems.hpp"
#include "stiff_problems.hpp"

namespace taut::test {
namespace {

struct Softness {
  double compliance = 0.0, damping = 0.0;  // [m/N], [N s/m]
};

/// Three masses hanging on each other, each on a rod of length 1.
Loaded three_links(const std::vector<Softness>& rods) {
  std::string toml = R"toml(
name = "three links"
[points]
p1 = { mass = 1,   at = [0.8, -0.6], velocity = [0.3, 0.4] }
p2 = { mass = 1.5, at = [1.6, -1.2], velocity = [0.3, 0.4] }
p3 = { mass = 0.7, at = [1.6, -2.2], velocity = [0.5, 0.4] }
[[gravity]]
acceleration = [0, -1]
)toml";
  const char* const zero[] = {"hypot(p1.x, p1.y) - 1", "hypot(p2.x - p1.x, p2.y - p1.y) - 1",
                              "hypot(p3.x - p2.x, p3.y - p2.y) - 1"};
  for (std::size_t i = 0; i < rods.size(); ++i)
    toml += fmt::format("[[constraint]]\nzero = \"{}\"\ncompliance = {}\ndamping = {}\n", zero[i],
                        rods[i].compliance, rods[i].damping);
  return from_text(toml);
}

// errors against all springs resolved, in units of the tolerance
void expect_resolved(const Loaded& model, double T, const std::vector<double>& tolerances,
                     double factor_q, double factor_v) {
  const State exact = resolved_end(model.system, model.start, T, 1e-13);
  const Vec lambda = resolved_multipliers(model.system, exact);
  for (const double tol : tolerances) {
    SCOPED_TRACE(::testing::Message() << "C " << model.system.structure().C.transpose() << " d "
                                      << model.system.structure().d.transpose() << " tol " << tol);
    const RadauRun run = run_radau(model.system, model.start, T, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok);
    EXPECT_LE((run.state.q - exact.q).norm(), factor_q * tol);
    EXPECT_LE((run.state.v - exact.v).norm(), factor_v * tol);
    // an error of v is that of λ times a rate of vibration, at most 1/sqrt(C)
    double rate = 1.0;
    for (const double C : model.system.structure().C)
      if (C > 0.0) rate = std::max(rate, 1.0 / std::sqrt(C));
    EXPECT_LE((run.lambda - lambda).norm(), 5 * rate * factor_v * tol);
  }
}

TEST(RadauCompliance, SoftRowsFollowTheirVibrations) {
  expect_resolved(three_links({{1.0}, {1.0}, {1.0}}), 3.0, {1e-5, 1e-7, 1e-9, 1e-11}, 20, 20);
  expect_resolved(three_links({{0.01}, {0.01}, {0.01}}), 3.0, {1e-5, 1e-7, 1e-9, 1e-11}, 20, 200);
  expect_resolved(three_links({{0.0}, {1.0}, {0.0}}), 3.0, {1e-5, 1e-7, 1e-9, 1e-11}, 20, 20);
}

TEST(RadauCompliance, CompliancesOfManySizesInOneSystem) {
  // vibrations of the stiff row are followed as far as their amplitude is above the tolerance
  expect_resolved(three_links({{0.01}, {1e-4}, {1.0}}), 3.0, {1e-7, 1e-9}, 20, 1000);
  expect_resolved(three_links({{0.0}, {1e-5}, {1.0}}), 2.0, {1e-8, 1e-10}, 20, 1000);
}

TEST(RadauCompliance, RigidStiffAndSoftFromOneStart) {
  // the stiff row vibrates by C λ = 3e-8, which no tolerance here sees: it is as if rigid
  const Loaded model = three_links({{0.0}, {1e-8}, {1.0}});
  const Loaded limit = three_links({{0.0}, {0.0}, {1.0}});
  const State exact = resolved_end(limit.system, limit.start, 2.0);
  const Vec lambda = resolved_multipliers(limit.system, exact);
  for (const double tol : {1e-4, 1e-6}) {
    const RadauRun run = run_radau(model.system, model.start, 2.0, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok);
    EXPECT_LE((run.state.q - exact.q).norm(), 20 * tol + 1e-7);
    EXPECT_LE((run.state.v - exact.v).norm(), 20 * tol + 1e-7);
    EXPECT_LE((run.lambda - lambda).norm(), 100 * tol + 1e-6);
    EXPECT_LE(run.counters.steps, 40);
  }
}

TEST(RadauCompliance, FromAHundredthToATrillionth) {
  const Loaded model = three_links({{1e-2}, {1e-7}, {1e-12}});
  const Loaded limit = three_links({{1e-2}, {0.0}, {0.0}});
  const State exact = resolved_end(limit.system, limit.start, 2.0);
  for (const double tol : {1e-4, 1e-6}) {
    const RadauRun run = run_radau(model.system, model.start, 2.0, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok);
    EXPECT_LE((run.state.q - exact.q).norm(), 20 * tol + 1e-6);
    EXPECT_LE(run.counters.steps, 60);
  }
}

// Damping -----------------------------------------------------------------------------------------

/// A rod that is too long by 0.2 and shrinks as g + d g' = C λ lets it.
Loaded shrinking_pendulum(double compliance, double d) {
  return from_text(fmt::format(R"toml(
name = "shrinking pendulum"
[points]
bob = {{ mass = 1, at = [1.2, 0], velocity = [-0.2, 0.5] }}
[[constraint]]
zero       = "hypot(bob.x, bob.y) - 1"
compliance = {}
damping    = {}
[[gravity]]
acceleration = [0, -1]
)toml",
                               compliance, d / compliance));
}

/// The limit C -> 0: r = 1 + 0.2 exp(-t) is given, the angle moves.
State shrinking_limit(double T) {
  const auto angle = [](long double t, const LongVec& y, LongVec& dy) {
    const long double r = 1 + 0.2L * std::exp(-t), dr = -0.2L * std::exp(-t);
    dy[0] = y[1];
    dy[1] = (-std::cos(y[0]) - 2 * dr * y[1]) / r;
  };
  const LongVec y = solve(angle, {0.0L, 0.5L / 1.2L}, 0, T, 0.02L);
  const long double decay = 0.2L * std::exp(-static_cast<long double>(T)), r = 1 + decay;
  const long double c = std::cos(y[0]), s = std::sin(y[0]);
  State end{T, Vec(2), Vec(2)};
  end.q << static_cast<double>(r * c), static_cast<double>(r * s);
  end.v << static_cast<double>(-decay * c - r * y[1] * s),
      static_cast<double>(-decay * s + r * y[1] * c);
  return end;
}

TEST(RadauDamping, StrongDampingHasItsLimit) {
  const State limit = shrinking_limit(2.0);
  for (const double C : {1e-8, 1e-12, 1e-16})
    for (const double tol : {1e-3, 1e-6, 1e-9, 1e-11}) {
      SCOPED_TRACE(::testing::Message() << "C " << C << " tol " << tol);
      const Loaded model = shrinking_pendulum(C, 1.0);
      const RadauRun run = run_radau(model.system, model.start, 2.0, {.tol = tol});
      ASSERT_EQ(run.status, Status::ok);
      // the limit is off by about C
      EXPECT_LE((run.state.q - limit.q).norm(), 3 * tol + 10 * C);
      EXPECT_LE((run.state.v - limit.v).norm(), 3 * tol + 10 * C);
      EXPECT_LE(run.counters.steps, 50);
      // λ = r φ'² - sin φ - r'': what turns the bob
      const double r = limit.q.norm(), decay = r - 1.0;
      const double turn = (limit.q[0] * limit.v[1] - limit.q[1] * limit.v[0]) / (r * r);
      EXPECT_NEAR(run.lambda[0], r * turn * turn - limit.q[1] / r - decay, 10 * tol + 100 * C);
    }
}

TEST(RadauDamping, ModerateDampingFollowsItsSpring) {
  for (const double C : {1e-2, 1e-3, 1e-4})
    for (const double d : {0.01, 0.1, 1.0})
      expect_resolved(shrinking_pendulum(C, d), 2.0, {1e-4, 1e-7, 1e-10}, 10, 20);
  expect_resolved(three_links({{1.0, 1.0}, {0.0}, {0.01, 10.0}}), 2.0, {1e-5, 1e-8, 1e-11}, 20,
                  100);
}

// More springs than directions --------------------------------------------------------------------

Loaded one_mass(const std::string& rows) {
  return from_text(R"toml(
name = "one mass"
[points]
a = { mass = 1, at = [0.8, -0.6], velocity = [0.3, 0.4] }
[[gravity]]
acceleration = [0, -1]
)toml" + rows);
}

std::string row(const std::string& zero, double compliance) {
  return fmt::format("[[constraint]]\nzero = \"{}\"\ncompliance = {}\n", zero, compliance);
}

TEST(RadauDependence, ParallelSpringsShareTheForce) {
  const std::string rod = "hypot(a.x, a.y) - 1", shorter = "hypot(a.x, a.y) - 0.9";
  for (const std::string& second : {rod, shorter})
    expect_resolved(one_mass(row(rod, 0.01) + row(second, 0.04)), 1.0, {1e-5, 1e-8}, 20, 200);
}

TEST(RadauDependence, ASpringBesideARigidRodTakesWhatItsLengthSays) {
  const std::string rod = "hypot(a.x, a.y) - 1", shorter = "hypot(a.x, a.y) - 0.9";
  expect_resolved(one_mass(row(rod, 0.0) + row(shorter, 0.01)), 1.0, {1e-5, 1e-8}, 20, 20);
  expect_resolved(one_mass(row(shorter, 0.01) + row(rod, 0.0)), 1.0, {1e-5, 1e-8}, 20, 20);
}

TEST(RadauDependence, ANetOfSpringsHasMoreRowsThanCoordinates) {
  std::string rods;
  for (const char* point : {"p", "q"})
    for (const char* corner : {"A", "B", "C", "D"})
      rods += fmt::format("[[rod]]\nbetween = [\"{}\", \"{}\"]\ncompliance = 0.1\n", point, corner);
  const Loaded net = from_text(R"toml(
name = "net"
[anchors]
A = [0, 0]
B = [3, 0]
C = [0, 3]
D = [3, 3]
[points]
p = { mass = 1, at = [1.1, 1.4], velocity = [0.1, -0.2] }
q = { mass = 1, at = [1.9, 1.7], velocity = [0.2, -0.2] }
[[gravity]]
acceleration = [0, -1]
[[rod]]
between = ["p", "q"]
compliance = 0.1
)toml" + rods);
  ASSERT_GT(net.system.nc(), net.system.nq());
  expect_resolved(net, 1.0, {1e-5, 1e-8}, 20, 200);
}

TEST(RadauDependence, ARowGivenTwiceChangesNothingAndMultipliersAreSmallest) {
  const Loaded once = one_mass(row("hypot(a.x, a.y) - 1", 0.0));
  const Loaded twice = one_mass(row("hypot(a.x, a.y) - 1", 0.0) + row("hypot(a.x, a.y) - 1", 0.0));
  const RadauRun a = run_radau(once.system, once.start, 2.0, {.tol = 1e-9});
  const RadauRun b = run_radau(twice.system, twice.start, 2.0, {.tol = 1e-9});
  ASSERT_EQ(b.status, Status::ok);
  EXPECT_LE((a.state.q - b.state.q).norm(), 1e-9);
  EXPECT_NEAR(b.lambda[0], a.lambda[0] / 2, 1e-8);
  EXPECT_NEAR(b.lambda[1], a.lambda[0] / 2, 1e-8);
}

TEST(RadauDependence, ARedundantCrankCostsNeitherAccuracyNorSteps) {
  // every corner of the platform moves like a pendulum of length 1
  const Loaded platform = load("redundant");
  const auto angle = [](long double, const LongVec& y, LongVec& dy) {
    dy[0] = y[1];
    dy[1] = -9.81L * std::sin(y[0]);
  };
  const LongVec y = solve(angle, {std::asin(0.6L), 0.0L}, 0, 5, 0.02L);
  const Vec corner{{static_cast<double>(std::sin(y[0])), static_cast<double>(-std::cos(y[0]))}};
  std::int64_t before = 1000;
  for (const double tol : {1e-6, 1e-8, 1e-10, 1e-11}) {
    SCOPED_TRACE(tol);
    const RadauRun run = run_radau(platform.system, platform.start, 5.0, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok);
    EXPECT_LE((run.state.q.head(2) - corner).norm(), 100 * tol);
    // seven stages: a hundredth of the tolerance takes twice the steps at most
    EXPECT_LE(run.counters.steps, 2 * before);
    before = run.counters.steps;
  }
}

// Mechanisms --------------------------------------------------------------------------------------

TEST(RadauMechanisms, AgreeWithAnExplicitMethod) {
  struct Case {
    const char* name;
    double T, factor;  // what the mechanism makes of errors, in units of the tolerance
  };
  for (const Case& c : {Case{"four_bar", 2.0, 1000}, Case{"slider_crank", 0.02, 100},
                        Case{"parallel_manipulator", 2.0, 20}, Case{"redundant", 2.0, 100},
                        Case{"chain", 1.0, 20}}) {
    const Loaded model = load(c.name);
    const State exact = resolved_end(model.system, model.start, c.T);
    const Vec lambda = resolved_multipliers(model.system, exact);
    for (const double tol : {1e-5, 1e-8}) {
      SCOPED_TRACE(::testing::Message() << c.name << " tol " << tol);
      const RadauRun run = run_radau(model.system, model.start, c.T, {.tol = tol});
      ASSERT_EQ(run.status, Status::ok);
      EXPECT_LE((run.state.q - exact.q).norm(), c.factor * tol);
      EXPECT_LE((run.state.v - exact.v).norm(), c.factor * tol * (1.0 + exact.v.norm()));
      EXPECT_LE((run.lambda - lambda).norm(), 10 * c.factor * tol * (1.0 + lambda.norm()));
      EXPECT_LE(run.max_g, 1e-13);
      EXPECT_LE(run.max_Gv, 1e-13 * (1.0 + exact.v.norm()));
    }
  }
}

}  // namespace
}  // namespace taut::test
