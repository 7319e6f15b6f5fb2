// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/system.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <utility>

#include "allocation_counter.hpp"
#include "model/accelerations.hpp"
#include "readings/readings.hpp"
#include "support.hpp"
#include "taut/core/threads.hpp"

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

// rows of many elements are computed by all cores, in parts that do not meet
TEST(System, RowsAreTheSameBitsForEveryNumberOfThreads) {
  const CompiledModel hanging = compile_text(R"toml(
name = "chain"
[[chain]]
links = 20000
length = 0.01
[[gravity]]
acceleration = [0, -1]
)toml");
  const Vec q = hanging.given.q + 1e-3 * random_vector(hanging.given.q.size(), 3);
  const Needs rows = needs(Target::constraint, Target::constraint_jacobian);
  Evaluation one, many;
  for (const auto& [threads, out] : {std::pair{1U, &one}, std::pair{3U, &many}}) {
    use_threads(threads);
    hanging.system.prepare(*out);
    ASSERT_EQ(hanging.system.evaluate(rows, {.t = 0.0, .q = q, .v = hanging.given.v}, *out),
              Status::ok);
  }
  use_threads(0);
  EXPECT_EQ(one.g, many.g);
  const Index entries = one.G.nonZeros();
  EXPECT_EQ(Eigen::Map<const Vec>(one.G.valuePtr(), entries),
            Eigen::Map<const Vec>(many.G.valuePtr(), entries));
  // against the rod's formula, at both ends of the first part and of the last
  for (const Index k : {Index{1}, Index{2499}, Index{2500}, Index{19999}}) {
    const double squared = (q.segment<2>(2 * k) - q.segment<2>(2 * k - 2)).squaredNorm();
    EXPECT_NEAR(one.g[k], (squared - 1e-4) / 0.02, 1e-14) << k;
  }
}

TEST(System, KnowsWhetherItsForceIsConstant) {
  const std::string pendulum = R"toml(
name = "pendulum"
[points]
a = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "a"]
[[gravity]]
acceleration = [0, -1]
)toml";
  const System plain = compile_text(pendulum).system;
  EXPECT_TRUE(plain.structure().force_constant);
  EXPECT_TRUE(rigid(plain).structure().force_constant);
  EXPECT_FALSE(penalized(plain, 10.0).structure().force_constant);
  const System sprung = compile_text(pendulum + R"toml(
[[spring]]
between = ["origin", "a"]
stiffness = 1
)toml")
                            .system;
  EXPECT_FALSE(sprung.structure().force_constant);
  const System charged = compile_text(R"toml(
[points]
a = { mass = 1, at = [1, 0], charge = 1 }
b = { mass = 1, at = [2, 0], charge = 1 }
[[pair]]
law = "coulomb"
)toml")
                             .system;
  EXPECT_FALSE(charged.structure().force_constant);
}

}  // namespace
}  // namespace taut::test
