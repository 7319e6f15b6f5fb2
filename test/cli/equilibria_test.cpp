// SPDX-License-Identifier: BSD-3-Clause
// taut equilibria.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class EquilibriaCommand : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "equilibria");
    return run(folder_, arguments);
  }
  Json json(std::vector<std::string> arguments, int exit = 0) {
    arguments.push_back("--json");
    const Ended e = taut(std::move(arguments));
    EXPECT_EQ(e.exit, exit) << e.err;
    return Json::parse(e.out, nullptr, false);
  }
  void expect_refused(std::vector<std::string> arguments, const std::string& said) {
    const Ended e = taut(std::move(arguments));
    EXPECT_EQ(e.exit, 2);
    EXPECT_EQ(e.out, "");
    EXPECT_NE(e.err.find(said), std::string::npos) << e.err;
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

// a model that vibrates is averaged without being asked
TEST_F(EquilibriaCommand, FindsTheUprightPendulumStable) {
  const Json j = json({gallery("inverted_pendulum.toml"), "--set", "omega=1e6"});
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["reading"], "averaged");
  ASSERT_EQ(j["equilibria"].size(), 4u);
  const Json& upright = j["equilibria"][0];
  EXPECT_NEAR(upright["q"]["q"].get<double>(), 0.0, 1e-9);
  EXPECT_EQ(upright["stability"], "stable");
  EXPECT_NEAR(upright["frequencies"][0].get<double>(), std::sqrt(16 / 0.08 - 49), 1e-4);
  const Json& tilted = j["equilibria"][1];
  EXPECT_NEAR(tilted["q"]["q"].get<double>(), std::acos(2 * 9.8 * 0.2 / 16), 1e-5);
  EXPECT_EQ(tilted["stability"], "unstable");
  const Json below = json({gallery("inverted_pendulum.toml"), "--set", "vmax=1.9", "--at", "q=0"});
  EXPECT_EQ(below["equilibria"][0]["stability"], "unstable");
}

TEST_F(EquilibriaCommand, FindsWhereRodsHang) {
  const Json j = json({gallery("pendulum.toml")});
  EXPECT_EQ(j["reading"], "as-written");
  ASSERT_EQ(j["equilibria"].size(), 2u);
  for (const Json& e : j["equilibria"]) {
    const bool down = e["q"]["bob.y"].get<double>() < 0;
    EXPECT_EQ(e["stability"], down ? "stable" : "unstable");
    EXPECT_NEAR(e["lambda"]["rod 1"].get<double>(), down ? 1 : -1, 1e-12);
    EXPECT_NEAR(down ? e["frequencies"][0].get<double>() : e["growth"].get<double>(), 1, 1e-12);
  }
  const Json stiff = json({gallery("pendulum.toml"), "--reading", "penalized", "--omega", "1e4"});
  int stable = 0;
  for (const Json& e : stiff["equilibria"])
    if (e["stability"] == "stable") {
      ++stable;
      EXPECT_NEAR(e["q"]["bob.y"].get<double>(), -1 - 1e-8, 1e-11);
      ASSERT_EQ(e["frequencies"].size(), 2u);
      EXPECT_NEAR(e["frequencies"][0].get<double>(), 1e4, 1e-2);
      EXPECT_NEAR(e["frequencies"][1].get<double>(), 1, 1e-6);
    }
  EXPECT_EQ(stable, 1);
}

TEST_F(EquilibriaCommand, PrintsThemInWords) {
  const Ended e = taut({gallery("double_pendulum.toml"), "--at", "bob1.y=-1,bob1.x=0"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("stable"), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("lambda(rod 2)"), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("rad/s"), std::string::npos) << e.out;
}

TEST_F(EquilibriaCommand, SaysWhatWasTriedWhereThereAreNone) {
  write(folder_ / "falling.toml", R"toml(
name = "falling"
[points]
p = { mass = 1, at = [0, 1] }
[[gravity]]
acceleration = [0, -9.81]
)toml");
  const Ended e = taut({"falling.toml"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("searches from"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("--reach"), std::string::npos) << e.err;
  const Json j = json({"falling.toml"}, 1);
  EXPECT_EQ(j["status"], "iteration_limit");
  EXPECT_TRUE(j["equilibria"].empty());
}

// 375 coordinates: each search decomposes matrices of that size hundreds of times
TEST_F(EquilibriaCommand, EndsWithWhatItHasWhenItsTimeIsOver) {
  const Ended e = taut({gallery("argon.toml"), "--max-seconds", "0.5"});
  const bool none = e.err.find("no equilibrium") != std::string::npos;
  EXPECT_EQ(e.exit, none ? 1 : 0) << e.err;
  EXPECT_NE(e.err.find("ended after"), std::string::npos) << e.err;
  EXPECT_EQ(e.err.find("--resume"), std::string::npos) << "there is nothing to resume: " << e.err;
}

TEST_F(EquilibriaCommand, EndsWhenItIsInterrupted) {
  Running running{folder_, {"equilibria", gallery("argon.toml")}};
  std::this_thread::sleep_for(std::chrono::milliseconds{500});
  EXPECT_FALSE(running.ended());
  running.send(SIGINT);
  const Ended e = running.wait();
  // a machine that has other things to do may not have come to where it is caught
  EXPECT_TRUE(e.exit == 1 || e.signal == SIGINT) << e.exit << e.err;
}

TEST_F(EquilibriaCommand, SaysThatAModelIsTooLargeAndWhatToDo) {
  write(folder_ / "large.toml", R"toml(
name = "large"
[coordinates]
"q{k}" = { mass = 1, at = 0, repeat = { k = "1:501" } }
[[potential]]
energy = "q{k}^2"
repeat = { k = "1:501" }
)toml");
  const Ended e = taut({"large.toml"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("501 coordinates are more than the 500"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("state a smaller model"), std::string::npos) << e.err;
  EXPECT_EQ(json({"large.toml"}, 1)["status"], "not_supported");
}

TEST_F(EquilibriaCommand, RefusesWhatCannotRest) {
  const std::string vibrated = gallery("inverted_pendulum.toml");
  expect_refused({vibrated, "--reading", "as-written"}, "--reading averaged");
  expect_refused({gallery("stiff_pendulum.toml"), "--reading", "slow"}, "--reading as-written");
  expect_refused({vibrated, "--at", "Q=0"}, "did you mean 'q'");
  expect_refused({vibrated, "--at", "q"}, "NAME=VALUE");
  expect_refused({vibrated, "--at", "q=up"}, "NAME=VALUE");
  expect_refused({gallery("pendulum.toml"), "--micro-steps", "32"}, "--reading averaged");
  // nothing here vibrates
  const Ended e = taut({gallery("pendulum.toml"), "--reading", "averaged"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("[vibration]"), std::string::npos) << e.err;
}

}  // namespace
}  // namespace taut::test
