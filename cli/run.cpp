// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "command.hpp"
#include "ensemble.hpp"
#include "interrupt.hpp"
#include "jets.hpp"
#include "motion_arguments.hpp"
#include "progress.hpp"
#include "rerun.hpp"
#include "results.hpp"
#include "run_table.hpp"
#include "taut/gradients/sensitivities.hpp"
#include "taut/report/lyapunov.hpp"
#include "taut/report/report.hpp"
#include "taut/report/section.hpp"
#include "taut/report/sensitivity.hpp"
#include "taut/report/writers.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/version.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

struct RunArguments : MotionArguments {
  fs::path out;
  std::vector<std::string> formats{"csv"};
  std::vector<std::string> sensitivity;
  std::string section;
  std::optional<int> lyapunov;
  double checkpoint_every = 5.0;
  bool resume = false, quiet = false, no_report = false, watch = false;
  std::optional<bool> error_estimate;
  std::optional<int> digits;
  EnsembleArguments ensemble;

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
  app.add_option("--sensitivity", sensitivity,
                 "derivatives of the motion by parameters, inputs and start values, as columns: "
                 "k,m,start(bob.x); start: all start values")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--lyapunov", lyapunov,
                 "Lyapunov's exponents of the motion, so many, the largest first; 0: all")
      ->check(CLI::Range(0, 100000));
  app.add_option("--section", section,
                 "Poincare's section: where this expression passes zero upwards, such as bob.x, or "
                 "sin(w*t) of a motion that is driven");
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
  app.add_option("--digits", digits,
                 "of numbers that are printed (default 8, and no more than are known) and of the "
                 "CSV (default: all)")
      ->check(CLI::Range(1, 17));
  app.add_flag("--quiet", quiet, "print nothing but failures");
  app.add_flag("--watch", watch,
               "run again whenever the model, or a file that it names, is saved; the page is read "
               "again when it is looked at");
  ensemble.add_to(app);
  // that of projected-rk, or of what is drawn
  const std::string of_directions = app.get_option("--distribution")->get_description();
  app.remove_option(app.get_option("--distribution"));
  app.add_option("--distribution", ensemble.distributions,
                 of_directions +
                     "; of --ensemble: NAME=uniform(A,B), normal(MEAN,DEVIATION), "
                     "lognormal(MEAN,DEVIATION), triangular(A,MODE,B), of a parameter, an input or "
                     "start(NAME), may be repeated")
      ->allow_extra_args(false);
}

// Options that say nothing where there is one run, or where there are many.
void check_ensemble(const CLI::App& app, RunArguments& arguments, Problems& problems) {
  const auto refuse = [&](const std::vector<const char*>& names, const char* why) {
    for (const char* name : names)
      if (app.get_option(name)->count() > 0) problems.add({}, name, why, "leave it out");
  };
  if (arguments.ensemble.asked()) {
    refuse({"--lyapunov", "--section", "--sensitivity", "--resume", "--error-estimate", "--digits"},
           "is for one run, not for --ensemble");
    return;
  }
  refuse({"--spread", "--correlation", "--sampling", "--quantiles", "--threads"},
         "is for --ensemble N");
  const std::vector<std::string>& given = arguments.ensemble.distributions;
  if (given.empty()) return;
  arguments.curve.distribution = given.front();
  std::vector<std::string> known;
  for (const auto& [word, value] : distribution_choices()) known.emplace_back(word);
  if (given.size() > 1 || std::find(known.begin(), known.end(), given.front()) == known.end())
    problems.add({}, "--distribution " + given.front(), "is none of projected-rk",
                 fmt::format("give one of {}; distributions of numbers are for --ensemble N",
                             fmt::join(known, ", ")));
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

/// What is found along a run besides its motion.
struct Along {
  std::optional<DifferentiatedRun> differentiated;
  std::optional<LyapunovExponents> lyapunov;
  std::optional<Section> section;
};

Result compute(Plan plan, const RunArguments& arguments, Problems& problems, Along& along) {
  const ProgressLine progress{arguments.quiet};
  plan.watch(&catch_interrupts(), progress.callback());
  if (!arguments.section.empty()) make_room_for_section(plan);
  if (!arguments.sensitivity.empty()) {
    along.differentiated = differentiate(std::move(plan), arguments.sensitivity, problems);
    return along.differentiated->result;
  }
  if (arguments.lyapunov) {
    LyapunovRun run = taut::lyapunov(std::move(plan), *arguments.lyapunov, problems);
    along.lyapunov = std::move(run.lyapunov);
    return std::move(run.result);
  }
  Result result = simulate(std::move(plan));
  // who asks for statistics does not ask where things are
  constexpr double quick = 1.0;
  const Plan& done = *result.plan;
  if (!done.error_estimate && !done.curve && done.run.samplers.empty())
    estimate_errors(result, quick);
  return result;
}

// at the end of the run
void print_derivatives(const DifferentiatedRun& run, int digits) {
  const Sensitivities& s = run.sensitivities;
  const Motion& motion = run.result.motion;
  constexpr std::size_t most = 30;
  std::size_t lines = 0;
  const auto print = [&](const std::vector<std::string>& what, const Mat& of) {
    for (std::size_t i = 0; i < what.size(); ++i)
      for (std::size_t j = 0; j < s.names.size(); ++j)
        if (lines++ < most)
          fmt::print("  {:<24}  {:.{}g}\n", fmt::format("d({})/d({})", what[i], s.names[j]),
                     of(static_cast<Index>(i), static_cast<Index>(j)), digits);
  };
  fmt::print("\nderivatives at the end:\n");
  print(motion.coordinates, s.end.q);
  print(motion.velocities, s.end.v);
  std::vector<std::string> loads;
  for (const std::string& row : motion.constraints) loads.push_back(fmt::format("lambda({})", row));
  print(loads, s.end.lambda);
  if (lines > most) fmt::print("  and {} more in sensitivity.json\n", lines - most);
  for (const EventSensitivity& event : s.events)
    for (std::size_t j = 0; j < s.names.size(); ++j)
      if (lines++ < 2 * most)
        fmt::print("  {:<24}  {:.{}g}  at t = {:.6g}\n",
                   fmt::format("d(t of {})/d({})", event.name, s.names[j]),
                   event.time[static_cast<Index>(j)], digits, event.t);
}

void print_exponents(const LyapunovExponents& found) {
  fmt::print("\nLyapunov's exponents [1/s]:\n");
  for (std::size_t k = 0; k < found.exponents.size(); ++k)
    fmt::print("  {:>4}  {:>16.8g} +- {:.2g}\n", k + 1, found.exponents[k], found.errors[k]);
  if (!std::isnan(found.sum)) fmt::print("  sum   {:>16.8g}\n", found.sum);
  if (!std::isnan(found.kaplan_yorke))
    fmt::print("  dimension of Kaplan and Yorke {:.6g}\n", found.kaplan_yorke);
}

class RunCommand final : public Command {
 public:
  explicit RunCommand(CLI::App& program)
      : Command{program, "run", "computes the motion of a model",
                "Example: taut run models/pendulum.toml --set g=1.62 --until 20 --every 0.1"} {
    arguments_.add_to(app());
    arguments_.model.jets = true;
  }

  int run() override {
    return arguments_.watch ? rerun(arguments_.model.file, [this] { return once(); }) : once();
  }

 private:
  [[nodiscard]] int once();
  void write(const Result& result, Results& results) const;
  void write_along(const Result& result, Results& results) const;
  template <class AnySummary, class AnyMotion>
  [[nodiscard]] int finish(const Result& result, const AnySummary& summary,
                           const AnyMotion& motion) const;
  [[nodiscard]] fs::path out() const {
    return arguments_.out.empty() ? fs::path{"out"} / arguments_.model.file.stem() : arguments_.out;
  }

  RunArguments arguments_;
  Along along_;
};

int RunCommand::once() {
  const bool json = arguments_.model.json;
  Problems problems{arguments_.model.file.string()};
  Model model = read_model(arguments_.model, problems);
  if (model.text.empty() && !problems.empty()) return report_bad_input(problems, json);
  if (!arguments_.section.empty()) add_section(arguments_.section, model);
  if (arguments_.lyapunov && !arguments_.sensitivity.empty())
    problems.add({}, "--lyapunov", "is asked for with --sensitivity", "run them one by one");
  check_ensemble(app(), arguments_, problems);
  if (arguments_.ensemble.asked())
    return run_ensemble(arguments_.ensemble, arguments_, std::move(model), arguments_.formats,
                        out(), !arguments_.no_report && parts().pages, arguments_.quiet, problems);
  SimulationOptions options = arguments_.options(problems);
  options.error_estimate = arguments_.error_estimate;
  PreparedModel prepared = taut::prepare(model, options, problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  Plan made = plan(std::move(prepared), options, problems);
  if (made.curve && !arguments_.section.empty())
    problems.add({}, "--section", "sections are those of mechanical models",
                 "leave it out, or state the model with [states]");
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
  Result result = compute(std::move(made), arguments_, problems, along_);
  if (!problems.empty()) return report_bad_input(problems, json);
  if (!arguments_.section.empty() && !result.curve)
    along_.section = take_section(arguments_.section, result);
  if (!arguments_.quiet && result.curve && result.plan->curve->choice.status == Status::ok)
    report_start(result.plan->curve->choice.start);
  return result.curve ? finish(result, result.curve->summary, result.curve->motion)
                      : finish(result, result.summary, result.motion);
}

void RunCommand::write(const Result& result, Results& results) const {
  const Plan& plan = *result.plan;
  ReportSubject subject = subject_of(plan, arguments_.model.file.string());
  subject.watched = arguments_.watch;
  for (const std::string& name : earlier_statistics(out())) results.replaces(name);
  const bool report = !arguments_.no_report && parts().pages;
  if (!arguments_.no_report && !report)
    fmt::print(stderr, "no report.html: this taut was built without its pages (taut_PAGES)\n");
  if (result.curve) {
    write_motion(arguments_.formats, result.curve->motion, results, arguments_.digits.value_or(0));
    add_report(report, results, [&](const fs::path& file) {
      return write_record(result.curve->motion, result.curve->summary, subject, file);
    });
  } else {
    write_motion(arguments_.formats, result.motion, results, arguments_.digits.value_or(0));
    write_statistics(result.summary, results);
    add_report(report, results, [&](const fs::path& file) {
      return write_record(result.motion, result.summary, facts_of(plan.system.structure()), subject,
                          file);
    });
  }
}

void RunCommand::write_along(const Result& result, Results& results) const {
  const auto put = [&](bool there, const char* file, auto writer) {
    if (there)
      results.add(file, [&](const fs::path& place) { return writer(place.string()); });
    else
      results.replaces(file);
  };
  put(along_.lyapunov.has_value(), "lyapunov.json",
      [&](const std::string& file) { return write_lyapunov_json(*along_.lyapunov, file); });
  put(along_.section.has_value(), "section.csv",
      [&](const std::string& file) { return write_section_csv(*along_.section, file); });
  put(along_.section.has_value() && !arguments_.no_report && parts().pages, "section.html",
      [&](const std::string& file) { return write_section_html(*along_.section, result, file); });
}

template <class AnySummary, class AnyMotion>
int RunCommand::finish(const Result& result, const AnySummary& summary,
                       const AnyMotion& motion) const {
  // of a checkpoint that cannot be believed: what is there stays
  if (arguments_.resume && summary.status == Status::invalid_argument)
    return report_bad_input(summary.message, arguments_.model.json);
  Results results{out()};
  write(result, results);
  constexpr const char* derivatives_file = "sensitivity.json";
  if (along_.differentiated)
    results.add(derivatives_file, [&](const fs::path& file) {
      return write_sensitivity_json(*along_.differentiated, file);
    });
  else
    results.replaces(derivatives_file);
  write_along(result, results);
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
    print_summary(summary, motion, results.files(), arguments_.digits.value_or(8));
  if (along_.section && !arguments_.quiet && !arguments_.model.json)
    fmt::print("\nsection: {} points in section.csv\n", along_.section->t.size());
  const bool exponents_end = along_.lyapunov && summary.good() && !along_.lyapunov->good();
  if (along_.lyapunov && summary.good() && !arguments_.quiet && !arguments_.model.json)
    print_exponents(*along_.lyapunov);
  if (exponents_end) {
    fmt::print(stderr, "taut: {}\n", along_.lyapunov->reason);
    if (!along_.lyapunov->hint.empty()) fmt::print(stderr, "    {}\n", along_.lyapunov->hint);
  }
  const bool derivatives_end =
      along_.differentiated && summary.good() && !along_.differentiated->sensitivities.good();
  if (along_.differentiated && summary.good() && !derivatives_end && !arguments_.quiet &&
      !arguments_.model.json)
    print_derivatives(*along_.differentiated, arguments_.digits.value_or(8));
  if (derivatives_end)
    fmt::print(stderr, "taut: {}\n", along_.differentiated->sensitivities.message);
  else if (along_.differentiated && !along_.differentiated->sensitivities.message.empty())
    fmt::print(stderr, "note: {}\n", along_.differentiated->sensitivities.message);
  if (!arguments_.quiet && !result.curve)
    report_start(result.summary.moved, result.summary.redundant);
  if (!summary.good()) {
    fmt::print(stderr, "taut: {}: {}\n", name(summary.status), summary.message);
    if (!summary.hint.empty()) fmt::print(stderr, "    {}\n", summary.hint);
  }
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  return summary.good() && !derivatives_end && !exponents_end && results.problems().empty()
             ? done
             : failed;
}

}  // namespace

std::unique_ptr<Command> run_command(CLI::App& program) {
  return std::make_unique<RunCommand>(program);
}

}  // namespace taut::cli
