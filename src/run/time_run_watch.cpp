// SPDX-License-Identifier: BSD-3-Clause
// Steps that end where something happens: a part of time_run.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/notes.hpp"
#include "run/time_run.hpp"

namespace taut {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

// A step that is cut where less than this of it is left over has been taken for the cut.
constexpr double nearly_all = 0.9;
// A step that is repeated goes beyond a crossing by this much of it, so that it is found again.
constexpr double a_little_beyond = 1.005;
constexpr int most_repeats = 60;
// A switch whose side was found at the begin of a step does not leave it within this much of it.
constexpr double soon = 0.01;

}  // namespace

void TimeRun::freeze(const System& reading) {
  const bool possible = options_.watch && given() && !method_.info().thermal;
  const System counting = counting_turns(reading, turns_);
  system_ = possible ? switched(counting, switches_) : counting;
  watched_ = possible && switches_->any();
  output_ = output_system(system_);
  event_scan_.start(counting, output_system(counting), options_.event_functions);
}

// At the start, and wherever others have changed what moves.
Status TimeRun::prepare_watch() {
  crossing_ = {};
  time_crossing_known_ = false;
  next_bound_ = 0.0;
  if (!watched_) return Status::ok;
  constexpr double usual = 1e-8;
  const double tolerance = method_->tolerance();
  if (!step_watch_.watches(switches_)) {
    output_.prepare(watch_scratch_);
    step_watch_.start(switches_, output_, tolerance > 0.0 ? tolerance : usual);
  }
  return step_watch_.set_sides(state_, 1e-6 * std::max(until_ - state_.t, 0.0));
}

// Behind a switch nothing that a method has found out about the motion need hold.
Status TimeRun::start_method() {
  const Counters before = method_->counters();
  if (const Status status = method_->restart(system_, state_); status != Status::ok) return status;
  if (method_->counters().steps < before.steps) earlier_ += before;
  return Status::ok;
}

Status TimeRun::undo() {
  state_ = adaptive_ ? from_.state : begin_.state;
  return start_method();
}

void TimeRun::keep_acceleration(Knot& knot) const {
  const Vec* const a = method_->acceleration();
  if (a != nullptr)
    knot.a = *a;
  else if (frame_.state.t == knot.state.t && frame_.a.size() == knot.state.q.size())
    knot.a = frame_.a;  // of a row
  else
    knot.a.resize(0);
}

// One step of an adaptive method that has seen all there is, or that ends where something happens,
// and whose dense output is a motion where it is read.
Status TimeRun::looked_advance(double t_stop) {
  double limit = std::min(t_stop, time_crossing_known_ ? time_crossing_ : no_bound);
  double bound = next_bound_ > 0.0 ? next_bound_ : no_bound;
  next_bound_ = 0.0;
  int at_once_in_a_row = 0;
  step_watch_.let_none_enter();
  Poor poor;
  for (int repeats = 0;; ++repeats) {
    const double until = std::min(limit, t_begin_ + bound);
    if (const Status status = method_->advance(system_, until, state_); status != Status::ok)
      return status;
    to_.state = state_;
    keep_acceleration(to_);
    interior_known_ = true;
    Finding found;
    if (const Status status = look_at_turns(found); status != Status::ok) return status;
    if (watched_ && found.kind == Finding::Kind::nothing)
      if (const Status status = look(found); status != Status::ok) return status;
    const double h = state_.t - t_begin_;
    if (found.kind == Finding::Kind::crossing && found.t - t_begin_ < soon * h &&
        is_settled(found.which)) {
      step_watch_.let_enter(found.which);
      if (const Status status = look(found); status != Status::ok) return status;
    }
    const bool stands = found.kind == Finding::Kind::nothing;
    if (stands || found.kind == Finding::Kind::crossing) {
      if (const Status status = check_dense(!stands, poor, found); status != Status::ok)
        return status;
    }
    if (found.kind == Finding::Kind::nothing || repeats >= most_repeats) {
      if (time_crossing_known_ && state_.t >= time_crossing_) {
        time_crossing_known_ = false;
        crossing_ = {.pending = true, .which = time_switch_};
      }
      if (poor.tries > 0 && !poor.stays) next_bound_ = 2 * h;
      return Status::ok;
    }
    if (found.kind == Finding::Kind::crossing) {
      const bool at_end = found.t >= state_.t - resolution_;
      if (found.t <= t_begin_ + resolution_ && !at_end) {
        // it leaves its side at once: the side was not the right one
        if (++at_once_in_a_row > most_repeats) {
          blamed_ = step_watch_.label(found.which);
          return Status::stalled;
        }
        const Crossing at_once{
            .pending = true, .sliding = crossing_.sliding, .at_once = true, .which = found.which};
        state_ = from_.state;
        crossing_ = at_once;
        if (const Status status = change_sides(); status != Status::ok) return status;
        from_.state = state_;
        keep_acceleration(from_);
        limit = std::min(t_stop, time_crossing_known_ ? time_crossing_ : no_bound);
        repeats = 0;
        continue;
      }
      if (found.of_time && !at_end) {
        time_crossing_known_ = true;
        time_crossing_ = found.t;
        time_switch_ = found.which;
        limit = std::min(limit, found.t);
      } else if (at_end || found.t - t_begin_ > nearly_all * h || h < 64 * resolution_) {
        crossing_ = {.pending = true, .sliding = crossing_.sliding, .which = found.which};
        time_crossing_known_ = time_crossing_known_ && state_.t < time_crossing_;
        return at_end ? Status::ok : cut(found.t);
      } else {
        limit = std::min(limit, t_begin_ + a_little_beyond * (found.t - t_begin_));
      }
    } else if (found.t > t_begin_ + resolution_) {
      limit = std::min(limit, found.t);
      next_bound_ = found.length;
    } else if (found.length < h / 2 && found.length > 64 * resolution_) {
      bound = std::min(bound, found.length);
    } else {
      return Status::ok;
    }
    crossing_ = {};
    interior_known_ = false;
    if (const Status status = undo(); status != Status::ok) return status;
  }
}

// Whether anything between the ends of the step just taken will be asked for.
Status TimeRun::is_read(bool& read) {
  const double end = state_.t - resolution_;
  read = output_time(next_output_) < end;
  if (!read && keep_interior_)
    read = std::isnan(expected_) || (expected_ > t_begin_ && expected_ < end);
  if (read || !watch_.any()) return Status::ok;
  event_scan_.step(from_, to_, *this);
  return event_scan_.may_cross(read);
}

// The largest E of DenseCheck: at two places of the step, none of which is near a stage of a
// collocation method, and at rows in it where places and velocities do not belong together.
Status TimeRun::check_inside(double& error) {
  if (!dense_check_ready_)
    if (const Status status = dense_check_.start(output_); status != Status::ok) return status;
  dense_check_ready_ = true;
  inside_sampled_ = false;
  error = 0.0;
  const double h = state_.t - t_begin_;
  for (const int j : {3, 5})
    if (const Status status =
            check_at(t_begin_ + (1.0 + Tube::sample_place(j)) / 2 * h, true, error);
        status != Status::ok)
      return status;
  for (std::int64_t k = next_output_; error <= DenseCheck::allowed; ++k) {
    const double t = output_time(k);
    if (!(t < state_.t - resolution_)) break;
    if (const Status status = check_at(t, false, error); status != Status::ok) return status;
  }
  return Status::ok;
}

Status TimeRun::check_at(double t, bool fully, double& error) {
  constexpr double usual = 1e-4;  // where a method does not say: what can be seen
  const double tolerance = method_->tolerance() > 0.0 ? method_->tolerance() : usual;
  const double h = state_.t - t_begin_;
  if (const Status status = at(t, inside_); status != Status::ok) return status;
  Status status = method_->rates(system_, t, rate_);
  if (status == Status::not_supported) {
    status = inside_sampled_ ? Status::ok : inside_tube_.sample(from_.state, state_, *this);
    inside_sampled_ = true;
    inside_tube_.rates(2 * (t - t_begin_) / h - 1.0, rate_);
  }
  if (status != Status::ok) return status;
  if (!fully && DenseCheck::of_places(inside_, rate_, h, tolerance) <= DenseCheck::allowed)
    return Status::ok;
  ++knot_evaluations_;
  double here = 0.0;
  status = dense_check_(output_, inside_, rate_, h, tolerance, here);
  if (!(here <= error)) error = here;
  return status;
}

// A step that is read, or to be cut, where its dense output is no motion to the tolerance: it is
// taken again, shorter. Where that does not help it ends at the first row in it, which then is not
// read inside a step; what is read of it nevertheless is told.
Status TimeRun::check_dense(bool is_cut, Poor& poor, Finding& found) {
  constexpr double helped = 0.7;
  constexpr int most = 10;
  const double h = state_.t - t_begin_;
  if (h < 256 * resolution_) return Status::ok;
  bool read = is_cut;
  if (!read)
    if (const Status status = is_read(read); status != Status::ok) return status;
  double error = 0.0;
  // where it cannot be computed, reading it will fail or not
  if (!read || check_inside(error) != Status::ok || error <= DenseCheck::allowed) return Status::ok;
  poor.stays =
      poor.stays || poor.tries >= most || (poor.tries > 0 && !(error < helped * poor.error));
  ++poor.tries;
  poor.error = error;
  const double row = output_time(next_output_);
  if (!poor.stays) {
    const double factor = std::pow(DenseCheck::allowed / error, 0.25);
    found = {.kind = Finding::Kind::unresolved,
             .t = t_begin_,
             .length = h * std::clamp(0.8 * factor, 0.1, 0.45)};
  } else if (row > t_begin_ + resolution_ && row < state_.t - resolution_) {
    found = {.kind = Finding::Kind::unresolved, .t = row};
  } else {
    if (poor_++ == 0) first_poor_ = t_begin_;
    poorest_ = std::max(poorest_, error);
  }
  return Status::ok;
}

// Whether the side of a switch was found where the step begins.
bool TimeRun::is_settled(SwitchId which) const {
  return settled_at_ == t_begin_ && (settled_.sliding || settled_.which == which);
}

Status TimeRun::cut(double t) {
  if (const Status status = at(t, inside_); status != Status::ok) return status;
  state_ = inside_;
  to_.a.resize(0);  // known at the end of the whole step
  return Status::ok;
}

Status TimeRun::look(Finding& found) {
  if (!adaptive_) {
    from_.state = begin_.state;
    to_.state = state_;
    from_.a.resize(0);
    return step_watch_.look(from_, to_, *this, found);
  }
  if (const Status status = step_watch_.look(from_, to_, *this, found); status != Status::ok)
    return status;
  crossing_.sliding = false;
  return look_at_sliding(found);
}

// A step in which a joint turns so far that its formulas may have read another turn is taken again,
// shorter.
Status TimeRun::look_at_turns(Finding& found) {
  double excess = 0.0;
  if (const Status status = turns_.excess(state_, excess); status != Status::ok) return status;
  if (excess <= 1.0) return Status::ok;
  const double h = state_.t - t_begin_;
  found = {.kind = Finding::Kind::unresolved, .t = t_begin_, .length = 0.45 * h / excess};
  if (turns_.follows() && found.length > 64 * resolution_) return Status::ok;
  // one that must stay within half a turn, and has come there
  blamed_ = turns_.fastest() + " (half a turn)";
  return Status::discontinuous;
}

// Where the weights of a sliding switch first leave 0 ... 1, as the ends of the step show it.
Status TimeRun::look_at_sliding(Finding& found) {
  constexpr double slack = 1e-9;
  if (switches_->sliding().empty()) return Status::ok;
  double beyond = 0.0;
  if (const Status status = step_watch_.excess(to_.state, beyond); status != Status::ok)
    return status;
  if (!(beyond > slack)) return Status::ok;
  double from = t_begin_, to = to_.state.t;
  while (to - from > resolution_) {
    const double middle = from + (to - from) / 2;
    if (const Status status = at(middle, inside_); status != Status::ok) return status;
    if (const Status status = step_watch_.excess(inside_, beyond); status != Status::ok)
      return status;
    (beyond > slack ? to : from) = middle;
  }
  if (found.kind != Finding::Kind::nothing && found.t <= to) return Status::ok;
  found = {.kind = Finding::Kind::crossing, .t = to};
  crossing_.sliding = true;
  return Status::ok;
}

// Before the step that goes on behind a crossing.
Status TimeRun::change_sides() {
  const Crossing crossing = crossing_;
  crossing_ = {};
  settled_ = crossing;
  settled_at_ = state_.t;
  double before = 0.0, after = 0.0, size = 0.0;
  if (const Status status = potential(before, size); status != Status::ok) return status;
  if (crossing.sliding) {
    if (const Status status = step_watch_.leave_sliding(state_); status != Status::ok)
      return status;
  } else {
    const double probe = std::max(1e-4 * last_step_, 64 * resolution_);
    if (const Status status =
            step_watch_.settle_all(crossing.which, state_, probe, crossing.at_once);
        status != Status::ok)
      return status;
    if (const Status status = potential(after, size); status != Status::ok) return status;
    // one that is switched by the time may jump; one that jumps in space would push without bound
    blamed_ = step_watch_.label(crossing.which);
    if (!switches_->decision(crossing.which).of_time && std::abs(after - before) > 1e-9 * size &&
        jumps(before, after)) {
      blamed_ += fmt::format(" (its energy jumps by {:.6g})", after - before);
      return Status::discontinuous;
    }
  }
  // what the time switches may be as fast as it likes
  const bool of_time = !crossing.sliding && switches_->decision(crossing.which).of_time;
  if (!of_time)
    if (const Status status = count_crossing(); status != Status::ok) return status;
  constexpr std::int64_t to_and_fro = 4;
  if (!crossing.sliding && crowded_ >= to_and_fro)
    if (const Status status = step_watch_.hold(crossing.which, state_); status != Status::ok)
      return status;
  const std::int64_t impacts = impacts_;
  if (const Status status = take_impact(); status != Status::ok) return status;
  if (options_.on_side_change)
    options_.on_side_change({.t = state_.t,
                             .slides = crossing.sliding || !switches_->sliding().empty(),
                             .impact = impacts_ > impacts});
  end_known_ = interior_known_ = false;
  return start_method();
}

Status TimeRun::potential(double& energy, double& size) {
  const Status status = output_.evaluate(needs(Target::potential_energy, Target::kinetic_energy),
                                         {state_.t, state_.q, state_.v}, watch_scratch_);
  energy = watch_scratch_.potential_energy;
  size = std::max(size, std::abs(energy) + std::abs(watch_scratch_.kinetic_energy));
  return status;
}

// A little further on, what grows from about zero has become much larger; a jump has not.
bool TimeRun::jumps(double before, double after) {
  const double further = 256 * resolution_;
  inside_ = state_;
  inside_.t += further;
  inside_.q += further * state_.v;
  if (output_.evaluate(need(Target::potential_energy), {inside_.t, inside_.q, inside_.v},
                       watch_scratch_) != Status::ok)
    return true;
  return std::abs(watch_scratch_.potential_energy - before) < 4 * std::abs(after - before);
}

// Switches in constraints: the places must fulfil them on the other side, too; the velocities are
// changed by the impulse that makes them do so,  M (v+ - v-) = -Gᵀ Λ,  G v+ + g_t = 0.
Status TimeRun::take_impact() {
  if (output_.nc() == 0) return Status::ok;
  State& on = inside_;
  on = state_;
  const Status status = projection_(output_, on);
  const auto places = output_.structure().places();
  const double way = (on.q - state_.q).lpNorm<Eigen::Infinity>();
  if (status != Status::ok ||
      way > 1e-7 * (1.0 + state_.q.head(places).lpNorm<Eigen::Infinity>())) {
    blamed_ += " (a constraint would move its points at once)";
    return Status::discontinuous;
  }
  const double change = (on.v - state_.v).lpNorm<Eigen::Infinity>();
  if (change <= 1e-9 * (1.0 + state_.v.lpNorm<Eigen::Infinity>())) return Status::ok;
  if (impacts_++ == 0) first_impact_ = state_.t;
  std::swap(state_, on);
  step_watch_.settle_jumps(on, state_);
  return Status::ok;
}

// Many crossings within nothing are one that does not end.
Status TimeRun::count_crossing() {
  constexpr double nothing = 1e-6;  // of the run
  constexpr std::int64_t many = 5000;
  const double since = state_.t - last_crossing_;
  crowded_ = crossings_ > 0 && since < nothing * (until_ - t0_) ? crowded_ + 1 : 0;
  last_crossing_ = state_.t;
  ++crossings_;
  return crowded_ > many ? Status::stalled : Status::ok;
}

void TimeRun::note_watch() {
  if (impacts_ > 0) notes_.push_back(note<notes::velocities_jump>(first_impact_, impacts_ - 1));
  if (poor_ > 0) notes_.push_back(note<notes::dense_output_poor>(poor_, first_poor_, poorest_));
  if (step_watch_.undecided() > 0)
    notes_.push_back(
        note<notes::steps_sampled>(step_watch_.undecided(), step_watch_.first_undecided()));
  if (unresolved_ > 0)
    notes_.push_back(note<notes::force_not_resolved>(unresolved_, n_, first_unresolved_));
}

}  // namespace taut
