// SPDX-License-Identifier: BSD-3-Clause
#include "taut/slow/smooth_start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "smooth_pendulum.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {
namespace {

using Settings = std::vector<std::pair<std::string, double>>;

CompiledModel compiled(const std::string& toml, const Settings& settings = {}) {
  Problems problems{"test.toml"};
  Model model = read_model(toml, problems);
  for (const auto& [name, value] : settings) EXPECT_TRUE(model.set(name, value)) << name;
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

SmoothStart smooth_start_of(const CompiledModel& model, int order = 6) {
  return smooth_start(model.system, model.given, order);
}

// angle th from the downward vertical and angular speed w; on the rigid circle
const std::string pendulum_without_rod = R"toml(
[parameters]
eps = 1e-3
th = 1.2
w = 0.7
radial = 0
stretch = 0
[points.p]
mass = 1
at = ["(1 + stretch)*sin(th)", "-(1 + stretch)*cos(th)"]
velocity = ["w*cos(th) + radial*sin(th)", "w*sin(th) - radial*cos(th)"]
[[gravity]]
acceleration = [0, -1]
)toml";

const std::string pendulum = pendulum_without_rod + R"toml(
[[constraint]]
zero = "hypot(p.x, p.y) - 1"
compliance = "eps^2"
)toml";

const std::string double_pendulum = R"toml(
[parameters]
eps = 1e-3
th = 1.2
w = 0.7
ph = 0.4
u = -0.5
[points.a]
mass = 1
at = ["sin(th)", "-cos(th)"]
velocity = ["w*cos(th)", "w*sin(th)"]
[points.b]
mass = 1
at = ["sin(th) + sin(ph)", "-cos(th) - cos(ph)"]
velocity = ["w*cos(th) + u*cos(ph)", "w*sin(th) + u*sin(ph)"]
[[gravity]]
acceleration = [0, -1]
[[constraint]]
zero = "hypot(a.x, a.y) - 1"
compliance = "eps^2"
[[constraint]]
zero = "hypot(a.x - b.x, a.y - b.y) - 1"
compliance = "eps^2"
)toml";

// a moving anchor, rigid and compliant rows of two compliances, M(q), a force of velocity and time
const std::string mechanism = R"toml(
[parameters]
eps = 1e-3
[anchors]
hook = ["0.2*sin(2*t)", "0.1*cos(3*t)"]
[points]
a = { mass = 1, at = [0.9, -0.4], velocity = [0.3, 0.5] }
b = { mass = 0.7, at = [1.3, -1.3], velocity = [-0.2, 0.4] }
c = { mass = 1.3, at = [2.2, -1.5], velocity = [0.1, 0.6] }
[[kinetic]]
energy = "0.2*(1 + 0.5*sin(b.y + a.x))*c.vx^2 + 0.1*b.vx*c.vy"
[[gravity]]
acceleration = [0, -1]
[[force]]
on = "b.x"
value = "-0.3*b.vx*a.vy + 0.5*sin(2*t)"
[[rod]]
between = ["hook", "a"]
length = 1
compliance = "eps^2"
[[rod]]
between = ["a", "b"]
length = 1
[[rod]]
between = ["b", "c"]
length = 1
compliance = "0.3*eps^2"
)toml";

/// A system with other damping: g + d g' = C λ.
class Damped final : public SystemImplementation {
 public:
  Damped(System base, double d) : base_{std::move(base)}, structure_{base_.structure()} {
    structure_.d.setConstant(d);
    for (Row& row : structure_.rows) row.damping = d;
  }
  [[nodiscard]] const Structure& structure() const override { return structure_; }
  void prepare(Evaluation& out) const override { base_.prepare(out); }
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const override {
    return base_.evaluate(needs, at, out);
  }
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override {
    return base_.multipliers(at, lambda, out, all_rows);
  }
  [[nodiscard]] std::string culprit(const Arguments& at) const override {
    return base_.culprit(at);
  }

 private:
  System base_;
  Structure structure_;
};

double distance(const State& a, const State& b) {
  return std::hypot((a.q - b.q).norm(), (a.v - b.v).norm());
}

double slope(double error_1, double error_2, double eps_1, double eps_2) {
  return std::log(error_1 / error_2) / std::log(eps_1 / eps_2);
}

TEST(SmoothStart, AgreesWithTheClosedFormOfThePendulum) {
  // |y| - 1 at eps = 1e-2: its terms in eps^2 and eps^4, and in extended precision
  const CompiledModel model = compiled(pendulum, {{"eps", 1e-2}});
  const auto stretch = [&](int order) {
    return smooth_start_of(model, order).state.q.norm() - 1.0;
  };
  EXPECT_NEAR(stretch(6), 0.8523577545e-4 - 2.4910800e-8, 2e-11);
  EXPECT_NEAR(stretch(6), 8.521087423e-5, 1e-11);
  EXPECT_NEAR(stretch(10), 8.521087423e-5, 1e-14);
}

TEST(SmoothStart, ReproducesPointsComputedInExtendedPrecision) {
  const SmoothStart a = smooth_start_of(compiled(pendulum));
  const SmoothStart b = smooth_start_of(compiled(double_pendulum));
  ASSERT_EQ(a.status, Status::ok) << a.reason;
  ASSERT_EQ(b.status, Status::ok) << b.reason;
  const Vec qa{{0.9320398803956470, -0.3623580633342129}};
  const Vec va{{0.2536486038709687, 0.6524280694131264}};
  const Vec qb{{0.9320404860744875, -0.3623575765287117, 1.3214577937208275, -1.2834196128381492}};
  const Vec vb{{0.2536442499943388, 0.6524261732877752, -0.2068818846671154, 0.4577224837920528}};
  EXPECT_LE((a.state.q - qa).lpNorm<Eigen::Infinity>(), 1e-15);
  EXPECT_LE((a.state.v - va).lpNorm<Eigen::Infinity>(), 1e-15);
  EXPECT_LE((b.state.q - qb).lpNorm<Eigen::Infinity>(), 1e-13);
  EXPECT_LE((b.state.v - vb).lpNorm<Eigen::Infinity>(), 1e-13);
}

TEST(SmoothStart, DistanceToTheTruthFallsWithTheOrderClaimed) {
  // the truth is a power series in polar coordinates; eps so large that the error is above rounding
  const auto error = [](int order, double eps) {
    const SmoothStart s = smooth_start_of(compiled(pendulum, {{"eps", eps}}), order);
    EXPECT_EQ(s.status, Status::ok) << s.reason;
    EXPECT_EQ(s.order, order);
    return distance(s.state, smooth_pendulum({.C = eps * eps}));
  };
  EXPECT_NEAR(slope(error(2, 1e-2), error(2, 3e-4), 1e-2, 3e-4), 2.0, 0.1);
  EXPECT_NEAR(slope(error(4, 1e-2), error(4, 1e-3), 1e-2, 1e-3), 4.0, 0.1);
  EXPECT_NEAR(slope(error(6, 1e-2), error(6, 3e-3), 1e-2, 3e-3), 6.0, 0.2);
  EXPECT_NEAR(slope(error(8, 3e-2), error(8, 1e-2), 3e-2, 1e-2), 8.0, 0.3);
}

TEST(SmoothStart, UncertaintyIsTheDistanceToTheTruth) {
  for (const double eps : {1e-1, 3e-2, 1e-2, 3e-3})
    for (const int order : {2, 4, 6}) {
      const SmoothStart s = smooth_start_of(compiled(pendulum, {{"eps", eps}}), order);
      const State truth = smooth_pendulum({.C = eps * eps});
      SCOPED_TRACE(testing::Message() << "eps " << eps << ", order " << order);
      const double rounding = 1e-15;
      EXPECT_NEAR(s.uncertainty, (s.state.q - truth.q).norm(), 0.1 * s.uncertainty + rounding);
      EXPECT_LE((s.state.v - truth.v).norm(), 3.0 * s.velocity_uncertainty + rounding);
    }
}

TEST(SmoothStart, FollowsWeakDamping) {
  // g + d g' = C λ with d = eps: half of critical damping
  for (const double eps : {1e-2, 3e-3, 1e-3}) {
    const CompiledModel model = compiled(pendulum, {{"eps", eps}});
    const System damped{std::make_shared<Damped>(model.system, eps)};
    const State truth = smooth_pendulum({.C = eps * eps, .d = eps});
    // damping matters: without it the point is elsewhere
    ASSERT_GE(distance(truth, smooth_pendulum({.C = eps * eps})), 0.1 * std::pow(eps, 3));
    const SmoothStart s = smooth_start(damped, model.given);
    ASSERT_EQ(s.status, Status::ok) << s.reason;
    EXPECT_LE(distance(s.state, truth), 100.0 * std::pow(eps, 6) + 1e-15);
  }
}

TEST(SmoothStart, RefusesStrongDamping) {
  // g is then a slow variable of its own
  const CompiledModel model = compiled(pendulum);
  const SmoothStart s =
      smooth_start(System{std::make_shared<Damped>(model.system, 2.0)}, model.given);
  EXPECT_EQ(s.status, Status::not_supported);
  EXPECT_EQ(s.state.q, model.given.q);
}

/// Root mean square amplitude of the vibrations that are left on the true motion, which is computed
/// with the stiff springs as forces.
double vibration(const std::string& toml, double eps, int order) {
  const CompiledModel model = compiled(toml, {{"eps", eps}});
  const SmoothStart start = smooth_start_of(model, order);
  EXPECT_EQ(start.status, Status::ok) << start.reason;
  const System stiff = springs(model.system);
  DormandPrince853 method{{.tol = 1e-14}};
  State s = start.state;
  EXPECT_EQ(method.start(stiff, s), Status::ok);
  double sum = 0.0;
  constexpr int samples = 12;
  for (int k = 1; k <= samples; ++k) {
    const double stop = 2.0 * eps * k;
    while (s.t < stop)
      if (method.advance(stiff, stop, s) != Status::ok) return NAN;
    const SmoothStart there = smooth_start(model.system, s, 10);
    EXPECT_EQ(there.status, Status::ok) << there.reason;
    sum += std::pow(there.distance, 2) + std::pow(eps * there.velocity_distance, 2);
  }
  return std::sqrt(sum / samples);
}

TEST(SmoothStart, TrueMotionOfTheDoublePendulumStaysSmooth) {
  const auto left = [](int order, double eps) { return vibration(double_pendulum, eps, order); };
  EXPECT_NEAR(slope(left(2, 1e-2), left(2, 2e-3), 1e-2, 2e-3), 2.0, 0.2);
  EXPECT_NEAR(slope(left(4, 1e-2), left(4, 2e-3), 1e-2, 2e-3), 4.0, 0.2);
  EXPECT_NEAR(slope(left(6, 1e-2), left(6, 4e-3), 1e-2, 4e-3), 6.0, 0.2);
}

TEST(SmoothStart, TrueMotionOfAMechanismStaysSmooth) {
  const auto left = [](int order, double eps) { return vibration(mechanism, eps, order); };
  EXPECT_NEAR(slope(left(2, 1e-2), left(2, 2e-3), 1e-2, 2e-3), 2.0, 0.2);
  EXPECT_NEAR(slope(left(4, 1e-2), left(4, 2e-3), 1e-2, 2e-3), 4.0, 0.2);
  EXPECT_NEAR(slope(left(6, 1e-2), left(6, 4e-3), 1e-2, 4e-3), 6.0, 0.2);
}

TEST(SmoothStart, MultipliersAreThoseOfTheSprings) {
  const CompiledModel model = compiled(mechanism);
  const SmoothStart s = smooth_start_of(model);
  ASSERT_EQ(s.status, Status::ok) << s.reason;
  Evaluation ev;
  model.system.prepare(ev);
  const Arguments at{.t = s.state.t, .q = s.state.q, .v = s.state.v};
  ASSERT_EQ(model.system.evaluate(needs(Target::constraint, Target::constraint_jacobian,
                                        Target::constraint_rate, Target::force, Target::mass),
                                  at, ev),
            Status::ok);
  const Vec& C = model.system.structure().C;
  EXPECT_LE((ev.g - C.cwiseProduct(s.lambda)).lpNorm<Eigen::Infinity>(), 1e-15);
  EXPECT_LE((ev.M * s.a - ev.f + ev.G.transpose() * s.lambda).lpNorm<Eigen::Infinity>(), 1e-13);
  // rigid rows are rigid
  EXPECT_EQ(C[1], 0.0);
  EXPECT_LE(std::abs((ev.G * s.state.v + ev.g_t)[1]), 1e-15);
}

TEST(SmoothStart, LeavesASmoothStateWhereItIs) {
  for (const std::string& toml : {pendulum, double_pendulum, mechanism}) {
    const CompiledModel model = compiled(toml);
    const SmoothStart once = smooth_start_of(model, 8);
    const SmoothStart twice = smooth_start(model.system, once.state, 8);
    ASSERT_EQ(twice.status, Status::ok) << twice.reason;
    EXPECT_LE(twice.distance, 4e-15);
    EXPECT_LE(twice.velocity_distance, 4e-14);
    EXPECT_TRUE(twice.near);
  }
}

TEST(SmoothStart, MovesAlongTheConstraintForces) {
  // a pendulum is moved along its rod, also from a state that vibrates
  const CompiledModel model = compiled(pendulum, {{"stretch", 0.01}, {"radial", 0.02}});
  const SmoothStart s = smooth_start_of(model);
  ASSERT_EQ(s.status, Status::ok) << s.reason;
  EXPECT_FALSE(s.near);
  EXPECT_LE(std::abs(s.q_moved[0] * std::cos(1.2) + s.q_moved[1] * std::sin(1.2)), 1e-15);
  EXPECT_LE(std::abs(s.v_moved[0] * std::cos(1.2) + s.v_moved[1] * std::sin(1.2)), 1e-15);
  // and to the same place as from the circle
  EXPECT_LE(distance(s.state, smooth_start_of(compiled(pendulum)).state), 1e-14);
}

TEST(SmoothStart, SharesTheLoadOfParallelRodsByTheirStiffness) {
  const auto rod = [](const std::string& compliance) {
    return "[[constraint]]\nzero = \"hypot(p.x, p.y) - 1\"\ncompliance = \"" + compliance + "\"\n";
  };
  const CompiledModel both = compiled(pendulum_without_rod + rod("eps^2") + rod("3*eps^2"));
  const CompiledModel one = compiled(pendulum_without_rod + rod("0.75*eps^2"));
  const SmoothStart s = smooth_start_of(both), truth = smooth_start_of(one);
  ASSERT_EQ(s.status, Status::ok) << s.reason;
  EXPECT_EQ(s.redundant.size(), 1u);
  EXPECT_LE(distance(s.state, truth.state), 1e-14);
  EXPECT_NEAR(s.lambda[0], 0.75 * truth.lambda[0], 1e-12);
  EXPECT_NEAR(s.lambda[1], 0.25 * truth.lambda[0], 1e-12);

  // beside a rigid rod a compliant one carries nothing
  const SmoothStart rigid_one =
      smooth_start_of(compiled(pendulum_without_rod + rod("0") + rod("eps^2")));
  ASSERT_EQ(rigid_one.status, Status::ok) << rigid_one.reason;
  EXPECT_NEAR(rigid_one.state.q.norm(), 1.0, 1e-15);
  EXPECT_NEAR(rigid_one.lambda[1], 0.0, 1e-12);
}

TEST(SmoothStart, FromRestWithoutTension) {
  // released at the height of the anchor: λ = λ' = 0 and λ'' = 3, so that |y| - 1 = -3 eps^4 + ...
  const SmoothStart s =
      smooth_start_of(compiled(pendulum, {{"eps", 1e-2}, {"th", std::acos(0.0)}, {"w", 0.0}}));
  ASSERT_EQ(s.status, Status::ok) << s.reason;
  const State truth = smooth_pendulum({.C = 1e-4, .th = std::acos(0.0), .w = 0.0});
  EXPECT_NEAR(s.state.q.norm() - 1.0, -3e-8, 1e-10);
  EXPECT_LE(distance(s.state, truth), 1e-10);
  EXPECT_EQ(s.v_moved.norm(), 0.0);
}

TEST(SmoothStart, OfAnEquilibriumIsTheOneOfTheSprings) {
  // at rest, hanging or standing: |y| - 1 = C λ with λ = ±1, and nothing moves
  for (const double th : {0.0, std::acos(-1.0)}) {
    const SmoothStart s =
        smooth_start_of(compiled(pendulum, {{"eps", 1e-2}, {"th", th}, {"w", 0.0}}));
    ASSERT_EQ(s.status, Status::ok) << s.reason;
    EXPECT_NEAR(s.state.q.norm() - 1.0, 1e-4 * std::cos(th), 1e-15);
    EXPECT_LE(s.state.v.norm(), 1e-15);
  }
}

TEST(SmoothStart, SurvivesASmallFirstTerm) {
  // λ is small at the start and C λ'' is not: terms of the series fall from the second one on
  const SmoothStart s =
      smooth_start_of(compiled(pendulum, {{"eps", 0.1}, {"th", std::acos(0.0)}, {"w", 0.1}}));
  ASSERT_EQ(s.status, Status::ok) << s.reason;
  const State truth = smooth_pendulum({.C = 0.01, .th = std::acos(0.0), .w = 0.1});
  EXPECT_LE(distance(s.state, truth), 0.1 * s.distance);
}

TEST(SmoothStart, NeverLooksBeforeTheStart) {
  const auto pushed = [](const std::string& value) {
    return compiled(pendulum + "[[force]]\non = \"p.x\"\nvalue = \"" + value + "\"\n");
  };
  const SmoothStart ramp = smooth_start_of(pushed("max(t, 0)"));
  ASSERT_EQ(ramp.status, Status::ok) << ramp.reason;
  EXPECT_LE(distance(ramp.state, smooth_start_of(pushed("t")).state), 1e-15);
  // a force that is not smooth at the start has no smooth motion
  const CompiledModel rough = pushed("sqrt(t)");
  const SmoothStart none = smooth_start_of(rough);
  EXPECT_EQ(none.status, Status::not_supported);
  EXPECT_EQ(none.state.q, rough.given.q);
  EXPECT_FALSE(none.reason.empty());
}

TEST(SmoothStart, StopsAtTheBestOrderAndSaysSo) {
  const SmoothStart s = smooth_start_of(compiled(double_pendulum, {{"eps", 0.1}}), 12);
  ASSERT_EQ(s.status, Status::ok) << s.reason;
  EXPECT_LT(s.order, 12);
  EXPECT_NE(s.reason.find("best"), std::string::npos);
  // what is left is less than what was gained
  EXPECT_LE(s.uncertainty, 0.5 * s.distance);
}

TEST(SmoothStart, LeavesAloneWhatIsNotStiff) {
  const CompiledModel model = compiled(double_pendulum, {{"eps", 1.0}});
  const SmoothStart s = smooth_start_of(model);
  EXPECT_EQ(s.status, Status::not_supported);
  EXPECT_EQ(s.order, 0);
  EXPECT_FALSE(s.reason.empty());
  EXPECT_EQ(s.state.q, model.given.q);
  EXPECT_EQ(s.state.v, model.given.v);
}

TEST(SmoothStart, OfARigidModelIsItsConsistentStart) {
  const CompiledModel model = compiled(pendulum, {{"eps", 0.0}, {"radial", 0.1}});
  const SmoothStart s = smooth_start_of(model);
  const Start consistent = consistent_start(model.system, model.given);
  ASSERT_EQ(s.status, Status::ok);
  EXPECT_EQ(s.state.q, consistent.state.q);
  EXPECT_EQ(s.state.v, consistent.state.v);
  EXPECT_EQ(s.lambda, consistent.lambda);
  EXPECT_EQ(s.uncertainty, 0.0);
}

TEST(SmoothStart, FailsAsAConsistentStartDoes) {
  const CompiledModel model =
      compiled(pendulum + "[[constraint]]\nname = \"other\"\nzero = \"hypot(p.x, p.y) - 1.2\"\n");
  const SmoothStart s = smooth_start_of(model);
  EXPECT_EQ(s.status, Status::constraints_contradict);
  EXPECT_NE(s.reason.find("other"), std::string::npos) << s.reason;
  EXPECT_EQ(s.state.q, model.given.q);
}

TEST(SmoothStart, OfEliminatedRowsTakesTheirEquations) {
  const CompiledModel rigid_model = compiled(pendulum, {{"eps", 0.0}});
  const CompiledModel stiff = compiled(pendulum, {{"eps", 1.0 / 1024}});
  const System read = penalized(rigid_model.system, 1024.0);
  ASSERT_EQ(read.nc(), 0);
  EXPECT_EQ(smooth_start(equations(read), rigid_model.given).state.q,
            smooth_start_of(stiff).state.q);
}

TEST(NearSmoothMotion, TellsOversightFromVibration) {
  const auto near = [](const Settings& settings) {
    const CompiledModel model = compiled(pendulum, settings);
    return near_smooth_motion(model.system, model.given);
  };
  const double lambda = 0.49 + std::cos(1.2);
  for (const double eps : {1e-1, 1e-3, 1e-6, 1e-9}) {
    const double C = eps * eps;
    SCOPED_TRACE(eps);
    EXPECT_TRUE(near({{"eps", eps}}));
    EXPECT_TRUE(near({{"eps", eps}, {"stretch", C * lambda}}));
    EXPECT_TRUE(near({{"eps", eps}, {"radial", eps * lambda}}));
  }
  EXPECT_FALSE(near({{"eps", 1e-3}, {"stretch", 10 * 1e-6 * lambda}}));
  EXPECT_FALSE(near({{"eps", 1e-3}, {"stretch", -10 * 1e-6 * lambda}}));
  EXPECT_FALSE(near({{"eps", 1e-3}, {"radial", 10 * 1e-3 * lambda}}));
  // without tension, too
  EXPECT_TRUE(near({{"th", std::acos(0.0)}, {"w", 0.0}}));
  EXPECT_FALSE(near({{"th", std::acos(0.0)}, {"w", 0.0}, {"stretch", 1e-5}}));
  // rigid rows do not vibrate
  EXPECT_TRUE(near({{"eps", 0.0}, {"stretch", 0.1}}));
}

}  // namespace
}  // namespace taut::test
