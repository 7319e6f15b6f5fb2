// SPDX-License-Identifier: BSD-3-Clause
// taut sweep with measures of runs
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "sweep_arguments.hpp"
#include "taut/core/threads.hpp"
#include "taut/core/wording.hpp"
#include "taut/studies/sweep.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 25;  // of a table in the terminal; the rest is in the files

// Fills options.kept from the journal there is. What is wrong with it, or nothing.
std::string take_up_journal(const SweepArguments& arguments, std::size_t points,
                            RunSweepOptions& options, std::string& note) {
  std::error_code error;
  if (!arguments.resume) {
    if (!fs::exists(options.journal, error) || journal_complete(options.journal)) return {};
    // an interrupted sweep: started over, but hours of work are not thrown away
    const fs::path aside = options.journal + ".before";
    fs::rename(options.journal, aside, error);
    if (error) return fmt::format("{}: cannot be renamed: {}", options.journal, error.message());
    note = fmt::format(
        "there was the journal of an interrupted sweep; it is now {}. --resume "
        "would have continued it",
        aside.string());
    return {};
  }
  JournalFound found =
      find_journal(options.journal, options.identity, points, arguments.measures.size());
  if (found.kind == JournalFound::Kind::refused)
    return found.problem + "; leave out --resume to start over";
  if (found.finished == points) note = "the journal has all runs: nothing was left to do";
  if (found.kind == JournalFound::Kind::none)
    note = "there is no journal to resume from: the sweep started over";
  options.kept = std::move(found.runs);
  return {};
}

void write_results(const SweepArguments& arguments, const RunSweep& sweep,
                   const SweepOrigin& origin, Results& results) {
  const auto put = [&](const char* format, auto write) {
    const std::string name = std::string{"sweep."} + format;
    if (std::find(arguments.formats.begin(), arguments.formats.end(), format) ==
        arguments.formats.end())
      results.replaces(name);
    else
      results.add(name, write);
  };
  put("csv", [&](const fs::path& file) { return write_sweep_csv(sweep, file); });
  put("h5", [&](const fs::path& file) { return write_sweep_hdf5(sweep, file); });
  results.add("sweep.html",
              [&](const fs::path& file) { return write_sweep_html(sweep, origin, file); });
  results.commit();
}

std::string place_of(const RunSweep& sweep, std::size_t k) {
  const std::vector<double> values = sweep.values(k);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", sweep.axes[i].parameter, values[i]);
  return text;
}

void print_runs(const RunSweep& sweep) {
  if (sweep.runs.size() > most_lines) return;
  fmt::print("\n");
  for (const SweepAxis& axis : sweep.axes) fmt::print("{:<14} ", axis.parameter);
  for (const std::string& measure : sweep.measures) fmt::print("{:>22} ", measure);
  fmt::print("\n");
  for (std::size_t k = 0; k < sweep.runs.size(); ++k) {
    const SweptRun& run = sweep.runs[k];
    for (const double value : sweep.values(k)) fmt::print("{:<14.8g} ", value);
    if (run.finished() && !run.failed())
      for (const double value : run.measures) fmt::print("{:>22.12g} ", value);
    else
      fmt::print("{}", run.finished() ? run.status : "not run");
    fmt::print("\n");
  }
}

void print_extremes(const RunSweep& sweep) {
  fmt::print("\n");
  for (std::size_t m = 0; m < sweep.measures.size(); ++m) {
    std::size_t least = sweep.runs.size(), greatest = least;
    for (std::size_t k = 0; k < sweep.runs.size(); ++k) {
      const SweptRun& run = sweep.runs[k];
      if (m >= run.measures.size() || !std::isfinite(run.measures[m])) continue;
      const double value = run.measures[m];
      if (least == sweep.runs.size() || value < sweep.runs[least].measures[m]) least = k;
      if (greatest == sweep.runs.size() || value > sweep.runs[greatest].measures[m]) greatest = k;
    }
    if (least == sweep.runs.size())
      fmt::print("{:<22} no value\n", sweep.measures[m]);
    else
      fmt::print("{:<22} from {:.9g} at {} to {:.9g} at {}\n", sweep.measures[m],
                 sweep.runs[least].measures[m], place_of(sweep, least),
                 sweep.runs[greatest].measures[m], place_of(sweep, greatest));
  }
}

void print_sweep(const RunSweep& sweep, const SweepOrigin& origin, const Results& results) {
  fmt::print("{} ({})\n", origin.model, origin.reading);
  if (const std::string method = sweep.method(); !method.empty())
    fmt::print("method        {}\n", method);
  fmt::print("runs          {} of {}, {} failed, {:.3g} s on {} thread{}\n", sweep.finished,
             sweep.runs.size(), sweep.failed, sweep.seconds, sweep.threads,
             sweep.threads == 1 ? "" : "s");
  if (!sweep.device.empty())
    fmt::print("device        {}{}\n", sweep.device,
               sweep.left_by_device > 0
                   ? fmt::format(", {} of the runs on the processor", sweep.left_by_device)
                   : "");
  if (sweep.resumed > 0) fmt::print("resumed       {} of them were there already\n", sweep.resumed);
  print_runs(sweep);
  print_extremes(sweep);
  fmt::print("\n");
  for (const fs::path& file : results.files()) fmt::print("written       {}\n", file.string());
}

}  // namespace

int finish_sweep(const SweepArguments& arguments, const RunSweep& sweep, const SweepOrigin& origin,
                 const fs::path& journal) {
  const std::string data = sweep_json(sweep, origin);
  Results results{arguments.folder()};
  write_results(arguments, sweep, origin, results);
  std::vector<std::string> problems = results.problems();
  const bool complete = sweep.status == Status::ok;
  if (complete && !journal.empty() && problems.empty() && sweep.problem.empty())
    if (std::string problem = complete_journal(journal); !problem.empty())
      problems.push_back(std::move(problem));
  if (arguments.motion.model.json)
    fmt::print("{}", data);
  else if (!arguments.quiet)
    print_sweep(sweep, origin, results);

  const bool none = complete && sweep.failed == sweep.runs.size();
  if (none)
    fmt::print(stderr, "taut: all {} runs failed; the first: {}\n", sweep.failed,
               sweep.first_failure);
  else if (sweep.failed > 0)
    fmt::print(stderr, "note: {} of {} runs failed; the first: {}\n", sweep.failed,
               sweep.runs.size(), sweep.first_failure);
  if (!sweep.note.empty() && !arguments.quiet) fmt::print(stderr, "note: {}\n", worded(sweep.note));
  if (!sweep.problem.empty() && !sweep.device.empty())
    fmt::print(stderr, "note: {}; the other runs were done on the processor\n", sweep.problem);
  else if (!sweep.problem.empty())
    fmt::print(stderr, "note: no further runs were kept for --resume: {}\n", sweep.problem);
  if (!complete)
    fmt::print(stderr, "taut: {}: {} of {} runs are done\n    --resume does the others\n",
               name(sweep.status), sweep.finished, sweep.runs.size());
  for (const std::string& problem : problems) fmt::print(stderr, "taut: {}\n", problem);
  return complete && !none && problems.empty() ? done : failed;
}

int sweep_motions(const SweepArguments& arguments, const MotionSweep& runs,
                  const std::vector<SweepAxis>& axes, Problems& problems) {
  const bool json = arguments.motion.model.json;
  const Plan plan = runs.plan(problems);
  if (!problems.empty()) return report_bad_input(problems, json);

  if (!make_folder(arguments.folder())) return failed;
  const FolderLock lock{arguments.folder()};
  if (!lock.problem().empty()) return report_bad_input(lock.problem(), json);
  RunSweepOptions options{
      .threads = arguments.threads, .lanes = !arguments.one_by_one, .cancel = &catch_interrupts()};
  options.device = arguments.device;
  options.journal = arguments.folder() / "sweep.journal";
  options.identity = runs.identity(plan, arguments.vary);
  if (!arguments.device.empty()) options.identity.emplace_back("--device", arguments.device);
  std::string note;
  if (const std::string problem = take_up_journal(arguments, grid_size(axes), options, note);
      !problem.empty())
    return report_bad_input(problem, json);
  if (!note.empty() && !arguments.quiet) fmt::print(stderr, "note: {}\n", note);

  use_threads(1);  // runs share the cores, not evaluations
  RunSweep sweep;
  {
    const ProgressLine progress{json || arguments.quiet};
    options.progress = progress.of_runs();
    sweep = runs(axes, options);
  }
  if (sweep.status == Status::not_supported) {
    fmt::print(stderr, "taut: {}{}\n", arguments.device.empty() ? "" : "--device: ", sweep.problem);
    if (!arguments.device.empty())
      fmt::print(stderr, "    leave out --device: the processor does these runs\n");
    return failed;
  }
  return finish_sweep(arguments, sweep,
                      arguments.origin(runs.prepared().model.name, runs.prepared().reading),
                      options.journal);
}

}  // namespace taut::cli
