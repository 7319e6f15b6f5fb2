// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "filters/filter.hpp"

namespace taut::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::vector<AveragingKernel> kernels() {
  return {AveragingKernel{},
          cubic_kernel(),
          exponential_kernel(),
          polynomial_kernel(3, 1).kernel,
          polynomial_kernel(5, 3).kernel,
          polynomial_kernel(7, 4).kernel,
          polynomial_kernel(11, 7).kernel};
}

// Σ w_j j^k over all j, and Σ |w_j| |j|^k
struct Moment {
  long double sum = 0, size = 0;
};
Moment moment(const Filter& filter, int k) {
  Moment m;
  for (int j = -filter.steps(); j <= filter.steps(); ++j) {
    const long double term =
        filter.weights()[std::abs(j)] * std::pow(static_cast<long double>(j), k);
    m.sum += term;
    m.size += std::abs(term);
  }
  return m;
}

TEST(SampledFilter, KeepsItsMomentsToRoundingWhateverTheNumberOfSteps) {
  for (const AveragingKernel& K : kernels())
    for (int N = (K.mu() + 1) / 2 + 1; N <= 60; ++N) {
      const FilterChoice choice = sampled_filter(K, N);
      ASSERT_EQ(choice.status, Status::ok) << choice.reason;
      const Filter& filter = choice.filter;
      SCOPED_TRACE(K.name() + ", " + std::to_string(N));
      EXPECT_NEAR(static_cast<double>(moment(filter, 0).sum), 1.0, 4 * epsilon);
      for (int k = 1; k <= K.mu(); ++k) {
        const Moment m = moment(filter, k);
        EXPECT_LE(std::abs(m.sum), 4 * epsilon * m.size) << "moment " << k;
      }
      EXPECT_GE(filter.mu(), K.mu());
      EXPECT_EQ(filter.nu(), K.nu());
    }
}

TEST(SampledFilter, IsThePlainTrapezoidalSumOfTheCubicForEvenN) {
  for (const int N : {6, 18, 36, 100}) {
    const Filter filter = sampled_filter(cubic_kernel(), N).filter;
    EXPECT_EQ(filter.steps(), N - 1);  // K(1) = 0: the last step is not needed
    for (int j = 0; j < N; ++j)
      EXPECT_NEAR(filter.weights()[j], cubic_kernel()(static_cast<double>(j) / N) / N, epsilon / 4)
          << j;
  }
}

TEST(SampledFilter, ChangesTheTrapezoidalSumOfTheCubicForOddN) {
  // with N = 17 the plain sum has a mass of 1 + 2.3e-3 and a second moment of 5.8e-4 (in units of
  // the window): the filter spreads what is wrong over all weights
  const AveragingKernel K = cubic_kernel();
  double mass = 0.0, second = 0.0, largest_change = 0.0;
  const Filter filter = sampled_filter(K, 17).filter;
  for (int j = -16; j <= 16; ++j) {
    const double t = j / 17.0;
    mass += K(t) / 17;
    second += K(t) / 17 * t * t;
    largest_change = std::max(largest_change, std::abs(filter.weights()[std::abs(j)] - K(t) / 17));
  }
  EXPECT_NEAR(mass - 1.0, 2.3e-3, 5e-5);
  EXPECT_NEAR(second, 5.8e-4, 5e-6);
  EXPECT_LT(largest_change, 5e-4);
  EXPECT_GT(largest_change, 1e-5);
  EXPECT_EQ(filter.steps(), 16);
}

TEST(SampledFilter, OfThePaperDampsAsThePaperAssumes) {
  // ω h = 2π/6; the normal modes of two masses on two springs lie in [0.618, 1.618] ω
  const double h = std::numbers::pi / 3, golden = std::numbers::phi;
  const Band band{golden - 1, golden};
  const FilterChoice choice = on_band(sampled_filter(cubic_kernel(), 18), band, h);
  ASSERT_EQ(choice.status, Status::ok) << choice.reason;
  EXPECT_NEAR(choice.damping, 0.036, 5e-4);
  EXPECT_NEAR(choice.filter.response(verlet_angle(h)), 0.028, 5e-4);
  EXPECT_NEAR(choice.filter.response(verlet_angle(band.lowest * h)), 9e-5, 5e-6);
  EXPECT_NEAR(choice.filter.error_constant() * std::pow(h, 4), -119, 0.5);
}

TEST(SampledFilter, TendsToItsKernel) {
  for (const AveragingKernel& K : kernels()) {
    constexpr int N = 400;
    const Filter filter = sampled_filter(K, N).filter;
    for (const double L : {1.0, 5.0, 20.0})
      EXPECT_NEAR(filter.response(L / N), K.response(L), 1e-3) << K.name() << " " << L;
    EXPECT_NEAR(filter.error_constant() / std::pow(N, K.mu() + 1) / K.error_constant(), 1.0, 1e-2)
        << K.name();
  }
}

TEST(SampledFilter, RefusesFewerStepsThanItsMomentsNeed) {
  const FilterChoice choice = sampled_filter(polynomial_kernel(7, 3).kernel, 4);
  EXPECT_EQ(choice.status, Status::not_supported);
  EXPECT_NE(choice.reason.find("7 vanishing moments on 4 steps"), std::string::npos);
  EXPECT_NE(choice.reason.find("at least 5"), std::string::npos) << choice.reason;
  EXPECT_EQ(sampled_filter(polynomial_kernel(7, 3).kernel, 5).status, Status::ok);
  for (const int N : {-3, 0, most_filter_steps + 1})
    EXPECT_EQ(sampled_filter(cubic_kernel(), N).status, Status::not_supported) << N;
}

}  // namespace
}  // namespace taut::test
