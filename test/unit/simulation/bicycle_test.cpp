// SPDX-License-Identifier: BSD-3-Clause
// The bicycle of the gallery against the published benchmark (meijaard2007).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "gallery.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/start.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using test::gallery;

using Vec3 = Eigen::Vector3d;
using Mat4 = Eigen::Matrix4d;

/// Coordinates of a body: its centre and the columns of its rotation matrix.
class BodyOfState {
 public:
  BodyOfState(const System& system, const std::string& name) {
    const auto& names = system.structure().coordinates;
    for (const char* const entry :
         {"x", "y", "z", "r11", "r21", "r31", "r12", "r22", "r32", "r13", "r23", "r33"}) {
      const auto at = std::find(names.begin(), names.end(), name + "." + entry);
      EXPECT_NE(at, names.end()) << name << ' ' << entry;
      places_.push_back(at - names.begin());
    }
  }
  /// What turns about an axis through a point, of places and columns in `of`, into `to`.
  void turn(const Vec3& axis, const Vec3& through, const Vec& of, Vec& to) const {
    for (std::size_t k = 0; k < 4; ++k) {
      Vec3 r;
      for (std::size_t i = 0; i < 3; ++i) r[static_cast<Index>(i)] = of[places_[3 * k + i]];
      const Vec3 moved = axis.cross(k == 0 ? r - through : r);
      for (std::size_t i = 0; i < 3; ++i) to[places_[3 * k + i]] += moved[static_cast<Index>(i)];
    }
  }

 private:
  std::vector<Index> places_;
};

/// d/dt (lean, steer, lean', steer') = A (lean, steer, lean', steer') beside upright motion, by
/// differences of what taut computes: four small motions on both sides of it, each moved onto the
/// constraints.
class BicycleNearUpright {
 public:
  BicycleNearUpright() : model_{compile(gallery("bicycle")).with_parameter("push", 0.0)} {}

  [[nodiscard]] Mat4 at(double speed) const {
    const CompiledModel model = model_.with_parameter("speed", speed);
    const System& system = model.system;
    const State s = consistent_start(system, model.given).state;
    const std::array numbers{model.expression("frame.r32"), model.expression("angle(head)"),
                             model.expression("v(frame.r32)"), model.expression("rate(head)")};
    const double tilt = std::numbers::pi / 10;
    const Vec3 forward{1, 0, 0}, ground{0, 0, 0}, head{-std::sin(tilt), 0, std::cos(tilt)},
        through{1.10, 0, 0};
    constexpr double small = 2e-4;
    Mat4 y, rate;
    for (Index k = 0; k < 4; ++k) {
      Vec dq = Vec::Zero(s.q.size()), dv = dq;
      const auto turn = [&](const char* name, const Vec3& axis, const Vec3& about) {
        const BodyOfState body{system, name};
        if (k < 2) {
          body.turn(axis, about, s.q, dq);
          body.turn(axis, ground, s.v, dv);
        } else {
          body.turn(axis, about, s.q, dv);
        }
      };
      if (k % 2 == 0)
        for (const char* const name : {"rear", "frame", "fork", "front"})
          turn(name, forward, ground);
      else
        for (const char* const name : {"fork", "front"}) turn(name, head, through);
      y.col(k).setZero();
      rate.col(k).setZero();
      for (const double side : {1.0, -1.0}) {
        const Start beside = consistent_start(
            system, {0.0, Vec{s.q + side * small * dq}, Vec{s.v + side * small * dv}});
        EXPECT_EQ(beside.status, Status::ok) << beside.reason;
        const State& there = beside.state;
        for (Index i = 0; i < 4; ++i) {
          const Expression& number = numbers[static_cast<std::size_t>(i)];
          y(i, k) += side * number(there) / (2 * small);
          const double h = 1e-3;
          const auto ahead = [&](double dt) {
            return number(State{dt, Vec{there.q + dt * there.v}, Vec{there.v + dt * beside.a}});
          };
          const double slope =
              (8 * (ahead(h) - ahead(-h)) - ahead(2 * h) + ahead(-2 * h)) / (12 * h);
          rate(i, k) += side * slope / (2 * small);
        }
      }
    }
    return rate * y.inverse();
  }

  [[nodiscard]] std::vector<std::complex<double>> eigenvalues(double speed) const {
    const Eigen::EigenSolver<Mat4> solver{at(speed)};
    std::vector<std::complex<double>> all(solver.eigenvalues().begin(), solver.eigenvalues().end());
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    return all;
  }

 private:
  CompiledModel model_;
};

double root(const auto& f, double a, double b) {
  double fa = f(a), fb = f(b);
  for (int k = 0; k < 20 && std::abs(b - a) > 1e-10 && fa != fb; ++k) {
    const double c = b - fb * (b - a) / (fb - fa);
    a = b;
    fa = fb;
    b = c;
    fb = f(b);
  }
  return b;
}

TEST(Bicycle, IsStableBetweenThePublishedSpeeds) {
  const BicycleNearUpright bicycle;
  // growth of the weave, the only pair of eigenvalues that is not real
  const auto weave = [&](double speed) {
    for (const std::complex<double>& e : bicycle.eigenvalues(speed))
      if (std::abs(e.imag()) > 1e-6) return e.real();
    return std::nan("");
  };
  const auto capsize = [&](double speed) { return bicycle.at(speed).determinant(); };
  EXPECT_NEAR(root(weave, 4.28, 4.30), 4.29238253634111, 1e-7);
  EXPECT_NEAR(root(capsize, 6.01, 6.03), 6.02426201538837, 1e-6);
}

TEST(Bicycle, HasThePublishedEigenvaluesAtFiveMetresPerSecond) {
  const auto all = BicycleNearUpright{}.eigenvalues(5.0);
  EXPECT_NEAR(all[0].real(), -14.07838969279822, 1e-5);
  EXPECT_NEAR(all[1].real(), -0.775341882195845, 1e-6);
  EXPECT_NEAR(std::abs(all[1].imag()), 4.46486771378823, 1e-6);
  EXPECT_NEAR(all[3].real(), -0.322866429004087, 1e-6);
}

TEST(Bicycle, RightsItselfAndKeepsItsEnergyInEveryMethodThatTreatsIt) {
  std::vector<double> lean;
  for (const char* const method : {"dop853", "radau", "projected-rk"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(gallery("bicycle"), {.until = 2, .method = method, .tol = 1e-9});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    ASSERT_TRUE(run.summary.energy_error);
    EXPECT_LT(*run.summary.energy_error, 1e-8);
    EXPECT_LT(run.summary.max_constraint, 1e-10);
    lean.push_back(run.motion["lean"].back());
    EXPECT_NEAR(lean.back(), lean.front(), 1e-6);
  }
  EXPECT_LT(std::abs(lean.front()), 0.05);
  // of order two, and symmetric: a tenth of the step is a hundredth of the error
  std::vector<double> error;
  for (const double h : {4e-3, 2e-3}) {
    const Result run = simulate(gallery("bicycle"), {.until = 2, .method = "rattle", .step = h});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    error.push_back(std::abs(run.motion["lean"].back() - lean.front()));
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.1) << error[0];
}

}  // namespace
}  // namespace taut
