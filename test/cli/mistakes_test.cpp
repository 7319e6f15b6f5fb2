// SPDX-License-Identifier: BSD-3-Clause
// What the commands do when something is wrong: exit codes, messages, and what is not written.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Mistakes : public testing::Test {
 protected:
  // bad input: exit code 2, a word on standard error, nothing written, JSON when asked
  void expect_refused(std::vector<std::string> arguments, const std::string& said) {
    std::string line;
    for (const std::string& word : arguments) line += word + " ";
    SCOPED_TRACE(line);
    const Ended plain = run(folder_, arguments);
    EXPECT_EQ(plain.exit, 2);
    EXPECT_NE(plain.err.find(said), std::string::npos) << plain.err;
    EXPECT_EQ(plain.out, "");
    arguments.push_back("--json");
    const Ended json = run(folder_, arguments);
    EXPECT_EQ(json.exit, 2);
    const Json j = Json::parse(json.out, nullptr, false);
    ASSERT_FALSE(j.is_discarded()) << json.out;
    EXPECT_EQ(j["status"], "bad_input");
    EXPECT_NE(j["reason"].get<std::string>().find(said), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string model_ = gallery("double_pendulum.toml");
};

TEST_F(Mistakes, OfTheCommandLineAreRefused) {
  expect_refused({"stat", model_}, "did you mean 'start'");
  expect_refused({"fly", model_}, "commands are: run, start");
  expect_refused({"run", model_, "--set", "gg=1"}, "did you mean 'g'");
  expect_refused({"run", model_, "--set", "g"}, "name=value");
  expect_refused({"run", model_, "--set", "g=1+"}, "g");
  expect_refused({"run", model_, "--method", "ratle"}, "did you mean 'rattle'");
  expect_refused({"run", model_, "--reading", "rigit"}, "did you mean 'rigid'");
  expect_refused({"run", model_, "--reading", "penalized"}, "--omega");
  expect_refused({"run", model_, "--until", "-1"}, "");
  expect_refused({"run", model_, "--until", "0"}, "until");
  expect_refused({"run", model_, "--until", "nan"}, "until");
  expect_refused({"run", model_, "--step", "0"}, "step");
  expect_refused({"run", model_, "--step", "0.1", "--tol", "1e-3"}, "--step");
  expect_refused({"run", model_, "--method", "dop853", "--step", "0.1"}, "--tol");
  expect_refused({"run", model_, "--method", "rattle", "--tol", "0.1"}, "--step");
  for (const char* beta : {"0.2", "-1", "nan", "inf"})
    expect_refused({"run", model_, "--method", "gauss-newton", "--step", "0.01", "--beta", beta},
                   "--beta");
  const std::string stiff = gallery("stiff_double_pendulum.toml");
  for (const char* weight : {"-1", "nan", "inf"}) {
    expect_refused({"run", stiff, "--method", "newmark", "--step", "0.01", "--beta", weight},
                   "--beta");
    expect_refused({"run", stiff, "--method", "newmark", "--step", "0.01", "--gamma", weight},
                   "--gamma");
  }
  for (const char* window : {"nan", "inf", "1e9"})
    expect_refused(
        {"run", stiff, "--method", "verlet", "--step", "1e-5", "--multiplier-window", window},
        "--multiplier-window");
  expect_refused({"run", model_, "--every", "1e-12"}, "rows");
  expect_refused({"run", model_, "--format", "xls"}, "xls");
  expect_refused({"run", model_, "--nonsense"}, "--nonsense");
  expect_refused({"run", "missing.toml"}, "missing.toml");
  expect_refused({"run", "."}, "");
  expect_refused({"run"}, "MODEL");
}

TEST_F(Mistakes, AMethodThatDoesNotFitIsRefusedWithThoseThatDo) {
  expect_refused({"run", model_, "--method", "verlet", "--step", "0.1"}, "methods that fit:");
  expect_refused({"run", model_, "--method", "verlet", "--step", "0.1"}, "rattle");
}

TEST_F(Mistakes, NoEndTime) {
  write(folder_ / "endless.toml", "name = \"endless\"\n[coordinates]\nx = { mass = 1, at = 0 }\n");
  expect_refused({"run", "endless.toml"}, "--until");
}

TEST_F(Mistakes, SeveralAreReportedTogether) {
  const Ended e = run(folder_, {"run", model_, "--set", "gg=1", "--method", "ratle", "--reading",
                                "rigit", "--step", "2+"});
  EXPECT_EQ(e.exit, 2);
  for (const char* said : {"gg", "ratle", "rigit", "step"})
    EXPECT_NE(e.err.find(said), std::string::npos) << said << "\n" << e.err;
}

TEST_F(Mistakes, TenInAModelAreReportedInOneGo) {
  write(folder_ / "ten.toml", R"(name = "ten mistakes"
[parameters]
a = "b + 1"
b = "a - 1"
[points]
p = { mass = -1, at = [0, 0] }
q = { mass = 1, at = [0, 1], velocty = [0, 0] }
[[rod]]
between = ["origin", "pp"]
[[rod]]
between = ["origin", "q"]
length = -2
[[gravty]]
acceleration = [0, -1]
[[force]]
on = "q.x"
value = "sin(q.x"
[[force]]
on = "q.z"
value = 1
[[potential]]
energy = "k * q.x^2"
[[spring]]
between = ["p", "q"]
[run]
until = -1
)");
  for (const char* command : {"check", "run"}) {
    const Ended e = run(folder_, {command, "ten.toml", "--json"});
    EXPECT_EQ(e.exit, 2);
    const Json j = Json::parse(e.out);
    std::set<int> lines;
    for (const Json& problem : j["problems"]) {
      lines.insert(problem["line"].get<int>());
      EXPECT_FALSE(problem["remedy"].get<std::string>().empty());
    }
    // the cycle (3 or 4), mass, velocty, pp, length, gravty, sin(, q.z, k, stiffness, until
    for (const int line : {6, 7, 9, 12, 13, 17, 19, 22, 26})
      EXPECT_TRUE(lines.count(line) == 1) << "line " << line << "\n" << e.err;
    EXPECT_TRUE(lines.count(3) + lines.count(4) > 0) << e.err;
    EXPECT_GE(lines.size(), 10u);
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }
}

TEST_F(Mistakes, ARunThatFailsKeepsWhatItComputed) {
  write(folder_ / "fuse.toml", R"toml(
name = "fuse"
[coordinates]
x = { mass = 1, at = 1 }
[[force]]
name = "spark"
on = "x"
value = "sqrt(1 - t)"
[run]
until = 2
)toml");
  const Ended e = run(folder_, {"run", "fuse.toml", "--method", "rk4", "--step", "0.03"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("non_finite"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("spark"), std::string::npos) << e.err;
  const Json summary = Json::parse(read(folder_ / "out" / "fuse" / "summary.json"));
  EXPECT_EQ(summary["status"], "non_finite");
  EXPECT_NE(summary["hint"], "");
  EXPECT_NEAR(summary["t"].get<double>(), 0.99, 0.02);
  const std::string motion = read(folder_ / "out" / "fuse" / "motion.csv");
  EXPECT_GE(std::count(motion.begin(), motion.end(), '\n'), 30);
}

TEST_F(Mistakes, NoStartNearIsAFailureWithAReason) {
  write(folder_ / "apart.toml", R"(
name = "apart"
[anchors]
far = [10, 0]
[points]
p = { mass = 1, at = [1, 0] }
[[rod]]
name = "short"
between = ["origin", "p"]
length = 1
[[rod]]
name = "other"
between = ["far", "p"]
length = 1
[run]
until = 1
)");
  for (const char* command : {"start", "check", "run"}) {
    SCOPED_TRACE(command);
    const Ended e = run(folder_, {command, "apart.toml", "--json"});
    EXPECT_EQ(e.exit, 1);
    EXPECT_NE(e.err, "");
    const Json j = Json::parse(e.out);
    EXPECT_NE(j["status"], "done");
  }
}

TEST_F(Mistakes, AFolderThatCannotBeMadeIsAFailure) {
  write(folder_ / "file", "in the way");
  const Ended e = run(folder_, {"run", model_, "--until", "0.1", "--out", "file/out"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("file/out"), std::string::npos) << e.err;
  EXPECT_EQ(read(folder_ / "file"), "in the way");
}

TEST_F(Mistakes, AResultThatCannotBeWrittenIsAFailure) {
  fs::create_directories(folder_ / "here" / "motion.csv" / "in the way");
  const Ended e = run(folder_, {"run", model_, "--until", "0.1", "--out", "here"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("motion.csv"), std::string::npos) << e.err;
  EXPECT_FALSE(fs::exists(folder_ / "here" / "summary.json"));  // all results, or none
}

}  // namespace
}  // namespace taut::test
