// SPDX-License-Identifier: BSD-3-Clause
// taut periodic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class PeriodicCommand : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "periodic");
    return run(folder_, arguments);
  }
  Json json(std::vector<std::string> arguments, int exit = 0) {
    arguments.push_back("--json");
    const Ended e = taut(std::move(arguments));
    EXPECT_EQ(e.exit, exit) << e.err;
    return Json::parse(e.out, nullptr, false);
  }
  void expect_refused(std::vector<std::string> arguments, const std::string& said) {
    const Ended e = taut(arguments);
    EXPECT_EQ(e.exit, 2) << e.err;
    EXPECT_EQ(e.out, "");
    EXPECT_NE(e.err.find(said), std::string::npos) << e.err;
    const Json j = json(std::move(arguments), 2);
    EXPECT_EQ(j.value("status", ""), "bad_input") << j;
    if (!j.contains("problems")) return;
    for (const Json& problem : j["problems"]) EXPECT_NE(problem.value("remedy", ""), "") << problem;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string duffing_ = gallery("duffing.toml");
};

TEST_F(PeriodicCommand, FindsTheMotionOfTheDrive) {
  const Ended e = taut({duffing_, "--csv", "--html"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("driven motion of period 4.4879895051"), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("stable: small changes die away"), std::string::npos);
  const Json j = json({duffing_});
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["driven"], true);
  EXPECT_NEAR(j["period"].get<double>(), 2 * std::numbers::pi / 1.4, 1e-12);
  EXPECT_EQ(j["verdict"], "stable");
  ASSERT_EQ(j["multipliers"].size(), 2u);
  // both shrink by exp(-c T / 2)
  for (const Json& m : j["multipliers"])
    EXPECT_NEAR(std::hypot(m[0].get<double>(), m[1].get<double>()),
                std::exp(-0.05 * j["period"].get<double>()), 1e-9);
  for (const Json& s : j["exponents"]) EXPECT_NEAR(s[0].get<double>(), -0.05, 1e-9);
  // what is written is what is printed
  const std::vector<std::string> rows = lines_of(read(folder_ / "out/duffing/periodic.csv"));
  EXPECT_EQ(rows[0], "t,x,v(x)");
  ASSERT_EQ(rows.size(), j["orbit"]["t"].size() + 1);
  const Json &x = j["orbit"]["q"]["x"], &v = j["orbit"]["v"]["v(x)"];
  EXPECT_EQ(x.size(), v.size());
  EXPECT_NEAR(x.front().get<double>(), x.back().get<double>(), 1e-9);
  EXPECT_NEAR(std::stod(rows[5].substr(rows[5].find(',') + 1)), x[4].get<double>(), 1e-14);
  EXPECT_NEAR(j["start"]["q"]["x"].get<double>(), x.front().get<double>(), 1e-15);
  EXPECT_NE(read(folder_ / "out/duffing/periodic.html").find("\"orbit\""), std::string::npos);
}

TEST_F(PeriodicCommand, FollowsABranchRoundItsFolds) {
  const Ended e = taut({duffing_, "--vary", "w=0.9:2", "--csv", "--out", "here"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("fold: the branch turns back"), std::string::npos);
  const Json j = json({duffing_, "--vary", "w=0.9:2"});
  std::vector<double> folds;
  for (const Json& point : j["points"]) {
    if (point["kind"] == "fold") folds.push_back(point["value"].get<double>());
    EXPECT_LE(point["lowest"]["x"].get<double>(), point["highest"]["x"].get<double>());
  }
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_NEAR(folds[0], 1.5555786, 1e-6);
  EXPECT_NEAR(folds[1], 1.2616102, 1e-6);
  EXPECT_EQ(j["points"].front()["value"], 0.9);
  EXPECT_EQ(j["points"].back()["value"], 2.0);
  const std::vector<std::string> rows = lines_of(read(folder_ / "here/periodic.csv"));
  EXPECT_EQ(rows[0], "w,kind,verdict,period,energy,|multiplier|,min x,max x");
  EXPECT_EQ(rows.size(), j["points"].size() + 1);
  // shorter steps, the same branch
  const Json fine = json({duffing_, "--vary", "w=0.9:2:100"});
  EXPECT_GT(fine["points"].size(), 1.5 * static_cast<double>(j["points"].size()));
  for (const Json& point : fine["points"]) {
    if (point["kind"] != "fold") continue;
    const auto value = point["value"].get<double>();
    EXPECT_LE(std::min(std::abs(value - folds[0]), std::abs(value - folds[1])), 1e-8);
  }
}

TEST_F(PeriodicCommand, FollowsTheBackboneOfAPendulum) {
  const Json j = json({gallery("pendulum.toml"), "--vary", "energy=-0.9:0.5"});
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["driven"], false);
  for (const Json& point : j["points"]) {
    EXPECT_EQ(point["verdict"], "neutral");
    EXPECT_EQ(point["trivial"], 2);
  }
  EXPECT_GT(j["points"].back()["period"], j["points"].front()["period"]);
}

TEST_F(PeriodicCommand, GuessesAndReadingsAreHeeded) {
  // beyond the upper fold: one start leads to the small motion, another to the large one
  const auto largest = [&](const char* from) {
    return json({duffing_, "--from", from, "--settle", "0"})["highest"]["x"].get<double>();
  };
  EXPECT_NEAR(largest("x=-0.3,v(x)=0"), 0.3222558, 1e-5);
  EXPECT_GT(largest("x=1.2,v(x)=1.3*w"), 1.2);
  const Json rigid = json({gallery("pendulum.toml")});
  const Json soft = json({gallery("pendulum.toml"), "--reading", "penalized", "--omega", "500"});
  EXPECT_EQ(soft["reading"], "penalized");
  EXPECT_NEAR(soft["period"].get<double>(), rigid["period"].get<double>(), 1e-3);
  EXPECT_NE(soft["period"], rigid["period"]);
}

TEST_F(PeriodicCommand, MistakesAreSaidWithWhatToDo) {
  expect_refused({duffing_, "--period", "3"}, "is not after 3 s what it was before");
  expect_refused({duffing_, "--period", "0"}, "a period of 0 is none");
  expect_refused({duffing_, "--period", "2*pi/W"}, "W");
  expect_refused({duffing_, "--from", "x"}, "NAME=VALUE");
  expect_refused({duffing_, "--from", "y=1"}, "there are: x, v(x)");
  expect_refused({gallery("pendulum.toml"), "--from", "bob.xx=1"}, "did you mean 'bob.x'");
  expect_refused({duffing_, "--from", "x=1+"}, "--from x");
  expect_refused({duffing_, "--from", "x=1/0"}, "finite");
  expect_refused({duffing_, "--settle", "-1"}, "--settle");
  expect_refused({duffing_, "--vary", "w"}, "NAME=A:B");
  expect_refused({duffing_, "--vary", "w=1:2:1"}, "NAME=A:B");
  expect_refused({duffing_, "--vary", "w=1:2:10:log"}, "NAME=A:B");
  expect_refused({duffing_, "--vary", "w=1:1"}, "nothing between");
  expect_refused({duffing_, "--vary", "ww=1:2"}, "did you mean 'w'");
  expect_refused({duffing_, "--vary", "w=1:2", "--set", "w=1"}, "set and varied");
  expect_refused({duffing_, "--vary", "energy=1:2"}, "does not keep its energy");
  expect_refused({gallery("pendulum_dae.toml")}, "jets");
  expect_refused({gallery("bouncing_ball.toml")}, "events that change the motion");
  expect_refused({gallery("warm_trimer.toml")}, "heat bath");
  expect_refused({duffing_, "--max-seconds", "0"}, "--max-seconds");
  expect_refused({gallery("pendulum.toml"), "--reading", "slow"}, "");
  expect_refused({"missing.toml"}, "missing.toml");
}

// nothing is wrong with the input, but there is no motion
TEST_F(PeriodicCommand, WhatIsNotFoundIsSaid) {
  write(folder_ / "falls.toml",
        "name = \"falls\"\n[coordinates]\nx = { mass = 1, at = 1 }\n[[force]]\non = \"x\"\n"
        "value = \"-1\"\n");
  const Ended e = taut({"falls.toml", "--csv"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("does not come back"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("--from"), std::string::npos) << e.err;
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  const Json j = json({"falls.toml"}, 1);
  EXPECT_NE(j["status"], "done");
  EXPECT_NE(j["hint"], "");
  // a road of numbers has no period that formulas tell
  const Json road = json({gallery("quarter_car.toml")}, 1);
  EXPECT_NE(road["hint"].get<std::string>().find("--period"), std::string::npos) << road;
}

// every `taut periodic` that the manual shows prints what stands there, numbers to their last
// digits
TEST_F(PeriodicCommand, TheManualShowsWhatIsPrinted) {
  const std::vector<std::string> page =
      lines_of(read(fs::path{TAUT_MODELS} / "../docs/manual/modes.md"));
  const std::regex number{"-?[0-9]+\\.?[0-9]*(e[-+]?[0-9]+)?"};
  int shown = 0;
  for (std::size_t k = 0; k < page.size(); ++k) {
    const std::string command = "$ taut periodic models/";
    if (!page[k].starts_with(command)) continue;
    ++shown;
    SCOPED_TRACE(page[k]);
    std::istringstream words{page[k].substr(command.size())};
    std::string word;
    words >> word;
    std::vector<std::string> arguments{gallery(word)};
    while (words >> word) arguments.push_back(word);
    const Ended e = taut(arguments);
    ASSERT_EQ(e.exit, 0) << e.err;
    for (const std::string& line : lines_of(e.out)) {
      ++k;
      ASSERT_LT(k, page.size());
      SCOPED_TRACE(line);
      EXPECT_EQ(std::regex_replace(page[k], number, "#"), std::regex_replace(line, number, "#"));
      // how well it closes is rounding
      if (line.find("closed to") != std::string::npos) continue;
      const std::sregex_iterator end;
      std::sregex_iterator a{page[k].begin(), page[k].end(), number};
      for (std::sregex_iterator b{line.begin(), line.end(), number}; b != end && a != end; ++a, ++b)
        EXPECT_NEAR(std::stod(a->str()), std::stod(b->str()),
                    1e-6 * (1 + std::abs(std::stod(b->str()))));
    }
  }
  EXPECT_GE(shown, 2);
}

}  // namespace
}  // namespace taut::test
