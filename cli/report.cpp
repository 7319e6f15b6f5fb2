// SPDX-License-Identifier: BSD-3-Clause
#include "taut/report/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "common.hpp"
#include "results.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

class ReportCommand final : public Command {
 public:
  explicit ReportCommand(CLI::App& program)
      : Command{program, "report",
                "makes the page of a run again, from what the run has written, or one of two runs",
                "Example: taut report out/double_pendulum --out pendulum.html\n"
                "         taut report out/soft out/hard"} {
    app().add_option("DIR", folder_, "folder of a run")->required();
    app().add_option("OTHER", other_, "folder of another run: one page of both");
    app().add_option("--out", out_,
                     "the page (default DIR/report.html, of two runs two_runs.html)");
    app().add_flag("--json", json_, "print what was written as JSON");
  }

  int run() override;

 private:
  /// The record of a run in a folder; else what is wrong with it.
  [[nodiscard]] RecordFound record_in(const fs::path& folder) const;

  fs::path folder_, other_, out_;
  bool json_ = false;
};

RecordFound ReportCommand::record_in(const fs::path& folder) const {
  std::error_code ignored;  // what cannot be looked at is not there
  if (!fs::is_directory(folder, ignored))
    return {.record = {}, .problem = fmt::format("{}: there is no such folder", folder.string())};
  const fs::path record = folder / record_file;
  if (!fs::exists(record, ignored))
    return {.record = {},
            .problem =
                fmt::format("{} has no {}: it is not the folder of a run, or the run is not over; "
                            "'taut run MODEL --out {}' makes one",
                            folder.string(), record_file, folder.string())};
  if (fs::equivalent(out_, record, ignored))
    return {.record = {},
            .problem = fmt::format("--out {}: the page would replace what it is made from",
                                   out_.string())};
  return read_record(record);
}

int ReportCommand::run() {
  const bool two = !other_.empty();
  const RecordFound found = record_in(folder_);
  if (!found.record) return report_bad_input(found.problem, json_);
  const RecordFound second = two ? record_in(other_) : RecordFound{};
  if (two && !second.record) return report_bad_input(second.problem, json_);
  const fs::path page = !out_.empty() ? out_
                        : two         ? fs::path{"two_runs.html"}
                                      : folder_ / report_file;

  const std::string problem = two ? write_report_of_two(*found.record, *second.record, page)
                                  : write_report(*found.record, page);
  if (json_) {
    nlohmann::ordered_json result{{"status", problem.empty() ? "done" : "failed"}};
    result[problem.empty() ? "file" : "reason"] = problem.empty() ? page.string() : problem;
    fmt::print("{}\n", result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else if (problem.empty()) {
    fmt::print("written       {}\n", page.string());
  }
  if (!problem.empty()) fmt::print(stderr, "taut: {}\n", problem);
  return problem.empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> report_command(CLI::App& program) {
  return std::make_unique<ReportCommand>(program);
}

}  // namespace taut::cli
