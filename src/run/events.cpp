// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/root.hpp"

namespace taut {
namespace {

// whether a value that went from `before` to `after` fires; zero has no sign
bool fires(double before, double after, Observable::Direction direction) {
  if (before < 0.0 && after >= 0.0) return direction != Observable::Direction::falling;
  if (before > 0.0 && after <= 0.0) return direction != Observable::Direction::rising;
  return false;
}

}  // namespace

Status EventWatch::start(const System& system, const State& state) {
  events_.clear();
  const auto& observables = system.structure().observables;
  for (std::size_t k = 0; k < observables.size(); ++k)
    if (observables[k].kind == Observable::Kind::event) events_.push_back(static_cast<int>(k));
  if (!any()) return Status::ok;
  system.prepare(ev_);
  if (const Status status = values(system, state); status != Status::ok) return status;
  value_ = ev_.observable;
  return Status::ok;
}

Status EventWatch::values(const System& system, const State& state) {
  return system.evaluate(need(Target::observable), {state.t, state.q, state.v}, ev_);
}

Status EventWatch::check(const System& system, double t_begin, const State& end,
                         StepInterior& interior, std::vector<EventRecord>& found) {
  if (!any()) return Status::ok;
  if (const Status status = values(system, end); status != Status::ok) return status;
  const std::size_t first = found.size();
  const auto& observables = system.structure().observables;
  const auto crossed = [&](int k) {
    return fires(value_[k], ev_.observable[k], observables[k].direction);
  };
  if (std::none_of(events_.begin(), events_.end(), crossed)) {
    value_.swap(ev_.observable);
    return Status::ok;
  }

  const Vec after = ev_.observable;
  for (const int k : events_) {
    if (!fires(value_[k], after[k], observables[k].direction)) continue;
    EventRecord record{.name = observables[k].name, .state = end, .stops = observables[k].stops};
    if (after[k] != 0.0) {
      ev_.observable[k] = after[k];
      const Status status = locate(system, k, t_begin, end, interior, record.state);
      if (status != Status::ok) return status;
    }
    found.push_back(std::move(record));
  }
  value_ = after;
  // events at the same time stay in the order of the model
  std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                   [](const auto& a, const auto& b) { return a.state.t < b.state.t; });
  return Status::ok;
}

Status EventWatch::locate(const System& system, int event, double t_begin, const State& end,
                          StepInterior& interior, State& at) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double resolution = 2 * epsilon * std::max(std::abs(t_begin), std::abs(end.t));
  const double tolerance = std::max(1e-12 * (end.t - t_begin), resolution);

  Bracket bracket{.a = t_begin, .f_a = value_[event], .b = end.t, .f_b = ev_.observable[event]};
  const auto value = [&](double t, double& e) {
    if (const Status status = interior.at(t, probe_); status != Status::ok) return status;
    if (const Status status = values(system, probe_); status != Status::ok) return status;
    e = ev_.observable[event];
    return Status::ok;
  };
  if (const Status status = shrink_bracket(value, tolerance, bracket); status != Status::ok)
    return status;

  // the far end: there the event has happened
  if (bracket.b == end.t) {
    at = end;
    return Status::ok;
  }
  return interior.at(bracket.b, at);
}

}  // namespace taut
