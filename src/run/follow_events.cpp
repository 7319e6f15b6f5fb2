// SPDX-License-Identifier: BSD-3-Clause
// Events inside the steps of follow().
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/follow_run.hpp"
#include "run/root.hpp"

namespace taut {

bool crosses(double before, double after, Observable::Direction direction) {
  if (before < 0.0 && after >= 0.0) return direction != Observable::Direction::falling;
  if (before > 0.0 && after <= 0.0) return direction != Observable::Direction::rising;
  return false;
}

Status FollowRun::event_values(const Vec& p, const Vec& V, Vec& values) {
  values.resize(static_cast<Index>(events_.size()));
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const double value = events_[k].value(p, V);
    // a derivative by x may be infinite at an impasse point: its sign is what counts
    if (std::isnan(value)) {
      ending_ = fmt::format("event '{}'", events_[k].name);
      return Status::non_finite;
    }
    values[static_cast<Index>(k)] = value;
  }
  return Status::ok;
}

Status FollowRun::find_events() {
  if (events_.empty()) return Status::ok;
  if (const Status status = event_values(end_.p, end_.V, value_after_); status != Status::ok)
    return status;
  tube_.step(curve_, integrator_, {begin_.p, begin_.V}, {end_.p, end_.V});
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const auto i = static_cast<Index>(k);
    places_.clear();
    if (!events_[k].formula)
      places_ = {0.25, 0.5, 0.75};
    else if (events_[k].formula->of_curve())
      if (const Status status = event_scan_(*events_[k].formula, tube_, places_);
          status != Status::ok)
        return status;
    double from = 0.0, value_from = event_value_[i];
    for (const double to : places_) {
      double value_to = 0.0;
      if (const Status status = event_at(k, to, value_to); status != Status::ok) return status;
      if (const Status status = locate_event(k, from, to, value_from, value_to);
          status != Status::ok)
        return status;
      if (value_to == 0.0) continue;  // it has no sign
      from = to;
      value_from = value_to;
    }
    if (const Status status = locate_event(k, from, 1.0, value_from, value_after_[i]);
        status != Status::ok)
      return status;
  }
  return Status::ok;
}

Status FollowRun::event_at(std::size_t k, double theta, double& value) {
  if (const Status status = at(theta, probe_); status != Status::ok) return status;
  if (const Status status = direction_at(theta, probe_, probe_V_); status != Status::ok)
    return status;
  if (const Status status = event_values(probe_, probe_V_, value_probe_); status != Status::ok)
    return status;
  value = value_probe_[static_cast<Index>(k)];
  return Status::ok;
}

// In a part of the step in which the value has one zero at the most.
Status FollowRun::locate_event(std::size_t k, double from, double to, double value_from,
                               double value_to) {
  if (!crosses(value_from, value_to, events_[k].direction)) return Status::ok;
  Bracket bracket{.a = from, .f_a = value_from, .b = to, .f_b = value_to};
  const auto value = [&](double theta, double& e) { return event_at(k, theta, e); };
  if (const Status status = shrink_bracket(value, 1e-12, bracket); status != Status::ok)
    return status;
  // through infinity, as a derivative by x goes where x turns back, no value becomes zero
  if (std::abs(bracket.f_b) > std::max(std::abs(value_from), std::abs(value_to))) return Status::ok;
  // the far end: there the event has happened
  happenings_.push_back({.theta = bracket.b, .event = static_cast<int>(k)});
  return Status::ok;
}

Status FollowRun::keep_event(const Happening& happening, bool full, bool& stops) {
  const CurveEvent& event = events_[static_cast<std::size_t>(happening.event)];
  stops = event.stops;
  if (full && !stops) {
    ++dropped_;
    return Status::ok;
  }
  if (const Status status = at(happening.theta, probe_); status != Status::ok) return status;
  found_events_.push_back({event.name, length_at(happening.theta), probe_, stops});
  if (stops)
    ending_ = fmt::format("event '{}' stopped the run at {} = {}", event.name, x_name(), probe_[0]);
  return Status::ok;
}

// Derivatives, and events that read them, may change their sign at a switch.
Status FollowRun::jump_events() {
  if (events_.empty() || event_value_.size() == 0) return Status::ok;
  if (const Status status = event_values(end_.p, end_.V, value_after_); status != Status::ok)
    return status;
  happenings_.clear();
  for (std::size_t k = 0; k < events_.size(); ++k) {
    const auto i = static_cast<Index>(k);
    if (crosses(event_value_[i], value_after_[i], events_[k].direction))
      happenings_.push_back({.theta = 1.0, .event = static_cast<int>(k)});
  }
  event_value_ = value_after_;
  double theta_end = 2.0;
  Status ending = Status::ok;
  if (const Status status = keep_happenings(theta_end, ending); status != Status::ok) return status;
  at_end_ = at_end_ || theta_end <= 1.0;
  return ending;
}

}  // namespace taut
