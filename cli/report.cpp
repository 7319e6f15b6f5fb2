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
      : Command{program, "report", "makes the page of a run again, from what the run has written",
                "Example: taut report out/double_pendulum --out pendulum.html"} {
    app().add_option("DIR", folder_, "folder of a run")->required();
    app().add_option("--out", out_, "the page (default DIR/report.html)");
    app().add_flag("--json", json_, "print what was written as JSON");
  }

  int run() override;

 private:
  fs::path folder_, out_;
  bool json_ = false;
};

int ReportCommand::run() {
  std::error_code ignored;  // what cannot be looked at is not there
  if (!fs::is_directory(folder_, ignored))
    return report_bad_input(fmt::format("{}: there is no such folder", folder_.string()), json_);
  const fs::path record = folder_ / record_file;
  if (!fs::exists(record, ignored))
    return report_bad_input(
        fmt::format("{} has no {}: it is not the folder of a run, or the run is not over; "
                    "'taut run MODEL --out {}' makes one",
                    folder_.string(), record_file, folder_.string()),
        json_);
  const fs::path page = out_.empty() ? folder_ / report_file : out_;
  if (fs::equivalent(page, record, ignored))
    return report_bad_input(
        fmt::format("--out {}: the page would replace what it is made from", page.string()), json_);
  const RecordFound found = read_record(record);
  if (!found.record) return report_bad_input(found.problem, json_);

  const std::string problem = write_report(*found.record, page);
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
