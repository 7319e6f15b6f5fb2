// SPDX-License-Identifier: BSD-3-Clause
// taut run in a heat bath, with statistics, and with averaged multipliers.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

class ThermalCommand : public testing::Test {
 protected:
  nlohmann::ordered_json ran(const std::string& model, std::vector<std::string> further,
                             int exit = 0) {
    std::vector<std::string> arguments{"run", gallery(model), "--json", "--out", "out"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const Ended e = run(folder_, arguments);
    EXPECT_EQ(e.exit, exit) << e.err;
    err_ = e.err;
    return nlohmann::ordered_json::parse(e.out, nullptr, false);
  }
  [[nodiscard]] std::vector<std::string> lines(const std::string& file) const {
    std::istringstream in{read(folder_ / "out" / file)};
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

  TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  std::string err_;
};

TEST_F(ThermalCommand, WritesTheStatisticsOfAModel) {
  const auto summary = ran("warm_trimer.toml", {});
  EXPECT_EQ(summary["method"], "rattle with Langevin noise");
  EXPECT_TRUE(summary["energy_error"].is_null());
  const auto& temperature = summary["statistics"]["temperature"];
  EXPECT_EQ(temperature["degrees_of_freedom"], 7.0);
  EXPECT_NEAR(temperature["temperature"].get<double>(), 0.5,
              4 * temperature["temperature_error"].get<double>());
  EXPECT_EQ(summary["statistics"]["ends"]["file"], "ends.csv");
  EXPECT_EQ(summary["statistics"]["ends"]["samples"], 20001 - 200);

  const auto ends = lines("ends.csv");
  ASSERT_EQ(ends.size(), 51U);
  EXPECT_EQ(ends[0], "r,count,density");
  EXPECT_EQ(lines("heavy.csv")[1], "0,1");
  const auto all = nlohmann::json::parse(read(folder_ / "out" / "statistics.json"));
  EXPECT_EQ(all["ends"]["columns"]["r"].size(), 50U);
  EXPECT_EQ(all["heavy"]["columns"]["correlation"].size(), 101U);
  EXPECT_GT(all["heavy"]["correlation_time"].get<double>(), 0.5);
}

TEST_F(ThermalCommand, TakesTheHeatBathFromTheCommandLine) {
  const std::vector<std::string> bath{"--temperature", "2*0.25", "--until", "2",
                                      "--step",        "0.01",   "--seed",  "3"};
  auto with = [&](std::vector<std::string> further) {
    further.insert(further.end(), bath.begin(), bath.end());
    return ran("double_pendulum.toml", further);
  };
  const auto one = with({"--friction", "1"}), same = with({"--friction", "1"});
  EXPECT_EQ(one["method"], "rattle with Langevin noise");
  EXPECT_EQ(one["statistics"]["temperature"]["bath"], 0.5);
  EXPECT_EQ(one["q"], same["q"]);
  EXPECT_NE(one["q"], with({"--drag", "2"})["q"]);
}

TEST_F(ThermalCommand, ResumesToTheSameBits) {
  const auto whole = ran("warm_trimer.toml", {"--until", "50"});
  (void)ran("warm_trimer.toml", {"--until", "50", "--max-steps", "333"}, 1);
  // another seed would be another run
  const auto other = ran("warm_trimer.toml", {"--until", "50", "--seed", "9", "--resume"}, 2);
  EXPECT_NE(other["reason"].get<std::string>().find("seed"), std::string::npos) << other;
  const auto resumed = ran("warm_trimer.toml", {"--until", "50", "--resume"});
  EXPECT_EQ(resumed["q"], whole["q"]);
  EXPECT_EQ(resumed["statistics"], whole["statistics"]);
}

TEST_F(ThermalCommand, AveragesMultipliersOfSprings) {
  const auto summary = ran("double_pendulum.toml",
                           {"--reading", "penalized", "--omega", "100", "--method", "verlet",
                            "--step", "0.002", "--until", "2", "--multiplier-window", "0.2"});
  EXPECT_EQ(summary["statistics"]["multipliers"]["window"], 0.2);
  const auto rows = lines("multipliers.csv");
  EXPECT_EQ(rows[0].substr(0, 9), "t,lambda(");
  EXPECT_EQ(rows.size(), 1U + 901U);
  EXPECT_NEAR(std::stod(rows[1]), 0.1, 1e-12);
}

TEST_F(ThermalCommand, LeavesNoStatisticsOfAnEarlierRun) {
  (void)ran("warm_trimer.toml", {"--until", "50"});
  const auto out = folder_ / "out";
  EXPECT_TRUE(std::filesystem::exists(out / "ends.csv"));
  write(out / "mine.csv", "not of a run\n");
  (void)ran("double_pendulum.toml", {"--until", "1"});
  for (const char* file : {"statistics.json", "ends.csv", "heavy.csv"})
    EXPECT_FALSE(std::filesystem::exists(out / file)) << file;
  EXPECT_TRUE(std::filesystem::exists(out / "motion.csv"));
  EXPECT_TRUE(std::filesystem::exists(out / "mine.csv"));
}

TEST_F(ThermalCommand, IsWhatCheckSpeaksOf) {
  const Ended e = run(folder_, {"check", gallery("warm_trimer.toml"), "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const auto check = nlohmann::json::parse(e.out);
  EXPECT_EQ(check["heat_bath"]["temperature"], 0.5);
  EXPECT_EQ(check["conservative"], false);
  EXPECT_EQ(check["statistics"].size(), 2U);
  for (const auto& method : check["methods"]) {
    if (method["name"] == "rattle") {
      EXPECT_EQ(method["fits"], true);
    }
    if (method["name"] == "radau" || method["name"] == "auto" || method["name"] == "dop853") {
      EXPECT_EQ(method["fits"], false) << method;
    }
  }
  const Ended text = run(folder_, {"check", gallery("warm_trimer.toml")});
  EXPECT_NE(text.out.find("is not conserved: a heat bath"), std::string::npos) << text.out;
}

TEST_F(ThermalCommand, RefusesLagsBeyondTheRun) {
  write(folder_ / "lag.toml",
        "[points]\np = { mass = 1, at = [0, 0] }\n[[autocorrelation]]\nvalue = \"p.x\"\n"
        "lag = 1e12\n");
  const auto refused = [&](const std::string& until) {
    const Ended e = run(folder_, {"run", "lag.toml", "--step", "0.01", "--until", until});
    EXPECT_EQ(e.exit, 2) << e.err;
    return e.err;
  };
  EXPECT_NE(refused("1").find("lag: 1000000000000 is longer than the run"), std::string::npos)
      << refused("1");
  EXPECT_NE(refused("1e12").find("1e+14 samples, and at most 1e+05"), std::string::npos)
      << refused("1e12");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

TEST_F(ThermalCommand, RefusesWhatDoesNotGoTogether) {
  (void)ran("warm_trimer.toml", {"--method", "dop853"}, 2);
  EXPECT_NE(err_.find("a heat bath needs constant ones"), std::string::npos) << err_;
  (void)ran("double_pendulum.toml", {"--friction", "1"}, 2);
  EXPECT_NE(err_.find("--temperature as well"), std::string::npos) << err_;
  (void)ran("double_pendulum.toml", {"--temperature", "-1", "--friction", "1"}, 2);
  EXPECT_NE(err_.find("-1 is not >= 0"), std::string::npos) << err_;
  (void)ran("double_pendulum.toml", {"--step", "0.01", "--multiplier-window", "1"}, 2);
  EXPECT_NE(err_.find("at every instant"), std::string::npos) << err_;
}

}  // namespace
}  // namespace taut::test
