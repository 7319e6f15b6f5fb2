// SPDX-License-Identifier: BSD-3-Clause
// Drawn runs: designs against their definitions, statistics against closed forms, files that do not
// depend on who wrote them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <set>

#include "studies/sobol_sequence.hpp"
#include "taut/model/model_file.hpp"
#include "taut/studies/stored_sweep.hpp"

namespace taut::samples {
namespace {

namespace fs = std::filesystem;
using std::numbers::pi;
using Kind = SampleDesign::Kind;

Distribution uniform(const std::string& name, double a, double b) {
  return {.name = name, .kind = Distribution::Kind::uniform, .numbers = {a, b}};
}

SamplePoints points_of(SampleDesign design) {
  Problems problems;
  SamplePoints points{std::move(design), problems};
  EXPECT_TRUE(problems.empty()) << problems.message();
  return points;
}

// Every block of 2^m points has one in each of 2^m equal parts of each number; and the first two
// numbers one in each box of sizes 2^-i and 2^-(m-i).
TEST(SobolSequence, StratifiesEachNumberAndTheFirstPair) {
  for (std::size_t d = 0; d < SobolSequence::dimensions; ++d)
    for (const std::uint64_t block : {0U, 3U}) {
      std::set<std::uint64_t> parts;
      for (std::uint64_t i = 0; i < 256; ++i)
        parts.insert(SobolSequence::bits(block * 256 + i, d) >> 56);
      EXPECT_EQ(parts.size(), 256U) << d;
    }
  for (unsigned i = 0; i <= 8; ++i) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> boxes;
    for (std::uint64_t k = 0; k < 256; ++k)
      boxes.insert({i == 0 ? 0 : SobolSequence::bits(k, 0) >> (64 - i),
                    i == 8 ? 0 : SobolSequence::bits(k, 1) >> (56 + i)});
    EXPECT_EQ(boxes.size(), 256U) << i;
  }
}

// No two numbers of the sequence are the same: the integral of a product is that of its factors.
TEST(SobolSequence, IntegratesProductsOfAllPairs) {
  constexpr std::uint64_t n = 4096;
  for (std::size_t a = 0; a < SobolSequence::dimensions; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      double sum = 0.0;
      for (std::uint64_t i = 0; i < n; ++i)
        sum += (static_cast<double>(SobolSequence::bits(i, a)) * 0x1p-64 - 0.5) *
               (static_cast<double>(SobolSequence::bits(i, b)) * 0x1p-64 - 0.5);
      EXPECT_LT(std::abs(sum / n), 5e-4) << a << " " << b;
    }
}

TEST(SamplePoints, OfALatinHypercubeHaveOneInEveryPart) {
  const std::size_t runs = 1600, parts = runs / SamplePoints::replicates;
  const SamplePoints points = points_of({.distributions = {uniform("a", 0, 1), uniform("b", 2, 4)},
                                         .runs = runs,
                                         .kind = Kind::latin,
                                         .seed = 7});
  for (std::size_t replicate = 0; replicate < SamplePoints::replicates; ++replicate)
    for (const std::size_t j : {0U, 1U}) {
      std::set<int> found;
      for (std::size_t k = replicate; k < runs; k += SamplePoints::replicates) {
        const double u = j == 0 ? points(k)[0] : (points(k)[1] - 2) / 2;
        found.insert(static_cast<int>(u * static_cast<double>(parts)));
      }
      EXPECT_EQ(found.size(), parts);
    }
}

// Moments of 2^14 points against their closed forms.
TEST(SamplePoints, FollowTheirDistributions) {
  Problems problems;
  const std::vector<Distribution> all = read_distributions(
      {"a=uniform(-1,3)", "b=normal(9.81,0.1)", "c=lognormal(0.5,0.25)", "d=triangular(1,2,5)"},
      problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  const double log_mean = std::exp(0.5 + 0.25 * 0.25 / 2);
  const std::vector<std::pair<double, double>> moments{
      {1.0, 16.0 / 12},
      {9.81, 0.01},
      {log_mean, (std::exp(0.0625) - 1) * log_mean * log_mean},
      {8.0 / 3, (1.0 + 4 + 25 - 2 - 5 - 10) / 18}};
  for (const Kind kind : {Kind::random, Kind::latin, Kind::sobol}) {
    const std::size_t n = std::size_t{1} << 14;
    const SamplePoints points = points_of({.distributions = all, .runs = n, .kind = kind});
    std::vector<double> sum(4), square(4);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < 4; ++j) {
        const double x = points(k)[j] - moments[j].first;
        sum[j] += x;
        square[j] += x * x;
      }
    // 5 standard errors of independent numbers, and far fewer where they are spread evenly
    const double error = (kind == Kind::random ? 5.0 : 0.2) / std::sqrt(static_cast<double>(n));
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_LT(std::abs(sum[j] / static_cast<double>(n)), error * std::sqrt(moments[j].second))
          << j;
      EXPECT_NEAR(square[j] / static_cast<double>(n) / moments[j].second, 1.0,
                  kind == Kind::random ? 0.1 : 0.01)
          << j;
    }
  }
}

TEST(SamplePoints, AreCorrelatedAsAskedFor) {
  Problems problems;
  const std::size_t n = std::size_t{1} << 14;
  const SamplePoints points =
      points_of({.distributions = read_distributions(
                     {"a=normal(1,2)", "b=normal(0,1)", "c=normal(5,0.5)"}, problems),
                 .correlations = read_correlations({"a,b=0.6", "b,c=-0.3"}, problems),
                 .runs = n,
                 .kind = Kind::sobol});
  double ab = 0.0, bc = 0.0, ac = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> x = points(k);
    const double a = (x[0] - 1) / 2, b = x[1], c = (x[2] - 5) / 0.5;
    ab += a * b;
    bc += b * c;
    ac += a * c;
  }
  EXPECT_NEAR(ab / n, 0.6, 0.01);
  EXPECT_NEAR(bc / n, -0.3, 0.01);
  EXPECT_NEAR(ac / n, 0.0, 0.01);
}

TEST(SamplePoints, RefuseMistakes) {
  const auto said = [](const SampleDesign& design) {
    Problems problems;
    const SamplePoints points{design, problems};
    return problems.message();
  };
  Problems problems;
  static_cast<void>(
      read_distributions({"a", "b=normal(1)", "c=uniform(2,1)", "d=normal(0,-1)", "e=gauss(0,1)",
                          "f=uniform(0,1)", "f=uniform(0,1)", "g=triangular(0,3,1)"},
                         problems));
  EXPECT_EQ(problems.sorted().size(), 7U) << problems.message();
  EXPECT_NE(said({}).find("nothing is distributed"), std::string::npos);
  const std::vector<Distribution> three{uniform("a", 0, 1), uniform("b", 0, 1), uniform("c", 0, 1)};
  EXPECT_NE(said({.distributions = three,
                  .correlations = {{"a", "b", 0.9}, {"b", "c", 0.9}, {"a", "c", -0.9}}})
                .find("at the same time"),
            std::string::npos);
  EXPECT_NE(said({.distributions = three, .correlations = {{"a", "x", 0.9}}}).find("'x'"),
            std::string::npos);
}

// f = sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1, stated as a model in which nothing moves.
const std::string ishigami = R"toml(
name = "Ishigami's function"
[parameters]
x1 = 0.5
x2 = 0.25
x3 = 0.75
[coordinates]
q = { mass = 1, at = 0 }
[run]
until = 1
)toml";
const std::string f = "end(sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1))";

struct Sampled {
  Sampled(const std::string& text, SampleDesign design, const std::vector<std::string>& measures)
      : points{points_of(std::move(design))} {
    Problems problems;
    Model model = read_model(std::string{text}, problems);
    std::vector<std::string> names;
    for (const Distribution& one : points.design().distributions) names.push_back(one.name);
    parameters = name_start_values(names, model, problems);
    runs.emplace(std::move(model), SimulationOptions{}, read_measures(measures, problems),
                 problems);
    EXPECT_TRUE(problems.empty()) << problems.message();
    wanted.measures = measures;
    std::string place = (fs::temp_directory_path() / "taut_samples_XXXXXX").string();
    folder = mkdtemp(place.data());
  }
  ~Sampled() { fs::remove_all(folder); }
  Sampled(const Sampled&) = delete;
  Sampled& operator=(const Sampled&) = delete;

  StoredSweep go(StoredSweepOptions options = {}) {
    if (options.file.empty()) options.file = (folder / "all").string();
    options.statistics = wanted;
    return sweep(*runs, points, parameters, options);
  }
  static std::string bytes(const fs::path& file) {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  SamplePoints points;
  std::vector<std::string> parameters;
  std::optional<MotionSweep> runs;
  StatisticsOptions wanted;
  fs::path folder;
};

SampleDesign of_ishigami(std::size_t groups) {
  return {.distributions = {uniform("x1", -pi, pi), uniform("x2", -pi, pi), uniform("x3", -pi, pi)},
          .runs = 5 * groups,
          .kind = Kind::sobol,
          .indices = true};
}
double ishigami_at(const std::vector<double>& x) {
  return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) +
         0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

TEST(StoredSweep, HasTheMeasuresOfTheModelAtItsPoints) {
  Sampled s{ishigami, of_ishigami(100), {f}};
  const StoredSweep done = s.go();
  ASSERT_EQ(done.status, Status::ok) << done.problem;
  std::size_t count = 0;
  EXPECT_EQ(done.store.for_each(0, done.runs,
                                [&](const RunStore::Run& run) {
                                  ASSERT_TRUE(run.done());
                                  ++count;
                                  EXPECT_NEAR(run.measures[0], ishigami_at(s.points(run.number)),
                                              1e-12);
                                }),
            "");
  EXPECT_EQ(count, 500U);
}

TEST(RunStatistics, SobolIndicesOfIshigami) {
  Sampled s{ishigami, of_ishigami(8192), {f}};
  RunStore store;
  ASSERT_EQ(store.open((s.folder / "store").string(), {}, s.points.size(), 1, false), "");
  for (std::size_t k = 0; k < s.points.size(); ++k)
    ASSERT_EQ(store.write(k, {.status = "done", .measures = {ishigami_at(s.points(k))}}), "");
  const RunStatistics found = run_statistics(store, s.points, s.points.size(), s.wanted);
  const MeasureStatistics& m = found.measures[0];
  const double p4 = std::pow(pi, 4), p8 = p4 * p4;
  const double v1 = 0.5 * (1 + 0.1 * p4 / 5) * (1 + 0.1 * p4 / 5), v2 = 49.0 / 8;
  const double v13 = 0.01 * p8 * (1.0 / 18 - 1.0 / 50), v = v1 + v2 + v13;
  EXPECT_NEAR(m.mean.value, 3.5, 0.01);
  EXPECT_NEAR(m.deviation, std::sqrt(v), 0.03);
  ASSERT_EQ(m.indices.size(), 3U);
  const std::vector<double> first{v1 / v, v2 / v, 0.0}, total{(v1 + v13) / v, v2 / v, v13 / v};
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(m.indices[j].first.value, first[j], 0.01) << j;
    EXPECT_NEAR(m.indices[j].total.value, total[j], 0.01) << j;
    EXPECT_LT(m.indices[j].first.low, m.indices[j].first.value);
    EXPECT_LT(m.indices[j].first.high - m.indices[j].first.low, 0.05);
  }
}

const std::string thrown = R"toml(
name = "thrown"
[parameters]
g = 10
[coordinates]
x = { mass = 1, at = 0, velocity = 5 }
[[force]]
on = "x"
value = "-g"
[run]
until = 0.5
method = "dop853"
)toml";

// x = v/2 - g/8: normal of mean 2.5 - 1.25 and variance (0.1/2)^2 + (1/8)^2, start values too.
TEST(RunStatistics, AreThoseOfTheClosedForm) {
  for (const Kind kind : {Kind::random, Kind::latin, Kind::sobol}) {
    Problems problems;
    Sampled s{thrown,
              {.distributions =
                   read_distributions({"g=normal(10,1)", "start(v(x))=normal(5,0.1)"}, problems),
               .runs = 4096,
               .kind = kind},
              {"end(x)"}};
    s.wanted.conditions = read_conditions({"end(x) > 1.25", "end(x) < 1"}, problems);
    ASSERT_TRUE(problems.empty()) << problems.message();
    const StoredSweep done = s.go();
    ASSERT_EQ(done.status, Status::ok) << done.problem;
    const RunStatistics found = run_statistics(done.store, s.points, done.runs, s.wanted);
    const double deviation = std::sqrt(0.0025 + 1.0 / 64);
    const MeasureStatistics& m = found.measures[0];
    EXPECT_EQ(m.count, 4096U);
    EXPECT_NEAR(m.mean.value, 1.25, 4 * deviation / 64);
    EXPECT_NEAR(m.deviation, deviation, 0.05 * deviation);
    const double half = (m.mean.high - m.mean.low) / 2;
    if (kind == Kind::random)
      EXPECT_NEAR(half, 1.96 * deviation / 64, 0.1 * deviation / 64);
    else
      EXPECT_LT(half, 0.3 * deviation / 64) << "numbers that are spread evenly tell more";
    ASSERT_EQ(m.quantiles.size(), 3U);
    EXPECT_NEAR(m.quantiles[1].value, 1.25, 0.1 * deviation);
    EXPECT_NEAR(m.quantiles[2].value, 1.25 + 1.6449 * deviation, 0.1 * deviation);
    for (const Estimate& q : m.quantiles) {
      EXPECT_LT(q.low, q.value);
      EXPECT_LT(q.value, q.high);
    }
    EXPECT_NEAR(found.probabilities[0].share.value, 0.5, 0.03);
    const double below = 0.5 * std::erfc(0.25 / deviation / std::sqrt(2.0));
    EXPECT_NEAR(found.probabilities[1].share.value, below, 0.01);
    EXPECT_LT(found.probabilities[1].share.low, below);
    EXPECT_GT(found.probabilities[1].share.high, below);
  }
}

TEST(StoredSweep, IsTheSameFileForThreadsShardsAndResumption) {
  Problems problems;
  Sampled s{thrown,
            {.distributions = read_distributions({"g=normal(10,1)"}, problems), .runs = 1000},
            {"end(x)", "steps"}};
  const RunIdentity identity{{"model", "thrown"}};
  const auto file = [&](const char* name) { return (s.folder / name).string(); };
  const auto go = [&](const char* name, StoredSweepOptions options) {
    options.file = file(name);
    options.identity = identity;
    return s.go(std::move(options));
  };
  EXPECT_EQ(go("one", {.threads = 1}).status, Status::ok);
  EXPECT_EQ(go("two", {.threads = 2}).status, Status::ok);
  EXPECT_EQ(go("alone", {.threads = 2, .lanes = false}).status, Status::ok);
  const std::string all = Sampled::bytes(file("one"));
  EXPECT_EQ(all, Sampled::bytes(file("two")));
  EXPECT_EQ(all, Sampled::bytes(file("alone")));

  RunStore merged;
  ASSERT_EQ(merged.open(file("merged"), identity, 1000, 2, false), "");
  for (const std::size_t shard : {3U, 1U, 2U}) {
    const StoredSweep part = go("part", {.shard = shard, .shards = 3});
    EXPECT_EQ(part.status, Status::ok);
    EXPECT_GT(part.finished, 300U);
    EXPECT_LT(part.finished, 400U);
    ASSERT_EQ(merged.take(file("part"), identity), "");
  }
  EXPECT_EQ(all, Sampled::bytes(file("merged")));

  // half of it lost, a place torn
  fs::copy_file(file("one"), file("torn"));
  fs::resize_file(file("torn"), all.size() / 2 - 3);
  {
    std::fstream torn{file("torn"), std::ios::in | std::ios::out | std::ios::binary};
    torn.seekp(static_cast<std::streamoff>(all.size() / 4));
    torn << "xxxx";
  }
  const StoredSweep again = go("torn", {.resume = true});
  EXPECT_EQ(again.status, Status::ok);
  EXPECT_EQ(again.finished, 1000U);
  EXPECT_GT(again.resumed, 400U);
  EXPECT_LT(again.resumed, 500U);
  EXPECT_EQ(all, Sampled::bytes(file("torn")));

  RunStore other;
  EXPECT_NE(other.open(file("one"), {{"model", "another"}}, 1000, 2, true), "");
  EXPECT_NE(other.open(file("one"), identity, 1001, 2, true), "");
}

TEST(StoredSweep, EndsWhenTheMeansAreKnown) {
  Problems problems;
  Sampled s{thrown,
            {.distributions = read_distributions({"g=normal(10,1)"}, problems),
             .runs = std::size_t{1} << 20},
            {"end(x)"}};
  const StoredSweep done = s.go({.until_error = 0.005});
  EXPECT_EQ(done.status, Status::ok);
  // 1.96 / 8 / sqrt(n) <= 0.005 * 1.25 from n = 1537 on: looked at after 2048
  EXPECT_EQ(done.runs, 2048U);
  EXPECT_EQ(done.finished, 2048U);
}

}  // namespace
}  // namespace taut::samples
