// SPDX-License-Identifier: BSD-3-Clause
#include "taut/readings/readings.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace taut::test {
namespace {

// one stiff rod, one rigid rod, a moving anchor, gravity
constexpr const char* mixed = R"toml(
[anchors]
hook = ["0.1*sin(t)", 0]
[points]
a = { mass = 1.5, at = [0.8, -0.5], velocity = [0.1, 0.2] }
b = { mass = 0.5, at = [1.5, -0.9], velocity = [-0.3, 0.4] }
[[rod]]
between = ["hook", "a"]
length = 1
compliance = 0.04
[[rod]]
between = ["a", "b"]
length = 0.8
[[gravity]]
acceleration = [0, -9.81]
)toml";

class Readings : public testing::Test {
 protected:
  Evaluation evaluate(const System& system, Needs wanted, const Vec* lambda = nullptr) {
    Evaluation out;
    system.prepare(out);
    EXPECT_EQ(
        system.evaluate(wanted, {.t = 0.3, .q = q_, .v = v_, .a = &a_, .lambda = lambda}, out),
        Status::ok);
    return out;
  }
  CompiledModel model_ = compile_text(mixed);
  Vec q_ = model_.given.q, v_ = model_.given.v, a_ = random_vector(4, 7);
};

TEST_F(Readings, SpringsTurnsOnlyCompliantRowsIntoForces) {
  const System system = springs(model_.system);
  ASSERT_EQ(system.nc(), 1);
  EXPECT_EQ(system.structure().rows[0].equation, -1);
  EXPECT_EQ(system.structure().rows[1].equation, 0);
  const auto base = evaluate(model_.system,
                             needs(Target::force, Target::constraint, Target::constraint_jacobian));
  const auto out = evaluate(system, needs(Target::force, Target::constraint,
                                          Target::constraint_jacobian, Target::potential_energy));
  const Vec truth = base.f - Mat(base.G).row(0).transpose() * base.g[0] / 0.04;
  EXPECT_LE((out.f - truth).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(out.g[0], base.g[1]);
  EXPECT_EQ(Mat(out.G).row(0), Mat(base.G).row(1));
}

TEST_F(Readings, PenalizedForceIsTheGradientOfItsEnergy) {
  const System system = penalized(model_.system, 12.0);
  ASSERT_EQ(system.nc(), 0);
  const Vec q = q_;
  const Mat gradient = differences(
      [&](const Vec& x) {
        q_ = x;
        return one(evaluate(system, need(Target::potential_energy)).potential_energy);
      },
      q);
  q_ = q;
  const auto out = evaluate(system, need(Target::force));
  EXPECT_LE((out.f + gradient.transpose()).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_F(Readings, StiffnessIsTheDerivativeOfTheForceOnEveryReading) {
  for (const System& system :
       {springs(model_.system), penalized(model_.system, 12.0), rigid(model_.system)}) {
    const Vec lambda = random_vector(system.nc(), 5);
    const Vec q = q_;
    const Mat truth = differences(
        [&](const Vec& x) {
          q_ = x;
          const auto out =
              evaluate(system, needs(Target::force, Target::constraint_jacobian), &lambda);
          Vec r = -out.f;
          if (system.nc() > 0) r += out.G.transpose() * lambda;
          return r;
        },
        q);
    q_ = q;
    const auto out = evaluate(system, need(Target::stiffness), &lambda);
    EXPECT_LE((Mat(out.K) - truth).cwiseAbs().maxCoeff(), 1e-8 * truth.cwiseAbs().maxCoeff());
  }
}

TEST_F(Readings, MultipliersOfAllRowsAreReported) {
  const System system = springs(model_.system);
  Evaluation out;
  system.prepare(out);
  Vec all;
  ASSERT_EQ(system.multipliers({.t = 0.3, .q = q_, .v = v_}, one(7.5), out, all), Status::ok);
  const auto base = evaluate(model_.system, need(Target::constraint));
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0], base.g[0] / 0.04);
  EXPECT_EQ(all[1], 7.5);
}

TEST_F(Readings, RigidMakesEveryRowAnEquationAndReadingsDoNotPileUp) {
  const System system = rigid(penalized(springs(model_.system), 3.0));
  EXPECT_EQ(system.nc(), 2);
  EXPECT_EQ(system.structure().C, Vec::Zero(2));
}

}  // namespace
}  // namespace taut::test
