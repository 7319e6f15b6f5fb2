// SPDX-License-Identifier: BSD-3-Clause
// taut sweep of drawn runs.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "stored_runs.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/samples.hpp"
#include "taut/studies/stored_sweep.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

std::string written(const Estimate& e) {
  return fmt::format("{:.9g} ({:.6g} to {:.6g})", e.value, e.low, e.high);
}

void print_samples(const SampleReport& report) {
  const RunStatistics& s = report.statistics;
  const StoredSweep& sweep = *report.sweep;
  fmt::print("{} ({})\n", report.origin.model, report.origin.reading);
  fmt::print("runs          {} of {}, {} failed, {:.3g} s on {} thread{}\n", s.finished,
             report.points->size(), s.failed, sweep.seconds, sweep.threads,
             sweep.threads == 1 ? "" : "s");
  if (!sweep.device.empty())
    fmt::print("device        {}, {} of the runs on the processor\n", sweep.device,
               sweep.left_by_device);
  for (const MeasureStatistics& m : s.measures) {
    fmt::print("\n{}\n", m.name);
    if (m.count == 0) {
      fmt::print("  no value\n");
      continue;
    }
    fmt::print(
        "  mean        {}\n  deviation   {:.9g}\n  from        {:.9g} in run {} to {:.9g} in "
        "run {}\n",
        written(m.mean), m.deviation, m.least, m.least_run, m.greatest, m.greatest_run);
    for (std::size_t k = 0; k < m.quantiles.size(); ++k)
      fmt::print("  {:<11} {}\n", fmt::format("{} %", 100 * s.quantiles[k]),
                 written(m.quantiles[k]));
    for (std::size_t k = 0; k < m.indices.size(); ++k)
      fmt::print("  {:<11} first {}, total {}\n", report.points->design().distributions[k].name,
                 written(m.indices[k].first), written(m.indices[k].total));
  }
  if (!s.probabilities.empty()) fmt::print("\n");
  for (const RunStatistics::Probability& p : s.probabilities)
    fmt::print("{}: {} of the runs, probability {}\n", p.text, p.count, written(p.share));
}

}  // namespace

int sweep_samples(const SweepArguments& arguments, const MotionSweep& runs,
                  const SamplePoints& points, const std::vector<std::string>& parameters,
                  const std::vector<RunCondition>& conditions, Ranks& ranks, Problems& problems) {
  const bool json = arguments.motion.model.json;
  const Plan plan = runs.plan(problems);
  const auto part = arguments.share(problems);
  if (ranks.several() && arguments.until_error > 0.0)
    problems.add({}, "--until-error", "is for one process, which knows all runs",
                 "leave out mpirun, or --until-error");
  if (!problems.empty()) return report_bad_input(problems, json);
  StatisticsOptions wanted{.conditions = conditions, .quantiles = arguments.quantiles};
  for (const RunMeasure& measure : runs.measures()) wanted.measures.push_back(measure.text);

  StoredRuns files{arguments, ranks, part};
  std::vector<std::string> drawn = arguments.distributions;
  drawn.insert(drawn.end(), arguments.correlations.begin(), arguments.correlations.end());
  drawn.push_back(fmt::format("{} {} {}", arguments.sampling, arguments.seed(),
                              arguments.indices ? "indices" : "no indices"));
  StoredSweep stored;
  const std::optional<int> ended = files.run(
      runs.identity(plan, drawn), points.size(), runs.measures().size(),
      [&](StoredSweepOptions options) {
        options.until_error = arguments.until_error;
        options.statistics = wanted;
        return sweep(runs, points, parameters, options);
      },
      stored);
  if (ended) return *ended;
  SampleReport report{
      .origin = arguments.origin(runs.prepared().model.name, runs.prepared().reading),
      .method = std::string{plan.method.name},
      .points = &points,
      .measures = wanted.measures,
      .sweep = &stored};
  wanted.matrix = true;
  report.statistics = run_statistics(stored.store, points, stored.runs, wanted);

  Results results{arguments.folder()};
  if (std::find(arguments.formats.begin(), arguments.formats.end(), "csv") !=
      arguments.formats.end())
    results.add("sweep.csv", [&](const fs::path& file) { return write_samples_csv(report, file); });
  else
    results.replaces("sweep.csv");
  if (std::find(arguments.formats.begin(), arguments.formats.end(), "h5") !=
      arguments.formats.end())
    results.add("sweep.h5", [&](const fs::path& file) { return write_samples_hdf5(report, file); });
  else
    results.replaces("sweep.h5");
  results.add("sweep.html", [&](const fs::path& file) { return write_samples_html(report, file); });
  results.commit();
  if (json)
    fmt::print("{}", samples_json(report));
  else if (!arguments.quiet) {
    print_samples(report);
    fmt::print("\n");
    for (const fs::path& file : results.files()) fmt::print("written       {}\n", file.string());
  }
  const RunStatistics& s = report.statistics;
  if (s.failed > 0)
    fmt::print(stderr, "note: {} of {} runs failed; the first, run {}: {}\n", s.failed, s.finished,
               s.failed_runs.front(), s.reasons.front());
  if (!stored.note.empty() && !arguments.quiet)
    fmt::print(stderr, "note: {}\n", worded(stored.note));
  if (!stored.problem.empty())
    fmt::print(stderr, "note: {}; the other runs were done on the processor\n", stored.problem);
  if (!s.problem.empty()) fmt::print(stderr, "taut: {}\n", s.problem);
  if (arguments.until_error > 0.0 && !s.known_to(arguments.until_error))
    fmt::print(stderr, "note: {} runs were not enough for --until-error {}\n", s.runs,
               arguments.until_error);
  std::vector<std::string> problems_of_files = results.problems();
  if (problems_of_files.empty())
    if (std::string problem = files.complete(stored); !problem.empty())
      problems_of_files.push_back(std::move(problem));
  if (stored.status == Status::cancelled)
    fmt::print(stderr, "taut: {}: {} of {} runs are done\n    --resume does the others\n",
               name(stored.status), s.finished, s.runs);
  for (const std::string& problem : problems_of_files) fmt::print(stderr, "taut: {}\n", problem);
  const bool good = s.problem.empty() && problems_of_files.empty() && s.failed < s.finished &&
                    stored.status == Status::ok;
  return good ? done : failed;
}

}  // namespace taut::cli
