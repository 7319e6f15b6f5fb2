// SPDX-License-Identifier: BSD-3-Clause
#include "slow/slow_reading.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "from_toml.hpp"
#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "slow/slow_flow.hpp"
#include "slow_manifolds/problem.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

using namespace papers::slow_manifolds;

State end_of(const System& system, const State& start, double until, double tol) {
  Motion motion;
  const Summary summary =
      integrate(system, start, DormandPrince853{{.tol = tol}}, {.until = until}, motion);
  EXPECT_TRUE(summary.good()) << summary.message;
  return summary.state;
}

TEST(SlowReading, OfEitherKindFollowsTheStiffMotionFromItsSlowStart) {
  const System system = double_pendulum(1000);
  struct Kind {
    SlowVia via;
    double allowed;
  };
  for (const auto [via, allowed] : {Kind{SlowVia::expansion, 1e-9}, Kind{SlowVia::filter, 1e-8}}) {
    const SlowStart start = slow_start(system, constrained_start(), {.via = via});
    ASSERT_EQ(start.status, Status::ok) << start.reason;
    const SlowReading reading = slow(system, start.state, {.via = via});
    ASSERT_EQ(reading.status, Status::ok) << reading.reason;
    const State truth = end_of(springs(system), start.state, 1.0, 1e-12);
    const State slowly = end_of(reading.system, start.state, 1.0, 1e-10);
    EXPECT_LE((slowly.q - truth.q).norm(), allowed) << name(via);
    EXPECT_LE((slowly.v - truth.v).norm(), allowed) << name(via);
    EXPECT_GT(reading.system.hidden_evaluations(), 100);
  }
}

TEST(SlowReading, OfALargeOmegaIsTheRigidMotion) {
  const System system = double_pendulum(1);
  const State start = constrained_start();
  const State rigid_end = end_of(rigid(system), start, 5.0, 1e-11);
  double last = 1.0;
  for (const double omega : {1e2, 1e3, 1e4}) {
    const System stiff = equations(penalized(system, omega));
    const SlowStart slow_point = slow_start(stiff, start);
    ASSERT_EQ(slow_point.status, Status::ok) << slow_point.reason;
    const SlowReading reading = slow(stiff, slow_point.state);
    ASSERT_EQ(reading.status, Status::ok) << reading.reason;
    const double off =
        (end_of(reading.system, slow_point.state, 5.0, 1e-11).q - rigid_end.q).norm();
    EXPECT_LE(off, 0.02 * last) << omega;  // falls with omega^-2
    last = off;
  }
  const SlowReading exact = slow(rigid(system), start);
  ASSERT_EQ(exact.status, Status::ok) << exact.reason;
  EXPECT_LE((end_of(exact.system, start, 5.0, 1e-11).q - rigid_end.q).norm(), 1e-9);
}

// two soft rods on a moving anchor, in a motion that becomes fast beside them
TEST(SlowReading, EndsWhereVibrationsAreNoLongerFast) {
  const CompiledModel model = from_toml(R"toml(
[parameters]
omega = 30
[anchors]
top = ["0.1*sin(3*t)", "0.1*cos(2*t)"]
[points]
a = { mass = 1, at = [1, 0], velocity = [0, 0.3] }
b = { mass = 2, at = [2, 0.1], velocity = [0, 0.3] }
[[rod]]
between = ["top", "a"]
length = 1
compliance = "1/omega^2"
[[rod]]
between = ["a", "b"]
length = 1
compliance = "1/omega^2"
[[gravity]]
acceleration = [0, -1]
)toml");
  const SlowStart start = slow_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  const SlowReading reading = slow(model.system, start.state);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  Motion motion;
  const Summary summary = integrate(reading.system, start.state, DormandPrince853{{.tol = 1e-8}},
                                    {.until = 3.0, .max_steps = 2000}, motion);
  EXPECT_EQ(summary.status, Status::not_supported);
  EXPECT_GT(summary.state.t, 0.1);
  EXPECT_LT(summary.state.t, 3.0);
  EXPECT_NE(slow_flow_note(reading.system).text().find("ceased to fall"), std::string::npos);
}

TEST(SlowReading, IsRefusedWithAReason) {
  const SlowReading newton =
      slow(double_pendulum(1000), constrained_start(), {.via = SlowVia::newton});
  EXPECT_EQ(newton.status, Status::not_supported);
  EXPECT_NE(newton.reason.find("expansion"), std::string::npos);
  const SlowReading soft = slow(double_pendulum(1), constrained_start());
  EXPECT_EQ(soft.status, Status::not_supported);
  EXPECT_NE(soft.reason.find("not fast"), std::string::npos) << soft.reason;
}

TEST(SlowReading, IsRefusedByMethodsThatAskForDerivatives) {
  const System system = double_pendulum(1000);
  const SlowReading reading = slow(system, constrained_start());
  ASSERT_EQ(reading.status, Status::ok);
  const std::set<std::string_view> explicit_methods{"dop853", "dopri5", "rk4", "cvode-adams"};
  const std::set<std::string_view> implicit_methods{"radau", "cvode-bdf", "arkode", "ida"};
  for (const MethodInfo& info : all_methods()) {
    const std::string why = fits(info, reading.system.structure()).text();
    if (explicit_methods.contains(info.name)) {
      EXPECT_TRUE(why.empty()) << info.name << ": " << why;
    }
    if (implicit_methods.contains(info.name)) {
      EXPECT_NE(why.find("derivative"), std::string::npos) << info.name << ": " << why;
    }
  }
}

}  // namespace
}  // namespace taut::test
