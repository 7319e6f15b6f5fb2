// SPDX-License-Identifier: BSD-3-Clause
// Models that once crashed, hung or said nothing of use.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace taut::test {
namespace {

std::string hard_case(const std::string& name) {
  return std::string{TAUT_MODELS "/../test/cases/"} + name + ".toml";
}

nlohmann::ordered_json summary_in(const TemporaryFolder& folder) {
  return nlohmann::ordered_json::parse(read(folder.path() / "here" / "summary.json"), nullptr,
                                       false);
}

TEST(HardCases, AThousandDefinitionsInAChain) {
  const TemporaryFolder folder;
  const Ended e = run(folder.path(), {"run", hard_case("deep_definitions_1000"),
                                      "--no-error-estimate", "--out", "here"});
  EXPECT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(summary_in(folder)["t"], 1.0);
}

TEST(HardCases, NothingThatCanMove) {
  const TemporaryFolder folder;
  const Ended rest = run(folder.path(), {"equilibria", hard_case("equilibria_zero_dof")});
  EXPECT_EQ(rest.exit, 0) << rest.err;
  const Ended sweep = run(folder.path(), {"sweep", hard_case("zero_dof_g"), "--vary", "g=1:2:2"});
  EXPECT_EQ(sweep.exit, 0) << sweep.err;
  const Ended still = run(folder.path(), {"run", hard_case("zero_dof_g"), "--out", "here"});
  EXPECT_EQ(still.exit, 0) << still.err;
  EXPECT_NEAR(summary_in(folder)["q"]["p.x"].get<double>(), 0.6, 1e-12);
}

TEST(HardCases, StepsThatAreNoNumbers) {
  const TemporaryFolder folder;
  const Ended e = run(folder.path(), {"run", hard_case("hang_nan_step"), "--out", "here"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("non_finite"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("constraint 2"), std::string::npos) << e.err;
}

TEST(HardCases, ALoopThatCannotClose) {
  const TemporaryFolder folder;
  const Ended e = run(folder.path(), {"run", hard_case("noassembly"), "--out", "here"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("'crank', 'coupler' and 'rocker' cannot hold together"), std::string::npos)
      << e.err;
  EXPECT_GT(read(folder.path() / "here" / "motion.csv").size(), 20u);
}

}  // namespace
}  // namespace taut::test
