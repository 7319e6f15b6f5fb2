// SPDX-License-Identifier: BSD-3-Clause
// taut run --reading averaged.
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

class AveragedRun : public testing::Test {
 protected:
  Json moved(const std::string& model, const std::vector<std::string>& further, int exit = 0) {
    std::vector<std::string> arguments{
        "run", model, "--json", "--reading", "averaged", "--out", (folder_ / "out").string()};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const Ended e = run(folder_, arguments);
    EXPECT_EQ(e.exit, exit) << e.err;
    err_ = e.err;
    return Json::parse(e.out, nullptr, false);
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  std::string err_;
};

TEST_F(AveragedRun, FollowsTheUprightPendulumAtTheSameCostForEveryOmega) {
  const std::string model = gallery("inverted_pendulum.toml");
  std::vector<Json> ends;
  for (const char* omega : {"omega=1e4", "omega=1e6", "omega=1e8"}) {
    ends.push_back(moved(model, {"--set", omega, "--method", "verlet", "--step", "0.0125"}));
    const Json& j = ends.back();
    EXPECT_EQ(j["status"], "done");
    EXPECT_EQ(j["reading"], "averaged");
    EXPECT_TRUE(j["energy_start"].is_null());
    EXPECT_NE(j["notes"][0].get<std::string>().find("micro-steps per period"), std::string::npos);
  }
  EXPECT_EQ(ends[0]["reading_evaluations"], ends[2]["reading_evaluations"]);
  // it swings about the upright position instead of falling over
  EXPECT_LT(std::abs(ends[1]["q"]["q"].get<double>()), 0.5);
  EXPECT_NEAR(ends[1]["q"]["q"].get<double>(), ends[2]["q"]["q"].get<double>(), 1e-4);
}

TEST_F(AveragedRun, AgreesWithTheFullMotionUpToItsVibration) {
  const std::string model = gallery("inverted_pendulum.toml");
  const Json slow = moved(model, {"--set", "omega=2000"});
  const Ended full = run(folder_, {"run", model, "--json", "--set", "omega=2000", "--out",
                                   (folder_ / "full").string()});
  ASSERT_EQ(full.exit, 0) << full.err;
  const Json whole = Json::parse(full.out);
  // 20/omega is what the literature states for this pendulum
  EXPECT_NEAR(slow["q"]["q"].get<double>(), whole["q"]["q"].get<double>(), 25.0 / 2000);
  EXPECT_LT(slow["steps"].get<int>() * 10, whole["steps"].get<int>());
}

TEST_F(AveragedRun, TakesThePublishedMethodWhenAsked) {
  const Json plain = moved(gallery("inverted_pendulum.toml"),
                           {"--set", "omega=1e6", "--method", "verlet", "--step", "0.0125",
                            "--averaging", "plain", "--micro-steps", "80"});
  const Json accurate = moved(
      gallery("inverted_pendulum.toml"),
      {"--set", "omega=1e6", "--method", "verlet", "--step", "0.0125", "--micro-steps", "80"});
  EXPECT_LT(plain["reading_evaluations"].get<int>(), accurate["reading_evaluations"].get<int>());
  EXPECT_NEAR(plain["q"]["q"].get<double>(), accurate["q"]["q"].get<double>(), 1e-2);
}

TEST_F(AveragedRun, KeepsRigidRods) {
  const Json j =
      moved(gallery("vibrated_double_pendulum.toml"), {"--method", "rattle", "--step", "0.0125"});
  EXPECT_EQ(j["status"], "done");
  EXPECT_LE(j["max_constraint"].get<double>(), 1e-14);
  EXPECT_LE(j["max_velocity_constraint"].get<double>(), 1e-11);
}

TEST_F(AveragedRun, SaysWhatIsMissing) {
  const Json none = moved(gallery("pendulum.toml"), {}, 1);
  EXPECT_EQ(none["status"], "not_supported");
  EXPECT_NE(none["message"].get<std::string>().find("[vibration]"), std::string::npos);
  const Ended unused = run(folder_, {"run", gallery("pendulum.toml"), "--micro-steps", "20"});
  EXPECT_EQ(unused.exit, 2);
  EXPECT_NE(unused.err.find("--reading averaged"), std::string::npos) << unused.err;
}

}  // namespace
}  // namespace taut::test
