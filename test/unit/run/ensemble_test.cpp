// SPDX-License-Identifier: BSD-3-Clause
// Ensembles against closed forms at the points that were drawn.
#include "taut/studies/ensemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "taut/model/model_file.hpp"

namespace taut {
namespace {

Ensemble ensemble_of(const std::string& text, EnsembleOptions options,
                     SimulationOptions simulation = {}) {
  Problems problems;
  Model model = read_model(std::string{text}, problems);
  Ensemble found = ensemble(std::move(model), simulation, options, problems);
  EXPECT_TRUE(problems.empty()) << problems.message();
  return found;
}

SampleDesign drawn(const std::string& text, std::size_t runs) {
  Problems problems;
  return {.distributions = read_distributions({text}, problems), .runs = runs};
}

const std::string free_particle = R"toml(
[coordinates]
x = { mass = 1, at = 0, velocity = 1 }
[run]
until = 2
)toml";

// x = u t: everything about x is that of u, times t.
TEST(Ensemble, OfAFreeParticleIsThatOfItsVelocities) {
  const SampleDesign design = drawn("start(v(x))=normal(1,0.1)", 100);
  const Ensemble all = ensemble_of(free_particle, {.design = design, .quantiles = {0.5, 1.0}});
  Problems problems;
  const SamplePoints points{design, problems};
  std::vector<double> u;
  for (std::size_t k = 0; k < 100; ++k) u.push_back(points(k)[0]);
  std::sort(u.begin(), u.end());
  double mean = 0.0, square = 0.0;
  for (const double x : u) mean += x / 100;
  for (const double x : u) square += (x - mean) * (x - mean) / 99;
  ASSERT_EQ(all.t.size(), 401u);
  ASSERT_EQ(all.columns[0].name, "x");
  for (const std::size_t k : {0U, 100U, 400U}) {
    const EnsembleColumn& x = all.columns[0];
    const double t = all.t[k];
    EXPECT_NEAR(x.mean[k], mean * t, 1e-12);
    EXPECT_NEAR(x.deviation[k], std::sqrt(square) * t, 1e-12);
    EXPECT_NEAR(x.least[k], u.front() * t, 1e-12);
    EXPECT_NEAR(x.greatest[k], u.back() * t, 1e-12);
    EXPECT_NEAR(x.quantiles[0][k], (u[49] + u[50]) / 2 * t, 1e-12);
    EXPECT_NEAR(x.quantiles[1][k], u.back() * t, 1e-12);
    EXPECT_NEAR(all.apart[k], x.deviation[k], 1e-12);
    EXPECT_EQ(all.count[k], 100u);
  }
  EXPECT_FALSE(all.growth.exponential);
}

TEST(Ensemble, IsTheSameForAnyNumberOfThreads) {
  const EnsembleOptions one{.design = drawn("start(v(x))=uniform(0,1)", 130), .threads = 1};
  EnsembleOptions two = one;
  two.threads = 2;
  const Ensemble a = ensemble_of(free_particle, one), b = ensemble_of(free_particle, two);
  EXPECT_EQ(a.columns[0].mean, b.columns[0].mean);
  EXPECT_EQ(a.columns[0].deviation, b.columns[0].deviation);
  EXPECT_EQ(a.apart, b.apart);
}

// x'' = x: runs part like cosh t. T = 1 s, and the interval has it.
TEST(Ensemble, FindsLyapunovsTimeOfAnUnstableRest) {
  const std::string text = R"toml(
[coordinates]
x = { mass = 1, at = 0 }
[[potential]]
energy = "-x^2/2"
[run]
until = 12
)toml";
  const Ensemble all =
      ensemble_of(text, {.design = {.runs = 64}, .spread = 1e-6, .quantiles = {0.5}});
  ASSERT_TRUE(all.growth.exponential) << all.growth.reason;
  EXPECT_NEAR(all.growth.time, 1.0, 0.01);
  EXPECT_LE(all.growth.time_low, 1.0);
  EXPECT_GE(all.growth.time_high, 1.0);
  EXPECT_NEAR(all.apart.back() / all.apart.front(), std::cosh(12.0), 1e-3 * std::cosh(12.0));
}

// Growth that is none of an exponential is refused: of an oscillator, and of a free particle.
TEST(Ensemble, RefusesALyapunovTimeWhereThereIsNone) {
  const std::string spring = R"toml(
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[run]
until = 20
)toml";
  const Ensemble bounded =
      ensemble_of(spring, {.design = {.runs = 64}, .spread = 1e-3, .quantiles = {}});
  EXPECT_FALSE(bounded.growth.exponential);
  EXPECT_NE(bounded.growth.reason.find("do not part"), std::string::npos) << bounded.growth.reason;
  SimulationOptions many;
  many.every = Value{0.0004};
  const Ensemble linear = ensemble_of(
      free_particle, {.design = drawn("start(v(x))=normal(1,0.1)", 64), .quantiles = {}}, many);
  EXPECT_FALSE(linear.growth.exponential);
  EXPECT_NE(linear.growth.reason.find("t^1,"), std::string::npos) << linear.growth.reason;
}

// A run that fails is in no mean, and said.
TEST(Ensemble, CountsRunsThatFail) {
  const std::string text = R"toml(
[parameters]
p = 1
[coordinates]
x = { mass = 1, at = 0, velocity = 1 }
[[force]]
on = "x"
value = "sqrt(p)"
[run]
until = 1
)toml";
  const SampleDesign design = drawn("p=uniform(-1,1)", 40);
  Problems problems;
  const SamplePoints points{design, problems};
  std::size_t negative = 0;
  for (std::size_t k = 0; k < 40; ++k) negative += points(k)[0] < 0 ? 1 : 0;
  const Ensemble all = ensemble_of(text, {.design = design, .quantiles = {0.5}});
  EXPECT_EQ(all.failed, negative);
  EXPECT_EQ(all.count.back(), 40 - negative);
  std::size_t said = 0;
  for (const FailureGroup& one : all.failures) said += one.count;
  EXPECT_EQ(said, negative);
}

}  // namespace
}  // namespace taut
