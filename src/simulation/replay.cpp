// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulation/carry_out.hpp"

namespace taut {
// the steps are the same; nothing else is wanted
RunOptions only_steps(const RunOptions& options) {
  RunOptions only;
  only.until = options.until;
  only.step = options.step;
  only.max_step = options.max_step;
  only.projection = options.projection;
  only.acting = options.acting;
  only.event_functions = options.event_functions;
  only.rows = Rows::none;
  return only;
}

Replay::Held::Held(const Plan& plan)
    : options{only_steps(plan.run)}, run{plan.system, method_of(plan), options, motion} {
  run.keep_interior();
}

Instant Replay::at(double t) {
  const std::lock_guard lock{busy_};
  if (!names_) names_ = std::make_shared<const FrameNames>(plan_->system);
  const double begin = plan_->start.state.t;
  if (plan_->start.status != Status::ok) return failed(plan_->start.status, plan_->start.reason);
  if (!(t >= begin && t <= end_))
    return failed(
        Status::invalid_argument,
        fmt::format("t = {} is outside the run, which goes from {} to {}", t, begin, end_));
  Status status = Status::ok;
  if (!held_ || t < held_->run.known_from()) status = go_back_to(t);
  if (status == Status::ok) status = go_on_to(t);
  if (status == Status::ok) status = held_->run.measure_at(t);
  if (status != Status::ok) return failed(status, held_->run.message(status));
  return {Status::ok, {}, held_->run.frame(), names_};
}

Status Replay::go_back_to(double t) {
  held_ = std::make_unique<Held>(*plan_);
  if (const Status status = held_->run.begin(plan_->start.state); status != Status::ok)
    return status;
  const auto behind =
      std::find_if(places_.begin(), places_.end(), [t](const Place& p) { return p.t > t; });
  if (behind == places_.begin()) return Status::ok;
  Archive stored = Archive::reader(std::prev(behind)->stored);
  return held_->run.restore(stored);
}

Status Replay::go_on_to(double t) {
  TimeRun& run = held_->run;
  run.expect(t);
  while (run.is_before(t)) {
    if (run.steps() % stride_ == 0) store_place();
    const Status status = run.advance();
    if (status == Status::ok) continue;
    // an event that stops is the end of the run, which holds t
    if (status != Status::stopped_by_event || run.is_before(t)) return status;
  }
  return Status::ok;
}

void Replay::store_place() {
  if (!plan_->method.resumable) return;
  const double t = held_->run.state().t;
  if (!places_.empty() && places_.back().t >= t) return;
  if (places_.size() == most_places) {
    stride_ *= 2;
    for (std::size_t k = 0; 2 * k < places_.size(); ++k)
      if (k > 0) places_[k] = std::move(places_[2 * k]);
    places_.resize(most_places / 2);
    if (held_->run.steps() % stride_ != 0) return;
  }
  Archive out = Archive::writer();
  held_->run.store(out);
  places_.push_back({t, out.bytes()});
}

Instant Replay::failed(Status status, std::string why) const {
  return {status, std::move(why), {}, names_};
}

}  // namespace taut
