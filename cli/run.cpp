// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "command.hpp"
#include "interrupt.hpp"
#include "jets.hpp"
#include "plan.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "run_table.hpp"
#include "taut/report/report.hpp"
#include "taut/report/writers.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments : MotionArguments {
  fs::path out;
  std::vector<std::string> formats{"csv"};
  double checkpoint_every = 5.0;
  bool resume = false, quiet = false, no_report = false;

  void add_to(CLI::App& app);
};

void RunArguments::add_to(CLI::App& app) {
  MotionArguments::add_to(app);
  app.add_option("--out", out, "folder for the results (default out/NAME)");
  app.add_option("--format", formats, "of the motion: csv, h5, json; several with commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"csv", "h5", "json"}));
  app.add_flag("--no-report", no_report, "write no report.html");
  app.add_flag("--resume", resume, "continue an interrupted run from its checkpoint");
  app.add_option("--checkpoint-every", checkpoint_every,
                 "wall time between checkpoints [s] (default 5; 0: every step)")
      ->check(not_negative());
  app.add_flag("--quiet", quiet, "print nothing but failures");
}

// the motion, and what was found from it
Written write_results(const fs::path& out, const std::vector<std::string>& formats,
                      const Motion& motion, const Summary& summary) {
  Written written;
  remove_earlier_statistics(out);
  write_motion(out, formats, motion, written);
  for (const StatisticResult& statistic : summary.statistics)
    if (const fs::path file = out / statistic_file(statistic); !statistic.columns.empty())
      written.add(file, write_statistic_csv(statistic, file));
  if (!summary.statistics.empty())
    written.add(out / "statistics.json",
                write_statistics_json(summary.statistics, out / "statistics.json"));
  return written;
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
  /// Fills plan.options.checkpoint; what is wrong with the checkpoint, or nothing.
  [[nodiscard]] std::string prepare_checkpoint(const Loaded& loaded, Plan& plan) const;
  [[nodiscard]] int finish(const Loaded& loaded, const Plan& plan, const Summary& summary,
                           const Motion& motion) const;
  [[nodiscard]] fs::path out() const {
    return arguments_.out.empty() ? fs::path{"out"} / arguments_.model.file.stem() : arguments_.out;
  }

  RunArguments arguments_;
};

std::string RunCommand::prepare_checkpoint(const Loaded& loaded, Plan& plan) const {
  CheckpointOptions& checkpoint = plan.options.checkpoint;
  checkpoint.file = out() / "checkpoint.bin";
  checkpoint.seconds = arguments_.checkpoint_every;
  checkpoint.identity = identity(arguments_, loaded, plan);
  return arguments_.resume ? find_resumption(checkpoint, plan.notes) : std::string{};
}

int RunCommand::run() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  const Loaded loaded =
      load(arguments_.model, problems, [&](Model& model) { arguments_.edit(model); });
  if (!problems.empty()) return report_bad_input(problems, json);
  if (loaded.compiled.jets)
    return run_jets(app(), loaded,
                    {.model = arguments_.model,
                     .curve = arguments_.curve,
                     .out = out(),
                     .formats = arguments_.formats,
                     .max_steps = arguments_.max_steps,
                     .max_seconds = arguments_.max_seconds,
                     .checkpoint_every = arguments_.checkpoint_every,
                     .resume = arguments_.resume,
                     .quiet = arguments_.quiet,
                     .report = !arguments_.no_report});
  Plan plan = make_plan(arguments_, loaded, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  if (const std::string problem = prepare_checkpoint(loaded, plan); !problem.empty())
    return report_bad_input(problem, json);

  // with or without a report: numbers of the summary do not depend on it
  plan.options.extremes = true;
  plan.options.cancel = &catch_interrupts();
  std::error_code error;
  fs::create_directories(out(), error);
  if (error) {
    fmt::print(stderr, "taut: {}: cannot be created: {}\n", out().string(), error.message());
    return failed;
  }

  Motion motion;
  Summary summary;
  {
    const ProgressLine progress{arguments_.quiet};
    plan.options.progress = progress.callback();
    summary = carry_out(arguments_, loaded, plan, motion);
  }
  return finish(loaded, plan, summary, motion);
}

int RunCommand::finish(const Loaded& loaded, const Plan& plan, const Summary& summary,
                       const Motion& motion) const {
  Written written = write_results(out(), arguments_.formats, motion, summary);
  add_report(out(), !arguments_.no_report, written, [&](const fs::path& file) {
    return write_report(motion, summary, plan.system.structure(),
                        {.file = arguments_.model.file.string(),
                         .text = loaded.text,
                         .version = TAUT_VERSION,
                         .scene = loaded.compiled.scene,
                         .tolerance = plan.method.adaptive ? plan.tol : 0.0,
                         .own_units = states_own_units(loaded.model)},
                        file);
  });
  // the summary last: where it is, the rest is, too
  written.add(out() / "summary.json", write_summary_json(summary, out() / "summary.json"));
  std::error_code ignored;  // a checkpoint that stays is harmless: its identity is checked
  if (written.problems.empty() && !may_continue(summary.status))
    fs::remove(plan.options.checkpoint.file, ignored);

  if (arguments_.model.json)
    fmt::print("{}", summary_json(summary));
  else if (!arguments_.quiet)
    print_summary(summary, motion, written.files);
  if (!arguments_.quiet) report_start(summary.moved, summary.redundant);
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
