// SPDX-License-Identifier: BSD-3-Clause
// Heat baths and statistics as a model file states them, and whole runs with them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "allocation_counter.hpp"
#include "from_text.hpp"
#include "methods/langevin.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;

constexpr auto warm_trimer = R"toml(
[points]
a1 = { mass = 1, at = [0, 0, 0] }
b = { mass = 16, at = [1, 0, 0] }
a2 = { mass = 1, at = [1, 1, 0] }
[[rod]]
between = ["a1", "b"]
[[rod]]
between = ["b", "a2"]
[[potential]]
energy = "(a1.x - a2.x)^2 + (a1.y - a2.y)^2 + (a1.z - a2.z)^2 + b.x^2 + b.y^2 + b.z^2"
[thermostat]
temperature = "2*0.35"
friction = 1
seed = 5
after = "10*2"
[[histogram]]
value = "b.x"
from = -2
to = 2
bins = 40
after = 5
[[radial_distribution]]
name = "ends"
among = ["a*"]
to = 2
bins = 20
[[radial_distribution]]
among = ["b"]
with = ["a1", "a2"]
to = 2
bins = 4
every = 0.5
[[autocorrelation]]
value = "b.vx"
lag = 2
every = 0.1
)toml";

struct WarmRun {
  Summary summary;
  Motion motion;
};

WarmRun run_warm(const CompiledModel& compiled, RunOptions options, const char* method = "rattle") {
  WarmRun run;
  options.samplers.push_back(
      temperature_sampler(compiled.bath->temperature, {.after = compiled.bath_after}));
  for (const CompiledStatistic& statistic : compiled.statistics)
    options.samplers.push_back(make_sampler(statistic));
  run.summary =
      integrate(compiled.system, compiled.given,
                Langevin{make_method(method).value(), *compiled.bath}, options, run.motion);
  return run;
}

double number(const StatisticResult& result, const std::string& name) {
  for (const auto& [key, value] : result.numbers)
    if (key == name) return value;
  ADD_FAILURE() << name;
  return 0.0;
}

TEST(ThermalRun, KeepsTheStatisticsItsModelAsksFor) {
  const CompiledModel compiled = compiled_from(warm_trimer);
  ASSERT_TRUE(compiled.bath);
  EXPECT_EQ(compiled.bath->temperature, 0.7);
  EXPECT_EQ(compiled.bath->seed, 5U);
  const auto [summary, motion] = run_warm(compiled, {.until = 4000, .step = 0.05});
  ASSERT_EQ(summary.status, Status::ok) << summary.message;
  EXPECT_FALSE(summary.energy_error);
  EXPECT_LE(summary.max_velocity_constraint, 1e-13);
  EXPECT_EQ(summary.method, "rattle with Langevin noise");
  ASSERT_EQ(summary.statistics.size(), 5U);

  const StatisticResult& temperature = summary.statistics[0];
  EXPECT_EQ(temperature.samples, 80000 - 400 + 1);
  EXPECT_EQ(number(temperature, "degrees_of_freedom"), 7.0);
  EXPECT_EQ(number(temperature, "equipartition"), 3.5 * 0.7);
  EXPECT_NEAR(number(temperature, "temperature"), 0.7,
              4 * number(temperature, "temperature_error"));
  EXPECT_LE(number(temperature, "temperature_error"), 0.01);

  // the spring to the origin alone would give b.x the variance kT / 2
  const StatisticResult& histogram = summary.statistics[1];
  EXPECT_EQ(histogram.name, "histogram_1");
  EXPECT_EQ(histogram.samples, 80000 - 100 + 1);
  EXPECT_NEAR(number(histogram, "mean"), 0.0, 4 * number(histogram, "error"));
  double sum = 0.0;
  for (const double density : histogram.columns[2].second) sum += 0.1 * density;
  EXPECT_GT(sum, 0.98);
  EXPECT_LE(sum, 1.0 + 1e-12);

  const StatisticResult& ends = summary.statistics[2];
  EXPECT_EQ(ends.name, "ends");
  EXPECT_EQ(number(ends, "pairs"), 1.0);
  EXPECT_EQ(number(ends, "beyond"), 0.0);  // two rods of length 1
  // rods: all distances are 1 but for rounding, on a border of bins
  const auto& rods = summary.statistics[3].columns[1].second;
  EXPECT_EQ(rods[1] + rods[2], 2 * 8001.0);

  const StatisticResult& correlation = summary.statistics[4];
  EXPECT_EQ(correlation.columns[0].second.size(), 21U);
  EXPECT_NEAR(correlation.columns[0].second.back(), 2.0, 1e-12);
  EXPECT_EQ(correlation.columns[1].second[0], 1.0);
  EXPECT_LT(correlation.columns[1].second[10], 0.7);
}

TEST(ThermalRun, IsDecidedByItsSeed) {
  CompiledModel compiled = compiled_from(warm_trimer);
  const RunOptions options{.until = 2, .step = 0.05};
  const WarmRun one = run_warm(compiled, options), again = run_warm(compiled, options);
  EXPECT_EQ(one.summary.state.q, again.summary.state.q);
  compiled.bath->seed = 6;
  EXPECT_GT((run_warm(compiled, options).summary.state.q - one.summary.state.q).norm(), 0.01);
}

TEST(ThermalRun, ContinuesToTheSameBits) {
  const CompiledModel compiled = compiled_from(warm_trimer);
  std::string pattern = (fs::temp_directory_path() / "taut-thermal-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const fs::path file = fs::path{pattern} / "checkpoint.bin";
  for (const char* method : {"rattle", "shake", "rattle-suzuki4"}) {
    RunOptions options{.until = 30, .step = 0.05};
    const WarmRun whole = run_warm(compiled, options, method);
    ASSERT_EQ(whole.summary.status, Status::ok) << whole.summary.message;
    options.checkpoint = {.file = file, .seconds = 1e9, .identity = {}};
    WarmRun pieces;
    for (options.max_steps = 7; options.max_steps < 1000; options.max_steps += 61) {
      pieces = run_warm(compiled, options, method);
      if (pieces.summary.status == Status::ok) break;
      CheckpointFound found = find_checkpoint(file, {});
      ASSERT_EQ(found.kind, CheckpointFound::Kind::usable) << found.problem;
      options.checkpoint.resume = std::move(found.content);
    }
    EXPECT_EQ(pieces.summary.state.q, whole.summary.state.q) << method;
    EXPECT_EQ(pieces.summary.state.v, whole.summary.state.v) << method;
    EXPECT_EQ(pieces.summary.counters.factorisations, whole.summary.counters.factorisations);
    for (std::size_t k = 0; k < whole.summary.statistics.size(); ++k) {
      const auto& numbers = whole.summary.statistics[k].numbers;
      for (const auto& [name, value] : numbers) {
        const double piecewise = number(pieces.summary.statistics[k], name);
        // what is not known is not known in pieces
        EXPECT_TRUE(piecewise == value || (std::isnan(piecewise) && std::isnan(value))) << name;
      }
      EXPECT_EQ(pieces.summary.statistics[k].columns, whole.summary.statistics[k].columns);
    }
    fs::remove(file);
  }
  fs::remove_all(pattern);
}

TEST(ThermalRun, DoesNotAllocateInItsSteps) {
  if (!allocations()) GTEST_SKIP() << "malloc cannot be counted here";
  const CompiledModel compiled = compiled_from(warm_trimer);
  const auto allocations_for = [&](double until) {
    const std::size_t before = allocations().value_or(0);
    const WarmRun run = run_warm(compiled, {.until = until, .step = 0.05, .every = 1e9});
    EXPECT_EQ(run.summary.status, Status::ok) << run.summary.message;
    return allocations().value_or(0) - before;
  };
  (void)allocations_for(30.0);  // the system derives a bundle when it is first asked for
  EXPECT_EQ(allocations_for(30.0), allocations_for(100.0));
}

TEST(ThermalRun, SaysWhichStatisticsHaveNoSamples) {
  const CompiledModel compiled = compiled_from(warm_trimer);
  const auto [summary, motion] = run_warm(compiled, {.until = 1, .step = 0.05});
  ASSERT_EQ(summary.status, Status::ok) << summary.message;
  EXPECT_TRUE(std::isnan(number(summary.statistics[0], "temperature")));
  EXPECT_EQ(number(summary.statistics[0], "degrees_of_freedom"), 7.0);
  EXPECT_TRUE(std::isnan(number(summary.statistics[1], "mean")));
  for (const double density : summary.statistics[1].columns[2].second)
    EXPECT_TRUE(std::isnan(density) && !std::signbit(density));
  std::string notes;
  for (const Note& note : summary.notes) notes += note.text() + "\n";
  for (const char* part :
       {"temperature: no samples", "after = 20", "histogram_1: no samples", "after = 5"})
    EXPECT_NE(notes.find(part), std::string::npos) << notes;
  EXPECT_EQ(notes.find("ends"), std::string::npos) << notes;
}

TEST(ThermalRun, SaysWhenALagIsTooShortForTheCorrelationTime) {
  const CompiledModel compiled = compiled_from(R"toml(
[points]
p = { mass = 1, at = [0, 0], velocity = [1, 0] }
[[autocorrelation]]
name = "steady"
value = "p.vx"
lag = 0.5
[[autocorrelation]]
name = "moving"
value = "p.x"
lag = 0.5
)toml");
  RunOptions options{.until = 4, .step = 0.05};
  for (const CompiledStatistic& statistic : compiled.statistics)
    options.samplers.push_back(make_sampler(statistic));
  Motion motion;
  const Summary summary =
      integrate(compiled.system, compiled.given, make_method("verlet").value(), options, motion);
  ASSERT_EQ(summary.statistics.size(), 2U);
  EXPECT_TRUE(std::isnan(number(summary.statistics[0], "correlation_time")));
  EXPECT_TRUE(std::isnan(number(summary.statistics[1], "correlation_time")));
  EXPECT_NE(summary.statistics[0].note.text().find("are equal"), std::string::npos);
  EXPECT_NE(summary.statistics[1].note.text().find("up to the lag 0.5"), std::string::npos)
      << summary.statistics[1].note.text();
}

TEST(ThermalRun, NeedsConstantSteps) {
  const CompiledModel compiled = compiled_from(warm_trimer);
  Motion motion;
  RunOptions options{.until = 1.0};
  options.samplers.push_back(temperature_sampler(1.0));
  const Summary summary =
      integrate(compiled.system, compiled.given, make_method("dop853").value(), options, motion);
  EXPECT_EQ(summary.status, Status::not_supported);
  EXPECT_NE(summary.message.find("constant steps"), std::string::npos) << summary.message;
}

std::string mistakes(const std::string& tables) {
  Problems problems{"test.toml"};
  const Model model = read_model("[points]\na = { mass = 1, at = [0, 0] }\n" + tables, problems);
  (void)compile(model, problems);
  return problems.message();
}

TEST(ThermalModel, MistakesAreReported) {
  const auto expect = [](const std::string& tables, const std::string& said) {
    const std::string all = mistakes(tables);
    EXPECT_NE(all.find(said), std::string::npos) << tables << "gives: " << all;
  };
  expect("[thermostat]\ntemperature = 1\nfriction = 1\ndrag = 1\n", "both friction and drag");
  expect("[thermostat]\ntemperature = 1\n", "neither friction nor drag");
  expect("[thermostat]\nfriction = 1\n", "temperature is missing");
  expect("[thermostat]\ntemperature = -1\nfriction = 1\n", "-1 is not >= 0");
  expect("[thermostat]\ntemperature = 1\nfriction = 0\n", "0 is not > 0");
  expect("[thermostat]\ntemperature = 1\nfriction = 1\nseed = 1.5\n",
         "    give a whole number from 0 to 2^53");
  expect("[[histogram]]\nvalue = \"a.x\"\nfrom = 1\nto = 0\n", "0 is not > 1");
  expect("[[histogram]]\nvalue = \"a.x\"\nfrom = 0\n", "to is missing");
  expect("[[histogram]]\nvalue = \"q\"\nfrom = 0\nto = 1\n", "q");
  expect("[[histogram]]\nvalue = \"a.x\"\nfrom = 0\nto = 1\nbins = 2.5\n", "whole number");
  expect("[[histogram]]\nname = \"motion\"\nvalue = \"a.x\"\nfrom = 0\nto = 1\n", "this name");
  expect("[[radial_distribution]]\namong = [\"a\"]\nto = 1\n", "is one point");
  expect("[[radial_distribution]]\namong = [\"x*\"]\nto = 1\n", "there is no point 'x*'");
  expect(
      "[box]\nsize = [1, 2]\n[[radial_distribution]]\namong = [\"a\"]\nwith = [\"a\"]\nto = 0.6\n",
      "half of the shortest edge");
  expect("[[autocorrelation]]\nvalue = \"a.x\"\nlag = -1\n", "-1 is not > 0");
  expect("[[histogran]]\nvalue = \"a.x\"\nfrom = 0\nto = 1\n", "[[histogram]]");
  EXPECT_EQ(mistakes("[thermostat]\ntemperature = 0\ndrag = 1\n"), mistakes(""));
}

}  // namespace
}  // namespace taut::test
