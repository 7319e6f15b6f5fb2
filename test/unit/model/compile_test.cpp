// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "support.hpp"

namespace taut::test {
namespace {

TEST(Compile, NamesStandInFileOrder) {
  const auto model = compile_text(R"toml(
[points]
second = { mass = 1, at = [1, 0] }
first  = { mass = 1, at = [0, 1, 2] }
[coordinates]
phi = { mass = 2, at = 0.5, velocity = -1 }
[[rod]]
between = ["origin", "second"]
[[constraint]]
zero = "phi - second.x + 0.5"
[[rod]]
between = ["origin", "first"]
name = "long"
)toml");
  const Structure& s = model.system.structure();
  EXPECT_EQ(s.coordinates, (std::vector<std::string>{"second.x", "second.y", "first.x", "first.y",
                                                     "first.z", "phi"}));
  EXPECT_EQ(s.velocities.back(), "v(phi)");
  ASSERT_EQ(s.rows.size(), 3U);
  EXPECT_EQ(s.rows[0].name, "rod 1");
  EXPECT_EQ(s.rows[1].name, "constraint 1");
  EXPECT_EQ(s.rows[2].name, "long");
  EXPECT_EQ(model.given.q[5], 0.5);
  EXPECT_EQ(model.given.v[5], -1.0);
}

TEST(Compile, ParametersDependOnEachOtherInAnyOrder) {
  const auto model = compile_text(R"toml(
[parameters]
a = "2*b"
b = "c + 1"
c = 3
[coordinates]
q = { mass = "a", at = "b" }
)toml");
  EXPECT_EQ(model.system.structure().M.coeff(0, 0), 8.0);
  EXPECT_EQ(model.given.q[0], 4.0);
}

TEST(Compile, DefinitionsMayUseDefinitionsAThousandDeep) {
  const auto model = compile_text(R"toml(
[parameters]
n = 1000
[coordinates]
"q{k}" = { mass = 1, at = "{k}", repeat = { k = "1:n" } }
[definitions]
sum0 = "0"
"sum{k}" = { value = "sum{k-1} + q{k}", repeat = { k = "1:n" } }
[[potential]]
energy = "sum1000^2/2"
)toml");
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(needs(Target::force, Target::potential_energy),
                                  {.t = 0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  EXPECT_EQ(out.potential_energy, 500500.0 * 500500.0 / 2.0);
  EXPECT_EQ(out.f[0], -500500.0);
  EXPECT_EQ(out.f[999], -500500.0);
}

TEST(Compile, KineticEnergyGivesMassAndInertialForces) {
  // polar coordinates: M = diag(m, m r^2), forces (m r phi'^2, -2 m r r' phi')
  const auto model = compile_text(R"toml(
[coordinates]
r   = { at = 2, velocity = 0.5 }
phi = { at = 0.3, velocity = 1.5 }
[[kinetic]]
energy = "3/2*(v(r)^2 + r^2*v(phi)^2)"
)toml");
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(needs(Target::mass, Target::force, Target::momentum,
                                        Target::momentum_force, Target::kinetic_energy),
                                  {.t = 0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  EXPECT_NEAR(out.M.coeff(0, 0), 3.0, 1e-15);
  EXPECT_NEAR(out.M.coeff(1, 1), 12.0, 1e-14);
  EXPECT_NEAR(out.f[0], 3 * 2 * 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(out.f[1], -2 * 3 * 2 * 0.5 * 1.5, 1e-14);
  EXPECT_NEAR(out.momentum[1], 12 * 1.5, 1e-14);
  EXPECT_NEAR(out.momentum_force[0], 3 * 2 * 1.5 * 1.5, 1e-14);
  EXPECT_NEAR(out.momentum_force[1], 0.0, 1e-14);
  EXPECT_FALSE(model.system.structure().mass_constant);
  EXPECT_TRUE(model.system.structure().conservative);
}

TEST(Compile, KineticEnergyInARotatingFrameKeepsJacobisIntegral) {
  // T has parts linear in v and free of v; what is kept is v . T_v - T + U
  const auto model = compile_text(R"toml(
[coordinates]
x = { at = 1, velocity = 0.2 }
y = { at = 0.4, velocity = -0.3 }
[[kinetic]]
energy = "((v(x) - 0.7*y)^2 + (v(y) + 0.7*x)^2)/2"
)toml");
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(needs(Target::force, Target::kinetic_energy),
                                  {.t = 0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  // Coriolis and centrifugal accelerations
  EXPECT_NEAR(out.f[0], 2 * 0.7 * -0.3 + 0.49 * 1.0, 1e-14);
  EXPECT_NEAR(out.f[1], -2 * 0.7 * 0.2 + 0.49 * 0.4, 1e-14);
  EXPECT_NEAR(out.kinetic_energy, (0.04 + 0.09) / 2 - 0.49 * (1.0 + 0.16) / 2, 1e-14);
}

TEST(Compile, VibrationGivesThePhase) {
  const auto model = compile_text(R"toml(
[coordinates]
q = { mass = 1, at = 0.5 }
[vibration]
omega = 100
phase = 0.25
[[force]]
on = "q"
value = "omega*cos(theta) + t"
)toml");
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(need(Target::force),
                                  {.t = 0.01, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  EXPECT_NEAR(out.f[0], 100 * std::cos(1.25) + 0.01, 1e-12);
  EXPECT_TRUE(model.system.structure().force_uses_time);
  EXPECT_FALSE(model.system.structure().conservative);
}

TEST(Compile, ChainHangsFromItsAnchorInOneLine) {
  const auto model = compile_text(R"toml(
[anchors]
hook = [1, 2]
[[chain]]
name = "c"
links = 5
from = "hook"
length = 0.5
mass = 2
direction = [0, -2]
)toml");
  const Structure& s = model.system.structure();
  ASSERT_EQ(s.nq, 10);
  ASSERT_EQ(s.nc, 5);
  EXPECT_EQ(s.coordinates[9], "c5.y");
  EXPECT_EQ(s.rows[4].name, "c link 5");
  EXPECT_EQ(model.given.q[8], 1.0);
  EXPECT_EQ(model.given.q[9], -0.5);
  Evaluation out;
  model.system.prepare(out);
  ASSERT_EQ(model.system.evaluate(needs(Target::constraint, Target::constraint_jacobian),
                                  {.t = 0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  EXPECT_LE(out.g.cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(out.G.nonZeros(), 2 + 4 * 4);
}

TEST(Compile, StartTableReplacesStartValues) {
  const auto model = compile_text(R"toml(
[points]
b = { mass = 1, at = [1, 0] }
[start]
"b.y" = 0.25
"b.x" = { at = 2, velocity = -3 }
)toml");
  EXPECT_EQ(model.given.q[0], 2.0);
  EXPECT_EQ(model.given.q[1], 0.25);
  EXPECT_EQ(model.given.v[0], -3.0);
}

TEST(Compile, FunctorAndExpressionOfOneFormulaGiveTheSameSystem) {
  Model model;
  for (const char* name : {"x", "y"})
    model.coordinates.push_back({.name = name, .mass = 1.0, .at = 0.7, .velocity = 0.1});
  Model text = model;
  text.elements.push_back(
      {.what = Potential{"sin(x)*y^2"}, .name = {}, .position = {}, .repeat = {}});
  Functor functor;
  functor.coordinates = {"x", "y"};
  functor.trace = [](const Functor::Local& at) { return sin(at.q[0]) * at.q[1] * at.q[1]; };
  model.elements.push_back({.what = functor, .name = {}, .position = {}, .repeat = {}});
  const CompiledModel a = compile(model), b = compile(text);
  Evaluation ea, eb;
  a.system.prepare(ea);
  b.system.prepare(eb);
  const Vec zero = Vec::Zero(2);
  const Arguments with{.t = 0, .q = a.given.q, .v = a.given.v, .a = &zero};
  ASSERT_EQ(a.system.evaluate(needs(Target::force, Target::stiffness), with, ea), Status::ok);
  ASSERT_EQ(b.system.evaluate(needs(Target::force, Target::stiffness), with, eb), Status::ok);
  EXPECT_NEAR(ea.f[0], -std::cos(0.7) * 0.49, 1e-15);
  EXPECT_LE((ea.f - eb.f).cwiseAbs().maxCoeff(), 1e-16);
  EXPECT_LE((Mat(ea.K) - Mat(eb.K)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Compile, MergedAndBatchedElementsGiveTheSameForces) {
  // three springs are merged into one formula, four form a batch
  const auto forces = [](int n) {
    const auto model = compile_text("[parameters]\nn = " + std::to_string(n) + R"toml(
[points]
"p{k}" = { mass = 1, at = ["{k}", "{k}^2/10"], repeat = { k = "0:n" } }
[[spring]]
between = ["p{k-1}", "p{k}"]
stiffness = "1 + {k}/10"
length = 0.9
repeat = { k = "1:n" }
)toml");
    Evaluation out;
    model.system.prepare(out);
    EXPECT_EQ(model.system.evaluate(need(Target::force),
                                    {.t = 0, .q = model.given.q, .v = model.given.v}, out),
              Status::ok);
    return Vec{out.f.head(6)};  // the points that both chains pull alike
  };
  EXPECT_LE((forces(3) - forces(4)).cwiseAbs().maxCoeff(), 1e-15);
}

}  // namespace
}  // namespace taut::test
