// SPDX-License-Identifier: BSD-3-Clause
// taut compare.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class CompareCommand : public testing::Test {
 protected:
  Ended taut(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "compare");
    return run(folder_, arguments);
  }
  void expect_refused(std::vector<std::string> arguments, const std::vector<std::string>& said) {
    const Ended e = taut(std::move(arguments));
    EXPECT_EQ(e.exit, 2) << e.out;
    for (const std::string& text : said)
      EXPECT_NE(e.err.find(text), std::string::npos) << text << " is not in\n" << e.err;
    EXPECT_FALSE(fs::exists(folder_ / "out"));
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string pendulum_ = gallery("pendulum.toml");
};

// number, or what has no value
Json compare_field(const std::string& field) { return field.empty() ? Json{} : Json::parse(field); }

TEST_F(CompareCommand, PrintsAndWritesTheSame) {
  const Ended e = taut({pendulum_, "--methods", "rattle,dop853,rattle", "--steps", "0.1:0.001:3",
                        "--tols", "1e-8:1e-4:2", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_EQ(e.out, read(folder_ / "out/pendulum/compare.json"));
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["kind"], "compare");
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["file"], pendulum_);
  EXPECT_EQ(j["until"], 1.0);
  EXPECT_EQ(j["times"].size(), 48u);
  EXPECT_TRUE(j["reference"]["converged"].get<bool>());
  EXPECT_LT(j["reference"]["uncertainty"].get<double>(), 1e-9);
  ASSERT_EQ(j["methods"].size(), 2u);  // the third is the first again
  EXPECT_EQ(j["methods"][0]["name"], "rattle");
  EXPECT_FALSE(j["methods"][0]["adaptive"].get<bool>());
  ASSERT_EQ(j["methods"][0]["points"].size(), 3u);
  EXPECT_NEAR(j["methods"][0]["points"][1]["step"].get<double>(), 0.01, 1e-12);
  EXPECT_NEAR(j["methods"][0]["order_seen"].get<double>(), 2.0, 0.1);
  ASSERT_EQ(j["methods"][1]["points"].size(), 2u);
  EXPECT_EQ(j["methods"][1]["points"][0]["tol"], 1e-4);  // coarse to fine
  EXPECT_EQ(j["fastest"].size(), 3u);

  // compare.csv has the same points
  std::istringstream csv{read(folder_ / "out/pendulum/compare.csv")};
  std::string line;
  const auto fields = [&] {
    std::vector<std::string> list;
    std::getline(csv, line);
    std::istringstream in{line};
    for (std::string field; std::getline(in, field, ',');) list.push_back(field);
    return list;
  };
  const std::vector<std::string> names = fields();
  for (const Json& method : j["methods"])
    for (const Json& point : method["points"]) {
      const std::vector<std::string> values = fields();
      ASSERT_EQ(values.size(), names.size());
      EXPECT_EQ(values[0], method["name"]);
      for (std::size_t i = 1; i < names.size(); ++i) {
        if (names[i] == "status") {
          EXPECT_EQ(values[i], point["status"]);
        } else if (names[i] == "below_uncertainty") {
          EXPECT_EQ(values[i] == "1", point[names[i]].get<bool>());
        } else if (point.contains(names[i])) {
          EXPECT_EQ(compare_field(values[i]).get<double>(), point[names[i]].get<double>())
              << names[i];
        } else {
          EXPECT_EQ(values[i], "") << names[i];
        }
      }
    }
  std::getline(csv, line);
  EXPECT_TRUE(csv.eof());

  // and so does the page
  EXPECT_NE(read(folder_ / "out/pendulum/compare.html").find("\"order_seen\""), std::string::npos);
}

TEST_F(CompareCommand, PrintsALineForEachMethodAndWhatIsFastest) {
  const Ended e = taut({pendulum_, "--until", "0.2", "--tols", "1e-3:1e-6:2", "--steps",
                        "0.02:0.01:2", "--out", "here"});
  ASSERT_EQ(e.exit, 0) << e.err;
  for (const char* text : {"reference ", "\nrattle ", "\nradau ", "left out      verlet,",
                           "fastest       for an error of 1e-03: ", "here/compare.html"})
    EXPECT_NE(e.out.find(text), std::string::npos) << text << " is not in\n" << e.out;
  EXPECT_EQ(e.err, "");
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

// Failed runs are points without an error, and a model with another method and step in [run] is
// compared all the same.
TEST_F(CompareCommand, ShowsFailuresAsPoints) {
  write(folder_ / "spring.toml", R"toml(
name = "</script> spring"
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "5000*x^2"
[run]
until = 1
method = "rk4"
step = 0.5
)toml");
  const Ended e = taut({"spring.toml", "--methods", "verlet", "--steps", "0.1:0.001:3", "--json"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json j = Json::parse(e.out);
  const Json& points = j["methods"][0]["points"];
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0]["status"], "unstable");  // beyond h w = 2
  EXPECT_TRUE(points[0]["error"].is_null());
  EXPECT_NE(points[0]["message"], "");
  EXPECT_EQ(points[2]["status"], "done");
  EXPECT_LT(points[2]["error"].get<double>(), 0.1);
  EXPECT_EQ(j["model"], "</script> spring");
  EXPECT_EQ(read(folder_ / "out/spring/compare.html").find("</script> spring"), std::string::npos);
}

// A mark in the table, with the reason; times in milliseconds, which any terminal can show.
TEST_F(CompareCommand, MarksMethodsThatTimeHasCut) {
  const Ended e = taut({pendulum_, "--methods", "rattle", "--max-seconds", "0.05"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("* rattle: finer runs would take longer than the limit of a run"),
            std::string::npos)
      << e.out;
  EXPECT_NE(e.out.find("* ", e.out.find("\nrattle ")), std::string::npos) << e.out;
  EXPECT_EQ(e.out.find(" us"), std::string::npos) << e.out;
  EXPECT_TRUE(Json::parse(read(folder_ / "out/pendulum/compare.json"))["methods"][0]["cut"]);
}

TEST_F(CompareCommand, SaysThatChaosHasNoReference) {
  const Ended e =
      taut({gallery("double_pendulum.toml"), "--until", "40", "--methods", "rattle", "--json"});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("does not converge"), std::string::npos) << e.err;
  EXPECT_NE(e.err.find("--until"), std::string::npos) << e.err;
  const Json j = Json::parse(e.out);
  EXPECT_EQ(j["status"], "no_reference");
  EXPECT_FALSE(j["reference"]["converged"].get<bool>());
  EXPECT_TRUE(j["methods"].empty());
  EXPECT_EQ(read(folder_ / "out/double_pendulum/compare.json"), e.out);
}

TEST_F(CompareCommand, RefusesAllMistakesTogether) {
  expect_refused({pendulum_, "--methods", "ratle,dop853,xyzzy", "--tols", "1e-4", "--steps",
                  "0.1:-1:3", "--set", "gg=1"},
                 {"did you mean 'rattle'?", "there is no method 'xyzzy'", "--tols 1e-4",
                  "--steps 0.1:-1:3", "there is no parameter 'gg'", "5 mistakes"});
  expect_refused({pendulum_, "--methods", "verlet,rk4,midpoint"},
                 {"verlet integrates free motion", "midpoint", "methods that fit:", "2 mistakes"});
  expect_refused({pendulum_, "--tols", "1:1e-3:4"}, {"up to 0.1"});
  expect_refused({pendulum_, "--tols", "1e-3:1e-3:4"}, {"two different numbers"});
  expect_refused({gallery("pendulum_dae.toml")}, {"this command is for mechanical models"});
  expect_refused({gallery("warm_trimer.toml")}, {"heat bath", "without [thermostat]"});
}

}  // namespace
}  // namespace taut::test
