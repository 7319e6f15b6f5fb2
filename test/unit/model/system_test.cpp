// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/system.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "allocation_counter.hpp"
#include "support.hpp"
#include "taut/model/accelerations.hpp"

namespace taut::test {
namespace {

const char* const chain = R"toml(
[[chain]]
name = "c"
links = 200
length = 0.1
[[gravity]]
acceleration = [0, -9.81]
)toml";

constexpr Needs everything =
    needs(Target::mass, Target::force, Target::constraint, Target::constraint_jacobian,
          Target::constraint_curvature, Target::stiffness, Target::kinetic_energy);

TEST(System, NothingIsAllocatedAfterTheFirstEvaluation) {
  const auto model = compile_text(chain);
  const System& system = model.system;
  Evaluation out;
  system.prepare(out);
  const Vec a = Vec::Zero(system.nq()), lambda = Vec::Ones(system.nc());
  const Arguments at{.t = 0, .q = model.given.q, .v = model.given.v, .a = &a, .lambda = &lambda};
  ASSERT_EQ(system.evaluate(everything, at, out), Status::ok);
  const auto before = allocations();
  if (!before) GTEST_SKIP() << "allocations cannot be counted in this build";
  for (int i = 0; i < 10; ++i) ASSERT_EQ(system.evaluate(everything, at, out), Status::ok);
  EXPECT_EQ(*allocations(), *before);
}

TEST(System, ThreadsShareItAndGetTheSameBits) {
  const auto model = compile_text(chain);
  const System& system = model.system;
  const auto evaluate = [&](Vec& f, Vec& g) {
    Evaluation out;
    system.prepare(out);
    const Vec a = Vec::Zero(system.nq()), lambda = Vec::Ones(system.nc());
    for (int i = 0; i < 50; ++i)
      ASSERT_EQ(
          system.evaluate(
              everything,
              {.t = 0, .q = model.given.q, .v = model.given.v, .a = &a, .lambda = &lambda}, out),
          Status::ok);
    f = out.f;
    g = out.curvature;
  };
  Vec f1, g1, f2, g2;
  std::thread other{[&] { evaluate(f1, g1); }};
  evaluate(f2, g2);
  other.join();
  EXPECT_EQ(f1, f2);
  EXPECT_EQ(g1, g2);
}

TEST(System, NonFiniteNumbersAreCaughtAndTheElementNamed) {
  std::string text = "[coordinates]\n\"q{k}\" = { mass = 1, at = 1, repeat = { k = \"1:9\" } }\n";
  text += "[[potential]]\nname = \"well {k}\"\nenergy = \"log(q{k})\"\nrepeat = { k = \"1:9\" }\n";
  auto model = compile_text(text);
  Evaluation out;
  model.system.prepare(out);
  Vec q = model.given.q;
  const Vec v = model.given.v;
  EXPECT_EQ(model.system.evaluate(need(Target::force), {.t = 0, .q = q, .v = v}, out), Status::ok);
  q[6] = 0.0;
  EXPECT_EQ(model.system.evaluate(need(Target::force), {.t = 0, .q = q, .v = v}, out),
            Status::non_finite);
  EXPECT_EQ(model.system.culprit({.t = 0, .q = q, .v = v}), "well 7");
  // and it recovers
  EXPECT_EQ(model.system.evaluate(need(Target::force), {.t = 0, .q = model.given.q, .v = v}, out),
            Status::ok);
}

TEST(System, AccelerationsSatisfyTheEquationsOfMotion) {
  const auto model = compile_text(R"toml(
[anchors]
hook = ["sin(t)", 0]
[points]
a = { mass = 0, at = [1, 0], velocity = [0.2, 1.3] }
b = { mass = 0.5, at = [1, -1], velocity = [-0.3, 0.1] }
[[rod]]
between = ["hook", "a"]
mass = 2
[[rod]]
between = ["a", "b"]
mass = 1
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const System& system = model.system;
  Accelerations accelerations;
  ASSERT_EQ(accelerations.start(system), Status::ok);
  Vec a, lambda;
  const Vec &q = model.given.q, &v = model.given.v;
  ASSERT_EQ(accelerations(system, 0.4, q, v, a, lambda), Status::ok);
  const Evaluation& out = accelerations.evaluation();
  EXPECT_LE((out.M * a - out.f + out.G.transpose() * lambda).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((out.G * a + out.curvature).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace taut::test
