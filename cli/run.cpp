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
void write_statistics(const fs::path& out, const Summary& summary, Written& written) {
  for (const StatisticResult& statistic : summary.statistics)
    if (const fs::path file = out / statistic_file(statistic); !statistic.columns.empty())
      written.add(file, write_statistic_csv(statistic, file));
  if (!summary.statistics.empty())
    written.add(out / "statistics.json",
                write_statistics_json(summary.statistics, out / "statistics.json"));
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
  [[nodiscard]] Written write(const Result& result) const;
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
  const Result result = compute(std::move(made), arguments_.quiet);
  if (!arguments_.quiet && result.curve && result.plan->curve->choice.status == Status::ok)
    report_start(result.plan->curve->choice.start);
  return result.curve ? finish(result, result.curve->summary, result.curve->motion)
                      : finish(result, result.summary, result.motion);
}

Written RunCommand::write(const Result& result) const {
  Written written;
  const Plan& plan = *result.plan;
  const ReportSubject subject{.file = arguments_.model.file.string(),
                              .text = plan.prepared.model.text,
                              .version = std::string{version()},
                              .scene = plan.prepared.compiled.scene,
                              .tolerance = plan.tolerance(),
                              .own_units = !result.curve && states_own_units(plan.prepared.model)};
  remove_earlier_statistics(out());
  const bool report = !arguments_.no_report && parts().pages;
  if (!arguments_.no_report && !report)
    fmt::print(stderr, "no report.html: this taut was built without its pages (taut_PAGES)\n");
  if (result.curve) {
    write_motion(out(), arguments_.formats, result.curve->motion, written);
    add_report(out(), report, written, [&](const fs::path& file) {
      return write_record(result.curve->motion, result.curve->summary, subject, file);
    });
  } else {
    write_motion(out(), arguments_.formats, result.motion, written);
    write_statistics(out(), result.summary, written);
    add_report(out(), report, written, [&](const fs::path& file) {
      return write_record(result.motion, result.summary, facts_of(plan.system.structure()), subject,
                          file);
    });
  }
  return written;
}

template <class AnySummary, class AnyMotion>
int RunCommand::finish(const Result& result, const AnySummary& summary,
                       const AnyMotion& motion) const {
  Written written = write(result);
  // the summary last: where it is, the rest is, too
  written.add(out() / "summary.json", write_summary_json(summary, out() / "summary.json"));
  std::error_code ignored;  // a checkpoint that stays is harmless: its identity is checked
  if (written.problems.empty() && !may_continue(summary.status))
    fs::remove(out() / "checkpoint.bin", ignored);

  if (arguments_.model.json)
    fmt::print("{}", summary_json(summary));
  else if (!arguments_.quiet)
    print_summary(summary, motion, written.files);
  if (!arguments_.quiet && !result.curve)
    report_start(result.summary.moved, result.summary.redundant);
  if (!summary.good()) {
    fmt::print(stderr, "taut: {}: {}\n", name(summary.status), summary.message);
    if (!summary.hint.empty()) fmt::print(stderr, "    {}\n", summary.hint);
  }
  for (const std::string& problem : written.problems) fmt::print(stderr, "taut: {}\n", problem);
  return summary.good() && written.problems.empty() ? done : failed;
}

}  // namespace

std::unique_ptr<Command> run_command(CLI::App& program) {
  return std::make_unique<RunCommand>(program);
}

}  // namespace taut::cli
