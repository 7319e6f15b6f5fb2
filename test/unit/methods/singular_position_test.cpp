// SPDX-License-Identifier: BSD-3-Clause
// N four-bars in a row (a benchmark of multibody codes): 2 N + 1 uniform bars of unit length that
// lie on each other twice in each turn, where the mechanism could fold. On its smooth motion all
// cranks stay parallel and the whole is one pendulum, of which the energy is known in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "drawn_seed.hpp"
#include "methods/automatic.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "problems.hpp"
#include "stiff_problems.hpp"

namespace taut::test {
namespace {

constexpr double fall = 9.81;

Loaded four_bars(int N, double angle, double speed) {
  const double c = std::cos(angle), s = std::sin(angle);
  std::string text = "name = \"four-bars\"\n[anchors]\n";
  for (int i = 0; i <= N; ++i) text += fmt::format("a{} = [{}, 0]\n", i, i);
  text += "[points]\n";
  for (int i = 0; i <= N; ++i)
    text += fmt::format("b{} = {{ at = [{:.17g}, {:.17g}], velocity = [{:.17g}, {:.17g}] }}\n", i,
                        i + c, s, speed * s, -speed * c);
  const auto bar = [&](const std::string& a, const std::string& b) {
    text += fmt::format("[[rod]]\nbetween = [\"{}\", \"{}\"]\nlength = 1\nmass = 1\n", a, b);
  };
  for (int i = 0; i <= N; ++i) bar(fmt::format("a{}", i), fmt::format("b{}", i));
  for (int i = 0; i < N; ++i) bar(fmt::format("b{}", i), fmt::format("b{}", i + 1));
  text += fmt::format("[[gravity]]\nacceleration = [0, -{}]\n", fall);
  return from_text(text);
}

// cranks turn about their ends, couplers follow without turning
double energy(int N, const State& s) {
  const double inertia = (N + 1) / 3.0 + N, weight = ((N + 1) / 2.0 + N) * fall;
  return inertia * s.v.head(2).squaredNorm() / 2 + weight * s.q[1];
}

struct Start {
  double degrees, speed;
};
const std::vector<Start> starts{{90, 1}, {60, 1}, {45, 2}, {30, 0}, {100, 1.7}, {0, 1}};

template <class Adaptive>
void passes(int N, const Start& start, double tol, std::int64_t most_steps = 2500) {
  SCOPED_TRACE(fmt::format("{} four-bars from {} degrees with {} m/s, tol = {}", N, start.degrees,
                           start.speed, tol));
  constexpr double pi = 3.14159265358979323846;
  const Loaded model = four_bars(N, start.degrees * pi / 180, start.speed);
  Adaptive method{{.tol = tol}};
  State s = model.start;
  const double E = energy(N, s);
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  while (s.t < 10.0)
    ASSERT_EQ(method.advance(model.system, 10.0, s), Status::ok) << "at t = " << s.t;
  // what is lost where the tolerance had to be loosened is told
  const double bound = std::max(1e4 * tol, method.notes().empty() ? 1e-6 : 1e-4);
  EXPECT_NEAR(energy(N, s), E, bound * (N + 1) * fall);
  for (int i = 0; i < N; ++i) {
    EXPECT_NEAR(s.q[2 * i + 2] - s.q[2 * i], 1.0, 1e-9);
    EXPECT_NEAR(s.q[2 * i + 3] - s.q[2 * i + 1], 0.0, 1e-7);
  }
  EXPECT_LE(method.counters.steps, most_steps);
}

template <class Adaptive>
void passes_all() {
  for (const int N : {1, 2, 3, 5})
    for (const Start& start : starts)
      for (const double tol : {1e-5, 1e-7, 1e-9, 1e-11}) passes<Adaptive>(N, start, tol);
}

TEST(FourBars, AutomaticPassesTheirSingularPositions) { passes_all<Automatic>(); }

TEST(FourBars, RadauPassesTheirSingularPositions) { passes_all<Radau>(); }

TEST(FourBars, DormandPrincePassesTheirSingularPositions) {
  for (const Start& start : starts)
    for (const double tol : {1e-6, 1e-9, 1e-12}) passes<DormandPrince853>(3, start, tol);
}

// where a step that begins near a singular position is shortened, the next begins nearer still:
// these took 80 000 steps, or ended
TEST(FourBars, StepsThatBeginNearASingularPositionLeaveIt) {
  struct Near {
    int N;
    Start start;
  };
  for (const Near& near : {Near{2, {5.745128343847857, 0.6111408923845891}},
                           Near{4, {11.57330306596029, 0.9290002849208346}},
                           Near{5, {4.2889280630331337, 0.58154962803111443}}})
    for (const double tol : {1e-11, 1e-12}) {
      passes<Automatic>(near.N, near.start, tol, 1500);
      passes<DormandPrince853>(near.N, near.start, tol, 1500);
    }
}

TEST(FourBars, StartsBesideASingularPositionLeaveIt) {
  for (const double degrees : {0.0038735512030166949, 0.0035537982569772237, 1e-4, 179.998})
    for (const double tol : {1e-8, 1e-11}) {
      passes<Automatic>(3, {degrees, 0.718064178058762}, tol);
      passes<Radau>(3, {degrees, 0.718064178058762}, tol);
      passes<Radau>(3, {degrees, 3.3415601404102206}, tol);
    }
}

/// A governor with light arms and stiff dampers: two of its constraints make a small angle wherever
/// it is, which is no singular position.
constexpr const char* governor = R"toml(
name = "governor"
[parameters]
angle = "pi/6"
[[body]]
name = "shaft"
mass = 0.3
inertia = [0.025, 0.025, 5e-6]
at = [0, 0, 0.5]
spin = [0, 0, "2*pi"]
[[body]]
name = "arm1"
mass = 5.3
inertia = [1e-3, 0.4, 0.4]
at = ["0.9*cos(angle)", 0, "1 - 0.9*sin(angle)"]
rotation = [0, "angle", 0]
velocity = [0, "0.9*cos(angle)*2*pi", 0]
spin = ["-2*pi*sin(angle)", 0, "2*pi*cos(angle)"]
markers = { mid = [-0.4, 0, 0], pin = [-0.9, 0, 0] }
[[body]]
name = "arm2"
mass = 5.3
inertia = [1e-3, 0.4, 0.4]
at = ["-0.9*cos(angle)", 0, "1 - 0.9*sin(angle)"]
rotation = [0, "-angle", 0]
velocity = [0, "-0.9*cos(angle)*2*pi", 0]
spin = ["2*pi*sin(angle)", 0, "2*pi*cos(angle)"]
markers = { mid = [0.4, 0, 0], pin = [0.9, 0, 0] }
[points]
slider = { mass = 3, at = [0, 0, 0.5] }
[[constraint]]
zero = "slider.x"
[[constraint]]
zero = "slider.y"
[[joint]]
kind = "hinge"
between = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[joint]]
kind = "hinge"
between = ["shaft", "arm1"]
at = [0, 0, 1]
axis = [0, 1, 0]
[[joint]]
kind = "hinge"
between = ["shaft", "arm2"]
at = [0, 0, 1]
axis = [0, 1, 0]
[[spring]]
between = ["arm1.mid", "slider"]
length = 0.5
stiffness = 8e5
[[spring]]
between = ["arm2.mid", "slider"]
length = 0.5
stiffness = 8e5
[[damper]]
between = ["arm1.mid", "slider"]
damping = 4e4
[[damper]]
between = ["arm2.mid", "slider"]
damping = 4e4
[[gravity]]
acceleration = [0, 0, -9.81]
)toml";

// drawn anew each time
TEST(FourBars, AnyStartPassesTheirSingularPositions) {
  const unsigned seed = drawn_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random{seed};
  std::uniform_real_distribution<double> degrees{0, 180}, speed{0, 4};
  std::uniform_int_distribution<int> count{1, 5};
  for (int k = 0; k < 20; ++k) {
    const int N = count(random);
    const Start start{degrees(random), speed(random)};
    for (const double tol : {1e-5, 1e-8, 1e-11}) {
      // from a position next to a singular one, rounding decides about steps
      passes<Automatic>(N, start, tol, 50'000);
      passes<Radau>(N, start, tol, 50'000);
    }
  }
}

template <class Adaptive>
std::int64_t steps_of_governor(double tol, State& s) {
  const Loaded model = from_text(governor);
  Adaptive method{{.tol = tol}};
  s = model.start;
  EXPECT_EQ(method.start(model.system, s), Status::ok);
  while (s.t < 3.0 && method.advance(model.system, 3.0, s) == Status::ok) {
  }
  EXPECT_EQ(s.t, 3.0);
  return method.counters.steps;
}

// what is stiff disturbs steps that are stable, and only shorter ones are exact
TEST(Governor, TheAutomaticMethodSeesStiffnessAtTightTolerances) {
  for (const double tol : {1e-8, 1e-9, 1e-10, 1e-11}) {
    SCOPED_TRACE(tol);
    State by_radau, by_automatic;
    const std::int64_t radau = steps_of_governor<Radau>(tol, by_radau);
    EXPECT_LT(steps_of_governor<Automatic>(tol, by_automatic), 4 * radau + 1000);
    EXPECT_LT((by_radau.q - by_automatic.q).norm(), std::max(1e3 * tol, 1e-8));
  }
}

TEST(FourBars, ARegularMechanismIsNotCalledNearlyDependent) {
  const Loaded model = from_text(governor);
  DormandPrince853 method{{.tol = 1e-11}};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  while (s.t < 0.05) ASSERT_EQ(method.advance(model.system, 0.05, s), Status::ok);
  EXPECT_TRUE(method.notes().empty());
  EXPECT_LE(2 * method.counters.rejected, method.counters.steps);
}

}  // namespace
}  // namespace taut::test
