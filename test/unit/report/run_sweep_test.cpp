// SPDX-License-Identifier: BSD-3-Clause
// What is written of a sweep of runs, and lines of characters.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "taut/report/sparkline.hpp"
#include "taut/report/sweep.hpp"

namespace taut {
namespace {

class SweepFiles : public testing::Test {
 protected:
  SweepFiles() {
    sweep_.axes = {{.parameter = "a", .first = 0, .last = 1, .points = 2},
                   {.parameter = "b", .first = 1, .last = 100, .points = 2, .log = true}};
    sweep_.measures = {"max(x)", "event(a, b)"};
    const double nan = std::nan("");
    sweep_.runs = {{.status = "done", .method = "rk4", .measures = {0.1, 2}},
                   {.status = "stopped_by_event", .method = "rk4", .measures = {1.0 / 3, nan}},
                   {.status = "unstable", .reason = "a \"b\", c", .measures = {nan, nan}},
                   {}};
    sweep_.status = Status::cancelled;
    sweep_.finished = 3;
    sweep_.failed = 1;
  }
  void TearDown() override { std::filesystem::remove(file_); }

  RunSweep sweep_;
  const std::filesystem::path file_ = std::filesystem::path{testing::TempDir()} /
                                      ("taut-run-sweep-report-test-" + std::to_string(::getpid()));
};

TEST_F(SweepFiles, JsonHasFlatListsAndSaysWhatFailed) {
  const auto j = nlohmann::json::parse(
      sweep_json(sweep_, {.model = "</script>", .reading = "rigid", .file = "m.toml"}));
  EXPECT_EQ(j["kind"], "sweep");
  EXPECT_EQ(j["status"], "cancelled");
  EXPECT_EQ(j["model"], "</script>");
  EXPECT_EQ(j["method"], "rk4");
  EXPECT_EQ(j["axes"][1]["values"], nlohmann::json({1.0, 100.0}));
  EXPECT_EQ(j["axes"][1]["log"], true);
  EXPECT_EQ(j["measures"][0]["values"], nlohmann::json({0.1, 1.0 / 3, nullptr, nullptr}));
  EXPECT_EQ(j["measures"][1]["values"], nlohmann::json({2.0, nullptr, nullptr, nullptr}));
  EXPECT_EQ(j["statuses"], nlohmann::json({"done", "stopped_by_event", "unstable", nullptr}));
  ASSERT_EQ(j["failures"].size(), 1u);
  EXPECT_EQ(j["failures"][0]["index"], 2);
  EXPECT_EQ(j["failures"][0]["values"], nlohmann::json({0.0, 100.0}));
  EXPECT_EQ(j["failures"][0]["reason"], "a \"b\", c");
}

TEST_F(SweepFiles, CsvHasALineForEachFinishedRun) {
  ASSERT_EQ(write_sweep_csv(sweep_, file_), "");
  std::ifstream in{file_};
  const std::string text{std::istreambuf_iterator<char>{in}, {}};
  EXPECT_EQ(text,
            "a,b,status,max(x),\"event(a, b)\",reason\n"
            "0,1,done,0.1,2,\n"
            "1,1,stopped_by_event,0.3333333333333333,nan,\n"
            "0,100,unstable,nan,nan,\"a \"\"b\"\", c\"\n");
}

TEST_F(SweepFiles, Hdf5HasAllOfIt) {
  ASSERT_EQ(write_sweep_hdf5(sweep_, file_), "");
  const hid_t file = H5Fopen(file_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const auto read = [&](const char* name, std::size_t size) {
    std::vector<double> values(size);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GE(data, 0) << name;
    const hid_t space = H5Dget_space(data);
    EXPECT_EQ(H5Sget_simple_extent_npoints(space), static_cast<hssize_t>(size));
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(data);
    return values;
  };
  EXPECT_EQ(read("values", 8), (std::vector<double>{0, 1, 1, 1, 0, 100, 1, 100}));
  EXPECT_EQ(read("shape", 2), (std::vector<double>{2, 2}));
  const std::vector<double> measures = read("measures", 8);
  EXPECT_EQ(measures[2], 1.0 / 3);
  EXPECT_TRUE(std::isnan(measures[6]));
  for (const char* name : {"status", "reason", "names/values", "names/measures"})
    EXPECT_GT(H5Lexists(file, name, H5P_DEFAULT), 0) << name;
  H5Fclose(file);
}

TEST(SparklineOfARun, HasOneCharacterForEachPartOfTheTime) {
  std::vector<double> t, y;
  for (int k = 0; k < 8; ++k) {
    t.push_back(k + 0.5);
    y.push_back(std::pow(10.0, k) * (k % 2 == 0 ? 1 : -1));
  }
  const Sparkline rising = sparkline(t, y, {.width = 8});
  EXPECT_EQ(rising.line, "▁▂▃▄▅▆▇█");
  EXPECT_EQ(rising.least, 1.0);
  EXPECT_EQ(rising.greatest, 1e7);
  EXPECT_EQ(sparkline(t, y, {.width = 8, .unicode = false}).line, "_.,-=+*#");
}

TEST(SparklineOfARun, KeepsExtremes) {
  const std::vector<double> t{0, 1, 2, 3, 4, 5, 6, 7, 8}, y{1, 1, 100, 1, 1, 0.01, 1, 1, 1};
  const SparklineOptions two{.width = 2, .unicode = false};
  EXPECT_EQ(sparkline(t, y, two).greatest, 100);
  EXPECT_EQ(sparkline(t, y, two).line, "#_");
  EXPECT_EQ(sparkline(t, y, {.width = 2, .keep_least = true}).least, 0.01);
}

TEST(SparklineOfARun, HoldsAcrossGapsAndLeavesOutWhatHasNoLogarithm) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const SparklineOptions five{.width = 5, .unicode = false};
  // nothing before the first value; a part without one looks like the one before
  EXPECT_EQ(sparkline({0, 2.5, 5}, {nan, 1, 10}, five).line, "  __#");
  // zeros are low, and do not set the scale
  const Sparkline zeros = sparkline({0, 1, 2, 3, 5}, {0, 1, infinity, 1000, 0}, five);
  EXPECT_EQ(zeros.least, 1.0);
  EXPECT_EQ(zeros.line, "___#_");
  EXPECT_EQ(sparkline({0, 1, 5}, {2, 2, 2}, five).line, "=====");
  EXPECT_EQ(sparkline({0, 1}, {0, nan}, five).line, "");
  EXPECT_EQ(sparkline({}, {}, five).line, "");
  EXPECT_EQ(sparkline({1, 1}, {2, 4}, {.width = 3, .unicode = false}).line, "===");
}

}  // namespace
}  // namespace taut
