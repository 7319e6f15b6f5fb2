// SPDX-License-Identifier: BSD-3-Clause
// Newmark's and Zhang and Skeel's methods on a double pendulum of stiff springs (tao2016, section
// 4.1), whose rigid motion is known from its angles.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <vector>

#include "methods/composition.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/midpoint.hpp"
#include "methods/newmark_linear.hpp"
#include "methods/push_forward_newmark.hpp"
#include "methods/zhang_skeel.hpp"
#include "methods/zhang_skeel_stiff.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"
#include "study.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {
namespace {

CompiledModel compiled_pendulum(const std::string& toml) {
  Problems problems{"test.toml"};
  CompiledModel result = compile(read_model(toml, problems), problems);
  problems.throw_if_any();
  return result;
}

const CompiledModel& rods() {
  static const CompiledModel model = compiled_pendulum(R"toml(
[points]
a = { mass = 1, at = [0, -1] }
b = { mass = 1, at = [1, -2] }
[[constraint]]
zero = "a.x^2 + a.y^2 - 1"
[[constraint]]
zero = "(b.x - a.x)^2 + (b.y - a.y)^2 - 2"
[[gravity]]
acceleration = [0, -1]
)toml");
  return model;
}

System stiff_rods(double omega) { return penalized(rods().system, omega); }

constexpr double coarse = 0.1;  // the step of tao2016, figure 1

/// Places of b on the rigid rods at n steps of `coarse`, from the angles.
std::vector<Vec> rigid_places(int n) {
  const CompiledModel angles = compiled_pendulum(R"toml(
[coordinates]
th = { at = 0 }
ph = { at = "pi/4" }
[[kinetic]]
energy = "v(th)^2 + v(ph)^2 + sqrt(2)*cos(th - ph)*v(th)*v(ph)"
[[potential]]
energy = "-2*cos(th) - sqrt(2)*cos(ph)"
)toml");
  DormandPrince853 method{{.tol = 1e-12}};
  State s = angles.given;
  EXPECT_EQ(method.start(angles.system, s), Status::ok);
  std::vector<Vec> places;
  for (int k = 0; k <= n; ++k) {
    while (s.t < k * coarse) EXPECT_EQ(method.advance(angles.system, k * coarse, s), Status::ok);
    places.push_back(Vec{{std::sin(s.q[0]) + std::sqrt(2.0) * std::sin(s.q[1]),
                          -std::cos(s.q[0]) - std::sqrt(2.0) * std::cos(s.q[1])}});
  }
  return places;
}

/// Largest distance of b from its rigid motion up to T = 20 and T = 100.
struct Errors {
  double at_20 = 0.0, at_100 = 0.0;
};

template <class M>
Errors errors(M method, const System& system) {
  static const std::vector<Vec> rigid = rigid_places(1000);
  Errors found;
  State s = rods().given;
  EXPECT_EQ(method.start(system, s), Status::ok);
  for (int k = 1; k <= 1000; ++k) {
    EXPECT_EQ(method.step(system, coarse, s), Status::ok);
    found.at_100 =
        std::max(found.at_100, (s.q.tail(2) - rigid[static_cast<std::size_t>(k)]).norm());
    if (k == 200) found.at_20 = found.at_100;
  }
  return found;
}

void expect_within_5_percent(const Errors& found, double at_20, double at_100) {
  EXPECT_NEAR(found.at_20, at_20, 0.05 * at_20);
  EXPECT_NEAR(found.at_100, at_100, 0.05 * at_100);
}

// the values were obtained by programs written for these methods and this problem alone
TEST(Variational, ErrorsOnTheDoublePendulumAreTheKnownOnes) {
  const System system = stiff_rods(20);
  expect_within_5_percent(errors(Newmark{{.beta = 0.4}}, system), 0.0359, 0.195);
  expect_within_5_percent(errors(NewmarkLinear{{.beta = 0.4}}, system), 0.504, 0.731);
  expect_within_5_percent(errors(ZhangSkeel{0.4}, system), 0.0339, 0.183);
  expect_within_5_percent(errors(ZhangSkeelSimplified{0.4}, system), 0.0618, 0.304);
  expect_within_5_percent(errors(ZhangSkeelStiff{0.4}, equations(system)), 0.0618, 0.304);
}

/// A state of the pendulum in swing, its springs stretched.
State in_swing() {
  ZhangSkeel method{0.4};
  return run(method, stiff_rods(20), rods().given, coarse, 33);
}

// largest entry of JᵀΩJ - Ω, by differences of fourth order; all masses are 1
template <class M>
double coarse_defect(const M& method) {
  const System system = stiff_rods(20);
  const State start = in_swing();
  const auto image = [&](Index i, double d) {
    M moved = method;
    State s = start;
    (i < 4 ? s.q[i] : s.v[i - 4]) += d;
    EXPECT_EQ(moved.start(system, s), Status::ok);
    EXPECT_EQ(moved.step(system, coarse, s), Status::ok);
    Vec z(8);
    z << s.q, s.v;
    return z;
  };
  constexpr double d = 3e-4;
  Mat J(8, 8), Omega = Mat::Zero(8, 8);
  for (Index i = 0; i < 8; ++i)
    J.col(i) = (8 * (image(i, d) - image(i, -d)) - (image(i, 2 * d) - image(i, -2 * d))) / (12 * d);
  Omega.topRightCorner(4, 4).setIdentity();
  Omega.bottomLeftCorner(4, 4) = -Mat::Identity(4, 4);
  return (J.transpose() * Omega * J - Omega).cwiseAbs().maxCoeff();
}

TEST(Variational, SymplecticWhereStepsResolveNothing) {
  EXPECT_LE(coarse_defect(ZhangSkeel{0.4}), 1e-8);
  EXPECT_LE(coarse_defect(PushForwardNewmark{0.4}), 1e-8);
  EXPECT_LE(coarse_defect(Midpoint{}), 1e-8);
  EXPECT_GE(coarse_defect(ZhangSkeelSimplified{0.4}), 0.01);
  EXPECT_GE(coarse_defect(Newmark{{.beta = 0.4}}), 0.01);
}

template <class M>
double reversal(M method, const System& system) {
  const State there = run(method, system, rods().given, coarse, 1000);
  const State back = run(method, system, there, -coarse, 1000);
  EXPECT_NEAR(there.t, 100.0, 1e-9);
  return (back.q - rods().given.q).lpNorm<Eigen::Infinity>();
}

TEST(Variational, AThousandStepsAreRetraced) {
  const System system = stiff_rods(20);
  EXPECT_LE(reversal(ZhangSkeel{0.4}, system), 1e-11);
  EXPECT_LE(reversal(ZhangSkeelSimplified{0.4}, system), 1e-11);
  EXPECT_LE(reversal(ZhangSkeelStiff{0.4}, equations(system)), 1e-11);
  EXPECT_LE(reversal(PushForwardNewmark{0.4}, system), 1e-11);
  EXPECT_LE(reversal(Newmark{{.beta = 0.4}}, system), 1e-11);
  EXPECT_GE(reversal(NewmarkLinear{{.beta = 0.4}}, system), 0.1);
}

// V - b/2 ∇Vᵀ (M + b ∇²V)⁻¹ ∇V with M = 1
double filtered_potential(const System& system, const Vec& q, double b) {
  Evaluation ev;
  system.prepare(ev);
  const Vec zero = Vec::Zero(4);
  EXPECT_EQ(system.evaluate(needs(Target::potential_energy, Target::force, Target::stiffness),
                            {.q = q, .v = zero, .a = &zero}, ev),
            Status::ok);
  const Eigen::Matrix4d A = Eigen::Matrix4d::Identity() + b * Mat(ev.K);
  return ev.potential_energy - b / 2 * ev.f.dot(A.inverse() * ev.f);
}

TEST(Variational, ZhangSkeelFollowsTheGradientOfTheFilteredPotential) {
  const System system = stiff_rods(20);
  const State s = in_swing();
  SymplecticFilter filter{0.4};
  Counters counters;
  Vec F(4), gradient(4);
  ASSERT_EQ(filter.start(system, s, counters), Status::ok);
  ASSERT_EQ(filter(system, s, coarse, F, counters), Status::ok);
  for (Index i = 0; i < 4; ++i) {
    const auto at = [&](double d) {
      return filtered_potential(system, s.q + d * Vec::Unit(4, i), 0.4 * coarse * coarse);
    };
    constexpr double d = 1e-3;
    gradient[i] = (8 * (at(d) - at(-d)) - (at(2 * d) - at(-2 * d))) / (12 * d);
  }
  EXPECT_LE((F + gradient).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_GE(F.norm(), 0.1);
}

/// Time at which a method fails on rods of this stiffness, or T.
struct Fate {
  double t = 0.0;
  Status status = Status::ok;
  std::string message;
};

template <class M>
Fate fate(M method, double omega, double T) {
  const System system = stiff_rods(omega);
  State s = rods().given;
  Fate found{.status = method.start(system, s)};
  for (int k = 0; k < std::lround(T / coarse) && found.status == Status::ok; ++k) {
    const State before = s;
    found.status = method.step(system, coarse, s);
    if (found.status != Status::ok) {
      EXPECT_EQ(before.t, s.t);
      EXPECT_EQ(before.q, s.q);
      EXPECT_EQ(before.v, s.v);
    }
  }
  found.t = s.t;
  found.message = method.message();
  return found;
}

TEST(Variational, ZhangSkeelSurvivesErraticallyInBetaAtModerateStiffness) {
  for (const double beta : {0.28, 0.32, 0.34, 0.40, 0.45, 0.80})
    EXPECT_EQ(fate(ZhangSkeel{beta}, 20, 1000).status, Status::ok) << beta;
  for (const double beta : {0.25, 0.26, 0.30, 0.36, 0.38, 0.50, 0.60, 1.0}) {
    const Fate found = fate(ZhangSkeel{beta}, 20, 1000);
    EXPECT_EQ(found.status, Status::indefinite_matrix) << beta;
    EXPECT_NE(found.message.find("no positive pivot at "), std::string::npos);
  }
}

TEST(Variational, ZhangSkeelFailsOnStifferRodsAndNewmarkDoesNot) {
  EXPECT_EQ(fate(ZhangSkeel{0.4}, 10, 1000).status, Status::ok);
  const Fate at_30 = fate(ZhangSkeel{0.4}, 30, 1000);
  EXPECT_EQ(at_30.status, Status::indefinite_matrix);
  EXPECT_NEAR(at_30.t, 122.4, 0.5);
  EXPECT_EQ(fate(ZhangSkeel{0.4}, 40, 1000).status, Status::indefinite_matrix);
  EXPECT_LE(fate(ZhangSkeel{0.4}, 2000, 1000).t, 0.2);
  EXPECT_EQ(fate(ZhangSkeelSimplified{0.4}, 300, 1000).status, Status::ok);
  for (const double omega : {500.0, 2000.0}) {
    EXPECT_EQ(fate(Newmark{{.beta = 0.4}}, omega, 500).status, Status::ok);
    EXPECT_EQ(fate(Newmark{{.beta = 0.26}}, omega, 500).status, Status::ok);
    EXPECT_NE(fate(Newmark{{.beta = 0.25}}, omega, 500).status, Status::ok);
    EXPECT_NE(fate(Midpoint{}, omega, 500).status, Status::ok);
  }
}

TEST(Variational, TheStepNamedForAnIndefiniteMatrixIsTheLargest) {
  const System system = stiff_rods(40);
  State squeezed = rods().given;
  squeezed.q << 0.0, -0.9, 0.8, -1.7;
  SimplifiedFilter filter{0.4};
  Counters counters;
  Vec a;
  ASSERT_EQ(filter.start(system, squeezed, counters), Status::ok);
  a = Vec::Zero(4);
  ASSERT_EQ(filter(system, squeezed, coarse, a, counters), Status::indefinite_matrix);
  const std::string text = filter.message(), before = "steps below ";
  ASSERT_NE(text.find(before), std::string::npos) << text;
  const double bound = std::stod(text.substr(text.find(before) + before.size()));
  EXPECT_EQ(filter(system, squeezed, 0.99 * bound, a, counters), Status::ok);
  EXPECT_EQ(filter(system, squeezed, 1.01 * bound, a, counters), Status::indefinite_matrix);
}

// what is left of an error at t = 4 when the step is halved, on springs that the steps resolve
template <class M>
double gain_of_halving(const M& method, double h) {
  const System system = stiff_rods(2);
  DormandPrince853 reference{{.tol = 1e-13}};
  State truth = rods().given;
  EXPECT_EQ(reference.start(system, truth), Status::ok);
  while (truth.t < 4) EXPECT_EQ(reference.advance(system, 4, truth), Status::ok);
  const auto error = [&](double step) {
    M moving = method;
    const State s =
        run(moving, system, rods().given, step, static_cast<int>(std::lround(4 / step)));
    return (s.q - truth.q).norm();
  };
  return error(h) / error(h / 2);
}

TEST(Variational, OrdersOnResolvedSprings) {
  EXPECT_NEAR(std::log2(gain_of_halving(ZhangSkeel{0.4}, 0.01)), 2.0, 0.05);
  EXPECT_NEAR(std::log2(gain_of_halving(ZhangSkeelSimplified{0.4}, 0.01)), 2.0, 0.05);
  EXPECT_NEAR(std::log2(gain_of_halving(PushForwardNewmark{0.4}, 0.01)), 2.0, 0.05);
  EXPECT_NEAR(std::log2(gain_of_halving(Newmark{}, 0.01)), 2.0, 0.05);
  EXPECT_NEAR(std::log2(gain_of_halving(Newmark{{.gamma = 0.6}}, 0.01)), 1.0, 0.1);
  EXPECT_NEAR(std::log2(gain_of_halving(Composition<ZhangSkeel, Yoshida4>{}, 0.02)), 4.0, 0.1);
  EXPECT_NEAR(std::log2(gain_of_halving(Composition<ZhangSkeel, Suzuki4>{}, 0.04)), 4.0, 0.1);
}

TEST(Variational, WithoutBetaAllOfThemAreVerlet) {
  const System system = stiff_rods(5);
  const auto end = [&](std::string_view name, const MethodOptions& options) {
    Method method = make_method(name, options).value();
    State s = rods().given;
    EXPECT_EQ(method->start(system, s), Status::ok);
    for (int k = 0; k < 100; ++k) EXPECT_EQ(method->step(system, 0.01, s), Status::ok);
    return s.q;
  };
  const Vec expected = end("verlet", {});
  for (const char* name : {"newmark", "newmark-linear", "push-forward-newmark", "zhang-skeel",
                           "zhang-skeel-simplified"})
    EXPECT_LE((end(name, {.beta = 0.0}) - expected).norm(), 1e-12) << name;
}

TEST(Variational, ForcesWithoutPotentialAreRefusedInWords) {
  const CompiledModel swirl = compiled_pendulum(R"toml(
[points]
p = { mass = 1, at = [1, 0] }
[[force]]
on = "p"
value = ["-p.x - p.y^2", "-p.y"]
)toml");
  State s = swirl.given;
  s.q[1] = 0.3;
  for (const char* name : {"zhang-skeel", "newmark"}) {
    Method method = make_method(name).value();
    EXPECT_EQ(method->start(swirl.system, s), Status::not_supported);
    EXPECT_NE(method->message().find("between p.x and p.y"), std::string::npos)
        << method->message();
  }
}

// what cancels in c + b a is as large as c: where the origin lies does not decide
TEST(Variational, LinearSpringsOfAnyStiffnessAreSteppedOver) {
  for (const char* k : {"1e2", "1e6", "1e8", "1e12"})
    for (const char* name : {"newmark", "push-forward-newmark", "midpoint", "zhang-skeel"}) {
      const CompiledModel spring = compiled_pendulum(std::string{R"toml(
[coordinates]
x = { mass = 1, at = 0.1 }
[[potential]]
energy = ")toml"} + k + R"toml(*x^2/2"
)toml");
      Method method = *make_method(name);
      State s = spring.given;
      ASSERT_EQ(method->start(spring.system, s), Status::ok) << name;
      for (int n = 0; n < 200; ++n)
        ASSERT_EQ(method->step(spring.system, coarse, s), Status::ok)
            << name << ", stiffness " << k << ", step " << n << ": " << method->message();
      EXPECT_LE(std::abs(s.q[0]), 1.0) << name << ", stiffness " << k;
    }
}

TEST(Variational, MassesThatAreNearlySingularAreRefusedAtTheStart) {
  const CompiledModel thin = compiled_pendulum(R"toml(
[coordinates]
x = { at = 1 }
y = { at = 0 }
[[kinetic]]
energy = "(v(x) + v(y))^2/2 + 5e-14*v(y)^2/2"
[[potential]]
energy = "x^2/2"
)toml");
  for (const char* name : {"zhang-skeel", "zhang-skeel-simplified", "zhang-skeel-stiff", "newmark"})
    EXPECT_NE((*make_method(name))->start(thin.system, thin.given), Status::ok) << name;
}

TEST(Variational, DampedRowsAreRefusedByTheStiffVariant) {
  const CompiledModel soft = compiled_pendulum(R"toml(
[points]
p = { mass = 1, at = [0, -1] }
[[rod]]
between = ["origin", "p"]
length = 1
compliance = 0.01
damping = 2
)toml");
  ZhangSkeelStiff method;
  EXPECT_EQ(method.start(soft.system, soft.given), Status::not_supported);
  EXPECT_NE(method.message().find("take "), std::string::npos);
}

// q'' = -q, where (1 + beta h²) a1 = -(q0 + h v0 + h² (1/2 - beta) a0)
TEST(Variational, NewmarksGammaWeighsTheAccelerationAtTheEnd) {
  Problems problems;
  const CompiledModel model = compile(read_model(R"toml(
[coordinates]
q = { mass = 1, at = 0.8, velocity = 0.3 }
[[potential]]
energy = "q^2/2"
)toml",
                                                 problems),
                                      problems);
  problems.throw_if_any();
  const double h = 0.4, beta = 0.3, gamma = 0.7, q0 = 0.8, v0 = 0.3, a0 = -q0;
  const double a1 = -(q0 + h * v0 + h * h * (0.5 - beta) * a0) / (1 + beta * h * h);
  Newmark method{{.beta = beta, .gamma = gamma}};
  State s = model.given;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  ASSERT_EQ(method.step(model.system, h, s), Status::ok);
  EXPECT_NEAR(s.q[0], -a1, 1e-15);
  EXPECT_NEAR(s.v[0], v0 + h * ((1 - gamma) * a0 + gamma * a1), 1e-15);
}

}  // namespace
}  // namespace taut::test
