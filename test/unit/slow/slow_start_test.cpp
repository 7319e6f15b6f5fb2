// SPDX-License-Identifier: BSD-3-Clause
// One call, three ways onto the slow manifold, against a collocation that shares nothing with them.
#include "taut/slow/slow_start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "from_toml.hpp"
#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "slow_manifolds/collocation.hpp"
#include "slow_manifolds/problem.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

using namespace papers::slow_manifolds;

SlowStart by(SlowVia via, double omega, const State& given) {
  return slow_start(double_pendulum(omega), given, {.via = via});
}

struct Accuracy {
  SlowVia via;
  double omega, q, p;
  bool far;
};

class SlowStartAccuracy : public testing::TestWithParam<Accuracy> {};

TEST_P(SlowStartAccuracy, IsThatOfTheCollocationReference) {
  const auto [via, omega, q, p, far] = GetParam();
  const SlowStart start = by(via, omega, far ? far_start() : constrained_start());
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  EXPECT_EQ(start.via, via);
  const NormalErrors left = normal_errors(omega, start.state);
  EXPECT_LE(left.q, q);
  EXPECT_LE(left.p, p);
  // and what it says about itself is true, to a factor of ten; the reference has an error, too
  const double reference = omega < 300 ? 3e-11 : 3e-14;
  EXPECT_LE(left.q, 10.0 * start.uncertainty + reference);
  EXPECT_LE(left.p, 10.0 * start.velocity_uncertainty + reference);
}
INSTANTIATE_TEST_SUITE_P(DoublePendulum, SlowStartAccuracy,
                         testing::Values(Accuracy{SlowVia::expansion, 100, 1e-10, 1e-10, false},
                                         Accuracy{SlowVia::expansion, 100, 1e-10, 1e-9, true},
                                         Accuracy{SlowVia::expansion, 1000, 2e-14, 2e-14, false},
                                         Accuracy{SlowVia::expansion, 1000, 2e-14, 2e-14, true},
                                         Accuracy{SlowVia::expansion, 1e5, 2e-15, 2e-15, true},
                                         Accuracy{SlowVia::newton, 100, 1e-7, 1e-6, true},
                                         Accuracy{SlowVia::newton, 1000, 1e-10, 1e-10, false},
                                         Accuracy{SlowVia::newton, 1000, 1e-10, 1e-10, true},
                                         Accuracy{SlowVia::newton, 1e4, 1e-13, 1e-10, true},
                                         Accuracy{SlowVia::filter, 1000, 1e-12, 1e-11, false}));

// terms of the series grow like factorials: the first left out is not as small as the last two tell
TEST(SlowStart, UncertaintyOfTheExpansionIsTheDistanceLeft) {
  for (const double omega : {300.0, 500.0, 800.0}) {
    const SlowStart start = by(SlowVia::expansion, omega, constrained_start());
    ASSERT_EQ(start.status, Status::ok) << start.reason;
    const double left = normal_errors(omega, start.state).q, reference = 3e-14;
    EXPECT_GE(start.uncertainty, 0.7 * left - reference) << omega;
    EXPECT_LE(start.uncertainty, 10.0 * left + reference) << omega;
  }
}

TEST(SlowStart, TakesAtMostTwentyEvaluationsWhereTheModelIsKnown) {
  for (const SlowVia via : {SlowVia::automatic, SlowVia::newton}) {
    const SlowStart start = by(via, 1000, constrained_start());
    ASSERT_EQ(start.status, Status::ok) << start.reason;
    EXPECT_LE(start.force_evaluations, 20);
    EXPECT_GT(start.force_evaluations, 10);
    const NormalErrors left = normal_errors(1000, start.state);
    EXPECT_LE(left.q, 1e-10);
    EXPECT_LE(left.p, 1e-10);
  }
}

TEST(SlowStart, CostsTheSameWhateverTheStiffness) {
  for (const SlowVia via :
       {SlowVia::automatic, SlowVia::expansion, SlowVia::newton, SlowVia::filter})
    for (const State& given : {constrained_start(), far_start()}) {
      const SlowStart first = by(via, 1e3, given);
      ASSERT_EQ(first.status, Status::ok) << first.reason;
      for (const double omega : {1e5, 1e8}) {
        const SlowStart other = by(via, omega, given);
        ASSERT_EQ(other.status, Status::ok) << other.reason;
        EXPECT_EQ(other.force_evaluations, first.force_evaluations) << name(via) << ' ' << omega;
        EXPECT_EQ(other.iterations, first.iterations) << name(via) << ' ' << omega;
      }
    }
}

TEST(SlowStart, MultipliersAreThoseOfTheReference) {
  for (const double omega : {100.0, 1000.0, 1e4}) {
    const SlowMotion truth = slow_motion(double_pendulum_constraints, omega, constrained_start());
    ASSERT_EQ(truth.status, Status::ok);
    const Vec lambda = truth.lambda(0).cast<double>();
    const SlowStart expansion = by(SlowVia::expansion, omega, constrained_start());
    EXPECT_LE((expansion.lambda - lambda).norm(), omega < 300 ? 1e-6 : 2e-8) << omega;
    const SlowStart newton = by(SlowVia::newton, omega, constrained_start());
    // g/C, with the error of q over C
    EXPECT_LE((newton.lambda - lambda).norm(), 1e-14 * omega * omega + 3e4 / std::pow(omega, 3));
  }
}

TEST(SlowStart, MovesAlongTheConstraintForcesOnly) {
  const State given = constrained_start();
  for (const SlowVia via : {SlowVia::expansion, SlowVia::newton}) {
    const SlowStart start = by(via, 1000, given);
    ASSERT_EQ(start.status, Status::ok);
    // both rods lie along x
    EXPECT_EQ(start.q_moved[1], 0.0);
    EXPECT_EQ(start.q_moved[3], 0.0);
    EXPECT_NEAR(start.v_moved[1], 0.0, 1e-14);
    EXPECT_NEAR(start.v_moved[3], 0.0, 1e-14);
  }
}

// everything at once: unequal masses and stiffnesses, gravity, a moving anchor
const std::string mixed = R"toml(
[parameters]
omega = 2000
[anchors]
hook = ["0.1*sin(3*t)", "0.05*cos(2*t)"]
[points]
a = { mass = 2, at = [0.6, -0.8], velocity = [0.4, 0.3] }
b = { mass = 0.5, at = [1.4, -1.4], velocity = [0.1, -0.3] }
[[rod]]
between = ["hook", "a"]
length = 1
compliance = "1/omega^2"
[[rod]]
between = ["a", "b"]
length = 1
compliance = "3/omega^2"
[[gravity]]
acceleration = [0, -9.81]
)toml";

// largest |λ''| along the true stiff motion, over what the rigid motion has: ringing shows there
double ringing(const CompiledModel& model, const State& start) {
  Motion motion;
  const double until = 0.02;
  const Summary run = integrate(springs(model.system), start, DormandPrince853{{.tol = 1e-12}},
                                {.until = until, .every = until / 400}, motion);
  EXPECT_TRUE(run.good()) << run.message;
  double roughest = 0.0, size = 0.0;
  for (std::size_t i = 2; i < motion.rows(); ++i)
    for (std::size_t r = 0; r < 2; ++r) {
      const auto at = [&](std::size_t n) { return motion.lambda[2 * n + r]; };
      roughest = std::max(roughest, std::abs(at(i) - 2 * at(i - 1) + at(i - 2)));
      size = std::max(size, std::abs(at(i)));
    }
  return roughest / size;
}

TEST(SlowStart, EveryWaySilencesAMovingPendulumOfTwoStiffnesses) {
  const CompiledModel model = from_toml(mixed);
  const double before = ringing(model, consistent_start(model.system, model.given).state);
  EXPECT_GT(before, 1e-3);
  for (const SlowVia via : {SlowVia::expansion, SlowVia::newton, SlowVia::filter}) {
    const SlowStart start = slow_start(model.system, model.given, {.via = via});
    ASSERT_EQ(start.status, Status::ok) << name(via) << ": " << start.reason;
    EXPECT_LE(ringing(model, start.state), 1e-3 * before) << name(via);
  }
}

TEST(SlowStart, NamesASlowFrequencyInsideTheBand) {
  const CompiledModel model = from_toml(mixed);
  const SlowStart start =
      slow_start(model.system, model.given, {.via = SlowVia::filter, .band = Band{2, 4000}});
  EXPECT_EQ(start.status, Status::not_supported);
  EXPECT_NE(start.reason.find("contains a slow vibration"), std::string::npos) << start.reason;
  EXPECT_EQ(start.state.q, model.given.q);
}

TEST(SlowStart, NamesVibrationsThatABandLeavesOut) {
  for (const Band band : {Band{1e4, 1e5}, Band{100, 200}, Band{900, 1700}, Band{500, 1000}}) {
    const SlowStart start = slow_start(double_pendulum(1e3), constrained_start(), {.band = band});
    EXPECT_EQ(start.via, SlowVia::filter);
    EXPECT_EQ(start.status, Status::not_supported) << band.lowest;
    EXPECT_NE(start.reason.find("leaves out"), std::string::npos) << start.reason;
  }
}

TEST(SlowStart, ByTheFilterLeavesASlowPointWhereItIs) {
  const SlowStart first = by(SlowVia::filter, 1000, constrained_start());
  const SlowStart second = by(SlowVia::filter, 1000, first.state);
  ASSERT_EQ(second.status, Status::ok) << second.reason;
  EXPECT_LE(second.q_moved.norm(), 1e-13);
  EXPECT_LE(second.v_moved.norm(), 1e-11);
}

// released horizontally: the rod carries nothing at the start, and its load grows with t²
TEST(SlowStart, IsFoundWhereAConstraintCarriesNothingByChance) {
  const std::string horizontal = R"toml(
[parameters]
omega = 1000
[points]
bob = { mass = 1, at = [1, 0] }
[[constraint]]
zero = "hypot(bob.x, bob.y) - 1"
compliance = "1/omega^2"
[[gravity]]
acceleration = [0, -1]
)toml";
  for (const double omega : {20.0, 100.0, 1000.0}) {
    const CompiledModel model = from_toml(horizontal, {{"omega", omega}});
    for (const SlowVia via : {SlowVia::expansion, SlowVia::newton}) {
      if (via == SlowVia::newton && omega < 100) continue;  // it needs vibrations faster than that
      const SlowStart start = slow_start(model.system, model.given, {.via = via});
      ASSERT_EQ(start.status, Status::ok) << omega << ": " << start.reason;
      // λ = 3 g sin(angle) grows as 3/2 t²: g = C λ - C² λ'' + ... = -3/omega⁴
      const double scale = std::pow(omega, 4);
      EXPECT_NEAR((start.state.q[0] - 1.0) * scale, -3.0, 0.2 + scale * start.uncertainty)
          << omega << ' ' << name(via);
    }
  }
}

TEST(SlowStart, ByNewtonIsRefusedWhereRoundingWouldBeMagnified) {
  std::string chain = "[points]\n";
  for (int k = 1; k <= 60; ++k)
    chain += "p" + std::to_string(k) + " = { mass = 1, at = [" + std::to_string(k) + ", 0] }\n";
  for (int k = 1; k <= 60; ++k)
    chain += "[[rod]]\nbetween = [\"" +
             (k == 1 ? std::string{"origin"} : "p" + std::to_string(k - 1)) + "\", \"p" +
             std::to_string(k) + "\"]\nlength = 1\ncompliance = 1e-10\n";
  const CompiledModel model = from_toml(chain + "[[gravity]]\nacceleration = [0, -1]\n");
  const SlowStart newton = slow_start(model.system, model.given, {.via = SlowVia::newton});
  EXPECT_EQ(newton.status, Status::not_supported);
  EXPECT_NE(newton.reason.find("magnify"), std::string::npos) << newton.reason;
}

TEST(SlowStart, DoesNotCallAStiffPotentialBesideARigidRodSlow) {
  const CompiledModel model = from_toml(R"toml(
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [2, 0], velocity = [0, 1] }
[[rod]]
between = ["origin", "a"]
length = 1
[[spring]]
between = ["a", "b"]
length = 1
stiffness = 1e6
[[gravity]]
acceleration = [0, -1]
)toml");
  const SlowStart start = slow_start(model.system, model.given);
  EXPECT_EQ(start.status, Status::not_supported);
  EXPECT_NE(start.reason.find("potential beside rigid"), std::string::npos) << start.reason;
}

const std::string stiff_potential = R"toml(
[parameters]
k = 1e8
[points]
bob = { mass = 1, at = [1, 0], velocity = [0, 0.5] }
[[potential]]
energy = "k/2*(hypot(bob.x, bob.y) - 1)^2 + bob.y"
)toml";

TEST(SlowStart, OfAStiffPotentialIsFoundByTheFilter) {
  const CompiledModel model = from_toml(stiff_potential);
  const SlowStart start = slow_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  EXPECT_EQ(start.via, SlowVia::filter);
  EXPECT_GT(start.band.lowest, 5e3);
  EXPECT_LT(start.band.highest, 2e4);
  // radial balance of the rigid motion: k (r - 1) = v²/r - cos, to the next order in 1/k
  const double r = std::hypot(start.state.q[0], start.state.q[1]);
  EXPECT_NEAR(1e8 * (r - 1), 0.25, 1e-5);
}

TEST(SlowStart, KeepsAStartWhereNothingIsFast) {
  const CompiledModel soft = from_toml(stiff_potential, {{"k", 1.0}});
  const SlowStart start = slow_start(soft.system, soft.given);
  EXPECT_EQ(start.status, Status::ok);
  EXPECT_EQ(start.state.q, soft.given.q);
  EXPECT_NE(start.reason.find("kept"), std::string::npos) << start.reason;
  const SlowStart forced = slow_start(soft.system, soft.given, {.via = SlowVia::filter});
  EXPECT_EQ(forced.status, Status::not_supported);
  EXPECT_NE(forced.reason.find("gap"), std::string::npos) << forced.reason;
}

TEST(SlowStart, RefusesInWords) {
  const State given = constrained_start();
  const SlowStart slow = by(SlowVia::expansion, 1.0, given);
  EXPECT_EQ(slow.status, Status::not_supported);
  EXPECT_NE(slow.reason.find("not fast"), std::string::npos) << slow.reason;
  EXPECT_EQ(slow.state.q, given.q);

  const System rigid_rods = rigid(double_pendulum(1e3));
  const SlowStart newton = slow_start(rigid_rods, given, {.via = SlowVia::newton});
  EXPECT_EQ(newton.status, Status::not_supported);
  EXPECT_NE(newton.reason.find("compliant"), std::string::npos) << newton.reason;

  const SlowStart nothing = slow_start(rigid_rods, given);
  EXPECT_EQ(nothing.status, Status::ok);
  EXPECT_NE(nothing.reason.find("no constraint is compliant"), std::string::npos);

  // twice the highest frequency is asked for: the micro-steps are too long for what is there
  const SlowStart unstable =
      slow_start(double_pendulum(1e3), given, {.via = SlowVia::filter, .band = Band{300, 700}});
  EXPECT_NE(unstable.status, Status::ok);
  EXPECT_FALSE(unstable.reason.empty());
  EXPECT_EQ(unstable.state.q, given.q);
}

}  // namespace
}  // namespace taut::test
