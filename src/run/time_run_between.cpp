// SPDX-License-Identifier: BSD-3-Clause
// What may be done to a run between two of its steps, and what is refused: a part of time_run.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "readings/readings.hpp"
#include "run/time_run.hpp"

namespace taut {
namespace {

std::string not_finite(const char* what, const std::vector<std::string>& names, const Vec& values) {
  for (Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      return fmt::format("{} of the start is {} in {}", what, values[i],
                         names[static_cast<std::size_t>(i)]);
  return {};
}

}  // namespace

// Between steps.
// ---------------------------------------------------------------------------------

Status TimeRun::refuse(std::string why) {
  refused_ = std::move(why);
  return Status::invalid_argument;
}

Status TimeRun::advance(double t_stop) {
  if (t_stop != until_)
    if (const Status status = aim(t_stop); status != Status::ok) return status;
  return advance();
}

Status TimeRun::aim(double until) {
  if (!(until >= state_.t) || !std::isfinite(until))
    return refuse(fmt::format("the end {} is not behind the present t = {}", until, state_.t));
  if (!adaptive_ && until > state_.t && !(options_.step > 0.0))
    return refuse(fmt::format("a step of {} for a method of constant steps", options_.step));
  until_ = until;
  plan_steps();
  plan_outputs();
  // the end before may have been no output time
  if (options_.every > 0.0 && outputs_ > 0)
    next_output_ =
        static_cast<std::int64_t>(std::floor((state_.t - t0_) / options_.every + 1e-9)) + 1;
  blow_up_.set_step(h_);
  return static_cast<double>(N_) >= most_steps ? Status::step_too_small : Status::ok;
}

Status TimeRun::restart() {
  // a method would jump onto them without a word
  if (stepped_system().nc() > 0) {
    prepare_check();
    if (std::string why = off_constraints(check_, "the state"); !why.empty())
      return refuse(std::move(why));
  }
  disturbed_ = true;
  return begin_anew();
}

Status TimeRun::change(const State& state) {
  if (std::string why = refused_state(state); !why.empty()) return refuse(std::move(why));
  if (state.t != state_.t)
    return refuse(fmt::format("a state at t = {} for a run at t = {}", state.t, state_.t));
  State before = std::exchange(state_, state);
  const Status status = restart();
  if (status == Status::invalid_argument) state_ = std::move(before);
  return status;
}

Status TimeRun::change(const System& system) {
  const Structure &now = system.structure(), &before = system_.structure();
  if (now.nq != before.nq || now.nc != before.nc || now.rows.size() != before.rows.size() ||
      now.observables.size() != before.observables.size())
    return refuse(
        fmt::format("a system of {} coordinates, {} equations and {} constraints for one of {}, {} "
                    "and {}",
                    now.nq, now.nc, now.rows.size(), before.nq, before.nc, before.rows.size()));
  const System system_before = system_, output_before = output_;
  const std::shared_ptr<Switches> switches_before = switches_;
  freeze(system);
  const Status status = restart();
  if (status == Status::invalid_argument) {
    system_ = system_before;
    output_ = output_before;
    switches_ = switches_before;
    return status;
  }
  reading_before_ += system_before.hidden_evaluations() - system.hidden_evaluations();
  outdated_ = true;
  return status;
}

Status TimeRun::change(const System& system, const CompiledModel& model) {
  const CompiledModel before = actions_.model();
  actions_.take(model);
  const Status status = change(system);
  if (status == Status::invalid_argument) actions_.take(before);
  return status;
}

Status TimeRun::reset_events() {
  events_.clear();
  counts_.assign(counts_.size(), 0);
  accumulation_ = {};
  dropped_ = 0;
  return watch_.start(output_, state_);
}

Status TimeRun::begin_anew() {
  stopped_ = begin_known_ = end_known_ = interior_known_ = false;
  plan_steps();
  if (const Status status = turns_.follow(state_); status != Status::ok) return status;
  if (const Status status = prepare_watch(); status != Status::ok) return status;
  const Counters before = method_->counters();
  if (const Status status = method_->restart(system_, state_); status != Status::ok) return status;
  if (method_->counters().steps < before.steps) earlier_ += before;
  if (const Status status = watch_.start(output_, state_); status != Status::ok) return status;
  return watch_blow_up();
}

// What rows and the inside of steps are computed with, once that is asked for.
Status TimeRun::renew_output() {
  outdated_ = false;
  if (const Status status = prepare_output(); status != Status::ok) return status;
  balance_.renew(output_);
  if (const Status status = prepare_interior(); status != Status::ok) return status;
  return prepare_projection();
}

// Of what does not keep its energy by itself. What a heat bath gives and takes is not counted.
void TimeRun::start_balance() {
  conserves_ = system_.structure().conservative && !method_.info().thermal && !actions_.any();
  if (conserves_ || method_.info().thermal) return;
  constexpr int of_low_order = 1, of_hermite = 3, of_dense = 4;
  balance_.start(output_, state_,
                 adaptive_                  ? of_dense
                 : method_.info().order > 2 ? of_hermite
                                            : of_low_order);
}

Status TimeRun::measure_at(double t) {
  if (const Status status = at(t, frame_.state); status != Status::ok) return status;
  return measure(frame_.state);
}

// What is refused.
// -------------------------------------------------------------------------------

std::string TimeRun::refusal(const State& start) const {
  if (!given()) return "there is no method: it was moved away";
  for (const Observable& observable : system_.structure().observables)
    if (observable.acts && !actions_.any())
      return fmt::format("event '{}' changes the motion: give the model with RunOptions::acting",
                         observable.name);
  if (std::string why = refused_functions(); !why.empty()) return why;
  if (std::string why = refused_state(start); !why.empty()) return why;
  if (std::string why = refused_times(start.t); !why.empty()) return why;
  if (!method_.info().adaptive && options_.until > start.t && !(options_.step > 0.0))
    return fmt::format("a step of {} for {}, which takes constant steps", options_.step,
                       method_.info().name);
  return {};
}

std::string TimeRun::refused_functions() const {
  const std::vector<Observable>& observables = system_.structure().observables;
  for (const EventFunction& function : options_.event_functions) {
    if (!function.value) return fmt::format("event '{}' has no function", function.event);
    if (std::none_of(observables.begin(), observables.end(), [&](const Observable& one) {
          return one.kind == Observable::Kind::event && one.name == function.event;
        }))
      return fmt::format("there is no event '{}' in the model, whose value is a function",
                         function.event);
  }
  return {};
}

std::string TimeRun::refused_state(const State& state) const {
  const Structure& structure = system_.structure();
  if (state.q.size() != structure.nq || state.v.size() != structure.nq)
    return fmt::format("a start of {} positions and {} velocities for a system of {} coordinates",
                       state.q.size(), state.v.size(), structure.nq);
  if (!std::isfinite(state.t)) return fmt::format("t of the start is {}", state.t);
  if (std::string why = not_finite("q", structure.coordinates, state.q); !why.empty()) return why;
  return not_finite("v", structure.velocities, state.v);
}

std::string TimeRun::refused_times(double t) const {
  const double until = options_.until;
  if (!(until >= t) || !std::isfinite(until))
    return fmt::format("the end t = {} for a start at t = {}", until, t);
  if (!(options_.every >= 0.0) || !std::isfinite(options_.every))
    return fmt::format("rows at distances of {}", options_.every);
  constexpr double most = 1e12;  // beyond, times can hardly be told apart
  for (const auto& [what, distance] :
       {std::pair{"rows", options_.every}, std::pair{"projections", options_.projection.every}})
    if (distance > 0.0 && !((until - t) / distance < most))
      return fmt::format("{} at distances of {:.3g} up to t = {:.6g}: too many", what, distance,
                         until);
  if (!(options_.max_step >= 0.0)) return fmt::format("steps of at most {}", options_.max_step);
  double before = t;
  for (const double wanted : options_.times) {
    if (!(wanted > before))
      return fmt::format("an output time {} behind {}, where they should grow", wanted, before);
    before = wanted;
  }
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * std::abs(until);
  if (before > until + rounding)
    return fmt::format("output times up to {}, behind the end {}", before, until);
  return {};
}

// Off the constraints nothing that a method promises holds. The row of the start knows.
Status TimeRun::check_start() {
  const double speed = state_.v.size() > 0 ? state_.v.lpNorm<Eigen::Infinity>() : 0.0;
  if (!(frame_.max_relative_constraint > off_constraint) &&
      !(frame_.max_velocity_constraint > 1e-3 * off_constraint * speed))
    return Status::ok;
  Evaluation ev;
  output_.prepare(ev);
  const std::int64_t before = output_.hidden_evaluations();
  std::string why = off_constraints(ev, "the start");
  reading_before_ -= output_.hidden_evaluations() - before;
  if (why.empty()) return Status::ok;
  measurable_ = false;
  return refuse(std::move(why));
}

void TimeRun::prepare_check() {
  if (checked_ != output_.shared()) output_.prepare(check_);
  checked_ = output_.shared();
}

bool TimeRun::is_off_constraints() {
  prepare_check();
  return !off_constraints(check_, "the state").empty();
}

std::string TimeRun::off_constraints(Evaluation& ev, const char* what) const {
  constexpr Needs wanted =
      needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
  if (output_.evaluate(wanted, {state_.t, state_.q, state_.v}, ev) != Status::ok) return {};
  for (const Row& row : output_.structure().rows) {
    if (row.equation < 0) continue;
    const double g = ev.g[row.equation], scale = row.scale > 0.0 ? row.scale : 1.0;
    if (std::abs(g) > off_constraint * scale)
      return fmt::format(
          "{} is off the constraint '{}', g = {:.6g}: consistent_start() "
          "finds the nearest that is not",
          what, row.name, g);
    double rate = ev.g_t[row.equation], terms = std::abs(rate);
    for (Sparse::InnerIterator e{ev.G, row.equation}; e; ++e) {
      rate += e.value() * state_.v[e.col()];
      terms += std::abs(e.value() * state_.v[e.col()]);
    }
    if (std::abs(rate) > off_constraint * terms)
      return fmt::format(
          "velocities of {} leave the constraint '{}', G v + g_t = {:.6g}: "
          "consistent_start() finds the nearest that do not",
          what, row.name, rate);
  }
  return {};
}

}  // namespace taut
