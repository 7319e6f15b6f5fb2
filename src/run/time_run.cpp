// SPDX-License-Identifier: BSD-3-Clause
#include "run/time_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/notes.hpp"
#include "readings/readings.hpp"

namespace taut {
namespace {

bool compliant(const Structure& structure) {
  return std::any_of(structure.rows.begin(), structure.rows.end(),
                     [](const Row& row) { return row.equation >= 0 && row.compliance > 0.0; });
}

// of the motion, with t, energy, residuals and step
std::int64_t columns(const Structure& structure) {
  return 5 + 2 * structure.nq + static_cast<std::int64_t>(structure.rows.size());
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TimeRun::TimeRun(const System& system, Method method, const RunOptions& options, Motion& motion)
    : RunShell{options, motion},
      system_{system},
      method_{std::move(method)},
      adaptive_{given() && method_.info().adaptive},
      watch_{options.event_functions},
      actions_{options.acting},
      inside_step_{[this](double t, State& out) { return inside(t, out); }} {
  freeze(actions_.any() ? actions_.system() : system);
}

System TimeRun::output_system(const System& system) {
  return compliant(system.structure()) ? springs(system) : system;
}

// Everything that follows from the options alone.
// ---------------------------------------------------

void TimeRun::plan(const State& start) {
  t0_ = start.t;
  state_ = start;
  reading_before_ = -system_.hidden_evaluations();  // of others that have used the same system
  motion_.start(system_);
  if (!refused_.empty()) return;
  until_ = options_.until;
  plan_steps();
  plan_outputs();
  const bool given = options_.every > 0.0 || !options_.times.empty();
  const std::int64_t rows = plan_rows(given, given ? outputs_ : N_, columns(system_.structure()));
  plan_extremes(rows);
  motion_.reserve(static_cast<std::size_t>(rows));
}

// From the present to the end.
void TimeRun::plan_steps() {
  resolution_ =
      16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0_), std::abs(until_));
  t_from_ = state_.t;
  grid_ = 0;
  N_ = 0;
  h_ = 0.0;
  const double span = until_ - t_from_;
  if (adaptive_ || span <= 0.0) return;
  const double longest =
      options_.max_step > 0.0 ? std::min(options_.step, options_.max_step) : options_.step;
  const double steps = std::max(1.0, std::ceil(span / longest - 1e-9));
  N_ = static_cast<std::int64_t>(std::min(steps, most_steps));
  h_ = span / static_cast<double>(N_);
}

void TimeRun::plan_outputs() {
  if (!options_.times.empty())
    outputs_ = static_cast<std::int64_t>(options_.times.size());
  else if (options_.every > 0.0)
    outputs_ = static_cast<std::int64_t>(std::ceil((until_ - t0_) / options_.every - 1e-9));
}

// Between rows: where there will be too many of them, nothing.
void TimeRun::plan_extremes(std::int64_t rows) {
  constexpr std::int64_t most_values = 20'000'000;  // of low and of high
  const auto width = static_cast<std::int64_t>(motion_.width());
  motion_.extremes.kept = options_.extremes && rows > 0 && rows <= most_values / width;
  if (!motion_.extremes.kept) return;
  // measuring costs about as much as a step, of large systems (pairs) as the square of their size:
  // a second at most
  constexpr std::int64_t most_work = 30'000'000, small = 256;
  max_measured_ =
      std::clamp(width <= small ? most_work / width : most_work * small / (width * width),
                 std::int64_t{2}, std::max(options_.max_measured, std::int64_t{2}));
  measured_stride_ = measured_stride(N_);
  if (outputs_ > 0 || recorder_.stride() > 1) motion_.extremes.open(motion_.width());
}

// Every step is measured in a run of so many steps, or every 2^k-th.
std::int64_t TimeRun::measured_stride(std::int64_t steps) const {
  std::int64_t stride = 1;
  if (steps > max_measured_)
    while (steps > max_measured_ / 2 * stride) stride *= 2;
  return std::max(stride, measured_stride_);
}

Status TimeRun::prepare() {
  if (adaptive_) method_->bound_steps(options_.max_step > 0.0 ? options_.max_step : infinity);
  if (static_cast<double>(N_) >= most_steps) return Status::step_too_small;
  if (const Status status = turns_.follow(state_); status != Status::ok) return status;
  if (const Status status = prepare_watch(); status != Status::ok) return status;
  if (const Status status = prepare_output(); status != Status::ok) return status;
  if (const Status status = watch_.start(output_, state_); status != Status::ok) return status;
  start_balance();
  if (const Status status = prepare_interior(); status != Status::ok) return status;
  if (const Status status = watch_blow_up(); status != Status::ok) return status;
  const double spacing = adaptive_ || N_ > 0 ? h_ : options_.step;
  refused_ = sampling_.start(output_, state_, options_.samplers, spacing);
  return refused_.empty() ? prepare_projection() : Status::not_supported;
}

// What rows are computed with.
Status TimeRun::prepare_output() {
  dense_check_ready_ = false;
  if (const Status status = measure_.start(output_); status != Status::ok) return status;
  if (method_->knows_multipliers()) system_.prepare(multiplier_scratch_);
  measurable_ = true;
  return Status::ok;
}

// What the inside of steps needs, where anything may fall there.
Status TimeRun::prepare_interior() {
  if (!keep_interior_ && !watch_.any() && !given_rows_ && !watched_ && !balance_.looks_inside())
    return Status::ok;
  if (!adaptive_)
    if (const Status status = accelerations_.start(output_); status != Status::ok) return status;
  return projection_.start(output_);
}

Status TimeRun::watch_blow_up() {
  if (adaptive_) return Status::ok;
  const BlowUp::Options options{.h = h_,
                                .conservative = system_.structure().conservative,
                                .thermal = method_.info().thermal,
                                .is_explicit = !method_.info().derivatives};
  return blow_up_.start(stepped_system(), state_, options);
}

Status TimeRun::prepare_projection() {
  if (options_.projection.vibration <= 0.0) return Status::ok;
  equations_ = equations(system_);
  return normal_energy_.start(equations_);
}

Status TimeRun::start_stepper() {
  const Status status = method_->start(system_, state_);
  knows_multipliers_ = status == Status::ok && method_->knows_multipliers();
  return status;
}

Status TimeRun::first() {
  if (const Status status = start_stepper(); status != Status::ok) return status;
  if (const Status status = sampling_(output_, n_, state_); status != Status::ok) return status;
  if (const Status status = measure(state_); status != Status::ok) return status;
  if (const Status status = check_start(); status != Status::ok) return status;
  add_frame();
  return Status::ok;
}

// The loop.
// -----------------------------------------------------------------------------------------

Progress TimeRun::progress() const {
  return {.t = state_.t, .fraction = (state_.t - t0_) / (until_ - t0_)};
}

Status TimeRun::take_step() {
  if (!happened_.empty()) return act();
  if (stopped_)
    if (const Status status = begin_anew(); status != Status::ok) return status;
  before_ = state_;
  if (crossing_.pending)
    if (const Status status = change_sides(); status != Status::ok) return failed(status);
  t_begin_ = state_.t;
  if (const Status status = turns_.follow(state_); status != Status::ok) return failed(status);
  balance_.begin(state_);
  const Status status = adaptive_ ? take_adaptive_step() : take_constant_step();
  if (status != Status::ok) return failed(status);
  last_step_ = state_.t - t_begin_;
  ++n_;
  if (adaptive_) return Status::ok;
  const Status blown = blow_up_(stepped_system(), state_, n_);
  return blown == Status::ok ? blown : failed(blown);
}

Status TimeRun::take_adaptive_step() {
  begin_known_ = end_known_ = interior_known_ = false;
  const double t_stop = projection_time();
  from_.state = state_;
  if (watched_ || watch_.any()) keep_acceleration(from_);
  const Status status = looked_advance(t_stop);
  interior_known_ = status == Status::ok;
  return status;
}

// To the next place of the grid, or to a switch before it.
Status TimeRun::take_constant_step() {
  const double t_next = grid_ + 1 == N_ ? until_ : t_from_ + static_cast<double>(grid_ + 1) * h_;
  // the beginning is needed only where something may fall into this step
  begin_known_ = false;
  const bool inside = keep_interior_ || watched_ || watch_.any() || balance_.looks_inside() ||
                      output_time(next_output_) < t_next;
  if (inside) {
    if (end_known_) {
      begin_known_ = true;
      std::swap(begin_, end_);
    } else {
      begin_.state = state_;
    }
  }
  end_known_ = interior_known_ = false;
  const bool on_grid = t_begin_ == t_from_ + static_cast<double>(grid_) * h_;
  double h = on_grid ? h_ : t_next - t_begin_;
  if (const Status status = method_->step(system_, h, state_); status != Status::ok) return status;
  state_.t = t_next;  // no sum of roundings
  interior_known_ = inside;
  if (turns_.any())
    if (Finding found; look_at_turns(found) != Status::ok || found.kind != Finding::Kind::nothing) {
      blamed_ = turns_.fastest() + " (a step turns it by more than a quarter)";
      return turns_.follows() ? Status::unstable : Status::discontinuous;
    }
  if (watched_) {
    Finding found;
    if (const Status status = look(found); status != Status::ok) return status;
    if (found.kind == Finding::Kind::unresolved && unresolved_++ == 0) first_unresolved_ = found.t;
    if (found.kind == Finding::Kind::crossing && found.t < t_next - resolution_) {
      if (const Status status = undo(); status != Status::ok) return status;
      h = found.t - t_begin_;
      if (const Status status = method_->step(system_, h, state_); status != Status::ok)
        return status;
      state_.t = found.t;
      end_known_ = false;
    }
    if (found.kind == Finding::Kind::crossing) {
      crossing_ = {.pending = true, .which = found.which};
      if (state_.t < t_next) return Status::ok;
    }
  }
  ++grid_;
  return Status::ok;
}

// A failure leaves the last good state and the rows up to it: the state before the step, or, where
// that is off the constraints or a part of a blow-up, the one of the last row that was not.
Status TimeRun::failed(Status status) {
  const double reached = state_.t;
  state_ = before_;
  const bool grown = !adaptive_ && (status == Status::unstable || blow_up_.grown(state_));
  const bool off = method_.info().exact_constraints && output_.nc() > 0 && is_off_constraints();
  if ((grown || off) && good_.known && good_.state.t < state_.t) {
    state_ = good_.state;
    quality_ = good_.quality;
    constexpr double worth_telling = 1e-8;
    if (std::abs(reached - state_.t) > worth_telling * std::abs(reached))
      notes_.push_back(note<notes::not_shown>(state_.t, reached, grown));
  }
  if (balance_.known() && balance_.at() > state_.t) balance_.lose();
  motion_.drop_after(state_.t);
  last_row_ = std::min(last_row_, motion_.rows() > 0 ? motion_.t.back() : state_.t);
  while (!events_.empty() && events_.back().state.t > state_.t) events_.pop_back();
  // what the method knows belongs to the step that failed
  begin_known_ = end_known_ = interior_known_ = knows_multipliers_ = false;
  return status;
}

// What a method of constant steps takes for rigid: compliant rows too, where it treats them as
// equations and holds them only as well as rigid ones.
const System& TimeRun::stepped_system() const {
  return method_.info().compliance ? system_ : output_;
}

Status TimeRun::after_step() {
  if (std::exchange(acted_, false)) {
    return std::exchange(stops_behind_, false) ? Status::stopped_by_event : Status::ok;
  }
  const Status status = keep_what_happened();
  if (status == Status::stopped_by_event) return status;
  if (status != Status::ok) return failed(status);
  return options_.projection.any() ? project_when_due() : Status::ok;
}

Status TimeRun::keep_what_happened() {
  double t_stop = std::numeric_limits<double>::infinity();
  if (const Status status = keep_events(t_stop); status != Status::ok) return status;
  // a row at the time of events that act is that behind them
  const double rows_until =
      happened_.empty() ? std::min(state_.t + resolution_, t_stop) : t_stop - resolution_;
  if (const Status status = outputs_until(rows_until); status != Status::ok) return status;
  if (t_stop <= state_.t) {
    balance_.advance(stop_state_, inside_step_);
    state_ = stop_state_;
    if (!happened_.empty()) {
      last_step_ = state_.t - t_begin_;
      return keep_event_row();
    }
    stopped_ = true;
    return Status::stopped_by_event;
  }
  balance_.advance(state_, inside_step_);
  if (const Status status = sampling_(output_, n_, state_); status != Status::ok) return status;
  return keep_step();
}

// The next time at which a projection is asked for, or the end.
double TimeRun::projection_time() const {
  const SlowProjection& projection = options_.projection;
  if (!projection.any() || projection.every <= 0.0) return until_;
  return std::min(until_, t0_ + static_cast<double>(next_projection_) * projection.every);
}

Status TimeRun::project_when_due() {
  const SlowProjection& projection = options_.projection;
  if (state_.t >= until_ - resolution_) return Status::ok;
  bool due = false;
  while (state_.t >= projection_time() - resolution_) {
    due = true;
    ++next_projection_;
  }
  if (!due && projection.vibration > 0.0) {
    ++projection_evaluations_;
    if (const Status status = normal_energy_(equations_, state_); status != Status::ok)
      return status;
    due = normal_energy_.energy() > projection.vibration * normal_energy_.stretch();
  }
  if (!due) return Status::ok;
  ++projections_;
  balance_.lose();
  if (const Status status = projection.onto(state_, projection_evaluations_); status != Status::ok)
    return status;
  end_known_ = false;
  return start_stepper();
}

Status TimeRun::outputs_until(double t) {
  for (; next_output_ <= outputs_; ++next_output_) {
    const double wanted = output_time(next_output_);
    if (wanted > t) break;
    if (t >= state_.t && std::abs(wanted - state_.t) <= resolution_) {
      frame_.state = state_;
    } else if (const Status status = at(wanted, frame_.state); status != Status::ok) {
      return status;
    }
    if (const Status status = record(frame_.state); status != Status::ok) return status;
  }
  return Status::ok;
}

// Output.
// -------------------------------------------------------------------------------------------

// The end is a row of its own where it is no output time.
double TimeRun::output_time(std::int64_t k) const {
  if (!given_rows_ || k > outputs_) return infinity;
  if (!options_.times.empty()) {
    const double t = options_.times[static_cast<std::size_t>(k - 1)];
    return std::abs(t - until_) <= resolution_ ? until_ : t;
  }
  const double t = t0_ + static_cast<double>(k) * options_.every;
  if (k < outputs_) return t;
  return std::abs(t - until_) <= 1e-9 * options_.every ? until_ : infinity;
}

Status TimeRun::record(const State& state) {
  if (const Status status = measure(state); status != Status::ok) return status;
  add_frame();
  return Status::ok;
}

void TimeRun::add_frame() {
  quality_.add(frame_);
  add_row(frame_.state.t, frame_);
  if (!(frame_.max_relative_constraint > off_constraint) &&
      (adaptive_ || blow_up_.plausible(frame_.state, frame_.energy() - quality_.energy_start() -
                                                         (actions_.any() ? frame_.work : 0.0))))
    good_ = {.state = frame_.state, .quality = quality_, .known = true};
}

// A step that is no row leaves its extremes. Where it cannot be measured the run goes on: what a
// user is shown must not decide about it.
void TimeRun::pass_present() {
  Extremes& extremes = motion_.extremes;
  // the end is a row of its own
  if (extremes.empty() || finished() || state_.t <= last_row_) return;
  motion_.pass(state_, last_step_);
  ++extremes.steps;
  if (n_ > max_measured_ / 2 * measured_stride_) measured_stride_ = measured_stride(n_);
  // a power of two: a division would cost as much as the rest
  if ((n_ & (measured_stride_ - 1)) != 0 || measure(state_) != Status::ok) return;
  quality_.add(frame_);
  motion_.pass(frame_);
  ++extremes.measured;
}

Status TimeRun::measure(const State& state) {
  if (&state != &frame_.state) frame_.state = state;
  frame_.step = last_step_;
  frame_.rejected = earlier_.rejected + method_->counters().rejected;
  if (outdated_)
    if (const Status status = renew_output(); status != Status::ok) return status;
  if (const Status status = measure_(output_, frame_); status != Status::ok) return status;
  if (knows_multipliers_)
    if (const Status status = measure_multipliers(); status != Status::ok) return status;
  if (frame_.state.t > balance_.at()) balance_.advance(frame_.state, inside_step_);
  frame_.work = conserves_ ? 0.0 : balance_.work(frame_.state, inside_step_);
  return measure_.show(frame_);
}

// In place of those from the state alone: of compliant rows, those are g/C with all the rounding of
// g magnified.
Status TimeRun::measure_multipliers() {
  const State& s = frame_.state;
  if (const Status status = method_->multipliers(system_, s, frame_.a, knot_lambda_);
      status != Status::ok)
    return status;
  if (!method_.info().exact_constraints) {
    // the energy of a compliant row is that of its load; g/C is much larger where C << h^2
    const std::vector<Row>& rows = system_.structure().rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].equation < 0 || rows[r].compliance == 0.0) continue;
      const double stretch = frame_.lambda[static_cast<Index>(r)];
      const double load = knot_lambda_[rows[r].equation];
      frame_.potential_energy += rows[r].compliance / 2 * (load * load - stretch * stretch);
    }
  }
  return system_.multipliers({s.t, s.q, s.v}, knot_lambda_, multiplier_scratch_, frame_.lambda);
}

Status TimeRun::at(double t, State& out) {
  if (const Status status = inside(t, out); status != Status::ok || t == state_.t) return status;
  // a method that leaves g = 0 is shown as it is
  return method_.info().exact_constraints ? projection_(output_, out) : Status::ok;
}

Status TimeRun::inside(double t, State& out) {
  if (t == state_.t) {
    out = state_;
    return Status::ok;
  }
  if (!(t >= known_from() && t <= state_.t)) return Status::invalid_argument;
  if (outdated_)
    if (const Status status = renew_output(); status != Status::ok) return status;
  if (adaptive_) {
    if (const Status status = method_->interpolate(system_, t, out); status != Status::ok)
      return status;
    out.t = t;
  } else {
    if (const Status status = complete_knots(); status != Status::ok) return status;
    quintic_hermite(begin_, end_, t, out);
  }
  return Status::ok;
}

// Accelerations at both ends of the step, where they are not known yet.
Status TimeRun::complete_knots() {
  const auto complete = [&](Knot& knot, bool& known) {
    if (known) return Status::ok;
    ++knot_evaluations_;
    const State& s = knot.state;
    const Status status = knows_multipliers_
                              ? method_->multipliers(system_, s, knot.a, knot_lambda_)
                              : accelerations_(output_, s.t, s.q, s.v, knot.a, knot_lambda_);
    known = status == Status::ok;
    return status;
  };
  if (!end_known_) end_.state = state_;
  if (const Status status = complete(begin_, begin_known_); status != Status::ok) return status;
  return complete(end_, end_known_);
}

}  // namespace taut
