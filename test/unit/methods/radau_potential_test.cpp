// SPDX-License-Identifier: BSD-3-Clause
// Stiff forces of which radau knows values and derivatives only. The truth is the same model with
// the constraints stated that such forces amount to, or a method that follows every vibration.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "readings/readings.hpp"
#include "stiff_problems.hpp"
#include "taut/core/archive.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::test {
namespace {

double distance(const Vec& a, const Vec& b) { return (a - b).lpNorm<Eigen::Infinity>(); }

/// Problem (c) of the notes on stiff Runge-Kutta methods: two links whose strains e1, e2 are mixed
/// into U = (g1² + g2²)/2ε², and an inertia that depends on positions. `elements` states U. The
/// inertial forces are taken out: M(y) y'' = f - ∇U with f as printed there.
std::string general_problem(double eps, const std::string& elements) {
  return fmt::format(R"toml(
name = "general potential"
[parameters]
eps = {}
[coordinates]
y1 = {{ at = "sin(1.2)", velocity = "0.7*cos(1.2)" }}
y2 = {{ at = "-cos(1.2)", velocity = "0.7*sin(1.2)" }}
y3 = {{ at = "sin(1.2) + sin(0.4)", velocity = "0.7*cos(1.2) - 0.5*cos(0.4)" }}
y4 = {{ at = "-cos(1.2) - cos(0.4)", velocity = "0.7*sin(1.2) - 0.5*sin(0.4)" }}
[definitions]
v1 = "v(y1)"
v2 = "v(y2)"
v3 = "v(y3)"
v4 = "v(y4)"
e1 = "hypot(y1, y2) - 1"
e2 = "hypot(y3 - y1, y4 - y2) - 1"
g1 = "sqrt(1 + 0.5*sin(y1 + y4))*e1 + 0.2*e1^2"
g2 = "0.5*cos(y2)*e1 + (1 + 0.3*y3^2)*e2 + 0.3*e2^2"
[[kinetic]]
energy = "((1.2 + 0.2*sin(y3))*v1^2 + v2^2 + (1 + 0.3*y2^2)*v3^2 + v4^2)/2 + 0.1*cos(y1)*v1*v2 + 0.2*sin(y4)*v2*v4"
[[force]]
on    = "y1"
value = "-0.1*v1 + 0.2*cos(y3)*v3*v1"
[[force]]
on    = "y2"
value = "-1 - 0.1*v2*v3 - 0.1*sin(y1)*v1^2 + 0.2*cos(y4)*v4^2 - 0.3*y2*v3^2"
[[force]]
on    = "y3"
value = "0.1*sin(v1) + 0.6*y2*v2*v3 - 0.1*cos(y3)*v1^2"
[[force]]
on    = "y4"
value = "-1 - 0.1*v4 + 0.2*y1*v3"
{}
)toml",
                     eps, elements);
}

const std::string as_potential = R"toml(
[[potential]]
energy = "(g1^2 + g2^2)/(2*eps^2)"
)toml";

const std::string as_constraints = R"toml(
[[constraint]]
zero       = "g1"
compliance = "eps^2"
[[constraint]]
zero       = "g2"
compliance = "eps^2"
)toml";

// the smooth start, which only the model with constraints can find
State smooth(const Loaded& model) {
  const SmoothStart start = smooth_start(model.system, model.start);
  EXPECT_EQ(start.status, Status::ok);
  return start.state;
}

struct Pair {
  RadauRun potential, constraints;
};

// both from the smooth start
Pair run_both(const System& forces, const Loaded& model, double T, double tol) {
  const State start = smooth(model);
  return {run_radau(forces, start, T, {.tol = tol}),
          run_radau(model.system, start, T, {.tol = tol})};
}

TEST(StiffPotential, OfAnyFormMovesAsItsConstraintsDoAtTheSameCost) {
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    std::vector<std::int64_t> steps;
    for (const double eps : {1e-3, 1e-4, 1e-5, 1e-6}) {
      SCOPED_TRACE(fmt::format("tol {} eps {}", tol, eps));
      const Loaded model = from_text(general_problem(eps, as_constraints));
      const Loaded forces = from_text(general_problem(eps, as_potential));
      ASSERT_EQ(forces.system.nc(), 0);
      const auto [potential, constraints] = run_both(forces.system, model, 1.0, tol);
      ASSERT_EQ(potential.status, Status::ok);
      ASSERT_EQ(constraints.status, Status::ok);
      EXPECT_LE(distance(potential.state.q, constraints.state.q), 2 * tol);
      EXPECT_LE(distance(potential.state.v, constraints.state.v), 2 * tol);
      EXPECT_LE(static_cast<double>(potential.accepted()),
                1.3 * static_cast<double>(constraints.accepted()) + 1);
      steps.push_back(potential.accepted());
    }
    const auto [fewest, most] = std::minmax_element(steps.begin(), steps.end());
    EXPECT_LE(static_cast<double>(*most), 1.2 * static_cast<double>(*fewest)) << tol;
  }
}

// positions and velocities of the limit, from power series in extended precision
TEST(StiffPotential, TendsToTheConstrainedMotionWithTheSquareOfEpsilon) {
  Vec q(4), v(4);
  q << 0.9463239916466488, -0.3232195891865983, 1.0683034112766014, -1.3157522189709999;
  v << -0.1902406442819663, -0.5569875462170941, -0.2735859426189295, -0.5672304448533197;
  std::vector<double> q_error, v_error;
  for (const double eps : {1e-3, 1e-4, 1e-5}) {
    const State start = smooth(from_text(general_problem(eps, as_constraints)));
    const Loaded forces = from_text(general_problem(eps, as_potential));
    const RadauRun run = run_radau(forces.system, start, 1.0, {.tol = 1e-11});
    ASSERT_EQ(run.status, Status::ok);
    q_error.push_back(distance(run.state.q, q));
    v_error.push_back(distance(run.state.v, v));
  }
  for (const std::size_t k : {0u, 1u}) {
    EXPECT_NEAR(std::log10(q_error[k] / q_error[k + 1]), 2.0, 0.05);
    EXPECT_NEAR(std::log10(v_error[k] / v_error[k + 1]), 2.0, 0.05);
  }
  EXPECT_LE(q_error.back(), 2e-10);
}

std::string pendulum_on_a_spring(double eps) {
  return fmt::format(R"toml(
name = "pendulum on a spring"
[points]
bob = {{ mass = 1, at = ["sin(1.2)", "-cos(1.2)"], velocity = ["0.7*cos(1.2)", "0.7*sin(1.2)"] }}
[[spring]]
between   = ["origin", "bob"]
length    = 1
stiffness = {}
[[gravity]]
acceleration = [0, -1]
)toml",
                     1.0 / (eps * eps));
}

TEST(StiffPotential, OfASpringIsAsCheapAsARodOfTheSameCompliance) {
  for (const double tol : {1e-4, 1e-7, 1e-10})
    for (const double eps : {1e-3, 1e-4, 1e-6}) {
      SCOPED_TRACE(fmt::format("tol {} eps {}", tol, eps));
      const Loaded rod = smooth_pendulum(eps), spring = from_text(pendulum_on_a_spring(eps));
      const RadauRun by_rod = run_radau(rod.system, rod.start, 5.0, {.tol = tol});
      const RadauRun by_spring = run_radau(spring.system, rod.start, 5.0, {.tol = tol});
      ASSERT_EQ(by_spring.status, Status::ok);
      EXPECT_LE(distance(by_spring.state.q, by_rod.state.q), 2 * tol);
      EXPECT_LE(distance(by_spring.state.v, by_rod.state.v), 2 * tol);
      EXPECT_LE(static_cast<double>(by_spring.accepted()),
                1.5 * static_cast<double>(by_rod.accepted()));
    }
}

// rods that become springs; one is rigid, stiffnesses differ by 1e4, one anchor moves
const std::string several = R"toml(
name = "three links"
[anchors]
hook = ["0.3*sin(3*t)", "0.1*cos(2*t) - 0.1"]
[points]
a = { mass = 1, at = ["sin(1.2)", "-cos(1.2)"], velocity = [0.9, 0] }
b = { mass = 1, at = ["sin(1.2) + sin(0.4)", "-cos(1.2) - cos(0.4)"], velocity = [0.9, 0] }
c = { mass = 2, at = ["sin(1.2) + sin(0.4)", "-cos(1.2) - cos(0.4) - 1"], velocity = [0.9, 0] }
[[constraint]]
zero       = "hypot(a.x - 0.3*sin(3*t), a.y - 0.1*cos(2*t) + 0.1) - 1"
compliance = 1e-10
[[rod]]
between = ["a", "b"]
length  = 1
[[constraint]]
zero       = "hypot(c.x - b.x, c.y - b.y) - 1"
compliance = 1e-6
[[force]]
on    = "c"
value = ["-0.1*c.vx", "-0.1*c.vy"]
[[gravity]]
acceleration = [0, -1]
)toml";

TEST(StiffPotential, StandsBesideRigidConstraintsMovingAnchorsAndDamping) {
  const Loaded model = from_text(several);
  const System forces = springs(model.system);
  ASSERT_EQ(forces.nc(), 1);
  for (const double tol : {1e-5, 1e-8}) {
    const auto [potential, constraints] = run_both(forces, model, 2.0, tol);
    ASSERT_EQ(potential.status, Status::ok);
    EXPECT_LE(distance(potential.state.q, constraints.state.q), 10 * tol);
    EXPECT_LE(distance(potential.state.v, constraints.state.v), 20 * tol);
    // the rigid rod lies between the springs: its tension is of the order of q and v, too
    ASSERT_EQ(potential.lambda.size(), 1);
    EXPECT_NEAR(potential.lambda[0], constraints.lambda[1], 100 * tol);
    EXPECT_LE(static_cast<double>(potential.accepted()),
              1.5 * static_cast<double>(constraints.accepted()));
  }
}

// a vibration that can be seen is followed, as by a method that follows every one
TEST(StiffPotential, DoesNotDampWhatIsAboveTheTolerance) {
  const Loaded spring = from_text(pendulum_on_a_spring(3e-3));
  State stretched = spring.start, thrown = spring.start;
  stretched.q *= 1.01;
  thrown.v += 3.0 * spring.start.q;
  for (const State& start : {stretched, thrown}) {
    const RadauRun run = run_radau(spring.system, start, 0.2, {.tol = 1e-7});
    ASSERT_EQ(run.status, Status::ok);
    const State truth = resolved_end(spring.system, start, 0.2);
    EXPECT_LE(distance(run.state.q, truth.q), 1e-5);
    EXPECT_LE(distance(run.state.v, truth.v), 1e-3);
  }
}

// what vibrates below the tolerance is left behind: the motion is that from the smooth start
TEST(StiffPotential, DampsWhatIsBelowTheTolerance) {
  const double tol = 1e-6, eps = 1e-5;
  const Loaded spring = from_text(pendulum_on_a_spring(eps));  // starts at its natural length
  const RadauRun run = run_radau(spring.system, spring.start, 5.0, {.tol = tol});
  ASSERT_EQ(run.status, Status::ok);
  EXPECT_LE(run.counters.steps, 40);
  const Loaded rod = smooth_pendulum(eps);
  const RadauRun truth = run_radau(rod.system, rod.start, 5.0, {.tol = 1e-10});
  EXPECT_LE(distance(run.state.q, truth.state.q), 2 * tol);
  EXPECT_LE(distance(run.state.v, truth.state.v), 2 * tol);
}

TEST(StiffPotential, ResumesToTheSameBits) {
  const Loaded model = from_text(several);
  const System forces = springs(model.system);
  const State start = smooth(model);
  Radau whole{{.tol = 1e-6}};
  State s = start;
  ASSERT_EQ(whole.start(forces, s), Status::ok);
  int pieces = 0;
  while (s.t < 2.0) {
    Archive writer = Archive::writer();
    whole.archive(writer);
    Radau resumed{{.tol = 1e-6}};
    State t = s;
    ASSERT_EQ(resumed.start(forces, t), Status::ok);
    Archive reader = Archive::reader(writer.bytes());
    resumed.archive(reader);
    ASSERT_EQ(resumed.advance(forces, 2.0, t), Status::ok);
    ASSERT_EQ(whole.advance(forces, 2.0, s), Status::ok);
    ASSERT_EQ(s.t, t.t) << pieces;
    ASSERT_EQ(s.q, t.q) << pieces;
    ASSERT_EQ(s.v, t.v) << pieces;
    ++pieces;
  }
  EXPECT_GE(pieces, 5);
}

TEST(StiffPotential, IsInterpolatedAsAccuratelyAsItIsComputed) {
  const Loaded model = from_text(several);
  const System forces = springs(model.system);
  Radau method{{.tol = 1e-7}}, truth{{.tol = 1e-11}};
  State s = smooth(model), exact = s, between = s;
  ASSERT_EQ(method.start(forces, s), Status::ok);
  ASSERT_EQ(truth.start(model.system, exact), Status::ok);
  Vec a, lambda, exact_a, exact_lambda;
  while (s.t < 1.0) {
    const double t0 = s.t;
    ASSERT_EQ(method.advance(forces, 2.0, s), Status::ok);
    const double t = t0 + 0.4 * (s.t - t0);
    ASSERT_EQ(method.interpolate(forces, t, between), Status::ok);
    ASSERT_EQ(method.multipliers(forces, between, a, lambda), Status::ok);
    while (exact.t < t) ASSERT_EQ(truth.advance(model.system, t, exact), Status::ok);
    ASSERT_EQ(truth.multipliers(model.system, exact, exact_a, exact_lambda), Status::ok);
    EXPECT_LE(distance(between.q, exact.q), 1e-6) << t;
    EXPECT_LE(distance(between.v, exact.v), 1e-5) << t;
    EXPECT_LE(distance(a, exact_a), 1e-4) << t;
    EXPECT_NEAR(lambda[0], exact_lambda[1], 1e-4) << t;
  }
}

}  // namespace
}  // namespace taut::test
