// SPDX-License-Identifier: BSD-3-Clause
// What rows leave out is not lost. The truth is the same run with every step as a row.
#include "taut/run/extremes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "allocation_counter.hpp"
#include "models.hpp"
#include "run/recorder.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/curve_motion.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

Method extremes_method(const std::string& name) {
  return make_method(name, {.tol = 1e-10}).value();
}

// all columns of a row, in the order of the extremes
std::vector<double> extremes_row(const Motion& motion, std::size_t row) {
  std::vector<double> all;
  const auto put = [&](const std::vector<double>& column, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) all.push_back(column[row * width + i]);
  };
  put(motion.q, motion.coordinates.size());
  put(motion.v, motion.velocities.size());
  put(motion.lambda, motion.constraints.size());
  put(motion.energy, 1);
  put(motion.max_constraint, 1);
  put(motion.max_velocity_constraint, 1);
  put(motion.step, 1);
  return all;
}

// Compares the extremes of `motion` with the steps of the same run. Columns that have to be
// measured are known of steps whose number is a multiple of `stride`.
void expect_extremes_of(const Motion& steps, const Motion& motion, std::size_t stride = 1) {
  ASSERT_EQ(motion.extremes.low.size(), motion.rows() * motion.width());
  ASSERT_EQ(motion.extremes.high.size(), motion.rows() * motion.width());
  const std::size_t free = motion.coordinates.size() + motion.velocities.size();
  std::size_t n = 0;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    std::vector<double> low = extremes_row(motion, row), high = low;
    for (; n < steps.rows() && steps.t[n] <= motion.t[row]; ++n) {
      const std::vector<double> step = extremes_row(steps, n);
      for (std::size_t i = 0; i < step.size(); ++i) {
        if (i >= free && i + 1 < step.size() && n % stride != 0) continue;
        low[i] = std::min(low[i], step[i]);
        high[i] = std::max(high[i], step[i]);
      }
    }
    for (std::size_t i = 0; i < low.size(); ++i) {
      ASSERT_EQ(motion.extremes.low[row * motion.width() + i], low[i]) << row << ' ' << i;
      ASSERT_EQ(motion.extremes.high[row * motion.width() + i], high[i]) << row << ' ' << i;
    }
  }
  EXPECT_EQ(n, steps.rows());
}

struct ExtremesRun {
  Motion motion;
  Summary summary;
};

ExtremesRun extremes_run(const test::Example& e, const std::string& name,
                         const RunOptions& options) {
  ExtremesRun run;
  run.summary = integrate(e.system, e.start, extremes_method(name), options, run.motion);
  return run;
}

TEST(Extremes, AreThoseOfAllStepsBetweenRows) {
  const auto e = test::double_pendulum();
  for (const std::string name : {"rattle", "dop853"}) {
    const ExtremesRun all =
        extremes_run(e, name, {.until = 3.0, .step = 0.001, .max_rows = 100'000, .extremes = true});
    ASSERT_GT(all.motion.rows(), 100u);
    EXPECT_TRUE(all.motion.extremes.empty());  // every step is a row
    for (const int max_rows : {20, 23}) {
      SCOPED_TRACE(name + ' ' + std::to_string(max_rows));
      const ExtremesRun thin = extremes_run(
          e, name, {.until = 3.0, .step = 0.001, .max_rows = max_rows, .extremes = true});
      ASSERT_LE(thin.motion.rows(), 24u);
      expect_extremes_of(all.motion, thin.motion);
      // and so the run is judged as if every step were a row
      EXPECT_EQ(thin.summary.energy_error, all.summary.energy_error);
      EXPECT_EQ(thin.summary.max_constraint, all.summary.max_constraint);
      EXPECT_EQ(thin.summary.output_evaluations, all.summary.output_evaluations);
      EXPECT_EQ(thin.summary.state.q, all.summary.state.q);

      // which it is not where nobody asked
      const ExtremesRun less =
          extremes_run(e, name, {.until = 3.0, .step = 0.001, .max_rows = max_rows});
      EXPECT_TRUE(less.motion.extremes.empty());
      EXPECT_LT(less.summary.output_evaluations, all.summary.output_evaluations);
    }
  }
}

TEST(Extremes, BetweenOutputTimesAreThoseOfTheSteps) {
  const auto e = test::double_pendulum();
  for (const std::string name : {"rattle", "dop853"}) {
    SCOPED_TRACE(name);
    const ExtremesRun all =
        extremes_run(e, name, {.until = 3.0, .step = 0.001, .max_rows = 100'000});
    const ExtremesRun some =
        extremes_run(e, name, {.until = 3.0, .step = 0.001, .every = 0.3337, .extremes = true});
    ASSERT_EQ(some.motion.rows(), 10u);
    const Motion& motion = some.motion;
    // a row inside a step has the length of that step, which ends behind it
    ASSERT_EQ(motion.extremes.low.size(), motion.rows() * motion.width());
    const std::size_t columns = motion.width() - 1;
    std::size_t n = 0;
    for (std::size_t row = 0; row < motion.rows(); ++row) {
      std::vector<double> low = extremes_row(motion, row), high = low;
      for (; n < all.motion.rows() && all.motion.t[n] <= motion.t[row]; ++n) {
        const std::vector<double> step = extremes_row(all.motion, n);
        for (std::size_t i = 0; i < columns; ++i) {
          low[i] = std::min(low[i], step[i]);
          high[i] = std::max(high[i], step[i]);
        }
      }
      for (std::size_t i = 0; i < columns; ++i) {
        ASSERT_EQ(motion.extremes.low[row * motion.width() + i], low[i]) << row << ' ' << i;
        ASSERT_EQ(motion.extremes.high[row * motion.width() + i], high[i]) << row << ' ' << i;
      }
    }
    EXPECT_EQ(n, all.motion.rows());
  }
}

TEST(Extremes, OfALongRunAreMeasuredAtEveryPowerOfTwo) {
  const auto e = test::double_pendulum();
  const ExtremesRun all =
      extremes_run(e, "rattle", {.until = 3.0, .step = 0.001, .max_rows = 100'000});
  const ExtremesRun thin = extremes_run(
      e, "rattle",
      {.until = 3.0, .step = 0.001, .max_rows = 20, .extremes = true, .max_measured = 100});
  // 3000 / 50 -> 64; rows are at multiples of 256 and at the end
  expect_extremes_of(all.motion, thin.motion, 64);
  EXPECT_EQ(thin.motion.extremes.steps, 3000 - 11 - 1);
  EXPECT_EQ(thin.motion.extremes.measured, 3000 / 64 - 11);
}

// 0.4 ms in a run of 100 000 steps with 2000 rows, 1 ms apart.
TEST(Extremes, OfAHundredThousandStepsHaveAShortPulse) {
  const test::Example e = test::example(R"toml(
[points]
bob = { mass = 1, at = [0.8, -0.6] }
[[rod]]
between = ["origin", "bob"]
length = 1
[[gravity]]
acceleration = [0, -9.81]
[[force]]
on = "bob"
value = [0, "-5000*exp(-((t-0.60043)/1e-4)^2)"]
)toml");
  const RunOptions options{.until = 1.0, .step = 1e-5, .extremes = true};
  RunOptions full = options;
  full.max_rows = 200'000;
  full.max_values = 10'000'000;
  const ExtremesRun all = extremes_run(e, "rattle", full);
  const ExtremesRun thin = extremes_run(e, "rattle", options);
  ASSERT_EQ(all.motion.rows(), 100'001u);
  ASSERT_LE(thin.motion.rows(), 2001u);
  const double truth = *std::max_element(all.motion.lambda.begin(), all.motion.lambda.end());
  ASSERT_GT(truth, 2000.0);
  EXPECT_LT(*std::max_element(thin.motion.lambda.begin(), thin.motion.lambda.end()), truth);
  double most = 0.0;
  for (std::size_t row = 0; row < thin.motion.rows(); ++row)
    most = std::max(most, thin.motion.extremes.high[row * thin.motion.width() + 4]);
  EXPECT_EQ(most, truth);
  EXPECT_EQ(thin.motion.extremes.measured, thin.motion.extremes.steps);
}

TEST(Extremes, OfAResumedRunAreTheSameBits) {
  const auto e = test::double_pendulum();
  std::string pattern = (fs::temp_directory_path() / "taut-extremes-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const fs::path file = fs::path{pattern} / "checkpoint.bin";
  for (const std::string name : {"rattle", "dop853"})
    for (const double every : {0.0, 0.25})
      for (const int stop : {1, 50, 101}) {
        SCOPED_TRACE(name + ' ' + std::to_string(every) + ' ' + std::to_string(stop));
        RunOptions options{.until = 3.0,
                           .step = 0.01,
                           .every = every,
                           .max_rows = 23,
                           .extremes = true,
                           .max_measured = 60};
        const ExtremesRun whole = extremes_run(e, name, options);
        options.checkpoint.file = file;
        options.max_steps = stop;
        ASSERT_EQ(extremes_run(e, name, options).summary.status, Status::step_limit);
        options.checkpoint.resume = find_checkpoint(file, {}).content;
        options.max_steps = 0;
        const ExtremesRun resumed = extremes_run(e, name, options);
        EXPECT_EQ(resumed.motion.extremes.low, whole.motion.extremes.low);
        EXPECT_EQ(resumed.motion.extremes.high, whole.motion.extremes.high);
        EXPECT_EQ(resumed.motion.extremes.measured, whole.motion.extremes.measured);
        EXPECT_EQ(resumed.motion.rejected, whole.motion.rejected);
        EXPECT_EQ(resumed.summary.output_evaluations, whole.summary.output_evaluations);
      }
  fs::remove_all(pattern);
}

TEST(Extremes, CostNoAllocationInAStep) {
  const auto e = test::double_pendulum();
  if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted here";
  const auto allocations_for = [&](double until) {
    const std::size_t before = test::allocations().value_or(0);
    const ExtremesRun run = extremes_run(
        e, "rattle", {.until = until, .step = 0.001, .every = 100.0, .extremes = true});
    EXPECT_EQ(run.summary.status, Status::ok);
    return test::allocations().value_or(0) - before;
  };
  (void)allocations_for(1.0);  // the system derives a bundle when it is first asked for
  EXPECT_EQ(allocations_for(0.1), allocations_for(1.0));
}

TEST(Extremes, AreNotKnownWhereNothingIs) {
  Extremes extremes;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  extremes.open(2);
  const std::vector<double> first{nan, 1.0}, second{nan, -2.0};
  extremes.take(2, 0, first.data(), 2);
  extremes.take(2, 0, second.data(), 2);
  extremes.open(2);
  extremes.close(2);
  ASSERT_EQ(extremes.low.size(), 2u);
  EXPECT_TRUE(std::isnan(extremes.low[0]));
  EXPECT_TRUE(std::isnan(extremes.high[0]));
  EXPECT_EQ(extremes.low[1], -2.0);
  EXPECT_EQ(extremes.high[1], 1.0);
}

TEST(Extremes, OfACurveAreThoseOfItsSteps) {
  for (const int max_rows : {8, 9}) {
    CurveMotion motion;
    motion.coordinates = {"x", "u"};
    motion.extremes.kept = true;
    Recorder recorder{max_rows};
    Vec p(2);
    const auto value = [](int n) { return std::sin(7.0 * n); };
    const auto point = [&](int n) { p << n, value(n); };
    for (int n = 0; n <= 100; ++n) {
      point(n);
      if (recorder.wants(n)) {
        motion.append({.s = static_cast<double>(n), .p = p, .step = 1.0});
        recorder.appended(motion);
      } else {
        motion.pass(p, 1.0);
      }
    }
    motion.extremes.close(motion.width());
    ASSERT_EQ(motion.extremes.low.size(), motion.rows() * motion.width());
    int n = 0;
    for (std::size_t row = 0; row < motion.rows(); ++row) {
      double low = value(n), high = low;
      for (; n <= motion.s[row]; ++n) {
        low = std::min(low, value(n));
        high = std::max(high, value(n));
      }
      EXPECT_EQ(motion.extremes.low[row * motion.width() + 1], low) << row;
      EXPECT_EQ(motion.extremes.high[row * motion.width() + 1], high) << row;
    }
  }
}

TEST(Motion, HasItsInvariantsAndRejections) {
  const auto e = test::oscillator("[[invariant]]\nname = \"half\"\nvalue = \"(x^2 + v(x)^2)/2\"\n");
  const ExtremesRun run = extremes_run(e, "dop853", {.until = 20.0});
  const Motion& motion = run.motion;
  ASSERT_EQ(motion.invariants, std::vector<std::string>{"half"});
  ASSERT_EQ(motion.invariant.size(), motion.rows());
  for (std::size_t row = 0; row < motion.rows(); ++row)
    EXPECT_NEAR(motion.invariant[row],
                (motion.q[row] * motion.q[row] + motion.v[row] * motion.v[row]) / 2, 1e-15);
  EXPECT_EQ(motion.rejected.front(), 0.0);
  EXPECT_EQ(motion.rejected.back(), static_cast<double>(run.summary.counters.rejected));
}

}  // namespace
}  // namespace taut
