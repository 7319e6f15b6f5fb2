// SPDX-License-Identifier: BSD-3-Clause
// taut sweep of drawn runs, and by many processes.
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "results.hpp"
#include "sweep_arguments.hpp"
#include "taut/core/threads.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/samples.hpp"
#include "taut/studies/stored_sweep.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

/// The runs of a sweep in the files of its folder, by one process or many:
///
///   sweep.runs            all of them, where they come together
///   sweep-I-of-N.runs     those of a shard
///   sweep-rank-R.runs     those of a rank, as long as the ranks are at work
class StoredRuns {
 public:
  StoredRuns(const SweepArguments& arguments, Ranks& ranks,
             std::pair<std::size_t, std::size_t> part)
      : arguments_{arguments}, ranks_{ranks}, part_{part}, folder_{arguments.folder()} {}

  template <class Sweep>
  int run(RunIdentity identity, std::size_t count, std::size_t measures, const Sweep& sweep_runs,
          StoredSweep& sweep) {
    identity_ = std::move(identity);
    if (!arguments_.device.empty()) identity_.emplace_back("--device", arguments_.device);
    const bool ready = begin(count, measures);
    if (!ranks_.all_good(ready)) return failed;
    StoredSweepOptions options{.file = own().string(),
                               .identity = identity_,
                               .resume = arguments_.resume && fs::exists(own()),
                               .threads = arguments_.threads,
                               .lanes = !arguments_.one_by_one,
                               .device = arguments_.device,
                               .shard = part_.first,
                               .shards = part_.second,
                               .cancel = &catch_interrupts()};
    if (arguments_.merge) {
      sweep.runs = count;
      return collect(sweep, count);
    }
    use_threads(1);  // runs share the cores, not evaluations
    if (ranks_.several()) {
      if (options.threads == 0) options.threads = 1;
      options.resume = false;
      options.done = &base_;
      options.deal = [this, count] { return ranks_.deal(count); };
      ranks_.open();
    }
    {
      const bool quiet = arguments_.motion.model.json || arguments_.quiet || ranks_.rank() > 0;
      const ProgressLine progress{quiet};
      options.progress = progress.of_runs();
      sweep = sweep_runs(options);
    }
    if (!sweep.problem.empty() && sweep.status == Status::not_supported)
      fmt::print(stderr, "taut: {}\n", sweep.problem);
    if (!ranks_.several()) return sweep.status == Status::ok ? done : failed;
    ranks_.close();
    if (!ranks_.all_good(sweep.status == Status::ok)) return failed;
    return ranks_.rank() == 0 ? collect(sweep, count) : done;
  }

  [[nodiscard]] bool alone() const { return part_.second == 1; }
  [[nodiscard]] fs::path own() const {
    if (ranks_.several()) return folder_ / fmt::format("sweep-rank-{}.runs", ranks_.rank());
    if (!alone()) return folder_ / fmt::format("sweep-{}-of-{}.runs", part_.first, part_.second);
    return folder_ / "sweep.runs";
  }

 private:
  [[nodiscard]] std::vector<fs::path> files(const std::string& kind) const {
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator{folder_, error})
      if (const std::string name = entry.path().filename().string();
          name.starts_with(kind) && name.ends_with(".runs"))
        found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
  }
  bool complain(const std::string& problem) const {
    if (!problem.empty()) fmt::print(stderr, "taut: {}\n", problem);
    return problem.empty();
  }

  // what there is from before; of ranks, the first one prepares for all
  bool begin(std::size_t count, std::size_t measures) {
    if (!ranks_.several() && !arguments_.merge) return true;
    const std::string all = (folder_ / "sweep.runs").string();
    bool good = true;
    if (ranks_.rank() == 0) {
      const bool resume = arguments_.resume && fs::exists(all) && !arguments_.merge;
      good = complain(base_.open(all, identity_, count, measures, resume));
      for (const fs::path& file : files("sweep-rank-")) {
        if (good && arguments_.resume) good = complain(base_.take(file.string(), identity_));
        if (good) fs::remove(file);
      }
    }
    if (!ranks_.all_good(good)) return false;
    if (ranks_.rank() > 0) good = complain(base_.open(all, identity_, count, measures, true));
    return good;
  }

  // all runs in one file
  int collect(StoredSweep& sweep, std::size_t count) {
    const std::string kind = arguments_.merge ? "sweep-" : "sweep-rank-";
    const std::vector<fs::path> parts = files(kind);
    if (parts.empty()) {
      fmt::print(stderr, "taut: {} has no parts of a sweep\n    do them with --shard 1/N, ...\n",
                 folder_.string());
      return failed;
    }
    for (const fs::path& file : parts)
      if (!complain(base_.take(file.string(), identity_))) return failed;
    std::size_t finished = 0, first_missing = count;
    if (!complain(base_.for_each(0, count, [&](const RunStore::Run& run) {
          finished += run.done() ? 1 : 0;
          if (!run.done()) first_missing = std::min(first_missing, run.number);
        })))
      return failed;
    sweep.store = std::move(base_);
    sweep.finished = finished;
    if (finished < count) {
      fmt::print(stderr, "taut: {} of {} runs are done, run {} is the first that is not\n    {}\n",
                 finished, count, first_missing,
                 arguments_.merge
                     ? "do the missing shards, with --resume those that were interrupted"
                     : "--resume does the others");
      return failed;
    }
    if (!arguments_.merge)
      for (const fs::path& file : parts) fs::remove(file);
    return done;
  }

  const SweepArguments& arguments_;
  Ranks& ranks_;
  std::pair<std::size_t, std::size_t> part_;
  fs::path folder_;
  RunIdentity identity_;
  RunStore base_;
};

// The folder, and nobody else in it but other parts of the same sweep.
bool enter(const SweepArguments& arguments, const Ranks& ranks, bool alone,
           std::optional<FolderLock>& lock) {
  bool good = make_folder(arguments.folder());
  if (good && alone && ranks.rank() == 0) {
    lock.emplace(arguments.folder());
    if (!lock->problem().empty()) {
      fmt::print(stderr, "taut: {}\n", lock->problem());
      good = false;
    }
  }
  return good;
}

void print_part(const SweepArguments& arguments, const StoredSweep& sweep, const fs::path& file) {
  if (arguments.quiet) return;
  fmt::print("{} runs of this shard, {:.3g} s on {} threads\nwritten       {}\n", sweep.finished,
             sweep.seconds, sweep.threads, file.string());
}

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

int sweep_shards(const SweepArguments& arguments, const MotionSweep& runs,
                 const std::vector<SweepAxis>& axes, Ranks& ranks, Problems& problems) {
  const bool json = arguments.motion.model.json;
  const Plan plan = runs.plan(problems);
  const auto part = arguments.share(problems);
  if (!problems.empty()) return report_bad_input(problems, json);
  StoredRuns files{arguments, ranks, part};
  std::optional<FolderLock> lock;
  if (!ranks.all_good(enter(arguments, ranks, files.alone(), lock))) return failed;
  const SweepPoints points = SweepPoints::of(axes);
  StoredSweep stored;
  const int ended = files.run(
      runs.identity(plan, arguments.vary), points.count, runs.measures().size(),
      [&](const StoredSweepOptions& options) { return sweep(runs, points, options); }, stored);
  if (ended != done || ranks.rank() > 0) return ended;
  if (!files.alone()) {
    print_part(arguments, stored, files.own());
    return done;
  }
  // as a sweep of one process has it
  RunSweep all{.axes = axes};
  for (const RunMeasure& measure : runs.measures()) all.measures.push_back(measure.text);
  std::vector<std::string> parameters;
  for (const SweepAxis& axis : axes) parameters.push_back(axis.parameter);
  all.runs.resize(points.count);
  all.problem = stored.store.for_each(0, points.count, [&](const RunStore::Run& run) {
    SweptRun& to = all.runs[run.number];
    to.status = RunStore::name_of(run.status);
    to.measures.assign(run.measures.begin(), run.measures.end());
    ++all.finished;
    if (RunStore::is_good(run.status)) return;
    ++all.failed;
    to.reason = runs.run(parameters, points.values(run.number)).reason;
    if (all.first_failure.empty()) all.first_failure = to.reason;
  });
  all.seconds = stored.seconds;
  all.threads = stored.threads;
  return finish_sweep(arguments, all,
                      arguments.origin(runs.prepared().model.name, runs.prepared().reading), {});
}

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
  std::optional<FolderLock> lock;
  if (!ranks.all_good(enter(arguments, ranks, files.alone(), lock))) return failed;
  std::vector<std::string> drawn = arguments.distributions;
  drawn.insert(drawn.end(), arguments.correlations.begin(), arguments.correlations.end());
  drawn.push_back(fmt::format("{} {} {}", arguments.sampling, arguments.seed(),
                              arguments.indices ? "indices" : "no indices"));
  StoredSweep stored;
  const int ended = files.run(
      runs.identity(plan, drawn), points.size(), runs.measures().size(),
      [&](StoredSweepOptions options) {
        options.until_error = arguments.until_error;
        options.statistics = wanted;
        return sweep(runs, points, parameters, options);
      },
      stored);
  if (ended != done) {
    if (stored.status == Status::cancelled)
      fmt::print(stderr, "taut: {}: {} runs are done\n    --resume does the others\n",
                 name(stored.status), stored.finished);
    return failed;
  }
  if (ranks.rank() > 0) return done;
  if (!files.alone()) {
    print_part(arguments, stored, files.own());
    return done;
  }
  SampleReport report{
      .origin = arguments.origin(runs.prepared().model.name, runs.prepared().reading),
      .method = std::string{plan.method.name},
      .points = &points,
      .measures = wanted.measures,
      .sweep = &stored};
  report.statistics = run_statistics(stored.store, points, stored.runs, wanted);
  for (const std::size_t k : report.statistics.failed_runs)
    report.reasons.push_back(runs.run(parameters, points(k)).reason);

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
               s.failed_runs.front(), report.reasons.front());
  if (!stored.note.empty() && !arguments.quiet)
    fmt::print(stderr, "note: {}\n", worded(stored.note));
  if (!stored.problem.empty())
    fmt::print(stderr, "note: {}; the other runs were done on the processor\n", stored.problem);
  if (!s.problem.empty()) fmt::print(stderr, "taut: {}\n", s.problem);
  if (arguments.until_error > 0.0 && !s.known_to(arguments.until_error))
    fmt::print(stderr, "note: {} runs were not enough for --until-error {}\n", s.runs,
               arguments.until_error);
  for (const std::string& problem : results.problems()) fmt::print(stderr, "taut: {}\n", problem);
  const bool good = s.problem.empty() && results.problems().empty() && s.failed < s.finished;
  return good ? done : failed;
}

}  // namespace taut::cli
