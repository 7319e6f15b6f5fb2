// SPDX-License-Identifier: BSD-3-Clause
// Bodies in the plane, joints in plane and space, and what is stated on their coordinates: against
// closed forms, and one mechanism stated in the plane and in space.
#include <array>
#include <functional>
#include <numbers>
#include <random>

#include "support.hpp"
#include "taut/model/start.hpp"

namespace taut::test {
namespace {

double of(const System& system, const State& s, const std::string& name, bool velocity = false) {
  const auto& names = system.structure().coordinates;
  const auto k = std::find(names.begin(), names.end(), name) - names.begin();
  EXPECT_LT(k, static_cast<std::ptrdiff_t>(names.size())) << name;
  return velocity ? s.v[k] : s.q[k];
}

/// Value of the observable `name` of a model with an [[invariant]] of that name.
double seen(const System& system, const State& s, const std::string& name) {
  Evaluation ev;
  system.prepare(ev);
  EXPECT_EQ(system.evaluate(need(Target::observable), {.t = s.t, .q = s.q, .v = s.v}, ev),
            Status::ok);
  const auto& all = system.structure().observables;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return ev.observable[static_cast<Index>(i)];
  ADD_FAILURE() << name;
  return 0;
}

State consistent(const CompiledModel& model) {
  const Start start = consistent_start(rigid(model.system), model.given);
  EXPECT_EQ(start.status, Status::ok) << start.reason;
  return start.state;
}

/// K and D of a model against differences of M a - f + Gᵀλ, G against those of g, at a state off
/// its constraints.
void expect_exact_derivatives(const CompiledModel& model, unsigned seed = 1) {
  const System& system = model.system;
  std::mt19937 random{seed};
  std::uniform_real_distribution<double> any{-1, 1};
  const auto noise = [&](Index n) {
    Vec x(n);
    for (double& xi : x) xi = any(random);
    return x;
  };
  Vec q = model.given.q + 0.2 * noise(system.nq()), v = noise(system.nq());
  const Vec a = noise(system.nq()), lambda = noise(system.nc());
  Evaluation out;
  system.prepare(out);
  const auto evaluate = [&](Needs wanted) {
    ASSERT_EQ(system.evaluate(wanted, {.t = 0.2, .q = q, .v = v, .a = &a, .lambda = &lambda}, out),
              Status::ok);
  };
  const auto residual = [&] {
    evaluate(needs(Target::mass, Target::force, Target::constraint_jacobian));
    Vec r = out.M * a - out.f;
    if (system.nc() > 0) r += out.G.transpose() * lambda;
    return r;
  };
  const auto constraint = [&] {
    evaluate(need(Target::constraint));
    return Vec{out.g};
  };
  const auto differences_of = [&](Vec& x, const std::function<Vec()>& f) {
    Mat J(f().size(), x.size());
    for (Index j = 0; j < x.size(); ++j) {
      const double x0 = x[j], h = 1e-4;
      const auto at = [&](double step) {
        x[j] = x0 + step;
        return f();
      };
      J.col(j) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      x[j] = x0;
    }
    return J;
  };
  const Mat K = differences_of(q, residual), D = differences_of(v, residual);
  evaluate(needs(Target::stiffness, Target::damping));
  EXPECT_LE((Mat(out.K) - K).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + K.cwiseAbs().maxCoeff()));
  EXPECT_LE((Mat(out.D) - D).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + D.cwiseAbs().maxCoeff()));
  if (system.nc() == 0) return;
  const Mat G = differences_of(q, constraint);
  evaluate(need(Target::constraint_jacobian));
  EXPECT_LE((Mat(out.G) - G).cwiseAbs().maxCoeff(), 1e-9 * (1.0 + G.cwiseAbs().maxCoeff()));
}

const std::string planar_pendulum = R"toml(
[[body]]
name = "bar"
mass = 2
inertia = 0.3
at = [0.6, -0.8]
rotation = 0.2
markers = { end = [0.5, 0.1] }
[[joint]]
name = "pivot"
kind = "hinge"
between = ["ground", "bar"]
at = [0, 0]
[[gravity]]
acceleration = [0, -9.81]
)toml";

TEST(PlanarBody, HasThreeCoordinatesAndNoRows) {
  const auto model = bodies(planar_pendulum);
  const Structure& s = model.system.structure();
  ASSERT_EQ(s.nq, 3);
  EXPECT_EQ(s.coordinates[2], "bar.angle");
  EXPECT_EQ(s.velocities[2], "v(bar.angle)");
  EXPECT_TRUE(s.mass_diagonal);
  EXPECT_TRUE(s.mass_constant);
  ASSERT_EQ(s.rows.size(), 2U);
  EXPECT_EQ(s.rows[1].name, "pivot y");
}

// (I + m l²) angle'' = -m g l sin(angle), in its own angle by Runge's method with small steps
double pendulum_angle(double inertia, double mgl, double damping, double torque, double angle,
                      double until) {
  double w = 0;
  const int n = 20000;
  const double h = until / n;
  const auto f = [&](double a, double r) {
    return (-mgl * std::sin(a) - damping * r + torque) / inertia;
  };
  for (int i = 0; i < n; ++i) {
    const double k1 = f(angle, w), k2 = f(angle + h / 2 * w, w + h / 2 * k1),
                 k3 = f(angle + h / 2 * w + h * h / 4 * k1, w + h / 2 * k2),
                 k4 = f(angle + h * w + h * h / 2 * k2, w + h * k3);
    angle += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return angle;
}

TEST(PlanarBody, IsThePhysicalPendulumInEveryMethod) {
  const auto model = bodies(planar_pendulum);
  const double start = std::atan2(0.6, 0.8);
  const double truth = pendulum_angle(2.3, 2 * 9.81, 0, 0, start, 2.0);
  for (const char* method : {"dop853", "radau"}) {
    const State end = run_until(rigid(model.system), model.given, 2.0, method, 1e-10);
    EXPECT_NEAR(of(model.system, end, "bar.angle") - 0.2, truth - start, 1e-7) << method;
  }
  const auto error = [&](int steps) {
    const State end = run_steps(rigid(model.system), model.given, 2.0 / steps, steps);
    return std::abs(of(model.system, end, "bar.angle") - 0.2 - truth + start);
  };
  EXPECT_NEAR(std::log2(error(1000) / error(2000)), 2.0, 0.1);
}

// m a = λ + m g of the centre, at rest: the force of the ground on the bar
TEST(PlanarBody, PendulumHasItsReactionForces) {
  const auto model = bodies(planar_pendulum);
  const Start start = consistent_start(rigid(model.system), model.given);
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  const double angular = -2 * 9.81 * 0.6 / 2.3;
  ASSERT_EQ(start.lambda.size(), 2);
  EXPECT_NEAR(start.lambda[0], 2 * angular * 0.8, 1e-12);
  EXPECT_NEAR(start.lambda[1], 2 * (angular * 0.6 + 9.81), 1e-12);
  EXPECT_NEAR(start.a[2], angular, 1e-12);
}

const std::string wound = R"toml(
[[body]]
name = "wheel"
mass = 1
inertia = 0.5
at = [0, 0]
spin = 30
[[joint]]
name = "axle"
kind = "hinge"
between = ["ground", "wheel"]
at = [0, 0]
start = 1
stiffness = 2
rest = 0.5
[[invariant]]
name = "turned"
value = "angle(axle)"
[[invariant]]
name = "rate"
value = "rate(axle)"
)toml";

// s = rest + A cos(wt) + B sin(wt), over more than two turns each way
TEST(JointCoordinate, WindsASpringOverManyTurns) {
  const auto model = bodies(wound);
  for (const double t : {0.3, 0.9, 2.1}) {
    const State end = run_until(rigid(model.system), model.given, t, "dop853", 1e-11);
    EXPECT_NEAR(seen(model.system, end, "turned"),
                0.5 + 0.5 * std::cos(2 * t) + 15 * std::sin(2 * t), 1e-7);
    EXPECT_NEAR(seen(model.system, end, "rate"), -std::sin(2 * t) + 30 * std::cos(2 * t), 1e-6);
  }
}

/// The same arm on a slide in the plane and in space.
std::string slide(bool space, const std::string& words, const std::string& hinge_words = "") {
  const auto pick = [&](const char* plane, const char* in_space) {
    return std::string{space ? in_space : plane};
  };
  return "[[body]]\nname = \"cart\"\nmass = 2\ninertia = " + pick("0.4", "[0.3, 0.2, 0.4]") +
         "\nat = " + pick("[0.3, 0.1]", "[0.3, 0.1, 0]") +
         "\n[[body]]\nname = \"arm\"\nmass = 1\ninertia = " + pick("0.1", "[0.02, 0.09, 0.1]") +
         "\nat = " + pick("[0.8, 0.1]", "[0.8, 0.1, 0]") + "\nspin = " + pick("2", "[0, 0, 2]") +
         "\nvelocity = " + pick("[0, 1]", "[0, 1, 0]") +
         "\nmarkers = { tip = " + pick("[0.5, 0]", "[0.5, 0, 0]") +
         " }\n[[joint]]\nname = \"slide\"\nkind = \"slider\"\n" +
         "between = [\"ground\", \"cart\"]\nat = " + pick("[0.3, 0.1]", "[0.3, 0.1, 0]") +
         "\naxis = " + pick("[1, 0.5]", "[1, 0.5, 0]") + "\n" + words +
         "\n[[joint]]\nname = \"elbow\"\nkind = \"revolute\"\nbetween = [\"cart\", \"arm\"]\nat "
         "= " +
         pick("[0.3, 0.1]", "[0.3, 0.1, 0]\naxis = [0, 0, 1]") + "\n" + hinge_words +
         "\n[[gravity]]\nacceleration = " + pick("[0, -9.81]", "[0, -9.81, 0]") +
         "\n[[invariant]]\nname = \"travel\"\nvalue = \"travel(slide)\"\n[[invariant]]\nname = "
         "\"speed\"\nvalue = \"speed(slide)\"\n[[invariant]]\nname = \"angle\"\nvalue = "
         "\"angle(elbow)\"\n[[invariant]]\nname = \"rate\"\nvalue = \"rate(elbow)\"\n";
}

struct Words {
  const char* name;
  const char* slider;
  const char* hinge;
};

class JointWords : public testing::TestWithParam<Words> {};

TEST_P(JointWords, HaveExactDerivativesAndAgreeInPlaneAndSpace) {
  const auto plane = bodies(slide(false, GetParam().slider, GetParam().hinge));
  const auto space = bodies(slide(true, GetParam().slider, GetParam().hinge));
  expect_exact_derivatives(plane);
  expect_exact_derivatives(space);
  const double until = 0.6;
  const State flat = run_until(rigid(plane.system), consistent(plane), until, "dop853", 1e-11);
  for (const char* method : {"dop853", "radau"}) {
    const State end = run_until(rigid(space.system), consistent(space), until, method, 1e-11);
    for (const char* name : {"travel", "speed", "angle", "rate"})
      EXPECT_NEAR(seen(space.system, end, name), seen(plane.system, flat, name), 1e-6)
          << name << " by " << method;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, JointWords,
    testing::Values(Words{"Nothing", "", ""},
                    Words{"Springs", "stiffness = 30\nrest = 0.1\ndamping = 0.7",
                          "stiffness = 3\ndamping = 0.2"},
                    Words{"Motors", "force = \"3*cos(5*t) - 2*speed(slide)\"",
                          "torque = \"sin(t) - 2*angle(elbow) - 0.3*rate(elbow)\""},
                    Words{"Motion", "travel = \"0.2*sin(3*t)\"", "damping = 0.1"},
                    Words{"Turning", "damping = 0.5", "angle = \"2*t + t^2\""},
                    Words{"Friction", "friction = 2\nfriction_speed = 0.2",
                          "friction = 0.3\nfriction_speed = 0.5"},
                    Words{"Limits",
                          "limits = [-0.1, 0.05]\nlimit_stiffness = 3000\nlimit_damping = 500",
                          "limits = [-0.8, 0.2]\nlimit_stiffness = 200\nlimit_damping = 20"},
                    Words{"Soft", "compliance = 1e-4", "compliance = 1e-4"}),
    [](const auto& words) { return words.param.name; });

// prescribed motion holds over many turns in space, where an angle is known up to whole ones
TEST(JointCoordinate, IsDrivenOverManyTurnsInSpace) {
  const auto model = bodies(slide(true, "damping = 5", "angle = \"2*t + 6*t^2\""));
  State s = consistent(model);
  for (double t = 0.05; t < 2.0; t += 0.05) {
    s = run_until(rigid(model.system), s, t, "dop853", 1e-9);
    const double angle = seen(model.system, s, "angle"), truth = 2 * t + 6 * t * t;
    EXPECT_NEAR(std::remainder(angle - truth, 2 * std::numbers::pi), 0.0, 1e-9) << t;
    EXPECT_NEAR(seen(model.system, s, "rate"), 2 + 12 * t, 1e-8) << t;
  }
}

// input at a constant rate: tan(out) = tan(in) cos(bend), rate = cos/(1 - sin² bend cos² in)
TEST(Joints, UniversalJointHasItsSpeedRatio) {
  const auto model = bodies(R"toml(
[parameters]
bend = 0.6
[[body]]
name = "in"
mass = 1
inertia = [1, 1, 1.5]
at = [0, 0, -1]
spin = [0, 0, 2]
[[body]]
name = "out"
mass = 1
inertia = [1, 1, 1.5]
at = ["sin(bend)", 0, "cos(bend)"]
rotation = [0, "bend", 0]
[[joint]]
name = "drive"
kind = "hinge"
between = ["ground", "in"]
at = [0, 0, -1]
axis = [0, 0, 1]
angle = "2*t"
[[joint]]
name = "cross"
kind = "universal"
between = ["in", "out"]
at = [0, 0, 0]
axis = [1, 0, 0]
second_axis = [0, 1, 0]
[[joint]]
name = "led"
kind = "cylindrical"
between = ["ground", "out"]
at = ["sin(bend)", 0, "cos(bend)"]
axis = ["sin(bend)", 0, "cos(bend)"]
[[invariant]]
name = "rate"
value = "rate(led)"
)toml");
  State s = consistent(model);
  for (double t = 0.0; t < 4.0; t += 0.37) {
    if (t > 0) s = run_until(rigid(model.system), s, t, "dop853", 1e-10);
    const double c = std::cos(0.6), sb = std::sin(0.6), in = 2 * t;
    // the arm of the input lies in the plane of the bend at the start
    const double ratio = c / (1 - sb * sb * std::pow(std::cos(in), 2));
    EXPECT_NEAR(seen(model.system, s, "rate"), 2 * ratio, 1e-7) << t;
  }
}

// (m + I (2 pi/p)²) x'' = m g
TEST(Joints, ScrewDescendsUnderItsWeight) {
  const auto model = bodies(R"toml(
[[body]]
name = "nut"
mass = 2
inertia = [0.01, 0.01, 0.015]
[[joint]]
name = "thread"
kind = "screw"
between = ["ground", "nut"]
at = [0, 0, 0]
axis = [0, 0, -1]
pitch = 0.5
[[gravity]]
acceleration = [0, 0, -9.81]
[[invariant]]
name = "travel"
value = "travel(thread)"
[[invariant]]
name = "rate"
value = "rate(thread)"
)toml");
  expect_exact_derivatives(model);
  const double k = 2 * std::numbers::pi / 0.5, a = 2 * 9.81 / (2 + 0.015 * k * k), t = 1.5;
  const State end = run_until(rigid(model.system), model.given, t, "dop853", 1e-11);
  EXPECT_NEAR(seen(model.system, end, "travel"), a * t * t / 2, 1e-8);
  EXPECT_NEAR(seen(model.system, end, "rate"), k * a * t, 1e-7);
  EXPECT_GT(a * t * t / 2 * k, 2 * std::numbers::pi);  // more than a turn
}

std::string gears(bool space, const std::string& ratio) {
  const auto wheel = [&](const std::string& name, double I, double x, const std::string& words) {
    const std::string i = std::to_string(I), at = std::to_string(x);
    return "[[body]]\nname = \"" + name +
           "\"\nmass = 1\ninertia = " + (space ? "[" + i + ", " + i + ", " + i + "]" : i) +
           "\nat = [" + at + (space ? ", 0, 0]" : ", 0]") + "\n[[joint]]\nname = \"" + name +
           "_axle\"\nkind = \"hinge\"\nbetween = [\"ground\", \"" + name + "\"]\nat = [" + at +
           (space ? ", 0, 0]\naxis = [0, 0, 1]" : ", 0]") + "\n" + words + "\n";
  };
  return wheel("a", 0.2, 0, "torque = 3") + wheel("b", 0.7, 1, "") +
         "[[gear]]\nname = \"teeth\"\nbetween = [\"a_axle\", \"b_axle\"]\nratio = " + ratio +
         "\n[[invariant]]\nname = \"rate a\"\nvalue = \"rate(a_axle)\"\n[[invariant]]\nname = "
         "\"rate b\"\nvalue = \"rate(b_axle)\"\n";
}

// (I_a + I_b / n²) a'' = torque
TEST(Gear, AcceleratesBothWheelsByTheirRatio) {
  for (const bool space : {false, true}) {
    const auto model = bodies(gears(space, "\"-5/2\""));
    expect_exact_derivatives(model);
    const State end = run_until(rigid(model.system), model.given, 2.0, "dop853", 1e-11);
    const double rate = 3 / (0.2 + 0.7 / 6.25) * 2.0;
    EXPECT_NEAR(seen(model.system, end, "rate a"), rate, 1e-7) << space;
    EXPECT_NEAR(seen(model.system, end, "rate b"), -rate / 2.5, 1e-7) << space;
  }
}

TEST(Gear, IsARackBetweenAHingeAndASlider) {
  for (const bool space : {false, true}) {
    const auto model =
        bodies(slide(space, "", "torque = 2") +
               "[[gear]]\nname = \"rack\"\nbetween = [\"slide\", \"elbow\"]\nratio = 0.3\n");
    expect_exact_derivatives(model);
    State s = consistent(model);
    s = run_until(rigid(model.system), s, 1.0, "dop853", 1e-10);
    EXPECT_NEAR(seen(model.system, s, "speed"), 0.3 * seen(model.system, s, "rate"), 1e-8);
  }
}

// L' = τ for a torque in the world's axes: constant torque on a body of equal moments
TEST(Torque, TurnsTheAngularMomentum) {
  for (const char* moments : {"[1, 2, 2.5]", "[1, 2, 3]", "[3, 1, 2]"}) {
    const std::string body =
        std::string{
            "[[body]]\nname = \"b\"\nmass = 1\nrotation = [0.3, 0.4, "
            "-0.9]\nspin = [0.5, 1, -0.3]\ninertia = "} +
        moments + "\n";
    const auto model = bodies(body + "[[torque]]\non = \"b\"\nvalue = [0.7, -1.1, \"0.4*t\"]\n");
    expect_exact_derivatives(model);
    double a = 0, b = 0, c = 0;
    ASSERT_EQ(std::sscanf(moments, "[%lf, %lf, %lf]", &a, &b, &c), 3);
    const auto L = [&](const State& s) {
      const Pose p{model.system, s, "b"};
      const Vec3 w = p.spin();
      return Vec3{p.R * Vec3{a * w[0], b * w[1], c * w[2]}};
    };
    const State end = run_until(rigid(model.system), model.given, 1.5, "dop853", 1e-11);
    EXPECT_LE((L(end) - L(model.given) - Vec3{0.7 * 1.5, -1.1 * 1.5, 0.2 * 2.25}).norm(), 1e-8)
        << moments;
  }
}

// Euler's equations with a torque about the body's own axis:  C w3' = τ,  and (w1, w2) turn with
// the angle (C - A)/A ∫ w3
TEST(Torque, SpinsATopAboutItsOwnAxis) {
  const auto model = bodies(R"toml(
[[body]]
name = "top"
mass = 1
inertia = [1, 1, 1.5]
rotation = [0.3, 0.4, -0.9]
spin = [0.5, 0, 2]
[[torque]]
on = "top"
value = [0, 0, 0.6]
frame = "body"
)toml");
  const double t = 2.0;
  for (const char* method : {"dop853", "radau"}) {
    const Vec3 w =
        Pose{model.system, run_until(rigid(model.system), model.given, t, method, 1e-11), "top"}
            .spin();
    const double turn = 0.5 * (2 * t + 0.2 * t * t);
    EXPECT_NEAR(w[2], 2 + 0.4 * t, 1e-8) << method;
    EXPECT_NEAR(w[0], 0.5 * std::cos(turn), 1e-8) << method;
    EXPECT_NEAR(w[1], 0.5 * std::sin(turn), 1e-8) << method;
  }
}

TEST(Torque, BetweenTwoBodiesKeepsTheirMomentum) {
  const auto model = bodies(
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = 2\n[[body]]\nname = \"b\"\nmass = 1\ninertia = "
      "3\nat = [1, 0]\n[[torque]]\non = \"a\"\nagainst = \"b\"\nvalue = \"cos(a.angle)\"\n");
  expect_exact_derivatives(model);
  const State end = run_until(model.system, model.given, 1.0, "dop853", 1e-10);
  EXPECT_NEAR(
      2 * of(model.system, end, "a.angle", true) + 3 * of(model.system, end, "b.angle", true), 0.0,
      1e-12);
}

TEST(Force, ActsInTheAxesOfABody) {
  const std::string body =
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = 2\nrotation = 0.4\nmarkers = { tip = [0.5, "
      "0.2] }\n[[force]]\non = \"b.tip\"\n";
  const auto own = bodies(body + "value = [1, 2]\nframe = \"body\"\n");
  const auto same = bodies(body + "value = [\"b.r11 + 2*b.r12\", \"b.r21 + 2*b.r22\"]\n");
  expect_exact_derivatives(own);
  Evaluation a, b;
  own.system.prepare(a);
  same.system.prepare(b);
  const State& s = own.given;
  ASSERT_EQ(own.system.evaluate(need(Target::force), {.t = 0, .q = s.q, .v = s.v}, a), Status::ok);
  ASSERT_EQ(same.system.evaluate(need(Target::force), {.t = 0, .q = s.q, .v = s.v}, b), Status::ok);
  EXPECT_LE((a.f - b.f).norm(), 1e-15);
  // about the centre: 0.5 * 2 - 0.2 * 1
  EXPECT_NEAR(a.f[2], 0.8, 1e-15);
}

TEST(Joints, AllHaveIndependentRowsAndExactDerivatives) {
  const std::array<std::pair<const char*, int>, 10> kinds{{{"ball", 3},
                                                           {"hinge", 5},
                                                           {"fixed", 6},
                                                           {"slider", 5},
                                                           {"cylindrical", 4},
                                                           {"universal", 4},
                                                           {"planar", 3},
                                                           {"screw", 5},
                                                           {"point-on-line", 2},
                                                           {"point-on-plane", 1}}};
  for (const auto& [kind, rows] : kinds) {
    const std::string name = kind;
    const bool axis = name != "ball" && name != "fixed";
    const auto model = bodies(
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 2, 2.5]\nrotation = [0.1, 0.7, "
        "-0.4]\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 2, 3]\nat = [1, 0.5, -0.3]\n"
        "rotation = [-0.3, 0.2, 0.9]\n[[joint]]\nkind = \"" +
        name + "\"\nbetween = [\"a\", \"b\"]\nat = [0.4, 0.3, 0.2]\n" +
        (axis ? "axis = [1, 2, -0.5]\n" : "") +
        (name == "universal" ? "second_axis = [2, -1, 0]\n" : "") +
        (name == "screw" ? "pitch = 2\n" : ""));
    EXPECT_EQ(model.system.nc(), 6 + 3 + rows) << name;
    expect_exact_derivatives(model);
    Evaluation out;
    model.system.prepare(out);
    const State& s = model.given;
    ASSERT_EQ(model.system.evaluate(needs(Target::constraint, Target::constraint_jacobian),
                                    {.t = 0, .q = s.q, .v = s.v}, out),
              Status::ok);
    EXPECT_LE(out.g.cwiseAbs().maxCoeff(), 1e-14) << name;  // a screw: 2 pi/pitch roundings
    EXPECT_EQ(Mat(out.G).colPivHouseholderQr().rank(), model.system.nc()) << name;
  }
}

TEST(Body, IsTurnedByAxesEulerAnglesOrAQuaternion) {
  const auto R = [](const std::string& words) {
    const auto model =
        bodies("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n" + words + "\n");
    return Pose{model.system, model.given, "b"}.R;
  };
  using Eigen::AngleAxisd;
  const Mat3 euler = (AngleAxisd{0.3, Vec3::UnitZ()} * AngleAxisd{-0.8, Vec3::UnitY()} *
                      AngleAxisd{1.9, Vec3::UnitX()})
                         .toRotationMatrix();
  EXPECT_LE((R("euler = [0.3, -0.8, 1.9]") - euler).norm(), 1e-15);
  const Mat3 q = Eigen::Quaterniond{0.5, -0.5, 0.5, 0.5}.toRotationMatrix();
  EXPECT_LE((R("quaternion = [0.5, -0.5, 0.5, 0.5]") - q).norm(), 1e-15);
  Mat3 axes;
  axes << 0, 0, 1, 0.6, -0.8, 0, 0.8, 0.6, 0;
  EXPECT_LE((R("axes = { x = [0, 0.6, 0.8], y = [0, -0.8, 0.6] }") - axes).norm(), 1e-15);
  EXPECT_LE((R("axes = { z = [1, 0, 0], x = [0, 0.6, 0.8] }") - axes).norm(), 1e-15);
}

}  // namespace
}  // namespace taut::test
