// SPDX-License-Identifier: BSD-3-Clause
// taut sweep with measures of runs
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "stored_runs.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/grid.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_lines = 25;  // of a table in the terminal; the rest is in the files

void write_results(const SweepArguments& arguments, const GridReport& report, Results& results) {
  const auto put = [&](const char* format, auto write) {
    const std::string name = std::string{"sweep."} + format;
    if (std::find(arguments.formats.begin(), arguments.formats.end(), format) ==
        arguments.formats.end())
      results.replaces(name);
    else
      results.add(name, write);
  };
  put("csv", [&](const fs::path& file) { return write_grid_csv(report, file); });
  put("h5", [&](const fs::path& file) { return write_grid_hdf5(report, file); });
  results.add("sweep.html", [&](const fs::path& file) { return write_grid_html(report, file); });
  results.commit();
}

std::string place_of(const GridReport& report, std::size_t k) {
  const std::vector<double> values = SweepPoints::of(report.axes).values(k);
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", report.axes[i].parameter, values[i]);
  return text;
}

void print_runs(const GridReport& report) {
  const SweepPoints points = SweepPoints::of(report.axes);
  if (points.count > most_lines) return;
  fmt::print("\n");
  for (const SweepAxis& axis : report.axes) fmt::print("{:<14} ", axis.parameter);
  for (const std::string& measure : report.measures) fmt::print("{:>22} ", measure);
  fmt::print("\n");
  static_cast<void>(report.sweep->store.for_each(0, points.count, [&](const RunStore::Run& run) {
    for (const double value : points.values(run.number)) fmt::print("{:<14.8g} ", value);
    if (run.done() && RunStore::is_good(run.status))
      for (const double value : run.measures) fmt::print("{:>22.12g} ", value);
    else
      fmt::print("{}", run.done() ? RunStore::name_of(run.status) : "not run");
    fmt::print("\n");
  }));
}

void print_extremes(const GridReport& report) {
  fmt::print("\n");
  for (std::size_t m = 0; m < report.measures.size(); ++m) {
    const SweepSummary::Extremes& found = report.found.measures[m];
    if (found.count == 0)
      fmt::print("{:<22} no value\n", report.measures[m]);
    else
      fmt::print("{:<22} from {:.9g} at {} to {:.9g} at {}\n", report.measures[m], found.least,
                 place_of(report, found.least_run), found.greatest,
                 place_of(report, found.greatest_run));
  }
}

void print_sweep(const GridReport& report, const Results& results) {
  const StoredSweep& sweep = *report.sweep;
  fmt::print("{} ({})\n", report.origin.model, report.origin.reading);
  if (const std::string method = sweep.store.method(); !method.empty())
    fmt::print("method        {}\n", method);
  fmt::print("runs          {} of {}, {} failed, {:.3g} s on {} thread{}\n", report.found.finished,
             grid_size(report.axes), report.found.failed, sweep.seconds, sweep.threads,
             sweep.threads == 1 ? "" : "s");
  if (!sweep.device.empty())
    fmt::print("device        {}{}\n", sweep.device,
               sweep.left_by_device > 0
                   ? fmt::format(", {} of the runs on the processor", sweep.left_by_device)
                   : "");
  if (sweep.resumed > 0) fmt::print("resumed       {} of them were there already\n", sweep.resumed);
  print_runs(report);
  print_extremes(report);
  fmt::print("\n");
  for (const fs::path& file : results.files()) fmt::print("written       {}\n", file.string());
}

int finish(const SweepArguments& arguments, const GridReport& report, const StoredRuns& files) {
  Results results{arguments.folder()};
  write_results(arguments, report, results);
  const StoredSweep& sweep = *report.sweep;
  const std::size_t runs = grid_size(report.axes);
  std::vector<std::string> problems = results.problems();
  if (!report.found.problem.empty()) problems.push_back(report.found.problem);
  const bool complete = sweep.status == Status::ok;
  if (problems.empty())
    if (std::string problem = files.complete(sweep); !problem.empty())
      problems.push_back(std::move(problem));
  if (arguments.motion.model.json)
    fmt::print("{}", grid_json(report));
  else if (!arguments.quiet)
    print_sweep(report, results);

  const bool none = complete && report.found.failed == runs;
  if (none)
    fmt::print(stderr, "taut: all {} runs failed; the first: {}\n", runs,
               report.found.first_failure);
  else if (report.found.failed > 0)
    fmt::print(stderr, "note: {} of {} runs failed; the first: {}\n", report.found.failed, runs,
               report.found.first_failure);
  if (!sweep.note.empty() && !arguments.quiet) fmt::print(stderr, "note: {}\n", worded(sweep.note));
  if (!sweep.problem.empty())
    fmt::print(stderr, "note: {}; the other runs were done on the processor\n", sweep.problem);
  if (!complete)
    fmt::print(stderr, "taut: {}: {} of {} runs are done\n    --resume does the others\n",
               name(sweep.status), report.found.finished, runs);
  for (const std::string& problem : problems) fmt::print(stderr, "taut: {}\n", problem);
  return complete && !none && problems.empty() ? done : failed;
}

}  // namespace

int sweep_motions(const SweepArguments& arguments, const MotionSweep& runs,
                  const std::vector<SweepAxis>& axes, const std::vector<std::string>& parameters,
                  Ranks& ranks, Problems& problems) {
  const Plan plan = runs.plan(problems);
  const auto part = arguments.share(problems);
  if (!problems.empty()) return report_bad_input(problems, arguments.motion.model.json);
  StoredRuns files{arguments, ranks, part};
  SweepPoints points = SweepPoints::of(axes);
  for (std::size_t i = 0; i < parameters.size(); ++i) points.axes[i].parameter = parameters[i];
  StoredSweep stored;
  const std::optional<int> ended = files.run(
      runs.identity(plan, arguments.vary), points.count, runs.measures().size(),
      [&](const StoredSweepOptions& options) { return sweep(runs, points, options); }, stored);
  if (ended) return *ended;
  GridReport report{.origin = arguments.origin(runs.prepared().model.name, runs.prepared().reading),
                    .axes = axes,
                    .sweep = &stored,
                    .found = summary_of(stored.store, points.count)};
  for (const RunMeasure& measure : runs.measures()) report.measures.push_back(measure.text);
  return finish(arguments, report, files);
}

}  // namespace taut::cli
