// SPDX-License-Identifier: BSD-3-Clause
// Rigid bodies against closed forms: the top, the body that turns over, boxes on hinges.
#include <cmath>
#include <numbers>

#include "end_of_run.hpp"
#include "long_double_ode.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"

namespace taut::test {
namespace {

TEST(Top, PrecessesAtItsRate) {
  const Loaded top = load("top");
  const double A = 0.02 + 0.5 * 0.3 * 0.3, spin = 0.012 * 60, c = std::cos(0.6);
  const double rate = (spin - std::sqrt(spin * spin - 4 * A * c * 0.5 * 9.81 * 0.3)) / (2 * A * c);
  EXPECT_NEAR(rate, 2.51506, 1e-5);
  const State end = end_of_run(top.system, top.start, 2.0, "dop853", 1e-12);
  const Index axis = coordinate(top.system, "top.r13");
  EXPECT_NEAR(end.q[axis], std::sin(0.6) * std::cos(2 * rate), 1e-8);
  EXPECT_NEAR(end.q[axis + 1], std::sin(0.6) * std::sin(2 * rate), 1e-8);
  EXPECT_NEAR(end.q[axis + 2], c, 1e-8);
}

TEST(FreeBodyOfTheGallery, TurnsOverWhenTheEllipticFunctionSays) {
  // ω2 = cd(rate t) vanishes at t = K(k)/rate, and K is that of the arithmetic-geometric mean
  const double E2 = 2 + 2.5e-6, L2 = 4 + 6.25e-6;
  const double rate = std::sqrt(0.5 * (L2 - E2) / 5), k2 = (2.5 * E2 - L2) / (0.5 * (L2 - E2));
  double a = 1, b = std::sqrt(1 - k2);
  for (int i = 0; i < 10; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  const double turn = std::numbers::pi / 2 / a / rate;
  EXPECT_NEAR(turn, 17.84325, 1e-5);
  const Loaded body = load("free_body");
  const State end = end_of_run(body.system, body.start, turn, "dop853", 1e-12);
  const Index r1 = coordinate(body.system, "body.r11"), r3 = coordinate(body.system, "body.r13");
  const double w2 = end.q.segment(r1, 3).dot(end.v.segment(r3, 3));
  EXPECT_NEAR(w2, 0.0, 1e-7);
}

TEST(HingedBodies, OneBoxIsThePhysicalPendulum) {
  const long double inertia = (0.16L + 1) / 12 + 0.25L;
  const LongVec truth = solve(
      [&](long double, const LongVec& y, LongVec& dy) {
        dy[0] = y[1];
        dy[1] = -9.81L * 0.5L * std::sin(y[0]) / inertia;
      },
      {0.8L, 0}, 0, 2, 0.01L);
  const Loaded box = load("hinged_bodies", {{"n", 1}});
  const State end = end_of_run(box.system, box.start, 2.0, "dop853", 1e-12);
  const Index r3 = coordinate(box.system, "box1.r13");
  EXPECT_NEAR(std::atan2(end.q[r3], end.q[r3 + 2]), static_cast<double>(truth[0]), 1e-9);
}

// Runge-Kutta and RATTLE, whose results agree with order two
TEST(HingedBodies, ThreeBoxesKeepTheirEnergyAndLeaveThePlane) {
  const Loaded boxes = load("hinged_bodies");
  EXPECT_EQ(boxes.system.nc(), 18 + 15);
  const State end = end_of_run(boxes.system, boxes.start, 1.0, "dop853", 1e-12);
  Evaluation ev;
  boxes.system.prepare(ev);
  const auto energy = [&](const State& s) {
    EXPECT_EQ(boxes.system.evaluate(needs(Target::kinetic_energy, Target::potential_energy),
                                    {.t = s.t, .q = s.q, .v = s.v}, ev),
              Status::ok);
    return ev.kinetic_energy + ev.potential_energy;
  };
  EXPECT_NEAR(energy(end), energy(boxes.start), 1e-9);
  EXPECT_GT(std::abs(end.q[coordinate(boxes.system, "box3.y")]), 0.05);

  const auto error = [&](int steps) {
    Method method = make_method("rattle", {}).value();
    State s = boxes.start;
    EXPECT_EQ(method->start(boxes.system, s), Status::ok);
    for (int n = 0; n < steps; ++n)
      EXPECT_EQ(method->step(boxes.system, 1.0 / steps, s), Status::ok);
    return (s.q - end.q).norm();
  };
  EXPECT_NEAR(std::log2(error(400) / error(800)), 2.0, 0.1);
}

// the same linkage of bars whose ends are points: no angle, no body
TEST(PlanarFourBar, MovesAsThatOfBars) {
  const Loaded bodies = load("planar_four_bar"), bars = load("four_bar");
  EXPECT_EQ(bodies.system.nq(), 9);
  EXPECT_EQ(bodies.system.nc(), 8);
  const State a = end_of_run(bodies.system, bodies.start, 2.0, "dop853", 1e-11);
  const State b = end_of_run(bars.system, bars.start, 2.0, "dop853", 1e-11);
  const Index crank = coordinate(bodies.system, "crank.x"), point = coordinate(bars.system, "b.x");
  for (Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(2 * a.q[crank + i], b.q[point + i], 1e-7);
    EXPECT_NEAR(2 * a.v[crank + i], b.v[point + i], 1e-6);
  }
  // more than a turn, and counted
  const double angle = a.q[crank + 2];
  EXPECT_GT(std::abs(angle), 2 * std::numbers::pi);
  EXPECT_NEAR(std::cos(angle), b.q[point], 1e-7);
}

TEST(CrankSlider, PistonIsWhereTheCrankPutsIt) {
  const Loaded model = load("crank_slider");
  const State end = end_of_run(model.system, model.start, 1.5, "dop853", 1e-10);
  const double angle = 15, s = 0.3 * std::sin(angle);
  EXPECT_NEAR(end.q[coordinate(model.system, "piston.x")],
              0.3 * std::cos(angle) + std::sqrt(0.81 - s * s), 1e-12);
}

// one degree of freedom: the lift x, with the wheel at x/radius and the rotor at -4 x/radius
TEST(GearedMotor, LiftsAsItsReducedEquationSays) {
  const long double r = 0.1L, mass = 6 + (0.03L + 16 * 2e-3L) / (r * r);
  const LongVec truth = solve(
      [&](long double, const LongVec& y, LongVec& dy) {
        const long double rate = 4 * y[1] / r;  // of the rotor
        const long double motor = 2 * (1 - rate / 300) - 0.02L * std::tanh(rate);
        dy[0] = y[1];
        dy[1] = (4 / r * motor - 6 * 9.81L - 20 * y[0] - 5 * y[1]) / mass;
      },
      {0, 0}, 0, 2, 0.001L);
  const Loaded model = load("geared_motor");
  for (const char* method : {"dop853", "radau"}) {
    const State end = end_of_run(model.system, model.start, 2.0, method, 1e-10);
    const Index lift = coordinate(model.system, "rack.y");
    EXPECT_NEAR(end.q[lift] + 0.3, static_cast<double>(truth[0]), 1e-8) << method;
    EXPECT_NEAR(end.q[coordinate(model.system, "rotor.angle")], -40 * static_cast<double>(truth[0]),
                1e-7)
        << method;
  }
}

TEST(RobotArm, StaysWithinItsLimits) {
  const Loaded model = load("robot_arm");
  State s = model.start;
  double lowest = 1, column = 0;
  for (double t = 0.05; t < 6; t += 0.05) {
    s = end_of_run(model.system, s, t, "radau", 1e-7);
    const auto axis = [&](const char* name) {
      return Vec{s.q.segment(coordinate(model.system, name), 3)};
    };
    const Vec x = axis("arm.r11"), z = axis("arm.r13"), other = axis("forearm.r11");
    lowest = std::min(lowest, std::atan2(z.dot(other), x.dot(other)));
    const Vec base = axis("base.r11");
    column = std::remainder(std::atan2(base[1], base[0]) - 4 * t, 2 * std::numbers::pi);
    EXPECT_NEAR(column, 0.0, 1e-9) << t;
  }
  // the controller pushes with up to 100 * 1.2 N m and more against a stop of 2e4 N m
  EXPECT_LT(lowest, -0.2);
  EXPECT_GT(lowest, -0.22);
}

}  // namespace
}  // namespace taut::test
