// SPDX-License-Identifier: BSD-3-Clause
// What `taut run` does is simulate(): every model of the gallery, by both, to the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/writers.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

nlohmann::json without_times(const std::string& summary) {
  nlohmann::json j = nlohmann::json::parse(summary);
  j.erase("wall_seconds");
  return j;
}

class SameBits : public testing::TestWithParam<std::string> {};

TEST_P(SameBits, OfTheProgramAndTheLibrary) {
  speak(Dialect::command_line);  // summaries name options
  const test::TemporaryFolder folder;
  const std::string model = test::gallery(GetParam() + ".toml");
  const test::Ended program = test::run(
      folder.path(), {"run", model, "--no-report", "--no-error-estimate", "--out", "program"});
  const Result run = simulate(load(model));
  EXPECT_EQ(program.exit, run.good() ? 0 : 1) << program.err;

  const fs::path csv = folder.path() / "library.csv", out = folder.path() / "program";
  const std::string problem =
      run.curve ? write_motion_csv(run.curve->motion, csv) : write_motion_csv(run.motion, csv);
  ASSERT_EQ(problem, "");
  EXPECT_TRUE(test::read(csv) == test::read(out / "motion.csv")) << "motions differ";
  EXPECT_EQ(without_times(run.curve ? summary_json(run.curve->summary) : summary_json(run.summary)),
            without_times(test::read(out / "summary.json")));
}

std::vector<std::string> gallery() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator{TAUT_MODELS})
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Gallery, SameBits, testing::ValuesIn(gallery()),
                         [](const auto& model) { return model.param; });

}  // namespace
}  // namespace taut
