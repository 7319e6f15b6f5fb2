// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "readings/readings.hpp"
#include "slow/iterated_projection.hpp"
#include "stiff_double_pendulum.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/force_only.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {
namespace {

System compiled(const std::string& toml) {
  Problems problems{"test.toml"};
  CompiledModel result = compile(read_model(toml, problems), problems);
  problems.throw_if_any();
  return result.system;
}

struct Failure {
  Status status = Status::ok;
  std::string reason;
};

/// Of a start, or of a projection that must leave the state as it was given.
Failure failure(const System& system, const FilterChoice& filter, const State& given,
                const IteratedProjectionOptions& options = {}) {
  IteratedProjection projection;
  Status status = projection.start(system, filter, options);
  if (status != Status::ok) return {status, projection.reason()};
  State s = given;
  status = projection(s);
  EXPECT_EQ(s.t, given.t);
  EXPECT_EQ(s.q, given.q);
  EXPECT_EQ(s.v, given.v);
  return {status, projection.reason()};
}

bool says(const Failure& f, const std::string& words) {
  return f.reason.find(words) != std::string::npos;
}

FilterChoice filter_for(double omega) { return choose_filter(double_pendulum_band(omega)); }

TEST(IteratedProjectionFailure, StartTooFar) {
  State inside_out = near_start();
  inside_out.q = Vec{{2, 0, 1, 0}};
  const Failure f = failure(double_pendulum_force(1e3), filter_for(1e3), inside_out);
  EXPECT_EQ(f.status, Status::projection_diverged);
  EXPECT_TRUE(says(f, "too far from the slow manifold")) << f.reason;
  EXPECT_TRUE(says(f, "consistent_start")) << f.reason;
}

TEST(IteratedProjectionFailure, MicroStepsBeyondStability) {
  for (const double highest : {900.0, 1200.0, 1400.0})
    for (const State& start : {near_start(), far_start()}) {
      const Failure f = failure(double_pendulum_force(1e3), choose_filter({600.0, highest}), start);
      EXPECT_EQ(f.status, Status::projection_diverged);
      EXPECT_TRUE(says(f, "beyond the stability of Verlet")) << f.reason;
      // 1618 at the collinear start, a little less at the other
      EXPECT_TRUE(says(f, "about 1618 rad/s") || says(f, "about 15")) << f.reason;
    }
}

TEST(IteratedProjectionFailure, VibrationBelowTheBand) {
  for (const State& start : {near_start(), far_start()}) {
    const Failure f = failure(double_pendulum_force(1e3), choose_filter({1300.0, 1630.0}), start);
    EXPECT_EQ(f.status, Status::projection_diverged);
    EXPECT_TRUE(says(f, "below the band from 1300 to 1630 rad/s")) << f.reason;
  }
}

TEST(IteratedProjectionFailure, SlowMotionInTheBand) {
  // the pendulum turns with 1 to 2 rad/s
  for (const double omega : {5.0, 10.0}) {
    const Failure f = failure(double_pendulum_force(omega), filter_for(omega), near_start());
    EXPECT_NE(f.status, Status::ok);
    EXPECT_TRUE(says(f, "Slow motion: the band begins too low")) << f.reason;
  }
  const Failure f = failure(double_pendulum_force(20.0), published_filter(20.0), near_start());
  EXPECT_EQ(f.status, Status::not_supported);
  EXPECT_TRUE(says(f, "contains frequencies of the slow motion")) << f.reason;
}

TEST(IteratedProjectionFailure, ToleranceBelowTheErrorOfTheFilter) {
  const Failure f = failure(double_pendulum_force(100.0), published_filter(100.0), near_start(),
                            published_projection(1e-12));
  EXPECT_EQ(f.status, Status::projection_diverged);
  EXPECT_TRUE(says(f, "more vanishing moments than 3")) << f.reason;
}

TEST(IteratedProjectionFailure, IterationLimit) {
  const Failure f =
      failure(double_pendulum_force(1e3), filter_for(1e3), far_start(), {.max_iterations = 2});
  EXPECT_EQ(f.status, Status::iteration_limit);
  EXPECT_TRUE(says(f, "2 iterations")) << f.reason;
}

TEST(IteratedProjectionFailure, ForceThatIsNotFinite) {
  const System system = force_only({.coordinates = {"x", "y"},
                                    .mass = Vec::Ones(2),
                                    .force = [](double /*t*/, const Vec& q, Vec& f) {
                                      f[0] = -1e6 * (q[0] - 1.0);
                                      f[1] = std::sqrt(1e-4 - q[1]);
                                      return Status::ok;
                                    }});
  const State start{0.0, Vec{{1.0, 0.0}}, Vec{{0.0, 0.5}}};
  const Failure f = failure(system, choose_filter({900, 1100}), start);
  EXPECT_EQ(f.status, Status::non_finite);
  EXPECT_TRUE(says(f, "force on y")) << f.reason;
}

TEST(IteratedProjectionFailure, ForceThatFails) {
  const System system = force_only(
      {.coordinates = {"x"}, .mass = Vec::Ones(1), .force = [](double, const Vec&, Vec&) {
         return Status::solver_failed;
       }});
  const Failure f = failure(system, choose_filter({900, 1100}), {0.0, Vec::Ones(1), Vec::Zero(1)});
  EXPECT_EQ(f.status, Status::solver_failed);
  EXPECT_FALSE(f.reason.empty());
}

TEST(IteratedProjectionFailure, SystemsWithoutMicroSolutionAreRefused) {
  const std::string points = R"toml(
[points]
a = { mass = 1, at = [1, 0], velocity = [0, 1] }
)toml";
  const FilterChoice filter = filter_for(1e3);
  const State given{0.0, Vec{{1.0, 0.0}}, Vec{{0.0, 1.0}}};
  const Failure equations = failure(double_pendulum_model(1e3), filter, near_start());
  EXPECT_EQ(equations.status, Status::not_supported);
  EXPECT_TRUE(says(equations, "constraint equations")) << equations.reason;

  const Failure mass = failure(
      compiled(points + "[[kinetic]]\nenergy = \"0.5*(1 + a.x^2)*a.vy^2\"\n"), filter, given);
  EXPECT_EQ(mass.status, Status::not_supported);
  EXPECT_TRUE(says(mass, "mass matrix depends on q")) << mass.reason;
  EXPECT_TRUE(says(mass, "the expansion")) << mass.reason;

  const Failure damped =
      failure(compiled(points + "[[force]]\non = \"a.x\"\nvalue = \"-a.vx\"\n"), filter, given);
  EXPECT_EQ(damped.status, Status::not_supported);
  EXPECT_TRUE(says(damped, "depends on velocities")) << damped.reason;
}

TEST(IteratedProjectionFailure, FiltersAndOptionsThatMakeNoSenseAreRefused) {
  const System system = double_pendulum_force(1e3);
  const auto refused = [&](const FilterChoice& filter, const IteratedProjectionOptions& options) {
    const Failure f = failure(system, filter, near_start(), options);
    EXPECT_NE(f.status, Status::ok);
    return f;
  };
  const FilterChoice good = filter_for(1e3);
  EXPECT_TRUE(says(refused(sampled_filter(cubic_kernel(), 18), {}), "no micro-step"));
  EXPECT_TRUE(says(refused(minimax_filter({600, 300}, 3, 10), {}), "600"));
  EXPECT_TRUE(says(refused(good, {.tol = 0.0}), "tolerance"));
  EXPECT_TRUE(says(refused(good, {.reduction = 2.0}), "reduction"));
  EXPECT_TRUE(says(refused(good, {.max_iterations = 0}), "at most 0 iterations"));
  EXPECT_TRUE(says(refused(minimax_filter({900, 1000}, 3, 2), {}), "processed = false"));
  EXPECT_NE(choose_filter({0.1, 1e6}).status, Status::ok);
  EXPECT_FALSE(choose_filter({0.1, 1e6}).reason.empty());
}

}  // namespace
}  // namespace taut::test
