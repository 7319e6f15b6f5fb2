// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/lane_look.hpp"

#include <algorithm>
#include <cmath>

namespace taut::lanes {

bool LaneLook::start(const Run& run, const State& state) {
  run_ = run;
  projects_ = checks_ = false;
  next_bound_ = 0.0;
  stops_ = false;
  events_.clear();
  system_ = run.system;
  if (run.watched) {
    system_ = switched(run.system, switches_);
    if (switches_->any_switch() || switches_->has_contacts()) return false;
  }
  if (run.has_events) {
    counts_.assign(system_.structure().observables.size(), 0);
    scan_.start(run.system, run.system, {});
    if (event_watch_.start(system_, state) != Status::ok) return false;
  }
  if (!run.watched) return true;
  watch_.start(switches_, system_, run.tolerance);
  return watch_.set_sides(state, 1e-6 * std::max(run.until - state.t, 0.0)) == Status::ok;
}

Status LaneLook::Pulled::at(double t, State& out) {
  if (const Status status = inside_.at(t, out); status != Status::ok) return status;
  OutputProjection& projection = look_.projection_;
  if (!look_.projects_)
    if (const Status status = projection.start(look_.system_); status != Status::ok) return status;
  look_.projects_ = true;
  const Status status = projection(look_.system_, out);
  return status == Status::ok ? projection(look_.system_, out) : status;
}

LaneLook::Verdict LaneLook::watch(DensePolynomial& inside) {
  if (!run_.watched) return Verdict::stands;
  Pulled pulled{*this, inside};
  Finding found;
  if (watch_.look(from, to, pulled, found) != Status::ok) return Verdict::leave;
  if (found.kind == Finding::Kind::nothing) return Verdict::stands;
  return found.kind == Finding::Kind::unresolved ? shorten(found) : Verdict::leave;
}

// TimeRun::is_read()
bool LaneLook::may_happen(DensePolynomial& inside, bool& may) {
  Pulled pulled{*this, inside};
  scan_.step(from, to, pulled);
  return scan_.may_cross(may) == Status::ok;
}

// TimeRun::keep_events() of events that do not act
bool LaneLook::find_events(DensePolynomial& inside) {
  constexpr std::size_t most = 10'000;  // later ones are not kept by a run, either
  Pulled pulled{*this, inside};
  found_.clear();
  scan_.step(from, to, pulled);
  if (event_watch_.check(system_, from.state.t, to.state, pulled, scan_, found_) != Status::ok)
    return false;
  const std::vector<Observable>& observables = system_.structure().observables;
  for (EventRecord& event : found_) {
    const auto number = static_cast<std::size_t>(event.observable);
    stops_ = ++counts_[number] == observables[number].stop_after;
    events_.push_back(std::move(event));
    if (stops_) break;
  }
  return events_.size() < most;
}

// TimeRun::looked_advance()
LaneLook::Verdict LaneLook::shorten(const Finding& found) {
  if (++repeats_ >= most_repeats) return Verdict::leave;
  const double h = to.state.t - from.state.t;
  if (found.t > t_begin_ + run_.resolution) {
    limit_ = std::min(limit_, found.t);
    next_bound_ = found.length;
    return Verdict::again;
  }
  // as short as it can be: what it is then is for others
  if (!(found.length < h / 2 && found.length > 64 * run_.resolution)) return Verdict::leave;
  bound_ = std::min(bound_, found.length);
  return Verdict::again;
}

// TimeRun::check_at()
Status LaneLook::check_at(DensePolynomial& inside, double t, bool fully, double& error) {
  const double h = to.state.t - from.state.t;
  if (!checks_)
    if (const Status status = dense_check_.start(system_); status != Status::ok) return status;
  checks_ = true;
  if (const Status status = Pulled{*this, inside}.at(t, inside_); status != Status::ok)
    return status;
  if (const Status status = inside.rates(t, rate_); status != Status::ok) return status;
  if (!fully && DenseCheck::of_places(inside_, rate_, h, run_.tolerance) <= DenseCheck::allowed)
    return Status::ok;
  double here = 0.0;
  const Status status = dense_check_(system_, inside_, rate_, h, run_.tolerance, here);
  if (!(here <= error)) error = here;
  return status;
}

// TimeRun::check_dense()
LaneLook::Verdict LaneLook::judge(double error, double row) {
  constexpr double helped = 0.7;
  constexpr int most = 10;
  if (error <= DenseCheck::allowed) return Verdict::stands;
  const double h = to.state.t - from.state.t;
  poor_.stays =
      poor_.stays || poor_.tries >= most || (poor_.tries > 0 && !(error < helped * poor_.error));
  ++poor_.tries;
  poor_.error = error;
  if (!poor_.stays) {
    const double factor = std::pow(DenseCheck::allowed / error, 0.25);
    return shorten({.kind = Finding::Kind::unresolved,
                    .t = t_begin_,
                    .length = h * std::clamp(0.8 * factor, 0.1, 0.45)});
  }
  if (row > t_begin_ + run_.resolution && row < to.state.t - run_.resolution)
    return shorten({.kind = Finding::Kind::unresolved, .t = row});
  return Verdict::stands;
}

}  // namespace taut::lanes
