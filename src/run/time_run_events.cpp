// SPDX-License-Identifier: BSD-3-Clause
// What events do to a run: a part of time_run.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "run/time_run.hpp"

namespace taut {
namespace {

// of the step in which an event was found, to which its time is known
constexpr double located = 1e-12;

}  // namespace

// Takes over what happened in this step, up to the first event that stops the run or acts.
Status TimeRun::keep_events(double& t_stop) {
  if (!watch_.any()) return Status::ok;
  found_.clear();
  to_.state = state_;
  if (!adaptive_) {
    from_.state = begin_.state;
    from_.a.resize(0);
  }
  event_scan_.step(from_, to_, *this);
  if (const Status status = watch_.check(output_, t_begin_, state_, *this, event_scan_, found_);
      status != Status::ok)
    return status;
  const std::vector<Observable>& observables = output_.structure().observables;
  counts_.resize(observables.size(), 0);
  step_of_events_ = state_.t - t_begin_;
  for (std::size_t first = 0, end = 0; first < found_.size(); first = end) {
    end = together(first);
    const auto begin_of_group = found_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end_of_group = found_.begin() + static_cast<std::ptrdiff_t>(end);
    const bool act = std::any_of(begin_of_group, end_of_group,
                                 [](const EventRecord& event) { return event.acts; });
    if (!act) end = first + 1;
    const State& last = found_[end - 1].state;
    if (act) {
      stop_state_ = last;
      for (std::size_t k = first; k < end; ++k) {
        happened_.push_back(watch_.happened(found_[k].observable, found_[k].state.t));
        if (k + 1 < end) found_[k].state = stop_state_;
      }
      // in the order of the model
      std::stable_sort(happened_.begin(), happened_.end(),
                       [](const auto& a, const auto& b) { return a.event < b.event; });
      std::stable_sort(begin_of_group, end_of_group,
                       [](const auto& a, const auto& b) { return a.observable < b.observable; });
    }
    bool stop = false;
    for (std::size_t k = first; k < end; ++k) {
      EventRecord& event = found_[k];
      const auto number = static_cast<std::size_t>(event.observable);
      event.stops = ++counts_[number] == observables[number].stop_after;
      if (event.stops) {
        stop_name_ = event.name;
        counts_[number] = 0;  // of a run that goes on it stops again
      }
      stop |= event.stops;
      if (event.stops && !act) stop_state_ = event.state;
      if (event.stops || static_cast<std::int64_t>(events_.size()) < options_.max_events)
        events_.push_back(std::move(event));
      else
        ++dropped_;
    }
    if (!stop && !act) continue;
    t_stop = stop_state_.t;
    stops_behind_ = act && stop;
    break;
  }
  return Status::ok;
}

// Behind the last of those that happen when `first` does.
std::size_t TimeRun::together(std::size_t first) const {
  const double t = found_[first].state.t;
  const double window = 4 * std::max(located * (state_.t - t_begin_),
                                     4 * std::numeric_limits<double>::epsilon() * std::abs(t));
  std::size_t end = first + 1;
  while (end < found_.size() && found_[end].state.t <= t + window) ++end;
  return end;
}

// A step of no length: (1) of EventActions for each event, each from what those before have left.
Status TimeRun::act() {
  before_ = state_;
  const std::vector<EventWatch::Happened> events = std::exchange(happened_, {});
  for (const EventWatch::Happened& one : events)
    if (output_.structure().observables[static_cast<std::size_t>(one.event)].acts)
      if (const Status status = act(one.event); status != Status::ok) return failed(status);
  if (const Status status = watch_.leave(output_, state_, frame_.a, step_of_events_, events);
      status != Status::ok)
    return failed(status);
  if (const Status status = keep_event_row(); status != Status::ok) return failed(status);
  if (const Status status = outputs_until(state_.t + resolution_); status != Status::ok)
    return failed(status);
  for (const EventWatch::Happened& one : events) {
    if (!output_.structure().observables[static_cast<std::size_t>(one.event)].acts) continue;
    const Status status = judge_accumulation(one.event);
    if (status != Status::ok && !stops_behind_) return status;
    // of what happens in quick succession, a long step would see the rounding of its length
    constexpr double a_few = 8;
    if (const double distance = accumulation_.distance(one.event); distance > 0.0)
      next_bound_ = next_bound_ > 0.0 ? std::min(next_bound_, a_few * distance) : a_few * distance;
  }
  acted_ = true;
  return Status::ok;
}

Status TimeRun::act(int event) {
  const std::string name = event_name(event);
  if (const Status status = measure(state_); status != Status::ok) return status;
  const double energy = frame_.energy();
  if (const Status status = actions_.act(event, frame_, change_); status != Status::ok) {
    refused_ = fmt::format("event '{}' {}", name, actions_.problem());
    return status;
  }
  if (change_.parameters)
    if (const Status status = take_model(); status != Status::ok) {
      refused_ = fmt::format("event '{}' changes the structure of the model: {}", name, refused_);
      return status;
    }
  if (const Status status = make_consistent(change_, name); status != Status::ok) return status;
  if (const Status status = begin_anew(); status != Status::ok) return status;
  if (const Status status = measure(state_); status != Status::ok) return status;
  balance_.begin(state_);
  balance_.jump(name, frame_.energy() - energy);
  for (auto record = events_.rbegin(); record != events_.rend() && record->state.t == state_.t;
       ++record)
    if (record->observable == event) {
      record->after = state_;
      break;
    }
  return Status::ok;
}

// The system that follows from what events have made of parameters.
Status TimeRun::take_model() {
  const System reading = actions_.system();
  const Structure &now = reading.structure(), &before = system_.structure();
  if (now.nq != before.nq || now.nc != before.nc || now.rows.size() != before.rows.size() ||
      now.observables.size() != before.observables.size()) {
    refused_ = fmt::format(
        "it has {} coordinates, {} equations and {} constraints then, not {}, {} "
        "and {}",
        now.nq, now.nc, now.rows.size(), before.nq, before.nc, before.rows.size());
    return Status::invalid_argument;
  }
  freeze(reading);
  outdated_ = true;
  ++changes_of_model_;
  return Status::ok;
}

// The nearest state in the mass metric that has the values named, on the constraints: velocities
// are changed by the impulse  M (v+ - v) = Eᵀ μ - Gᵀ Λ  of these values and of the constraints.
Status TimeRun::make_consistent(const EventActions::Change& change, const std::string& name) {
  if (output_.nc() == 0 && change.kept.rows.empty()) {
    state_ = change.state;
    return Status::ok;
  }
  Start start = consistent_start(output_, change.state, change.kept);
  if (start.status != Status::ok) {
    refused_ = fmt::format("behind event '{}' {}", name, start.reason);
    return start.status;
  }
  state_ = std::move(start.state);
  return Status::ok;
}

Status TimeRun::judge_accumulation(int event) {
  const std::optional<double> end =
      accumulation_.happened(event, state_.t,
                             {.at_once = 8 * std::max(located * step_of_events_, resolution_ / 4),
                              .resolution = resolution_,
                              .span = until_ - t0_});
  if (!end) return Status::ok;
  blamed_ =
      *end == state_.t
          ? fmt::format("'{}' is at zero, and what moves it there does not let it go",
                        event_name(event))
          : fmt::format("the times of '{}' accumulate at t = {:.15g}", event_name(event), *end);
  return Status::accumulating;
}

// Beside the rows of steps: both sides of a jump.
Status TimeRun::keep_event_row() {
  if (given_rows_) {
    pass_present();
    return Status::ok;
  }
  if (const Status status = record_present(); status != Status::ok) return status;
  recorder_.appended(motion_);
  return Status::ok;
}

}  // namespace taut
