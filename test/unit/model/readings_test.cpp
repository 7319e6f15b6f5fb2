// SPDX-License-Identifier: BSD-3-Clause
#include "readings/readings.hpp"

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

TEST_F(Readings, ThirdIsTheDerivativeOfTheStiffnessAlongAnAcceleration) {
  for (const System& system :
       {springs(model_.system), penalized(model_.system, 12.0), rigid(model_.system)}) {
    const Vec lambda = random_vector(system.nc(), 5);
    const Vec q = q_;
    const Mat truth = differences(
        [&](const Vec& x) {
          q_ = x;
          return one(a_.dot(evaluate(system, need(Target::stiffness), &lambda).K * a_));
        },
        q);
    q_ = q;
    // beside what else is asked for at the velocities given
    const auto out =
        evaluate(system, needs(Target::third, Target::velocity_jacobian, Target::force), &lambda);
    EXPECT_LE((out.third - truth.transpose()).cwiseAbs().maxCoeff(),
              1e-8 * truth.cwiseAbs().maxCoeff());
    const auto alone = evaluate(system, need(Target::third), &lambda);
    EXPECT_EQ(alone.third, out.third);
    EXPECT_EQ(Mat(evaluate(system, need(Target::velocity_jacobian)).N), Mat(out.N));
  }
}

TEST_F(Readings, ConstraintStiffnessIsThatOfTheEquationsLeft) {
  const Vec lambda = one(2.5), all = (Vec(2) << 0.0, 2.5).finished();
  const Needs both = needs(Target::constraint_stiffness, Target::stiffness);
  const auto out = evaluate(springs(model_.system), both, &lambda);
  const auto base = evaluate(model_.system, need(Target::constraint_stiffness), &all);
  EXPECT_EQ(Mat(out.H), Mat(base.H));
  EXPECT_GT(Mat(out.H).norm(), 1.0);
  EXPECT_EQ(Mat(evaluate(penalized(model_.system, 12.0), both).H), Mat::Zero(4, 4));
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

// two damped rods, one of them moved by its anchor, one rigid rod, a force of the velocity
constexpr const char* damped = R"toml(
[anchors]
hook = ["0.1*sin(t)", 0]
[points]
a = { mass = 1.5, at = [0.8, -0.5], velocity = [0.1, 0.2] }
b = { mass = 0.5, at = [1.5, -0.9], velocity = [-0.3, 0.4] }
[[rod]]
between = ["hook", "a"]
length = 1
compliance = 0.04
damping = 3
[[rod]]
between = ["a", "b"]
length = 0.8
[[constraint]]
name = "bend"
zero = "a.x*b.y - a.y*b.x - 0.1*t^2"
compliance = 0.5
damping = "2*0.7"
[[constraint]]
name = "undamped"
zero = "a.x + b.y"
compliance = 0.3
[[force]]
on = "a"
value = ["-0.3*a.vx*a.vy", 0]
)toml";

class DampedReadings : public Readings {
 protected:
  DampedReadings() { model_ = compile_text(damped); }
};

TEST_F(DampedReadings, RowsHaveTheDampingOfTheirCompliance) {
  const Structure& s = model_.system.structure();
  ASSERT_EQ(s.nc, 4);
  const Vec d = (Vec(4) << 3 * 0.04, 0.0, 1.4 * 0.5, 0.0).finished();
  EXPECT_EQ(s.d, d);
  for (Index r = 0; r < 4; ++r) EXPECT_EQ(s.rows[static_cast<std::size_t>(r)].damping, d[r]);
  EXPECT_FALSE(s.conservative);
  EXPECT_EQ(equations(springs(model_.system)).structure().d, d);
  EXPECT_EQ(rigid(model_.system).structure().d, Vec::Zero(4));
  // what becomes springs: as given in every reading but the rigid one
  for (const System& system : {springs(model_.system), penalized(rigid(model_.system), 5.0)})
    for (Index r = 0; r < 4; ++r)
      EXPECT_EQ(system.structure().rows[static_cast<std::size_t>(r)].damping, d[r]);
  EXPECT_EQ(springs(model_.system).structure().d, Vec::Zero(1));
}

TEST_F(DampedReadings, ForceIsThatOfTheRateOfEachRow) {
  const System system = springs(model_.system);
  ASSERT_EQ(system.nc(), 1);
  EXPECT_TRUE(system.structure().force_uses_velocity);
  EXPECT_TRUE(system.structure().force_uses_time);
  EXPECT_FALSE(system.structure().conservative);
  const auto base = evaluate(model_.system,
                             needs(Target::force, Target::constraint, Target::constraint_jacobian));
  // g' by moving along the velocity in time
  const auto g_after = [&](double dt) -> Vec {
    Evaluation out;
    model_.system.prepare(out);
    const Vec q = q_ + dt * v_;
    EXPECT_EQ(
        model_.system.evaluate(need(Target::constraint), {.t = 0.3 + dt, .q = q, .v = v_}, out),
        Status::ok);
    return out.g;
  };
  const double dt = 1e-5;
  const Vec rate = (g_after(dt) - g_after(-dt)) / (2 * dt);
  const Vec lambda = (Vec(4) << base.g[0] / 0.04 + 3 * rate[0], 0.0,
                      base.g[2] / 0.5 + 1.4 * rate[2], base.g[3] / 0.3)
                         .finished();
  const auto out =
      evaluate(system, needs(Target::force, Target::momentum_force, Target::potential_energy));
  const Vec truth = base.f - base.G.transpose() * lambda;
  EXPECT_LE((out.f - truth).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(out.f, out.momentum_force);
  // the dampers store nothing
  const double stored =
      base.g[0] * base.g[0] / 0.08 + base.g[2] * base.g[2] + base.g[3] * base.g[3] / 0.6;
  EXPECT_NEAR(out.potential_energy, stored, 1e-14);

  Evaluation scratch;
  system.prepare(scratch);
  Vec all;
  ASSERT_EQ(system.multipliers({.t = 0.3, .q = q_, .v = v_}, one(7.5), scratch, all), Status::ok);
  EXPECT_EQ(all[1], 7.5);
  all[1] = 0.0;
  EXPECT_LE((all - lambda).cwiseAbs().maxCoeff(), 1e-8);
}

TEST_F(DampedReadings, StiffnessAndDampingAreTheDerivativesOfTheForce) {
  for (const System& system : {springs(model_.system), penalized(model_.system, 12.0),
                               rigid(model_.system), equations(model_.system)}) {
    const Vec lambda = random_vector(system.nc(), 5);
    const auto residual = [&] {
      const auto out = evaluate(system, needs(Target::force, Target::constraint_jacobian), &lambda);
      Vec r = -out.f;
      if (system.nc() > 0) r += out.G.transpose() * lambda;
      return r;
    };
    const auto derivative = [&](Vec& by) {
      const Vec kept = by;
      const Mat J = differences(
          [&](const Vec& x) {
            by = x;
            return residual();
          },
          kept);
      by = kept;
      return J;
    };
    const Mat K = derivative(q_), D = derivative(v_);
    // together and apart: what one asks for must not depend on the other
    const auto both = evaluate(system, needs(Target::stiffness, Target::damping), &lambda);
    const auto stiffness = evaluate(system, need(Target::stiffness), &lambda);
    const auto damping = evaluate(system, need(Target::damping), &lambda);
    EXPECT_LE((Mat(both.K) - K).cwiseAbs().maxCoeff(), 1e-8 * K.cwiseAbs().maxCoeff());
    EXPECT_LE((Mat(both.D) - D).cwiseAbs().maxCoeff(), 1e-8 * D.cwiseAbs().maxCoeff());
    EXPECT_EQ(Mat(both.K), Mat(stiffness.K));
    EXPECT_EQ(Mat(both.D), Mat(damping.D));
  }
}

// without applied forces: the rigid reading of what is damped keeps its energy
TEST(DampedModels, OnlyDampingTakesEnergy) {
  const auto model = compile_text(R"toml(
[points]
bob = { mass = 1, at = [1, 0], velocity = [0.1, 0.2] }
[[chain]]
links = 2
compliance = 1e-2
damping = 5
[[rod]]
between = ["origin", "bob"]
)toml");
  EXPECT_EQ(model.system.structure().d, (Vec(3) << 0.05, 0.05, 0.0).finished());
  EXPECT_FALSE(model.system.structure().conservative);
  EXPECT_FALSE(springs(model.system).structure().conservative);
  EXPECT_TRUE(rigid(model.system).structure().conservative);
}

TEST_F(Readings, RigidMakesEveryRowAnEquationAndReadingsDoNotPileUp) {
  const System system = rigid(penalized(springs(model_.system), 3.0));
  EXPECT_EQ(system.nc(), 2);
  EXPECT_EQ(system.structure().C, Vec::Zero(2));
}

}  // namespace
}  // namespace taut::test
