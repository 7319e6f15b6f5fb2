// SPDX-License-Identifier: BSD-3-Clause
#include "slow/slow_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/allocation_counter.hpp"
#include "methods/automatic.hpp"
#include "methods/cvode.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/rk4.hpp"
#include "model/accelerations.hpp"
#include "models.hpp"
#include "problems.hpp"
#include "projections/smooth_pendulum.hpp"
#include "readings/readings.hpp"
#include "taut/methods/fits.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::test {
namespace {

using Settings = std::vector<std::pair<std::string, double>>;

/// A model with all constraints as equations, and a start on its slow manifold, found by
/// polynomials in a window of time and not by power series.
struct Slow {
  System system;
  State start;
};

Slow slow(const System& system, const State& given, int order = 10) {
  const System all = equations(system);
  const SmoothStart found = smooth_start(all, given, order);
  EXPECT_EQ(found.status, Status::ok) << found.reason;
  return {all, found.state};
}

Slow double_pendulum_at(double omega, int order = 10) {
  const Loaded model = load("stiff_double_pendulum", {{"omega", omega}});
  return slow(model.system, model.start, order);
}

Slow compiled(const std::string& toml, const Settings& settings = {}, int order = 10) {
  Problems problems{"test.toml"};
  Model model = read_model(toml, problems);
  for (const auto& [name, value] : settings) EXPECT_TRUE(model.set(name, value)) << name;
  const CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return slow(result.system, result.given, order);
}

State moved(const System& system, State s, double until, double tol) {
  DormandPrince853 method{{.tol = tol}};
  Status status = method.start(system, s);
  while (status == Status::ok && s.t < until) status = method.advance(system, until, s);
  EXPECT_EQ(status, Status::ok) << sentence(status) << method.message();
  return s;
}

/// The stiff system itself, integrated with its vibrations resolved.
State truth(const Slow& model, double until) {
  return moved(springs(model.system), model.start, until, 1e-13);
}

double distance(const State& a, const State& b) {
  return std::max((a.q - b.q).norm(), (a.v - b.v).norm());
}

Vec multipliers(const System& system, const State& s) {
  Evaluation ev;
  Vec all;
  system.prepare(ev);
  EXPECT_EQ(system.multipliers({.t = s.t, .q = s.q, .v = s.v}, Vec{}, ev, all), Status::ok);
  return all;
}

const std::string pendulum_of_spring = R"toml(
[parameters]
C = 1e-4
d = 0
th = 1.2
w = 0.7
[points.p]
mass = 1
at = ["sin(th)", "-cos(th)"]
velocity = ["w*cos(th)", "w*sin(th)"]
[[gravity]]
acceleration = [0, -1]
[[constraint]]
name = "spring"
zero = "hypot(p.x, p.y) - 1"
compliance = "C"
damping = "d/C"
)toml";

// a rigid rod, a compliant one with damping on it, and an anchor that moves
const std::string mixed = R"toml(
[parameters]
eps = 1e-2
d = 0
[anchors]
a = ["0.1*sin(2*t)", 0]
[points.p]
mass = 1
at = [1, 0]
velocity = [0.2, 0]
[points.r]
mass = 0.5
at = [1, -1]
velocity = [1.2, 0]
[[gravity]]
acceleration = [0, -1]
[[rod]]
between = ["a", "p"]
length = 1
[[constraint]]
name = "spring"
zero = "hypot(p.x - r.x, p.y - r.y) - 1"
compliance = "eps^2"
damping = "d/eps^2"
)toml";

// polar coordinates: M depends on q
const std::string bead_on_soft_wire = R"toml(
[parameters]
eps = 1e-2
[coordinates]
r = { at = 1.3, velocity = 0 }
phi = { at = 0, velocity = 1.1 }
[[kinetic]]
energy = "v(r)^2/2 + r^2*v(phi)^2/2"
[[potential]]
energy = "r*sin(phi)"
[[constraint]]
name = "wire"
zero = "r - 1 - 0.3*cos(phi)"
compliance = "eps^2"
)toml";

TEST(SlowFlow, IsTheStiffMotionWithoutItsVibrations) {
  const Slow model = double_pendulum_at(1000.0);
  const System flow = slow_flow(model.system, 1);
  const State end = moved(flow, model.start, 10.0, 1e-9);
  EXPECT_LE(distance(end, truth(model, 10.0)), 1e-8);
  EXPECT_LE(flow.hidden_evaluations(), 7000);  // measured 2100
}

TEST(SlowFlow, CostsTheSameHoweverStiffTheModelIs) {
  std::vector<double> cost;
  for (const double omega : {1e4, 1e6, 1e8}) {
    const Slow model = double_pendulum_at(omega);
    const System flow = slow_flow(model.system, 1);
    (void)moved(flow, model.start, 3.0, 1e-8);
    cost.push_back(static_cast<double>(flow.hidden_evaluations()));
  }
  // projections may find one more step to take here and there
  EXPECT_NEAR(cost[1], cost[0], 0.1 * cost[0]);
  EXPECT_NEAR(cost[2], cost[0], 0.1 * cost[0]);
}

TEST(SlowFlow, EverySweepGainsTwoPowersOfEps) {
  // at 100 rad/s the paper has 1e-2
  const Slow model = double_pendulum_at(100.0, 12);
  const State there = truth(model, 5.0);
  const double one = distance(moved(slow_flow(model.system, 1), model.start, 5.0, 1e-12), there);
  const double two = distance(moved(slow_flow(model.system, 2), model.start, 5.0, 1e-12), there);
  EXPECT_LE(one, 5e-6);
  EXPECT_LE(two, 5e-8);
  EXPECT_LE(two, one / 20.0);
  // eps⁴ of the force: 3.3 times softer is 3.3⁴ = 120 times worse
  const Slow softer = double_pendulum_at(30.0, 12);
  const double soft =
      distance(moved(slow_flow(softer.system, 1), softer.start, 5.0, 1e-12), truth(softer, 5.0));
  EXPECT_GT(soft, 20.0 * one);
}

TEST(SlowFlow, TreatsRigidRowsMovingConstraintsAndVariableMass) {
  struct Case {
    const std::string& toml;
    double d;
  };
  for (const auto& [toml, d] :
       {Case{mixed, 0.0}, Case{mixed, 2e-3}, Case{bead_on_soft_wire, 0.0}}) {
    SCOPED_TRACE(toml + std::to_string(d));
    const Slow model = compiled(toml, d > 0.0 ? Settings{{"d", d}} : Settings{});
    const State there = truth(model, 2.0);
    double error[4] = {};
    for (int sweeps = 1; sweeps <= 3; ++sweeps)
      error[sweeps] =
          distance(moved(slow_flow(model.system, sweeps), model.start, 2.0, 1e-12), there);
    EXPECT_LE(error[1], 1e-7);
    EXPECT_LE(error[2], error[1] / 10.0);
    EXPECT_LE(error[3], 5e-11);
  }
}

TEST(SlowFlow, HasTheMultipliersOfTheSlowMotion) {
  // of a collocation of the slow solution with the tangential data of the start
  const Vec at_100 =
      multipliers(slow_flow(double_pendulum_at(100.0).system, 3), double_pendulum_at(100.0).start);
  EXPECT_NEAR(at_100[0], 1.504597, 1e-6);
  EXPECT_NEAR(at_100[1], 1.252875, 1e-6);
  const Vec at_1000 = multipliers(slow_flow(double_pendulum_at(1000.0).system, 2),
                                  double_pendulum_at(1000.0).start);
  EXPECT_NEAR(at_1000[0], 1.500045071, 1e-9);
  EXPECT_NEAR(at_1000[1], 1.250028193, 1e-9);
}

TEST(SlowFlow, ProjectsOntoTheManifoldOfThePendulum) {
  // power series of the pendulum in its angle, in extended precision
  for (const double d : {0.0, 1e-3}) {
    const SpringPendulum given{.C = 1e-4, .d = d};
    const State exact = smooth_pendulum(given);
    const Slow model = compiled(pendulum_of_spring, {{"d", d}});
    const System flow = slow_flow(model.system, 3);
    Evaluation ev;
    flow.prepare(ev);
    State s = exact;
    ASSERT_EQ(flow.project(s, ev), Status::ok);
    EXPECT_LE((s.q - exact.q).norm(), 1e-12);
    EXPECT_LE((s.v - exact.v).norm(), 1e-12);
    // moved off along the rod, which is where M⁻¹Gᵀ points, it comes back
    s.q = exact.q * 1.01;
    s.v = exact.v + 0.02 * exact.q;
    ASSERT_EQ(flow.project(s, ev), Status::ok);
    EXPECT_LE((s.q - exact.q).norm(), 1e-4 * 1.01);
    const State there = s;
    ASSERT_EQ(flow.project(s, ev), Status::ok);
    EXPECT_LE(distance(s, there), 1e-15);
    const SmoothStart smooth = smooth_start(model.system, s, 10);
    ASSERT_EQ(smooth.status, Status::ok);
    EXPECT_LE(smooth.distance, 1e-12);
    EXPECT_LE(smooth.velocity_distance, 1e-11);
  }
}

TEST(SlowFlow, Rk4IsOfOrderFour) {
  const Slow model = double_pendulum_at(1000.0);
  const State there = truth(model, 2.0);
  std::vector<double> error;
  for (const int n : {16, 32, 64}) {
    const System flow = slow_flow(model.system, 1);
    Rk4 method;
    State s = model.start;
    ASSERT_EQ(method.start(flow, s), Status::ok);
    for (int i = 0; i < n; ++i) ASSERT_EQ(method.step(flow, 2.0 / n, s), Status::ok);
    error.push_back(distance(s, there));
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.4);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 4.0, 0.2);
}

TEST(SlowFlow, KeepsItsEnergyAndItsManifoldOverALongTime) {
  const Slow model = double_pendulum_at(1000.0);
  const System flow = slow_flow(model.system, 1);
  ASSERT_TRUE(flow.structure().conservative);
  const State end = moved(flow, model.start, 100.0, 1e-10);
  const double before = energy(flow, model.start), after = energy(flow, end);
  EXPECT_NEAR(after, before, 1e-8 * before);
  State projected = end;
  Evaluation ev;
  flow.prepare(ev);
  ASSERT_EQ(flow.project(projected, ev), Status::ok);
  EXPECT_LE(distance(projected, end), 1e-14);
  // energy is that of the model with its springs
  EXPECT_NEAR(before, energy(springs(model.system), model.start), 1e-14);
}

TEST(SlowFlow, DenseOutputLiesOnTheManifold) {
  const Slow model = double_pendulum_at(100.0);
  const System flow = slow_flow(model.system, 2);
  DormandPrince853 method{{.tol = 1e-10}};
  State s = model.start;
  ASSERT_EQ(method.start(flow, s), Status::ok);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(method.advance(flow, 10.0, s), Status::ok);
  State inside = s;
  const double t = s.t - 0.01;
  ASSERT_EQ(method.interpolate(flow, t, inside), Status::ok);
  EXPECT_LE(distance(inside, moved(flow, model.start, t, 1e-12)), 1e-8);
  Evaluation ev;
  flow.prepare(ev);
  State projected = inside;
  ASSERT_EQ(flow.project(projected, ev), Status::ok);
  EXPECT_LE(distance(projected, inside), 1e-14);
}

TEST(SlowFlow, CountsTheCoefficientsItEvaluates) {
  const auto cost = [](const Slow& model, int sweeps) {
    const System flow = slow_flow(model.system, sweeps);
    Accelerations accelerations;
    Vec a, lambda;
    EXPECT_EQ(accelerations.start(flow), Status::ok);
    EXPECT_EQ(accelerations(flow, model.start.t, model.start.q, model.start.v, a, lambda),
              Status::ok);
    return flow.hidden_evaluations();
  };
  const Slow undamped = compiled(pendulum_of_spring),
             damped = compiled(pendulum_of_spring, {{"d", 1e-3}});
  for (const int K : {1, 2, 3, 4}) {
    EXPECT_EQ(cost(undamped, K), 1 + K * (K + 1));
    EXPECT_EQ(cost(damped, K), 1 + 3 * K * (K + 1) / 2);
  }
}

TEST(SlowFlow, StepsDoNotAllocate) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted here";
  const Slow model = compiled(mixed);
  const System flow = slow_flow(model.system, 2);
  Rk4 method;
  State s = model.start;
  ASSERT_EQ(method.start(flow, s), Status::ok);
  const auto before = allocations();
  for (int i = 0; i < 5; ++i) ASSERT_EQ(method.step(flow, 0.01, s), Status::ok);
  EXPECT_EQ(allocations(), before);
}

TEST(SlowFlow, ImplicitMethodsAreRefusedAndAutoStaysExplicit) {
  const Slow model = double_pendulum_at(1e4);
  const System flow = slow_flow(model.system, 1);
  for (const char* implicit : {"radau", "cvode-bdf", "arkode", "ida", "newmark", "zhang-skeel"})
    EXPECT_TRUE(make_method(implicit, {})->info().derivatives) << implicit;
  for (const MethodInfo& info : all_methods()) {
    if (!info.derivatives) continue;
    // methods that do not take the velocities in the slow force are refused for these
    const char* const why = info.velocity_forces ? "derivatives" : "velocities";
    EXPECT_NE(fits(info, flow.structure()).text().find(why), std::string::npos) << info.name;
    auto method = make_method(info.name, {});
    ASSERT_TRUE(method);
    EXPECT_EQ((*method)->start(flow, model.start), Status::not_supported) << info.name;
    EXPECT_NE((*method)->message().find(why), std::string::npos) << info.name;
  }
  Automatic automatic{{.tol = 1e-8}};
  State s = model.start;
  ASSERT_EQ(automatic.start(flow, s), Status::ok);
  while (s.t < 1.0) ASSERT_EQ(automatic.advance(flow, 1.0, s), Status::ok);
  EXPECT_EQ(automatic.used(), "dop853");
  EXPECT_LE(distance(s, moved(flow, model.start, 1.0, 1e-12)), 1e-7);
}

TEST(SlowFlow, OtherReadingsOfItAreItself) {
  const System flow = slow_flow(double_pendulum_at(1e4).system, 1);
  EXPECT_EQ(springs(flow).shared(), flow.shared());
  EXPECT_EQ(equations(flow).shared(), flow.shared());
}

TEST(SlowFlow, AFailedProjectionLeavesTheStateAlone) {
  const Slow model = double_pendulum_at(1000.0);
  const System flow = slow_flow(model.system, 1);
  Evaluation ev;
  flow.prepare(ev);
  State far = model.start;
  far.q.head(2) *= 1e-9;
  far.v.setConstant(100.0);
  const State given = far;
  EXPECT_NE(flow.project(far, ev), Status::ok);
  EXPECT_EQ(far.q, given.q);
  EXPECT_EQ(far.v, given.v);
}

TEST(UsefulSweeps, AreFewerTheStifferTheModelIs) {
  const auto sweeps = [](double omega) {
    const Slow model = double_pendulum_at(omega);
    const SweepChoice choice = useful_sweeps(model.system, model.start);
    EXPECT_EQ(choice.status, Status::ok) << choice.reason;
    return choice.sweeps;
  };
  EXPECT_EQ(sweeps(100.0), 4);
  EXPECT_EQ(sweeps(300.0), 3);
  EXPECT_EQ(sweeps(1e4), 1);
}

TEST(UsefulSweeps, SayWhichVibrationIsTooSlow) {
  Problems problems{"test.toml"};
  Model model = read_model(pendulum_of_spring, problems);
  ASSERT_TRUE(model.set("C", 0.5));
  const CompiledModel soft = compile(model, problems);
  const SweepChoice choice = useful_sweeps(soft.system, soft.given);
  EXPECT_EQ(choice.status, Status::not_supported);
  EXPECT_EQ(choice.sweeps, 0);
  EXPECT_NE(choice.reason.find("'spring'"), std::string::npos) << choice.reason;
}

TEST(UsefulSweeps, RefuseCompliantRowsThatDependOnEachOther) {
  const std::string twice = pendulum_of_spring + R"toml(
[[constraint]]
name = "again"
zero = "(p.x^2 + p.y^2 - 1)/2"
compliance = "C"
)toml";
  Problems problems{"test.toml"};
  const CompiledModel model = compile(read_model(twice, problems), problems);
  problems.throw_if_any();
  const SweepChoice choice = useful_sweeps(model.system, model.given);
  EXPECT_EQ(choice.status, Status::not_supported);
  EXPECT_NE(choice.reason.find("depend on each other"), std::string::npos) << choice.reason;
}

TEST(UsefulSweeps, RigidRowsMayDependOnEachOther) {
  const std::string twice = mixed + R"toml(
[[rod]]
between = ["a", "p"]
length = 1
)toml";
  const Slow once = compiled(mixed), model = compiled(twice);
  const SweepChoice choice = useful_sweeps(model.system, model.start);
  EXPECT_EQ(choice.status, Status::ok) << choice.reason;
  EXPECT_LE(distance(moved(slow_flow(model.system, 2), once.start, 1.0, 1e-11),
                     moved(slow_flow(once.system, 2), once.start, 1.0, 1e-11)),
            1e-12);
}

}  // namespace
}  // namespace taut::test
