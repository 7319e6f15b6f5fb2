// SPDX-License-Identifier: BSD-3-Clause
#include "methods/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/archive_list.hpp"
#include "core/notes.hpp"
#include "methods/automatic_rules.hpp"
#include "methods/fastest_rate.hpp"
#include "readings/readings.hpp"

namespace taut {

using namespace automatic_rules;

namespace {

constexpr double dearer = 10.0;  // a step of radau than one of dop853, about
constexpr int tried_steps = 8;

bool compliant(const Structure& structure) {
  return structure.nc > 0 && structure.C.maxCoeff() > 0.0;
}

// how fast the motion itself changes
double rate_of_motion(const System& system, const State& state) {
  Accelerations accelerations;
  Vec a, lambda;
  const System rigid_rows = rigid(system);
  if (accelerations.start(rigid_rows) != Status::ok ||
      accelerations(rigid_rows, state.t, state.q, state.v, a, lambda) != Status::ok)
    return 0.0;
  return rate_of_change(state.q, state.v, a);
}

}  // namespace

StiffnessAtStart stiffness_at_start(const System& system, const State& state, double until) {
  if (!system.structure().differentiable)
    return {false, note<notes::explicit_without_derivatives>()};
  const double rate = fastest_rate(springs(system), state);
  // (1)
  const double steps = rate * std::abs(until - state.t) / 6.0;
  if (steps < cheap_steps) return {false, note<notes::explicit_not_stiff>(rate)};
  if (!compliant(system.structure())) return {false, note<notes::explicit_not_compliant>()};
  const double motion = rate_of_motion(system, state);
  if (rate < separated * motion) return {false, note<notes::explicit_not_fast>(rate)};
  return {true, note<notes::implicit_stiff>(rate, steps)};
}

Automatic::Automatic(AutomaticOptions options)
    : options_{options}, explicit_{make_explicit()}, implicit_{make_implicit()} {}

DormandPrince853 Automatic::make_explicit() const {
  DormandPrince853 made{{.tol = std::max(tighter * options_.tol, 1e-14)}};
  made.bound_steps(most_);
  return made;
}

Radau Automatic::make_implicit() const {
  Radau made{{.tol = options_.tol}};
  made.bound_steps(most_);
  return made;
}

void Automatic::bound_steps(double most) {
  most_ = most;
  explicit_.bound_steps(most);
  implicit_.bound_steps(most);
}

Status Automatic::start(const System& system, const State& state) {
  system_ = system;
  springs_ = compliant(system.structure()) ? springs(system) : system;
  begun_ = both_ = implicit_active_ = implicit_stepped_ = false;
  sure_ = sure_after;
  given_ = state;
  notes_.clear();
  before_ = {};
  explicit_ = make_explicit();
  implicit_ = make_implicit();
  counters = {};
  springs_.prepare(ev_);
  return accelerations_.start(springs_);
}

Status Automatic::restart(const System& system, const State& state) {
  if (system.shared() != system_.shared()) {
    system_ = system;
    springs_ = compliant(system.structure()) ? springs(system) : system;
  }
  springs_.prepare(ev_);
  if (const Status status = accelerations_.start(springs_); status != Status::ok) return status;
  given_ = state;
  if (!begun_) return Status::ok;
  implicit_stepped_ = implicit_active_;
  const Status status =
      implicit_active_ ? implicit_.restart(system_, state) : explicit_.restart(springs_, state);
  count();
  return status;
}

Status Automatic::begin(const System& system, double t_stop, const State& state) {
  begun_ = true;
  implicit_active_ = stiffness_at_start(system, state, t_stop).stiff;
  stiff_steps_ = easy_steps_ = 0;
  steps_since_change_ = 0;
  next_try_ = try_after;
  return start_active(state);
}

Status Automatic::start_active(const State& state) {
  return implicit_active_ ? implicit_.start(system_, state) : explicit_.start(springs_, state);
}

Status Automatic::advance(const System& system, double t_stop, State& state) {
  if (!begun_)
    if (const Status status = begin(system, t_stop, state); status != Status::ok) return status;
  if (implicit_active_ && steps_since_change_ > 0 && steps_since_change_ % look_every == 0 &&
      explicit_would_do(state))
    if (const Status status = change_to(false, state, note<notes::changed_for_cost>(state.t));
        status != Status::ok)
      return status;
  if (!implicit_active_) {
    const double begin = state.t;
    Status status = explicit_.advance(springs_, t_stop, state);
    if (status == Status::ok) {
      implicit_stepped_ = false;
      ++steps_since_change_;
      count();
      if (explicit_is_bound_by_stability())
        return change_to(true, state, note<notes::changed_for_stability>(state.t));
      const double h = std::abs(state.t - begin);
      if (const double longer = longer_implicit_steps(h, t_stop, state); longer > dearer)
        return change_to(true, state, note<notes::changed_for_length>(state.t, longer));
      return Status::ok;
    }
    if (status == Status::non_finite || !system_.structure().differentiable) return status;
    if (change_to(true, state, note<notes::changed_after_failure>(state.t, status)) != Status::ok)
      return status;
  }
  const Status status = implicit_.advance(system_, t_stop, state);
  if (status == Status::ok) {
    implicit_stepped_ = true;
    ++steps_since_change_;
  }
  count();
  return status;
}

Status Automatic::change_to(bool implicit, const State& state, Note why) {
  before_ += implicit_active_ ? implicit_.counters : explicit_.counters;
  notes_ = notes();
  // who has come back is surer before he goes again
  if (!implicit) sure_ = 4 * std::min(sure_, surest);
  // the other one may still be asked for a state within its last step
  if (implicit)
    implicit_ = make_implicit();
  else
    explicit_ = make_explicit();
  implicit_active_ = implicit;
  if (const Status status = start_active(state); status != Status::ok) return status;
  both_ = true;
  stiff_steps_ = easy_steps_ = 0;
  steps_since_change_ = 0;
  next_try_ = try_after;
  constexpr std::size_t most_notes = 20;
  if (notes_.size() < most_notes) notes_.push_back(std::move(why));
  count();
  return Status::ok;
}

bool Automatic::explicit_is_bound_by_stability() {
  if (!system_.structure().differentiable) return false;
  if (explicit_.stiffness() > stable) {
    easy_steps_ = 0;
    return ++stiff_steps_ >= sure_;
  }
  if (++easy_steps_ >= 6) stiff_steps_ = 0;
  return false;
}

// How many times longer the steps of radau are here; 0 where nothing says that they are.
double Automatic::longer_implicit_steps(double h, double t_stop, const State& state) {
  const double product = explicit_.stiffness();
  if (steps_since_change_ < next_try_ || !(product > worth_trying) ||
      !system_.structure().differentiable)
    return 0.0;
  next_try_ = steps_since_change_ + look_every;
  if (!(product > separated * h * rate_of_motion(system_, state))) return 0.0;
  next_try_ = more_seldom * steps_since_change_;
  Radau trial = make_implicit();
  State ahead = state;
  double longest = 0.0;
  if (trial.start(system_, ahead) == Status::ok)
    for (int k = 0; k < tried_steps && ahead.t != t_stop; ++k) {
      const double from = ahead.t;
      if (trial.advance(system_, t_stop, ahead) != Status::ok) break;
      longest = std::max(longest, std::abs(ahead.t - from));
    }
  trial.counters.steps = trial.counters.rejected = 0;  // none of the run
  before_ += trial.counters;
  count();
  return longest / h;
}

bool Automatic::explicit_would_do(const State& state) {
  return std::abs(implicit_.next_step()) * fastest_rate(springs_, state) < 2.0;
}

Status Automatic::interpolate(const System& /*system*/, double t, State& state) {
  const Status status = implicit_stepped_ ? implicit_.interpolate(system_, t, state)
                                          : explicit_.interpolate(springs_, t, state);
  count();
  return status;
}

Status Automatic::rates(const System& /*system*/, double t, State& rate) {
  const Status status =
      implicit_stepped_ ? implicit_.rates(system_, t, rate) : explicit_.rates(springs_, t, rate);
  count();
  return status;
}

Status Automatic::multipliers(const System& /*system*/, const State& at, Vec& a, Vec& lambda) {
  if (implicit_stepped_ || (begun_ && implicit_active_ && !both_))
    return implicit_.multipliers(system_, at, a, lambda);
  if (const Status status = accelerations_(springs_, at.t, at.q, at.v, a, spring_lambda_);
      status != Status::ok)
    return status;
  if (const Status status =
          springs_.multipliers({.t = at.t, .q = at.q, .v = at.v}, spring_lambda_, ev_, row_lambda_);
      status != Status::ok)
    return status;
  lambda.resize(system_.nc());
  const std::vector<Row>& rows = system_.structure().rows;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].equation >= 0) lambda[rows[r].equation] = row_lambda_[static_cast<Index>(r)];
  return Status::ok;
}

void Automatic::archive(Archive& archive) {
  archive.tag("auto");
  archive(begun_, implicit_active_, implicit_stepped_, both_, stiff_steps_, easy_steps_,
          steps_since_change_, next_try_, sure_, before_);
  archive_list(archive, notes_);
  if (!begun_) return;
  if (archive.loading() && start_active(given_) != Status::ok)
    throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
  // only the active one has been started
  if (archive.loading()) implicit_stepped_ = implicit_stepped_ && implicit_active_;
  if (implicit_active_)
    archive(implicit_);
  else
    archive(explicit_, explicit_.counters);
  count();
}

void Automatic::count() {
  counters = before_;
  counters += implicit_active_ ? implicit_.counters : explicit_.counters;
}

const std::string& Automatic::message() const {
  return implicit_active_ ? implicit_.message() : explicit_.message();
}

std::vector<Note> Automatic::notes() const {
  std::vector<Note> all = notes_;
  const std::vector<Note>& told = implicit_active_ ? implicit_.notes() : explicit_.notes();
  all.insert(all.end(), told.begin(), told.end());
  return all;
}

std::string Automatic::used() const {
  const char* const now = implicit_active_ ? "radau" : "dop853";
  return both_ ? fmt::format("dop853 and radau, at last {}", now) : now;
}

}  // namespace taut
