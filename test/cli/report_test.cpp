// SPDX-License-Identifier: BSD-3-Clause
// `taut run` leaves a report beside its other files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  EXPECT_TRUE(fs::exists(folder_ / "here" / "summary.json"));
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
  write(folder_ / "torn.toml", R"toml(
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
)toml");
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

}  // namespace
}  // namespace taut::test
