// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>

#include "command.hpp"
#include "interrupt.hpp"
#include "jets.hpp"
#include "motion_arguments.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "run_table.hpp"
#include "taut/report/report.hpp"
#include "taut/report/writers.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/version.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments : MotionArguments {
  fs::path out;
  std::vector<std::string> formats{"csv"};
  double checkpoint_every = 5.0;
  bool resume = false, quiet = false, no_report = false;
  std::optional<bool> error_estimate;

  void add_to(CLI::App& app);
};

void RunArguments::add_to(CLI::App& app) {
  MotionArguments::add_to(app);
  app.add_option("--out", out, "folder for the results (default out/NAME)");
  app.add_option("--format", formats, "of the motion: csv, h5, json; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"csv", "h5", "json"}))
      ->check(built_in());
  app.add_flag("--no-report", no_report, "write no report.html; 'taut report' makes it later");
  app.add_flag("--resume", resume, "continue an interrupted run from its checkpoint");
  app.add_option("--checkpoint-every", checkpoint_every,
                 "wall time between checkpoints [s] (default 5; 0: every step)")
      ->check(not_negative());
  app.add_flag_function(
      "--error-estimate,!--no-error-estimate",
      [this](std::int64_t given) { error_estimate = given > 0; },
      "estimate global errors by a second run, however long; absent: where it takes less "
      "than a second");
  app.add_flag("--quiet", quiet, "print nothing but failures");
}

// of a mechanical run besides its motion
void write_statistics(const Summary& summary, Results& results) {
  for (const StatisticResult& statistic : summary.statistics)
    if (!statistic.columns.empty())
      results.add(statistic_file(statistic),
                  [&](const fs::path& file) { return write_statistic_csv(statistic, file); });
  if (!summary.statistics.empty())
    results.add("statistics.json", [&](const fs::path& file) {
      return write_statistics_json(summary.statistics, file);
    });
}

Result compute(Plan plan, bool quiet) {
  const ProgressLine progress{quiet};
  plan.watch(&catch_interrupts(), progress.callback());
  Result result = simulate(std::move(plan));
  // who asks for statistics does not ask where things are
  constexpr double quick = 1.0;
  const Plan& done = *result.plan;
  if (!done.error_estimate && !done.curve && done.run.samplers.empty())
    estimate_errors(result, quick);
  return result;
}

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& program)
      : Command{program, "run", "computes the motion of a model",
                "Example: taut run models/pendulum.toml --set g=1.62 --until 20 --every 0.1"} {
    arguments_.add_to(app());
    arguments_.model.jets = true;
  }

  int run() override;

 private:
  void write(const Result& result, Results& results) const;
  template <class AnySummary, class AnyMotion>
  [[nodiscard]] int finish(const Result& result, const AnySummary& summary,
                           const AnyMotion& motion) const;
  [[nodiscard]] fs::path out() const {
    return arguments_.out.empty() ? fs::path{"out"} / arguments_.model.file.stem() : arguments_.out;
  }

  RunArguments arguments_;
};

int RunCommand::run() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  const Model model = read_model(arguments_.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  SimulationOptions options = arguments_.options(problems);
  options.error_estimate = arguments_.error_estimate;
  PreparedModel prepared = taut::prepare(model, options, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  Plan made = plan(std::move(prepared), options, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  if (const std::string problem = made.keep_checkpoints(
          out() / "checkpoint.bin", arguments_.checkpoint_every, arguments_.resume);
      !problem.empty())
    return report_bad_input(problem, json);

  std::error_code error;
  fs::create_directories(out(), error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out().string(), error.message());
    return failed;
  }
  const FolderLock lock{out()};
  if (!lock.problem().empty()) return report_bad_input(lock.problem(), json);
  const Result result = compute(std::move(made), arguments_.quiet);
  if (!arguments_.quiet && result.curve && result.plan->curve->choice.status == Status::ok)
    report_start(result.plan->curve->choice.start);
  return result.curve ? finish(result, result.curve->summary, result.curve->motion)
                      : finish(result, result.summary, result.motion);
}

void RunCommand::write(const Result& result, Results& results) const {
  const Plan& plan = *result.plan;
  const ReportSubject subject{.file = arguments_.model.file.string(),
                              .text = plan.prepared.model.text,
                              .version = std::string{version()},
                              .scene = plan.prepared.compiled.scene,
                              .tolerance = plan.tolerance(),
                              .own_units = !result.curve && states_own_units(plan.prepared.model)};
  for (const std::string& name : earlier_statistics(out())) results.replaces(name);
  const bool report = !arguments_.no_report && parts().pages;
  if (!arguments_.no_report && !report)
    fmt::print(stderr, "no report.html: this taut was built without its pages (taut_PAGES)\n");
  if (result.curve) {
    write_motion(arguments_.formats, result.curve->motion, results);
    add_report(report, results, [&](const fs::path& file) {
      return write_record(result.curve->motion, result.curve->summary, subject, file);
    });
  } else {
    write_motion(arguments_.formats, result.motion, results);
    write_statistics(result.summary, results);
    add_report(report, results, [&](const fs::path& file) {
      return write_record(result.motion, result.summary, facts_of(plan.system.structure()), subject,
                          file);
    });
  }
}

template <class AnySummary, class AnyMotion>
int RunCommand::finish(const Result& result, const AnySummary& summary,
                       const AnyMotion& motion) const {
  // of a checkpoint that cannot be believed: what is there stays
  if (arguments_.resume && summary.status == Status::invalid_argument)
    return report_bad_input(summary.message, arguments_.model.json);
  Results results{out()};
  write(result, results);
  // the summary last: where it is, the rest is, too
  results.add("summary.json",
              [&](const fs::path& file) { return write_summary_json(summary, file); });
  results.commit();
  std::error_code ignored;  // a checkpoint that stays is harmless: its identity is checked
  if (results.problems().empty() && !may_continue(summary.status))
    fs::remove(out() / "checkpoint.bin", ignored);

  if (arguments_.model.json)
    fmt::print("{}", summary_json(summary));
  else if (!arguments_.quiet)
    print_summary(summary, motion, results.files());
  if (!arguments_.quiet && !result.curve)
    report_start(result.summary.moved, result.summary.redundant);
  if (!summary.good()) {
    fmt::print(stderr, "taut: {}: {}\n", name(summary.status), summary.message);
    if (!summary.hint.empty()) fmt::print(stderr, "    {}\n", summary.hint);
  }
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return summary.good() && results.problems().empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> run_command(CLI::App& program) {
  return std::make_unique<RunCommand>(program);
}

}  // namespace taut::cli
