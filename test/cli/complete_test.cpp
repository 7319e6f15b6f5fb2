// SPDX-License-Identifier: BSD-3-Clause
// taut complete: what it prints, and how it ends.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace taut::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Complete : public testing::Test {
 protected:
  Json complete_json(const std::string& model, int exit) {
    const Ended e = run(folder_, {"complete", model, "--json"});
    EXPECT_EQ(e.exit, exit) << e.err;
    return Json::parse(e.out);
  }
  std::string stated(const std::string& equations) {
    const fs::path file = folder_ / "model.toml";
    write(file, "[jets]\nunknowns = [\"y\", \"z\"]\n" + equations + "[run]\nuntil = 1\n");
    return file.string();
  }

  TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(Complete, PendulumIsExplained) {
  const Ended e = run(folder_, {"complete", gallery("pendulum_dae.toml")});
  EXPECT_EQ(e.exit, 0) << e.err;
  for (const char* part : {"index 3", "derivative of rod:  ", "x*x'", "fill 2 dimensions",
                           "rod, 2 times", "The start is consistent as stated"})
    EXPECT_NE(e.out.find(part), std::string::npos) << part << " in\n" << e.out;

  const Json j = complete_json(gallery("pendulum_dae.toml"), 0);
  EXPECT_EQ(j["verdict"], "completed");
  EXPECT_EQ(j["index"], 3);
  EXPECT_EQ(j["dimension"], 2);
  EXPECT_EQ(j["table"][3]["distribution"], 1);
  EXPECT_TRUE(j["moved"].empty());
  EXPECT_NEAR(j["start"]["lambda"].get<double>(), 1.0, 1e-13);
}

TEST_F(Complete, GalleryHasTheIndicesItSays) {
  const std::vector<std::tuple<std::string, int, int>> known{
      {"double_pendulum_dae", 3, 4}, {"index4_chain", 4, 0}, {"plug_flow", 1, 1}};
  for (const auto& [name, index, dimension] : known) {
    const Json j = complete_json(gallery(name + ".toml"), 0);
    EXPECT_EQ(j["index"], index) << name;
    EXPECT_EQ(j["dimension"], dimension) << name;
  }
}

TEST_F(Complete, MechanicalModelsAreCompleteAsTheyStand) {
  const Json j = complete_json(gallery("redundant.toml"), 0);
  EXPECT_EQ(j["mechanical"], true);
  EXPECT_EQ(j["index"], 3);
  EXPECT_EQ(j["dimension"], 2);
  EXPECT_EQ(j["redundant"].size(), 1u);
}

TEST_F(Complete, ContradictionsAndMissingEquationsFailWithTheirNames) {
  const std::string contradicting = stated(
      "[[equation]]\nname = \"rate\"\nzero = \"y'\"\n"
      "[[equation]]\nname = \"line\"\nzero = \"y - x\"\n"
      "[[equation]]\nzero = \"z' - y\"\n");
  const Json j = complete_json(contradicting, 1);
  EXPECT_EQ(j["verdict"], "inconsistent");
  EXPECT_EQ(j["status"], "constraints_contradict");
  EXPECT_NE(j["reason"].get<std::string>().find("rate and derivative of line"), std::string::npos)
      << j["reason"];

  const std::string loose = stated(
      "[[equation]]\nname = \"rates\"\nzero = \"y' + z'\"\n"
      "[[equation]]\nname = \"sum\"\nzero = \"y + z - 1\"\n");
  const Ended e = run(folder_, {"complete", loose});
  EXPECT_EQ(e.exit, 1);
  EXPECT_NE(e.err.find("distribution of dimension 2: nothing determines y' and z'"),
            std::string::npos)
      << e.err;
  EXPECT_EQ(run(folder_, {"complete", gallery("pendulum_dae.toml"), "--set", "m=1"}).exit, 2);
}

}  // namespace
}  // namespace taut::test
