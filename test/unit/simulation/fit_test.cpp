// SPDX-License-Identifier: BSD-3-Clause
// Parameters and starts from data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/studies/fit.hpp"

namespace taut {
namespace {

using testing::HasSubstr, testing::ThrowsMessage;

Model damped() {
  Problems problems;
  Model model = read_model(R"toml(
name = "damped"
[parameters]
k = 9
m = 1
c = 0.3
[coordinates]
x = { mass = "m", at = 1, velocity = 0.5 }
[[force]]
on = "x"
value = "-k*x - c*v(x)"
)toml",
                           problems);
  problems.throw_if_any();
  return model;
}

/// What would be measured of it, at 40 times.
FitSeries measured(const Model& model, double noise, unsigned seed) {
  const Result run =
      simulate(model, {.until = 4.0, .every = 0.1, .method = "dop853", .tol = 1e-11});
  FitSeries series{.name = "run", .t = run.motion.t, .columns = {"x"}};
  std::mt19937 generator{seed};
  for (std::size_t i = 0; i < run.motion.rows(); ++i) {
    double sum = 0.0;  // of twelve: normal enough, and the same everywhere
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(generator()) / 4294967296.0 - 0.5;
    series.values.push_back(run.motion["x"][i] + noise * sum);
  }
  return series;
}

Fit fitted(const Model& model, const std::vector<FitSeries>& series, const FitOptions& options) {
  Problems problems;
  Fit found = fit(model, {.method = "dop853", .tol = 1e-9}, series, options, problems);
  problems.throw_if_any();
  return found;
}

TEST(Fit, FindsWhatTheDataWereMadeWith) {
  const std::vector<FitSeries> series{measured(damped(), 0.0, 1)};
  Model guess = damped();
  guess.set("k", Value{7.0});
  guess.set("c", Value{0.1});
  const Fit found =
      fitted(guess, series, {.vary = {{.name = "k"}, {.name = "c"}, {.name = "start(v(x))"}}});
  ASSERT_TRUE(found.good()) << found.message;
  EXPECT_NEAR(found.variables[0].value, 9.0, 1e-7);
  EXPECT_NEAR(found.variables[1].value, 0.3, 1e-7);
  EXPECT_NEAR(found.variables[2].value, 0.5, 1e-7);
  EXPECT_EQ(found.variables[0].start, 7.0);
  EXPECT_LT(found.cost, 1e-10 * found.cost_before);
  EXPECT_LE(found.iterations, 15);
}

// Over many draws of the noise, errors in units of their deviations have the size 1.
TEST(Fit, SaysHowFarItMayBeOff) {
  constexpr int draws = 40;
  double sum_k = 0.0, sum_c = 0.0;
  int inside = 0;
  for (unsigned seed = 1; seed <= draws; ++seed) {
    const Fit found = fitted(damped(), {measured(damped(), 0.02, seed)},
                             {.vary = {{.name = "k"}, {.name = "c"}}});
    ASSERT_TRUE(found.good()) << found.message;
    const FittedVariable &k = found.variables[0], &c = found.variables[1];
    sum_k += std::pow((k.value - 9.0) / k.deviation, 2);
    sum_c += std::pow((c.value - 0.3) / c.deviation, 2);
    inside += (k.lower < 9.0 && 9.0 < k.upper ? 1 : 0) + (c.lower < 0.3 && 0.3 < c.upper ? 1 : 0);
    EXPECT_NEAR(found.sigma[0].second, 0.02, 0.01);
  }
  // chi squared of 40 divided by 40: 0.5 and 1.65 are beyond one in a thousand
  EXPECT_GT(sum_k / draws, 0.5);
  EXPECT_LT(sum_k / draws, 1.65);
  EXPECT_GT(sum_c / draws, 0.5);
  EXPECT_LT(sum_c / draws, 1.65);
  EXPECT_GE(inside, 69);  // 76 expected of 80
}

TEST(Fit, NamesWhatTheDataDoNotDetermine) {
  const Fit found = fitted(damped(), {measured(damped(), 0.01, 3)},
                           {.vary = {{.name = "k"}, {.name = "m"}, {.name = "c"}}});
  ASSERT_TRUE(found.good()) << found.message;
  ASSERT_EQ(found.undetermined.size(), 1u);  // all three may grow by one factor
  EXPECT_THAT(found.undetermined[0], HasSubstr("d(k)/k"));
  EXPECT_THAT(found.undetermined[0], HasSubstr("d(m)/m"));
  EXPECT_TRUE(std::isnan(found.variables[0].deviation));
  // known before, it is determined
  const Fit known =
      fitted(damped(), {measured(damped(), 0.01, 3)},
             {.vary = {{.name = "k"}, {.name = "m", .prior = std::pair{1.0, 0.01}}, {.name = "c"}},
              .sigma = {{"x", 0.01}}});
  EXPECT_TRUE(known.undetermined.empty());
  EXPECT_NEAR(known.variables[1].deviation, 0.01, 1e-4);
}

TEST(Fit, HoldsVariablesAtTheirBounds) {
  const Fit found = fitted(damped(), {measured(damped(), 0.0, 1)},
                           {.vary = {{.name = "k", .lower = 9.5, .upper = 12}, {.name = "c"}}});
  ASSERT_TRUE(found.good()) << found.message;
  EXPECT_EQ(found.variables[0].value, 9.5);
  EXPECT_TRUE(found.variables[0].at_bound);
  EXPECT_TRUE(std::isfinite(found.variables[1].deviation));
}

TEST(Fit, IsNotPulledByOutliersWhereItShallNot) {
  FitSeries series = measured(damped(), 0.001, 5);
  series.values[7] += 3;
  series.values[21] -= 2;
  series.values[30] = std::nan("");  // not measured
  FitOptions options{.vary = {{.name = "k"}, {.name = "c"}}, .sigma = {{"x", 0.001}}};
  const double squares = std::abs(fitted(damped(), {series}, options).variables[0].value - 9.0);
  options.loss = FitLoss::cauchy;
  const double cauchy = std::abs(fitted(damped(), {series}, options).variables[0].value - 9.0);
  EXPECT_GT(squares, 0.05);
  EXPECT_LT(cauchy, 0.005);
}

// σ that is not given is the scatter of the data, not their size: a prior far off would win.
TEST(Fit, WeighsWhatIsKnownAgainstTheScatterOfTheData) {
  const FitSeries series = measured(damped(), 0.01, 4);
  Model guess = damped();
  guess.set("k", Value{6.0});
  FitOptions options{.vary = {{.name = "k", .prior = std::pair{5.0, 0.5}}, {.name = "c"}}};
  const Fit found = fitted(guess, {series}, options);
  options.sigma = {{"x", found.sigma[0].second}};
  const Fit stated = fitted(guess, {series}, options);
  ASSERT_TRUE(found.good()) << found.message;
  EXPECT_NEAR(found.sigma[0].second, 0.01, 0.004);
  EXPECT_NEAR(found.variables[0].value, 9.0, 0.03);
  EXPECT_NEAR(found.variables[0].value, stated.variables[0].value, 1e-4);
  EXPECT_LT(found.variables[0].lower, 9.0);
  EXPECT_GT(found.variables[0].upper, 9.0);
  // n against n - 2, and Student's; the prior is eight of its own deviations off, and no noise
  EXPECT_NEAR(found.variables[0].deviation / stated.variables[0].deviation, 1.0, 0.05);
}

TEST(Fit, FindsTheScatterBesideOutliers) {
  FitSeries series = measured(damped(), 0.001, 5);
  for (const std::size_t i : {3u, 7u, 12u, 21u, 33u}) series.values[i] += i % 2 == 0 ? 2 : -1;
  for (const FitLoss loss : {FitLoss::huber, FitLoss::cauchy}) {
    const Fit found =
        fitted(damped(), {series}, {.vary = {{.name = "k"}, {.name = "c"}}, .loss = loss});
    ASSERT_TRUE(found.good()) << found.message;
    EXPECT_NEAR(found.sigma[0].second, 0.001, 1e-3);  // of 36 and 5; as an rms 0.5
    EXPECT_NEAR(found.variables[0].value, 9.0, 5e-3);
    EXPECT_LT(found.variables[0].lower, 9.0);
    EXPECT_GT(found.variables[0].upper, 9.0);
  }
}

TEST(Fit, RefusesDeviationsOfColumnsThatThereAreNot) {
  const FitOptions options{.vary = {{.name = "k"}}, .sigma = {{"y", 0.01}}};
  EXPECT_THAT([&] { static_cast<void>(fitted(damped(), {measured(damped(), 0.0, 1)}, options)); },
              ThrowsMessage<ModelError>(HasSubstr("sigma of y: the data have no such column")));
}

TEST(Fit, HasStartsOfTheirOwnForEachSeries) {
  Model other = damped();
  other.coordinates[0].at = Value{-0.4};
  FitSeries first = measured(damped(), 0.0, 1), second = measured(other, 0.0, 1);
  second.name = "other";
  const Fit found = fitted(damped(), {first, second},
                           {.vary = {{.name = "k"}, {.name = "start(x)", .of_each_series = true}}});
  ASSERT_TRUE(found.good()) << found.message;
  ASSERT_EQ(found.variables.size(), 3u);
  EXPECT_NEAR(found.variables[0].value, 9.0, 1e-7);
  EXPECT_NEAR(found.variables[1].value, 1.0, 1e-7);
  EXPECT_NEAR(found.variables[2].value, -0.4, 1e-7);
  EXPECT_EQ(found.variables[2].name, "start(x) (other)");
}

// Twelve parameters of a mechanism with closed loops, from noisy angles of known truth. (That
// intervals cover in 200 repetitions is for the benchmark `gradients`.)
TEST(Fit, FindsTwelveParametersOfAMechanism) {
  const Model model = test::gallery("andrews");
  const SimulationOptions options{.until = 0.02, .every = 0.0005, .method = "dop853", .tol = 1e-9};
  const Result truth = simulate(model, options);
  constexpr double sigma = 1e-4;
  FitSeries series{.name = "run", .t = truth.motion.t, .columns = truth.motion.coordinates};
  std::mt19937 generator{7};
  for (const double angle : truth.motion.q) {
    double sum = 0.0;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(generator()) / 4294967296.0 - 0.5;
    series.values.push_back(angle + sigma * sum);
  }
  FitOptions wanted;
  for (const char* name : {"c0", "l0", "mom", "d", "e4", "zf", "zt", "u", "s", "xa", "xb", "yb"})
    wanted.vary.push_back({.name = name});
  for (const std::string& column : series.columns) wanted.sigma.emplace_back(column, sigma);
  Problems problems;
  SimulationOptions near = options;
  near.set = {{"c0", 4400.0}, {"mom", 0.034}, {"l0", 0.0775}};
  const Fit found = fit(model, near, {series}, wanted, problems);
  ASSERT_TRUE(problems.empty() && found.good()) << found.message;
  const CompiledModel compiled = compile(model);
  int far = 0;
  for (const FittedVariable& one : found.variables) {
    const double value =
        compiled.parameter_values()[static_cast<std::size_t>(compiled.parameter_index(one.name))];
    ASSERT_TRUE(std::isfinite(one.deviation)) << one.name;
    EXPECT_LE(std::abs(one.value - value), 4 * one.deviation) << one.name;
    far += std::abs(one.value - value) > 2 * one.deviation ? 1 : 0;
  }
  EXPECT_LE(far, 2);  // of 12, one in 22 is to be
  EXPECT_NEAR(2 * found.cost, found.residuals, 4 * std::sqrt(2.0 * found.residuals));
}

TEST(Fit, RefusesInWords) {
  Problems problems;
  const std::vector<FitSeries> series{measured(damped(), 0.0, 1)};
  static_cast<void>(fit(damped(), {}, series, {.vary = {{.name = "K"}}}, problems));
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(ModelError{problems}.what(), HasSubstr("did you mean 'k'"));
  FitSeries mirrored = series[0];
  std::swap(mirrored.t[3], mirrored.t[4]);
  Problems of_times;
  static_cast<void>(fit(damped(), {}, {mirrored}, {.vary = {{.name = "k"}}}, of_times));
  EXPECT_THAT(ModelError{of_times}.what(), HasSubstr("do not grow"));
}

}  // namespace
}  // namespace taut
