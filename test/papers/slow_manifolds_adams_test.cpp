// SPDX-License-Identifier: BSD-3-Clause
#include "slow_manifolds/adams.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "slow_manifolds/problem.hpp"
#include "stiff_rk/errors.hpp"

namespace taut::papers::slow_manifolds {
namespace {

// y1'' = -y1 with a nonlinear clock: y1 = cos(s), s = t + sin(t)/2
void clock(double t, const Vec& y, Vec& dy) {
  const double rate = 1.0 + 0.5 * std::cos(t);
  dy(0) = -rate * y(1);
  dy(1) = rate * y(0);
}
double clock_error(const AdamsResult& run) {
  const double s = run.t + 0.5 * std::sin(run.t);
  return std::hypot(run.y(0) - std::cos(s), run.y(1) - std::sin(s));
}

// the corrector's result is kept, so that a method held at order k has errors of order k + 1
TEST(Adams, HeldAtAnOrderHasTheErrorOfItsCorrector) {
  for (const int order : {1, 2, 3, 5}) {
    std::vector<double> step, error;
    for (double tol = 1e-5; tol > 1e-9; tol /= 10) {
      const AdamsResult run = adams(clock, 0.0, Vec{{1.0, 0.0}}, 20.0,
                                    {.rel_tol = tol, .abs_tol = tol, .max_order = order});
      ASSERT_EQ(run.status, Status::ok) << run.reason;
      step.push_back(20.0 / static_cast<double>(run.steps));
      error.push_back(clock_error(run));
    }
    EXPECT_NEAR(stiff_rk::slope(step, error), order + 1, 0.4) << order;
  }
}

TEST(Adams, WithAllOrdersNeedsFewEvaluationsForManyDigits) {
  const AdamsResult run =
      adams(clock, 0.0, Vec{{1.0, 0.0}}, 20.0, {.rel_tol = 1e-12, .abs_tol = 1e-12});
  ASSERT_EQ(run.status, Status::ok);
  EXPECT_EQ(run.t, 20.0);
  EXPECT_LE(clock_error(run), 1e-10);
  EXPECT_LE(run.evaluations, 1500);
  EXPECT_GE(run.evaluations, 2 * run.steps + run.rejected);
}

TEST(Adams, AgreesWithDormandPrinceOnTheVibratingDoublePendulum) {
  constexpr double omega = 100.0, until = 2.0;
  const State start = far_start();
  Vec q(4), a(4), y(8);
  y << start.q, start.v;
  const AdamsResult run = adams(
      [&](double, const Vec& z, Vec& dz) {
        q = z.head(4);
        double_pendulum_acceleration(omega, q, a);
        dz.head(4) = z.tail(4);
        dz.tail(4) = a;
      },
      0.0, y, until, {.rel_tol = 1e-12, .abs_tol = 1e-14});
  ASSERT_EQ(run.status, Status::ok);

  const System system = springs(double_pendulum(omega));
  DormandPrince853 dop853{{.tol = 1e-13}};
  State state = start;
  ASSERT_EQ(dop853.start(system, state), Status::ok);
  while (state.t < until) ASSERT_EQ(dop853.advance(system, until, state), Status::ok);
  EXPECT_LE((run.y.head(4) - state.q).norm(), 1e-8);
  EXPECT_LE((run.y.tail(4) - state.v).norm(), 1e-6);  // velocities vibrate with ω
}

TEST(Adams, MeetsItsToleranceAtDiscontinuitiesByRejectingSteps) {
  const AdamsResult run = adams([](double t, const Vec&, Vec& dy) { dy(0) = t < 1.0 ? 1.0 : -3.0; },
                                0.0, Vec{{0.0}}, 2.0, {.rel_tol = 1e-8, .abs_tol = 1e-8});
  ASSERT_EQ(run.status, Status::ok) << run.reason;
  EXPECT_GT(run.rejected, 5);
  EXPECT_NEAR(run.y(0), -2.0, 1e-6);
}

TEST(Adams, SaysWhyItStops) {
  const auto blow_up = [](double, const Vec& y, Vec& dy) { dy(0) = y(0) * y(0); };
  const AdamsResult pole = adams(blow_up, 0.0, Vec{{1.0}}, 2.0, {});
  EXPECT_NE(pole.status, Status::ok);
  EXPECT_NEAR(pole.t, 1.0, 1e-2);
  EXPECT_TRUE(std::isfinite(pole.y(0)));
  EXPECT_FALSE(pole.reason.empty());

  const AdamsResult limited =
      adams(clock, 0.0, Vec{{1.0, 0.0}}, 20.0, {.rel_tol = 1e-8, .most_evaluations = 50});
  EXPECT_EQ(limited.status, Status::step_limit);
  EXPECT_LE(limited.evaluations, 52);

  const AdamsResult undefined =
      adams([](double, const Vec&, Vec& dy) { dy(0) = std::numeric_limits<double>::quiet_NaN(); },
            0.0, Vec{{1.0}}, 1.0, {});
  EXPECT_EQ(undefined.status, Status::non_finite);
  EXPECT_EQ(undefined.t, 0.0);
  EXPECT_EQ(adams(clock, 1.0, Vec{{1.0, 0.0}}, 1.0, {}).status, Status::not_supported);
}

}  // namespace
}  // namespace taut::papers::slow_manifolds
