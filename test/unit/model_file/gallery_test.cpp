// SPDX-License-Identifier: BSD-3-Clause
// The models of the gallery are free of mistakes. What they compute is tested elsewhere.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "taut/model/model_file.hpp"

namespace taut {
namespace {

const std::filesystem::path gallery = taut_SOURCE_DIR "/models";

TEST(Gallery, HasTheModelsTheManualSpeaksOf) {
  for (const char* name : {"pendulum",
                           "double_pendulum",
                           "stiff_double_pendulum",
                           "car_axis",
                           "andrews",
                           "chain",
                           "inverted_pendulum",
                           "ring",
                           "redundant",
                           "four_bar",
                           "pleiades",
                           "stiff_pendulum",
                           "stiff_chain",
                           "slider_crank",
                           "parallel_manipulator",
                           "vibrated_double_pendulum",
                           "water7",
                           "argon",
                           "butane",
                           "top",
                           "free_body",
                           "hinged_bodies",
                           "zigzag",
                           "plug_flow",
                           "plug_flow_original",
                           "rigid_body",
                           "magnetic_particle",
                           "mhd"}) {
    EXPECT_TRUE(std::filesystem::exists(gallery / (std::string{name} + ".toml"))) << name;
  }
}

TEST(Gallery, EveryModelIsReadAndSaysWhatItIs) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{gallery}) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().string());
    Problems problems{entry.path().string()};
    const Model model = read_model_file(entry.path(), problems);
    EXPECT_TRUE(problems.empty()) << problems.message();
    EXPECT_TRUE(names.insert(model.name).second) << "two models are called " << model.name;
    EXPECT_TRUE(model.run.until) << "a model of the gallery runs without being told how long";
    EXPECT_EQ(model.file, entry.path().string());

    std::ifstream in{entry.path()};
    std::string line;
    int comments = 0;
    while (std::getline(in, line) && line.starts_with('#')) ++comments;
    EXPECT_GE(comments, 2) << "what it shows, its source and what to expect";
  }
  EXPECT_GE(names.size(), 10U);
}

TEST(Gallery, AndrewsHasItsSevenAnglesInPublishedOrder) {
  Problems problems;
  const Model model = read_model_file(gallery / "andrews.toml", problems);
  const std::vector<std::string> names{"beta",  "Theta", "gamma",  "Phi",
                                       "delta", "Omega", "epsilon"};
  ASSERT_EQ(model.coordinates.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(model.coordinates[i].name, names[i]);
}

}  // namespace
}  // namespace taut
