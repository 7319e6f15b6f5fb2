// SPDX-License-Identifier: BSD-3-Clause
#include "slow/multiplier_extrapolation.hpp"

#include <gtest/gtest.h>

#include "stiff_double_pendulum.hpp"

namespace taut::test {
namespace {

StiffFamily double_pendulum() {
  return {.system = double_pendulum_force,
          .g = [](double /*t*/, const Vec& q) { return double_pendulum_g(q); },
          .band = double_pendulum_band(1.0)};
}

// λ of the rigid double pendulum at (31)-(32) is 1.5 and 1.25 exactly
const Vec exact{{1.5, 1.25}};

TEST(MultiplierExtrapolation, FindsThoseOfTheRigidLimit) {
  const ExtrapolatedMultipliers found = extrapolate_multipliers(double_pendulum(), near_start());
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_LE((found.lambda - exact).lpNorm<Eigen::Infinity>(), 5e-9);
  for (Index i = 0; i < 2; ++i) {
    EXPECT_LE(std::abs(found.lambda[i] - exact[i]), 3.0 * found.error[i]);
    EXPECT_LE(found.error[i], 1e-7);
  }
}

TEST(MultiplierExtrapolation, EveryFurtherValueOfOmegaHelps) {
  const auto error = [](const std::vector<double>& omegas) {
    const ExtrapolatedMultipliers found =
        extrapolate_multipliers(double_pendulum(), near_start(), omegas);
    EXPECT_EQ(found.status, Status::ok) << found.reason;
    return (found.lambda - exact).lpNorm<Eigen::Infinity>();
  };
  // a single ω = 1000 leaves 5e-5
  EXPECT_LE(error({2000.0, 1000.0}), 1e-8);  // in any order
  EXPECT_LE(error({400.0, 800.0}), 1e-6);
  EXPECT_LE(error({200.0, 400.0, 800.0}), 5e-7);
}

TEST(MultiplierExtrapolation, FailuresAreNamed) {
  const StiffFamily family = double_pendulum();
  EXPECT_EQ(extrapolate_multipliers(family, near_start(), {1000.0}).status, Status::not_supported);
  EXPECT_EQ(extrapolate_multipliers(family, near_start(), {1e3, 1e3}).status,
            Status::not_supported);
  const ExtrapolatedMultipliers slow = extrapolate_multipliers(family, near_start(), {5.0, 1000.0});
  EXPECT_NE(slow.status, Status::ok);
  EXPECT_NE(slow.reason.find("omega = 5"), std::string::npos) << slow.reason;
}

}  // namespace
}  // namespace taut::test
