// SPDX-License-Identifier: BSD-3-Clause
// Steps that are too long are noticed and named; motion that only looks wild is left alone.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "methods/gauss_newton.hpp"
#include "methods/langevin.hpp"
#include "methods/rattle.hpp"
#include "methods/rk4.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "models.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

Summary ended(const Example& example, Method method, double step, double until) {
  Motion motion;
  RunOptions options;
  options.step = step;
  options.until = until;
  Summary summary = integrate(example.system, example.start, std::move(method), options, motion);
  // everything computed is there and can be read
  EXPECT_GE(motion.rows(), 1u);
  EXPECT_EQ(motion.t.back(), summary.state.t);
  EXPECT_TRUE(summary.state.q.allFinite() && summary.state.v.allFinite());
  return summary;
}

/// The step that a hint names first.
double step_in(const std::string& hint, const std::string& after) {
  const std::size_t at = hint.find(after);
  return at == std::string::npos ? 0.0 : std::stod(hint.substr(at + after.size()));
}

/// A stiff pendulum, vibrating along its rod with about 1000 rad/s.
const char* const stiff = R"toml(
name = "stiff pendulum"
[points]
a = { mass = 1, at = [1.001, 0] }
[[rod]]
between = ["origin", "a"]
length = 1
compliance = 1e-6
[[gravity]]
acceleration = [0, -9.81]
)toml";

TEST(BlowUp, OfVerletIsNamedWithTheLargestStableStep) {
  const Summary bad = ended(example(stiff), Verlet{}, 3e-3, 10.0);
  EXPECT_EQ(bad.status, Status::unstable);
  EXPECT_LT(bad.state.t, 1.0);
  EXPECT_NE(bad.message.find("beyond all bounds at t ="), std::string::npos) << bad.message;
  EXPECT_NEAR(step_in(bad.hint, "take steps below "), 2e-3, 0.1e-3) << bad.hint;
  EXPECT_EQ(ended(example(stiff), Verlet{}, 1.8e-3, 10.0).status, Status::ok);
}

TEST(BlowUp, OfAStiffChainIsNamed) {
  const Example chain = example(R"toml(
name = "chain"
[[chain]]
links = 20
length = 0.05
mass = 0.05
direction = [1, 0]
compliance = 1e-6
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const Summary bad = ended(chain, Verlet{}, 3.5e-4, 5.0);
  EXPECT_EQ(bad.status, Status::unstable);
  const double limit = step_in(bad.hint, "take steps below ");
  // sqrt(m C), the fastest wave of the chain, with a few per cent for the estimate
  EXPECT_NEAR(limit, std::sqrt(0.05 * 1e-6), 0.06 * limit) << bad.hint;
  EXPECT_EQ(ended(chain, Verlet{}, 0.9 * limit, 0.5).status, Status::ok);
}

/// The printed sign of gravity in section 4.1 of Tao and Owhadi: from above, violent.
const char* const falling_pendulum = R"toml(
name = "double pendulum"
[points]
b1 = { mass = 1, at = [0, -1] }
b2 = { mass = 1, at = [1, -2] }
[[rod]]
between = ["origin", "b1"]
[[rod]]
between = ["b1", "b2"]
[[gravity]]
acceleration = [0, 1]
)toml";

TEST(BlowUp, OfGaussNewtonIsReported) {
  const Summary bad = ended(example(falling_pendulum), GaussNewton{}, 0.1, 5000.0);
  EXPECT_EQ(bad.status, Status::unstable) << bad.message;
  EXPECT_NE(bad.hint.find("step was 0.1"), std::string::npos) << bad.hint;
}

/// The double pendulum of the reference with its rods as squares, let go at rest.
Example squares(double omega, const std::string& a, const std::string& b) {
  return example("name = \"squares\"\n[parameters]\nomega = " + std::to_string(omega) +
                 "\n[points]\na = { mass = 1, at = " + a + " }\nb = { mass = 1, at = " + b +
                 R"toml( }
[[constraint]]
zero = "a.x^2 + a.y^2 - 1"
compliance = "1/omega^2"
[[constraint]]
zero = "(a.x - b.x)^2 + (a.y - b.y)^2 - 2"
compliance = "1/omega^2"
[[gravity]]
acceleration = [0, -1]
)toml");
}

/// With compliant rows as equations.
Example as_equations(Example e) {
  e.system = equations(e.system);
  return e;
}

TEST(BlowUp, OfGaussNewtonOnCompliantRodsIsReported) {
  const Example falling = as_equations(squares(30, "[1, 0]", "[2, 1]"));
  const Summary bad = ended(falling, GaussNewton{}, 0.1, 5000.0);
  EXPECT_EQ(bad.status, Status::unstable) << bad.message;
  EXPECT_LT(bad.state.q.lpNorm<Eigen::Infinity>(), 1e9);
  EXPECT_NE(bad.hint.find("step was 0.1"), std::string::npos) << bad.hint;
  const Summary warm =
      ended(falling, Langevin{GaussNewton{}, {.temperature = 1e-3, .friction = 1e-6}}, 0.1, 5000.0);
  EXPECT_EQ(warm.status, Status::unstable) << warm.message;
}

TEST(BlowUp, InAHeatBathIsNamedWithTheLargestStableStep) {
  // squares again: each step cubes what is too large, and overflow is five steps away
  const Example e = example(R"toml(
name = "square"
[points]
p = { mass = 1, at = [1.001, 0] }
[[constraint]]
zero = "p.x^2 + p.y^2 - 1"
compliance = 4e-4
)toml");
  const auto warm = [&](double h) {
    return ended(e, Langevin{Verlet{}, {.temperature = 0.6, .friction = 1.0}}, h, 20.0);
  };
  const Summary bad = warm(0.1);
  EXPECT_EQ(bad.status, Status::unstable) << bad.message;
  EXPECT_NEAR(step_in(bad.hint, "take steps below "), 0.02, 1e-3) << bad.hint;
  EXPECT_EQ(warm(0.01).status, Status::ok);
}

TEST(BlowUp, IsNotSeenInAHeatBathThatOnlyWarms) {
  const Example gas = example(R"toml(
name = "gas"
[points]
a = { mass = 1, at = [1, 0], velocity = [1e-9, 0] }
b = { mass = 1, at = [2, 0] }
)toml");
  for (const double friction : {1e-7, 1.0}) {
    Langevin bath{Verlet{}, {.temperature = 1e6, .friction = friction}};
    EXPECT_EQ(ended(gas, std::move(bath), 0.01, 200.0).status, Status::ok) << friction;
  }
}

// a start at rest is slow at first, and these keep energy badly, but in bounds
TEST(BlowUp, IsNotSeenInMotionThatStaysInBounds) {
  const Example e = squares(300, "[0, -1]", "[1, -2]");
  for (const Summary& s : {ended(e, make_method("zhang-skeel-simplified").value(), 0.1, 1000.0),
                           ended(e, make_method("midpoint").value(), 0.1, 25.0)}) {
    EXPECT_EQ(s.status, Status::ok) << s.method << ": " << s.message;
    EXPECT_GT(s.energy_error.value(), 0.02) << s.method;  // badly
    EXPECT_LT(s.energy_error.value() * s.energy_scale, std::abs(s.energy_start)) << s.method;
  }
}

TEST(BlowUp, AMethodThatRefusesToStartIsAskedForNothing) {
  const Example e = as_equations(squares(30, "[0, -1]", "[1, -2]"));
  const GaussNewton refusing{GaussNewtonOptions{.beta = 0.2}};
  const Summary alone = ended(e, refusing, 0.1, 1.0);
  const Summary bath =
      ended(e, Langevin{refusing, {.temperature = 0.1, .friction = 1.0}}, 0.1, 1.0);
  for (const Summary& s : {alone, bath}) {
    EXPECT_EQ(s.status, Status::not_supported);
    EXPECT_NE(s.message.find("beta = 0.2"), std::string::npos) << s.message;
  }
  GaussNewton direct{refusing};
  Vec a, lambda;
  EXPECT_EQ(direct.multipliers(e.system, e.start.state, a, lambda), Status::not_supported);
}

TEST(BlowUp, FailedProjectionsNameAStepToo) {
  const Summary shake = ended(example(falling_pendulum), Shake{}, 1.5, 2000.0);
  const Summary rattle = ended(example(falling_pendulum), Rattle{}, 1.5, 2000.0);
  for (const Summary& bad : {shake, rattle}) {
    EXPECT_FALSE(bad.good()) << bad.method;
    EXPECT_NE(bad.hint.find("step was 1.5"), std::string::npos) << bad.method << ": " << bad.hint;
  }
}

TEST(BlowUp, IsNotSeenInLegitimateMotion) {
  // falls for ever
  EXPECT_EQ(ended(example(R"toml(
name = "fall"
[points]
a = { mass = 1, at = [0, 0] }
[[gravity]]
acceleration = [0, -9.81]
)toml"),
                  Verlet{}, 0.1, 1e5)
                .status,
            Status::ok);
  // leaves an unstable equilibrium, twelve powers of ten faster at the end
  EXPECT_EQ(ended(example(R"toml(
name = "top"
[coordinates]
q = { mass = 1, at = 1e-13 }
[[potential]]
energy = "10*cos(q)"
)toml"),
                  Verlet{}, 0.05, 100.0)
                .status,
            Status::ok);
  // driven in resonance
  EXPECT_EQ(ended(example(R"toml(
name = "resonance"
[coordinates]
q = { mass = 1, at = 0 }
[[force]]
on = "q"
value = "cos(t) - q"
)toml"),
                  Verlet{}, 0.1, 1e4)
                .status,
            Status::ok);
  // grows by itself
  EXPECT_EQ(ended(example(R"toml(
name = "growth"
[coordinates]
q = { mass = 1, at = 1e-9 }
[[force]]
on = "q"
value = "q + 0*t"
)toml"),
                  Rk4{}, 0.05, 50.0)
                .status,
            Status::ok);
  // leaves an equilibrium in a field that changes with time, less than ten steps for a factor 10
  EXPECT_EQ(ended(example(R"toml(
name = "growth of a driven top"
[coordinates]
q = { mass = 1, at = 1e-13 }
[[force]]
on = "q"
value = "(20 + sin(t))*sin(q)"
)toml"),
                  Verlet{}, 0.05, 20.0)
                .status,
            Status::ok);
  // a hard blow on something at rest
  EXPECT_EQ(ended(example(R"toml(
name = "blow"
[coordinates]
q = { mass = 1, at = 0 }
[[force]]
on = "q"
value = "1e9*exp(-((t - 1)/0.01)^2)"
)toml"),
                  Verlet{}, 0.001, 3.0)
                .status,
            Status::ok);
}

TEST(BlowUp, IsSeenWhereEnergyIsNotKept) {
  const Summary bad = ended(example(R"toml(
name = "driven spring"
[coordinates]
q = { mass = 1, at = 0 }
[[force]]
on = "q"
value = "sin(t) - 1e4*q"
)toml"),
                            Verlet{}, 0.025, 100.0);
  EXPECT_EQ(bad.status, Status::unstable);
  EXPECT_NEAR(step_in(bad.hint, "take steps below "), 0.02, 1e-3) << bad.hint;
}

// a load that grows from nothing is quick, too, and h times the fastest rate is 14
TEST(BlowUp, IsNotSeenByImplicitMethodsUnderAGrowingLoad) {
  const Example ramp = example(R"toml(
name = "ramp"
[coordinates]
x = { mass = 1 }
y = { mass = 1 }
[[potential]]
energy = "1e4*(x - y)^2/2"
[[force]]
on = "x"
value = "t^6"
)toml");
  for (const char* name : {"zhang-skeel", "newmark", "push-forward-newmark", "midpoint"}) {
    const Summary good = ended(ramp, *make_method(name), 0.1, 5.0);
    EXPECT_EQ(good.status, Status::ok) << name << ": " << good.message;
  }
}

// the state of the watch: what was seen before the interruption counts
TEST(BlowUp, IsSeenAtTheSameStepByARunThatWasInterrupted) {
  const Example driven = example(R"toml(
name = "driven"
[coordinates]
x = { mass = 1, at = 1e-3 }
[[potential]]
energy = "441*x^2/2"
[[force]]
on = "x"
value = "1e-3*cos(t)"
)toml");
  const Summary whole = ended(driven, Verlet{}, 0.1, 50.0);
  ASSERT_EQ(whole.status, Status::unstable);

  RunOptions options;
  options.step = 0.1;
  options.until = 50.0;
  options.checkpoint.file = ::testing::TempDir() + "taut_blow_up.checkpoint";
  options.checkpoint.seconds = 0.0;
  Summary part;
  for (int pieces = 1; pieces < 1000; ++pieces) {
    Motion motion;
    options.max_steps = 5 * pieces;
    part = integrate(driven.system, driven.start, Verlet{}, options, motion);
    if (part.status != Status::step_limit) break;
    CheckpointFound found = find_checkpoint(options.checkpoint.file, options.checkpoint.identity);
    ASSERT_TRUE(found.content);
    options.checkpoint.resume = std::move(*found.content);
  }
  EXPECT_EQ(part.status, Status::unstable);
  EXPECT_EQ(part.state.t, whole.state.t);
}

TEST(BlowUp, AFormulaThatIsNotANumberIsStillNamed) {
  const Summary bad = ended(example(R"toml(
name = "wall"
[coordinates]
q = { mass = 1, at = 1, velocity = -1 }
[[potential]]
name = "wall"
energy = "sqrt(q)"
)toml"),
                            Verlet{}, 0.01, 10.0);
  EXPECT_EQ(bad.status, Status::non_finite);
  EXPECT_NE(bad.message.find(": wall"), std::string::npos) << bad.message;
}

}  // namespace
}  // namespace taut::test
