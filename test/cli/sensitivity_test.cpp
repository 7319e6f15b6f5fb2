// SPDX-License-Identifier: BSD-3-Clause
// taut run --sensitivity, taut fit, taut gradient, taut optimize.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class SensitivityRun : public testing::Test {
 protected:
  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(SensitivityRun, AddsColumnsAndAFile) {
  const Ended e = run(folder_, {"run", gallery("double_pendulum.toml"), "--until", "0.5", "--every",
                                "0.25", "--sensitivity", "g,start(bob1.vx)", "--out", "o"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_TRUE(has(e.out, "d(bob1.x)/d(g)"));
  const std::string motion = read(folder_ / "o" / "motion.csv");
  EXPECT_TRUE(has(motion, "d(lambda(rod 1))/d(start(bob1.vx))"));
  const Json j = Json::parse(read(folder_ / "o" / "sensitivity.json"));
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["by"].size(), 2u);
  // the last row and the end are one instant
  const std::size_t line = motion.rfind('\n', motion.size() - 2) + 1;
  EXPECT_TRUE(has(motion.substr(line), j["q"]["bob1.x"]["g"].dump().substr(0, 8)));
  // a run without leaves none behind
  ASSERT_EQ(
      run(folder_, {"run", gallery("double_pendulum.toml"), "--until", "0.5", "--out", "o"}).exit,
      0);
  EXPECT_FALSE(fs::exists(folder_ / "o" / "sensitivity.json"));
}

TEST_F(SensitivityRun, RefusesWhatThereIsNot) {
  const Ended e = run(folder_, {"run", gallery("double_pendulum.toml"), "--sensitivity", "G"});
  EXPECT_EQ(e.exit, 2);
  EXPECT_TRUE(has(e.err, "did you mean 'g'"));
}

TEST_F(SensitivityRun, FitFindsGravity) {
  const std::string model = gallery("double_pendulum.toml");
  ASSERT_EQ(run(folder_, {"run", model, "--until", "1", "--every", "0.1", "--columns", "stated",
                          "--tol", "1e-10", "--set", "g=9.5", "--out", "data"})
                .exit,
            0);
  // of the motion the positions alone
  const Ended cut = shell(folder_, "cut -d, -f1-5 data/motion.csv > data.csv");
  ASSERT_EQ(cut.exit, 0);
  const Ended e = run(folder_, {"fit", model, "data.csv", "--vary", "g=1:20", "--out", "f"});
  ASSERT_EQ(e.exit, 0) << e.err << read(folder_ / "data.csv");
  const Json j = Json::parse(read(folder_ / "f" / "fit.json"));
  EXPECT_NEAR(j["variables"]["g"]["value"].get<double>(), 9.5, 1e-6);
  EXPECT_TRUE(has(read(folder_ / "f" / "fit1.csv"), "bob1.x residual"));
  const Ended bad = run(folder_, {"fit", model, "data.csv", "--vary", "g=20:1"});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_TRUE(has(bad.err, "is no range"));
}

TEST_F(SensitivityRun, GradientsAreTheColumnsAtTheEnd) {
  const std::string model = gallery("double_pendulum.toml");
  ASSERT_EQ(run(folder_, {"run", model, "--until", "0.5", "--sensitivity", "g", "--out", "o"}).exit,
            0);
  const Ended e =
      run(folder_, {"gradient", model, "--until", "0.5", "--measure", "end(bob2.x)", "--measure",
                    "max(rod 1)", "--by", "g,start", "--curves", "--out", "g"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_TRUE(has(e.out, "by start(bob1.vx)"));
  const Json found = Json::parse(read(folder_ / "g" / "gradient.json"));
  const Json columns = Json::parse(read(folder_ / "o" / "sensitivity.json"));
  const Json& end = found["measures"]["end(bob2.x)"];
  EXPECT_NEAR(end["gradient"]["g"].get<double>(), columns["q"]["bob2.x"]["g"].get<double>(), 1e-6);
  EXPECT_EQ(end["curve"]["g"].size(), found["t"].size());
  EXPECT_EQ(found["by"].size(), 9u);
  const Ended none = run(folder_, {"gradient", model, "--measure", "steps", "--by", "G"});
  EXPECT_EQ(none.exit, 2);
  EXPECT_TRUE(has(none.err, "no measure that has a gradient"));
  EXPECT_EQ(
      run(folder_, {"gradient", model, "--until", "0.1", "--measure", "event(x)", "--by", "g"})
          .exit,
      2);
}

TEST_F(SensitivityRun, OptimizeFindsWhatIsLeast) {
  const std::string model = gallery("double_pendulum.toml");
  const Ended e =
      run(folder_, {"optimize", model, "--until", "0.5", "--maximize", "end(bob2.y)", "--vary",
                    "g=5:15", "--subject-to", "max(rod 1) > 20", "--starts", "3", "--out", "d"});
  ASSERT_EQ(e.exit, 0) << e.err;
  const Json found = Json::parse(read(folder_ / "d" / "optimize.json"));
  EXPECT_EQ(found["status"], "done");
  EXPECT_EQ(found["starts"].size(), 3u);
  EXPECT_NEAR(found["subject_to"][0]["value"].get<double>(), 20.0, 1e-4);  // the bound is met
  EXPECT_GT(found["subject_to"][0]["price"].get<double>(), 0.0);
  EXPECT_GT(found["value"].get<double>(), found["before"].get<double>());
  EXPECT_TRUE(has(read(folder_ / "d" / "optimize.csv"), "max(rod 1)"));
  const Ended bad = run(folder_, {"optimize", model, "--vary", "g=3:1,c", "--subject-to", "x < y"});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_TRUE(has(bad.err, "is no bound of a measure"));
  EXPECT_TRUE(has(bad.err, "--minimize or --maximize"));
}

}  // namespace
}  // namespace taut::test
