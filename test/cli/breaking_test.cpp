// SPDX-License-Identifier: BSD-3-Clause
// What was found by breaking the program: full disks, closed descriptors, two runs in one folder,
// numbers beyond all bounds. Each ends with a word and an exit code, and what stood there stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Breaking : public testing::Test {
 protected:
  static void wait_for(const fs::path& file) {
    for (int k = 0; k < 2000 && !fs::exists(file); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  [[nodiscard]] std::vector<std::string> left_over() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator{folder_})
      if (entry.path().extension() == ".part") found.push_back(entry.path().string());
    return found;
  }
  void expect_said(const std::vector<std::string>& arguments, int exit, const std::string& said) {
    const Ended e = run(folder_, arguments);
    EXPECT_EQ(e.exit, exit) << e.err;
    EXPECT_EQ(e.signal, 0);
    EXPECT_NE((e.err + e.out).find(said), std::string::npos) << e.err << e.out;
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string model_ = gallery("double_pendulum.toml");
};

TEST_F(Breaking, StepsThatAreNoNumbersEndARun) {
  // each of them once went on for ever, deaf to limits and signals
  expect_said({"run", gallery("stiff_pendulum.toml"), "--tol", "1e-155"}, 0, "below rounding");
  expect_said({"run", model_, "--tol", "1e-300", "--method", "dop853"}, 0, "below rounding");
  expect_said({"run", gallery("pendulum_dae.toml"), "--tol", "1e-300"}, 0, "below rounding");
  write(folder_ / "soft.toml", R"(
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 1, at = [2, 0] }
[[rod]]
between = ["a", "b"]
compliance = 1e-310
length = 1.5
[run]
until = 1
)");
  EXPECT_EQ(run(folder_, {"run", "soft.toml"}).exit, 1);
  write(folder_ / "large.toml", R"(
[points]
a = { mass = 1, at = [1, 0], velocity = [0, -0.5] }
b = { mass = 1, at = [2, 0], velocity = [0, 0.5] }
[[constraint]]
zero = "hypot(a.x, a.y) - 1"
compliance = 1e-8
[[constraint]]
zero = "hypot(a.x - b.x, a.y - b.y) - -1e308"
compliance = 1e-8
[run]
until = 10
)");
  EXPECT_EQ(run(folder_, {"run", "large.toml"}).exit, 1);
  expect_said({"run", gallery("stiff_pendulum.toml"), "--project-every", "1e-300"}, 2, "too short");
}

TEST_F(Breaking, WithoutDegreesOfFreedomThereIsOnePlace) {
  write(folder_ / "still.toml", R"(
[parameters]
g = 9.81
[points]
p = { mass = 1, at = [0.6, -0.8] }
[anchors]
b = [2, 0]
[[rod]]
between = ["origin", "p"]
[[rod]]
between = ["b", "p"]
[[gravity]]
acceleration = [0, "-g"]
[run]
until = 1
)");
  expect_said({"equilibria", "still.toml"}, 0, "stable");
  expect_said({"sweep", "still.toml", "--vary", "g=1:2:2"}, 0, "stable at all values");
  for (const char* const command : {"run", "check", "start"})
    EXPECT_EQ(run(folder_, {command, "still.toml"}).exit, 0) << command;
}

TEST_F(Breaking, AFullDiskLeavesTheResultsOfBefore) {
  const std::vector<std::string> first{"run", model_, "--out", "here", "--format", "csv,h5"};
  ASSERT_EQ(run(folder_, first).exit, 0);
  const fs::path here = folder_ / "here";
  std::vector<std::string> before;
  const std::vector<std::string> names{"motion.csv", "motion.h5", "record.bin", "report.html",
                                       "summary.json"};
  for (const std::string& name : names) before.push_back(read(here / name));
  // files larger than so many blocks cannot be written: none, the motion, the report
  for (const char* const blocks : {"0", "8", "200"}) {
    const Ended e =
        shell(folder_, "ulimit -f " + std::string{blocks} + "; exec \"$TAUT\" run '" + model_ +
                           "' --out here --format csv,h5 --every 1e-3 " + ">/dev/null 2>/dev/null");
    EXPECT_EQ(e.exit, 1) << blocks;
    EXPECT_EQ(e.signal, 0) << blocks;
    for (std::size_t k = 0; k < names.size(); ++k)
      EXPECT_EQ(read(here / names[k]), before[k]) << names[k] << " at " << blocks;
    EXPECT_TRUE(left_over().empty());
  }
}

TEST_F(Breaking, FormatsOfBeforeGo) {
  ASSERT_EQ(run(folder_, {"run", model_, "--out", "here", "--format", "csv,json"}).exit, 0);
  ASSERT_EQ(run(folder_, {"run", model_, "--out", "here", "--format", "h5", "--until", "1"}).exit,
            0);
  EXPECT_FALSE(fs::exists(folder_ / "here" / "motion.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "here" / "motion.json"));
  EXPECT_TRUE(fs::exists(folder_ / "here" / "motion.h5"));
}

TEST_F(Breaking, FilesDoNotBecomeStandardOutput) {
  const std::string start = "exec \"$TAUT\" run '" + model_ + "' --out here ";
  EXPECT_EQ(shell(folder_, start + "--quiet <&- >&- 2>&-").exit, 0);
  const std::string motion = read(folder_ / "here" / "motion.csv");
  EXPECT_EQ(motion.rfind("t,", 0), 0u);
  // what was to be printed was not
  EXPECT_EQ(shell(folder_, start + "<&- >&- 2>&-").exit, 1);
  EXPECT_EQ(read(folder_ / "here" / "motion.csv"), motion);
  EXPECT_EQ(shell(folder_, start + "> /dev/full 2>/dev/null").exit, 1);
}

TEST_F(Breaking, AFolderInPlaceOfTheCheckpoint) {
  fs::create_directories(folder_ / "here" / "checkpoint.bin");
  for (const bool resume : {false, true}) {
    std::vector<std::string> arguments{"run", model_, "--out", "here"};
    if (resume) arguments.emplace_back("--resume");
    expect_said(arguments, 2, "it is no file");
  }
  EXPECT_TRUE(fs::is_directory(folder_ / "here" / "checkpoint.bin"));
}

TEST_F(Breaking, AHangUpIsAnInterruptionUnlessItIsIgnored) {
  const std::vector<std::string> arguments{
      "run",   model_, "--method",           "rattle", "--step", "0.001", "--until", "1e9",
      "--out", "here", "--checkpoint-every", "0.05"};
  Running running{folder_, arguments};
  wait_for(folder_ / "here" / "checkpoint.bin");
  running.send(SIGHUP);
  EXPECT_EQ(running.wait().exit, 1);
  EXPECT_EQ(Json::parse(read(folder_ / "here" / "summary.json"))["status"], "cancelled");

  const Ended e = shell(folder_, "trap '' HUP; \"$TAUT\" run '" + model_ +
                                     "' --method rattle --step 0.001 --until 1e9 --out there "
                                     "--max-seconds 1 --checkpoint-every 0.05 >/dev/null 2>&1 & "
                                     "while [ ! -e there/checkpoint.bin ]; do sleep 0.01; done; "
                                     "kill -HUP $!; wait $!");
  EXPECT_EQ(e.exit, 1);
  EXPECT_EQ(Json::parse(read(folder_ / "there" / "summary.json"))["status"], "time_limit");
}

TEST_F(Breaking, PartsFollowNoLinksAndDoNotStay) {
  const fs::path here = folder_ / "here";
  fs::create_directories(here);
  write(folder_ / "precious", "precious");
  // of a program that was killed: a number that no process has
  const std::string gone = ".4194303.part";
  write(here / ("motion.csv" + gone), "half");
  fs::create_directories(here / ("results" + gone));
  write(here / ("results" + gone) / "motion.csv", "half");
  write(here / "mine.part", "not of taut");
  fs::create_symlink(folder_ / "precious", here / ("summary.json" + gone));
  ASSERT_EQ(run(folder_, {"run", model_, "--out", "here"}).exit, 0);
  EXPECT_EQ(read(folder_ / "precious"), "precious");
  EXPECT_EQ(left_over(), std::vector{(here / "mine.part").string()});
}

TEST_F(Breaking, TwoRunsInOneFolder) {
  Running first{folder_,
                {"run", model_, "--method", "rattle", "--step", "0.001", "--until", "1e9", "--out",
                 "here", "--checkpoint-every", "0.05"}};
  wait_for(folder_ / "here" / "checkpoint.bin");
  expect_said({"run", model_, "--out", "here"}, 2, "another run or sweep is at work");
  first.send(SIGTERM);
  EXPECT_EQ(first.wait().exit, 1);
  EXPECT_EQ(run(folder_, {"run", model_, "--out", "here"}).exit, 0);
}

// a program under the address sanitizer asks for terabytes of addresses to begin with
#if defined(__SANITIZE_ADDRESS__)
constexpr bool addresses_can_be_bounded = false;
#else
constexpr bool addresses_can_be_bounded = true;
#endif

TEST_F(Breaking, ALongFileIsNotReadToItsEnd) {
  if (!addresses_can_be_bounded) GTEST_SKIP() << "sanitizers reserve more addresses than the bound";
  write(folder_ / "long.toml", "");
  fs::resize_file(folder_ / "long.toml", std::uintmax_t{8} << 30);
  const Ended e = shell(folder_, "ulimit -v 2000000; exec \"$TAUT\" run long.toml 2>said");
  EXPECT_EQ(e.exit, 2);
  EXPECT_NE(read(folder_ / "said").find("16 MiB"), std::string::npos);
}

TEST_F(Breaking, NoMemoryIsSaidInWords) {
  if (!addresses_can_be_bounded) GTEST_SKIP() << "sanitizers reserve more addresses than the bound";
  const Ended e = shell(folder_, "ulimit -v 400000; exec \"$TAUT\" run '" + gallery("chain.toml") +
                                     "' --set links=400000 --until 1 >/dev/null 2>said");
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(read(folder_ / "said").find("not enough memory"), std::string::npos)
      << read(folder_ / "said");
}

TEST_F(Breaking, LongChainsOfDefinitionsAreCompiledOnce) {
  std::string text = R"(
[coordinates]
q = { mass = 1 }
[definitions]
a0 = "q"
"a{k}" = { value = "a{k-1}*a{k-1} + a{k-1}", repeat = { k = "1:1000" } }
[[potential]]
energy = "a1000"
[run]
until = 1
)";
  write(folder_ / "deep.toml", text);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(run(folder_, {"check", "deep.toml"}).exit, 0);
  // what is watched in it has a size that does not grow with its depth squared
  const std::string bounded = addresses_can_be_bounded ? "ulimit -v 2000000; " : "";
  EXPECT_EQ(shell(folder_, bounded + "exec \"$TAUT\" run deep.toml --quiet").exit, 0);
  // seconds, where it took minutes under load before: any machine tells them apart
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{60});
}

TEST_F(Breaking, FlippedBitsOfAJournalAreFound) {
  write(folder_ / "m.toml",
        "[parameters]\nl = 1\n[points]\nbob = { mass = 1, at = [\"l\", 0] }\n"
        "[[rod]]\nbetween = [\"origin\", \"bob\"]\n"
        "[[gravity]]\nacceleration = [0, -1]\n[run]\nuntil = 0.1\n");
  const std::vector<std::string> sweep{"sweep",     "m.toml",     "--vary", "l=1:2:3",
                                       "--measure", "max(bob.x)", "--out",  "here"};
  ASSERT_EQ(run(folder_, sweep).exit, 0);
  const fs::path journal = folder_ / "here" / "sweep.runs";
  const std::string whole = read(journal), table = read(folder_ / "here" / "sweep.csv");
  std::vector<std::string> again = sweep;
  again.emplace_back("--resume");
  for (std::size_t k = 0; k < 60; ++k) {
    std::string flipped = whole;
    flipped[k * whole.size() / 60] ^= static_cast<char>(1 << (k % 8));
    write(journal, flipped);
    const Ended e = run(folder_, again);
    // refused; or a place is damaged and its run is done again
    if (e.exit == 0)
      EXPECT_EQ(read(folder_ / "here" / "sweep.csv"), table) << k;
    else
      EXPECT_EQ(e.exit, 2) << k << e.err;
  }
}

TEST_F(Breaking, WhatWasMeantIsSaid) {
  expect_said({"help"}, 0, "taut COMMAND --help");
  expect_said({"help", "run"}, 0, "--until");
  expect_said({"run", model_, "--untill", "5"}, 2, "did you mean '--until'");
  write(folder_ / "m.toml", R"toml(
[points]
a = { mass = "1 kg", at = [0, 0] }
b = { mass = 1, at = [1, "9.81 m/s^2"] }
[coordinates]
q = { mass = 1 }
theta = { mass = 1 }
[[force]]
on = "q"
value = "-vq - dq + qdot + v(a.vx)"
[[force]]
on = "a.vx"
value = "1"
[[damper]]
between = ["a", "b"]
damping = -1
[run]
until = 1
)toml");
  const Ended e = run(folder_, {"check", "m.toml"});
  EXPECT_EQ(e.exit, 2);
  for (const char* const said :
       {"\"9.81 m/s^2\" is an acceleration; must be in m", "'vq'\n    write the velocity",
        "'dq'\n    write the velocity", "'qdot'\n    write the velocity", "write a.vx as it is",
        "there is no 'a.vx'\n    did you mean 'a.x'?", "damping: -1 is negative"})
    EXPECT_NE(e.err.find(said), std::string::npos) << said << " in\n" << e.err;
  EXPECT_EQ(e.err.find("theta"), std::string::npos) << e.err;
  EXPECT_EQ(e.err.find("unknown name 'kg'"), std::string::npos) << e.err;
}

TEST_F(Breaking, ALoopThatCannotCloseIsNamedAndDrawn) {
  write(folder_ / "m.toml", R"(
[anchors]
D = [9, 0]
[points]
B = { mass = 1, at = [0, 1] }
C = { mass = 1, at = [3, 3] }
E = { mass = 1, at = [0, 2] }
[[rod]]
name = "crank"
between = ["origin", "B"]
length = 1
[[rod]]
name = "coupler"
between = ["B", "C"]
length = 3.5
[[rod]]
name = "rocker"
between = ["C", "D"]
length = 3
[[rod]]
name = "tail"
between = ["B", "E"]
length = 1
[run]
until = 3
)");
  const Ended e = run(folder_, {"run", "m.toml", "--out", "here"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("'crank', 'coupler' and 'rocker' cannot hold together"), std::string::npos)
      << e.err;
  EXPECT_EQ(e.err.find("smaller steps"), std::string::npos) << e.err;
  // the best attempt: stretched along the line from the origin to D
  const std::string motion = read(folder_ / "here" / "motion.csv");
  EXPECT_EQ(std::count(motion.begin(), motion.end(), '\n'), 2);
  const Json summary = Json::parse(read(folder_ / "here" / "summary.json"));
  EXPECT_GT(summary["max_constraint"].get<double>(), 0.1);
}

TEST_F(Breaking, TheReasonOfTheStartIsNotTheLastWord) {
  write(folder_ / "m.toml", R"toml(
[coordinates]
q = { mass = 1, at = 2 }
[[force]]
on = "q"
value = "1000*(1 - q^2)*v(q) - q"
[run]
until = 100
)toml");
  const Json summary = Json::parse(run(folder_, {"run", "m.toml", "--json"}).out);
  ASSERT_NE(summary["method"].get<std::string>().find(" and radau"), std::string::npos);
  EXPECT_EQ(summary["reason"].get<std::string>().rfind("at the start: ", 0), 0u);
}

}  // namespace
}  // namespace taut::test
