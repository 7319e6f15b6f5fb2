// SPDX-License-Identifier: BSD-3-Clause
#include "run/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.hpp"

namespace taut {
namespace {

// x' = -rate x + noise at equal distances: correlation r^k, variance 1
std::vector<double> remembering(double r, int n) {
  const NormalNumbers normal{11};
  std::vector<double> x{normal(0, 0)};
  for (int i = 1; i < n; ++i) x.push_back(r * x.back() + std::sqrt(1 - r * r) * normal(i, 0));
  return x;
}

template <class T>
T restored(T& statistic, T empty) {
  Archive out = Archive::writer();
  statistic.archive(out);
  Archive in = Archive::reader(out.bytes());
  empty.archive(in);
  return empty;
}

TEST(Average, KnowsItsErrorWhereNeighboursResembleEachOther) {
  constexpr int n = 1 << 18;
  constexpr double r = 0.95;
  Average average, unrelated;
  const NormalNumbers normal{2};
  for (const double x : remembering(r, n)) average.add(5 + x);
  for (int i = 0; i < n; ++i) unrelated.add(normal(i, 0));
  // of the mean of n values with correlation r^k: (1 + r)/(1 - r) / n
  const double truth = std::sqrt((1 + r) / (1 - r) / n);
  EXPECT_NEAR(average.error(), truth, 0.25 * truth);
  EXPECT_NEAR(average.mean(), 5.0, 4 * truth);
  EXPECT_NEAR(unrelated.error() * std::sqrt(n), 1.0, 0.3);
  EXPECT_NEAR(unrelated.variance(), 1.0, 4 * std::sqrt(2.0 / n));
  EXPECT_EQ(restored(average, Average{}).error(), average.error());
}

// +1 -1 +1 -1 ...: n values of variance n/(n - 1), pairs of which are 0; ++--: n/2 pairs that are
// not
TEST(Average, ErrorOfAlternatingSignsIsExact) {
  for (const int n : {64, 1024}) {
    Average single, pairs;
    for (int i = 0; i < n; ++i) {
      single.add(3.0 + (i % 2 == 0 ? 1.0 : -1.0));
      pairs.add(3.0 + (i % 4 < 2 ? 1.0 : -1.0));
    }
    EXPECT_NEAR(single.error(), 1.0 / std::sqrt(n - 1.0), 1e-14);
    EXPECT_NEAR(pairs.error(), 1.0 / std::sqrt(n / 2 - 1.0), 1e-14);
    EXPECT_NEAR(single.variance(), n / (n - 1.0), 1e-12);
  }
}

TEST(Average, SaysNothingOfAnErrorItCannotKnow) {
  Average average;
  EXPECT_TRUE(std::isnan(average.mean()));
  EXPECT_TRUE(std::isnan(average.variance()));
  for (int i = 0; i < 31; ++i) average.add(i);
  EXPECT_TRUE(std::isnan(average.error()));
  average.add(31);
  EXPECT_GT(average.error(), 0.0);
  EXPECT_EQ(average.mean(), 15.5);
}

TEST(Histogram, CountsEachValueOnce) {
  Histogram histogram{-1.0, 2.0, 6};
  EXPECT_TRUE(std::isnan(histogram.density(0)));
  EXPECT_FALSE(std::signbit(histogram.density(0)));
  for (const double x : {-1.0, -0.6, -0.5, 1.999, 2.0, -1.001, 7.0}) histogram.add(x);
  EXPECT_EQ(histogram.counts(), (std::vector<std::int64_t>{2, 1, 0, 0, 0, 1}));
  EXPECT_EQ(histogram.below(), 1);
  EXPECT_EQ(histogram.above(), 2);
  EXPECT_EQ(histogram.total(), 7);
  EXPECT_DOUBLE_EQ(histogram.density(0), 2.0 / 7 / 0.5);
  EXPECT_DOUBLE_EQ(histogram.centre(1), -0.25);
  EXPECT_EQ(restored(histogram, Histogram{-1.0, 2.0, 6}).counts(), histogram.counts());
}

TEST(RadialDistribution, CountsDistancesOfAllPairs) {
  Vec q(12);
  q << 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 4;
  RadialDistribution within{{.among = {0, 3, 6, 9}}, 5.0, 5};
  within.add(q);
  // 1, 2, 4, sqrt 5, sqrt 17, sqrt 20
  EXPECT_EQ(within.pairs(), 6);
  EXPECT_EQ(within.histogram().counts(), (std::vector<std::int64_t>{0, 1, 2, 0, 3}));
  RadialDistribution between{{.among = {0, 3}, .with = {3, 6}}, 5.0, 5};
  between.add(q);
  EXPECT_EQ(between.pairs(), 3);
  EXPECT_EQ(between.histogram().counts(), (std::vector<std::int64_t>{0, 1, 2, 0, 0}));
}

TEST(RadialDistribution, IsOneForPointsThatDoNotNoticeEachOther) {
  // positions anywhere, also outside of the box
  const NormalNumbers normal{5};
  std::vector<int> space, plane;
  for (int i = 0; i < 40; ++i) {
    space.push_back(3 * i);
    plane.push_back(3 * i);
  }
  RadialDistribution g3{{.among = space, .box = {2.0, 3.0, 4.0}}, 1.0, 10};
  RadialDistribution g2{{.among = plane, .dimension = 2, .box = {2.0, 3.0}}, 1.0, 10};
  Vec q(120);
  for (int sample = 0; sample < 500; ++sample) {
    normal.fill(sample, q);
    q *= 20.0;
    g3.add(q);
    g2.add(q);
  }
  for (std::size_t k = 0; k < 10; ++k) {
    const auto expected = [&](const RadialDistribution& g, double part) {
      return static_cast<double>(g.histogram().total()) * part;
    };
    const double r = 0.1 * static_cast<double>(k), s = r + 0.1;
    const double shell3 = 4.0 / 3 * M_PI * (s * s * s - r * r * r) / 24;
    const double shell2 = M_PI * (s * s - r * r) / 6;
    EXPECT_NEAR(g3.g(k), 1.0, 5 / std::sqrt(expected(g3, shell3))) << k;
    EXPECT_NEAR(g2.g(k), 1.0, 5 / std::sqrt(expected(g2, shell2))) << k;
  }
}

TEST(Autocorrelation, AgreesWithItsDefinition) {
  constexpr int n = 300, K = 20;
  std::vector<double> x = remembering(0.8, n);
  for (double& value : x) value += 1000.0;  // a mean that would drown them
  Autocorrelation correlation{K};
  for (const double value : x) correlation.add(value);
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  for (int k = 0; k <= K; ++k) {
    double sum = 0.0;
    for (int i = 0; i + k < n; ++i) sum += (x[i] - mean) * (x[i + k] - mean);
    EXPECT_NEAR(correlation.covariance(k), sum / (n - k), 1e-11) << k;
  }
  EXPECT_EQ(correlation(0), 1.0);
  EXPECT_EQ(restored(correlation, Autocorrelation{K})(K), correlation(K));
}

TEST(Autocorrelation, OfFewValuesIsKnownForShortLags) {
  Autocorrelation correlation{5};
  for (const double x : {1.0, 2.0, 4.0}) correlation.add(x);
  EXPECT_NEAR(correlation.covariance(2), (1 - 7.0 / 3) * (4 - 7.0 / 3), 1e-14);
  EXPECT_TRUE(std::isnan(correlation.covariance(3)));
}

TEST(Autocorrelation, SaysNothingOfATimeItCannotKnow) {
  Autocorrelation constant{3}, slow{3}, short_run{9};
  for (int i = 0; i < 20; ++i) {
    constant.add(4.5);
    slow.add(i);
    if (i < 2) short_run.add(i);
  }
  EXPECT_TRUE(std::isnan(constant(0)) && !std::signbit(constant(0)));
  EXPECT_TRUE(std::isnan(constant.time()));
  EXPECT_GT(slow(3), 0.5);  // its lags end before a zero
  EXPECT_TRUE(std::isnan(slow.time()));
  EXPECT_EQ(short_run.time(), 0.5);
}

TEST(Autocorrelation, KnowsHowLongASequenceRemembers) {
  constexpr double r = 0.9;
  Autocorrelation correlation{100};
  for (const double x : remembering(r, 200000)) correlation.add(x);
  for (const int k : {1, 5, 20}) EXPECT_NEAR(correlation(k), std::pow(r, k), 0.04) << k;
  EXPECT_NEAR(correlation.time(), 0.5 * (1 + r) / (1 - r), 1.0);
}

TEST(WindowAverage, IsTheTrapezoidalRule) {
  WindowAverage average{2, 4};
  Vec x(2), mean;
  for (int i = 0; i <= 9; ++i) {
    x << i * i, 1.0;
    average.add(x);
    EXPECT_EQ(average.full(), i >= 4);
  }
  average.mean(mean);  // 25/2 + 36 + 49 + 64 + 81/2, over 4
  EXPECT_DOUBLE_EQ(mean[0], (12.5 + 36 + 49 + 64 + 40.5) / 4);
  EXPECT_DOUBLE_EQ(mean[1], 1.0);
}

}  // namespace
}  // namespace taut
