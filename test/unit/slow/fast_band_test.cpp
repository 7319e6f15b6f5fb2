// SPDX-License-Identifier: BSD-3-Clause
#include "slow/fast_band.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "from_toml.hpp"
#include "readings/readings.hpp"
#include "slow_manifolds/problem.hpp"

namespace taut::test {
namespace {

TEST(FastBand, OfTheDoublePendulumIsThatOfItsRods) {
  // λ² = (3 ± sqrt(1 + 4 cos²))/2 of the angle between the rods; collinear: golden ratio
  const FastBand found = fast_band(papers::slow_manifolds::double_pendulum(1000),
                                   papers::slow_manifolds::constrained_start());
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  const double golden = std::numbers::phi;
  EXPECT_NEAR(found.band.lowest, 1000 / golden, 40);
  EXPECT_LE(found.band.lowest, 1000 / golden);
  EXPECT_NEAR(found.band.highest, 1000 * golden, 60);
  EXPECT_GE(found.band.highest, 1000 * golden);
}

TEST(FastBand, OfALongChainHasItsLongestAndShortestWave) {
  const int n = 120;
  std::string text = "[points]\n";
  for (int k = 1; k <= n; ++k)
    text += "p" + std::to_string(k) + " = { mass = 1, at = [" + std::to_string(k) + ", 0] }\n";
  for (int k = 1; k <= n; ++k)
    text += "[[constraint]]\nzero = \"p" + std::to_string(k) + ".x - " +
            (k == 1 ? std::string{"0"} : "p" + std::to_string(k - 1) + ".x") +
            " - 1\"\ncompliance = 1e-6\n";
  const CompiledModel model = from_toml(text);
  const FastBand found = fast_band(model.system, model.given);
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  // fixed at one end, free at the other: w_j = 2 w sin((2j - 1) π / (2 (2n + 1)))
  const double unit = std::numbers::pi / (2.0 * (2 * n + 1));
  const double lowest = 2e3 * std::sin(unit), highest = 2e3 * std::sin((2 * n - 1) * unit);
  EXPECT_LE(found.band.lowest, lowest);
  EXPECT_GE(found.band.lowest, 0.95 * lowest);
  EXPECT_GE(found.band.highest, 0.999 * highest);
  EXPECT_LE(found.band.highest, 1.05 * highest);
}

TEST(FastBand, OfAPotentialIsCutAtTheWidestGap) {
  const CompiledModel model = from_toml(R"toml(
[coordinates]
a = { mass = 1, at = 0 }
b = { mass = 4, at = 0 }
c = { mass = 1, at = 0 }
[[potential]]
energy = "0.5*9e6*a^2 + 0.5*4e6*b^2 + 0.5*c^2"
)toml");
  const FastBand found = fast_band(model.system, model.given);
  ASSERT_EQ(found.status, Status::ok) << found.reason;
  EXPECT_NEAR(found.band.lowest, 1000, 1e-6);
  EXPECT_NEAR(found.band.highest, 3000, 1e-6);
}

TEST(FastBand, IsRefusedWhereRowsDependOnEachOtherOrAreRigid) {
  const std::string twice = R"toml(
[points]
p = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "p"]
length = 1
compliance = 1e-6
[[rod]]
between = ["origin", "p"]
length = 1
compliance = 1e-6
)toml";
  const CompiledModel model = from_toml(twice);
  const FastBand dependent = fast_band(model.system, model.given);
  EXPECT_EQ(dependent.status, Status::not_supported);
  EXPECT_NE(dependent.reason.find("depend"), std::string::npos) << dependent.reason;
  const FastBand stiff = fast_band(rigid(model.system), model.given);
  EXPECT_EQ(stiff.status, Status::not_supported);
}

}  // namespace
}  // namespace taut::test
