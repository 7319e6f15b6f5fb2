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

/// Makes the folder of the results, or says on standard error why it cannot be made.
[[nodiscard]] bool make_folder(const std::filesystem::path& folder);

/// A folder in which one run or sweep at a time is at work, as long as this lives or the program
/// runs. What a program that was killed has left there unfinished goes.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();
  /// Who works there, in words, where another one does; file systems that know no locks give the
  /// folder to everyone.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  int descriptor_;
  std::string problem_;
};

/// Results that belong together: all of them appear in their folder, or none does, and what stood
/// there stays. They are written to a folder inside of it, `results.PROCESS.part`, and put in place
/// when all of them are on the disk, in the order in which they were added.
class Results {
 public:
  explicit Results(std::filesystem::path folder);
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  ~Results();  ///< removes what was not put in place

  /// A file that write(place) writes; it returns what went wrong, or nothing.
  template <class Write>
  void add(const std::string& name, const Write& write) {
    if (!problems_.empty()) return;
    if (std::string problem = write(staged(name)); problem.empty())
      names_.push_back(name);
    else
      complain(problem);
  }
  /// Where an added file is until commit().
  [[nodiscard]] std::filesystem::path staged(const std::string& name) const {
    return stage_ / name;
  }
  /// A file of an earlier run that would not fit to these: it goes when they come.
  void replaces(const std::string& name) { earlier_.push_back(name); }

  /// Puts the files in place, unless something went wrong before.
  void commit();

  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  void complain(std::string problem);

  std::filesystem::path folder_, stage_;
  std::vector<std::string> names_, earlier_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> problems_;
};

/// The motion in each format that was asked for; those of earlier runs in others go. `digits` of
/// the CSV; 0: all.
template <class AnyMotion>
void write_motion(const std::vector<std::string>& formats, const AnyMotion& motion,
                  Results& results, int digits) {
  const auto put = [&](const char* format, auto write) {
    const std::string name = std::string{"motion."} + format;
    if (std::find(formats.begin(), formats.end(), format) == formats.end())
      results.replaces(name);
    else
      results.add(name, [&](const std::filesystem::path& file) { return write(motion, file); });
  };
  using std::filesystem::path;
  put("csv",
      [digits](const AnyMotion& m, const path& file) { return write_motion_csv(m, file, digits); });
  put("h5", [](const AnyMotion& m, const path& file) { return write_motion_hdf5(m, file); });
  put("json", [](const AnyMotion& m, const path& file) { return write_motion_json(m, file); });
}

/// What a run writes for its report, and the report.
constexpr const char* record_file = "record.bin";
constexpr const char* report_file = "report.html";

/// The record of the run, by `write`, and the report that is made from it; where none is wanted,
/// that of an earlier run goes.
template <class Write>
void add_report(bool wanted, Results& results, Write write) {
  results.add(record_file, write);
  if (!wanted) {
    results.replaces(report_file);
    return;
  }
  results.add(report_file, [&](const std::filesystem::path& page) {
    const RecordFound found = read_record(results.staged(record_file));
    return found.record ? write_report(*found.record, page) : found.problem;
  });
}

}  // namespace taut::cli
