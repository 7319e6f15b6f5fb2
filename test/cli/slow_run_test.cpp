// SPDX-License-Identifier: BSD-3-Clause
// taut run --reading slow, and runs that are pulled back onto the slow manifold.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class SlowRun : public testing::Test {
 protected:
  Json moved(std::vector<std::string> further, int exit = 0) {
    std::vector<std::string> arguments{"run", gallery("stiff_double_pendulum.toml"), "--json",
                                       "--out", (folder_ / "out").string()};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const Ended e = run(folder_, arguments);
    EXPECT_EQ(e.exit, exit) << e.err;
    err_ = e.err;
    return Json::parse(e.out, nullptr, false);
  }
  static double distance(const Json& a, const Json& b) {
    double sum = 0.0;
    for (const auto& [name, value] : a.items())
      sum += std::pow(value.get<double>() - b[name].get<double>(), 2);
    return std::sqrt(sum);
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  std::string err_;
};

TEST_F(SlowRun, AgreesWithTheStiffMotionAtAFractionOfItsCost) {
  const Json slow = moved({"--reading", "slow", "--tol", "1e-10"});
  EXPECT_EQ(slow["status"], "done");
  EXPECT_EQ(slow["reading"], "slow");
  EXPECT_EQ(slow["method"], "dop853");
  EXPECT_LE(slow["reading_evaluations"].get<int>(), 7000);
  EXPECT_NE(slow["notes"][0].get<std::string>().find("sweep"), std::string::npos);
  // radau steps over the vibrations with all of the stiff equations, from the same slow start
  const Json stiff = moved({"--method", "radau", "--tol", "1e-10", "--slow-start"});
  EXPECT_LE(distance(slow["q"], stiff["q"]), 1e-8);
  EXPECT_LE(distance(slow["v"], stiff["v"]), 1e-8);
  EXPECT_LE(distance(slow["lambda"], stiff["lambda"]), 1e-6);
}

TEST_F(SlowRun, IsOfUseWhereStiffnessIsModest) {
  const Json slow = moved({"--reading", "slow", "--set", "omega=100"});
  const Json stiff =
      moved({"--method", "radau", "--set", "omega=100", "--tol", "1e-10", "--slow-start"});
  EXPECT_LE(distance(slow["q"], stiff["q"]), 1e-5);
}

TEST_F(SlowRun, FiltersWhenAsked) {
  const std::vector<std::string> common{"--reading", "slow", "--until", "1", "--set", "omega=2000"};
  std::vector<std::string> filter = common, expansion = common;
  filter.insert(filter.end(), {"--via", "filter", "--method", "rk4", "--step", "0.02"});
  const Json filtered = moved(filter), expanded = moved(expansion);
  EXPECT_EQ(filtered["status"], "done");
  EXPECT_EQ(filtered["steps"], 50);
  // starts differ along the rods by the order of the compliance
  EXPECT_LE(distance(filtered["q"], expanded["q"]), 1e-5);
  EXPECT_GT(filtered["reading_evaluations"].get<int>(), 50 * 4 * 30);
}

TEST_F(SlowRun, MakesDaesOfALargeOmega) {
  const Json rigid = moved({"--reading", "rigid", "--tol", "1e-10"});
  const Json slow = moved({"--reading", "slow", "--omega", "1e7", "--tol", "1e-10"});
  EXPECT_LE(distance(slow["q"], rigid["q"]), 1e-8);
  EXPECT_LE(distance(slow["lambda"], rigid["lambda"]), 1e-7);
}

TEST_F(SlowRun, ProjectsAtGivenTimes) {
  const Json j =
      moved({"--method", "dop853", "--set", "omega=1000", "--until", "3", "--project-every", "1"});
  EXPECT_EQ(j["projections"], 2);
  EXPECT_GT(j["projection_evaluations"].get<int>(), 20);
  const Json kept = moved({"--method", "dop853", "--set", "omega=1000", "--until", "3",
                           "--project-above", "0.01", "--keep-start"});
  EXPECT_GE(kept["projections"].get<int>(), 1);
}

TEST_F(SlowRun, SaysWhatDoesNotGoTogether) {
  EXPECT_TRUE(moved({"--via", "filter"}, 2).contains("problems"));
  EXPECT_NE(err_.find("--reading slow"), std::string::npos) << err_;
  (void)moved({"--reading", "slow", "--method", "radau"}, 2);
  EXPECT_NE(err_.find("derivative"), std::string::npos) << err_;
  (void)moved({"--reading", "slow", "--keep-start"}, 2);
  (void)moved({"--slow-start", "--keep-start"}, 2);
  EXPECT_NE(err_.find("--keep-start says the opposite"), std::string::npos) << err_;
  (void)moved({"--reading", "rigid", "--project-every", "1"}, 2);
  EXPECT_NE(err_.find("compliant"), std::string::npos) << err_;
  const Json soft = moved({"--reading", "slow", "--set", "omega=1"}, 1);
  EXPECT_EQ(soft["status"], "not_supported");
  EXPECT_NE(soft["message"].get<std::string>().find("not fast"), std::string::npos);
}

}  // namespace
}  // namespace taut::test
