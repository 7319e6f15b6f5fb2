// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C keeps everything; a kill at any moment and --resume give the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include <chrono>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

class Interruption : public testing::Test {
 protected:
  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string model_ = gallery("double_pendulum.toml");

  static void wait_for(const fs::path& file) {
    for (int k = 0; k < 2000 && !fs::exists(file); ++k)
      std::this_thread::sleep_for(milliseconds{5});
  }
};

// waits for the position at the end to be what is expected
TEST_F(Interruption, AWatchedModelIsRunAgainWhenItOrItsTableIsSaved) {
  const auto model = [](double speed) {
    return "[tables]\nroad = { file = \"road.csv\" }\n[coordinates]\nx = { mass = 1, velocity = " +
           std::to_string(speed) +
           " }\n[[force]]\non = \"x\"\nvalue = \"road(t)\"\n[run]\nuntil = 1\n";
  };
  const auto table = [](const std::string& force) {
    return "t,F\n0," + force + "\n1," + force + "\n";
  };
  write(folder_ / "m.toml", model(1));
  write(folder_ / "road.csv", table("0"));
  Running running{folder_, {"run", "m.toml", "--watch", "--out", "here", "--quiet"}};
  const auto comes_to = [&](double x) {
    for (int k = 0; k < 1000; ++k) {
      const Json summary = Json::parse(read(folder_ / "here" / "summary.json"), nullptr, false);
      if (summary.is_object() && std::abs(summary["q"]["x"].get<double>() - x) < 1e-9) return true;
      std::this_thread::sleep_for(milliseconds{10});
    }
    return false;
  };
  EXPECT_TRUE(comes_to(1));
  write(folder_ / "m.toml", model(2));
  EXPECT_TRUE(comes_to(2));
  write(folder_ / "road.csv", table("4"));
  EXPECT_TRUE(comes_to(4));
  // what cannot be read is said, and the next version is run
  write(folder_ / "m.toml", "[coordinates\n");
  std::this_thread::sleep_for(milliseconds{300});
  write(folder_ / "m.toml", model(3));
  EXPECT_TRUE(comes_to(5));
  EXPECT_NE(read(folder_ / "here" / "report.html").find("\"watched\":true"), std::string::npos);
  EXPECT_FALSE(running.ended());
  running.send(SIGINT);
  EXPECT_EQ(running.wait().exit, 0);
}

TEST_F(Interruption, CtrlCKeepsEverythingAndCanBeResumed) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::vector<std::string> arguments{
        "run",   model_, "--method",           "rattle", "--step", "0.001", "--until", "1e9",
        "--out", "here", "--checkpoint-every", "0.05"};
    Running running{folder_, arguments};
    wait_for(folder_ / "here" / "checkpoint.bin");
    running.send(signal);
    const Ended e = running.wait();
    EXPECT_EQ(e.exit, 1) << e.err;
    EXPECT_NE(e.err.find("--resume"), std::string::npos);
    const Json summary = Json::parse(read(folder_ / "here" / "summary.json"));
    EXPECT_EQ(summary["status"], "cancelled");
    EXPECT_GT(summary["t"].get<double>(), 0.0);
    const std::string motion = read(folder_ / "here" / "motion.csv");
    EXPECT_GE(std::count(motion.begin(), motion.end(), '\n'), 3);
    EXPECT_TRUE(fs::exists(folder_ / "here" / "checkpoint.bin"));

    // goes on from there
    std::vector<std::string> again = arguments;
    again.insert(again.end(), {"--resume", "--max-seconds", "0.05", "--json"});
    const Json further = Json::parse(run(folder_, again).out);
    EXPECT_EQ(further["status"], "time_limit");
    EXPECT_GE(further["t"].get<double>(), summary["t"].get<double>());
    EXPECT_NE(further["notes"].dump().find("resumed"), std::string::npos);
    fs::remove_all(folder_ / "here");
  }
}

TEST_F(Interruption, KilledRunsResumeToTheSameBits) {
  std::mt19937 random{20260101};
  std::uniform_int_distribution<int> pause{0, 250};
  const std::map<std::string, std::vector<std::string>> methods{
      {"rattle", {"--step", "1e-5", "--until", "8"}},
      {"dop853", {"--tol", "1e-13", "--until", "2000"}},
      {"radau", {"--tol", "1e-9", "--until", "700"}}};
  for (const auto& [method, options] : methods) {
    SCOPED_TRACE(method);
    std::vector<std::string> arguments{"run", model_, "--method", method};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--checkpoint-every", "0.02"});

    std::vector<std::string> whole = arguments;
    whole.insert(whole.end(), {"--out", "whole", "--quiet"});
    ASSERT_EQ(run(folder_, whole).exit, 0);

    arguments.insert(arguments.end(), {"--out", "pieces", "--resume", "--quiet"});
    // on a busy machine a run may end before it is killed: it is begun anew, and killed earlier
    int kills = 0;
    for (int starts = 0; kills < 3 && starts < 20; ++starts) {
      Running running{folder_, arguments};
      wait_for(folder_ / "pieces" / "checkpoint.bin");
      std::this_thread::sleep_for(milliseconds{pause(random) >> starts});
      running.send(SIGKILL);
      if (running.wait().signal == SIGKILL) {
        ++kills;
      } else {
        kills = 0;
        fs::remove_all(folder_ / "pieces");
      }
    }
    ASSERT_GT(kills, 0) << "the run is too short to be killed";
    ASSERT_EQ(run(folder_, arguments).exit, 0);
    const Json a = Json::parse(read(folder_ / "whole" / "summary.json"));
    const Json b = Json::parse(read(folder_ / "pieces" / "summary.json"));
    EXPECT_NE(b["notes"].dump().find("resumed at step"), std::string::npos) << b["notes"];
    EXPECT_EQ(a["q"].dump(), b["q"].dump());
    EXPECT_EQ(a["v"].dump(), b["v"].dump());
    EXPECT_EQ(a["lambda"].dump(), b["lambda"].dump());
    EXPECT_EQ(read(folder_ / "whole" / "motion.csv"), read(folder_ / "pieces" / "motion.csv"));
    EXPECT_FALSE(fs::exists(folder_ / "pieces" / "checkpoint.bin"));
    fs::remove_all(folder_ / "whole");
    fs::remove_all(folder_ / "pieces");
  }
}

TEST_F(Interruption, AnotherRunIsNotResumed) {
  const std::vector<std::string> first{"run", model_, "--step", "0.001", "--max-steps", "50"};
  ASSERT_EQ(run(folder_, first).exit, 1);
  const fs::path checkpoint = folder_ / "out" / "double_pendulum" / "checkpoint.bin";
  ASSERT_TRUE(fs::exists(checkpoint));
  const std::string before = read(checkpoint);

  Ended e = run(folder_, {"run", model_, "--step", "0.002", "--resume"});
  EXPECT_EQ(e.exit, 2);
  EXPECT_NE(e.err.find("step is 0.001 there and 0.002 here"), std::string::npos) << e.err;
  e = run(folder_, {"run", model_, "--step", "0.001", "--set", "g=1", "--resume"});
  EXPECT_EQ(e.exit, 2);
  EXPECT_NE(e.err.find("--set"), std::string::npos) << e.err;
  EXPECT_EQ(read(checkpoint), before);

  write(checkpoint, before.substr(0, before.size() / 2));
  e = run(folder_, {"run", model_, "--step", "0.001", "--resume"});
  EXPECT_EQ(e.exit, 2);
  EXPECT_NE(e.err.find("damaged"), std::string::npos) << e.err;
}

}  // namespace
}  // namespace taut::test
