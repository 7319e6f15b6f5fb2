// SPDX-License-Identifier: BSD-3-Clause
// taut run with steps that are too long.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace taut::test {
namespace {

TEST(BlowUpRun, IsNamedWithTheLargestStableStep) {
  const TemporaryFolder folder;
  const Ended e =
      run(folder.path(), {"run", gallery("stiff_double_pendulum.toml"), "--set", "omega=1000",
                          "--method", "verlet", "--step", "0.002", "--out", "here"});
  EXPECT_EQ(e.exit, 1) << e.err;
  const auto j =
      nlohmann::ordered_json::parse(read(folder.path() / "here" / "summary.json"), nullptr, false);
  ASSERT_TRUE(j.is_object());
  EXPECT_EQ(j["status"], "unstable");
  const std::string hint = j["hint"];
  const std::string words = "take steps below ";
  ASSERT_EQ(hint.find(words), 0u) << hint;
  // two equal masses on two springs in a line: 1.618 omega
  EXPECT_NEAR(std::stod(hint.substr(words.size())), 2.0 / 1618.0, 0.1e-3) << hint;
  EXPECT_GT(read(folder.path() / "here" / "motion.csv").size(), 100u);
}

}  // namespace
}  // namespace taut::test
