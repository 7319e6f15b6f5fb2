// SPDX-License-Identifier: BSD-3-Clause
// What is written of a sweep of runs, and lines of characters.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "taut/report/grid.hpp"
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

// A sweep that stands in a file, of runs that were not computed: a measure that is a plane with one
// spike up and one down, a second one that is unknown for odd runs; some runs fail.
class StoredGrid : public testing::Test {
 protected:
  StoredGrid() {
    std::string place = testing::TempDir() + "taut-stored-grid-XXXXXX";
    folder_ = mkdtemp(place.data());
  }
  ~StoredGrid() override { std::filesystem::remove_all(folder_); }

  static double plane(std::size_t k) {
    if (k == spike) return 1e6;
    return k == dip ? -1e6 : 0.25 * static_cast<double>(k % 1000);
  }
  GridReport fill(std::vector<SweepAxis> axes) {
    const std::size_t runs = grid_size(axes);
    EXPECT_EQ(sweep_.store.open(folder_ / "runs", {{"who", "test"}}, runs, 2, false), "");
    for (std::size_t k = 0; k < runs; ++k) {
      if (k == missing) continue;
      SweptRun run{.status = "done", .method = "rk4"};
      run.measures = {plane(k), k % 2 == 1 ? std::nan("") : 1.0};
      if (k % 50'000 == 17)
        run = {.status = "unstable",
               .reason = "at t = " + std::to_string(k) + ", \"so\"",
               .method = "rk4",
               .measures = {std::nan(""), std::nan("")}};
      EXPECT_EQ(sweep_.store.write(k, run), "");
    }
    sweep_.runs = runs;
    return {.origin = {.model = "m"},
            .axes = std::move(axes),
            .measures = {"plane", "even"},
            .sweep = &sweep_,
            .found = summary_of(sweep_.store, runs)};
  }
  static constexpr std::size_t spike = 123'456, dip = 200'002, missing = 77'777;
  std::filesystem::path folder_;
  StoredSweep sweep_;
};

TEST_F(StoredGrid, OfOneAxisIsThinnedAndLosesNoExtreme) {
  const GridReport report = fill({{.parameter = "a", .first = 0, .last = 1, .points = 300'000}});
  EXPECT_EQ(report.found.failed, 6u);
  ASSERT_EQ(report.found.failures.size(), 1u) << "the same words with other numbers";
  EXPECT_EQ(report.found.failures[0].count, 6u);
  EXPECT_EQ(report.found.measures[0].greatest_run, spike);
  const std::string text = grid_json(report);
  EXPECT_LT(text.size(), 4'000'000u);
  const auto j = nlohmann::json::parse(text);
  const auto numbers = j["reduced"]["numbers"].get<std::vector<std::size_t>>();
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
  const auto place = [&](std::size_t k) {
    return static_cast<std::size_t>(std::find(numbers.begin(), numbers.end(), k) - numbers.begin());
  };
  for (const std::size_t k : {spike, dip, std::size_t{0}, std::size_t{299'999}}) {
    ASSERT_LT(place(k), numbers.size()) << k;
    EXPECT_EQ(j["measures"][0]["values"][place(k)].get<double>(), plane(k));
    EXPECT_DOUBLE_EQ(j["axes"][0]["values"][place(k)].get<double>(),
                     static_cast<double>(k) / 299'999);
  }
  EXPECT_EQ(j["statuses"][place(17)], "unstable");
  EXPECT_EQ(j["failures"].size(), 6u);
  EXPECT_EQ(j["failure_groups"][0]["count"], 6);
  EXPECT_EQ(j["runs"], 300'000);
  EXPECT_EQ(j["finished"], 299'999);
  // in each piece the true least and greatest are among those that are kept
  const auto pieces = j["reduced"]["pieces"].get<std::size_t>();
  std::vector<double> least(pieces, 1e9), kept(pieces, 1e9);
  for (std::size_t k = 0; k < 300'000; ++k)
    if (k % 50'000 != 17 && k != missing)
      least[k * pieces / 300'000] = std::min(least[k * pieces / 300'000], plane(k));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (j["measures"][0]["values"][i].is_number())
      kept[numbers[i] * pieces / 300'000] = std::min(kept[numbers[i] * pieces / 300'000],
                                                     j["measures"][0]["values"][i].get<double>());
  EXPECT_EQ(least, kept);
}

TEST_F(StoredGrid, OfTwoAxesHasCellsWithMeanLeastAndGreatest) {
  const GridReport report =
      fill({{.parameter = "a", .first = 0, .last = 999, .points = 1000},
            {.parameter = "b", .first = 1, .last = 1000, .points = 300, .log = true}});
  const std::string text = grid_json(report);
  EXPECT_LT(text.size(), 4'000'000u);
  const auto j = nlohmann::json::parse(text);
  EXPECT_EQ(j["reduced"]["points"], nlohmann::json({1000, 300}));
  const auto wide = j["reduced"]["cells"][0].get<std::size_t>(),
             high = j["reduced"]["cells"][1].get<std::size_t>();
  ASSERT_EQ(j["axes"][0]["values"].size(), wide);
  ASSERT_EQ(j["measures"][0]["values"].size(), wide * high);
  struct Course {
    double sum = 0, count = 0, least = 1e9, greatest = -1e9;
  };
  std::vector<Course> truth(wide * high);
  for (std::size_t k = 0; k < 300'000; ++k) {
    if (k == missing || k % 50'000 == 17) continue;
    Course& c = truth[k % 1000 * wide / 1000 + wide * (k / 1000 * high / 300)];
    c.sum += plane(k);
    ++c.count;
    c.least = std::min(c.least, plane(k));
    c.greatest = std::max(c.greatest, plane(k));
  }
  for (std::size_t c = 0; c < truth.size(); ++c) {
    const auto& m = j["measures"][0];
    ASSERT_NEAR(m["values"][c].get<double>(), truth[c].sum / truth[c].count, 1e-6) << c;
    ASSERT_EQ(m["least"][c].get<double>(), truth[c].least) << c;
    ASSERT_EQ(m["greatest"][c].get<double>(), truth[c].greatest) << c;
  }
}

TEST_F(StoredGrid, WritesItsTablesRowByRow) {
  const GridReport report = fill({{.parameter = "a", .first = 0, .last = 999, .points = 1000},
                                  {.parameter = "b", .first = 1, .last = 2, .points = 300}});
  ASSERT_EQ(write_grid_csv(report, folder_ / "csv"), "");
  std::ifstream in{folder_ / "csv"};
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "a,b,status,plane,even,reason");
  std::size_t lines = 0;
  std::string failed, last;
  while (std::getline(in, line)) {
    if (lines++ == 17) failed = line;
    last = line;
  }
  EXPECT_EQ(lines, 299'999u);
  EXPECT_EQ(failed, "17,1,unstable,nan,nan,\"at t = 17, \"\"so\"\"\"");
  EXPECT_EQ(last, "999,2,done,249.75,nan,");

  ASSERT_EQ(write_grid_hdf5(report, folder_ / "h5"), "");
  const hid_t file = H5Fopen((folder_ / "h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const auto numbers = [&](const char* name, std::size_t size) {
    std::vector<double> values(size);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(data);
    return values;
  };
  const std::vector<double> values = numbers("values", 600'000),
                            found = numbers("measures", 600'000);
  for (std::size_t k = 0; k < 300'000; k += 7) {
    ASSERT_EQ(values[2 * k], static_cast<double>(k % 1000));
    if (k % 50'000 != 17 && k != missing) {
      ASSERT_EQ(found[2 * k], plane(k)) << k;
    } else {
      ASSERT_TRUE(std::isnan(found[2 * k])) << k;
    }
  }
  const hid_t data = H5Dopen2(file, "status", H5P_DEFAULT), type = H5Dget_type(data);
  ASSERT_EQ(H5Tget_size(type), 24u);
  std::string texts(300'000 * 24, '?');
  EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), 0);
  EXPECT_EQ(std::string{texts.c_str() + 24 * 17}, "unstable");
  EXPECT_EQ(std::string{texts.c_str() + 24 * 299'999}, "done");
  EXPECT_EQ(std::string{texts.c_str() + 24 * missing}, "");
  H5Tclose(type);
  H5Dclose(data);
  H5Fclose(file);
}

// Reasons and methods survive another process, and a line that was torn.
TEST_F(StoredGrid, KeepsReasonsAndMethods) {
  const RunIdentity who{{"who", "test"}};
  const std::string file = folder_ / "few", texts = file + ".texts";
  {
    RunStore store;
    ASSERT_EQ(store.open(file, who, 4, 1, false), "");
    ASSERT_EQ(
        store.write(
            2, {.status = "unstable", .reason = "two\tlines\n", .method = "rk4", .measures = {0}}),
        "");
    ASSERT_EQ(store.write(0, {.status = "done", .method = "rk4", .measures = {7}}), "");
  }
  std::ofstream{texts, std::ios::app} << "3\thalf a li";
  RunStore store;
  ASSERT_EQ(store.open(file, who, 4, 1, true), "");
  EXPECT_EQ(store.method(), "rk4");
  ASSERT_EQ(
      store.write(1, {.status = "stalled", .reason = "why", .method = "radau", .measures = {0}}),
      "");
  EXPECT_EQ(store.method(), "");
  EXPECT_FALSE(RunStore::is_complete(file));
  ASSERT_EQ(store.complete(4), "");
  EXPECT_TRUE(RunStore::is_complete(file));
  std::vector<std::string> reasons;
  ASSERT_EQ(
      store.for_each(0, 4, [&](const RunStore::Run& run) { reasons.emplace_back(run.reason); }),
      "");
  EXPECT_EQ(reasons, (std::vector<std::string>{"", "why", "two\tlines\n", ""}));
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
