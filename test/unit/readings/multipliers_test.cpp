// SPDX-License-Identifier: BSD-3-Clause
// Forces that read multipliers: against closed forms, motions in other coordinates, differences.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "long_double_ode.hpp"
#include "model/accelerations.hpp"
#include "model/read_multipliers.hpp"
#include "readings/readings.hpp"
#include "taut/core/problems.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/readings/with_force.hpp"
#include "taut/run/integrate.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/simulation/simulation.hpp"

namespace taut {
namespace {

CompiledModel compiled(const std::string& text) {
  Problems problems{"test"};
  const Model model = read_model(text, problems);
  problems.throw_if_any();
  return compile(model);
}

/// What is wrong with a model, in words.
std::string mistakes(const std::string& text) {
  try {
    static_cast<void>(compiled(text));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

Result run(const std::string& text, const std::string& method, double until, double tol = 1e-11) {
  Problems problems{"test"};
  const Model model = read_model(text, problems);
  problems.throw_if_any();
  SimulationOptions options;
  options.method = method;
  options.until = until;
  if (method == "rk4" || method == "rattle")
    options.step = 0.001;
  else
    options.tol = tol;
  return simulate(model, options);
}

// A block on a slope of angle 0.5, s uphill; the plane pushes with lambda(plane).
std::string block(double mu, double speed) {
  return R"toml(
name = "block"
[parameters]
mu = )toml" +
         std::to_string(mu) + R"toml(
slope = 0.5
[points]
block = { mass = 2, at = [0, 0], velocity = [")toml" +
         std::to_string(speed) + R"toml(*cos(slope)", ")toml" + std::to_string(speed) +
         R"toml(*sin(slope)"] }
[[constraint]]
name = "plane"
zero = "block.x*sin(slope) - block.y*cos(slope)"
[definitions]
s = "block.vx*cos(slope) + block.vy*sin(slope)"
friction = "mu*abs(lambda(plane))*sign(s)"
[[force]]
on = "block"
value = ["-friction*cos(slope)", "-friction*sin(slope)"]
[[gravity]]
acceleration = [0, -9.81]
)toml";
}

TEST(ForcesOfMultipliers, BlockSlidesUpAndDownASlope) {
  const double g = 9.81, mu = 0.3, speed = 4.0;
  const double up = g * (std::sin(0.5) + mu * std::cos(0.5));
  const double down = g * (std::sin(0.5) - mu * std::cos(0.5));
  const double turn = speed / up, T = 1.7;
  ASSERT_GT(T, turn);
  const double s = speed * speed / (2 * up) - down * (T - turn) * (T - turn) / 2;
  for (const char* method : {"dop853", "dopri5", "radau"}) {
    SCOPED_TRACE(method);
    const Result result = run(block(mu, speed), method, T);
    ASSERT_TRUE(result.summary.good()) << result.summary.message;
    const State& end = result.summary.state;
    EXPECT_NEAR(end.q[0], s * std::cos(0.5), 1e-9);
    EXPECT_NEAR(end.q[1], s * std::sin(0.5), 1e-9);
    EXPECT_NEAR(end.v[0], -down * (T - turn) * std::cos(0.5), 1e-9);
  }
}

TEST(ForcesOfMultipliers, BlockSticksWhereTheSlopeIsLessThanTheCoefficient) {
  const double g = 9.81, mu = 0.7, speed = 4.0;
  const double rest = speed * speed / (2 * g * (std::sin(0.5) + mu * std::cos(0.5)));
  for (const char* method : {"dop853", "dopri5", "radau"}) {
    SCOPED_TRACE(method);
    const Result result = run(block(mu, speed), method, 3.0);
    ASSERT_TRUE(result.summary.good()) << result.summary.message;
    EXPECT_NEAR(std::hypot(result.summary.state.q[0], result.summary.state.q[1]), rest, 1e-9);
    EXPECT_LE(result.summary.state.v.norm(), 1e-9);
  }
}

std::string hoop(const std::string& friction) {
  return R"toml(
name = "hoop"
[points]
bead = { mass = 1, at = [0, -1], velocity = [9, 0] }
[[constraint]]
name = "hoop"
zero = "hypot(bead.x, bead.y) - 1"
[definitions]
slip = "bead.x*bead.vy - bead.y*bead.vx"
[[force]]
on = "bead"
value = [")toml" +
         friction + R"toml(*bead.y", "-)toml" + friction + R"toml(*bead.x"]
[[gravity]]
acceleration = [0, -9.81]
)toml";
}

TEST(ForcesOfMultipliers, BeadOnARoughHoopMovesAsItsAngle) {
  // to the first turning point: N changes its sign on the way
  const test::LongVec truth = test::solve(
      [](long double, const test::LongVec& y, test::LongVec& dy) {
        dy[0] = y[1];
        dy[1] = -9.81L * std::sin(y[0]) -
                0.2L * std::abs(9.81L * std::cos(y[0]) + y[1] * y[1]) * (y[1] > 0 ? 1 : -1);
      },
      {0, 9}, 0, 0.6L, 1e-4L);
  const auto s = static_cast<double>(truth[0]);
  for (const char* method : {"dop853", "dopri5", "radau", "cvode-bdf", "projected-rk"}) {
    SCOPED_TRACE(method);
    const Result result = run(hoop("0.2*abs(lambda(hoop))*sign(slip)"), method, 0.6, 1e-10);
    ASSERT_TRUE(result.summary.good()) << result.summary.message;
    EXPECT_NEAR(result.summary.state.q[0], std::sin(s), 2e-8);
    EXPECT_NEAR(result.summary.state.q[1], -std::cos(s), 2e-8);
  }
}

TEST(ForcesOfMultipliers, EnergyBalanceClosesWithFrictionAndStick) {
  const Result result = run(hoop("0.2*abs(lambda(hoop))*sign(slip)"), "dop853", 3.0, 1e-10);
  ASSERT_TRUE(result.summary.good()) << result.summary.message;
  ASSERT_TRUE(result.summary.energy_balance_error.has_value());
  EXPECT_LE(*result.summary.energy_balance_error, 1e-8);
  EXPECT_LE(result.summary.state.v.norm(), 1e-8);  // it has come to rest
}

TEST(ForcesOfMultipliers, JumpsOfMultipliersAreLocated) {
  // the tension of a mass that turns is v²: the thrust changes where that is 15
  const std::string text = R"toml(
name = "rotor"
[points]
p = { mass = 1, at = [1, 0], velocity = [0, 1] }
[[rod]]
name = "rope"
between = ["origin", "p"]
[definitions]
thrust = "5 - 3*less(lambda(rope), 15)"
[[force]]
on = "p"
value = ["-thrust*p.y", "thrust*p.x"]
)toml";
  const double turn = (std::sqrt(15.0) - 1) / 2, speed = std::sqrt(15.0) + 5 * (2 - turn);
  for (const char* method : {"dop853", "radau"}) {
    SCOPED_TRACE(method);
    const Result result = run(text, method, 2.0);
    ASSERT_TRUE(result.summary.good()) << result.summary.message;
    EXPECT_NEAR(result.summary.state.v.norm(), speed, 1e-8);
  }
  // a thrust that lets the tension fall as soon as it is there goes to and fro
  std::string back = text;
  back.replace(back.find("5 - 3*"), 6, "-2 + 4*");
  EXPECT_EQ(run(back, "dop853", 3.0).summary.status, Status::stalled);
}

TEST(ForcesOfMultipliers, RatesOfStatesReadThem) {
  // of a mass that turns at a constant rate: z' = v², and no work is done by it
  const Result result = run(R"toml(
name = "rotor"
[points]
p = { mass = 1, at = [1, 0], velocity = [0, 3] }
[[rod]]
name = "rope"
between = ["origin", "p"]
[states]
z = { at = 1, rate = "lambda(rope) - z" }
)toml",
                            "dop853", 2.0);
  ASSERT_TRUE(result.summary.good()) << result.summary.message;
  EXPECT_NEAR(result.summary.state.v[2], 9 - 8 * std::exp(-2.0), 1e-9);
  EXPECT_LE(result.summary.energy_balance_error.value_or(0.0), 1e-10);
}

// Multipliers --------------------------------------------------------------------------------

/// The multipliers that a formula read are those of the accelerations.
void expect_consistent(const System& system, const State& at, const Vec& expected) {
  Accelerations accelerations;
  ASSERT_EQ(accelerations.start(system), Status::ok);
  Vec a(system.nq()), lambda(system.nc()), all;
  ASSERT_EQ(accelerations(system, at.t, at.q, at.v, a, lambda), Status::ok);
  Evaluation ev;
  system.prepare(ev);
  ASSERT_EQ(system.multipliers({.t = at.t, .q = at.q, .v = at.v}, lambda, ev, all), Status::ok);
  ASSERT_EQ(all.size(), expected.size());
  for (Index r = 0; r < all.size(); ++r)
    EXPECT_NEAR(all[r], expected[r], 1e-12 * (1 + std::abs(expected[r])));
}

TEST(ForcesOfMultipliers, AffineAndNotAffineFormulasAreSolvedToRounding) {
  // N = m g - f_y with f_x = c N on a level plane: a_x = c g + ...; here the force has a part c N
  // along y too, so that N = (m g)/(1 + c) and for c N² the root of c N² + N = m g
  for (const auto& [formula, N] :
       {std::pair{std::string{"0.5*lambda(floor)"}, 9.81 / 1.5},
        std::pair{std::string{"0.1*lambda(floor)^2"}, (-1 + std::sqrt(1 + 4 * 0.1 * 9.81)) / 0.2},
        std::pair{std::string{"0.5*abs(lambda(floor))"}, 9.81 / 1.5}}) {
    SCOPED_TRACE(formula);
    const CompiledModel model = compiled(R"toml(
name = "floor"
[points]
p = { mass = 1, at = [0, 0] }
[[constraint]]
name = "floor"
zero = "-p.y"
[[force]]
on = "p"
value = [0, ")toml" + formula + R"toml("]
[[gravity]]
acceleration = [0, -9.81]
)toml");
    if (formula.find('^') != std::string::npos) {
      // a square is as large on the other side: there is a second root
      Accelerations accelerations;
      const System system = springs(model.system);
      ASSERT_EQ(accelerations.start(system), Status::ok);
      Vec a(2), lambda(1);
      EXPECT_EQ(accelerations(system, 0.0, model.given.q, model.given.v, a, lambda),
                Status::multipliers_undetermined);
      continue;
    }
    expect_consistent(springs(model.system), model.given, Vec{{N}});
  }
}

// Bodies, planes, compliant rows, states: everything that a derivative can go through.
const char* const everything_text = R"toml(
name = "everything"
[points]
a = { mass = 1.1, at = [1, 0.1, 0.2], velocity = [0.2, 1, -0.3] }
b = { mass = 0.7, at = [1.6, 0.9, -0.3], velocity = [0.1, 0.4, 0.5] }
c = { mass = 0.9, at = [2.4, 0.2, 0.1], velocity = [-0.3, 0.2, 0.6] }
[coordinates]
phi = { mass = 0.4, at = 0.3, velocity = 0.8 }
[[constraint]]
name = "shell"
zero = "hypot(a.x, hypot(a.y, a.z)) - 1 - 0.1*sin(2*t + a.x)"
[[rod]]
name = "bar"
between = ["a", "b"]
[[rod]]
name = "soft"
between = ["b", "c"]
length = 1
compliance = 0.02
damping = 3
[[rolling]]
name = "skate"
zero = "c.vx*sin(phi) - c.vy*cos(phi) + 0.1*c.z"
[states]
z = { at = 0.4, rate = "lambda(bar)*a.x - z + lambda(soft)" }
[[force]]
on = "a"
value = ["-0.2*lambda(shell)*a.vx", "-0.2*lambda(shell)*a.vy*z", "-0.1*lambda(bar)*lambda(shell)"]
[[force]]
on = "b"
value = ["0.1*sqrt(1 + lambda(soft)^2 + lambda(skate)^2)", "0.3*lambda(soft)*b.vy", "0.2*lambda(skate)*phi"]
[[force]]
on = "phi"
value = "0.05*lambda(bar)*sin(phi) + 0.1*lambda(skate)"
[[event]]
name = "seen"
zero = "lambda(shell)*b.x + lambda(soft)*v(phi) + z"
[[gravity]]
acceleration = [0.3, -9.81, 0.2]
)toml";

/// All derivatives of a reading against central differences of what they are derivatives of.
void expect_derivatives(const System& system, const State& at) {
  const Index nq = system.nq();
  Evaluation ev, near;
  system.prepare(ev);
  system.prepare(near);
  const Vec a = Vec::LinSpaced(nq, -0.7, 0.9), lambda = Vec::LinSpaced(system.nc(), 0.4, -1.1);
  ASSERT_EQ(system.evaluate(needs(Target::stiffness, Target::damping, Target::observable_q,
                                  Target::observable_v),
                            {.t = at.t, .q = at.q, .v = at.v, .a = &a, .lambda = &lambda}, ev),
            Status::ok);
  const auto residual = [&](const Vec& q, const Vec& v, Vec& r, Vec& seen) {
    ASSERT_EQ(system.evaluate(needs(Target::mass, Target::force, Target::constraint_jacobian,
                                    Target::observable),
                              {.t = at.t, .q = q, .v = v}, near),
              Status::ok);
    const Sparse& M = system.structure().mass_constant ? system.structure().M : near.M;
    r = M * a - near.f + near.G.transpose() * lambda;
    seen = near.observable;
  };
  const double h = 1e-5;
  for (const bool of_q : {true, false}) {
    const Mat K = of_q ? Mat(ev.K) : Mat(ev.D);
    const Mat seen_x = of_q ? Mat(ev.observable_q) : Mat(ev.observable_v);
    for (Index j = 0; j < nq; ++j) {
      Vec q = at.q, v = at.v, plus, minus, seen_plus, seen_minus;
      Vec& x = of_q ? q : v;
      x[j] += h;
      residual(q, v, plus, seen_plus);
      x[j] -= 2 * h;
      residual(q, v, minus, seen_minus);
      const Vec difference = (plus - minus) / (2 * h);
      for (Index i = 0; i < nq; ++i)
        EXPECT_NEAR(K(i, j), difference[i], 2e-6 * (1 + std::abs(difference[i])))
            << (of_q ? "q " : "v ") << i << ' ' << j;
      const Vec seen = (seen_plus - seen_minus) / (2 * h);
      for (Index i = 0; i < seen.size(); ++i)
        EXPECT_NEAR(seen_x(i, j), seen[i], 2e-6 * (1 + std::abs(seen[i])))
            << (of_q ? "observable q " : "observable v ") << i << ' ' << j;
    }
  }
}

TEST(ForcesOfMultipliers, DerivativesAreThoseOfTheWhole) {
  const CompiledModel model = compiled(everything_text);
  const Start start = consistent_start(springs(model.system), model.given);
  ASSERT_EQ(start.status, Status::ok);
  for (const System& system : {springs(model.system), equations(model.system), rigid(model.system)})
    expect_derivatives(system, start.state);
  // conditions on velocities are no springs
  std::string holonomic = everything_text;
  const std::size_t from = holonomic.find("[[rolling]]"), to = holonomic.find("[states]");
  holonomic.erase(from, to - from);
  for (std::size_t at; (at = holonomic.find("lambda(skate)")) != std::string::npos;)
    holonomic.replace(at, 13, "lambda(shell)");
  const CompiledModel stiff = compiled(holonomic);
  expect_derivatives(penalized(stiff.system, 20.0), stiff.given);
}

TEST(ForcesOfMultipliers, SpringsAndEquationsReadTheSameMultipliers) {
  const CompiledModel model = compiled(everything_text);
  const Start start = consistent_start(springs(model.system), model.given);
  ASSERT_EQ(start.status, Status::ok);
  const State& at = start.state;
  Evaluation as_springs, as_equations;
  const System sprung = springs(model.system), equal = equations(model.system);
  sprung.prepare(as_springs);
  equal.prepare(as_equations);
  const Needs wanted = needs(Target::force, Target::observable);
  ASSERT_EQ(sprung.evaluate(wanted, {.t = at.t, .q = at.q, .v = at.v}, as_springs), Status::ok);
  ASSERT_EQ(equal.evaluate(wanted, {.t = at.t, .q = at.q, .v = at.v}, as_equations), Status::ok);
  EXPECT_EQ(as_springs.observable[0], as_equations.observable[0]);
  // the force of the soft rod is on one side only
  const Index phi = 9;
  EXPECT_EQ(as_springs.f[phi], as_equations.f[phi]);
  expect_consistent(sprung, at, start.lambda);
}

TEST(ForcesOfMultipliers, TakeForcesOfABlackBoxIntoAccount) {
  // a box presses the block against the plane: friction follows
  const CompiledModel model = compiled(block(0.3, 1.0));
  BlackBoxForce press;
  press.coordinates = {"block.y"};
  press.force = [](double, const Vec&, const Vec&, Vec& f) {
    f[0] = -5.0;
    return Status::ok;
  };
  const System system = with_force(springs(model.system), press);
  const double N = (2 * 9.81 + 5) * std::cos(0.5);
  expect_consistent(system, model.given, Vec{{N}});
}

TEST(ForcesOfMultipliers, AHeldRunReadsTheSame) {
  Problems problems{"test"};
  const Model model =
      read_model(block(0.3, 4.0) + "[outputs]\nfelt = \"0.3*abs(lambda(plane))\"\n", problems);
  problems.throw_if_any();
  Simulation held{model, {.until = Value{0.3}, .method = "dop853"}};
  ASSERT_EQ(held.advance_to(0.2), Status::ok);
  const double N = 2 * 9.81 * std::cos(0.5);
  EXPECT_NEAR(held["lambda(plane)"], N, 1e-10);
  EXPECT_NEAR(held["felt"], 0.3 * N, 1e-10);
  // a parameter that the friction reads
  ASSERT_EQ(held.set_parameter("mu", 0.0), Status::ok);
  const double v = std::hypot(held["block.vx"], held["block.vy"]);
  ASSERT_EQ(held.advance_to(0.3), Status::ok);
  EXPECT_NEAR(std::hypot(held["block.vx"], held["block.vy"]), v - 0.981 * std::sin(0.5), 1e-8);
  // without friction the model has no force that works; what friction has done counts on
  const double way = 4.0 * 0.2 - 9.81 * (std::sin(0.5) + 0.3 * std::cos(0.5)) * 0.2 * 0.2 / 2;
  EXPECT_NEAR(held["work"], -0.3 * N * way, 1e-8);
}

// What has no motion ------------------------------------------------------------------------------

// a rod that slides on a rough floor, its tip ahead: painleve1895
std::string painleve(double mu) {
  return R"toml(
name = "rod"
[parameters]
mu = )toml" +
         std::to_string(mu) + R"toml(
[[body]]
name = "rod"
mass = 1
inertia = "1/3"
at = ["-cos(1.0)", "sin(1.0)"]
rotation = -1.0
velocity = [1, 0]
markers = { tip = [1, 0] }
[[constraint]]
name = "floor"
zero = "-rod.tip.y"
[[force]]
on = "rod.tip"
value = ["-mu*abs(lambda(floor))*sign(rod.tip.vx)", 0]
[[force]]
on = "rod"
value = [0, -9.81]
)toml";
}

TEST(ForcesOfMultipliers, FrictionThatCausesMorePressureThanItNeedsIsRefused) {
  // n = (0, 1), t = (1, 0), tip ahead of the centre by (cos, -sin): the tip accelerates upwards per
  // unit of N - mu N along t by 1 + 3 cos (cos - mu sin), which is negative for large mu
  const double angle = 1.0, c = std::cos(angle), s = std::sin(angle);
  const double border = (1 / (3 * c) + c) / s;
  const Result slides = run(painleve(0.9 * border), "dop853", 0.05);
  EXPECT_TRUE(slides.summary.good()) << slides.summary.message;
  const Result stuck = run(painleve(1.1 * border), "dop853", 0.05);
  EXPECT_EQ(stuck.summary.status, Status::multipliers_undetermined) << stuck.summary.message;
}

TEST(ForcesOfMultipliers, RedundantConstraintsAreRefusedWhereTheirsAreRead) {
  const std::string twice = R"toml(
name = "twice"
[points]
p = { mass = 1, at = [1, 0] }
[[rod]]
name = "one"
between = ["origin", "p"]
[[rod]]
name = "two"
between = ["origin", "p"]
[[gravity]]
acceleration = [0, -9.81]
)toml";
  EXPECT_TRUE(run(twice, "dop853", 0.5).summary.good());
  const Result read =
      run(twice + "[[force]]\non = \"p\"\nvalue = [0, \"-0.1*lambda(one)*p.vy\"]\n", "dop853", 0.5);
  EXPECT_EQ(read.summary.status, Status::multipliers_redundant) << read.summary.message;
}

TEST(ForcesOfMultipliers, MistakesAreNamed) {
  const std::string text = R"toml(
name = "mistakes"
[points]
p = { mass = 1, at = [1, 0] }
[[rod]]
name = "rope"
between = ["origin", "p"]
[[force]]
on = "p"
)toml";
  const auto of = [&](const std::string& value) {
    return mistakes(text + "value = [0, \"" + value + "\"]\n");
  };
  EXPECT_EQ(of("lambda(rope)"), "");
  EXPECT_NE(of("lambda(rop)").find("did you mean 'lambda(rope)'?"), std::string::npos)
      << of("lambda(rop)");
  EXPECT_NE(of("lambda(p)").find("there is no constraint 'p'"), std::string::npos);
  EXPECT_NE(of("lambda(1)").find("takes a name"), std::string::npos);
  const std::string energy =
      mistakes(text + "value = [0, 0]\n[[potential]]\nenergy = \"lambda(rope)*p.x\"\n");
  EXPECT_NE(energy.find("is a multiplier, which cannot be used here"), std::string::npos) << energy;
}

}  // namespace
}  // namespace taut
