// SPDX-License-Identifier: BSD-3-Clause
// taut start --slow.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class SlowStart : public testing::Test {
 protected:
  Json start(const std::string& model, std::vector<std::string> further = {}, int exit = 0) {
    std::vector<std::string> arguments{"start", model, "--slow", "--json"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const Ended e = run(folder_, arguments);
    EXPECT_EQ(e.exit, exit) << e.err;
    return Json::parse(e.out, nullptr, false);
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(SlowStart, FindsTheSlowPointOfTheStiffDoublePendulum) {
  const Json j = start(gallery("stiff_double_pendulum.toml"), {"--via", "expansion"});
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["via"], "expansion");
  EXPECT_EQ(j["order"], 6);
  // by hand: r = 1 + lambda / omega^2 with lambda = 1.5 and 1.25 up to some 1e-8
  EXPECT_NEAR(j["q"]["bob1.x"].get<double>(), 1.0000000150, 5e-14);
  EXPECT_NEAR(j["q"]["bob2.x"].get<double>(), 2.0000000275, 5e-14);
  EXPECT_NEAR(j["lambda"]["rod 1"].get<double>(), 1.5, 1e-6);
  EXPECT_NEAR(j["lambda"]["rod 2"].get<double>(), 1.25, 1e-6);
  EXPECT_NEAR(j["moved"]["q"]["bob1.x"].get<double>(), 1.5e-8, 5e-14);
  EXPECT_TRUE(j["moved"]["v"].empty());
  EXPECT_TRUE(j["near"].get<bool>());
  EXPECT_LE(j["uncertainty"].get<double>(), 1e-15);
  EXPECT_LE(j["velocity_uncertainty"].get<double>(), 1e-15);
  EXPECT_GT(j["iterations"].get<int>(), 0);
  EXPECT_GT(j["force_evaluations"].get<int>(), j["iterations"].get<int>());
}

TEST_F(SlowStart, ReadsRigidModelsAsStiffOnesWhenAsked) {
  const Json as_written = start(gallery("stiff_double_pendulum.toml"), {"--set", "omega=2000"});
  const Json penalized =
      start(gallery("stiff_double_pendulum.toml"), {"--reading", "penalized", "--omega", "2000"});
  EXPECT_EQ(as_written["q"], penalized["q"]);
  EXPECT_EQ(as_written["lambda"], penalized["lambda"]);
}

TEST_F(SlowStart, SaysThatRigidConstraintsNeedNothing) {
  const Json j = start(gallery("double_pendulum.toml"));
  EXPECT_NE(j["notes"][0].get<std::string>().find("no constraint is compliant"), std::string::npos);
  EXPECT_TRUE(j["moved"]["q"].empty());
  const Json rigid = start(gallery("stiff_double_pendulum.toml"), {"--reading", "rigid"});
  EXPECT_EQ(rigid["q"]["bob1.x"], 1.0);
}

TEST_F(SlowStart, PrintsATableAndWhatItMoved) {
  const Ended e =
      run(folder_, {"start", gallery("stiff_double_pendulum.toml"), "--slow", "--digits", "15"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("1.000000015 "), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("order 6"), std::string::npos) << e.out;
  EXPECT_NE(e.err.find("bob1.x by 1.5e-08"), std::string::npos) << e.err;
}

TEST_F(SlowStart, FailsWithAReasonWhereNothingIsStiff) {
  const Json j = start(gallery("stiff_double_pendulum.toml"), {"--set", "omega=1"}, 1);
  EXPECT_EQ(j["status"], "not_supported");
  EXPECT_NE(j["reason"].get<std::string>().find("compliance"), std::string::npos) << j["reason"];
  EXPECT_FALSE(j.contains("q"));
}

TEST_F(SlowStart, EveryWayEndsAtTheSamePoint) {
  const std::string model = gallery("stiff_double_pendulum.toml");
  const Json first = start(model, {"--via", "expansion"});
  for (const char* via : {"newton", "filter"}) {
    const Json j = start(model, {"--via", via});
    EXPECT_EQ(j["via"], via);
    for (const char* x : {"bob1.x", "bob1.y", "bob2.x", "bob2.y"})
      EXPECT_NEAR(j["q"][x].get<double>(), first["q"][x].get<double>(), 2e-14) << via << ' ' << x;
    // the collinear rods have 0.618 and 1.618 times omega
    EXPECT_NEAR(j["band"][0].get<double>(), 6180, 250);
    EXPECT_NEAR(j["band"][1].get<double>(), 16180, 600);
  }
}

TEST_F(SlowStart, CostsTheSameWhateverTheStiffness) {
  for (const std::string via : {"", "filter", "newton", "expansion"}) {
    std::vector<int> evaluations;
    for (const char* omega : {"omega=1e3", "omega=1e5", "omega=1e8"}) {
      std::vector<std::string> further{"--set", omega};
      if (!via.empty()) further.insert(further.end(), {"--via", via});
      evaluations.push_back(
          start(gallery("stiff_double_pendulum.toml"), further)["force_evaluations"].get<int>());
    }
    EXPECT_EQ(evaluations[0], evaluations[1]) << via;
    EXPECT_EQ(evaluations[0], evaluations[2]) << via;
  }
}

TEST_F(SlowStart, TakesTheBandItIsGiven) {
  const Json j =
      start(gallery("stiff_double_pendulum.toml"), {"--via", "filter", "--band", "6000:17000"});
  EXPECT_EQ(j["band"][0], 6000.0);
  EXPECT_NEAR(j["q"]["bob1.x"].get<double>(), 1.0000000150, 5e-14);
  const Ended wrong = run(
      folder_, {"start", gallery("stiff_double_pendulum.toml"), "--slow", "--band", "17000:6000"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("LOW:HIGH"), std::string::npos) << wrong.err;
}

TEST_F(SlowStart, RefusesAWayThatDoesNotExist) {
  const Ended unknown =
      run(folder_, {"start", gallery("pendulum.toml"), "--slow", "--via", "guessing"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("expansion"), std::string::npos) << unknown.err;
  const Ended alone = run(folder_, {"start", gallery("pendulum.toml"), "--via", "expansion"});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_NE(alone.err.find("--slow"), std::string::npos) << alone.err;
}

}  // namespace
}  // namespace taut::test
