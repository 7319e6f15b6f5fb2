// SPDX-License-Identifier: BSD-3-Clause
// Steps that are too long are noticed and named; motion that only looks wild is left alone.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models.hpp"
#include "taut/methods/gauss_newton.hpp"
#include "taut/methods/rattle.hpp"
#include "taut/methods/rk4.hpp"
#include "taut/methods/shake.hpp"
#include "taut/methods/verlet.hpp"
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
