// SPDX-License-Identifier: BSD-3-Clause
// taut run, start and check on models with [jets].
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// y y' + x = 0 from (0, 1): the unit circle, clockwise
const char* const jets_circle = R"toml(
name = "circle"
[jets]
unknowns = ["y"]
[[equation]]
name = "circle"
zero = "y*y' + x"
[start]
y = 1
[run]
until = 0.8
)toml";

class JetsRun : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> arguments, int exit = 0) {
    const Ended e = run(folder_, arguments);
    EXPECT_EQ(e.exit, exit) << e.out << e.err;
    return e;
  }
  Json json(std::vector<std::string> arguments, int exit = 0) {
    arguments.push_back("--json");
    const Ended e = taut(std::move(arguments), exit);
    err_ = e.err;
    return Json::parse(e.out, nullptr, false);
  }
  std::string model(const std::string& text) {
    write(folder_ / "model.toml", text);
    return "model.toml";
  }
  // the columns of motion.csv, by rows
  std::vector<std::vector<double>> rows(const fs::path& file) {
    std::vector<std::vector<double>> table;
    std::istringstream lines{read(folder_ / file)};
    std::string line;
    std::getline(lines, header_);
    while (std::getline(lines, line)) {
      std::istringstream fields{line};
      std::vector<double> row;
      for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
      table.push_back(std::move(row));
    }
    return table;
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  std::string err_, header_;
};

TEST_F(JetsRun, PlugFlowPassesItsImpassePoint) {
  const Json j = json({"run", gallery("plug_flow.toml"), "--out", "out"});
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["form"], "invariants");
  EXPECT_EQ(j["index"], 1);
  EXPECT_EQ(j["p"]["x"], 3.2188);
  EXPECT_NEAR(j["p"]["y1"].get<double>(), -8.42, 0.005);
  EXPECT_NEAR(j["s"].get<double>(), 28.87, 0.005);
  ASSERT_EQ(j["impasse_points"].size(), 1U);
  const Json& impasse = j["impasse_points"][0];
  EXPECT_EQ(impasse["kind"], "passes");
  EXPECT_NEAR(impasse["p"]["x"].get<double>(), 1.0958051, 1e-6);
  EXPECT_NEAR(impasse["p"]["y2"].get<double>(), 10.8288, 1e-4);
  EXPECT_NEAR(impasse["p"]["y1"].get<double>(), 0.0, 1e-7);
  EXPECT_EQ(impasse["unbounded"].dump(), R"(["y1","y2","y3"])");
  ASSERT_EQ(j["events"].size(), 1U);
  EXPECT_EQ(j["events"][0]["name"], "no pressure");
  EXPECT_LE(j["max_relative_equation"].get<double>(), 1e-12);

  const auto table = rows("out/motion.csv");
  EXPECT_EQ(header_, "s,x,y1,y2,y3,max_equation,step");
  EXPECT_EQ(table.front()[1], 0.0);
  EXPECT_EQ(table.back()[1], 3.2188);
  EXPECT_EQ(Json::parse(read(folder_ / "out" / "summary.json"))["p"], j["p"]);
  EXPECT_FALSE(fs::exists(folder_ / "out" / "checkpoint.bin"));
}

TEST_F(JetsRun, PlugFlowStopsThereWhenAsked) {
  const Json j = json({"run", gallery("plug_flow.toml"), "--at-impasse", "stop"});
  EXPECT_EQ(j["status"], "stopped_by_event");
  EXPECT_NEAR(j["p"]["x"].get<double>(), 1.0958051, 1e-6);
  EXPECT_NE(j["message"].get<std::string>().find("impasse point"), std::string::npos);

  // a bound of the physics does the same
  std::string text = read(gallery("plug_flow.toml"));
  const std::string direction = "direction = \"falling\"\n";
  text.insert(text.find(direction) + direction.size(), "action = \"stop\"\n");
  const Json bound = json({"run", model(text), "--out", "out"});
  EXPECT_EQ(bound["status"], "stopped_by_event");
  EXPECT_NE(bound["message"].get<std::string>().find("no pressure"), std::string::npos);
  EXPECT_NEAR(bound["p"]["x"].get<double>(), 1.0958051, 1e-6);
  EXPECT_NEAR(bound["p"]["y1"].get<double>(), 0.0, 1e-8);
}

TEST_F(JetsRun, TheOriginalPlugFlowEndsThereAndSaysSo) {
  const Json j = json({"run", gallery("plug_flow_original.toml"), "--out", "out"}, 1);
  EXPECT_EQ(j["status"], "impasse");
  EXPECT_NEAR(j["p"]["x"].get<double>(), 1.0958051, 1e-6);
  EXPECT_NE(err_.find("u2 runs to infinity"), std::string::npos) << err_;
  EXPECT_NE(err_.find("models/plug_flow.toml"), std::string::npos) << err_;
  EXPECT_LE(j["steps"].get<int>(), 500);
  EXPECT_GT(rows("out/motion.csv").size(), 20U);
}

TEST_F(JetsRun, CirclesAreFollowedByArcLength) {
  const std::string file = model(jets_circle);
  // the angle is the arc length
  const Json j = json({"run", file, "--arc", "5", "--tol", "1e-11", "--every-arc", "0.5"});
  EXPECT_NEAR(j["p"]["x"].get<double>(), 0.8, 1e-9);  // until comes first
  const Json all = json({"run", file, "--until", "2", "--arc", "5", "--tol", "1e-11"});
  EXPECT_NEAR(all["p"]["x"].get<double>(), std::sin(5.0), 1e-9);
  EXPECT_NEAR(all["p"]["y"].get<double>(), std::cos(5.0), 1e-9);
  ASSERT_EQ(all["impasse_points"].size(), 2U);
  EXPECT_EQ(all["impasse_points"][0]["kind"], "turns back");
  EXPECT_NEAR(all["impasse_points"][1]["p"]["x"].get<double>(), -1.0, 1e-9);

  const Json closed = json({"run", file, "--until", "2"}, 1);
  EXPECT_EQ(closed["status"], "impasse");
  EXPECT_NE(err_.find("closed"), std::string::npos) << err_;
}

TEST_F(JetsRun, RowsAtGivenXForwardsAndBackwards) {
  const std::string file = model(jets_circle);
  for (const double sign : {1.0, -1.0}) {
    (void)json({"run", file, "--until", sign > 0 ? "0.9" : "-0.9", "--every", "0.3", "--format",
                "csv,json,h5", "--out", "out"});
    const auto table = rows("out/motion.csv");
    ASSERT_EQ(table.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(table[k][1], sign * 0.3 * static_cast<double>(k));
      EXPECT_NEAR(table[k][2], std::sqrt(1 - table[k][1] * table[k][1]), 1e-7);
    }
    EXPECT_TRUE(fs::exists(folder_ / "out" / "motion.h5"));
    EXPECT_EQ(Json::parse(read(folder_ / "out" / "motion.json"))["p"]["x"].size(), 4U);
  }
}

TEST_F(JetsRun, EveryFormAndMethodFindsTheSameSolution) {
  const Json reference = json({"run", gallery("magnetic_particle.toml"), "--tol", "1e-11"});
  const std::vector<std::vector<std::string>> variants{
      {"--form", "general"},        {"--form", "completed"},
      {"--newton", "exact"},        {"--newton", "gauss-newton"},
      {"--newton", "inexact"},      {"--project", "stages"},
      {"--parameter", "time"},      {"--tableau", "dop853"},
      {"--distribution", "svd"},    {"--distribution", "sparse"},
      {"--distribution", "square"}, {"--tableau", "rk4", "--tol", "1e-8"}};
  for (const auto& variant : variants) {
    std::vector<std::string> arguments{"run", gallery("magnetic_particle.toml")};
    if (variant.size() < 4) arguments.insert(arguments.end(), {"--tol", "1e-10"});
    arguments.insert(arguments.end(), variant.begin(), variant.end());
    const Json j = json(arguments);
    SCOPED_TRACE(variant[0] + " " + variant[1]);
    for (const char* name : {"y1", "y2", "y3", "y1'", "y2'", "y3'"})
      EXPECT_NEAR(j["p"][name].get<double>(), reference["p"][name].get<double>(), 2e-6) << name;
    EXPECT_LE(j["max_relative_equation"].get<double>(), 1e-10);
  }
}

TEST_F(JetsRun, IsResumedToTheSameBits) {
  const std::vector<std::string> arguments{"run", gallery("rigid_body.toml"), "--every", "0.5"};
  auto with = [&](std::vector<std::string> further) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), further.begin(), further.end());
    return all;
  };
  (void)json(with({"--out", "once"}));
  const Json part = json(with({"--out", "parts", "--max-steps", "37"}), 1);
  EXPECT_EQ(part["status"], "step_limit");
  EXPECT_TRUE(fs::exists(folder_ / "parts" / "checkpoint.bin"));
  EXPECT_NE(json(with({"--out", "parts", "--resume", "--newton", "exact"}), 2)["reason"]
                .get<std::string>()
                .find("another run"),
            std::string::npos);
  const Json rest = json(with({"--out", "parts", "--resume"}));
  EXPECT_NE(rest["notes"].dump().find("resumed at step 37"), std::string::npos);
  EXPECT_EQ(read(folder_ / "parts" / "motion.csv"), read(folder_ / "once" / "motion.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "parts" / "checkpoint.bin"));
}

TEST_F(JetsRun, StartAndCheckSayWhatTheModelIs) {
  const Json start = json({"start", gallery("plug_flow.toml")});
  EXPECT_EQ(start["status"], "done");
  EXPECT_NEAR(start["p"]["y2"].get<double>(), 11.394056, 1e-5);
  EXPECT_FALSE(start["moved"].empty());
  const Json check = json({"check", gallery("plug_flow.toml")});
  EXPECT_EQ(check["order"], 1);
  EXPECT_EQ(check["rank"], 2);
  EXPECT_EQ(check["index"], 1);
  EXPECT_EQ(check["form"], "invariants");
  EXPECT_NEAR(check["direction"]["x"].get<double>(), 0.1726, 1e-3);
  EXPECT_NE(taut({"check", gallery("plug_flow.toml")}).out.find("of rank 2"), std::string::npos);
  EXPECT_NE(taut({"start", gallery("plug_flow.toml")}).err.find("changed y2"), std::string::npos);
}

TEST_F(JetsRun, OtherCommandsAndOptionsAreRefusedInWords) {
  for (const char* command : {"equilibria", "sweep"}) {
    std::vector<std::string> arguments{command, gallery("mhd.toml")};
    if (arguments[0] == "sweep") arguments.insert(arguments.end(), {"--vary", "beta=0:1:3"});
    EXPECT_NE(taut(arguments, 2).err.find("mechanical"), std::string::npos) << command;
  }
  const std::string file = gallery("mhd.toml");
  for (const auto& option : std::vector<std::vector<std::string>>{{"--reading", "rigid"},
                                                                  {"--beta", "0.3"},
                                                                  {"--method", "rattle"},
                                                                  {"--keep-start"},
                                                                  {"--keep-energy"},
                                                                  {"--project-every", "1"},
                                                                  {"--omega", "5"},
                                                                  {"--temperature", "300"}}) {
    std::vector<std::string> arguments{"run", file};
    arguments.insert(arguments.end(), option.begin(), option.end());
    EXPECT_FALSE(taut(arguments, 2).err.empty()) << option[0];
  }
  EXPECT_NE(taut({"run", gallery("pendulum.toml"), "--at-impasse", "stop"}, 2).err.find("[jets]"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(JetsRun, WhatIsSettledBeforeTheRunLeavesEarlierResults) {
  const std::string file = model(jets_circle);
  (void)taut({"run", file, "--out", "out"});
  const std::string motion = read(folder_ / "out" / "motion.csv");
  // there is nothing to check where every equation contains y'
  EXPECT_EQ(taut({"run", file, "--out", "out"}).out.find("max |f|"), std::string::npos);
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
      {{"--distribution", "block"}, "block"},
      {{"--until", "0"}, "before or after the start"},
      {{"--method", "nonsense"}, "'nonsense' is no method of models with [jets]"},
      {{"--temperature", "1"}, "--temperature: is for mechanical"},
      {{"--arc", "2*pi"}, "'2*pi' is not a number > 0"},
      {{"--every-arc", "0"}, "'0' is not a number > 0"}};
  for (const auto& [options, said] : refused) {
    std::vector<std::string> arguments{"run", file, "--out", "out"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Ended e = taut(arguments, 2);
    EXPECT_NE(e.err.find(said), std::string::npos) << e.err;
    EXPECT_EQ(e.err.find("in the model"), std::string::npos) << e.err;
  }
  EXPECT_EQ(read(folder_ / "out" / "motion.csv"), motion);
  (void)taut({"run", file, "--reading", "as-written"});
  // a parameter called omega is no frequency of a reading
  (void)taut({"run", model(std::string{jets_circle} + "[parameters]\nomega = 1\n")});

  (void)taut({"run", model(std::string{jets_circle} + "step = 0.1\ntol = 1e-5\n")}, 2);
  const Ended equal =
      taut({"run", model("jets.unknowns = [\"y\"]\n[[equation]]\nzero = \"y' = 1\"")}, 2);
  EXPECT_NE(equal.err.find("left - right"), std::string::npos) << equal.err;
  const Ended reserved = taut({"run", model("jets.unknowns = [\"v\"]")}, 2);
  EXPECT_NE(reserved.err.find("such as v1"), std::string::npos) << reserved.err;
  // the direction of a mechanical model
  const Ended qr = taut(
      {"run", gallery("double_pendulum.toml"), "--method", "projected-rk", "--distribution", "qr"},
      2);
  EXPECT_NE(qr.err.find("sparse or block"), std::string::npos) << qr.err;
}

TEST_F(JetsRun, SaysWhatIsWrongWithEquations) {
  // fewer equations than unknowns
  const std::string one = R"toml(
[jets]
unknowns = ["y", "z"]
[[equation]]
zero = "y' - z"
[start]
y = 1
z = 1
[run]
until = 1
)toml";
  const Ended few = taut({"run", model(one)}, 2);
  EXPECT_NE(few.err.find("1 equation for 2 unknowns: y, z"), std::string::npos) << few.err;
  const Ended explained = taut({"complete", model(one)}, 1);
  EXPECT_NE((explained.out + explained.err).find("dimension 2"), std::string::npos)
      << explained.out << explained.err;

  // no point near
  const Ended nowhere = taut({"run", model(R"toml(
[jets]
unknowns = ["y"]
[[equation]]
name = "slope"
zero = "y' - 1"
[[equation]]
name = "nowhere"
zero = "y^2 + x^2 + 1"
[start]
y = 0.5
[run]
until = 1
)toml")},
                             1);
  EXPECT_NE(nowhere.err.find("nowhere"), std::string::npos) << nowhere.err;

  // contradicting equations, with a form that does not ask
  const Ended contradiction = taut({"run", model(R"toml(
[jets]
unknowns = ["y"]
[[equation]]
name = "slope"
zero = "y' - 1"
[[equation]]
name = "flat"
zero = "y"
[start]
y = 0
[run]
until = 1
)toml"),
                                    "--form", "invariants"},
                                   1);
  EXPECT_NE(contradiction.err.find("flat"), std::string::npos) << contradiction.err;

  // rank lost on the way: nothing determines z behind x = 1
  const Ended lost = taut({"run", model(R"toml(
[jets]
unknowns = ["y", "z"]
[[equation]]
name = "first"
zero = "y' + 1"
[[equation]]
name = "second"
zero = "max(y, 0)*(z' - 1)"
[start]
y = 1
z = 1
[run]
until = 2
)toml")},
                          1);
  EXPECT_NE(lost.err.find("equation 'second' (line 9) switches"), std::string::npos) << lost.err;
  EXPECT_NE(lost.err.find("z"), std::string::npos) << lost.err;
}

TEST_F(JetsRun, ReportsMultipliersThatCompletionHasLeftOutOfTheState) {
  // lambda of x'' = -lambda x, y'' = -lambda y - 1 on the unit circle is |v|^2 - y
  const Json summary = json({"run", TAUT_MODELS "/pendulum_dae.toml", "--out", "dae"});
  const Json& p = summary["p"];
  const auto at = [&](const char* name) { return p[name].get<double>(); };
  EXPECT_NEAR(summary["unknowns"]["lambda"].get<double>(),
              at("x'") * at("x'") + at("y'") * at("y'") - at("y"), 1e-12);
  EXPECT_NEAR(rows("dae/motion.csv").front().back(), 1.0, 1e-12);
  EXPECT_TRUE(header_.ends_with(",lambda")) << header_;
}

}  // namespace
}  // namespace taut::test
