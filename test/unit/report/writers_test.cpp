// SPDX-License-Identifier: BSD-3-Clause
// What is written is read back with other code, to the same bits.
#include "taut/report/writers.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/notes.hpp"
#include "run/atomic_file.hpp"

namespace taut {
namespace {

namespace fs = std::filesystem;

// numbers that are hard to print
const std::vector<double> awkward{0.1,
                                  -0.0,
                                  1.0 / 3,
                                  5e-324,
                                  std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::min(),
                                  1e23,
                                  9007199254740993.0,
                                  -2.2250738585072011e-308,
                                  6.02214076e23,
                                  123456789.123456789};

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

Motion awkward_motion() {
  Motion motion;
  motion.coordinates = {"bob, the \"first\"", "\xc3\xa9lan.x"};
  motion.velocities = {"v(bob)", "\xc3\xa9lan.vx"};
  motion.constraints = {"rod 1"};
  Frame frame;
  frame.state.q.resize(2);
  frame.state.v.resize(2);
  frame.lambda.resize(1);
  for (std::size_t k = 0; k < awkward.size(); ++k) {
    const auto next = [&](std::size_t shift) { return awkward[(k + shift) % awkward.size()]; };
    frame.state.t = static_cast<double>(k) / 7;
    frame.state.q << next(0), next(1);
    frame.state.v << next(2), next(3);
    frame.lambda << next(4);
    frame.kinetic_energy = next(5);
    frame.max_constraint = next(6);
    frame.max_velocity_constraint = next(7);
    frame.step = 0.1;
    motion.append(frame);
  }
  return motion;
}

class Writers : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "taut-report-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string read(const fs::path& file) const {
    std::ifstream in{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{in}, {}};
  }

  fs::path folder_;
};

// a reader of RFC 4180
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool inside = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (inside && c == '"' && k + 1 < text.size() && text[k + 1] == '"')
      rows.back().back() += text[++k];
    else if (c == '"')
      inside = !inside;
    else if (!inside && c == ',')
      rows.back().emplace_back();
    else if (!inside && c == '\n')
      rows.push_back({""});
    else
      rows.back().back() += c;
  }
  rows.pop_back();
  return rows;
}

TEST_F(Writers, CsvReadsBackToTheSameBits) {
  const Motion motion = awkward_motion();
  ASSERT_EQ(write_motion_csv(motion, folder_ / "motion.csv"), "");
  const auto rows = parse_csv(read(folder_ / "motion.csv"));
  ASSERT_EQ(rows.size(), motion.rows() + 1);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"t", motion.coordinates[0], motion.coordinates[1],
                                      motion.velocities[0], motion.velocities[1], "lambda(rod 1)",
                                      "energy", "max_constraint", "max_velocity_constraint", "step",
                                      "kinetic_energy", "potential_energy", "work"}));
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    const auto number = [&](std::size_t column) {
      return std::strtod(rows[k + 1][column].c_str(), nullptr);
    };
    EXPECT_TRUE(same_bits(number(0), motion.t[k]));
    EXPECT_TRUE(same_bits(number(1), motion.q[2 * k]));
    EXPECT_TRUE(same_bits(number(2), motion.q[2 * k + 1]));
    EXPECT_TRUE(same_bits(number(4), motion.v[2 * k + 1]));
    EXPECT_TRUE(same_bits(number(5), motion.lambda[k]));
    EXPECT_TRUE(same_bits(number(6), motion.energy[k]));
    EXPECT_TRUE(same_bits(number(7), motion.max_constraint[k]));
  }
}

TEST_F(Writers, CsvHasAsManyDigitsAsAreAskedFor) {
  const Motion motion = awkward_motion();
  ASSERT_EQ(write_motion_csv(motion, folder_ / "short.csv", 3), "");
  const auto rows = parse_csv(read(folder_ / "short.csv"));
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    const double x = std::strtod(rows[k + 1][0].c_str(), nullptr);
    EXPECT_NEAR(x, motion.t[k], 5e-3 * std::abs(motion.t[k]));
    EXPECT_LE(rows[k + 1][6].size(), 10u);
  }
}

TEST_F(Writers, JsonReadsBackToTheSameBits) {
  const Motion motion = awkward_motion();
  ASSERT_EQ(write_motion_json(motion, folder_ / "motion.json"), "");
  const auto j = nlohmann::json::parse(read(folder_ / "motion.json"));
  for (std::size_t k = 0; k < motion.rows(); ++k) {
    EXPECT_TRUE(same_bits(j["q"][motion.coordinates[1]][k].get<double>(), motion.q[2 * k + 1]));
    EXPECT_TRUE(same_bits(j["lambda"]["rod 1"][k].get<double>(), motion.lambda[k]));
    EXPECT_TRUE(same_bits(j["t"][k].get<double>(), motion.t[k]));
  }
}

std::vector<double> read_h5(hid_t file, const char* name, std::vector<hsize_t>& size) {
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  size.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (!values.empty())
    H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(data);
  return values;
}

std::vector<std::string> read_h5_names(hid_t file, const char* name) {
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  const hid_t type = H5Dget_type(data);
  std::vector<char*> texts(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data());
  std::vector<std::string> names(texts.begin(), texts.end());
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(data);
  return names;
}

TEST_F(Writers, Hdf5ReadsBackToTheSameBits) {
  const Motion motion = awkward_motion();
  ASSERT_EQ(write_motion_hdf5(motion, folder_ / "motion.h5"), "");
  const hid_t file = H5Fopen((folder_ / "motion.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  std::vector<hsize_t> size;
  EXPECT_EQ(read_h5(file, "q", size), motion.q);
  EXPECT_EQ(size, (std::vector<hsize_t>{motion.rows(), 2}));
  EXPECT_EQ(read_h5(file, "lambda", size), motion.lambda);
  EXPECT_EQ(size, (std::vector<hsize_t>{motion.rows(), 1}));
  EXPECT_EQ(read_h5(file, "t", size), motion.t);
  EXPECT_EQ(size, (std::vector<hsize_t>{motion.rows()}));
  EXPECT_EQ(read_h5(file, "energy", size), motion.energy);
  EXPECT_EQ(read_h5_names(file, "names/q"), motion.coordinates);
  EXPECT_EQ(read_h5_names(file, "names/lambda"), motion.constraints);
  H5Fclose(file);
}

TEST_F(Writers, AMotionWithoutConstraintsOrRowsIsWritten) {
  Motion motion;
  motion.coordinates = {"x"};
  motion.velocities = {"v(x)"};
  EXPECT_EQ(write_motion_csv(motion, folder_ / "motion.csv"), "");
  EXPECT_EQ(write_motion_hdf5(motion, folder_ / "motion.h5"), "");
  EXPECT_EQ(write_motion_json(motion, folder_ / "motion.json"), "");
  EXPECT_EQ(parse_csv(read(folder_ / "motion.csv")).size(), 1u);
}

std::string numbered(std::string name, std::size_t k) {
  name += std::to_string(k);
  return name;
}

Summary awkward_summary() {
  Summary s;
  s.model = "a \"model\"\nwith \xc3\xa9";
  s.method = "rattle";
  for (std::size_t k = 0; k < awkward.size(); ++k) {
    s.coordinates.push_back(numbered("q", k));
    s.velocities.push_back(numbered("v", k));
  }
  s.state.t = 0.1;
  s.state.q = Eigen::Map<const Vec>(awkward.data(), static_cast<Index>(awkward.size()));
  s.state.v = -s.state.q;
  s.constraints = {"rod 1", "rod 2"};
  s.lambda = Vec{{1.5, NAN}};
  s.energy_error = INFINITY;
  s.events.push_back({"hit", {0.05, s.state.q, s.state.v}, true});
  s.invariant_errors = {{"momentum", 1e-15}};
  s.error_estimate = ErrorEstimate{.q = s.state.q.cwiseAbs(),
                                   .v = s.state.q.cwiseAbs(),
                                   .lambda = Vec{{0.5, NAN}},
                                   .t = {0.05, 0.1},
                                   .q_along = {4.0, 3.0},
                                   .v_along = {1.0, 2.0},
                                   .lambda_along = {0.25, 0.5},
                                   .companion = "tol 1e-10"};
  s.notes = {note<notes::resumed>(7)};
  return s;
}

TEST_F(Writers, SummaryReadsBackToTheSameBitsInOrder) {
  const Summary s = awkward_summary();
  ASSERT_EQ(write_summary_json(s, folder_ / "summary.json"), "");
  const std::string text = read(folder_ / "summary.json");
  EXPECT_EQ(text, summary_json(s));
  const auto j = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(j["status"], "done");
  EXPECT_EQ(j["model"], s.model);
  std::size_t k = 0;
  for (const auto& [name, value] : j["q"].items()) {
    EXPECT_EQ(name, s.coordinates[k]);
    EXPECT_TRUE(same_bits(value.get<double>(), awkward[k])) << name;
    ++k;
  }
  EXPECT_EQ(k, awkward.size());
  for (const char* field :
       {"hint", "reason", "t", "v", "lambda", "steps", "rejected", "force_evaluations",
        "jacobian_evaluations", "factorisations", "newton_iterations", "max_constraint",
        "max_velocity_constraint", "max_stretch", "energy_error", "wall_seconds"})
    EXPECT_TRUE(j.contains(field)) << field;
  EXPECT_EQ(j["events"][0]["name"], "hit");
  EXPECT_EQ(j["invariant_errors"]["momentum"], 1e-15);
  const auto& errors = j["error_estimate"];
  EXPECT_EQ(errors["companion"], "tol 1e-10");
  EXPECT_EQ(errors["at_end"]["q"], 3.0);
  EXPECT_EQ(errors["along_run"]["q"], 4.0);
  EXPECT_EQ(errors["along_run"]["lambda"], 0.5);
  EXPECT_EQ(errors["lambda"]["rod 1"], 0.5);
  EXPECT_EQ(j["no_error_estimate"], "");
}

// What is added to Summary::fields() is written; a user finds it in the manual.
TEST_F(Writers, EveryFieldOfTheSummaryStandsInTheManual) {
  const std::string page = read(taut_SOURCE_DIR "/docs/manual/running.md");
  const auto j = nlohmann::ordered_json::parse(summary_json(awkward_summary()));
  for (const auto& [name, value] : j.items())
    EXPECT_NE(page.find("`" + name), std::string::npos) << name;
  EXPECT_GT(j.size(), 30u);
}

TEST_F(Writers, WhatIsNotFiniteIsNullAndNoted) {
  const auto j = nlohmann::json::parse(summary_json(awkward_summary()));
  EXPECT_EQ(j["lambda"]["rod 1"], 1.5);
  EXPECT_TRUE(j["lambda"]["rod 2"].is_null());
  EXPECT_TRUE(j["energy_error"].is_null());
  EXPECT_TRUE(j["error_estimate"]["lambda"]["rod 2"].is_null());
  EXPECT_EQ(j["notes"].size(), 4u);
  EXPECT_EQ(j["notes"][0], "resumed at step 7");
  ASSERT_EQ(j["note_codes"].size(), 4u);
  EXPECT_EQ(j["note_codes"][0], nlohmann::json::parse(R"({"code": "resumed", "steps": 7})"));
  EXPECT_EQ(j["note_codes"][1]["code"], "values-not-finite");
  EXPECT_EQ(j["note_codes"][1]["where"], "lambda");
}

TEST(SupportedDigits, AreThoseThatAnErrorLeaves) {
  EXPECT_EQ(supported_digits(-0.4462293902348296, 1.4e-5), "-0.4462");
  EXPECT_EQ(supported_digits(-0.4462293902348296, 1e-5), "-0.44623");
  EXPECT_EQ(supported_digits(19.72394063553841, 4.8e-4), "19.724");
  EXPECT_EQ(supported_digits(20.0, 0.5), "20");
  EXPECT_EQ(supported_digits(1234.5, 60), "1.2e+03");
  EXPECT_EQ(supported_digits(1234.5, 600), "1e+03");
  EXPECT_EQ(supported_digits(1.0, 1e-6), "1.000000");
  EXPECT_EQ(supported_digits(3e-9, 1e-12), "3.000e-09");
  // nothing is left
  EXPECT_EQ(supported_digits(0.0, 1e-16), "0 +- 1e-16");
  EXPECT_EQ(supported_digits(0.7, 0.9), "0 +- 2e+00");
  EXPECT_EQ(supported_digits(-1e-5, 1.5e-5), "0 +- 3e-05");
  // everything is
  EXPECT_EQ(supported_digits(0.1, 0.0), "0.1");
  EXPECT_EQ(supported_digits(1.0 / 3, 1e-20), "0.3333333333333333");
  EXPECT_EQ(supported_digits(1.5, NAN), "1.5");
  EXPECT_EQ(supported_digits(NAN, 1e-3), "nan");
}

TEST_F(Writers, NamesThatAreNotUtf8DoNotThrow) {
  Summary s = awkward_summary();
  s.coordinates[0] = "\xff\xfe";
  EXPECT_NO_THROW(EXPECT_TRUE(nlohmann::json::accept(summary_json(s))));
}

TEST_F(Writers, AFailureSaysThePathAndLeavesNothing) {
  const Motion motion = awkward_motion();
  const fs::path nowhere = folder_ / "missing" / "motion";
  for (const std::string& problem :
       {write_motion_csv(motion, nowhere), write_motion_hdf5(motion, nowhere),
        write_motion_json(motion, nowhere), write_summary_json(awkward_summary(), nowhere)}) {
    EXPECT_NE(problem.find("missing"), std::string::npos) << problem;
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Writers, AFileThatCannotBeReplacedStays) {
  // a folder stands where the file should go
  fs::create_directory(folder_ / "summary.json");
  std::ofstream{folder_ / "summary.json" / "keep"} << "kept";
  EXPECT_NE(write_file(folder_ / "summary.json", "new"), "");
  EXPECT_EQ(read(folder_ / "summary.json" / "keep"), "kept");

  ASSERT_EQ(write_file(folder_ / "file", "old"), "");
  ASSERT_EQ(write_file(folder_ / "file", "new"), "");
  EXPECT_EQ(read(folder_ / "file"), "new");
  {
    const AtomicFile abandoned{folder_ / "file"};
    std::ofstream{abandoned.part()} << "half";
  }
  EXPECT_EQ(read(folder_ / "file"), "new");
  for (const auto& entry : fs::directory_iterator{folder_})
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST(SummaryJson, IsLinearInTheNumberOfCoordinates) {
  // a quadratic writer would take minutes here
  Summary s;
  const Index n = 200'000;
  for (std::size_t i = 0; i < 200'000; ++i) {
    s.coordinates.push_back(numbered("x", i));
    s.velocities.push_back(numbered("vx", i));
  }
  s.state.q = Vec::Random(n);
  s.state.v = Vec::Random(n);
  EXPECT_GT(summary_json(s).size(), 5'000'000u);
}

}  // namespace
}  // namespace taut
