// SPDX-License-Identifier: BSD-3-Clause
#include "filters/averaging_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace taut::test {
namespace {

/// Largest |∫ K cos(L t)| for L in [low, 2 low].
double envelope(const AveragingKernel& kernel, double low) {
  double largest = 0.0;
  for (int i = 0; i < 200; ++i)
    largest = std::max(largest, std::abs(kernel.response(low * (1.0 + i / 200.0))));
  return largest;
}

TEST(CubicKernel, IsThePiecewiseCubicOfThePaper) {
  const AveragingKernel K = cubic_kernel();
  for (int i = 0; i <= 100; ++i) {
    const double t = i / 100.0;
    const double printed = t <= 0.5 ? 2 - 2 * t - 8 * t * t + 8 * t * t * t
                                    : 2 - 22.0 / 3 * t + 8 * t * t - 8.0 / 3 * t * t * t;
    EXPECT_NEAR(K(t), printed, 4e-15) << t;
    EXPECT_EQ(K(-t), K(t)) << t;
  }
  EXPECT_EQ(K(1.0), 0.0);
  EXPECT_EQ(K(1.001), 0.0);
}

TEST(CubicKernel, HasThreeVanishingMomentsAndTheRationalFourth) {
  const AveragingKernel K = cubic_kernel();
  const double fourth_moment = -11.0 / 480;  // integrated by hand
  EXPECT_EQ(K.mu(), 3);
  EXPECT_NEAR(K.moment(0), 1.0, 2e-15);
  EXPECT_EQ(K.moment(1), 0.0);
  EXPECT_NEAR(K.moment(2), 0.0, 1e-16);
  EXPECT_NEAR(K.moment(4), fourth_moment, 1e-16);
  EXPECT_NEAR(K.error_constant(), fourth_moment / 24, 1e-17);
}

TEST(CubicKernel, DampsLikeTheSecondPowerOfTheWindow) {
  const AveragingKernel K = cubic_kernel();
  EXPECT_EQ(K.nu(), 2);
  EXPECT_NEAR(std::log2(envelope(K, 200.0) / envelope(K, 400.0)), 2.0, 0.05);
}

TEST(ExponentialKernel, IsPositiveSmoothAndOfUnitMass) {
  const AveragingKernel K = exponential_kernel();
  EXPECT_EQ(K.mu(), 1);
  EXPECT_EQ(K.nu(), AveragingKernel::infinitely_smooth);
  EXPECT_EQ(K(1.0), 0.0);
  EXPECT_NEAR(K(0.0), std::exp(-1.0) / 0.443993816168079, 1e-14);  // mass of the bump function
  EXPECT_NEAR(K.moment(0), 1.0, 1e-14);
  EXPECT_GT(K.moment(2), 0.1);
  // |response| ~ L^(-3/4) exp(-sqrt(L)): the exponent grows without bound
  for (const double L : {20.0, 80.0}) {
    const double exponent = std::log2(envelope(K, L) / envelope(K, 2 * L));
    EXPECT_NEAR(exponent, 0.75 + (std::sqrt(2 * L) - std::sqrt(L)) / std::log(2.0), 0.3) << L;
  }
}

TEST(PolynomialKernel, GivesTheKernelsOfHigherOrderThatHaveNames) {
  // of fourth and sixth order on the weight of Epanechnikov, of fourth on the biweight
  const auto epanechnikov4 = [](double t) { return 15.0 / 32 * (1 - t * t) * (3 - 7 * t * t); };
  const auto epanechnikov6 = [](double t) {
    const double s = t * t;
    return 105.0 / 256 * (1 - s) * (5 - 30 * s + 33 * s * s);
  };
  const auto biweight4 = [](double t) {
    const double s = t * t;
    return 105.0 / 64 * (1 - s) * (1 - s) * (1 - 3 * s);
  };
  const KernelChoice a = polynomial_kernel(3, 2), b = polynomial_kernel(5, 2),
                     c = polynomial_kernel(3, 3), box = polynomial_kernel(1, 1);
  for (int i = -20; i <= 20; ++i) {
    const double t = i / 20.0;
    EXPECT_NEAR(a.kernel(t), epanechnikov4(t), 1e-14) << t;
    EXPECT_NEAR(b.kernel(t), epanechnikov6(t), 1e-14) << t;
    EXPECT_NEAR(c.kernel(t), biweight4(t), 1e-14) << t;
    EXPECT_NEAR(box.kernel(t), 0.5, 1e-15) << t;
  }
}

TEST(PolynomialKernel, HasTheMomentsAskedForAndNoMore) {
  for (const int mu : {1, 3, 5, 9, 15, 31})
    for (const int nu : {1, 2, 5, 12, 32}) {
      const KernelChoice choice = polynomial_kernel(mu, nu);
      ASSERT_EQ(choice.status, Status::ok) << choice.reason;
      const AveragingKernel& K = choice.kernel;
      EXPECT_EQ(K.mu(), mu);
      EXPECT_EQ(K.nu(), nu);
      EXPECT_NEAR(K.moment(0), 1.0, 1e-12) << mu << " " << nu;
      for (int k = 2; k < mu; k += 2) EXPECT_NEAR(K.moment(k), 0.0, 1e-13) << mu << " " << nu;
      // its sign is that of (-1)^((mu-1)/2): K has a sign change more for every further moment
      EXPECT_GT(K.moment(mu + 1) * ((mu - 1) / 2 % 2 == 0 ? 1.0 : -1.0), 0.0) << mu << " " << nu;
    }
}

TEST(PolynomialKernel, DampsWithThePowerAskedFor) {
  for (const int nu : {1, 2, 3, 4}) {
    const AveragingKernel K = polynomial_kernel(5, nu).kernel;
    EXPECT_NEAR(std::log2(envelope(K, 200.0) / envelope(K, 400.0)), nu, 0.15) << nu;
  }
}

TEST(PolynomialKernel, RefusesWhatNoEvenKernelHas) {
  for (const int mu : {-1, 0, 2, 4, 33}) {
    const KernelChoice choice = polynomial_kernel(mu, 2);
    EXPECT_EQ(choice.status, Status::not_supported);
    EXPECT_NE(choice.reason.find("mu = " + std::to_string(mu)), std::string::npos);
  }
  EXPECT_EQ(polynomial_kernel(3, 0).status, Status::not_supported);
  EXPECT_NE(polynomial_kernel(3, 33).reason.find("nu = 33"), std::string::npos);
}

TEST(AveragingKernel, IsTheMovingAverageUnlessTold) {
  const AveragingKernel K;
  EXPECT_EQ(K(0.3), 0.5);
  EXPECT_EQ(K(-1.1), 0.0);
  for (const double L : {0.1, 3.0, 77.0}) EXPECT_NEAR(K.response(L), std::sin(L) / L, 1e-15);
}

}  // namespace
}  // namespace taut::test
