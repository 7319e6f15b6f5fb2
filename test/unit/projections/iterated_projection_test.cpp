// SPDX-License-Identifier: BSD-3-Clause
#include "slow/iterated_projection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "allocation_counter.hpp"
#include "readings/readings.hpp"
#include "smooth_pendulum.hpp"
#include "stiff_double_pendulum.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/force_only.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut::test {
namespace {

struct Projected {
  State state;
  int iterations = 0;
  std::int64_t force_evaluations = 0;
};

Projected projected(IteratedProjection& projection, const State& from) {
  Projected out{.state = from};
  EXPECT_EQ(projection(out.state), Status::ok) << projection.reason();
  out.iterations = projection.iterations();
  out.force_evaluations = projection.force_evaluations();
  return out;
}

Projected by_force(double omega, const State& from, const IteratedProjectionOptions& options = {}) {
  IteratedProjection projection;
  EXPECT_EQ(projection.start(double_pendulum_force(omega),
                             choose_filter(double_pendulum_band(omega)), options),
            Status::ok)
      << projection.reason();
  return projected(projection, from);
}

Projected as_published(double omega, double tol, const State& from) {
  const System model = double_pendulum_model(omega);
  IteratedProjection projection;
  EXPECT_EQ(
      projection.start(springs(model), model, published_filter(omega), published_projection(tol)),
      Status::ok)
      << projection.reason();
  return projected(projection, from);
}

/// g and g' of the double pendulum.
std::array<double, 4> residuals(double omega, const State& s) {
  const System model = double_pendulum_model(omega);
  Evaluation ev;
  model.prepare(ev);
  EXPECT_EQ(model.evaluate(needs(Target::constraint, Target::constraint_jacobian),
                           {.t = s.t, .q = s.q, .v = s.v}, ev),
            Status::ok);
  const Vec rate = ev.G * s.v;
  return {ev.g[0], ev.g[1], rate[0], rate[1]};
}

/// How far the expansion in powers of C, which moves states only across the constraints and leaves
/// slow points where they are, moves a state.
struct Distance {
  double q = 0.0, v = 0.0;
};
Distance from_slow_manifold(const System& model, const State& s) {
  const SmoothStart slow = smooth_start(model, s, 12);
  EXPECT_EQ(slow.status, Status::ok) << slow.reason;
  return {(slow.state.q - s.q).norm(), (slow.state.v - s.v).norm()};
}

// Published: ariel2012, Table 1, with the digits that a transcription of its text gives.
TEST(IteratedProjectionPublished, TableOneToSixDigits) {
  const Projected at_1000 = as_published(1e3, 1e-9, far_start());
  EXPECT_EQ(at_1000.iterations, 5);
  EXPECT_EQ(at_1000.force_evaluations, 5 * 35);  // the last of the 18 weights is zero
  const std::array<double, 4> obtained = residuals(1e3, at_1000.state);
  const std::array<double, 4> expected{1.007216e-6, 8.952276e-7, 2.426279e-6, 1.612199e-6};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(obtained[i], expected[i], 1e-6 * expected[i]);
  const Vec q{{0.97505321, 0.22197577, 1.95254138, 0.01098128}};
  const Vec p{{0.09823179, -0.43148312, 0.29592246, 0.48436390}};
  EXPECT_LE((at_1000.state.q - q).lpNorm<Eigen::Infinity>(), 6e-9);
  EXPECT_LE((at_1000.state.v - p).lpNorm<Eigen::Infinity>(), 6e-9);

  const Projected at_10000 = as_published(1e4, 1e-9, far_start());
  EXPECT_EQ(at_10000.iterations, 5);
  const std::array<double, 4> stiffer = residuals(1e4, at_10000.state);
  // rounding of q alone is 1e-8 of g and, times ω, 1e-5 of g'
  EXPECT_NEAR(stiffer[0], 1.007228e-8, 2e-14);
  EXPECT_NEAR(stiffer[1], 8.953298e-9, 2e-14);
  EXPECT_NEAR(stiffer[2], 2.427406e-8, 5e-13);
  EXPECT_NEAR(stiffer[3], 1.615386e-8, 5e-13);
}

TEST(IteratedProjectionPublished, IteratesAreThoseOfTableOne) {
  const System model = double_pendulum_model(1e3);
  std::vector<std::array<double, 4>> rows;
  IteratedProjectionOptions options = published_projection(1e-9);
  options.observer = [&](int k, const State& s) {
    EXPECT_EQ(k, static_cast<int>(rows.size()));
    rows.push_back(residuals(1e3, s));
  };
  IteratedProjection projection;
  ASSERT_EQ(projection.start(springs(model), model, published_filter(1e3), options), Status::ok);
  (void)projected(projection, far_start());
  ASSERT_EQ(rows.size(), 6u);
  const std::array<std::array<double, 4>, 3> expected{{{3.078e-2, 3.078e-2, -1.213e-1, -2.425e-1},
                                                       {-3.400e-4, -2.413e-4, 2.326e-3, 5.256e-3},
                                                       {9.719e-7, 8.114e-7, 2.009e-5, 1.182e-5}}};
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(rows[k][i], expected[k][i], 6e-4 * std::abs(expected[k][i])) << k << " " << i;
}

TEST(IteratedProjectionPublished, PointsFromTheConstraintManifold) {
  struct Expected {
    double omega, tol;
    int iterations;
    double x1, x2, v1, v2, g1, g2, digits;
  };
  for (const Expected& e : {Expected{100, 1e-7, 3, 1.00014568, 2.00025932, -0.49924289, 0.49956424,
                                     1.4568, 1.1364, 6e-5},
                            Expected{1e3, 1e-9, 2, 1.0000014996, 2.0000027484, -0.49999513,
                                     0.49999725, 1.499566, 1.248817, 6e-7},
                            Expected{1e4, 1e-9, 2, 1.000000015000, 2.000000027500, -0.4999999515,
                                     0.4999999727, 1.4999957, 1.2499881, 2e-6}}) {
    SCOPED_TRACE(e.omega);
    const Projected p = as_published(e.omega, e.tol, near_start());
    EXPECT_EQ(p.iterations, e.iterations);
    EXPECT_NEAR(p.state.q[0], e.x1, 6e-9);
    EXPECT_NEAR(p.state.q[2], e.x2, 6e-9);
    EXPECT_NEAR(p.state.v[1], e.v1, 6e-9);
    EXPECT_NEAR(p.state.v[3], e.v2, 6e-9);
    const Vec lambda = e.omega * e.omega * double_pendulum_g(p.state.q);
    EXPECT_NEAR(lambda[0], e.g1, e.digits);
    EXPECT_NEAR(lambda[1], e.g2, e.digits);
  }
}

// q'' = -ω²(q - cos t) has the one slow solution A cos t, A = ω²/(ω² - 1).
TEST(IteratedProjection, LinearProblemHasAnExactAnswer) {
  const double omega = 1e3, t0 = 0.7, A = omega * omega / (omega * omega - 1.0);
  const System system = force_only({.coordinates = {"q"},
                                    .mass = Vec::Constant(1, 2.0),
                                    .force = [omega](double t, const Vec& q, Vec& f) {
                                      f[0] = -2.0 * omega * omega * (q[0] - std::cos(t));
                                      return Status::ok;
                                    }});
  const State start{t0, Vec::Constant(1, 1.0), Vec::Constant(1, 0.3)};
  const auto errors = [&](const FilterChoice& filter, const IteratedProjectionOptions& options) {
    IteratedProjection projection;
    EXPECT_EQ(projection.start(system, filter, options), Status::ok) << projection.reason();
    const State s = projected(projection, start).state;
    return std::array{std::abs(s.q[0] - A * std::cos(t0)), std::abs(s.v[0] + A * std::sin(t0))};
  };
  const Band band{0.9 * omega, 1.1 * omega};
  // as published, the velocity is that of Verlet: sin(h)/h - 1 of it is missing
  const auto published = errors(published_filter(omega), published_projection(1e-12));
  EXPECT_NEAR(published[0], 9.4e-11, 0.1e-11);
  EXPECT_NEAR(published[1], 1.2e-7, 0.05e-7);
  const auto processed = errors(choose_filter(band), {});
  EXPECT_LE(processed[0], 1e-15);
  EXPECT_LE(processed[1], 1e-12);
}

TEST(IteratedProjection, ForceAloneLeadsToTheSlowPoint) {
  for (const State& start : {near_start(), far_start()}) {
    const Projected p = by_force(1e3, start);
    const Distance left = from_slow_manifold(double_pendulum_model(1e3), p.state);
    EXPECT_LE(left.q, 1e-13);
    EXPECT_LE(left.v, 5e-12);
  }
}

// what happens along the manifold is not for the filter to change
TEST(IteratedProjection, AngularMomentumIsKept) {
  const auto momentum = [](const State& s) {
    return s.q[0] * s.v[1] - s.q[1] * s.v[0] + s.q[2] * s.v[3] - s.q[3] * s.v[2];
  };
  const State near = near_start();
  EXPECT_NEAR(momentum(by_force(1e3, near).state), momentum(near), 1e-9);
}

// Truth: the power series of the pendulum in polar coordinates, in extended precision.
TEST(IteratedProjection, PendulumWithGravityAgainstItsPowerSeries) {
  for (const double eps : {1e-2, 1e-3, 1e-4}) {
    SCOPED_TRACE(eps);
    const double k = 1.0 / (eps * eps);
    const System system = force_only({.coordinates = {"x", "y"},
                                      .mass = Vec::Ones(2),
                                      .force =
                                          [k](double /*t*/, const Vec& q, Vec& f) {
                                            const double r = q.norm();
                                            f = -k * (r - 1.0) / r * q;
                                            f[1] -= 1.0;
                                            return Status::ok;
                                          },
                                      .uses_time = false});
    IteratedProjection projection;
    ASSERT_EQ(projection.start(system, choose_filter({0.95 / eps, 1.05 / eps})), Status::ok);
    State s{0.0, Vec{{std::sin(1.2), -std::cos(1.2)}}, Vec{{std::cos(1.2), std::sin(1.2)}}};
    s.v *= 0.7;
    ASSERT_EQ(projection(s), Status::ok) << projection.reason();
    const Vec radial = s.q / s.q.norm(), along{{-radial[1], radial[0]}};
    const State truth =
        smooth_pendulum({.C = eps * eps, .th = std::atan2(s.q[0], -s.q[1]), .w = along.dot(s.v)});
    EXPECT_LE((s.q - truth.q).norm(), std::max(5e-16, 100 * std::pow(eps, 6)));
    EXPECT_LE((s.v - truth.v).norm(), std::max(2e-15 / eps, 1000 * std::pow(eps, 6)));
    EXPECT_LE((s.q - truth.q).norm(), 10.0 * projection.left());
  }
}

TEST(IteratedProjection, WorkDoesNotDependOnTheStiffness) {
  for (const State& start : {near_start(), far_start()}) {
    const Projected reference = by_force(1e3, start);
    for (const double omega : {1e4, 1e5, 1e6, 1e8}) {
      SCOPED_TRACE(omega);
      const Projected p = by_force(omega, start);
      EXPECT_EQ(p.iterations, reference.iterations);
      EXPECT_EQ(p.force_evaluations, reference.force_evaluations);
      const Distance left = from_slow_manifold(double_pendulum_model(omega), p.state);
      EXPECT_LE(left.q, 1e-15);
      EXPECT_LE(left.v, 1e-16 * omega + 1e-12);
    }
  }
}

TEST(IteratedProjection, KnownConstraintsLeadToTheSamePointWithTheSameWorkForAllStiffnesses) {
  std::int64_t evaluations = 0;
  for (const double omega : {1e3, 1e5, 1e8}) {
    SCOPED_TRACE(omega);
    const System model = double_pendulum_model(omega);
    IteratedProjection projection;
    ASSERT_EQ(projection.start(springs(model), model, choose_filter(double_pendulum_band(omega))),
              Status::ok);
    const Projected p = projected(projection, near_start());
    if (evaluations == 0) evaluations = p.force_evaluations;
    EXPECT_EQ(p.force_evaluations, evaluations);
    const Distance left = from_slow_manifold(model, p.state);
    EXPECT_LE(left.q, 1e-14);
    EXPECT_LE(left.v, 1e-16 * omega + 1e-12);
  }
}

TEST(IteratedProjection, SlowPointsAreLeftWhereTheyAre) {
  const Projected once = by_force(1e3, far_start());
  const Projected twice = by_force(1e3, once.state);
  EXPECT_LE((twice.state.q - once.state.q).norm(), 1e-14);
  EXPECT_LE((twice.state.v - once.state.v).norm(), 5e-12);
}

// a moving anchor, masses that are coupled, gravity, springs of two stiffnesses
TEST(IteratedProjection, MassMatrixMovingConstraintsAndSeveralStiffnesses) {
  Problems problems{"test.toml"};
  const CompiledModel model = compile(read_model(R"toml(
[parameters]
eps = 1e-3
[anchors]
hook = ["0.2*sin(2*t)", "0.1*cos(3*t)"]
[points]
a = { mass = 1, at = [0.9, -0.4], velocity = [0.3, 0.5] }
b = { mass = 0.7, at = [1.3, -1.3], velocity = [-0.2, 0.4] }
[[kinetic]]
energy = "0.2*a.vx*b.vx + 0.1*b.vx*b.vy"
[[gravity]]
acceleration = [0, -1]
[[rod]]
between = ["hook", "a"]
length = 1
compliance = "eps^2"
[[rod]]
between = ["a", "b"]
length = 1
compliance = "0.3*eps^2"
)toml",
                                                 problems),
                                      problems);
  problems.throw_if_any();
  IteratedProjection projection;
  ASSERT_EQ(projection.start(springs(model.system), choose_filter({600, 4000})), Status::ok);
  State given = model.given;
  given.t = 0.4;
  const Start rigid_point = consistent_start(model.system, given);
  ASSERT_EQ(rigid_point.status, Status::ok) << rigid_point.reason;
  const State s = projected(projection, rigid_point.state).state;
  const Distance left = from_slow_manifold(model.system, s);
  EXPECT_LE(left.q, 1e-12);
  EXPECT_LE(left.v, 1e-11);
}

// where the filter is the limit, left() says how much it is
TEST(IteratedProjection, DistanceLeftIsEstimated) {
  for (const double omega : {60.0, 100.0, 200.0, 400.0}) {
    SCOPED_TRACE(omega);
    IteratedProjection projection;
    ASSERT_EQ(projection.start(double_pendulum_force(omega),
                               minimax_filter(double_pendulum_band(omega), 3, 14)),
              Status::ok);
    for (const State& start : {near_start(), far_start()}) {
      const State s = projected(projection, start).state;
      const Distance left = from_slow_manifold(double_pendulum_model(omega), s);
      EXPECT_LE(left.q, 3.0 * projection.left());
      EXPECT_GE(left.q, 0.1 * projection.left());
      EXPECT_LE(left.v, 3.0 * projection.velocity_left());
    }
  }
}

// where the tolerance is the limit, what the iterations to come would still remove
TEST(IteratedProjection, DistanceLeftOfALooseToleranceIsEstimated) {
  const double omega = 1e3, t0 = 0.7, A = omega * omega / (omega * omega - 1.0);
  const System system = force_only({.coordinates = {"q"},
                                    .mass = Vec::Constant(1, 2.0),
                                    .force = [omega](double t, const Vec& q, Vec& f) {
                                      f[0] = -2.0 * omega * omega * (q[0] - std::cos(t));
                                      return Status::ok;
                                    }});
  for (const double tol : {1e-3, 1e-5, 1e-7}) {
    SCOPED_TRACE(tol);
    IteratedProjection projection;
    ASSERT_EQ(projection.start(system, minimax_filter({0.5 * omega, 1.5 * omega}, 3, 1e-2),
                               {.tol = tol, .reduction = 1.0}),
              Status::ok)
        << projection.reason();
    State s{t0, Vec::Constant(1, 1.0), Vec::Constant(1, 0.3)};
    ASSERT_EQ(projection(s), Status::ok) << projection.reason();
    const double error = std::abs(s.q[0] - A * std::cos(t0));
    const double v_error = std::abs(s.v[0] + A * std::sin(t0));
    EXPECT_GE(projection.left(), error / 3);
    EXPECT_LE(projection.left(), tol);
    EXPECT_GE(projection.velocity_left(), v_error / 3);
  }
}

// a state is a number of doubles: rounded, it vibrates
TEST(IteratedProjection, NoStateIsNearerThanItsRounding) {
  const double omega = 1e3, epsilon = std::numeric_limits<double>::epsilon();
  IteratedProjection projection;
  ASSERT_EQ(
      projection.start(double_pendulum_force(omega), choose_filter(double_pendulum_band(omega))),
      Status::ok);
  const State s = projected(projection, near_start()).state;
  const double rounded = epsilon * s.q.lpNorm<Eigen::Infinity>();
  EXPECT_GE(projection.left(), rounded);
  EXPECT_GE(projection.velocity_left(), double_pendulum_band(omega).highest * rounded);
}

TEST(IteratedProjection, AccelerationIsThatOfTheSlowMotion) {
  IteratedProjection projection;
  ASSERT_EQ(projection.start(double_pendulum_force(1e3), choose_filter(double_pendulum_band(1e3))),
            Status::ok);
  const Projected p = projected(projection, far_start());
  const SmoothStart slow = smooth_start(double_pendulum_model(1e3), p.state, 12);
  EXPECT_LE((projection.acceleration() - slow.a).norm(), 1e-8);
  EXPECT_EQ((projection.velocity() - p.state.v).norm(), 0.0);
}

TEST(IteratedProjection, NothingIsAllocatedAfterStart) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  const System model = double_pendulum_model(1e3), stiff = springs(model);
  const FilterChoice filter = choose_filter(double_pendulum_band(1e3));
  for (const bool known : {false, true}) {
    IteratedProjection projection;
    ASSERT_EQ(known ? projection.start(stiff, model, filter) : projection.start(stiff, filter),
              Status::ok);
    State s = far_start();
    ASSERT_EQ(projection(s), Status::ok);
    s = far_start();
    const std::size_t before = *allocations();
    const Status status = projection(s);
    EXPECT_EQ(*allocations(), before);
    EXPECT_EQ(status, Status::ok);
  }
}

}  // namespace
}  // namespace taut::test
