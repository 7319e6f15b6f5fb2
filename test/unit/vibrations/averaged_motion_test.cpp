// SPDX-License-Identifier: BSD-3-Clause
// Methods on the averaged reading: orders, symplecticity, reversibility.
#include <gtest/gtest.h>

#include <cmath>

#include "core/allocation_counter.hpp"
#include "long_double_ode.hpp"
#include "methods/composition.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "methods/rattle.hpp"
#include "methods/shake.hpp"
#include "methods/verlet.hpp"
#include "problems.hpp"
#include "study.hpp"
#include "taut/run/integrate.hpp"
#include "vibrated_models.hpp"

namespace taut::test {
namespace {

/// (2.5), (2.6) in extended precision.
State averaged_truth(double t) {
  const LongVec y = solve(
      [](long double, const LongVec& x, LongVec& dx) {
        const long double g = 9.8L, length = 0.2L, v = 4.0L;
        dx = {x[1], (g / length - v * v / (2 * length * length) * std::cos(x[0])) * std::sin(x[0])};
      },
      {0.5L, 0.0L}, 0.0L, t, 0.02L);
  return {t, Vec::Constant(1, static_cast<double>(y[0])),
          Vec::Constant(1, static_cast<double>(y[1]))};
}

Problem averaged_pendulum() {
  const Loaded model = inverted_pendulum(1e8);
  return {.name = "averaged pendulum",
          .system = read(model, {.steps = 320}).system,
          .start = model.start,
          .truth = averaged_truth,
          .T = 1.0};
}

template <class Method>
void expect_order(double order, int coarsest) {
  const Study study = convergence_study<Method>(
      averaged_pendulum(), {.floor = 1e-7, .coarsest = coarsest, .finest = 10 * coarsest});
  SCOPED_TRACE(study);
  EXPECT_EQ(study.status, Status::ok);
  EXPECT_GE(study.used, 3);
  EXPECT_NEAR(study.order_q, order, 0.2);
  EXPECT_NEAR(study.order_v, order, 0.2);
}

TEST(AveragedMotion, VerletShakeAndRattleAreOfOrderTwo) {
  expect_order<Verlet>(2, 64);
  expect_order<Shake>(2, 64);
  expect_order<Rattle>(2, 64);
}

TEST(AveragedMotion, SymmetricCompositionsAreOfOrderFour) {
  expect_order<Composition<Verlet, Yoshida4>>(4, 24);
  expect_order<Composition<Verlet, Suzuki4>>(4, 24);
  expect_order<Composition<Rattle, Suzuki4>>(4, 24);
}

TEST(AveragedMotion, AdaptiveMethodsKeepTheirTolerance) {
  const Loaded model = inverted_pendulum(1e8);
  const AveragedReading reading = read(model, {.steps = 320});
  const State truth = averaged_truth(1.0);
  const auto error = [&](auto method) {
    State s = model.start;
    Status st = method.start(reading.system, s);
    while (st == Status::ok && s.t < 1.0) st = method.advance(reading.system, 1.0, s);
    EXPECT_EQ(st, Status::ok);
    return std::abs(s.q[0] - truth.q[0]);
  };
  EXPECT_LE(error(DormandPrince853{{.tol = 1e-6}}), 1e-5);
  EXPECT_LE(error(DormandPrince54{{.tol = 1e-6}}), 1e-4);
  // an implicit method, with the stiffness from differences
  EXPECT_LE(error(Radau{{.tol = 1e-6}}), 1e-4);
}

TEST(AveragedMotion, IsWithinThePeriodOfTheTrueOne) {
  const Loaded model = inverted_pendulum(1e3);
  const AveragedReading reading = read(model);
  const auto end = [&](const System& system) {
    DormandPrince853 method{{.tol = 1e-9}};
    State s = model.start;
    Status st = method.start(system, s);
    while (st == Status::ok && s.t < 0.5) st = method.advance(system, 0.5, s);
    EXPECT_EQ(st, Status::ok);
    return s.q[0];
  };
  // the vibration itself, and as much again over half a second: about 20/omega
  const double distance = std::abs(end(model.system) - end(reading.system));
  EXPECT_LE(distance, 3 * reading.amplitude);
  EXPECT_GE(distance, 0.01 * reading.amplitude);
}

/// The map of one step, in (q, p), by central differences; `to` and `from` change coordinates.
template <class Method>
Mat jacobian(const System& system, const Vec& start, double H, const auto& to, const auto& from) {
  constexpr double d = 1e-3;
  const auto map = [&](const Vec& y) {
    Method method;
    State s = to(y);
    EXPECT_EQ(method.start(system, s), Status::ok);
    EXPECT_EQ(method.step(system, H, s), Status::ok);
    return from(s);
  };
  Mat J(start.size(), start.size());
  for (Index k = 0; k < start.size(); ++k) {
    Vec step = Vec::Zero(start.size());
    step[k] = d;
    J.col(k) = (8 * (map(start + step) - map(start - step)) -
                (map(start + 2 * step) - map(start - 2 * step))) /
               (12 * d);
  }
  return J;
}

/// |JᵀΩJ - Ω|
double not_symplectic(const Mat& J) {
  const Index n = J.rows() / 2;
  Mat Omega = Mat::Zero(2 * n, 2 * n);
  Omega.topRightCorner(n, n).setIdentity();
  Omega.bottomLeftCorner(n, n) = -Mat::Identity(n, n);
  return (J.transpose() * Omega * J - Omega).cwiseAbs().maxCoeff();
}

// two angles that pull at each other, one of them shaken, so that the vibration is not a gradient
// of one coordinate alone
Loaded coupled(double omega) {
  const CompiledModel model = from_toml(R"toml(
[parameters]
omega = 1e6
[coordinates]
x = { mass = 1, at = 0.5, velocity = 0.3 }
y = { mass = 2, at = -0.3, velocity = 1 }
[vibration]
omega = "omega"
[[potential]]
energy = "10*cos(x) + 8*x*y + omega*cos(theta)*(3*cos(x + 0.5*y) + x*y^2)"
)toml",
                                        {{"omega", omega}});
  return {model.system, model.given};
}

double not_symplectic(const Loaded& model, const AveragedOptions& options, double H) {
  const AveragedReading reading = read(model, options);
  const Vec m = Eigen::Vector2d{1, 2};
  Vec y(4);
  y << model.start.q, m.cwiseProduct(model.start.v);
  return not_symplectic(jacobian<Verlet>(
      reading.system, y, H,
      [&](const Vec& at) {
        return State{0.0, at.head(2), at.tail(2).cwiseQuotient(m)};
      },
      [&](const State& s) {
        Vec at(4);
        at << s.q, m.cwiseProduct(s.v);
        return at;
      }));
}

// with one degree of freedom every force of the position is a gradient
TEST(AveragedMotion, VerletIsSymplecticWithOneDegreeOfFreedom) {
  for (const AveragedOptions& options : {published_averaging(40), AveragedOptions{}}) {
    const Loaded model = inverted_pendulum(1e3);
    const AveragedReading reading = read(model, options);
    const Mat J = jacobian<Verlet>(
        reading.system, Eigen::Vector2d{0.5, 1.0}, 0.02,
        [](const Vec& y) {
          return State{0.0, y.head(1), y.tail(1)};
        },
        [](const State& s) {
          return Vec{Eigen::Vector2d{s.q[0], s.v[0]}};
        });
    EXPECT_LE(not_symplectic(J), 1e-9);
  }
}

// with more, F is a gradient only up to what averaging leaves: of first order in the period from
// one phase, of second from two
TEST(AveragedMotion, VerletIsSymplecticUpToTheErrorOfAveraging) {
  const auto falls = [](const AveragedOptions& options) {
    return not_symplectic(coupled(1e3), options, 0.05) /
           not_symplectic(coupled(1e4), options, 0.05);
  };
  EXPECT_NEAR(std::log10(falls(published_averaging(40))), 1.0, 0.1);
  EXPECT_NEAR(std::log10(falls({.steps = 80})), 2.0, 0.1);
  EXPECT_LE(not_symplectic(coupled(1e6), {.steps = 80}, 0.05), 1e-8);
}

TEST(AveragedMotion, RattleIsSymplecticLikewiseOnTheDoublePendulum) {
  const DoublePendulum pendulum;
  const Mat M = pendulum.masses().asDiagonal();
  // angles, and their momenta in units in which both are of size 1
  constexpr double unit = 1e-3;
  const auto to = [&](const Vec& y) {
    const Mat J = pendulum.derivative(y[0], y[1]);
    const Mat inertia = J.transpose() * M * J;
    return State{0.0, pendulum.positions(y[0], y[1]), J * (inertia.inverse() * (unit * y.tail(2)))};
  };
  const auto from = [&](const State& s) {
    Vec y(4);
    y[0] = std::atan2(s.q[0], s.q[1]);
    y[1] = std::atan2(s.q[2] - s.q[0], s.q[3] - s.q[1]);
    y.tail(2) = pendulum.derivative(y[0], y[1]).transpose() * M * s.v / unit;
    return y;
  };
  const auto error = [&](double omega, const AveragedOptions& options) {
    const AveragedReading reading =
        read(load("vibrated_double_pendulum", {{"omega", omega}}), options);
    const Vec start = Eigen::Vector4d{0.5, 0.1, 1.0, -0.2};
    return not_symplectic(jacobian<Rattle>(reading.system, start, 1.0 / 160, to, from));
  };
  const auto falls = [&](const AveragedOptions& options) {
    return std::log10(error(1e3, options) / error(1e4, options));
  };
  EXPECT_NEAR(falls(published_averaging(32)), 1.0, 0.1);
  EXPECT_NEAR(falls({.steps = 80}), 2.0, 0.1);
  EXPECT_LE(error(1e7, {.steps = 80}), 1e-7);
}

TEST(AveragedMotion, GoesBackTheWayItCame) {
  for (const AveragedOptions& options : {published_averaging(20), AveragedOptions{}}) {
    const Loaded model = coupled(1e4);
    const System system = read(model, options).system;
    Verlet verlet;
    const State there = run(verlet, system, model.start, 0.02, 50);
    const State back = run(verlet, system, there, -0.02, 50);
    EXPECT_LE((back.q - model.start.q).norm(), 1e-10);

    const Loaded rods = load("vibrated_double_pendulum");
    const System averaged_rods = read(rods, options).system;
    Rattle rattle;
    const State rods_there = run(rattle, averaged_rods, rods.start, 1.0 / 160, 30);
    const State rods_back = run(rattle, averaged_rods, rods_there, -1.0 / 160, 30);
    EXPECT_LE((rods_back.q - rods.start.q).norm(), 1e-9);
  }
}

TEST(AveragedMotion, DoesNotAllocateOnceItMoves) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted here";
  const auto quiet = [](const Loaded& model, auto method, double H) {
    const System system = read(model).system;
    State s = model.start;
    ASSERT_EQ(method.start(system, s), Status::ok);
    ASSERT_EQ(method.step(system, H, s), Status::ok);
    const auto before = allocations();
    for (int n = 0; n < 5; ++n) ASSERT_EQ(method.step(system, H, s), Status::ok);
    EXPECT_EQ(allocations(), before);
  };
  quiet(inverted_pendulum(1e6), Verlet{}, 0.01);
  quiet(load("vibrated_double_pendulum"), Rattle{}, 1.0 / 160);
  quiet(load("vibrated_double_pendulum"), Shake{}, 1.0 / 160);
}

// potential energy is not known, and said so; nothing else is missing
TEST(AveragedMotion, CanBeRecorded) {
  const Loaded model = load("vibrated_double_pendulum");
  Motion motion;
  const Summary summary =
      integrate(read(model).system, model.start, Rattle{}, {.until = 0.1, .step = 0.01}, motion);
  EXPECT_EQ(summary.status, Status::ok);
  EXPECT_GT(summary.reading_evaluations, 1000);
  EXPECT_LE(summary.max_constraint, 1e-14);
}

}  // namespace
}  // namespace taut::test
