// SPDX-License-Identifier: BSD-3-Clause
#include "studies/device_sweep.hpp"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace taut {
namespace {

bool same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

std::vector<device::EndMeasure> end_measures(const LaneSweep& lanes) {
  using Of = RunMeasure::Of;
  using End = device::EndMeasure;
  const std::vector<Row>& rows = lanes.model().system.structure().rows;
  auto output = lanes.model().outputs.begin();
  std::vector<End> all;
  for (const RunMeasure& measure : lanes.measures()) {
    End end{.absolute = measure.absolute};
    switch (measure.of) {
      case Of::steps:
        end.of = End::Of::steps;
        break;
      case Of::rejected:
        end.of = End::Of::rejected;
        break;
      case Of::force_evaluations:
        end.of = End::Of::evaluations;
        break;
      case Of::t:
        end.of = End::Of::t;
        break;
      default:
        if (measure.row.empty()) {
          end.of = End::Of::observable;
          end.index = *output++;
          break;
        }
        end.of = End::Of::multiplier;
        end.index =
            static_cast<int>(std::find_if(rows.begin(), rows.end(),
                                          [&](const Row& row) { return row.name == measure.row; }) -
                             rows.begin());
    }
    all.push_back(end);
  }
  return all;
}

}  // namespace

struct DeviceSweep::Shared {
  std::mutex mutex;
  std::condition_variable freed;
  int under_way = 0;
  std::string problem;
};

/// What a thread prepares and takes back.
struct DeviceSweep::Work {
  device::Batch batch;
  std::vector<SweepRun> runs;
  std::vector<double> rows;  // start numbers that differ, run by run
  std::vector<double> numbers, scratch;
};

/// One of those that may have a batch on the device.
class DeviceSweep::Turn {
 public:
  explicit Turn(Shared& shared) : shared_{shared} {
    constexpr int most = 2;  // of DeviceProgram
    std::unique_lock lock{shared_.mutex};
    shared_.freed.wait(lock, [&] { return shared_.under_way < most; });
    ++shared_.under_way;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    {
      const std::scoped_lock lock{shared_.mutex};
      --shared_.under_way;
    }
    shared_.freed.notify_one();
  }

 private:
  Shared& shared_;
};

DeviceSweep::DeviceSweep() : shared_{std::make_unique<Shared>()} {}
DeviceSweep::~DeviceSweep() = default;

std::unique_ptr<DeviceSweep> DeviceSweep::make(device::Device& device,
                                               std::unique_ptr<const LaneSweep> lanes,
                                               const std::vector<std::vector<double>>& examples,
                                               std::string& why) {
  std::unique_ptr<DeviceSweep> made{new DeviceSweep};
  made->lanes_ = std::move(lanes);
  std::vector<double> scratch, numbers;
  // where a start of one of them is off the constraints, all are looked at
  for (const std::vector<double>& values : examples) {
    const auto given = made->lanes_->start(values, false, scratch);
    const auto moved = given ? made->lanes_->start(values, true, scratch) : std::nullopt;
    if (moved && (moved->state.q != given->state.q || moved->state.v != given->state.v))
      made->moves_ = true;
  }
  int found = 0;
  for (const std::vector<double>& values : examples) {
    const auto start = made->lanes_->start(values, made->moves_, scratch);
    if (!start) continue;
    device::flatten(*start, numbers);
    ++found;
    if (made->fixed_.empty()) made->fixed_.assign(numbers.begin(), numbers.end());
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (made->fixed_[k] && !same(*made->fixed_[k], numbers[k])) made->fixed_[k].reset();
  }
  if (made->fixed_.empty()) {
    why = "none of its starts can be computed there";
    return nullptr;
  }
  // of one alone it is not known what differs
  if (found == 1 && examples.size() > 1) made->fixed_.assign(made->fixed_.size(), std::nullopt);
  const std::vector<device::EndMeasure> measures = end_measures(*made->lanes_);
  const auto source = device::motion_source(made->lanes_->programs(), made->lanes_->method(),
                                            measures, made->fixed_, why);
  if (!source) return nullptr;
  made->columns_ = source->columns;
  made->most_ = device.batch();
  made->program_ = device.compile(*source, measures.size(), why);
  return made->program_ ? std::move(made) : nullptr;
}

std::string DeviceSweep::problem() const {
  const std::scoped_lock lock{shared_->mutex};
  return shared_->problem;
}

// False where it does not fit.
bool DeviceSweep::load(const std::vector<double>& values, Work& work) const {
  const auto start = lanes_->start(values, moves_, work.scratch);
  if (!start) return false;
  device::flatten(*start, work.numbers);
  const std::size_t before = work.rows.size();
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    if (!fixed_[k]) {
      work.rows.push_back(work.numbers[k]);
    } else if (!same(*fixed_[k], work.numbers[k])) {
      work.rows.resize(before);
      return false;
    }
  }
  return true;
}

// False where the device fails.
bool DeviceSweep::compute(Work& work) {
  device::Batch& batch = work.batch;
  batch.runs = work.runs.size();
  batch.in.resize(work.rows.size());
  for (std::size_t r = 0; r < batch.runs; ++r)
    for (std::size_t c = 0; c < columns_; ++c)
      batch.in[c * batch.runs + r] = work.rows[r * columns_ + c];
  const Turn turn{*shared_};
  std::string wrong;
  {
    const std::scoped_lock lock{shared_->mutex};
    if (!shared_->problem.empty()) return false;
    wrong = program_->begin(batch);
  }
  if (wrong.empty()) wrong = program_->finish(batch);
  if (wrong.empty()) return true;
  const std::scoped_lock lock{shared_->mutex};
  if (shared_->problem.empty()) shared_->problem = wrong;
  return false;
}

void DeviceSweep::operator()(std::size_t share, const NextRun& next, const RunDone& done,
                             const LaneSweep::RunAlone& alone, const std::atomic<bool>* cancel) {
  const std::size_t most = std::clamp<std::size_t>(share, 1, most_);
  const std::size_t measures = lanes_->measures().size();
  const auto cancelled = [&] {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
  };
  const auto leave = [&](const SweepRun& one) {
    ++left_;
    done(one.number, alone(one.values));
  };
  Work work;
  for (bool more = true; more && !cancelled();) {
    work.runs.clear();
    work.rows.clear();
    while (work.runs.size() < most) {
      std::optional<SweepRun> one = next();
      more = one.has_value();
      if (!more) break;
      if (load(one->values, work))
        work.runs.push_back(std::move(*one));
      else
        leave(*one);
    }
    if (work.runs.empty()) continue;
    const bool good = compute(work);
    for (std::size_t r = 0; r < work.runs.size() && !cancelled(); ++r) {
      const SweepRun& one = work.runs[r];
      if (!good || work.batch.how[r] != 1) {
        leave(one);
        continue;
      }
      SweptRun run{.status = std::string{name(Status::ok)}, .method = lanes_->method_name()};
      run.measures.reserve(measures);
      for (std::size_t m = 0; m < measures; ++m)
        run.measures.push_back(work.batch.out[m * work.runs.size() + r]);
      done(one.number, std::move(run));
    }
  }
}

}  // namespace taut
