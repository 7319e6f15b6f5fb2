// SPDX-License-Identifier: BSD-3-Clause
// Runs of the stiff motion that are pulled back onto the slow manifold.
#include <gtest/gtest.h>

#include <vector>

#include "methods/dormand_prince.hpp"
#include "methods/verlet.hpp"
#include "readings/readings.hpp"
#include "slow/normal_energy.hpp"
#include "slow_manifolds/problem.hpp"
#include "taut/run/integrate.hpp"
#include "taut/slow/slow_start.hpp"

namespace taut::test {
namespace {

using namespace papers::slow_manifolds;

class RunProjection : public testing::Test {
 protected:
  RunOptions options() {
    RunOptions o;
    o.until = 1.0;
    o.projection.onto = [this](State& state, std::int64_t& evaluations) {
      times_.push_back(state.t);
      SlowStart start = slow_start(system_, state);
      evaluations += start.force_evaluations;
      if (start.status == Status::ok) state = start.state;
      return start.status;
    };
    return o;
  }
  double vibration(const State& state) const {
    NormalEnergy v;
    EXPECT_EQ(v.start(system_), Status::ok);
    EXPECT_EQ(v(system_, state), Status::ok);
    return v.energy() / v.stretch();
  }
  Summary run(Method method, const RunOptions& o) const {
    Motion motion;
    return integrate(springs(system_), constrained_start(), std::move(method), o, motion);
  }

  System system_ = double_pendulum(500);
  std::vector<double> times_;
};

TEST_F(RunProjection, HappensAtTheTimesAskedForAndNotAtTheEnd) {
  RunOptions o = options();
  o.projection.every = 0.25;
  const Summary summary = run(DormandPrince853{{.tol = 1e-8}}, o);
  ASSERT_TRUE(summary.good()) << summary.message;
  EXPECT_EQ(times_, (std::vector{0.25, 0.5, 0.75}));
  EXPECT_EQ(summary.projections, 3);
  EXPECT_GE(summary.projection_evaluations, 3 * 10);
  EXPECT_EQ(summary.state.t, 1.0);
  EXPECT_LE(vibration(summary.state), 1e-2);
  EXPECT_GT(vibration(run(DormandPrince853{{.tol = 1e-8}}, {.until = 1.0}).state), 0.5);
}

TEST_F(RunProjection, WithConstantStepsHappensAtTheFirstStepAfter) {
  RunOptions o = options();
  o.step = 3e-4;
  o.projection.every = 0.3;
  const Summary summary = run(Verlet{}, o);
  ASSERT_TRUE(summary.good()) << summary.message;
  ASSERT_EQ(times_.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const double asked = 0.3 * static_cast<double>(k + 1);
    EXPECT_GE(times_[k], asked - 1e-12);
    EXPECT_LE(times_[k], asked + 3e-4);
  }
  EXPECT_LE(vibration(summary.state), 1e-2);
}

TEST_F(RunProjection, HappensWhenTheVibrationExceedsItsBound) {
  RunOptions o = options();
  o.projection.vibration = 0.1;
  const Summary summary = run(DormandPrince853{{.tol = 1e-8}}, o);
  ASSERT_TRUE(summary.good()) << summary.message;
  // the start rings, nothing afterwards
  ASSERT_EQ(times_.size(), 1u);
  EXPECT_LT(times_[0], 0.01);
  EXPECT_LE(vibration(summary.state), 0.1);
}

TEST_F(RunProjection, ThatFailsEndsTheRunWithWhatWasComputed) {
  RunOptions o = options();
  o.projection.every = 0.5;
  o.projection.onto = [](State&, std::int64_t&) { return Status::projection_diverged; };
  Motion motion;
  const Summary summary =
      integrate(springs(system_), constrained_start(), DormandPrince853{{.tol = 1e-8}}, o, motion);
  EXPECT_EQ(summary.status, Status::projection_diverged);
  EXPECT_EQ(summary.state.t, 0.5);
  EXPECT_EQ(motion.t.back(), 0.5);
}

}  // namespace
}  // namespace taut::test
