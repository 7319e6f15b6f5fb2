// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "filters/averaging_kernel.hpp"

namespace taut::test {
namespace {

bool says(const KernelChoice& choice, const char* words) {
  return choice.reason.find(words) != std::string::npos;
}

double triangle(double t) { return 1.0 - std::abs(t); }

TEST(KernelFrom, MeasuresTheVanishingMoments) {
  EXPECT_EQ(kernel_from("triangle", triangle, 2).kernel.mu(), 1);
  const auto fourth = [](double t) { return 15.0 / 32 * (1 - t * t) * (3 - 7 * t * t); };
  EXPECT_EQ(kernel_from("fourth order", fourth, 2).kernel.mu(), 3);
  const AveragingKernel ninth = polynomial_kernel(9, 4).kernel;
  const KernelChoice again = kernel_from(
      "again", [=](double t) { return ninth(t); }, 4);
  ASSERT_EQ(again.status, Status::ok) << again.reason;
  EXPECT_EQ(again.kernel.mu(), 9);
  EXPECT_EQ(again.kernel.nu(), 4);
  EXPECT_EQ(again.kernel.name(), "again");
  EXPECT_EQ(again.kernel(0.25), ninth(0.25));
}

TEST(KernelFrom, TakesJumpsAtPlacesItIsNotTold) {
  const auto shorter = [](double t) { return std::abs(t) < 0.7 ? 0.5 / 0.7 : 0.0; };
  const KernelChoice choice = kernel_from("shorter", shorter);
  ASSERT_EQ(choice.status, Status::ok) << choice.reason;
  EXPECT_NEAR(choice.kernel.moment(2), 0.49 / 3, 1e-12);
}

TEST(KernelFrom, RefusesAnOddPartWithItsSize) {
  const auto tilted = [](double t) { return triangle(t) + 0.01 * std::sin(t); };
  const KernelChoice choice = kernel_from("tilted", tilted, 2);
  EXPECT_EQ(choice.status, Status::not_supported);
  EXPECT_TRUE(says(choice, "'tilted' is not even")) << choice.reason;
  EXPECT_TRUE(says(choice, "0.00841")) << choice.reason;  // sin(1)/100
  const KernelChoice odd = kernel_from("odd", [](double t) { return t; });
  EXPECT_TRUE(says(odd, "not even")) << odd.reason;
}

TEST(KernelFrom, RefusesAMassThatIsNotOne) {
  const KernelChoice heavy = kernel_from(
      "heavy", [](double t) { return 3 * triangle(t); }, 2);
  EXPECT_EQ(heavy.status, Status::not_supported);
  EXPECT_TRUE(says(heavy, "mass 3")) << heavy.reason;
  EXPECT_TRUE(says(heavy, "divide it by 3")) << heavy.reason;
  // a kernel that reaches beyond [-1, 1] shows by what is left of it inside
  const auto wide = [](double t) { return std::exp(-t * t / 2) / std::sqrt(2 * M_PI); };
  EXPECT_TRUE(says(kernel_from("wide", wide), "mass 0.6826894921"));
  const KernelChoice none = kernel_from("none", [](double) { return 0.0; });
  EXPECT_TRUE(says(none, "mass 0")) << none.reason;
}

TEST(KernelFrom, RefusesASmoothnessThatItsDampingContradicts) {
  const KernelChoice box = kernel_from(
      "box", [](double) { return 0.5; }, 3);
  EXPECT_EQ(box.status, Status::not_supported);
  EXPECT_TRUE(says(box, "nu = 3")) << box.reason;
  EXPECT_TRUE(says(box, "L^-1")) << box.reason;
  EXPECT_EQ(kernel_from("triangle", triangle, 3).status, Status::not_supported);
  EXPECT_EQ(kernel_from("triangle", triangle, 2).status, Status::ok);
  const AveragingKernel bump = exponential_kernel();
  const KernelChoice smooth = kernel_from(
      "bump", [=](double t) { return bump(t); }, AveragingKernel::infinitely_smooth);
  EXPECT_EQ(smooth.status, Status::ok) << smooth.reason;
}

TEST(KernelFrom, RefusesWhatIsNotFinite) {
  const auto pole = [](double t) { return 1.0 / std::abs(t); };
  const KernelChoice choice = kernel_from("pole", pole);
  EXPECT_EQ(choice.status, Status::non_finite);
  EXPECT_TRUE(says(choice, "'pole' is inf at t = 0")) << choice.reason;
  const auto hole = [](double t) {
    return t < -0.9 ? std::numeric_limits<double>::quiet_NaN() : 0.5;
  };
  EXPECT_EQ(kernel_from("hole", hole).status, Status::non_finite);
  EXPECT_TRUE(says(kernel_from("empty", {}), "no function"));
  EXPECT_TRUE(says(kernel_from(
                       "box", [](double) { return 0.5; }, 0),
                   "nu = 0"));
}

}  // namespace
}  // namespace taut::test
