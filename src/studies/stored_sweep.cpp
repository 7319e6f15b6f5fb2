// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/stored_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "core/parallel.hpp"
#include "studies/sweep_way.hpp"

namespace taut {
namespace {

using Clock = std::chrono::steady_clock;

// runs that follow each other and belong together
constexpr std::size_t piece = 64;

/// Gives runs to threads, and takes them back.
class Desk {
 public:
  Desk(StoredSweep& sweep, const SweepPoints& points, const StoredSweepOptions& options)
      : sweep_{sweep}, points_{points}, options_{options}, done_(points.count) {
    mark(sweep.store);
    if (options.done != nullptr) mark(*options.done);
  }

  // runs from `first` up to `last` are next
  void open(std::size_t first, std::size_t last) {
    at_ = end_ = 0;
    next_piece_ = first / piece;
    first_ = first;
    last_ = last;
  }

  std::optional<SweepRun> next() {
    std::size_t k = 0;
    {
      const std::scoped_lock lock{mutex_};
      if (!sweep_.problem.empty() ||
          (options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed)))
        return {};
      for (;;) {
        while (at_ < end_ && done_[at_]) ++at_;
        if (at_ < end_) break;
        if (!more()) return {};
      }
      k = at_++;
    }
    return SweepRun{k, points_.values(k)};
  }

  void take(std::size_t k, const SweptRun& run) {
    if (!run.finished()) return;
    std::string wrong = sweep_.store.write(k, run);
    const std::scoped_lock lock{mutex_};
    if (sweep_.problem.empty()) sweep_.problem = std::move(wrong);
    done_[k] = true;
    ++sweep_.finished;
    show(false);
  }

  void show(bool now) {
    if (!options_.progress) return;
    const double time = seconds();
    if (!now && time - shown_ < 0.1) return;
    shown_ = time;
    options_.progress({.done = sweep_.finished,
                       .total = sweep_.runs / options_.shards,
                       .now = sweep_.finished - sweep_.resumed,
                       .seconds = time});
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  /// Whether all of these runs that are its own are there.
  [[nodiscard]] bool complete(std::size_t first, std::size_t last) const {
    if (options_.deal) return true;
    for (std::size_t k = first; k < last; ++k)
      if (!done_[k] && mine(k / piece)) return false;
    return true;
  }

 private:
  void mark(const RunStore& store) {
    std::string wrong = store.for_each(0, points_.count, [&](const RunStore::Run& run) {
      if (!run.done() || done_[run.number]) return;
      done_[run.number] = true;
      ++sweep_.finished;
      ++sweep_.resumed;
    });
    if (sweep_.problem.empty()) sweep_.problem = std::move(wrong);
  }
  [[nodiscard]] bool mine(std::size_t number) const {
    return number % options_.shards == options_.shard - 1;
  }
  // the next piece
  bool more() {
    if (options_.deal) {
      const auto dealt = options_.deal();
      if (!dealt) return false;
      at_ = std::min(dealt->first, last_);
      end_ = std::min(dealt->second, last_);
      return true;
    }
    while (!mine(next_piece_) && next_piece_ * piece < last_) ++next_piece_;
    if (next_piece_ * piece >= last_) return false;
    at_ = std::max(first_, next_piece_ * piece);
    end_ = std::min(last_, (next_piece_ + 1) * piece);
    ++next_piece_;
    return true;
  }

  StoredSweep& sweep_;
  const SweepPoints& points_;
  const StoredSweepOptions& options_;
  std::mutex mutex_;
  std::vector<bool> done_;
  std::size_t at_ = 0, end_ = 0, next_piece_ = 0, first_ = 0, last_ = 0;
  const Clock::time_point begin_ = Clock::now();
  double shown_ = 0.0;
};

// `enough(n)`: whether the first n runs are
StoredSweep sweep_in_rounds(const MotionSweep& model, const SweepPoints& points,
                            const StoredSweepOptions& options,
                            const std::function<bool(const RunStore&, std::size_t)>& enough) {
  StoredSweep sweep;
  sweep.runs = points.count;
  const unsigned cores = most_threads();
  sweep.threads = options.threads > 0 ? std::min(options.threads, cores) : cores;
  SweepWay way{model,
               points.axes,
               points.count,
               points.values,
               {.lanes = options.lanes, .device = options.device, .cancel = options.cancel}};
  sweep.problem = way.problem();
  if (sweep.problem.empty())
    sweep.problem = sweep.store.open(options.file, options.identity, points.count,
                                     model.measures().size(), options.resume);
  if (!sweep.problem.empty()) {
    sweep.status = Status::not_supported;
    return sweep;
  }
  Desk desk{sweep, points, options};
  desk.show(true);
  constexpr std::size_t first_look = 1024;
  for (std::size_t from = 0, to = 0; to < points.count; from = to) {
    to = enough ? std::min(points.count, from == 0 ? first_look : 2 * from) : points.count;
    desk.open(from, to);
    const std::size_t share = (to - from + sweep.threads - 1) / sweep.threads;
    parallel_for(std::min<std::size_t>(sweep.threads, to - from), sweep.threads, [&](std::size_t) {
      way(
          share, [&] { return desk.next(); },
          [&](std::size_t k, const SweptRun& run) { desk.take(k, run); });
    });
    if (!sweep.problem.empty() || !desk.complete(from, to)) {
      sweep.status = sweep.problem.empty() ? Status::cancelled : Status::not_supported;
      break;
    }
    if (enough && enough(sweep.store, to)) {
      sweep.runs = to;
      break;
    }
  }
  if (options.cancel != nullptr && options.cancel->load() && options.deal)
    sweep.status = Status::cancelled;
  sweep.seconds = desk.seconds();
  way.tell(sweep);
  return sweep;
}

}  // namespace

SweepPoints SweepPoints::of(const std::vector<SweepAxis>& grid) {
  const auto values = [grid](std::size_t k) {
    std::vector<double> list;
    for (const SweepAxis& axis : grid) {
      const auto n = static_cast<std::size_t>(axis.points);
      list.push_back(axis.value(static_cast<int>(k % n)));
      k /= n;
    }
    return list;
  };
  return {grid, grid_size(grid), values};
}

SweepPoints SweepPoints::of(const SamplePoints& points,
                            const std::vector<std::string>& parameters) {
  SweepPoints result{.count = points.size(), .values = std::cref(points)};
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    const Distribution& one = points.design().distributions[j];
    result.axes.push_back(
        {.parameter = parameters[j], .first = one.quantile(0.01), .last = one.quantile(0.99)});
  }
  return result;
}

StoredSweep sweep(const MotionSweep& model, const SweepPoints& points,
                  const StoredSweepOptions& options) {
  return sweep_in_rounds(model, points, options, {});
}

StoredSweep sweep(const MotionSweep& model, const SamplePoints& points,
                  const std::vector<std::string>& parameters, const StoredSweepOptions& options) {
  std::function<bool(const RunStore&, std::size_t)> enough;
  if (options.until_error > 0.0)
    enough = [&](const RunStore& store, std::size_t runs) {
      return run_statistics(store, points, runs, options.statistics).known_to(options.until_error);
    };
  return sweep_in_rounds(model, SweepPoints::of(points, parameters), options, enough);
}

}  // namespace taut
