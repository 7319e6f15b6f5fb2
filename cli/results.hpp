// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "taut/report/report.hpp"
#include "taut/report/writers.hpp"

namespace taut::cli {

/// Files of a run, and what went wrong with the others.
struct Written {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> problems;

  void add(const std::filesystem::path& file, const std::string& problem) {
    if (problem.empty())
      files.push_back(file);
    else
      problems.push_back(problem);
  }
};

/// The motion in each format that was asked for.
template <class AnyMotion>
void write_motion(const std::filesystem::path& out, const std::vector<std::string>& formats,
                  const AnyMotion& motion, Written& written) {
  const auto asked = [&](const char* format) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  if (asked("csv")) written.add(out / "motion.csv", write_motion_csv(motion, out / "motion.csv"));
  if (asked("h5")) written.add(out / "motion.h5", write_motion_hdf5(motion, out / "motion.h5"));
  if (asked("json"))
    written.add(out / "motion.json", write_motion_json(motion, out / "motion.json"));
}

/// What a run writes for its report, and the report.
constexpr const char* record_file = "record.bin";
constexpr const char* report_file = "report.html";

/// The record of the run, by `write`, and the report that is made from it; where none is wanted,
/// that of an earlier run goes.
template <class Write>
void add_report(const std::filesystem::path& out, bool wanted, Written& written, Write write) {
  const std::filesystem::path record = out / record_file, page = out / report_file;
  const std::string problem = write(record);
  written.add(record, problem);
  if (wanted && problem.empty()) {
    const RecordFound found = read_record(record);
    written.add(page, found.record ? write_report(*found.record, page) : found.problem);
  }
  if (wanted) return;
  std::error_code error;
  std::filesystem::remove(page, error);
  if (error) written.problems.push_back(page.string() + ": cannot be removed: " + error.message());
}

}  // namespace taut::cli
