// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "gallery.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;

double longest_step(const std::vector<double>& places) {
  double most = 0.0;
  for (std::size_t i = 1; i < places.size(); ++i) most = std::max(most, places[i] - places[i - 1]);
  return most;
}

constexpr double rounding = 1e-8;

// a push of 0.02 s in a run of 10 s, behind a long rest: whoever looks only where the motion asks
// for it misses it
Model push() {
  Problems problems;
  Model model = read_model(R"toml(
[parameters]
w = 0.02
[coordinates]
x = { mass = 1 }
[[force]]
on    = "x"
value = "select(less(abs(t - 5), w/2), 1/w, 0)"
[run]
until = 10
max_step = "w/4"
)toml",
                           problems);
  problems.throw_if_any();
  return model;
}

TEST(MaxStep, HoldsForEveryMethodThatChoosesItsSteps) {
  const Model model = gallery("double_pendulum");
  for (const MethodInfo& method : all_methods()) {
    if (!method.adaptive) continue;
    SCOPED_TRACE(method.name);
    const Result run = simulate(
        model, {.until = 1, .method = std::string{method.name}, .tol = 1e-3, .max_step = "1/100"});
    ASSERT_TRUE(run.good()) << run.summary.message;
    EXPECT_LE(longest_step(run.motion.t), 0.01 * (1 + rounding));
    EXPECT_EQ(run.motion.t.back(), 1.0);
    // the same bound when the run is taken again
    EXPECT_EQ(run.at(0.505)["t"], 0.505);
  }
}

TEST(MaxStep, BoundsTheStepsThatAreChosenForMethodsOfConstantSteps) {
  const Model model = gallery("double_pendulum");
  const Plan made = plan(model, {.until = 1, .method = "rattle", .max_step = 1e-5});
  EXPECT_EQ(made.run.step, 1e-5);
  EXPECT_THAT(made.notes.back().text(), HasSubstr(".max_step"));
  EXPECT_THROW((void)plan(model, {.until = 1, .method = "rattle", .step = 0.1, .max_step = 0.01}),
               ModelError);
  EXPECT_EQ(plan(model, {.until = 1, .method = "rattle", .step = 0.01, .max_step = 0.1}).run.step,
            0.01);
}

TEST(MaxStep, StandsInTheModelToo) {
  EXPECT_NEAR(simulate(push()).motion.v.back(), 1.0, 1e-6);
  const Result run = simulate(push(), {.until = 6});
  ASSERT_TRUE(run.good()) << run.summary.message;
  EXPECT_LE(longest_step(run.motion.t), 0.005 * (1 + rounding));
  const Result wider = simulate(push(), {.set = {{"w", 0.04}}, .until = 6});
  EXPECT_LE(longest_step(wider.motion.t), 0.01 * (1 + rounding));
  EXPECT_GT(longest_step(wider.motion.t), 0.009);
  EXPECT_EQ(plan(push(), {.max_step = 0.1}).run.max_step, 0.1);
  EXPECT_THROW((void)plan(push(), {.max_step = 0.0}), ModelError);
  EXPECT_THROW((void)plan(push(), {.max_step = "0/0"}), ModelError);
}

TEST(MaxStep, IsPartOfWhatTheBitsDependOn) {
  EXPECT_NE(plan(push()).identity(), plan(push(), {.max_step = 0.1}).identity());
}

TEST(MaxStep, BoundsStepsAlongCurves) {
  const Model model = gallery("pendulum_dae");
  const Result bound = simulate(model, {.tol = 1e-3, .max_step = 0.02});
  ASSERT_TRUE(bound.curve && bound.curve->summary.good());
  EXPECT_LE(longest_step(bound.curve->motion.s), 0.02 * (1 + rounding));
  const Result in_x = simulate(
      model, {.tol = 1e-3, .max_step = 0.02, .curve = {.parameter = Parametrisation::time}});
  ASSERT_TRUE(in_x.curve && in_x.curve->summary.good());
  const CurveMotion& motion = in_x.curve->motion;
  std::vector<double> x;
  for (std::size_t row = 0; row < motion.s.size(); ++row)
    x.push_back(motion.p[row * motion.coordinates.size()]);
  EXPECT_LE(longest_step(x), 0.02 * (1 + rounding));
}

}  // namespace
}  // namespace taut
