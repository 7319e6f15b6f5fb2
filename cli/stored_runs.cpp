// SPDX-License-Identifier: BSD-3-Clause
#include "stored_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "command.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "taut/core/threads.hpp"

namespace taut::cli {
namespace {

namespace fs = std::filesystem;

bool complain(const std::string& problem) {
  if (!problem.empty()) fmt::print(stderr, "taut: {}\n", problem);
  return problem.empty();
}

}  // namespace

std::optional<int> StoredRuns::run(
    RunIdentity identity, std::size_t count, std::size_t measures,
    const std::function<StoredSweep(const StoredSweepOptions&)>& sweep_runs, StoredSweep& sweep) {
  identity_ = std::move(identity);
  if (!arguments_.device.empty()) identity_.emplace_back("--device", arguments_.device);
  const int entered = enter();
  if (!ranks_.all_good(entered == done)) return entered == done ? failed : entered;
  const int began = begin(count, measures);
  if (!ranks_.all_good(began == done)) return began == done ? failed : began;
  if (arguments_.merge) {
    sweep.runs = count;
    if (const int collected = collect(sweep, count, measures); collected != done) return collected;
    return {};
  }
  StoredSweepOptions options{.file = own().string(),
                             .identity = identity_,
                             .resume = resumes_,
                             .threads = arguments_.threads,
                             .lanes = !arguments_.one_by_one,
                             .device = arguments_.device,
                             .shard = part_.first,
                             .shards = part_.second,
                             .cancel = &catch_interrupts()};
  use_threads(1);  // runs share the cores, not evaluations
  if (ranks_.several()) {
    if (options.threads == 0) options.threads = 1;
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
  if (sweep.status == Status::not_supported) {
    fmt::print(stderr, "taut: {}{}\n",
               arguments_.device.empty() ? "" : "--device: ", sweep.problem);
    if (!arguments_.device.empty())
      fmt::print(stderr, "    leave out --device: the processor does these runs\n");
  }
  if (ranks_.several()) {
    ranks_.close();
    if (!ranks_.all_good(sweep.status == Status::ok)) return failed;
    if (ranks_.rank() > 0) return done;
    if (const int collected = collect(sweep, count, measures); collected != done) return collected;
    return {};
  }
  if (sweep.status == Status::not_supported) return failed;
  if (arguments_.resume && !arguments_.quiet && sweep.resumed == sweep.runs && alone())
    fmt::print(stderr, "note: all runs are there: nothing was left to do\n");
  if (alone()) return {};
  if (sweep.status != Status::ok) {
    fmt::print(stderr, "taut: {}: {} runs of this shard are done\n    --resume does the others\n",
               name(sweep.status), sweep.finished);
    return failed;
  }
  if (!complain(complete(sweep))) return failed;
  if (!arguments_.quiet)
    fmt::print("{} runs of this shard, {:.3g} s on {} threads\nwritten       {}\n", sweep.finished,
               sweep.seconds, sweep.threads, own().string());
  return done;
}

fs::path StoredRuns::own() const {
  if (ranks_.several()) return folder_ / fmt::format("sweep-rank-{}.runs", ranks_.rank());
  if (!alone()) return folder_ / fmt::format("sweep-{}-of-{}.runs", part_.first, part_.second);
  return folder_ / "sweep.runs";
}

std::vector<fs::path> StoredRuns::files(const std::string& kind) const {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator{folder_, error})
    if (const std::string name = entry.path().filename().string();
        name.starts_with(kind) && name.ends_with(".runs"))
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// The folder, and nobody else in it but other parts of the same sweep.
int StoredRuns::enter() {
  if (!make_folder(folder_)) return failed;
  if (!alone() || ranks_.rank() > 0) return done;
  lock_.emplace(folder_);
  return lock_->problem().empty()
             ? done
             : report_bad_input(lock_->problem(), arguments_.motion.model.json);
}

bool StoredRuns::put_aside(const fs::path& file) const {
  const RunStore::Aside aside = RunStore::put_aside(file.string());
  if (!aside.file.empty() && aside.problem.empty() && !arguments_.quiet)
    fmt::print(stderr,
               "note: {} was of an interrupted sweep; it is now {}. --resume would have continued "
               "it\n",
               file.string(), aside.file);
  return complain(aside.problem);
}

// what there is from before; of ranks, the first one prepares for all
int StoredRuns::begin(std::size_t count, std::size_t measures) {
  const bool json = arguments_.motion.model.json;
  const fs::path all = folder_ / "sweep.runs", first = ranks_.several() ? all : own();
  const auto resumed = [&]() -> std::string {
    RunStore probe;
    std::string problem = probe.open(first.string(), identity_, count, measures, true);
    return problem.empty() ? problem : problem + "; leave out --resume to start over";
  };
  if (arguments_.merge) {
    if (!files("sweep-").empty()) return done;
    fmt::print(stderr, "taut: {} has no parts of a sweep\n    do them with --shard 1/N, ...\n",
               folder_.string());
    return failed;
  }
  int good = done;
  if (ranks_.rank() == 0) {
    const std::vector<fs::path> parts = files("sweep-rank-");
    if (!arguments_.resume) {
      if (!put_aside(first)) good = failed;
      for (const fs::path& file : parts)
        if (!put_aside(file)) good = failed;
    } else if (fs::exists(first)) {
      if (const std::string problem = resumed(); !problem.empty())
        good = report_bad_input(problem, json);
      resumes_ = good == done;
    } else if ((alone() && !ranks_.several()) || (ranks_.several() && parts.empty())) {
      if (!arguments_.quiet)
        fmt::print(stderr, "note: there are no runs to resume from: the sweep started over\n");
    }
    if (good == done && ranks_.several()) {
      if (!complain(base_.open(all.string(), identity_, count, measures, resumes_))) good = failed;
      for (const fs::path& file : parts) {
        if (good == done && arguments_.resume && !complain(base_.take(file.string(), identity_)))
          good = failed;
        if (good == done) RunStore::remove(file.string());
      }
    }
  }
  if (!ranks_.several() || !ranks_.all_good(good == done)) return good;
  resumes_ = false;
  if (ranks_.rank() > 0 && !complain(base_.open(all.string(), identity_, count, measures, true)))
    good = failed;
  return good;
}

// all runs in one file
int StoredRuns::collect(StoredSweep& sweep, std::size_t count, std::size_t measures) {
  const std::string all = (folder_ / "sweep.runs").string();
  const std::string beside = fmt::format("{}.{}.part", all, ::getpid());
  const std::vector<fs::path> parts = files(arguments_.merge ? "sweep-" : "sweep-rank-");
  const auto give_up = [&] {
    if (arguments_.merge) RunStore::remove(beside);
    return failed;
  };
  if (arguments_.merge && !complain(base_.open(beside, identity_, count, measures, false)))
    return give_up();
  for (const fs::path& file : parts)
    if (!complain(base_.take(file.string(), identity_))) return give_up();
  std::size_t finished = 0, first_missing = count;
  if (!complain(base_.for_each(0, count, [&](const RunStore::Run& run) {
        finished += run.done() ? 1 : 0;
        if (!run.done()) first_missing = std::min(first_missing, run.number);
      })))
    return give_up();
  if (finished < count) {
    fmt::print(stderr, "taut: {} of {} runs are done, run {} is the first that is not\n    {}\n",
               finished, count, first_missing,
               arguments_.merge ? "do the missing shards, with --resume those that were interrupted"
                                : "--resume does the others");
    return give_up();
  }
  if (arguments_.merge && (!put_aside(all) || !complain(RunStore::rename(beside, all)) ||
                           !complain(base_.open(all, identity_, count, measures, true))))
    return give_up();
  sweep.store = std::move(base_);
  sweep.finished = finished;
  if (!arguments_.merge)
    for (const fs::path& file : parts) RunStore::remove(file.string());
  return done;
}

}  // namespace taut::cli
