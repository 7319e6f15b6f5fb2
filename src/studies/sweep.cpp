// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "core/parallel.hpp"
#include "studies/sweep_journal.hpp"
#include "studies/sweep_many.hpp"

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double between_progress = 0.1;  // [s]

/// What the threads of a sweep have in common; one at a time is in here.
class Ledger {
 public:
  Ledger(RunSweep& sweep, const RunSweepOptions& options) : sweep_{sweep}, options_{options} {
    if (!options.journal.empty())
      sweep.problem = journal_.start(options.journal, options.identity, options.kept);
    journals_ = !options.journal.empty() && sweep.problem.empty();
    show(true);
  }

  void enter(std::size_t k, SweptRun run) {
    const std::scoped_lock lock{mutex_};
    sweep_.runs[k] = std::move(run);
    ++sweep_.finished;
    if (journals_) sweep_.problem = journal_.append(k, sweep_.runs[k]);
    journals_ = journals_ && sweep_.problem.empty();
    show(false);
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

 private:
  void show(bool now) {
    if (!options_.progress) return;
    const double time = seconds();
    if (!now && time - shown_ < between_progress) return;
    shown_ = time;
    options_.progress({.done = sweep_.finished,
                       .total = sweep_.runs.size(),
                       .now = sweep_.finished - sweep_.resumed,
                       .seconds = time});
  }

  RunSweep& sweep_;
  const RunSweepOptions& options_;
  std::mutex mutex_;
  SweepJournal journal_;
  bool journals_ = false;
  const Clock::time_point begin_ = Clock::now();
  double shown_ = 0.0;
};

}  // namespace

std::size_t grid_size(const std::vector<SweepAxis>& axes) {
  std::size_t count = 1;
  for (const SweepAxis& axis : axes) count *= static_cast<std::size_t>(axis.points);
  return count;
}

std::vector<double> RunSweep::values(std::size_t k) const {
  if (!points.empty()) return points[k];
  std::vector<double> list;
  for (const SweepAxis& axis : axes) {
    const auto n = static_cast<std::size_t>(axis.points);
    list.push_back(axis.value(static_cast<int>(k % n)));
    k /= n;
  }
  return list;
}

std::string RunSweep::method() const {
  std::string common;
  for (const SweptRun& run : runs) {
    if (run.method.empty()) continue;
    if (!common.empty() && common != run.method) return {};
    common = run.method;
  }
  return common;
}

RunSweep sweep_runs(const std::vector<SweepAxis>& axes, const std::vector<std::string>& measures,
                    const DoRun& run, const RunSweepOptions& options) {
  const auto one_by_one = [&](std::size_t /*share*/, const NextRun& next, const RunDone& done) {
    while (const std::optional<SweepRun> one = next()) done(one->number, run(one->values));
  };
  return sweep_many(axes, measures, one_by_one, options);
}

RunSweep sweep_many(const std::vector<SweepAxis>& axes, const std::vector<std::string>& measures,
                    const DoRuns& runs, const RunSweepOptions& options) {
  RunSweep sweep;
  sweep.axes = axes;
  sweep.points = options.points;
  sweep.measures = measures;
  sweep.runs = options.kept;
  sweep.runs.resize(sweep.points.empty() ? grid_size(axes) : sweep.points.size());
  for (const SweptRun& kept : sweep.runs) sweep.resumed += kept.finished() ? 1 : 0;
  sweep.finished = sweep.resumed;
  const unsigned cores = most_threads();
  sweep.threads = options.threads > 0 ? std::min(options.threads, cores) : cores;
  const auto cancelled = [&] {
    return options.cancel != nullptr && options.cancel->load(std::memory_order_relaxed);
  };

  std::vector<std::size_t> left;
  for (std::size_t k = 0; k < sweep.runs.size(); ++k)
    if (!sweep.runs[k].finished()) left.push_back(k);
  Ledger ledger{sweep, options};
  if (!sweep.problem.empty()) {
    sweep.status = Status::not_supported;
    return sweep;
  }
  std::atomic<std::size_t> begun{0};
  const NextRun next = [&]() -> std::optional<SweepRun> {
    if (cancelled()) return {};
    const std::size_t i = begun.fetch_add(1, std::memory_order_relaxed);
    if (i >= left.size()) return {};
    return SweepRun{left[i], sweep.values(left[i])};
  };
  const RunDone done = [&](std::size_t k, SweptRun run) {
    if (run.finished()) ledger.enter(k, std::move(run));
  };
  const std::size_t share = (left.size() + sweep.threads - 1) / sweep.threads;
  const std::size_t workers = std::min<std::size_t>(sweep.threads, left.size());
  parallel_for(workers, sweep.threads, [&](std::size_t) { runs(share, next, done); });

  sweep.seconds = ledger.seconds();
  if (sweep.finished < sweep.runs.size()) sweep.status = Status::cancelled;
  for (const SweptRun& run : sweep.runs) {
    if (!run.finished() || !run.failed()) continue;
    ++sweep.failed;
    if (sweep.first_failure.empty()) sweep.first_failure = run.reason;
  }
  return sweep;
}

}  // namespace taut
