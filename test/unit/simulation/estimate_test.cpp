// SPDX-License-Identifier: BSD-3-Clause
// Estimates of global errors beside the truth, and what they leave alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/simulation/simulation.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;
using Sizes = ErrorEstimate::Sizes;

Model model_of(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

/// Largest error of one kind of columns in the rows behind the start; 0 where it is rounding.
struct Truth {
  double end = 0.0, along = 0.0;
};

Truth truth_of(const std::vector<double>& x, const std::vector<double>& exact, std::size_t rows) {
  Truth found;
  const std::size_t width = x.size() / rows;
  double size = 0.0;
  for (std::size_t k = width; k < x.size(); ++k) {
    const double error = std::abs(x[k] - exact[k]);
    size = std::max(size, std::abs(exact[k]));
    found.along = std::max(found.along, error);
    if (k >= x.size() - width) found.end = std::max(found.end, error);
  }
  // what is known of the truth
  for (double* error : {&found.end, &found.along})
    if (*error < 1e-11 * size) *error = 0.0;
  return found;
}

void expect_honest(double truth, double found, const char* what) {
  if (truth == 0.0) return;
  EXPECT_GE(found, truth / 3) << what;
  EXPECT_LE(found, truth * 10) << what;
}

/// The claim, of one run; `exact` are other options that give the truth.
void expect_honest(const Model& model, SimulationOptions options, SimulationOptions exact) {
  options.error_estimate = true;
  const Result run = simulate(model, options);
  ASSERT_TRUE(run.good()) << run.summary.message;
  ASSERT_TRUE(run.summary.error_estimate) << run.summary.no_error_estimate.text();
  const ErrorEstimate& errors = *run.summary.error_estimate;
  exact.until = options.until;
  exact.times.assign(run.motion.t.begin() + 1, run.motion.t.end());
  const Result other = simulate(model, exact);
  ASSERT_EQ(other.motion.rows(), run.motion.rows()) << other.summary.message;
  const std::size_t rows = run.motion.rows();
  const Truth q = truth_of(run.motion.q, other.motion.q, rows),
              v = truth_of(run.motion.v, other.motion.v, rows);
  const Sizes end = errors.at_end(), along = errors.along_run();
  expect_honest(q.end, end.q, "q at the end");
  expect_honest(v.end, end.v, "v at the end");
  expect_honest(q.along, along.q, "q along the run");
  expect_honest(v.along, along.v, "v along the run");
  if (run.motion.constraints.empty()) return;
  const Truth lambda = truth_of(run.motion.lambda, other.motion.lambda, rows);
  expect_honest(lambda.end, end.lambda, "lambda at the end");
  expect_honest(lambda.along, along.lambda, "lambda along the run");
}

// The truth is a method of another order at a much smaller tolerance; bench/validation has all
// tolerances.
TEST(ErrorEstimate, IsBetweenAThirdOfTheTruthAndTenTimesIt) {
  for (const char* const name :
       {"pendulum", "car_axis", "andrews", "pleiades", "chain", "zigzag", "double_pendulum"})
    for (const char* const method : {"auto", "radau", "projected-rk"})
      for (const double tol : {1e-4, 1e-6, 1e-8}) {
        SCOPED_TRACE(testing::Message() << name << " with " << method << " at " << tol);
        const bool same = std::string_view{method} == "projected-rk";
        expect_honest(gallery(name), {.method = method, .tol = tol},
                      {.method = same ? "dop853" : "projected-rk", .tol = 1e-13});
      }
}

// Compliant constraints, whose vibrations nobody follows: the truth is the slow reading.
TEST(ErrorEstimate, OfMotionThatStepsOverVibrations) {
  for (const double tol : {1e-4, 1e-6})
    expect_honest(gallery("stiff_double_pendulum"), {.method = "radau", .tol = tol},
                  {.reading = Reading::slow(), .method = "dop853", .tol = 1e-10});
}

TEST(ErrorEstimate, OfConstantSteps) {
  const SimulationOptions exact{.method = "dop853", .tol = 1e-12};
  for (const char* const method : {"rattle", "rk4", "rattle-yoshida4", "shake"})
    for (const double step : {2e-2, 5e-3}) {
      SCOPED_TRACE(testing::Message() << method << " with " << step);
      expect_honest(gallery("pendulum"), {.method = method, .step = step}, exact);
      expect_honest(gallery("double_pendulum"), {.until = 2, .method = method, .step = step},
                    exact);
    }
  for (const char* const method : {"verlet", "verlet-suzuki4"}) {
    SCOPED_TRACE(method);
    expect_honest(gallery("pleiades"), {.until = 1, .method = method, .step = 1e-3}, exact);
  }
}

// errors e h^p: the difference to half the step is (1 - 2^-p) of the error, and 4/3 is for safety
TEST(ErrorEstimate, OfConstantStepsIsFourThirdsOfTheErrorWhereItFollowsTheOrder) {
  for (const char* const method : {"rattle", "rattle-yoshida4"}) {
    SCOPED_TRACE(method);
    const Result run =
        simulate(gallery("pendulum"),
                 {.until = 7.3, .method = method, .step = 1e-2, .error_estimate = true});
    const Result exact =
        simulate(gallery("pendulum"), {.until = 7.3, .method = "dop853", .tol = 1e-13});
    ASSERT_TRUE(run.summary.error_estimate);
    const Vec error = (run.summary.state.q - exact.summary.state.q).cwiseAbs();
    EXPECT_NEAR(run.summary.error_estimate->at_end().q, 4.0 / 3 * error.maxCoeff(),
                0.1 * error.maxCoeff());
    // errors of a pendulum vanish where it turns: the estimate of them does not
    double most = 0.0;
    for (const double along : run.summary.error_estimate->q_along) {
      most = std::max(most, along);
      EXPECT_GE(along, 0.01 * most);
    }
  }
}

// No tolerance is left below: the second run is a looser one.
TEST(ErrorEstimate, NearRoundingIsOfALooserRun) {
  const Result run =
      simulate(gallery("double_pendulum"), {.until = 3, .tol = 1e-14, .error_estimate = true});
  ASSERT_TRUE(run.summary.error_estimate) << run.summary.no_error_estimate.text();
  EXPECT_EQ(run.summary.error_estimate->companion, "tol 1e-13");
  EXPECT_GT(run.summary.error_estimate->at_end().q, 1e-15);
  EXPECT_LT(run.summary.error_estimate->at_end().q, 1e-9);
}

TEST(ErrorEstimate, ChangesNothingOfTheRun) {
  const Model model = gallery("double_pendulum");
  const Result without = simulate(model), with = simulate(model, {.error_estimate = true});
  EXPECT_FALSE(without.summary.error_estimate);
  EXPECT_TRUE(without.summary.no_error_estimate.empty());
  ASSERT_TRUE(with.summary.error_estimate);
  EXPECT_EQ(without.motion.q, with.motion.q);
  EXPECT_EQ(without.motion.lambda, with.motion.lambda);
  EXPECT_EQ(without.summary.counters.force_evaluations, with.summary.counters.force_evaluations);
  EXPECT_EQ(without.summary.output_evaluations, with.summary.output_evaluations);
  // and is the same when it is asked for later
  Result later = simulate(model);
  estimate_errors(later);
  ASSERT_TRUE(later.summary.error_estimate);
  EXPECT_EQ(later.summary.error_estimate->q, with.summary.error_estimate->q);
}

// The event is elsewhere in the second run: both are compared at the time of the first.
TEST(ErrorEstimate, OfRunsThatAnEventStops) {
  const std::string ball = R"toml(
    [points]
    ball = { mass = 1, at = [0, 1], velocity = [1, 0] }
    [[potential]]
    energy = "9.81*ball.y + 5*cos(3*ball.x)"
    [run]
    until = 100
  )toml";
  const Model passing = model_of(ball), stopped = model_of(ball + R"toml(
    [[event]]
    zero = "ball.y"
    action = "stop"
  )toml");
  for (const char* const method : {"dop853", "radau", "rk4"})
    for (const double accuracy : {1e-3, 1e-5}) {
      SCOPED_TRACE(testing::Message() << method << " at " << accuracy);
      SimulationOptions options{.method = method, .error_estimate = true};
      (std::string_view{method} == "rk4" ? options.step : options.tol) = accuracy;
      const Result run = simulate(stopped, options);
      ASSERT_EQ(run.summary.status, Status::stopped_by_event);
      ASSERT_TRUE(run.summary.error_estimate) << run.summary.no_error_estimate.text();
      const double end = run.summary.state.t;
      const State exact =
          simulate(passing, {.until = end, .method = "dop853", .tol = 1e-13}).summary.state;
      const double truth = (run.summary.state.q - exact.q).lpNorm<Eigen::Infinity>();
      ASSERT_GT(truth, 1e-15);
      if (truth > 1e-13) expect_honest(truth, run.summary.error_estimate->at_end().q, "q");
    }
}

TEST(ErrorEstimate, IsRefusedWhereItMeansNothing) {
  Result slow = simulate(gallery("stiff_double_pendulum"),
                         {.until = 1, .reading = Reading::slow(), .error_estimate = true});
  EXPECT_FALSE(slow.summary.error_estimate);
  EXPECT_THAT(slow.summary.no_error_estimate.text(), HasSubstr("slow reading"));

  Result bath = simulate(gallery("pendulum"), {.method = "rattle",
                                               .step = 1e-2,
                                               .thermal = {.temperature = 1, .friction = 1},
                                               .error_estimate = true});
  EXPECT_FALSE(bath.summary.error_estimate);
  EXPECT_THAT(bath.summary.no_error_estimate.text(), HasSubstr("heat bath"));

  Simulation held{gallery("pendulum")};
  ASSERT_EQ(held.advance_to(0.5), Status::ok);
  Result finished = held.finish();
  estimate_errors(finished);
  EXPECT_THAT(finished.summary.no_error_estimate.text(), HasSubstr("held in the hand"));

  EXPECT_THROW(static_cast<void>(simulate(gallery("pendulum_dae"), {.error_estimate = true})),
               ModelError);
  EXPECT_NO_THROW(static_cast<void>(simulate(gallery("pendulum_dae"), {.error_estimate = false})));
}

TEST(ErrorEstimate, IsNotBegunWhereItTakesTooLong) {
  Result run = simulate(gallery("double_pendulum"));
  estimate_errors(run, 1e-6);
  EXPECT_FALSE(run.summary.error_estimate);
  EXPECT_THAT(run.summary.no_error_estimate.text(), HasSubstr("would take"));
  EXPECT_THAT(run.summary.no_error_estimate.text(), HasSubstr("error_estimate"));
}

TEST(ErrorEstimate, IsAskedForInTheModel) {
  const std::string text = R"(
    [points]
    a = { mass = 1, at = [1, 0], velocity = [0, 1] }
    [[potential]]
    energy = "(a.x^2 + a.y^2)^2"
    [run]
    until = 1
    error_estimate = )";
  EXPECT_TRUE(simulate(model_of(text + "true")).summary.error_estimate);
  EXPECT_FALSE(simulate(model_of(text + "false")).summary.error_estimate);
  EXPECT_FALSE(simulate(model_of(text + "true"), {.error_estimate = false}).summary.error_estimate);
  EXPECT_THROW(model_of(text + "\"yes\""), ModelError);
}

}  // namespace
}  // namespace taut
