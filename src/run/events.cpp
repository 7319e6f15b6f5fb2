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
  functions_.clear();
  const auto& observables = system.structure().observables;
  for (std::size_t k = 0; k < observables.size(); ++k) {
    if (observables[k].kind != Observable::Kind::event) continue;
    events_.push_back(static_cast<int>(k));
    if (given_ == nullptr) continue;
    for (const EventFunction& function : *given_)
      if (function.event == observables[k].name) functions_.emplace_back(events_.back(), &function);
  }
  if (!any()) return Status::ok;
  system.prepare(ev_);
  if (const Status status = values(system, state); status != Status::ok) return status;
  value_.setConstant(2 * ev_.observable.size(), std::numeric_limits<double>::quiet_NaN());
  value_.head(ev_.observable.size()) = ev_.observable;
  return Status::ok;
}

Status EventWatch::values(const System& system, const State& state) {
  if (const Status status =
          system.evaluate(need(Target::observable), {state.t, state.q, state.v}, ev_);
      status != Status::ok)
    return status;
  for (const auto& [event, function] : functions_)
    if (const Status status = value_of(*function, state, ev_.observable[event]);
        status != Status::ok)
      return status;
  return Status::ok;
}

Status EventWatch::value_of(const EventFunction& function, const State& state, double& value) {
  if (const Status status = function.value(state, value); status != Status::ok) return status;
  if (std::isfinite(value)) return Status::ok;
  not_finite_ = function.event;
  return Status::non_finite;
}

const EventFunction* EventWatch::function_of(int event) const {
  for (const auto& [k, function] : functions_)
    if (k == event) return function;
  return nullptr;
}

// Of a function nothing is known but its values: at places that no method prefers.
Status EventWatch::look_inside(int event, double t_begin, const State& end,
                               StepInterior& interior) {
  parts_.clear();
  double before = value_[event], from = t_begin;
  for (const double part : {0.23, 0.48, 0.77, 1.0}) {
    double t = end.t, value = after_[event];
    if (part < 1.0) {
      t = t_begin + part * (end.t - t_begin);
      if (const Status status = interior.at(t, probe_); status != Status::ok) return status;
      if (const Status status = value_of(*function_of(event), probe_, value); status != Status::ok)
        return status;
    }
    if (fires(before, value, Observable::Direction::any)) parts_.push_back({from, t});
    before = value;
    from = t;
  }
  return Status::ok;
}

Status EventWatch::check(const System& system, double t_begin, const State& end,
                         StepInterior& interior, EventScan& scan, std::vector<EventRecord>& found) {
  if (!any()) return Status::ok;
  if (const Status status = values(system, end); status != Status::ok) return status;
  const std::size_t first = found.size();
  crossings_.clear();
  const auto& observables = system.structure().observables;
  after_ = ev_.observable;
  // what has not left zero has the sign that it was given there
  auto rest = value_.tail(after_.size());
  for (const int k : events_) {
    if (after_[k] == rest[k])
      after_[k] = value_[k];
    else
      rest[k] = std::numeric_limits<double>::quiet_NaN();
  }
  const Vec& after = after_;
  for (const int k : events_) {
    bool scanned = false;
    if (function_of(k) != nullptr) {
      scanned = !interior.is_short() && end.t > t_begin;
      if (scanned)
        if (const Status status = look_inside(k, t_begin, end, interior); status != Status::ok)
          return status;
    } else if (const Status status = scan.scan(k, scanned); status != Status::ok) {
      return status;
    }
    const std::vector<StepPart>& pieces = function_of(k) != nullptr ? parts_ : scan.pieces();
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
    // between pieces it keeps its sign; where it is zero but for rounding, the ends of a piece may
    // show another one than the scan has seen
    double before = value_[k], from = t_begin;
    for (const StepPart& with_one : pieces) {
      Bracket piece{.a = with_one.begin, .b = with_one.end};
      if (before == 0.0 && piece.a > t_begin)
        if (const Status status = value_at(system, k, piece.a, interior, before);
            status != Status::ok)
          return status;
      piece.f_a = before;
      piece.f_b = after[k];
      if (piece.b < end.t)
        if (const Status status = value_at(system, k, piece.b, interior, piece.f_b);
            status != Status::ok)
          return status;
      before = piece.f_b;
      from = piece.b;
      if (!fires(piece.f_a, piece.f_b, observables[k].direction)) continue;
      if (const Status status = add(system, k, piece, end, interior, found); status != Status::ok)
        return status;
    }
    if (from < end.t && fires(before, after[k], observables[k].direction)) {
      const Bracket last{.a = from, .f_a = before, .b = end.t, .f_b = after[k]};
      if (const Status status = add(system, k, last, end, interior, found); status != Status::ok)
        return status;
    }
  }
  value_.head(after_.size()) = after_;
  // events at the same time stay in the order of the model
  std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                   [](const auto& a, const auto& b) { return a.state.t < b.state.t; });
  return Status::ok;
}

EventWatch::Happened EventWatch::happened(int event, double t) const {
  for (const Crossing& crossing : crossings_)
    if (crossing.happened.event == event && crossing.t == t) return crossing.happened;
  return {.event = event};
}

Status EventWatch::leave(const System& system, const State& state, const Vec& a, double step,
                         const std::vector<Happened>& events) {
  constexpr Needs rates =
      needs(Target::observable, Target::observable_q, Target::observable_v, Target::observable_t);
  // a rate that is not finite leads nowhere; those of others do not matter
  static_cast<void>(system.evaluate(rates, {state.t, state.q, state.v}, ev_));
  for (const Happened& one : events) {
    const auto event = one.event;
    const auto sense = one.sense;
    if (std::abs(value_[event]) > one.noise) continue;
    const double size = std::max(std::abs(value_[event]), std::numeric_limits<double>::min());
    const auto give_sign = [&](bool goes_on) {
      value_.tail(ev_.observable.size())[event] = value_[event];
      value_[event] = goes_on ? sense * size : -sense * size;
    };
    if (const EventFunction* function = function_of(event)) {
      // a little ahead on its way
      const double ahead = 1e-3 * step;
      probe_ = {state.t + ahead, state.q + ahead * state.v + ahead * ahead / 2 * a,
                state.v + ahead * a};
      double value = 0.0;
      if (const Status status = value_of(*function, probe_, value); status != Status::ok)
        return status;
      give_sign(sense * (value - value_[event]) > one.noise);
      continue;
    }
    double rate = ev_.observable_t[event], terms = std::abs(rate);
    const auto add = [&](const Sparse& gradient, const Vec& of) {
      for (Sparse::InnerIterator it{gradient, event}; it; ++it) {
        rate += it.value() * of[it.col()];
        terms += std::abs(it.value() * of[it.col()]);
      }
    };
    add(ev_.observable_q, state.v);
    add(ev_.observable_v, a);
    constexpr double rounding = 1e-12;
    give_sign(sense * rate > rounding * terms);
  }
  return Status::ok;
}

Status EventWatch::value_at(const System& system, int event, double t, StepInterior& interior,
                            double& value) {
  if (const Status status = interior.at(t, probe_); status != Status::ok) return status;
  if (const EventFunction* function = function_of(event)) return value_of(*function, probe_, value);
  if (const Status status =
          system.evaluate(need(Target::observable), {probe_.t, probe_.q, probe_.v}, ev_);
      status != Status::ok)
    return status;
  value = ev_.observable[event];
  return Status::ok;
}

Status EventWatch::add(const System& system, int event, Bracket bracket, const State& end,
                       StepInterior& interior, std::vector<EventRecord>& found) {
  const Observable& observable = system.structure().observables[static_cast<std::size_t>(event)];
  EventRecord record{.name = observable.name,
                     .state = end,
                     .acts = observable.acts,
                     .after = {},
                     .observable = event};
  Crossing crossing{.happened = {.event = event, .sense = bracket.f_a < 0.0 ? 1.0 : -1.0}};
  constexpr double rounding = 1e-13;
  crossing.happened.noise = rounding * std::max({std::abs(value_[event]), std::abs(after_[event]),
                                                 std::abs(bracket.f_a)});
  if (bracket.b != end.t || bracket.f_b != 0.0)
    if (const Status status = locate(system, event, bracket, end, interior, record.state);
        status != Status::ok)
      return status;
  crossing.happened.noise += 8 * std::max(std::abs(bracket.f_a), std::abs(bracket.f_b));
  crossing.t = record.state.t;
  crossings_.push_back(crossing);
  found.push_back(std::move(record));
  return Status::ok;
}

Status EventWatch::locate(const System& system, int event, Bracket& bracket, const State& end,
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
