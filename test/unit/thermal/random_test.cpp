// SPDX-License-Identifier: BSD-3-Clause
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace taut {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Known answers published with Random123 (kat_vectors).
TEST(Philox, GivesThePublishedWords) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

double probability_below(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

TEST(NormalQuantile, InvertsTheNormalDistribution) {
  // both sides of the seams at |p - 1/2| = 0.425 and sqrt(-log p) = 5, and far out
  for (const double p : {0.5 + 1e-12, 0.3, 0.0750001, 0.0749999, 0.01, 1e-6, 1.4e-11, 1.38e-11,
                         1e-13, 0x1p-54, 0.925001, 0.924999, 1 - 1e-6})
    EXPECT_NEAR(probability_below(normal_quantile(p)) / p, 1.0, 1e-14 + 1e-16 / p * (p > 0.5)) << p;
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  for (const double p : {0.375, 0.0625, 0x1p-20, 0x1p-40})
    EXPECT_EQ(normal_quantile(p), -normal_quantile(1 - p)) << p;
}

TEST(NormalNumbers, AreDistributedNormally) {
  const NormalNumbers normal{7};
  constexpr int n = 200000;
  std::vector<double> x;
  double sum = 0.0, squares = 0.0, fourth = 0.0;
  for (int i = 0; i < n; ++i) {
    x.push_back(normal(i / 100, i % 100));
    sum += x.back();
    squares += x.back() * x.back();
    fourth += std::pow(x.back(), 4);
  }
  // four standard errors of each
  EXPECT_NEAR(sum / n, 0.0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1.0, 4 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3.0, 4 * std::sqrt(96.0 / n));
  // Kolmogorov and Smirnov: sqrt(n) D exceeds 2 once in 1500 seeds
  std::sort(x.begin(), x.end());
  double distance = 0.0;
  for (int i = 0; i < n; ++i)
    distance = std::max({distance, probability_below(x[i]) - static_cast<double>(i) / n,
                         static_cast<double>(i + 1) / n - probability_below(x[i])});
  EXPECT_LT(std::sqrt(n) * distance, 2.0);
  // tails: 4 sigma and more in 6.3e-5 of all
  const auto beyond = std::count_if(x.begin(), x.end(), [](double y) { return std::abs(y) > 4; });
  EXPECT_NEAR(static_cast<double>(beyond), 12.7, 4 * std::sqrt(12.7));
}

TEST(NormalNumbers, OfNeighboursAreIndependent) {
  const NormalNumbers normal{3}, other_seed{4}, other_stream{3, 1};
  constexpr int n = 50000;
  double in_step = 0.0, between_steps = 0.0, seeds = 0.0, streams = 0.0;
  for (int i = 0; i < n; ++i) {
    in_step += normal(i, 0) * normal(i, 1);
    between_steps += normal(i, 0) * normal(i + 1, 0);
    seeds += normal(i, 0) * other_seed(i, 0);
    streams += normal(i, 0) * other_stream(i, 0);
  }
  for (const double sum : {in_step, between_steps, seeds, streams})
    EXPECT_LT(std::abs(sum), 4 * std::sqrt(n));
}

TEST(NormalNumbers, DoNotDependOnTheOrderInWhichTheyAreAskedFor) {
  const NormalNumbers normal{1};
  Vec forwards(7), longer(12);
  normal.fill(5, forwards);
  normal.fill(5, longer);
  for (int i = 6; i >= 0; --i) {
    EXPECT_EQ(NormalNumbers{1}(5, i), forwards[i]);
    EXPECT_EQ(longer[i], forwards[i]);
  }
  EXPECT_NE(normal(6, 0), forwards[0]);
}

}  // namespace
}  // namespace taut
