// SPDX-License-Identifier: BSD-3-Clause
// [[stop]] and [[contact]] against closed forms, laws of conservation and each other.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "models.hpp"
#include "taut/model/compile.hpp"

namespace taut {
namespace {

using test::stated;

Result run_to(const Model& model, double tol, const char* method = "") {
  SimulationOptions options{.method = method};
  options.tol = tol;
  return simulate(model, options);
}

// Two spheres of the mass m at the speed v: with the reduced mass M = m/2,
//   M u'^2/2 + 2/5 k u^(5/2) = M v^2/2,  so that  u_max = (5 M v^2/(4 k))^(2/5),
//   T = 2 u_max/v Int_0^1 dx/sqrt(1 - x^(5/2)) = 4/5 B(2/5, 1/2) u_max/v.
struct Hertz {
  double m = 0.3, R = 0.05, v = 1.3, E = 2e9, nu = 0.3;
  double k = 4.0 / 3.0 * (E / (2 * (1 - nu * nu))) * std::sqrt(R / 2);
  double deepest = std::pow(5 * (m / 2) * v * v / (4 * k), 0.4);
  double beta = std::tgamma(0.4) * std::tgamma(0.5) / std::tgamma(0.9);
  double time = 0.8 * beta * deepest / v;
  double force = k * std::pow(deepest, 1.5);

  [[nodiscard]] Model model(double gap, double until) const {
    return stated(fmt::format(R"toml(
[points]
a = {{ mass = {m}, at = [0, 0, 0], velocity = [{v}, 0, 0] }}
b = {{ mass = {m}, at = [{d}, 0, 0] }}
[[contact]]
name = "hit"
among = ["a", "b"]
radius = {R}
young = {E}
poisson = {nu}
[[event]]
name = "apart"
zero = "b.x - a.x - 2*{R}"
direction = "rising"
[run]
until = {until}
)toml",
                              fmt::arg("m", m), fmt::arg("v", v), fmt::arg("d", 2 * R + gap),
                              fmt::arg("R", R), fmt::arg("E", E), fmt::arg("nu", nu),
                              fmt::arg("until", until)));
  }
};

class HertzImpact : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, HertzImpact, testing::Values("dop853", "dopri5", "radau"),
                         [](const auto& method) { return std::string{method.param}; });

TEST_P(HertzImpact, HasTheTimeAndTheForceOfTheClosedForm) {
  const Hertz hertz;
  EXPECT_NEAR(0.8 * hertz.beta, 2.943275, 1e-6);
  const double gap = 0.1 * hertz.R, reached = gap / hertz.v;
  // deepest in the middle
  const Result half = run_to(hertz.model(gap, reached + hertz.time / 2), 1e-11, GetParam());
  ASSERT_TRUE(half.good()) << half.summary.message;
  EXPECT_NEAR(half.motion["hit.force"].back(), hertz.force, 1e-6 * hertz.force);
  EXPECT_NEAR(half.motion["hit.penetration"].back(), hertz.deepest, 1e-6 * hertz.deepest);
  const Result whole = run_to(hertz.model(gap, reached + 3 * hertz.time), 1e-11, GetParam());
  ASSERT_TRUE(whole.good()) << whole.summary.message;
  ASSERT_EQ(whole.summary.events.size(), 1U);
  EXPECT_NEAR(whole.summary.events[0].state.t - reached, hertz.time, 1e-6 * hertz.time);
  EXPECT_NEAR(whole.motion["b.vx"].back(), hertz.v, 1e-8 * hertz.v);
  EXPECT_NEAR(whole.motion["a.vx"].back(), 0.0, 1e-8 * hertz.v);
}

Model ball_on_wall(const std::string& law, double v) {
  return stated(fmt::format(R"toml(
[points]
ball = {{ mass = 2, at = [0, 1], velocity = [0.5, {}] }}
[[contact]]
among = "ball"
radius = 0.1
plane = [0, 1]
{}
[run]
until = 3
)toml",
                            -v, law));
}

// u'' + 2 b u' + w0^2 u = 0 until u'' = 0, where the force would begin to pull
TEST(Contacts, LinearDashpotHasTheRestitutionOfTheClosedForm) {
  const double m = 2, k = 1e5, v = 1.7;
  for (const double d : {10.0, 200.0, 500.0}) {
    const Result result =
        run_to(ball_on_wall(fmt::format("stiffness = {}\ndashpot = {}", k, d), v), 1e-11);
    ASSERT_TRUE(result.good()) << result.summary.message;
    const double b = d / (2 * m), w = std::sqrt(k / m - b * b);
    const double end = std::numbers::pi - std::atan(2 * b * w / (w * w - b * b));
    const double e = -std::exp(-b * end / w) * (std::cos(end) - b / w * std::sin(end));
    EXPECT_NEAR(result.motion["ball.vy"].back(), e * v, 1e-8) << d;
    EXPECT_EQ(result.motion["ball.vx"].back(), 0.5);
    EXPECT_LE(result.summary.energy_balance_error.value_or(1.0), 1e-8);
  }
}

// m u' du'/(1 + c u') = -k u^n du over the whole contact: Int u'/(1 + c u') du' = 0, whatever k and
// n
TEST(Contacts, HuntCrossleyHasTheRestitutionOfItsQuadrature) {
  for (const double n : {1.0, 1.5, 2.0})
    for (const double c : {0.1, 0.5, 2.0}) {
      const double v = 1.7;
      const Result result =
          run_to(ball_on_wall(fmt::format("stiffness = 1e6\nexponent = {}\ndamping = {}", n, c), v),
                 1e-11);
      ASSERT_TRUE(result.good()) << result.summary.message;
      const double out = result.motion["ball.vy"].back();
      const auto work = [&](double w) { return w / c - std::log1p(c * w) / (c * c); };
      EXPECT_GT(out, 0.0);
      EXPECT_NEAR(work(v), work(-out), 1e-8) << n << ' ' << c;
      EXPECT_LE(result.summary.energy_balance_error.value_or(1.0), 1e-8) << n << ' ' << c;
    }
}

// The friction of a ball that slides makes it roll: v0/(1 + I/(m a^2)) with the arm a = R - u/2,
// 5/7 of v0 but for the overlap.
TEST(Contacts, SlidingBallEndsRolling) {
  const double R = 0.1, g = 9.81, k = 1e6, v0 = 1;
  const double u = g / k, a = R - u / 2;
  for (const bool planar : {false, true}) {
    const double share = planar ? 0.5 : 0.4;
    const Model model = stated(fmt::format(fmt::runtime(planar ? R"toml(
[[body]]
name = "ball"
mass = 1
inertia = {I}
at = [0, {height}]
velocity = [1, 0]
shape = {{ sphere = [0.1] }}
[[gravity]]
acceleration = [0, -9.81]
[[contact]]
name = "floor"
among = "ball"
plane = [0, 1]
stiffness = 1e6
friction = 0.3
friction_speed = 0.02
[run]
until = 1
)toml"
                                                               : R"toml(
[[body]]
name = "ball"
mass = 1
inertia = [{I}, {I}, {I}]
at = [0, 0, {height}]
velocity = [1, 0, 0]
shape = {{ sphere = [0.1] }}
[[gravity]]
acceleration = [0, 0, -9.81]
[[contact]]
name = "floor"
among = "ball"
plane = [0, 0, 1]
stiffness = 1e6
friction = 0.3
friction_speed = 0.02
[run]
until = 1
)toml"),
                                           fmt::arg("I", share * R * R),
                                           fmt::arg("height", fmt::format("{:.17g}", R - u))));
    const Result result = run_to(model, 1e-10);
    ASSERT_TRUE(result.good()) << result.summary.message;
    EXPECT_NEAR(result.motion["ball.vx"].back(), v0 / (1 + share * R * R / (a * a)), 1e-7);
    EXPECT_NEAR(result.motion["floor.force"].back(), g, 1e-4);
    EXPECT_LE(result.summary.energy_balance_error.value_or(1.0), 1e-8);
  }
}

const char* const two_spinning = R"toml(
[[body]]
name = "a"
mass = 1
inertia = [0.004, 0.004, 0.004]
at = [0, 0, 0]
velocity = [2, 0, 0]
spin = [3, -10, 20]
shape = { sphere = [0.1] }
[[body]]
name = "b"
mass = 2
inertia = [0.008, 0.008, 0.008]
at = [0.3, 0.06, -0.04]
rotation = [0.3, 0.2, 0.1]
spin = [-5, 2, 4]
shape = { sphere = [0.1] }
[[contact]]
name = "hit"
among = ["a", "b"]
stiffness = 1e5
exponent = 1.5
damping = 0.3
friction = 0.4
friction_speed = 0.05
[outputs]
Px = "a.vx + 2*b.vx"
Py = "a.vy + 2*b.vy"
Lx = "a.y*a.vz - a.z*a.vy + 2*(b.y*b.vz - b.z*b.vy)"
Ly = "a.z*a.vx - a.x*a.vz + 2*(b.z*b.vx - b.x*b.vz)"
Lz = "a.x*a.vy - a.y*a.vx + 2*(b.x*b.vy - b.y*b.vx)"
[run]
until = 0.4
)toml";

TEST(Contacts, FrictionBetweenSpheresKeepsMomentumAndAngularMomentum) {
  const Result result = run_to(stated(two_spinning), 1e-10);
  ASSERT_TRUE(result.good()) << result.summary.message;
  const auto change = [&](const std::string& name) {
    return result.motion[name].back() - result.motion[name].front();
  };
  EXPECT_GT(std::abs(change("b.wz")), 1.0);  // they did hit, and rub
  EXPECT_NEAR(change("Px"), 0.0, 1e-9);
  EXPECT_NEAR(change("Py"), 0.0, 1e-9);
  for (const char axis : {'x', 'y', 'z'}) {
    const double spins =
        0.004 * change(fmt::format("a.w{}", axis)) + 0.008 * change(fmt::format("b.w{}", axis));
    EXPECT_NEAR(change(fmt::format("L{}", axis)) + spins, 0.0, 1e-9) << axis;
  }
  EXPECT_LE(result.summary.energy_balance_error.value_or(1.0), 1e-8);
}

// K = -df/dq and D = -df/dv where they touch, by differences; and at u = 0 all are finite.
TEST(Contacts, DerivativesAreThoseOfTheForces) {
  const CompiledModel model = compile(stated(two_spinning));
  const System& system = model.system;
  State s = model.given;
  std::mt19937 engine{3};
  std::uniform_real_distribution<double> any{-1.0, 1.0};
  s.q[12] -= 0.13;  // b.x: they overlap by some centimetres
  for (double& v : s.v) v += 0.3 * any(engine);
  Evaluation ev;
  system.prepare(ev);
  const Vec none = Vec::Zero(system.nq()), rows = Vec::Zero(system.nc());
  const auto at = [&](const State& x, Needs needs) {
    const Status status =
        system.evaluate(needs, {.t = x.t, .q = x.q, .v = x.v, .a = &none, .lambda = &rows}, ev);
    EXPECT_EQ(status, Status::ok);
  };
  at(s, needs(Target::stiffness, Target::damping, Target::force));
  const Mat K = ev.K, D = ev.D;
  EXPECT_GT(K.cwiseAbs().maxCoeff(), 1e3);
  EXPECT_GT(D.cwiseAbs().maxCoeff(), 1.0);
  const double h = 1e-6;
  for (Index j = 0; j < system.nq(); ++j)
    for (const bool of_v : {false, true}) {
      Vec f[2];
      for (const int side : {0, 1}) {
        State moved = s;
        (of_v ? moved.v : moved.q)[j] += side == 0 ? h : -h;
        at(moved, need(Target::force));
        f[side] = ev.f;
      }
      const Vec slope = -(f[0] - f[1]) / (2 * h);
      const Mat& exact = of_v ? D : K;
      EXPECT_LE((exact.col(j) - slope).cwiseAbs().maxCoeff(), 1e-6 * exact.cwiseAbs().maxCoeff())
          << j << of_v;
    }
}

TEST(Contacts, DerivativesAreFiniteWhereTheyBegin) {
  for (const char* law : {"stiffness = 1e5", "stiffness = 1e5\nexponent = 1.5",
                          "stiffness = 1e5\nexponent = 1.5\ndamping = 1\nfriction = 0.2",
                          "stiffness = 1e5\nexponent = 1.2\ndashpot = 3"}) {
    CompiledModel model = compile(ball_on_wall(law, 1.0));
    model.given.q[1] = 0.1;  // u = 0, to the bit
    Evaluation ev;
    model.system.prepare(ev);
    const Vec none = Vec::Ones(2);
    for (const double v : {0.0, -1.0, 1.0}) {
      model.given.v[1] = v;
      EXPECT_EQ(model.system.evaluate(
                    needs(Target::force, Target::stiffness, Target::damping, Target::third,
                          Target::potential_energy),
                    {.q = model.given.q, .v = model.given.v, .a = &none, .lambda = &none}, ev),
                Status::ok)
          << law;
      EXPECT_EQ(ev.f.norm(), 0.0);
    }
  }
}

// Discs on each other as deep as their weights press them in.
TEST(Contacts, StackAtRestStaysAtRest) {
  const double g = 9.81, k = 1e5, R = 0.1;
  const double first = R - 3 * g / k, second = first + 2 * R - 2 * g / k,
               third = second + 2 * R - g / k;
  const Model model = stated(fmt::format(R"toml(
[[body]]
name = "a"
mass = 1
inertia = 0.005
at = [0, {:.17g}]
[[body]]
name = "b"
mass = 1
inertia = 0.005
at = [0, {:.17g}]
[[body]]
name = "c"
mass = 1
inertia = 0.005
at = [0, {:.17g}]
[[gravity]]
acceleration = [0, -9.81]
[[contact]]
among = ["a", "b", "c"]
radius = 0.1
stiffness = 1e5
damping = 1
friction = 0.3
[[contact]]
among = ["a", "b", "c"]
radius = 0.1
plane = [0, 1]
stiffness = 1e5
damping = 1
friction = 0.3
[run]
until = 0.5
)toml",
                                         first, second, third));
  const Result result = run_to(model, 1e-8);
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["a.y"].back(), first, 1e-10);
  EXPECT_NEAR(result.motion["c.y"].back(), third, 1e-10);
  EXPECT_NEAR(result.motion["c.x"].back(), 0.0, 1e-10);
}

TEST(Stops, HoldOnCoordinatesExpressionsAndJoints) {
  // a mass between two stops: the time of one round is 2 (gap/v) + 2 pi sqrt(m/k)
  const double k = 1e4, round = 2 * 1.0 / 1.5 + 2 * std::numbers::pi / std::sqrt(k);
  for (const char* on : {"x", "2*x - x", "doubled/2"}) {
    Model model = stated(fmt::format(R"toml(
[coordinates]
x = {{ mass = 1, velocity = 1.5 }}
[outputs]
doubled = "2*x"
[[stop]]
on = "{}"
lower = -0.5
upper = "0.5 + 0*t"
stiffness = {}
[run]
until = {:.17g}
)toml",
                                     on, k, 3 * round));
    const Result result = run_to(model, 1e-10);
    ASSERT_TRUE(result.good()) << result.summary.message;
    EXPECT_NEAR(result.motion["x"].back(), 0.0, 1e-8);
    EXPECT_NEAR(result.motion["v(x)"].back(), 1.5, 1e-8);
  }
  const char* const arm = R"toml(
[[body]]
name = "arm"
mass = 1
inertia = 0.1
at = [1, 0]
[[joint]]
name = "pin"
kind = "hinge"
between = ["ground", "arm"]
at = [0, 0]
[[gravity]]
acceleration = [0, -9.81]
[[stop]]
name = "rest"
on = "{}"
lower = -0.5
stiffness = 1e4
damping = 2
[run]
until = 8
)toml";
  for (const char* on : {"pin", "angle(pin)"}) {
    const Result result = run_to(stated(fmt::format(fmt::runtime(arm), on)), 1e-8);
    ASSERT_TRUE(result.good()) << result.summary.message;
    // at rest on the stop, which carries the torque of the weight
    const double angle = result.motion["arm.angle"].back();
    EXPECT_LT(angle, -0.5);
    EXPECT_NEAR(result.motion["rest.force"].back(), 9.81 * std::cos(angle), 0.02);
  }
}

TEST(Stops, MoveAndDoWork) {
  // a wall that comes with the speed 1 towards a mass at rest sends it off at twice that speed
  const Result result = run_to(stated(R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[stop]]
name = "wall"
on = "x"
lower = "t"
stiffness = 1e6
exponent = 1.5
[run]
until = 2
)toml"),
                               1e-11);
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_NEAR(result.motion["v(x)"].back(), 2.0, 1e-8);
  EXPECT_LE(result.summary.energy_balance_error.value_or(1.0), 1e-8);
}

struct Mistake {
  const char *text, *what;
};

TEST(ContactMistakes, AreNamed) {
  const std::string points =
      "[points]\na = { mass = 1, at = [0, 0] }\nb = { mass = 1, at = [1, 0] }\n"
      "[coordinates]\nx = { mass = 1 }\n";
  for (const Mistake& mistake : {
           Mistake{"[[stop]]\non = \"x\"\nstiffness = 1\n", "has no bound"},
           Mistake{"[[stop]]\non = \"x\"\nlower = 1\nupper = 0\nstiffness = 1\n",
                   "is not below upper"},
           Mistake{"[[stop]]\non = \"y\"\nlower = 1\nstiffness = 1\n", "unknown name 'y'"},
           Mistake{"[[stop]]\non = \"v(x)\"\nlower = 1\nstiffness = 1\n", "is a velocity"},
           Mistake{"[[stop]]\non = \"2*t\"\nlower = 1\nstiffness = 1\n", "contains no coordinate"},
           Mistake{"[[stop]]\non = \"x\"\nlower = \"x\"\nstiffness = 1\n", "x"},
           Mistake{"[[stop]]\non = \"x\"\nlower = 1\nstiffness = -1\n", "is not > 0"},
           Mistake{"[[stop]]\non = \"x\"\nlower = 1\nstiffness = 1\nexponent = 0.5\n", "is 0.5"},
           Mistake{"[[contact]]\nradius = 1\n", "has no stiffness"},
           Mistake{"[[contact]]\nradius = 1\nstiffness = 1\nyoung = 1\npoisson = 0\n",
                   "both stiffness and young"},
           Mistake{"[[contact]]\nradius = 1\nyoung = 1\n", "without poisson"},
           Mistake{"[[contact]]\nradius = 1\nyoung = 1\npoisson = 0.6\n", "between 0 and 0.5"},
           Mistake{"[[contact]]\nstiffness = 1\n", "points never touch"},
           Mistake{"[[contact]]\namong = \"c\"\nstiffness = 1\n", "no point 'c'"},
           Mistake{"[[contact]]\namong = \"a\"\nradius = 1\nstiffness = 1\n", "no two spheres"},
           Mistake{"[[contact]]\nplane = [0, 0, 1]\nstiffness = 1\n", "has 3 components"},
           Mistake{"[[contact]]\nplane = [0, 0]\nstiffness = 1\n", "has no direction"},
           Mistake{"[[contact]]\namong = \"a\"\nradius = 0.1\nplane = [0, 1]\nat = [0, "
                   "7]\nstiffness = 1\n",
                   "behind it"},
           Mistake{"[[contact]]\nplane = [0, 1]\nwith = \"a\"\nstiffness = 1\n", "beside a plane"},
           Mistake{"[[contact]]\nplane = [0, 1]\non = \"table\"\nstiffness = 1\n",
                   "no body 'table'"},
           Mistake{"[[contact]]\nradius = 1\nstiffness = 1\nfriction_speed = 1\n", "no friction"},
           Mistake{"[[contact]]\nradius = 1\nstiffness = 1\nat = [0, 0]\n", "without plane"},
           Mistake{"[[contact]]\nradius = [1, 2, 3]\nstiffness = 1\n", "has 3 numbers"},
           Mistake{"[box]\nsize = [9, 9]\n[[contact]]\nradius = 1\nstiffness = 1\n", "images"},
       }) {
    Problems problems;
    const Model model = read_model(points + mistake.text, problems);
    ASSERT_TRUE(problems.empty()) << mistake.text << problems.message();
    [[maybe_unused]] const CompiledModel none = compile(model, problems);
    ASSERT_EQ(problems.sorted().size(), 1U) << mistake.text << problems.message();
    EXPECT_NE(problems.message().find(mistake.what), std::string::npos)
        << mistake.text << problems.message();
  }
}

/// Many spheres, as one [[contact]] of all and as one for each two of them.
std::string many(const std::string& law, const std::string& points, int n, bool one_by_one) {
  std::string text = points + "[parameters]\nn = " + std::to_string(n) + "\n";
  if (one_by_one)
    text +=
        "[[contact]]\nname = \"c{i}and{j}\"\namong = \"p{i}\"\nwith = \"p{j}\"\n"
        "repeat = { i = \"1:n-1\", j = \"i+1:n\" }\n" +
        law +
        "[[contact]]\nname = \"f{i}\"\namong = \"p{i}\"\nrepeat = { i = \"1:n\" }\n"
        "plane = [0, 1, 0]\nat = [0, -0.4, 0]\n" +
        law;
  else
    text += "[[contact]]\n" + law + "[[contact]]\nplane = [0, 1, 0]\nat = [0, -0.4, 0]\n" + law;
  return text;
}

TEST(ManyContacts, HaveTheForcesAndPowersOfThoseOneByOne) {
  const std::string points =
      "[points]\n\"p{k}\" = { mass = 1, at = [\"0.1*{k}\", 0, 0], repeat = { k = \"1:n\" } }\n";
  const std::string bodies =
      "[[body]]\nname = \"p{k}\"\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nat = [\"0.1*{k}\", 0, "
      "0]\n"
      "repeat = { k = \"1:n\" }\n";
  for (const std::string& kind : {points, bodies})
    for (const std::string law :
         {"radius = 0.2\nstiffness = 1e4\n",
          "radius = 0.2\nyoung = 1e6\npoisson = 0.3\ndamping = 0.2\n",
          "radius = 0.2\nstiffness = 1e4\nexponent = 1.3\ndashpot = 3\nfriction = 0.3\n",
          "radius = 0.2\nstiffness = 1e4\ndamping = 1\nfriction = 0.3\nfriction_speed = 0.1\n"}) {
      if (kind == bodies && law.find("friction") == std::string::npos) continue;
      SCOPED_TRACE(law);
      const CompiledModel fields = compile(stated(many(law, kind, 41, false)));
      const CompiledModel single = compile(stated(many(law, kind, 41, true)));
      EXPECT_EQ(fields.system.structure().conservative, single.system.structure().conservative);
      State s = fields.given;
      std::mt19937 engine{5};
      std::uniform_real_distribution<double> any{-1.0, 1.0};
      const bool turns = kind == bodies;
      for (Index i = 0; i < s.q.size(); ++i) {
        const bool is_place = !turns || i % 12 < 3;
        s.q[i] = is_place ? 0.6 * any(engine) : s.q[i] + 0.1 * any(engine);
        s.v[i] = any(engine);
      }
      Evaluation a, b;
      fields.system.prepare(a);
      single.system.prepare(b);
      constexpr Needs all = needs(Target::force, Target::potential_energy);
      const Arguments at{.q = s.q, .v = s.v};
      ASSERT_EQ(fields.system.evaluate(all, at, a), Status::ok);
      ASSERT_EQ(single.system.evaluate(all, at, b), Status::ok);
      EXPECT_GT(b.f.norm(), 1e3);
      EXPECT_LE((a.f - b.f).norm(), 1e-12 * b.f.norm());
      EXPECT_NEAR(a.potential_energy, b.potential_energy, 1e-12 * b.potential_energy);
      const auto power = [&](const System& system) {
        const auto powers = system.powers();
        Evaluation ev;
        powers->prepare(ev);
        EXPECT_EQ(powers->evaluate(need(Target::observable), at, ev), Status::ok);
        return ev.observable.size() > 0 ? ev.observable.sum() : 0.0;
      };
      EXPECT_NEAR(power(fields.system), power(single.system),
                  1e-12 * (1 + std::abs(power(single.system))));
    }
}

TEST(ManyContacts, ShowWhatThoseOneByOneShow) {
  const auto seen = [](bool one_by_one) {
    const std::string law =
        "radius = 0.06\nstiffness = 1e4\ndamping = 0.5\nfriction = 0.3\nfriction_speed = 0.1\n";
    const std::string text =
        "[points]\n\"p{k}\" = { mass = 1, at = [\"0.1*{k}\", \"0.3 + 0.02*sin({k})\", 0], velocity "
        "= "
        "[\"sin(7*{k})\", -1, 0], repeat = { k = \"1:n\" } }\n";
    SimulationOptions options{.until = 0.02, .every = 0.01, .tol = 1e-10, .error_estimate = false};
    options.columns = "all";
    return simulate(stated(many(law, text, 41, one_by_one)), options);
  };
  const Result fields = seen(false), single = seen(true);
  ASSERT_TRUE(fields.good()) << fields.summary.message;
  ASSERT_TRUE(single.good()) << single.summary.message;
  for (std::size_t row = 0; row < fields.motion.rows(); ++row) {
    double contacts = 0, force = 0, load = 0, deepest = 0, power = 0;
    for (int i = 1; i <= 41; ++i)
      for (int j = i + 1; j <= 41; ++j) {
        const std::string name = fmt::format("c{}and{}", i, j);
        const double N = single.motion[name + ".force"][row];
        contacts += single.motion[name + ".penetration"][row] > 0 ? 1 : 0;
        force = std::max(force, N);
        load += N;
        deepest = std::max(deepest, single.motion[name + ".penetration"][row]);
        power += single.motion[name + ".power"][row];
      }
    EXPECT_GT(contacts, 10);
    EXPECT_EQ(fields.motion["contact 1.contacts"][row], contacts);
    EXPECT_NEAR(fields.motion["contact 1.force"][row], force, 1e-6 * force);
    EXPECT_NEAR(fields.motion["contact 1.load"][row], load, 1e-6 * load);
    EXPECT_NEAR(fields.motion["contact 1.penetration"][row], deepest, 1e-8);
    EXPECT_NEAR(fields.motion["contact 1.power"][row], power, 1e-5 * std::abs(power));
  }
}

TEST(Billiard, StaysOnTheTableAndLosesWhatItsContactsTake) {
  const Result result =
      simulate(load(TAUT_MODELS "/billiard.toml"), {.until = 0.3, .error_estimate = false});
  ASSERT_TRUE(result.good()) << result.summary.message;
  EXPECT_LE(result.summary.energy_balance_error.value_or(1.0), 1e-6);
  EXPECT_LT(result.motion["energy"].back(), 0.99 * result.motion["energy"].front());
  for (int i = 1; i <= 5; ++i)
    for (int j = 1; j <= i; ++j) {
      EXPECT_LT(std::abs(result.motion[fmt::format("ball{}{}.x", i, j)].back()), 1.27);
      EXPECT_LT(std::abs(result.motion[fmt::format("ball{}{}.y", i, j)].back()), 0.635);
    }
}

// One small and fast among many: whom it meets it hits, in steps however long.
TEST(ManyContacts, NoneIsPassedOver) {
  for (const char* method : {"dop853", "dopri5"})
    for (const int n : {5, 60}) {
      SCOPED_TRACE(fmt::format("{} {}", method, n));
      const Model model = stated(fmt::format(R"toml(
[parameters]
n = {}
[points]
"p{{k}}" = {{ mass = 1, at = ["2*{{k}}", 7, 0], repeat = {{ k = "3:n" }} }}
p1 = {{ mass = 1, at = [0, 0, 0], velocity = [100, 0, 0] }}
p2 = {{ mass = 1, at = [61.7, 0, 0] }}
[[contact]]
radius = 1e-3
young = 1e9
poisson = 0.3
[[contact]]
among = "p*"
radius = 1e-3
plane = [-1, 0, 0]
at = [150, 0, 0]
stiffness = 1e8
exponent = 1.5
[run]
until = 3
)toml",
                                             n));
      const Result result = run_to(model, 1e-8, method);
      ASSERT_TRUE(result.good()) << result.summary.message;
      // p2 is sent to the wall, comes back, and sends p1 back
      EXPECT_NEAR(result.motion["p1.vx"].back(), -100.0, 0.01);
      EXPECT_NEAR(result.motion["p2.vx"].back(), 0.0, 0.01);
      EXPECT_LT(result.summary.counters.steps, n == 5 ? 400 : 1500);
    }
}

}  // namespace
}  // namespace taut
