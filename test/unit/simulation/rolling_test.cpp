// SPDX-License-Identifier: BSD-3-Clause
// Conditions on velocities, against motions that are known.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "gallery.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut {
namespace {

using testing::HasSubstr;

Model rolling_model(const std::string& text) {
  Problems problems{"rolling.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

std::string rolling_mistakes(const std::string& text) {
  Problems problems{"rolling.toml"};
  const Model model = read_model(text, problems);
  (void)compile(model, problems);
  return problems.message();
}

std::string knife_edge(double more_y = 0.0) {
  return fmt::format(R"toml(
[coordinates]
x   = {{ mass = 1 }}
y   = {{ mass = 1, velocity = {} }}
phi = {{ mass = 0.1, velocity = 2 }}
[[potential]]
energy = "-5*x"
[[rolling]]
name = "edge"
zero = "v(x)*sin(phi) - v(y)*cos(phi)"
[run]
until = 10
)toml",
                     more_y);
}

TEST(Rolling, KnifeEdgeOnAnInclineDriftsSidewaysAndComesBack) {
  const double g = 5, w = 2;
  for (const char* const method : {"dop853", "dopri5", "radau", "auto"}) {
    SCOPED_TRACE(method);
    const Result run =
        simulate(rolling_model(knife_edge()), {.every = 0.5, .method = method, .tol = 1e-11});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double t = m.t[k];
      EXPECT_NEAR(m["x"][k], g / (2 * w * w) * std::pow(std::sin(w * t), 2), 1e-8);
      EXPECT_NEAR(m["y"][k], g / (2 * w * w) * (w * t - std::sin(2 * w * t) / 2), 1e-8);
      EXPECT_NEAR(m["lambda(edge)"][k], 2 * g * std::sin(w * t), 1e-7);
      EXPECT_LT(m.max_velocity_constraint[k], 1e-13);
    }
    // reactions do no work
    ASSERT_TRUE(run.summary.energy_error);
    EXPECT_LT(*run.summary.energy_error, 1e-9);
  }
}

const char* const sleigh = R"toml(
[parameters]
a = 0.4
[coordinates]
x   = { mass = 1 }
y   = { mass = 1, velocity = 1.2 }
phi = { mass = 0.2, velocity = 3 }
[[rolling]]
zero = "v(x)*sin(phi) - v(y)*cos(phi) + a*v(phi)"
[run]
until = 4
)toml";

// angular velocity 3 sech(c t), direction (k/a) gd(c t)
TEST(Rolling, SleighTurnsUntilItGoesStraightOnWithTheOrdersOfTheMethods) {
  const double a = 0.4, k = std::sqrt(0.2 + a * a), U = 3 * k, c = a * U / (k * k), t = 4;
  const double phi = k / a * 2 * std::atan(std::tanh(c * t / 2));
  const Result run = simulate(rolling_model(sleigh), {.method = "dop853", .tol = 1e-12});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  EXPECT_NEAR(run.summary.state.q[2], phi, 1e-10);
  EXPECT_NEAR(run.summary.state.v[2], 3 / std::cosh(c * t), 1e-10);
  const double along =
      run.summary.state.v[0] * std::cos(phi) + run.summary.state.v[1] * std::sin(phi);
  EXPECT_NEAR(along, U * std::tanh(c * t), 1e-10);

  std::vector<double> errors;
  for (const double h : {0.04, 0.02}) {
    const Result steps = simulate(rolling_model(sleigh), {.method = "rk4", .step = h});
    ASSERT_EQ(steps.summary.status, Status::ok) << steps.summary.message;
    errors.push_back(std::abs(steps.summary.state.q[2] - phi));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.3) << errors[0] << ' ' << errors[1];
}

// Steady motion of a disc of radius r whose axis is inclined by theta and precesses at Omega:
// (C + m r²) s Omega sin theta - A Omega² sin theta cos theta + m g r cos theta = 0
TEST(Rolling, CoinGoesRoundInItsSteadyMotion) {
  const double m = 2, r = 0.5, g = 9.81, theta = 1.2, Omega = -1.5;
  const double A = m * r * r / 4, C = m * r * r / 2, s = std::sin(theta), z = std::cos(theta);
  const double spin = (A * Omega * Omega * s * z - m * g * r * z) / ((C + m * r * r) * Omega * s);
  const auto slip = [](const char* axis, const char* i) {
    // x' + R' Rᵀ d with d = -r (k - n n_z)/sqrt(1 - n_z²)
    std::string text = fmt::format("coin.v{}", axis);
    for (const char* const c : {"1", "2", "3"}) {
      text += fmt::format(" + v(coin.r{}{})*(", i, c);
      const char* plus = "";
      for (const auto& [j, d] :
           {std::pair{"1", "dx"}, std::pair{"2", "dy"}, std::pair{"3", "dz"}}) {
        text += fmt::format("{}coin.r{}{}*{}", plus, j, c, d);
        plus = " + ";
      }
      text += ")";
    }
    return text;
  };
  const std::string text = fmt::format(
      R"toml(
[parameters]
r = {}
[[body]]
name = "coin"
mass = {}
inertia = [{}, {}, {}]
at = [0, 0, {}]
velocity = [{}, 0, 0]
rotation = [{}, 0, 0]
spin = [0, {}, {}]
[definitions]
flat = "sqrt(coin.r13^2 + coin.r23^2)"
dx = "r*coin.r13*coin.r33/flat"
dy = "r*coin.r23*coin.r33/flat"
dz = "-r*flat"
[[constraint]]
name = "floor"
zero = "coin.z - r*flat"
[[rolling]]
zero = "{}"
[[rolling]]
zero = "{}"
[[gravity]]
acceleration = [0, 0, -9.81]
[run]
until = 8
)toml",
      r, m, A, A, C, r * s, -r * spin, theta, Omega * s, spin, slip("x", "1"), slip("y", "2"));
  const Result run = simulate(rolling_model(text), {.every = 1, .method = "dop853", .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& motion = run.motion;
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    const double turned = Omega * motion.t[k];
    EXPECT_NEAR(motion["coin.z"][k], r * s, 1e-8);
    // the axis is the cross product of the other two
    const auto column = [&](const char* entry) { return motion[std::string{"coin.r"} + entry][k]; };
    EXPECT_NEAR(column("21") * column("32") - column("31") * column("22"), s * std::sin(turned),
                1e-8);
    EXPECT_NEAR(column("31") * column("12") - column("11") * column("32"), -s * std::cos(turned),
                1e-8);
    // the floor carries the weight
    EXPECT_NEAR(motion["lambda(floor)"][k], motion["lambda(floor)"][0], 1e-6);
  }
  ASSERT_TRUE(run.summary.energy_error);
  EXPECT_LT(*run.summary.energy_error, 1e-8);
}

TEST(Rolling, OtherAdaptiveMethodsGoDownTheInclineToo) {
  for (const char* const method : {"projected-rk", "ida", "cvode-adams", "cvode-bdf", "arkode"}) {
    SCOPED_TRACE(method);
    const Result run =
        simulate(rolling_model(knife_edge()), {.every = 2, .method = method, .tol = 1e-9});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    const Motion& m = run.motion;
    for (std::size_t k = 0; k < m.rows(); ++k) {
      const double t = m.t[k];
      EXPECT_NEAR(m["x"][k], 5.0 / 8 * std::pow(std::sin(2 * t), 2), 1e-5);
      EXPECT_NEAR(m["y"][k], 5.0 / 8 * (2 * t - std::sin(4 * t) / 2), 1e-5);
      EXPECT_NEAR(m["lambda(edge)"][k], 10 * std::sin(2 * t), 1e-5);
      EXPECT_LT(m.max_velocity_constraint[k], 1e-12);
    }
  }
}

// with a spring, friction of the air, a mass that depends on the place, a constraint of places and
// conditions that move by themselves: the equations in momenta
const char* const towed_sleigh = R"toml(
[coordinates]
x   = { mass = 1 }
y   = { mass = 1, velocity = 1.2 }
phi = { mass = 0.2, velocity = 3 }
w   = { mass = 0.3 }
u   = { mass = 0.5 }
[[kinetic]]
energy = "0.2*(1 + x^2)*v(phi)^2"
[[potential]]
energy = "x^2 + 2*y^2"
[[force]]
on = "x"
value = "-0.1*v(x)"
[[constraint]]
zero = "w - x*y"
[[rolling]]
zero = "v(x)*sin(phi) - v(y)*cos(phi) + 0.4*v(phi) - 0.1*sin(t)"
[[rolling]]
zero = "v(u) - x*v(phi) + w*v(y)"
[run]
until = 2
)toml";

TEST(Rolling, RattleAndItsCompositionsHaveTheirOrders) {
  struct Case {
    std::string text;
    double until;
  };
  for (const Case& one : {Case{sleigh, 4}, Case{towed_sleigh, 2}}) {
    const Result truth =
        simulate(rolling_model(one.text), {.until = one.until, .method = "dop853", .tol = 1e-13});
    for (const auto& [method, order, h] :
         {std::tuple{"rattle", 2.0, 0.02}, std::tuple{"rattle-yoshida4", 4.0, 0.02},
          std::tuple{"rattle-suzuki4", 4.0, 0.04}}) {
      SCOPED_TRACE(method);
      std::vector<double> errors;
      for (const double step : {h, h / 2}) {
        const Result run =
            simulate(rolling_model(one.text), {.until = one.until, .method = method, .step = step});
        ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
        errors.push_back((run.summary.state.q - truth.summary.state.q).norm());
        EXPECT_LT(run.summary.max_velocity_constraint, 1e-13);
      }
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.25) << errors[0] << ' ' << errors[1];
    }
  }
}

TEST(Rolling, RattleRetracesItsPathAndItsEnergyDoesNotDrift) {
  // a coin that wobbles: not the steady motion
  const CompiledModel coin = compile(test::gallery("rolling_coin")).with_parameter("theta", 1.0);
  Vec q = coin.given.q, v = coin.given.v;
  const Start start = consistent_start(coin.system, {0.0, q, Vec{1.2 * v}});
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  Method method = make_method("rattle").value();
  State s = start.state;
  ASSERT_EQ(method->start(coin.system, s), Status::ok);
  constexpr double h = 5e-4;
  constexpr int steps = 300;
  for (int n = 0; n < steps; ++n) ASSERT_EQ(method->step(coin.system, h, s), Status::ok);
  const double way = (s.q - start.state.q).norm();
  EXPECT_GT(way, 0.5);  // of the axes
  for (int n = 0; n < steps; ++n) ASSERT_EQ(method->step(coin.system, -h, s), Status::ok);
  EXPECT_LT((s.q - start.state.q).norm(), 1e-10);
  EXPECT_LT((s.v - start.state.v).norm(), 1e-8);

  Evaluation ev;
  coin.system.prepare(ev);
  const auto energy = [&] {
    EXPECT_EQ(coin.system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                                   {.t = s.t, .q = s.q, .v = s.v}, ev),
              Status::ok);
    return ev.kinetic_energy + ev.potential_energy;
  };
  const double E0 = energy();
  std::vector<double> mean(4, 0.0);
  double most = 0.0;
  constexpr int quarter = 3000;
  for (double& m : mean)
    for (int n = 0; n < quarter; ++n) {
      ASSERT_EQ(method->step(coin.system, h, s), Status::ok);
      const double error = energy() - E0;
      m += error / quarter;
      most = std::max(most, std::abs(error));
    }
  EXPECT_GT(most, 1e-6 * E0);  // of order h^2, far above rounding
  EXPECT_LT(most, 1e-2 * E0);
  EXPECT_LT(std::abs(mean[3] - mean[0]), 0.02 * most) << mean[0] << ' ' << mean[3] << ' ' << most;
}

// The coin of the gallery, in closed form: it keeps its inclination, and its centre goes round.
TEST(Rolling, CoinOfTheGalleryGoesRoundInItsSteadyMotion) {
  const double r = 0.012, m = 0.01, g = 9.81, theta = 1.2, turn = -12, A = m * r * r / 4;
  const double s = std::sin(theta), z = std::cos(theta);
  const double spin = (A * turn * turn * s * z - m * g * r * z) / ((3 * m * r * r / 2) * turn * s);
  const Result run = simulate(test::gallery("rolling_coin"), {.every = 0.1, .tol = 1e-11});
  ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
  const Motion& motion = run.motion;
  const double radius = std::abs(r * spin / turn);
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    EXPECT_NEAR(motion["inclination"][k], theta, 1e-8);
    EXPECT_NEAR(motion["coin.z"][k], r * s, 1e-10);
    // about the point to the left of the start: v is along -x there
    const double x = motion["coin.x"][k], y = motion["coin.y"][k], phase = turn * motion.t[k];
    EXPECT_NEAR(std::hypot(x + r * spin / turn * std::sin(phase),
                           y - r * spin / turn * (std::cos(phase) - 1)),
                0.0, 1e-9)
        << radius;
  }
}

TEST(Rolling, DerivativesAreThoseOfDifferences) {
  const CompiledModel model = compile(rolling_model(R"toml(
[coordinates]
x = { mass = 1 }
y = { mass = 2 }
u = { mass = 3 }
[[rolling]]
zero = "v(x)*sin(u + t) - x*y*v(y)*cos(u) + t^2*x"
)toml"));
  const auto value = [](const Vec& q, const Vec& v, double t) {
    return v[0] * std::sin(q[2] + t) - q[0] * q[1] * v[1] * std::cos(q[2]) + t * t * q[0];
  };
  const auto A = [](const Vec& q, double t) {
    return Vec{{std::sin(q[2] + t), -q[0] * q[1] * std::cos(q[2]), 0.0}};
  };
  const Vec q{{0.3, -1.2, 0.7}}, v{{1.1, 0.4, -0.9}}, a = Vec::Zero(3), lambda{{1.7}};
  const double t = 0.6, h = 1e-6;
  Evaluation ev;
  model.system.prepare(ev);
  ASSERT_EQ(model.system.evaluate(
                needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
                      Target::constraint_curvature, Target::velocity_jacobian, Target::stiffness,
                      Target::constraint_stiffness, Target::damping),
                {.t = t, .q = q, .v = v, .a = &a, .lambda = &lambda}, ev),
            Status::ok);
  EXPECT_EQ(ev.g[0], 0.0);
  EXPECT_NEAR((Mat{ev.G}.row(0).transpose() - A(q, t)).norm(), 0.0, 1e-14);
  EXPECT_NEAR(ev.g_t[0], t * t * q[0], 1e-14);
  EXPECT_NEAR(ev.curvature[0], (value(q + h * v, v, t + h) - value(q - h * v, v, t - h)) / (2 * h),
              1e-8);
  for (Index j = 0; j < 3; ++j) {
    const Vec e = h * Vec::Unit(3, j);
    EXPECT_NEAR(Mat{ev.N}(0, j), (value(q + e, v, t) - value(q - e, v, t)) / (2 * h), 1e-8);
    const Vec column = lambda[0] * (A(q + e, t) - A(q - e, t)) / (2 * h);
    EXPECT_NEAR((Mat{ev.K}.col(j) - column).norm(), 0.0, 1e-8);
    EXPECT_NEAR((Mat{ev.H}.col(j) - column).norm(), 0.0, 1e-8);
  }
  EXPECT_EQ(Mat{ev.D}.norm(), 0.0);
  EXPECT_FALSE(model.system.structure().conservative);  // b gives and takes energy
}

// velocities are moved by the smallest amount, positions not at all
TEST(Rolling, StartsAreMadeConsistent) {
  const CompiledModel model = compile(rolling_model(knife_edge(3.0)));
  const Start start = consistent_start(model.system, model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  EXPECT_EQ(start.state.q, model.given.q);
  EXPECT_NEAR(start.state.v[1], 0.0, 1e-14);
  // said twice, it is said once
  const CompiledModel twice = compile(
      rolling_model(knife_edge() + "[[rolling]]\nzero = \"2*v(x)*sin(phi) - 2*v(y)*cos(phi)\"\n"));
  EXPECT_EQ(consistent_start(twice.system, twice.given).redundant.size(), 1U);
}

TEST(Rolling, MistakesAndMethodsThatDoNotTreatItAreSaidInWords) {
  const std::string body = "[coordinates]\nx = { mass = 1 }\n[states]\nI = { rate = 1 }\n";
  EXPECT_THAT(rolling_mistakes(body + "[[rolling]]\nzero = \"x\"\n"), HasSubstr("no velocity"));
  EXPECT_THAT(rolling_mistakes(body + "[[rolling]]\nzero = \"v(x)^2\"\n"), HasSubstr("affine"));
  EXPECT_THAT(rolling_mistakes(body + "[[rolling]]\nzero = \"sin(v(x))\"\n"), HasSubstr("affine"));
  EXPECT_THAT(rolling_mistakes(body + "[[rolling]]\nzero = \"v(x) - I\"\n"),
              HasSubstr("first-order state"));
  for (const char* const method : {"verlet", "shake", "gauss-newton", "zhang-skeel"}) {
    SCOPED_TRACE(method);
    try {
      const Result run = simulate(rolling_model(knife_edge()), {.method = method});
      EXPECT_NE(run.summary.status, Status::ok);
      EXPECT_THAT(run.summary.message, HasSubstr("[[rolling]]"));
    } catch (const ModelError& error) {
      EXPECT_THAT(error.what(), HasSubstr("[[rolling]]"));
    }
  }
  // nothing rests on an incline
  const CompiledModel model = compile(rolling_model(knife_edge()));
  EXPECT_TRUE(equilibria(model.system, model.given).found.empty());
}

}  // namespace
}  // namespace taut
