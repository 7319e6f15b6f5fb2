// SPDX-License-Identifier: BSD-3-Clause
// `taut run` leaves a report beside its other files, and `taut report` makes it again.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class RunReport : public testing::Test {
 protected:
  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string model_ = gallery("double_pendulum.toml");
  static constexpr const char* torn = R"toml(
name = "torn"
[points]
a = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["origin", "a"]
length = 2
[run]
until = 1
)toml";

  [[nodiscard]] Json data(const std::string& out) const {
    const std::string html = read(folder_ / out / "report.html");
    const std::string begin = R"(<script type="application/json" id="data">)";
    const std::size_t from = html.find(begin) + begin.size();
    return Json::parse(html.substr(from, html.find("</script>", from) - from));
  }
};

TEST_F(RunReport, IsWrittenAndListed) {
  const Ended e = run(folder_, {"run", model_, "--out", "here"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("here/report.html"), std::string::npos) << e.out;
  const Json report = data("here");
  EXPECT_EQ(report["title"], "double pendulum");
  EXPECT_EQ(report["file"], model_);
  EXPECT_EQ(report["model"], read(model_));
  EXPECT_EQ(report["summary"], Json::parse(read(folder_ / "here" / "summary.json")));
  EXPECT_EQ(report["scene"]["dimension"], 2);
}

TEST_F(RunReport, OfAnEarlierRunDoesNotStayBesideANewSummary) {
  for (const std::string& model : {model_, gallery("pendulum_dae.toml")}) {
    ASSERT_EQ(run(folder_, {"run", model, "--out", "here"}).exit, 0);
    EXPECT_TRUE(fs::exists(folder_ / "here" / "report.html"));
    const Ended e = run(folder_, {"run", model, "--out", "here", "--no-report"});
    EXPECT_EQ(e.exit, 0) << e.err;
    EXPECT_FALSE(fs::exists(folder_ / "here" / "report.html"));
    EXPECT_EQ(e.out.find("report.html"), std::string::npos);
  }
}

TEST_F(RunReport, ThatCannotBeWrittenIsAProblem) {
  fs::create_directories(folder_ / "here" / "report.html" / "in the way");
  const Ended e = run(folder_, {"run", model_, "--out", "here"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("report.html"), std::string::npos) << e.err;
  EXPECT_FALSE(fs::exists(folder_ / "here" / "summary.json"));  // all results, or none
}

TEST_F(RunReport, OfAnInterruptedRunSaysSoAndIsTheSameOnceItIsResumed) {
  const std::vector<std::string> arguments{"run",    model_, "--method", "rattle",
                                           "--step", "1e-3", "--until",  "5"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), more.begin(), more.end());
    return run(folder_, all);
  };
  ASSERT_EQ(with({"--out", "whole"}).exit, 0);
  ASSERT_EQ(with({"--out", "parts", "--max-steps", "3333"}).exit, 1);
  const Json part = data("parts");
  EXPECT_EQ(part["verdicts"][0]["state"], "fair");
  EXPECT_NE(part["summary"]["message"].get<std::string>().find("3333 steps"), std::string::npos);
  ASSERT_EQ(with({"--out", "parts", "--resume"}).exit, 0);
  const Json whole = data("whole"), resumed = data("parts");
  for (const char* const entry : {"rows", "columns", "groups", "loads", "scene", "thinned"})
    EXPECT_EQ(resumed[entry], whole[entry]) << entry;
  EXPECT_FALSE(whole["columns"][1]["low"].is_null());
}

TEST_F(RunReport, OfAFailedStartIsStillAPage) {
  write(folder_ / "torn.toml", torn);
  const Ended e = run(folder_, {"run", "torn.toml"});
  ASSERT_EQ(e.exit, 1) << e.err;
  const Json report = data("out/torn");
  EXPECT_EQ(report["rows"], 0);
  EXPECT_EQ(report["verdicts"][0]["state"], "bad");
  EXPECT_FALSE(report["summary"]["message"].get<std::string>().empty());
}

TEST_F(RunReport, OfACurveHasArcLengthAsItsAxis) {
  ASSERT_EQ(run(folder_, {"run", gallery("pendulum_dae.toml"), "--out", "here"}).exit, 0);
  const Json report = data("here");
  EXPECT_EQ(report["axis"]["name"], "s");
  EXPECT_TRUE(report["scene"].is_null());
  EXPECT_EQ(report["summary"], Json::parse(read(folder_ / "here" / "summary.json")));
}

class ReportAgain : public RunReport {
 protected:
  // the page of the run in here/ is made again, to the byte
  void expect_the_same(const std::string& what) const {
    SCOPED_TRACE(what);
    const fs::path page = folder_ / "here" / "report.html";
    const std::string of_run = read(page);
    ASSERT_FALSE(of_run.empty());
    fs::remove(page);
    const Ended e = run(folder_, {"report", "here"});
    EXPECT_EQ(e.exit, 0) << e.err;
    EXPECT_EQ(e.out, "written       here/report.html\n");
    EXPECT_TRUE(read(page) == of_run);
  }
};

TEST_F(ReportAgain, IsTheSameForRunsOfAllKinds) {
  write(folder_ / "torn.toml", torn);
  struct Case {
    std::vector<std::string> arguments;
    int exit;
  };
  for (const auto& [arguments, exit] : std::initializer_list<Case>{
           {{model_}, 0},
           {{model_, "--method", "rattle", "--step", "1e-4", "--format", "h5"}, 0},
           {{model_, "--method", "rattle", "--step", "0.6", "--until", "60"}, 1},
           {{model_, "--max-steps", "20"}, 1},
           {{"torn.toml"}, 1},
           {{gallery("hinged_bodies.toml")}, 0},
           {{gallery("warm_trimer.toml"), "--until", "20"}, 0},
           {{gallery("slider_crank.toml"), "--until", "0.01"}, 0},
           {{gallery("pendulum_dae.toml")}, 0},
           {{gallery("pendulum_dae.toml"), "--max-steps", "10"}, 1}}) {
    std::vector<std::string> all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"--out", "here"});
    const Ended e = run(folder_, all);
    ASSERT_EQ(e.exit, exit) << e.err;
    expect_the_same(arguments.front() + " " + arguments.back());
    fs::remove_all(folder_ / "here");
  }
}

TEST_F(ReportAgain, IsTheSameForInterruptedAndResumedRuns) {
  for (const std::string& model : {model_, gallery("pendulum_dae.toml")}) {
    ASSERT_EQ(run(folder_, {"run", model, "--out", "here", "--max-steps", "10"}).exit, 1);
    expect_the_same("part of " + model);
    ASSERT_EQ(run(folder_, {"run", model, "--out", "here", "--resume"}).exit, 0);
    EXPECT_NE(data("here")["summary"]["notes"].dump().find("resumed"), std::string::npos);
    expect_the_same("resumed " + model);
  }
  Running running{folder_,
                  {"run", model_, "--step", "0.001", "--until", "1e9", "--out", "here",
                   "--checkpoint-every", "0.05"}};
  while (!running.ended() && !fs::exists(folder_ / "here" / "checkpoint.bin"))
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  running.send(SIGINT);
  ASSERT_EQ(running.wait().exit, 1);
  EXPECT_EQ(data("here")["summary"]["status"], "cancelled");
  expect_the_same("cancelled");
}

TEST_F(ReportAgain, CanBeMadeLaterAndElsewhere) {
  ASSERT_EQ(run(folder_, {"run", model_, "--out", "here", "--no-report"}).exit, 0);
  EXPECT_FALSE(fs::exists(folder_ / "here" / "report.html"));
  Ended e = run(folder_, {"report", "here", "--out", "page.html", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(Json::parse(e.out), Json({{"status", "done"}, {"file", "page.html"}}));
  EXPECT_FALSE(fs::exists(folder_ / "here" / "report.html"));
  EXPECT_EQ(run(folder_, {"report", "here"}).exit, 0);
  EXPECT_EQ(data("here")["summary"], Json::parse(read(folder_ / "here" / "summary.json")));
  EXPECT_TRUE(read(folder_ / "here" / "report.html") == read(folder_ / "page.html"));

  // neither the model nor the other files are needed
  fs::create_directories(folder_ / "there");
  fs::rename(folder_ / "here" / "record.bin", folder_ / "there" / "record.bin");
  EXPECT_EQ(run(folder_, {"report", "there"}).exit, 0);
  EXPECT_TRUE(read(folder_ / "there" / "report.html") == read(folder_ / "page.html"));
}

TEST_F(ReportAgain, IsRefusedWithoutAGoodRecordAndNothingIsWritten) {
  const auto expect_refused = [&](std::vector<std::string> arguments, const std::string& said) {
    arguments.insert(arguments.begin(), "report");
    SCOPED_TRACE(said);
    const Ended plain = run(folder_, arguments);
    EXPECT_EQ(plain.exit, 2);
    EXPECT_EQ(plain.out, "");
    EXPECT_NE(plain.err.find(said), std::string::npos) << plain.err;
    arguments.push_back("--json");
    const Ended json = run(folder_, arguments);
    EXPECT_EQ(json.exit, 2);
    const Json j = Json::parse(json.out);
    EXPECT_EQ(j["status"], "bad_input");
    EXPECT_NE(j["reason"].get<std::string>().find(said), std::string::npos);
  };
  expect_refused({"missing"}, "missing: there is no such folder");
  expect_refused({model_}, "there is no such folder");
  fs::create_directories(folder_ / "empty");
  expect_refused({"empty"}, "empty has no record.bin");
  EXPECT_TRUE(fs::is_empty(folder_ / "empty"));

  ASSERT_EQ(run(folder_, {"run", model_, "--out", "here"}).exit, 0);
  const fs::path record = folder_ / "here" / "record.bin", page = folder_ / "here" / "report.html";
  const std::string whole = read(record), before = read(page);
  expect_refused({"here", "--out", "here/record.bin"}, "would replace what it is made from");
  EXPECT_TRUE(read(record) == whole);
  write(record, whole.substr(0, whole.size() / 2));
  expect_refused({"here"}, "here/record.bin is damaged");
  std::string changed = whole;
  changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 1);
  write(record, changed);
  expect_refused({"here"}, "its checksum is wrong");
  write(record, "not a record, but long enough to be one");
  expect_refused({"here"}, "does not begin with");
  EXPECT_TRUE(read(page) == before);
}

TEST_F(ReportAgain, ThatCannotBeWrittenIsAFailure) {
  ASSERT_EQ(run(folder_, {"run", model_, "--out", "here"}).exit, 0);
  const Ended e = run(folder_, {"report", "here", "--out", "missing/page.html", "--json"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("missing/page.html"), std::string::npos) << e.err;
  EXPECT_EQ(Json::parse(e.out)["status"], "failed");
}

// what cannot be stored is not shown as if it were, and what belongs to it is not there either
TEST_F(ReportAgain, NeedsTheRecordThatTheRunCouldNotWrite) {
  fs::create_directories(folder_ / "here" / "record.bin" / "in the way");
  const Ended e = run(folder_, {"run", model_, "--out", "here"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("record.bin"), std::string::npos) << e.err;
  EXPECT_FALSE(fs::exists(folder_ / "here" / "report.html"));
  EXPECT_FALSE(fs::exists(folder_ / "here" / "summary.json"));
}

}  // namespace
}  // namespace taut::test
