// SPDX-License-Identifier: BSD-3-Clause
#include "slow/normal_energy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "from_toml.hpp"

namespace taut::test {
namespace {

// a weight on a spring along y: λ = m g at rest, C λ² the unit of the measure
const std::string weight = R"toml(
[parameters]
C = 1e-4
[coordinates]
y = { mass = 2, at = 0, velocity = 0 }
[[constraint]]
zero = "y"
compliance = "C"
[[force]]
on = "y"
value = "-19.62"
)toml";

TEST(NormalEnergy, OfAWeightOnASpringIsItsEnergyAboutRest) {
  const CompiledModel model = from_toml(weight);
  NormalEnergy normal;
  ASSERT_EQ(normal.start(model.system), Status::ok);
  const double C = 1e-4, lambda = -19.62, m = 2.0;
  for (const double y : {0.0, C * lambda, 3e-3})
    for (const double v : {0.0, 0.25}) {
      State at = model.given;
      at.q[0] = y;
      at.v[0] = v;
      ASSERT_EQ(normal(model.system, at), Status::ok);
      const double off = y - C * lambda;
      EXPECT_NEAR(normal.energy(), off * off / C + m * v * v, 1e-11);
      EXPECT_NEAR(normal.stretch(), C * lambda * lambda, 1e-11);
    }
}

}  // namespace
}  // namespace taut::test
