// SPDX-License-Identifier: BSD-3-Clause
#include "methods/langevin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "from_text.hpp"
#include "methods/verlet.hpp"
#include "readings/readings.hpp"
#include "run/statistics.hpp"
#include "taut/methods/registry.hpp"

namespace taut::test {
namespace {

Method in_bath(const char* method, const HeatBath& bath) {
  return Langevin{make_method(method).value(), bath};
}

struct Sampled {
  std::int64_t steps = 100000, before = 1000;
  double h = 0.05;
};

/// Averages of functions of the state along a thermal motion.
std::vector<Average> averages(const Warm& model, Method method, Sampled plan,
                              const std::vector<std::function<double(const State&)>>& functions) {
  std::vector<Average> all(functions.size());
  State s = model.start;
  EXPECT_EQ(method->start(model.system, s), Status::ok) << method->message();
  for (std::int64_t n = 0; n < plan.steps; ++n) {
    const Status status = method->step(model.system, plan.h, s);
    EXPECT_EQ(status, Status::ok) << n << " " << method->message();
    if (status != Status::ok) break;
    if (n < plan.before) continue;
    for (std::size_t k = 0; k < functions.size(); ++k) all[k].add(functions[k](s));
  }
  return all;
}

::testing::AssertionResult within(const Average& average, double truth, double errors = 4.0) {
  if (std::abs(average.mean() - truth) <= errors * average.error())
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << average.mean() << " +- " << average.error() << " is not " << truth;
}

/// vᵀ M v for constant M.
std::function<double(const State&)> twice_kinetic(const Warm& model) {
  return [&model](const State& s) { return s.v.dot(model.system.structure().M * s.v); };
}

constexpr double kT = 0.7;

// Velocity Verlet keeps p²/2m + k/2 (1 - (h w)²/4) q², and so does the distribution it belongs to:
// momenta are exact, positions a little too wide.
TEST(Langevin, SamplesAnOscillatorAsTheClosedFormSays) {
  const Warm model = from_text(R"toml(
[coordinates]
x = { mass = 2, at = 1 }
[[potential]]
energy = "4*x^2"
)toml");
  const auto q2 = [](const State& s) { return s.q[0] * s.q[0]; };
  const auto v2 = [](const State& s) { return s.v[0] * s.v[0]; };
  for (const double h : {0.1, 0.5}) {  // h w = 0.2 and 1
    const auto found = averages(model, in_bath("verlet", {.temperature = kT, .friction = 0.5}),
                                {.h = h}, {q2, v2});
    EXPECT_TRUE(within(found[0], kT / (8 * (1 - h * h)))) << h;
    EXPECT_TRUE(within(found[1], kT / 2)) << h;
    EXPECT_LE(found[0].error(), 0.03 * found[0].mean());
  }
  // with drag: the same distribution
  const auto found =
      averages(model, in_bath("verlet", {.temperature = kT, .drag = 1.0}), {.h = 0.5}, {q2, v2});
  EXPECT_TRUE(within(found[0], kT / (8 * 0.75)));
  EXPECT_TRUE(within(found[1], kT / 2));
}

TEST(Langevin, ForgetsTheVelocityOfAFreeParticleExponentially) {
  const Warm model = from_text("[coordinates]\nx = { mass = 4 }\n");
  for (const HeatBath& bath :
       {HeatBath{.temperature = kT, .friction = 0.5}, HeatBath{.temperature = kT, .drag = 2.0}}) {
    Method method = in_bath("verlet", bath);
    State s = model.start;
    ASSERT_EQ(method->start(model.system, s), Status::ok);
    Autocorrelation correlation{40};
    for (int n = 0; n < 100000; ++n) {
      ASSERT_EQ(method->step(model.system, 0.1, s), Status::ok);
      correlation.add(s.v[0]);
    }
    EXPECT_NEAR(correlation.covariance(0), kT / 4, 0.05 * kT / 4);
    for (const int k : {1, 10, 20, 40})
      EXPECT_NEAR(correlation(k), std::exp(-0.5 * 0.1 * k), 0.05) << k;
  }
}

TEST(Langevin, WithoutNoiseIsFriction) {
  const Warm model = from_text("[coordinates]\nx = { mass = 1, velocity = 1 }\n");
  Method method = in_bath("verlet", {.temperature = 0.0, .friction = 2.0});
  State s = model.start;
  ASSERT_EQ(method->start(model.system, s), Status::ok);
  for (int n = 0; n < 10; ++n) ASSERT_EQ(method->step(model.system, 0.1, s), Status::ok);
  EXPECT_NEAR(s.v[0], std::exp(-2.0), 1e-14);
}

// In its angle a pendulum has the density exp(cos(th) m g l / kT).
TEST(Langevin, SamplesThePendulumOnItsConstraint) {
  const Warm model = from_text(R"toml(
[points]
p = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "p"]
[[gravity]]
acceleration = [0, -1]
)toml");
  const auto height = [](const State& s) { return s.q[1]; };
  const auto along = [](const State& s) { return std::abs(s.q.dot(s.v)); };
  const auto off = [](const State& s) { return std::abs(s.q.norm() - 1.0); };
  const auto found = averages(model, in_bath("rattle", {.temperature = kT, .friction = 0.5}),
                              {.h = 0.1}, {height, twice_kinetic(model), along, off});
  const double z = 1 / kT;
  EXPECT_TRUE(within(found[0], -std::cyl_bessel_i(1, z) / std::cyl_bessel_i(0, z)));
  EXPECT_TRUE(within(found[1], kT));
  EXPECT_LE(found[2].mean(), 1e-15);
  EXPECT_LE(found[3].mean(), 1e-15);
}

constexpr auto trimer = R"toml(
[points]
a = { mass = 1, at = [0, 0] }
b = { mass = 16, at = [1, 0] }
c = { mass = 3, at = [1, 1] }
[[rod]]
between = ["a", "b"]
[[rod]]
between = ["b", "c"]
[[spring]]
between = ["a", "c"]
stiffness = 1
)toml";

TEST(Langevin, GivesEveryDegreeOfFreedomItsShare) {
  const Warm model = from_text(trimer);
  // six coordinates, two rods: the share of one and of all
  const auto heavy = [](const State& s) { return 16 * (s.v[2] * s.v[2] + s.v[3] * s.v[3]); };
  const auto found = averages(model, in_bath("rattle", {.temperature = kT, .friction = 1.0}),
                              {.h = 0.1}, {twice_kinetic(model), heavy});
  EXPECT_TRUE(within(found[0], 4 * kT));
  EXPECT_GT(found[1].mean(), kT);  // of two free coordinates it would be 2 kT
  EXPECT_LT(found[1].mean(), 2 * kT);

  // gauss-newton solves no equations, and its rods are rods to the order of the step
  const auto stretch = [](const State& s) {
    return std::pow(std::hypot(s.q[0] - s.q[2], s.q[1] - s.q[3]) - 1, 2);
  };
  const auto without =
      averages(model, in_bath("gauss-newton", {.temperature = kT, .friction = 1.0}), {.h = 0.1},
               {twice_kinetic(model), stretch});
  EXPECT_NEAR(without[0].mean(), 4 * kT, 0.03 * 4 * kT);
  EXPECT_LE(std::sqrt(without[1].mean()), 5e-3);
  // springs instead: all six are warm
  const Warm soft{penalized(model.system, 20), model.start};
  const auto stiff = averages(soft, in_bath("verlet", {.temperature = kT, .friction = 1.0}),
                              {.h = 0.02}, {twice_kinetic(soft)});
  EXPECT_TRUE(within(stiff[0], 6 * kT));
}

TEST(Langevin, WithDragIsColdByTheOrderOfTheStepWhereThereAreConstraints) {
  const Warm model = from_text(trimer);
  const auto found = averages(model, in_bath("rattle", {.temperature = kT, .drag = 1.0}),
                              {.steps = 200000, .h = 0.1}, {twice_kinetic(model)});
  // drag h / m is at most 0.1
  EXPECT_NEAR(found[0].mean(), 4 * kT, 4 * kT * 0.03);
}

TEST(Langevin, MakesShakeTheSameAsRattle) {
  const Warm model = from_text(trimer);
  const HeatBath bath{.temperature = kT, .friction = 1.0};
  Method rattle = in_bath("rattle", bath), shake = in_bath("shake", bath);
  State a = model.start, b = model.start;
  ASSERT_EQ(rattle->start(model.system, a), Status::ok);
  ASSERT_EQ(shake->start(model.system, b), Status::ok);
  for (int n = 0; n < 50; ++n) {
    ASSERT_EQ(rattle->step(model.system, 0.05, a), Status::ok);
    ASSERT_EQ(shake->step(model.system, 0.05, b), Status::ok);
  }
  EXPECT_LE((a.q - b.q).norm(), 1e-11);
  EXPECT_LE((a.v - b.v).norm(), 1e-11);
  EXPECT_GT((a.q - model.start.q).norm(), 0.1);
}

// M(q): a double pendulum in its angles.
TEST(Langevin, KnowsMassesThatDependOnTheCoordinates) {
  const Warm model = from_text(R"toml(
[coordinates]
a = 1
b = 0.5
[[kinetic]]
energy = "v(a)^2 + v(b)^2/2 + v(a)*v(b)*cos(a - b)"
[[potential]]
energy = "-2*cos(a) - cos(b)"
)toml");
  const auto p_v = [](const State& s) {
    const double c = std::cos(s.q[0] - s.q[1]);
    return 2 * s.v[0] * s.v[0] + s.v[1] * s.v[1] + 2 * c * s.v[0] * s.v[1];
  };
  const auto found = averages(model, in_bath("rattle", {.temperature = kT, .friction = 1.0}),
                              {.steps = 40000, .h = 0.05}, {p_v});
  EXPECT_TRUE(within(found[0], 2 * kT));
}

TEST(Langevin, RefusesWhatItCannotDo) {
  const Warm model = from_text(trimer);
  const auto reason = [&](const char* method, const HeatBath& bath, const Warm& of) {
    Method m = in_bath(method, bath);
    EXPECT_EQ(m->start(of.system, of.start), Status::not_supported);
    return m->message();
  };
  const HeatBath warm{.temperature = 1, .friction = 1};
  EXPECT_NE(reason("dop853", warm, model).find("constant"), std::string::npos);
  EXPECT_NE(reason("rattle", {.temperature = 1}, model).find("either"), std::string::npos);
  EXPECT_NE(reason("verlet", warm, model).find("rigid"), std::string::npos);
  const Warm bar = from_text(R"toml(
[points]
a = { at = [1, 0] }
b = { at = [2, 0] }
[[rod]]
between = ["a", "b"]
mass = 1
)toml");
  EXPECT_NE(reason("rattle", {.temperature = 1, .drag = 1}, bar).find("diagonal"),
            std::string::npos);
  Method method = in_bath("rattle", warm);
  State s = model.start;
  ASSERT_EQ(method->start(model.system, s), Status::ok);
  EXPECT_EQ(method->step(model.system, -0.1, s), Status::not_supported);
  EXPECT_NE(method->message().find("way back"), std::string::npos);
  EXPECT_EQ(s.q, model.start.q);
  EXPECT_EQ(method->step(model.system, 0.1, s), Status::ok);
  EXPECT_EQ(method->message(), "");
}

// Every method of constant steps may be woken up with other velocities than it left behind.
TEST(Langevin, FindsMethodsThatNoticeChangedVelocities) {
  const Warm model = from_text(trimer);
  const System rigid_rows = equations(model.system), soft = penalized(model.system, 20);
  int tried = 0;
  for (const MethodInfo& info : all_methods()) {
    if (info.adaptive) continue;
    const System& system = info.constraints ? rigid_rows : soft;
    Method old = make_method(info.name).value(), fresh = make_method(info.name).value();
    State s = model.start;
    ASSERT_EQ(old->start(system, s), Status::ok) << info.name << " " << old->message();
    for (int n = 0; n < 2; ++n) ASSERT_EQ(old->step(system, 0.01, s), Status::ok) << info.name;
    for (int i = 0; i < 6; i += 2) s.v[i] += 0.3;  // along the constraints: all points alike
    State t = s;
    ASSERT_EQ(fresh->start(system, t), Status::ok);
    ASSERT_EQ(old->step(system, 0.01, s), Status::ok) << info.name;
    ASSERT_EQ(fresh->step(system, 0.01, t), Status::ok) << info.name;
    EXPECT_LE((s.q - t.q).norm(), 1e-12) << info.name;
    EXPECT_LE((s.v - t.v).norm(), 1e-11) << info.name;
    ++tried;
  }
  EXPECT_GE(tried, 10);
}

TEST(Kkt, SpreadsIndependentNumbersAsTheInverseMassSays) {
  // bars in a row: blocks of two, and one too large for a block
  for (const char* n : {"1", "12"}) {
    const Warm model = from_text(std::string{R"toml(
[points]
"p{k}" = { at = ["{k}", 0], repeat = { k = "0:)toml"} +
                                 n + R"toml(" } }
[[rod]]
between = ["p{k-1}", "p{k}"]
mass = "1 + {k}"
repeat = { k = "1:)toml" + n + R"toml(" }
)toml");
    const Sparse& M = model.system.structure().M;
    Kkt kkt;
    kkt.analyse(M, model.system.structure().G);
    ASSERT_EQ(kkt.factor_mass(M), Status::ok);
    const Index nq = M.rows();
    Mat sum = Mat::Zero(nq, nq);
    for (Index i = 0; i < nq; ++i) {
      Vec x;
      kkt.half_solve_mass_transposed(Vec::Unit(nq, i), x);
      sum += x * x.transpose();
    }
    EXPECT_LE((M * sum - Mat::Identity(nq, nq)).cwiseAbs().maxCoeff(), 1e-13) << n;
  }
}

}  // namespace
}  // namespace taut::test
