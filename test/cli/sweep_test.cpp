// SPDX-License-Identifier: BSD-3-Clause
// taut sweep.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class SweepCommand : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "sweep");
    return run(folder_, arguments);
  }
  void expect_refused(std::vector<std::string> arguments, const std::string& said) {
    arguments.insert(arguments.begin(), pendulum_);
    const Ended e = taut(std::move(arguments));
    EXPECT_EQ(e.exit, 2);
    EXPECT_NE(e.err.find(said), std::string::npos) << e.err;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string pendulum_ = gallery("inverted_pendulum.toml");
  const double threshold_ = std::sqrt(2 * 9.8 * 0.2);
};

TEST_F(SweepCommand, FindsTheThresholdOfTheInvertedPendulumWithinOnePercent) {
  for (const char* omega : {"omega=1e3", "omega=1e6", "omega=1e8"}) {
    const Ended e =
        taut({pendulum_, "--set", omega, "--vary", "vmax=1:3:6", "--measure", "stable", "--json"});
    ASSERT_EQ(e.exit, 0) << e.err;
    const Json j = Json::parse(e.out);
    EXPECT_EQ(j["reading"], "averaged");
    ASSERT_EQ(j["border"].size(), 1u);
    EXPECT_NEAR(j["border"][0]["vmax"].get<double>(), threshold_, 0.001 * threshold_) << omega;
    EXPECT_EQ(j["border"][0]["stable"], "above");
    ASSERT_EQ(j["points"].size(), 6u);
    EXPECT_EQ(j["points"][0]["stability"], "unstable");
    EXPECT_EQ(j["points"][5]["stability"], "stable");
  }
}

TEST_F(SweepCommand, WritesATableAndADrawing) {
  const Ended e = taut(
      {pendulum_, "--set", "omega=1e6", "--vary", "vmax=1:3:5", "--at", "q=0", "--out", "here"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("vmax = 1.979"), std::string::npos) << e.out;
  const std::string csv = read(folder_ / "here" / "sweep.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "vmax,stability,softest,softest_error,slowest,growth,q");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 5 + 1);
  EXPECT_NE(csv.find(",border"), std::string::npos);
  const std::string svg = read(folder_ / "here" / "sweep.svg");
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_NE(svg.find("vmax = 1.979"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_NE(read(folder_ / "here" / "sweep.html").find("\"lowest omega\""), std::string::npos);
}

TEST_F(SweepCommand, DrawsTheBorderOverTwoParameters) {
  const Ended e = taut(
      {pendulum_, "--set", "omega=1e6", "--vary", "vmax=1:3:5", "--vary", "l=0.1:0.3:3", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["points"].size(), 15u);
  EXPECT_EQ(j["axes"][1]["values"], Json({0.1, 0.2, 0.3}));
  EXPECT_EQ(j["measures"][0]["name"], "stable");
  for (std::size_t k = 0; k < 15; ++k)
    EXPECT_EQ(j["measures"][0]["values"][k] == 1, j["points"][k]["stability"] == "stable") << k;
  ASSERT_GE(j["border"].size(), 3u);
  for (const Json& b : j["border"]) {
    const double vmax = b["vmax"].get<double>(), l = b["l"].get<double>();
    EXPECT_NEAR(vmax * vmax / (2 * 9.8 * l), 1.0, 4e-3);
  }
  EXPECT_TRUE(fs::exists(folder_ / "out" / "inverted_pendulum" / "sweep.svg"));
}

// Both rods straight up: forces act along them, and nothing moves. In the angles the effective
// potential is stiff where vmax^2 / 2g exceeds the eigenvalues of [l1, m2 l2/(m1 + m2); l1, l2].
TEST_F(SweepCommand, FollowsTheUprightDoublePendulumToItsThreshold) {
  const Ended e = taut({gallery("vibrated_double_pendulum.toml"), "--set", "omega=1e6", "--vary",
                        "vmax=1:4:4", "--at", "bob1.x=0,bob1.y=0.2,bob2.x=0,bob2.y=0.3", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json j = Json::parse(e.out);
  for (const Json& p : j["points"]) EXPECT_NEAR(p["q"]["bob2.y"].get<double>(), 0.3, 1e-9);
  const double m1 = 0.01, m2 = 0.005, l1 = 0.2, l2 = 0.1;
  const double trace = l1 + l2, determinant = l1 * l2 * (1 - m2 / (m1 + m2));
  const double largest = (trace + std::sqrt(trace * trace - 4 * determinant)) / 2;
  ASSERT_EQ(j["border"].size(), 1u);
  EXPECT_NEAR(j["border"][0]["vmax"].get<double>(), std::sqrt(2 * 9.8 * largest), 2e-3);
  EXPECT_EQ(j["border"][0]["stable"], "above");
}

TEST_F(SweepCommand, MarksValuesWithoutAnEquilibrium) {
  write(folder_ / "pushed.toml", R"toml(
name = "pushed"
[parameters]
p = 0
[coordinates]
x = { mass = 1, at = 0.1 }
[[force]]
on = "x"
value = "p - sin(x)"
)toml");
  const Ended e = taut({"pushed.toml", "--vary", "p=0:2:5"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("none"), std::string::npos) << e.out;
  EXPECT_NE(e.err.find("2 of 5 points have no equilibrium"), std::string::npos) << e.err;
  const Ended nowhere = taut({"pushed.toml", "--vary", "p=2:3:3", "--out", "nowhere"});
  EXPECT_EQ(nowhere.exit, 1);
  EXPECT_NE(nowhere.err.find("none of 3 points"), std::string::npos) << nowhere.err;
}

TEST_F(SweepCommand, RefusesMistakes) {
  expect_refused({}, "--vary");
  expect_refused({"--vary", "vmax"}, "NAME=A:B:N");
  expect_refused({"--vary", "vmax=1:2"}, "NAME=A:B:N");
  expect_refused({"--vary", "vmax=1:2:3:4"}, "NAME=A:B:N");
  expect_refused({"--vary", "vmx=1:2:3"}, "did you mean 'vmax'");
  expect_refused({"--vary", "vmax=1:2:1"}, "too few");
  expect_refused({"--vary", "vmax=1:1:5"}, "two different numbers");
  expect_refused({"--vary", "vmax=nan:1:5"}, "two different numbers");
  expect_refused({"--vary", "vmax=1:2:3", "--vary", "vmax=1:2:3"}, "varied twice");
  expect_refused({"--vary", "vmax=1:2:3", "--vary", "l=1:2:3", "--vary", "g=1:2:3"}, "too many");
  expect_refused({"--vary", "vmax=1:2:10000000"}, "too many");
  expect_refused({"--vary", "vmax=1:2:3", "--measure", "colour"}, "measures are: stable");
  expect_refused({"--vary", "vmax=1:2:3", "--at", "x=1"}, "coordinate");
  expect_refused({"--vary", "vmax=1:2:3", "--reading", "rigid"}, "--reading averaged");
}

}  // namespace
}  // namespace taut::test
