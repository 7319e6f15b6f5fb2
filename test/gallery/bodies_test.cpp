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

}  // namespace
}  // namespace taut::test
