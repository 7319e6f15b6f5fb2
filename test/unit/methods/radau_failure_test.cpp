// SPDX-License-Identifier: BSD-3-Clause
// What radau does where the motion ends, where constraints lose their rank, and where what its
// iteration matrix knows is no longer true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models.hpp"
#include "problems.hpp"
#include "stiff_problems.hpp"

namespace taut::test {
namespace {

struct Failure {
  Status status = Status::ok;
  State last;  // the last good one
  std::int64_t tries = 0;
};

// runs until it fails; the failing call must leave the state, and so must the next one
Failure run_into(const Loaded& model, double T) {
  Failure end;
  Radau method{{.tol = 1e-8}};
  State s = model.start;
  end.status = method.start(model.system, s);
  while (end.status == Status::ok && s.t < T) {
    end.last = s;
    end.status = method.advance(model.system, T, s);
  }
  if (end.status != Status::ok) {
    EXPECT_EQ(s.t, end.last.t);
    EXPECT_EQ(s.q, end.last.q);
    EXPECT_EQ(s.v, end.last.v);
    EXPECT_NE(method.advance(model.system, T, s), Status::ok);
    EXPECT_EQ(s.q, end.last.q);
  }
  end.tries = method.counters.steps;
  return end;
}

TEST(RadauFailure, AForceThatEndsAtATimeIsFollowedUpToIt) {
  const Loaded model = from_text(R"toml(
name = "fading spring"
[coordinates]
x = { mass = 1, at = 1 }
[[force]]
on = "x"
value = "-x*sqrt(1 - t)"
)toml");
  const Failure end = run_into(model, 2.0);
  EXPECT_EQ(end.status, Status::non_finite);
  EXPECT_NEAR(end.last.t, 1.0, 1e-9);
  const State exact = resolved_end(model.system, model.start, 1.0 - 1e-9);
  EXPECT_NEAR(end.last.q[0], exact.q[0], 1e-7);
  EXPECT_LE(end.tries, 200);
}

TEST(RadauFailure, AConstraintThatLeavesItsDomainEndsTheMotion) {
  // the bob would pass the top, where y = sqrt(1 - x²) has no continuation for rising x
  const Loaded by_position = from_text(R"toml(
name = "half circle"
[points]
bob = { mass = 1, at = [0, 1], velocity = [0.5, 0] }
[[constraint]]
zero = "bob.y - sqrt(1 - bob.x^2)"
)toml");
  const Failure edge = run_into(by_position, 5.0);
  EXPECT_NE(edge.status, Status::ok);
  EXPECT_NEAR(edge.last.t, std::acos(0.0) / 0.5, 1e-3);

  const Loaded by_time = from_text(R"toml(
name = "moving wall"
[points]
bob = { mass = 1, at = [1, 0], velocity = [-0.5, 1] }
[[constraint]]
zero = "bob.x - (1 - t)*(2 - t)*sqrt(1 - t)/2"
)toml");
  const Failure wall = run_into(by_time, 5.0);
  EXPECT_EQ(wall.status, Status::non_finite);
  EXPECT_NEAR(wall.last.t, 1.0, 1e-6);
  EXPECT_NEAR(wall.last.q[1], wall.last.t, 1e-7);
}

TEST(RadauFailure, AMassThatVanishesEndsTheMotion) {
  // (2 - x) v² is conserved: (2 - x)^(3/2) falls linearly and reaches 0 at t = 2/3
  const Failure end = run_into(from_text(R"toml(
name = "melting"
[coordinates]
x = { at = 1, velocity = 1 }
[[kinetic]]
energy = "(2 - x)*v(x)^2/2"
)toml"),
                               5.0);
  EXPECT_NE(end.status, Status::ok);
  EXPECT_NEAR(end.last.t, 2.0 / 3.0, 1e-6);
  EXPECT_LT(end.last.q[0], 2.0);
}

TEST(RadauFailure, ConstraintsThatComeToContradictAreNotDropped) {
  // agree until t = 0.5, then cannot hold together
  const Loaded model = from_text(R"toml(
name = "two rods"
[points]
bob = { mass = 1, at = [0.6, -0.8], velocity = [0.8, 0.6] }
[[constraint]]
zero = "bob.x^2 + bob.y^2 - 1"
[[constraint]]
zero = "bob.x^2 + bob.y^2 - 1 - max(t - 0.5, 0)^4"
)toml");
  const Failure end = run_into(model, 2.0);
  EXPECT_EQ(end.status, Status::constraints_contradict);
  EXPECT_LE(residuals(model.system, end.last).g, 1e-10);
}

// Singular positions ------------------------------------------------------------------------------

/// Two unit cranks joined by a rod of length 2: flat twice in each turn, where it could fold into
/// an antiparallelogram. Without gravity it turns with the angle 2 t.
std::string parallelogram() {
  return R"toml(
name = "parallelogram"
[anchors]
d = [2, 0]
[points]
b = { mass = 1, at = [0, 1], velocity = [2, 0] }
c = { mass = 1, at = [2, 1], velocity = [2, 0] }
[[rod]]
between = ["origin", "b"]
length = 1
[[rod]]
between = ["b", "c"]
length = 2
[[rod]]
between = ["d", "c"]
length = 1
)toml";
}

void expect_it_turns(double tol) {
  // near the flat position rounding is magnified, and a tolerance below it cannot be kept
  const double bound = std::max(100 * tol, 1e-7);
  const Loaded model = from_text(parallelogram());
  const RadauRun run = run_radau(model.system, model.start, 6.0, {.tol = tol});
  ASSERT_EQ(run.status, Status::ok) << "at t = " << run.state.t;
  EXPECT_NEAR(run.state.q[0], std::sin(12.0), bound);
  EXPECT_NEAR(run.state.q[1], std::cos(12.0), bound);
  EXPECT_NEAR(run.state.q[2], 2.0 + std::sin(12.0), bound);
  EXPECT_LE(run.max_g, 1e-13);
}

TEST(RadauSingularPosition, AParallelogramPassesItsFlatPosition) {
  for (const double tol : {1e-4, 1e-6, 1e-8}) expect_it_turns(tol);
}

TEST(RadauSingularPosition, AParallelogramPassesItsFlatPositionAtTightTolerances) {
  for (const double tol : {1e-9, 1e-10, 1e-11}) expect_it_turns(tol);
}

TEST(RadauSingularPosition, ATightToleranceThatIsNotKeptThereIsTold) {
  const Loaded model = from_text(parallelogram());
  Radau radau{{.tol = 1e-11}};
  State s = model.start;
  ASSERT_EQ(radau.start(model.system, s), Status::ok);
  while (s.t < 6.0) ASSERT_EQ(radau.advance(model.system, 6.0, s), Status::ok);
  ASSERT_FALSE(radau.notes().empty());
  EXPECT_NE(radau.notes().front().text().find("nearly dependent"), std::string::npos);
}

TEST(RadauSingularPosition, AParallelogramPassesItsFlatPositionUnderGravity) {
  // both cranks move like one pendulum: energy says how fast
  const Loaded model = from_text(parallelogram() + "[[gravity]]\nacceleration = [0, -0.3]\n");
  for (const double tol : {1e-5, 1e-8}) {
    const RadauRun run = run_radau(model.system, model.start, 6.0, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok) << "at t = " << run.state.t;
    const State& s = run.state;
    EXPECT_NEAR(s.v.head(2).squaredNorm() / 2 + 0.3 * s.q[1], 2.0 + 0.3, 100 * tol);
    EXPECT_NEAR(s.q[2] - s.q[0], 2.0, 100 * tol);
  }
}

TEST(RadauSingularPosition, ASliderCrankOfEqualLinksPassesTheMiddle) {
  // crank at the angle φ, slider at 2 cos φ: at φ = π/2 the links lie on each other
  const Loaded model = from_text(R"toml(
name = "slider crank"
[points]
b = { mass = 1, at = [0.6, 0.8], velocity = [-0.8, 0.6] }
c = { mass = 1, at = [1.2, 0], velocity = [-1.6, 0] }
[[rod]]
between = ["origin", "b"]
length = 1
[[rod]]
between = ["b", "c"]
length = 1
[[constraint]]
zero = "c.y"
)toml");
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const RadauRun run = run_radau(model.system, model.start, 3.0, {.tol = tol});
    ASSERT_EQ(run.status, Status::ok);
    // φ'² (1 + 4 sin² φ) is conserved, and the slider has passed the origin
    const double rate = run.state.v.head(2).norm();
    const double sine = run.state.q[1];
    EXPECT_NEAR(rate * rate * (1.0 + 4.0 * sine * sine), 1.0 + 4.0 * 0.64, 100 * tol);
    EXPECT_LT(run.state.q[2], 0.0);
    EXPECT_NEAR(run.state.q[2], 2.0 * run.state.q[0], 1e-12);
  }
}

// Matrices ----------------------------------------------------------------------------------------

TEST(RadauMatrices, AStiffDamperThatGoesAwayIsNoticed) {
  // x is dragged along by -0.2 y while the damper is there, and free afterwards: the iteration
  // matrix of before would take every correction of x for nothing
  const Loaded model = from_text(R"toml(
name = "damper"
[coordinates]
x = { mass = 1, at = 1 }
y = { mass = 1, at = 1 }
[definitions]
grip = "1 + 1e4*(tanh(4*(t - 6)) - tanh(4*(t - 30)))"
[[force]]
on = "x"
value = "-x - grip*(v(x) + 0.2*v(y))"
[[force]]
on = "y"
value = "-y"
)toml");
  const State exact = resolved_end(model.system, model.start, 40.0, 1e-10);
  for (const double tol : {1e-3, 1e-4, 1e-5, 1e-6})
    for (const int stages : {3, 5, 7, 0}) {
      const RadauRun run =
          run_radau(model.system, model.start, 40.0, {.tol = tol, .stages = stages});
      ASSERT_EQ(run.status, Status::ok);
      EXPECT_LE((run.state.q - exact.q).norm(), 20 * tol) << tol << ' ' << stages;
    }
}

TEST(RadauFailure, AToleranceBelowRoundingIsLoosenedToWhatThereIs) {
  // its estimate was of rounding alone, which shorter steps do not lessen: they went to nothing
  const Loaded model = load("double_pendulum");
  Radau method{{.tol = 1e-14}};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  while (s.t < 1.0) ASSERT_EQ(method.advance(model.system, 1.0, s), Status::ok) << s.t;
  EXPECT_LE(method.counters.steps, 300);
  const Vec truth{{0.103283363546072, -0.994651972709354, -0.890019249510128, -0.879110123599491}};
  EXPECT_LE((s.q - truth).lpNorm<Eigen::Infinity>(), 1e-11);
  ASSERT_EQ(method.notes().size(), 1U);
  EXPECT_NE(method.notes()[0].text().find("below rounding"), std::string::npos);

  Radau above{{.tol = 1e-11}};
  s = model.start;
  ASSERT_EQ(above.start(model.system, s), Status::ok);
  while (s.t < 1.0) ASSERT_EQ(above.advance(model.system, 1.0, s), Status::ok);
  EXPECT_TRUE(above.notes().empty());
}

}  // namespace
}  // namespace taut::test
