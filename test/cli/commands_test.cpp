// SPDX-License-Identifier: BSD-3-Clause
// What the commands do when all is well.
#include <gtest/gtest.h>
#include <map>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Commands : public testing::Test {
 protected:
  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(Commands, RunWritesMotionAndSummaryAndPrintsATable) {
  const Ended e = run(folder_, {"run", gallery("double_pendulum.toml"), "--until", "1"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(e.err, "");
  EXPECT_NE(e.out.find("dop853"), std::string::npos);
  EXPECT_NE(e.out.find("bob2.y"), std::string::npos);
  const fs::path out = folder_ / "out" / "double_pendulum";
  const Json summary = Json::parse(read(out / "summary.json"));
  EXPECT_EQ(summary["status"], "done");
  EXPECT_EQ(summary["t"], 1.0);
  EXPECT_LE(summary["max_constraint"].get<double>(), 1e-13);
  EXPECT_LE(summary["energy_error"].get<double>(), 1e-7);
  EXPECT_FALSE(summary["reason"].get<std::string>().empty());
  EXPECT_EQ(read(out / "motion.csv").substr(0, 9), "t,bob1.x,");
  EXPECT_FALSE(fs::exists(out / "checkpoint.bin"));
  EXPECT_FALSE(fs::exists(out / "motion.h5"));
}

TEST_F(Commands, RunWithJsonPrintsTheSummaryItWrites) {
  const Ended e = run(
      folder_, {"run", gallery("pendulum.toml"), "--method", "rattle", "--step", "0.01", "--until",
                "1", "--out", "here", "--format", "csv,h5,json", "--every", "0.25", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(e.out, read(folder_ / "here" / "summary.json"));
  const Json summary = Json::parse(e.out);
  EXPECT_EQ(summary["method"], "rattle");
  EXPECT_EQ(summary["reason"], "");
  EXPECT_EQ(summary["steps"], 100);
  EXPECT_EQ(summary["step"], 0.01);
  EXPECT_GT(fs::file_size(folder_ / "here" / "motion.h5"), 1000u);
  const Json motion = Json::parse(read(folder_ / "here" / "motion.json"));
  EXPECT_EQ(motion["t"], Json({0.0, 0.25, 0.5, 0.75, 1.0}));
}

// As many digits of the end as are right, and no estimate where nobody wants one.
TEST_F(Commands, RunShowsTheDigitsThatItsErrorSupports) {
  const std::vector<std::string> words{"run", gallery("double_pendulum.toml"), "--no-report"};
  const auto with = [&](const char* option) {
    std::vector<std::string> all = words;
    all.emplace_back(option);
    return run(folder_, all);
  };
  const fs::path summary = folder_ / "out" / "double_pendulum" / "summary.json";
  for (const Ended& e : {run(folder_, words), with("--error-estimate")}) {
    ASSERT_EQ(e.exit, 0) << e.err;
    EXPECT_NE(e.out.find("-0.4462 "), std::string::npos) << e.out;
    EXPECT_EQ(e.out.find("-0.44622"), std::string::npos) << e.out;
    EXPECT_NE(e.out.find("estimated by a second run with tol 1e-10"), std::string::npos);
    const Json errors = Json::parse(read(summary))["error_estimate"];
    EXPECT_GT(errors["q"]["bob1.x"].get<double>(), 1e-6);
    EXPECT_LT(errors["at_end"]["q"].get<double>(), 1e-4);
  }
  const Ended without = with("--no-error-estimate");
  EXPECT_NE(without.out.find("-0.446229"), std::string::npos) << without.out;
  EXPECT_TRUE(Json::parse(read(summary))["error_estimate"].is_null());
  // a second run would take too long
  const Ended slow = run(folder_, {"run", gallery("double_pendulum.toml"), "--no-report", "--until",
                                   "1e6", "--max-seconds", "0.5"});
  EXPECT_NE(slow.out.find("errors        not estimated"), std::string::npos) << slow.out;
}

TEST_F(Commands, RunTakesExpressions) {
  const Ended e = run(folder_, {"run", gallery("double_pendulum.toml"), "--set", "g=2*4.905",
                                "--until", "1/4", "--tol", "1e-6*10", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(Json::parse(e.out)["t"], 0.25);
}

TEST_F(Commands, OptionsMayStandBeforeTheModel) {
  const Ended e = run(folder_, {"run", "--format", "csv,json", "--set", "g=1", "--set", "g=2",
                                "--until", "0.1", gallery("double_pendulum.toml")});
  EXPECT_EQ(e.exit, 0) << e.err;
  EXPECT_TRUE(fs::exists(folder_ / "out" / "double_pendulum" / "motion.json"));
}

TEST_F(Commands, RunQuietPrintsNothing) {
  const Ended e = run(folder_, {"run", gallery("pendulum.toml"), "--until", "0.1", "--quiet"});
  EXPECT_EQ(e.exit, 0);
  EXPECT_EQ(e.out + e.err, "");
}

TEST_F(Commands, ReadingsOfOneModelAgreeWhereTheRodsAreStiff) {
  const std::string model = gallery("double_pendulum.toml");
  const Ended rigid = run(folder_, {"run", model, "--until", "0.3", "--json"});
  const Ended stiff = run(folder_, {"run", model, "--until", "0.3", "--reading", "penalized",
                                    "--omega", "1e3", "--json"});
  ASSERT_EQ(rigid.exit, 0) << rigid.err;
  ASSERT_EQ(stiff.exit, 0) << stiff.err;
  const Json a = Json::parse(rigid.out), b = Json::parse(stiff.out);
  EXPECT_EQ(b["reading"], "penalized");
  for (const auto& [name, value] : a["q"].items()) {
    EXPECT_NEAR(value.get<double>(), b["q"][name].get<double>(), 1e-3) << name;
    EXPECT_NE(value, b["q"][name]);
  }
}

TEST_F(Commands, AStepWithoutAMethodAndAMethodWithoutAStepAreCompleted) {
  const std::string model = gallery("double_pendulum.toml");
  const Ended a = run(folder_, {"run", model, "--until", "0.1", "--step", "0.01", "--json"});
  ASSERT_EQ(a.exit, 0) << a.err;
  EXPECT_EQ(Json::parse(a.out)["method"], "rattle");
  const Ended b = run(folder_, {"run", model, "--until", "10", "--method", "rattle", "--json"});
  ASSERT_EQ(b.exit, 0) << b.err;
  const Json summary = Json::parse(b.out);
  EXPECT_GT(summary["step"].get<double>(), 0.0);
  EXPECT_NE(summary["notes"].dump().find("step"), std::string::npos);
}

TEST_F(Commands, EveryModelOfTheGalleryRuns) {
  for (const auto& entry : fs::directory_iterator{TAUT_MODELS}) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename());
    // a hundred steps: enough to see that every formula is evaluated
    const Ended e = run(folder_, {"run", entry.path().string(), "--max-steps", "100", "--json",
                                  "--checkpoint-every", "1000"});
    const Json summary = Json::parse(e.out);
    // some are there to show how a motion ends
    const std::map<std::string, std::string> ends{{"plug_flow_original.toml", "impasse"},
                                                  {"bouncing_ball.toml", "stopped_by_event"},
                                                  {"breaking_rod.toml", "stopped_by_event"},
                                                  {"slack_rope.toml", "stopped_by_event"}};
    const auto end = ends.find(entry.path().filename().string());
    EXPECT_TRUE(summary["status"] == "done" || summary["status"] == "step_limit" ||
                (end != ends.end() && summary["status"] == end->second))
        << e.err;
    if (summary.contains("form")) {  // a curve
      EXPECT_GT(summary["s"].get<double>(), 0.0);
      // where unknowns run to infinity the terms of equations do, too
      if (end == ends.end()) {
        EXPECT_LE(summary["max_relative_equation"].get<double>(), 1e-11);
      }
      continue;
    }
    EXPECT_GT(summary["t"].get<double>(), 0.0);
    EXPECT_LE(summary["max_constraint"].get<double>(), 1e-11);
  }
}

TEST_F(Commands, StartFindsAndrewsMultipliersFromPositionsAlone) {
  const Ended e = run(folder_, {"start", gallery("andrews.toml"), "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json start = Json::parse(e.out);
  // published values (test set for initial value problems)
  EXPECT_NEAR(start["a"]["beta"].get<double>(), 14222.4439199541138705911625887, 1.4e-4);
  EXPECT_NEAR(start["a"]["Theta"].get<double>(), -10666.8329399655854029433719415, 1.1e-4);
  std::vector<double> lambda;
  for (const auto& [name, value] : start["lambda"].items()) lambda.push_back(value.get<double>());
  const auto has = [&](double value) {
    return std::any_of(lambda.begin(), lambda.end(),
                       [&](double x) { return std::abs(x - value) <= 1e-8 * std::abs(value); });
  };
  EXPECT_TRUE(has(98.56687039624109)) << start["lambda"];
  EXPECT_TRUE(has(-6.122688344255663)) << start["lambda"];
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Commands, StartSaysWhatItMoved) {
  write(folder_ / "off.toml", R"(
name = "off"
[points]
p = { mass = 1, at = [1.1, 0], velocity = [0.3, 0.5] }
[[rod]]
between = ["origin", "p"]
length = 1
)");
  const Ended e = run(folder_, {"start", "off.toml", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json start = Json::parse(e.out);
  EXPECT_NEAR(start["moved"]["q"]["p.x"].get<double>(), -0.1, 1e-12);
  EXPECT_NEAR(start["moved"]["v"]["p.vx"].get<double>(), -0.3, 1e-12);
  EXPECT_FALSE(start["moved"]["q"].contains("p.y"));
  EXPECT_NEAR(start["moved"]["distance"].get<double>(), 0.1, 1e-12);
  EXPECT_NEAR(start["lambda"]["rod 1"].get<double>(), 0.25, 1e-12);
  EXPECT_NE(e.err.find("p.x by -0.1"), std::string::npos) << e.err;

  // the same is said by a run
  const Ended r = run(folder_, {"run", "off.toml", "--until", "1", "--json"});
  ASSERT_EQ(r.exit, 0) << r.err;
  EXPECT_EQ(Json::parse(r.out)["start"]["moved"], start["moved"]);
  EXPECT_NE(r.err.find("p.x by -0.1"), std::string::npos);
}

TEST_F(Commands, CheckNamesTheRedundantConstraint) {
  const Ended e = run(folder_, {"check", gallery("redundant.toml"), "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json check = Json::parse(e.out);
  EXPECT_EQ(check["coordinates"], 6);
  EXPECT_EQ(check["rigid_constraints"], 6);
  EXPECT_EQ(check["rank"], 5);
  EXPECT_EQ(check["degrees_of_freedom"], 1);
  ASSERT_EQ(check["redundant"].size(), 1u);
  EXPECT_FALSE(check["redundant"][0]["follows_from"].empty());
  const Ended text = run(folder_, {"check", gallery("redundant.toml")});
  EXPECT_NE(text.out.find("follows from"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(Commands, CheckKnowsWhichMethodsFit) {
  const Ended e = run(folder_, {"check", gallery("double_pendulum.toml"), "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json check = Json::parse(e.out);
  for (const Json& method : check["methods"]) {
    if (method["name"] == "rattle") {
      EXPECT_TRUE(method["fits"].get<bool>());
    }
    if (method["name"] == "verlet") {
      EXPECT_FALSE(method["fits"].get<bool>());
    }
    EXPECT_EQ(method["fits"].get<bool>(), method["why_not"] == "");
  }
  EXPECT_TRUE(check["conservative"].get<bool>());
  // what `taut run` would do, as it says itself when it does
  const Json& plan = check["plan"];
  EXPECT_EQ(plan["method"], "auto");
  EXPECT_EQ(plan["tol"], 1e-8);
  EXPECT_EQ(plan["until"], 10.0);
  const Ended ran = run(folder_, {"run", gallery("double_pendulum.toml"), "--json"});
  EXPECT_EQ(Json::parse(ran.out)["reason"], plan["reason"]);
}

TEST_F(Commands, CheckFindsTheStiffness) {
  const Ended e = run(
      folder_, {"check", gallery("stiff_double_pendulum.toml"), "--json", "--set", "omega=1e4"});
  ASSERT_EQ(e.exit, 0) << e.err;
  // two compliant rods of two unit masses: omega^2 times the eigenvalues of G M^-1 G^T, 1 and more
  const Json check = Json::parse(e.out);
  const double fastest = check["frequencies"][0].get<double>();
  EXPECT_GE(fastest, 1e4);
  EXPECT_LE(fastest, 2e4);
}

TEST_F(Commands, MethodsListsEveryMethod) {
  const Ended e = run(folder_, {"methods", "--json"});
  ASSERT_EQ(e.exit, 0);
  const Json methods = Json::parse(e.out);
  const Ended text = run(folder_, {"methods"});
  for (const Json& method : methods)
    EXPECT_NE(text.out.find(method["name"].get<std::string>()), std::string::npos);
  EXPECT_GE(methods.size(), 10u);
}

TEST_F(Commands, HelpHasAnExampleAndVersionANumber) {
  for (const char* command : {"run", "start", "check", "methods"}) {
    const Ended e = run(folder_, {command, "--help"});
    EXPECT_EQ(e.exit, 0);
    EXPECT_NE(e.out.find("Example: taut " + std::string{command}), std::string::npos) << e.out;
  }
  EXPECT_EQ(run(folder_, {"--help"}).exit, 0);
  EXPECT_EQ(run(folder_, {"--version"}).out.substr(0, 5), "taut ");
}

TEST_F(Commands, AnEventThatStopsIsAGoodEnd) {
  write(folder_ / "fall.toml", R"(
name = "fall"
[points]
p = { mass = 1, at = [0, 1] }
[[gravity]]
acceleration = [0, -2]
[[event]]
name = "ground"
zero = "p.y"
action = "stop"
[run]
until = 5
)");
  const Ended e = run(folder_, {"run", "fall.toml", "--json"});
  EXPECT_EQ(e.exit, 0) << e.err;
  const Json summary = Json::parse(e.out);
  EXPECT_EQ(summary["status"], "stopped_by_event");
  EXPECT_NEAR(summary["t"].get<double>(), 1.0, 1e-12);
  EXPECT_EQ(summary["events"][0]["name"], "ground");
}

}  // namespace
}  // namespace taut::test
