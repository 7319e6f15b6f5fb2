// SPDX-License-Identifier: BSD-3-Clause
// taut spectrum; taut run --lyapunov, --section; taut response --amplitude.
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

class SignalsOfRuns : public testing::Test {
 protected:
  Ended taut(const std::vector<std::string>& arguments) { return run(folder_, arguments); }
  Json json(std::vector<std::string> arguments, int exit = 0) {
    arguments.push_back("--json");
    const Ended e = taut(arguments);
    EXPECT_EQ(e.exit, exit) << e.err;
    return Json::parse(e.out, nullptr, false);
  }
  Json json_file(const fs::path& file) const {
    std::ifstream in{folder_ / file};
    return Json::parse(in, nullptr, false);
  }
  std::vector<std::string> lines_of(const fs::path& file) const {
    std::vector<std::string> lines;
    std::ifstream in{folder_ / file};
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  std::string model(const std::string& text) const {
    std::ofstream{folder_ / "m.toml"} << text;
    return "m.toml";
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
  const std::string duffing_ = gallery("duffing.toml");
};

TEST_F(SignalsOfRuns, ASpectrumNamesItsPeaks) {
  const Ended e =
      taut({"spectrum", duffing_, "--until", "300", "--after", "250", "--of", "x,x^2", "--csv",
            "--spectrogram", "--angle", "w*t", "--orders", "1,3", "--out", "o"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("f1 "), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("3 f1"), std::string::npos) << e.out;
  EXPECT_EQ(lines_of("o/spectrum.csv").front(), "hertz,x,density of x,x^2,density of x^2");
  EXPECT_EQ(lines_of("o/orders.csv").front(),
            "t,speed,order 1 of x,phase 1 of x,order 3 of x,phase 3 of x,order 1 of x^2,phase 1 of "
            "x^2,order 3 of x^2,phase 3 of x^2");
  EXPECT_EQ(lines_of("o/spectrogram.csv").front(), "t,hertz,x,x^2");
  const Json j = json({"spectrum", duffing_, "--until", "300", "--after", "250"});
  const Json& peak = j["signals"][0]["peaks"][0];
  EXPECT_EQ(peak["name"], "f1");
  EXPECT_NEAR(peak["omega"].get<double>(), 1.4, 1e-5);
  EXPECT_FALSE(j["too_coarse"].get<bool>());
}

TEST_F(SignalsOfRuns, MistakesAreSaidWithWhatToDo) {
  for (const auto& [words, said] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"spectrum", duffing_, "--of", "nobody"}, "nobody"},
           {{"spectrum", duffing_, "--window", "round"}, "--window"},
           {{"spectrum", duffing_, "--after", "100"}, "nothing is left"},
           {{"run", duffing_, "--lyapunov", "2", "--sensitivity", "w"}, "run them one by one"},
           {{"run", duffing_, "--section", "nobody"}, "nobody"},
           {{"response", duffing_, "--input", "x", "--amplitude", "1"}, "--range"},
           {{"modes", duffing_, "--orders", "1"}, "--vary"}}) {
    const Ended e = taut(words);
    EXPECT_EQ(e.exit, 2) << said;
    EXPECT_NE(e.err.find(said), std::string::npos) << e.err;
    EXPECT_FALSE(fs::exists(folder_ / "out")) << said;
  }
}

TEST_F(SignalsOfRuns, ExponentsStandBesideTheMotion) {
  const std::string lorenz = model(R"toml(name = "Lorenz"
[states]
x = { at = 1, rate = "10*(y - x)" }
y = { at = 1, rate = "x*(28 - z) - y" }
z = { at = 20, rate = "x*y - 8/3*z" }
)toml");
  const Ended e = taut({"run", lorenz, "--until", "40", "--lyapunov", "0", "--section", "z - 27",
                        "--out", "o", "--no-report"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("Lyapunov's exponents [1/s]:"), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("sum         -13.66666"), std::string::npos) << e.out;
  const Json j = json_file("o/lyapunov.json");
  EXPECT_EQ(j["dimension"], 3);
  EXPECT_NEAR(j["sum"].get<double>(), -41.0 / 3, 1e-6);
  EXPECT_NE(lines_of("o/motion.csv").front().find("lyapunov(3)"), std::string::npos);
  const auto section = lines_of("o/section.csv");
  EXPECT_EQ(section.front(), "t,x,y,z");
  EXPECT_GT(section.size(), 30u);
  EXPECT_NEAR(std::stod(section.back().substr(section.back().rfind(',') + 1)), 27, 1e-9);
  // none of them stays behind when it is not asked for
  ASSERT_EQ(taut({"run", lorenz, "--until", "1", "--out", "o", "--no-report"}).exit, 0);
  EXPECT_FALSE(fs::exists(folder_ / "o/lyapunov.json"));
  EXPECT_FALSE(fs::exists(folder_ / "o/section.csv"));
}

TEST_F(SignalsOfRuns, TheReportHasTheFrequenciesOfEvenRows) {
  ASSERT_EQ(taut({"run", duffing_, "--until", "100", "--every", "0.05", "--out", "o"}).exit, 0);
  const auto page = [&] {
    std::ostringstream text;
    text << std::ifstream{folder_ / "o/report.html"}.rdbuf();
    return text.str();
  };
  EXPECT_NE(page().find(R"("frequencies":[{"name":"x","rms":0.2)"), std::string::npos);
  EXPECT_NE(page().find(R"("coarse":false,"peaks":[{"name":"f1","hertz":0.2228)"),
            std::string::npos);
  // of steps nothing is said
  ASSERT_EQ(taut({"run", duffing_, "--until", "100", "--out", "o"}).exit, 0);
  EXPECT_NE(page().find(R"("frequencies":[])"), std::string::npos);
}

TEST_F(SignalsOfRuns, AResponseIsFollowedRoundItsFolds) {
  const Ended e = taut({"response", duffing_, "--set", "F=0", "--input", "x", "--amplitude", "0.3",
                        "--range", "0.9:2", "--csv", "--out", "o"});
  ASSERT_EQ(e.exit, 0) << e.err;
  EXPECT_NE(e.out.find("1.5555786"), std::string::npos) << e.out;
  EXPECT_NE(e.out.find("1.2616102"), std::string::npos) << e.out;
  EXPECT_EQ(lines_of("o/response.csv").front(),
            "omega,kind,verdict,amplitude x,phase x,mean x,min x,max x");
}

}  // namespace
}  // namespace taut::test
