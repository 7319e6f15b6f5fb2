// SPDX-License-Identifier: BSD-3-Clause
// Constraints on entries of a rotation that are 1e-16 where the run begins: their scale is that of
// a rotation, not of the start.
#include <gtest/gtest.h>

#include <string>

#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::test {
namespace {

Model guided_body() {
  Problems problems{"test"};
  Model model = read_model(R"toml(
name = "guided body"
[[body]]
name     = "slider"
mass     = 3
inertia  = [0.001, 0.01, 0.01]
at       = [1, 0.1, 0]
rotation = ["pi/sqrt(2)", "pi/sqrt(2)", 0]
markers  = { top = [0.1, 0, 0] }
[points]
bob = { mass = 1, at = [0, 0.5, 0.1], velocity = [0, 0, 1] }
[[constraint]]
zero = "slider.y - 0.1"
[[constraint]]
zero = "slider.z"
[[constraint]]
zero = "slider.r13"
[[constraint]]
zero = "slider.r31"
[[constraint]]
zero = "slider.r22"
[[rod]]
between = ["slider.top", "bob"]
[[gravity]]
acceleration = [0, -9.81, 0]
)toml",
                           problems);
  problems.throw_if_any();
  return model;
}

TEST(GuidedBody, EveryMethodFollowsItWithRowsAnywhere) {
  for (const std::string method : {"auto", "radau", "dop853", "rattle"})
    for (const double every : {0.0, 0.01}) {
      SCOPED_TRACE(method + (every > 0.0 ? " with rows" : ""));
      SimulationOptions options{.until = 10.0, .method = method};
      if (every > 0.0) options.every = every;
      const Result result = simulate(guided_body(), options);
      ASSERT_EQ(result.summary.status, Status::ok) << result.summary.message;
      ASSERT_TRUE(result.summary.energy_error);
      EXPECT_LE(*result.summary.energy_error, method == "rattle" ? 2e-3 : 1e-6);
      EXPECT_LE(result.summary.max_constraint, 1e-13);
    }
}

TEST(GuidedBody, AnEntryOfARotationHasTheScaleOfARotation) {
  const CompiledModel compiled = compile(guided_body());
  for (const Row& row : compiled.system.structure().rows) EXPECT_GE(row.scale, 0.1) << row.name;
}

}  // namespace
}  // namespace taut::test
