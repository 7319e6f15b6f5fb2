// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/event_scan.hpp"
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
                         StepInterior& interior, EventScan& scan, std::vector<EventRecord>& found) {
  if (!any()) return Status::ok;
  if (const Status status = values(system, end); status != Status::ok) return status;
  const std::size_t first = found.size();
  const auto& observables = system.structure().observables;
  after_ = ev_.observable;
  const Vec& after = after_;
  for (const int k : events_) {
    bool scanned = false;
    if (const Status status = scan.scan(k, scanned); status != Status::ok) return status;
    const std::vector<EventScan::Piece>& pieces = scan.pieces();
    const bool crosses = fires(value_[k], after[k], observables[k].direction);
    // once, as the ends of the step show it: located between these
    const bool once = !scanned || (pieces.size() <= 1 && (value_[k] < 0.0) != (after[k] < 0.0));
    if (once) {
      if (!crosses) continue;
      const Bracket whole{.a = t_begin, .f_a = value_[k], .b = end.t, .f_b = after[k]};
      if (const Status status = add(system, k, whole, end, interior, found); status != Status::ok)
        return status;
      continue;
    }
    for (const EventScan::Piece& with_one : pieces) {
      Bracket piece{.a = with_one.begin, .b = with_one.end};
      // the value at the begin of the step is the one that was seen at its end before
      piece.f_a = value_[k];
      if (piece.a > t_begin)
        if (const Status status = value_at(system, k, piece.a, interior, piece.f_a);
            status != Status::ok)
          return status;
      piece.f_b = after[k];
      if (piece.b < end.t)
        if (const Status status = value_at(system, k, piece.b, interior, piece.f_b);
            status != Status::ok)
          return status;
      if (!fires(piece.f_a, piece.f_b, observables[k].direction)) continue;
      if (const Status status = add(system, k, piece, end, interior, found); status != Status::ok)
        return status;
    }
  }
  value_.swap(after_);
  // events at the same time stay in the order of the model
  std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                   [](const auto& a, const auto& b) { return a.state.t < b.state.t; });
  return Status::ok;
}

Status EventWatch::value_at(const System& system, int event, double t, StepInterior& interior,
                            double& value) {
  if (const Status status = interior.at(t, probe_); status != Status::ok) return status;
  if (const Status status = values(system, probe_); status != Status::ok) return status;
  value = ev_.observable[event];
  return Status::ok;
}

Status EventWatch::add(const System& system, int event, Bracket bracket, const State& end,
                       StepInterior& interior, std::vector<EventRecord>& found) {
  const Observable& observable = system.structure().observables[static_cast<std::size_t>(event)];
  EventRecord record{.name = observable.name, .state = end, .stops = observable.stops};
  if (bracket.b != end.t || bracket.f_b != 0.0)
    if (const Status status = locate(system, event, bracket, end, interior, record.state);
        status != Status::ok)
      return status;
  found.push_back(std::move(record));
  return Status::ok;
}

Status EventWatch::locate(const System& system, int event, Bracket bracket, const State& end,
                          StepInterior& interior, State& at) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double resolution = 2 * epsilon * std::max(std::abs(bracket.a), std::abs(bracket.b));
  const double tolerance = std::max(1e-12 * (bracket.b - bracket.a), resolution);
  const auto value = [&](double t, double& e) { return value_at(system, event, t, interior, e); };
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
