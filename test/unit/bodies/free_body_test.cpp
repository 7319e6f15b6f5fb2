// SPDX-License-Identifier: BSD-3-Clause
// A body that no force acts on: what it keeps, and its motion in elliptic functions.
#include "support.hpp"

namespace taut::test {
namespace {

const char* const free_body = R"toml(
[parameters]
I1 = 1
I2 = 2
I3 = 2.5
w1 = 0.8
w2 = 0
w3 = 1.2
[[body]]
name    = "b"
mass    = 2
inertia = ["I1", "I2", "I3"]
velocity = [0.3, 0, 0]
spin    = ["w1", "w2", "w3"]
)toml";

// here RATTLE is the algorithm of Moser and Veselov, which keeps the energy
TEST(FreeBody, RattleKeepsEnergyMomentumAndRotationOverAMillionSteps) {
  const auto model = bodies(free_body, {{"w1", 0.1}, {"w2", 1.0}, {"w3", 0.05}});
  const System system = rigid(model.system);
  const Vec3 I{1, 2, 2.5};
  const auto momentum = [&](const Pose& p) { return Vec3{p.R * I.cwiseProduct(p.spin())}; };
  const Vec3 L0 = momentum({system, model.given, "b"});
  const double E0 = energy(system, model.given);
  double dE = 0, dL = 0, dR = 0;
  int n = 0;
  run_steps(system, model.given, 0.01, 1'000'000, [&](const State& s) {
    if (++n % 500 != 0) return;
    const Pose p{system, s, "b"};
    dE = std::max(dE, std::abs(energy(system, s) / E0 - 1));
    dL = std::max(dL, (momentum(p) - L0).norm() / L0.norm());
    dR = std::max(dR, (p.R.transpose() * p.R - Mat3::Identity()).norm());
  });
  EXPECT_LE(dE, 1e-12);
  EXPECT_LE(dL, 1e-12);
  EXPECT_LE(dR, 4e-14);
}

// largest differences from the closed form over the run
struct Errors {
  double spin = 0, axes = 0;
};
Errors errors_of(const System& system, const State& start, const FreeBody& truth, double T,
                 int steps) {
  Errors errors;
  int n = 0;
  run_steps(system, start, T / steps, steps, [&](const State& s) {
    if (++n % (steps / 4) != 0) return;
    const Pose p{system, s, "b"};
    errors.spin = std::max(errors.spin, (p.spin() - truth.spin(s.t)).norm());
    errors.axes = std::max(errors.axes, (p.R - truth.axes(s.t)).norm());
  });
  return errors;
}

TEST(FreeBody, RattleFollowsTheClosedFormWithOrderTwo) {
  const auto model = bodies(free_body);
  const FreeBody truth{{1, 2, 2.5}, 0.8, 1.2};
  const System system = rigid(model.system);
  const Errors coarse = errors_of(system, model.given, truth, 6.0, 240);
  const Errors fine = errors_of(system, model.given, truth, 6.0, 480);
  EXPECT_LE(fine.axes, 2e-3);
  EXPECT_NEAR(std::log2(coarse.spin / fine.spin), 2.0, 0.05);
  EXPECT_NEAR(std::log2(coarse.axes / fine.axes), 2.0, 0.05);
}

TEST(FreeBody, RungeKuttaMeetsTheClosedFormToItsTolerance) {
  const auto model = bodies(free_body);
  const FreeBody truth{{1, 2, 2.5}, 0.8, 1.2};
  const State end = run_until(rigid(model.system), model.given, 6.0, "dop853", 1e-12);
  const Pose p{model.system, end, "b"};
  EXPECT_LE((p.R - truth.axes(6.0)).norm(), 1e-9);
  EXPECT_LE((p.spin() - truth.spin(6.0)).norm(), 1e-9);
  EXPECT_NEAR(p.x[0], 1.8, 1e-10);
}

// the third axis carries no mass and is no coordinate
TEST(FreeBody, FlatBodyFollowsTheClosedForm) {
  const auto model = bodies(free_body, {{"I3", 3.0}, {"w1", 0.7}, {"w3", 1.1}});
  EXPECT_EQ(model.system.nq(), 9);
  EXPECT_EQ(model.system.nc(), 3);
  const FreeBody truth{{1, 2, 3}, 0.7, 1.1};
  const State end = run_until(rigid(model.system), model.given, 5.0, "dop853", 1e-12);
  const Pose p{model.system, end, "b"};
  EXPECT_LE((p.R - truth.axes(5.0)).norm(), 1e-9);
  const Errors coarse = errors_of(rigid(model.system), model.given, truth, 5.0, 200);
  const Errors fine = errors_of(rigid(model.system), model.given, truth, 5.0, 400);
  EXPECT_NEAR(std::log2(coarse.axes / fine.axes), 2.0, 0.05);
}

// the same body described in other axes: R changes by a constant rotation
TEST(FreeBody, ProductsOfInertiaAreThoseOfTurnedAxes) {
  const Mat3 Q = Eigen::AngleAxisd{0.9, Vec3{1, 2, -1}.normalized()}.toRotationMatrix();
  const Mat3 I = Q.transpose() * Vec3{1, 2, 2.5}.asDiagonal() * Q;
  const Vec3 w = Q.transpose() * Vec3{0.8, 0, 1.2};
  const Vec3 turn = 0.9 * Vec3{1, 2, -1}.normalized();
  std::string toml = "[[body]]\nname = \"b\"\nmass = 2\n";
  const auto list = [](std::initializer_list<double> x) {
    std::string text;
    char number[40];
    for (const double value : x) {
      std::snprintf(number, sizeof number, "%.17g", value);
      text += (text.empty() ? "[" : ", ") + std::string{number};
    }
    return text + "]\n";
  };
  toml += "inertia = " + list({I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)});
  toml += "spin = " + list({w[0], w[1], w[2]});
  toml += "rotation = " + list({turn[0], turn[1], turn[2]});
  const auto model = bodies(toml);
  EXPECT_FALSE(model.system.structure().mass_diagonal);
  EXPECT_TRUE(model.system.structure().mass_constant);
  const FreeBody truth{{1, 2, 2.5}, 0.8, 1.2};
  const State end = run_until(rigid(model.system), model.given, 6.0, "dop853", 1e-12);
  EXPECT_LE((Pose{model.system, end, "b"}.R - truth.axes(6.0) * Q).norm(), 1e-9);
  // and the steps of RATTLE do not depend on the axes either
  const auto plain = bodies(free_body);
  const State a = run_steps(rigid(model.system), model.given, 0.05, 40);
  const State b = run_steps(rigid(plain.system), plain.given, 0.05, 40);
  EXPECT_LE((Pose{model.system, a, "b"}.R - Pose{plain.system, b, "b"}.R * Q).norm(), 1e-11);
}

// near the axis of the middle moment the body turns over, and over again
TEST(FreeBody, TurnsOverAboutItsMiddleAxis) {
  const auto model = bodies(free_body, {{"w1", 0.0}, {"w2", 1.0}, {"w3", 1e-3}});
  int turns = 0;
  double last = 1.0;
  run_steps(rigid(model.system), model.given, 0.05, 4000, [&](const State& s) {
    const double w = Pose{model.system, s, "b"}.spin()[1];
    turns += w * last < 0 ? 1 : 0;
    last = w;
  });
  EXPECT_GE(turns, 5);
}

}  // namespace
}  // namespace taut::test
