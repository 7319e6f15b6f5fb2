// SPDX-License-Identifier: BSD-3-Clause
// How a run ends and how it is stored: the other half of time_run.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/archive_list.hpp"
#include "core/notes.hpp"
#include "model/finite.hpp"
#include "readings/readings.hpp"
#include "run/archive_events.hpp"
#include "run/time_run.hpp"

namespace taut {
namespace {

// names and the end of a run, with multipliers that are not known
void describe(const Structure& structure, const State& state, Summary& summary) {
  summary.coordinates = structure.place_names();
  summary.velocities = structure.velocities;
  for (const Row& row : structure.rows) summary.constraints.push_back(row.name);
  summary.state = state;
  summary.state.q.conservativeResize(std::min(structure.places(), state.q.size()));
  summary.lambda.setConstant(static_cast<Index>(structure.rows.size()),
                             std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

void TimeRun::archive_run(Archive& archive) {
  archive(state_, turns_);
  // what the rest is of
  if (actions_.archive(archive))
    require_sense(take_model() == Status::ok && prepare_watch() == Status::ok &&
                      watch_.start(output_, state_) == Status::ok && renew_output() == Status::ok &&
                      watch_blow_up() == Status::ok,
                  "parameters in it");
  archive_list(archive, happened_);
  archive_list(archive, counts_, [&](std::int64_t& count) { archive_count(archive, count); });
  archive(accumulation_, stops_behind_, step_of_events_);
  archive_within(archive, next_output_, 1, outputs_ + 1);
  archive_within(archive, outputs_, outputs_, outputs_);
  archive(last_step_, resolution_, until_, t_from_, h_);
  archive_count(archive, N_);
  archive_within(archive, grid_, 0, N_);
  archive_count(archive, measured_stride_);
  archive(step_watch_, crossing_.sliding);
  step_watch_.archive_switch(archive, crossing_.pending, crossing_.which);
  archive(time_crossing_);
  step_watch_.archive_switch(archive, time_crossing_known_, time_switch_);
  archive(next_bound_, crossings_, crowded_, last_crossing_, unresolved_, first_unresolved_,
          impacts_, first_impact_, poor_, first_poor_, poorest_);
  archive(good_.known, good_.state, good_.quality, balance_);
  archive(watch_, quality_, measure_, sampling_, blow_up_, knot_evaluations_, stopped_, disturbed_,
          earlier_);
  of_reading_ = reading_before_ + system_.hidden_evaluations();
  archive(next_projection_, projections_, projection_evaluations_, of_reading_);
  archive_events(archive, events_);
  if (!archive.loading()) return;
  begin_known_ = end_known_ = interior_known_ = false;
  const auto fits = [this](const State& state) {
    return state.q.size() == state_.q.size() && state.v.size() == state_.v.size();
  };
  const auto observables = static_cast<Index>(system_.structure().observables.size());
  require_sense(balance_.fits(state_.q.size()) && quality_.fits(observables, state_.q.size()) &&
                    good_.quality.fits(observables, state_.q.size()) &&
                    (!good_.known || fits(good_.state)) &&
                    std::all_of(events_.begin(), events_.end(),
                                [&](const EventRecord& event) {
                                  return fits(event.state) &&
                                         (event.after.q.size() == 0 || fits(event.after));
                                }) &&
                    (counts_.empty() || static_cast<Index>(counts_.size()) == observables) &&
                    std::all_of(happened_.begin(), happened_.end(),
                                [&](const EventWatch::Happened& one) {
                                  return one.event >= 0 && one.event < observables;
                                }),
                "sizes in it");
}

void TimeRun::archive_stepper(Archive& archive) {
  method_->archive(archive);
  archive(method_->counters());
  // the method has started once more, which the run that was stored has counted
  if (archive.loading()) reading_before_ = of_reading_ - system_.hidden_evaluations();
}

Counters TimeRun::counters() {
  Counters all = earlier_;
  all += method_->counters();
  return all;
}

// The end is always a row; where the run failed it may be possible to compute only part of it.
Status TimeRun::end_row() {
  if (!measurable_ || last_row_ == state_.t) return Status::ok;
  const Status status = record(state_);
  if (status != Status::ok) keep_row(state_.t, frame_);
  return status;
}

Summary TimeRun::finish(Status status) {
  Summary summary;
  close(status, summary);
  const Structure& structure = system_.structure();
  describe(structure, state_, summary);
  const std::size_t nr = structure.rows.size();
  if (motion_.rows() > 0)
    std::copy_n(motion_.lambda.end() - nr, nr, summary.lambda.begin());
  else if (frame_.lambda.size() == summary.lambda.size())
    summary.lambda = frame_.lambda;
  summary.output_evaluations = measure_.evaluations() + knot_evaluations_;
  summary.reading_evaluations = reading_before_ + system_.hidden_evaluations();
  summary.projections = projections_;
  summary.projection_evaluations = projection_evaluations_;
  summary.step = h_;
  quality_.report(structure, summary);
  if (balance_.known() && !disturbed_) {
    summary.work = balance_.by_name();
    quality_.report_balance(balance_.passed(), summary);
  }
  summary.statistics = sampling_.results();
  for (const StatisticResult& statistic : summary.statistics)
    if (!statistic.note.empty())
      notes_.push_back(note<notes::of_statistic>(statistic.name, statistic.note.text()));
  summary.events = std::move(events_);
  for (EventRecord& event : summary.events) {
    event.state.q.conservativeResize(structure.places());
    if (event.after.q.size() > 0) event.after.q.conservativeResize(structure.places());
  }
  summary.changed = actions_.changed();
  if (given()) {
    summary.method = method_->used();
    summary.counters = counters();
    if (disturbed_ || method_.info().thermal || actions_.any()) summary.energy_error.reset();
    for (Note& told : method_->notes()) notes_.push_back(std::move(told));
  }
  note_watch();
  constexpr bool along_curve = false;
  note_thinned(along_curve);
  note_dropped(along_curve);
  close_notes(summary);
  return summary;
}

void TimeRun::explain(Status status, SummaryCore& summary) const {
  summary.message = message(status);
  summary.hint = advice(status);
}

std::string TimeRun::message(Status status) const {
  if (status == Status::ok) return fmt::format("reached t = {}", state_.t);
  if (status == Status::stopped_by_event)
    return fmt::format("event '{}' stopped the run at t = {}", stop_name_, state_.t);
  if (status == Status::invalid_argument) return fmt::format("{}: {}", sentence(status), refused_);
  std::string text = fmt::format("{} at t = {}, after {} steps", sentence(status), state_.t, n_);
  if (status == Status::non_finite) {
    const std::string large = grown(), name = large.empty() ? culprit() : large;
    if (!name.empty()) text += ": " + name;
  }
  if (!refused_.empty()) text += ": " + refused_;
  if (!blamed_.empty() && (status == Status::stalled || status == Status::discontinuous ||
                           status == Status::unstable || status == Status::accumulating))
    text += ": " + blamed_;
  if (const std::string said = method_->message(); !said.empty()) text += ": " + said;
  return text;
}

// Where the step may have been too long: how long it may be.
std::string TimeRun::advice(Status status) const {
  // the message of a sampler says what to do
  if (status == Status::not_supported && !refused_.empty()) return {};
  if (status == Status::non_finite && !grown().empty())
    return "something feeds it energy: look at the signs of forces, of controllers among them";
  const bool too_long = status == Status::unstable || status == Status::projection_diverged ||
                        status == Status::iteration_limit;
  if (too_long && h_ > 0.0)
    if (std::string text = step_hint(method_.info(), stepped_system(), blow_up_.moderate(), h_);
        !text.empty())
      return text;
  return std::string{hint(status)};
}

// What is so large that squares of it overflow; empty where nothing is.
std::string TimeRun::grown() const {
  constexpr double beyond = 1e75;
  Index k = 0;
  if (state_.v.size() == 0 || !(state_.v.cwiseAbs().maxCoeff(&k) > beyond)) return {};
  return fmt::format("the motion has grown without bound, {} is {:.3g}",
                     system_.structure().velocities[static_cast<std::size_t>(k)], state_.v[k]);
}

// The state is the last good one: the formula broke a little farther on, somewhere in the step.
std::string TimeRun::culprit() const {
  if (!watch_.not_finite().empty())
    return fmt::format("the function of event '{}'", watch_.not_finite());
  if (const NonFinitePlace& place = last_non_finite_place();
      place.known && place.q.size() == system_.nq() && place.t >= state_.t && place.t <= until_)
    if (std::string name = system_.culprit({place.t, place.q, place.v}); !name.empty()) return name;
  const double h = h_ > 0.0 ? h_ : std::max(last_step_, (until_ - t0_) * 1e-6);
  for (const double part : std::array{0.0, 0.25, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0}) {
    const double t = state_.t + part * h;
    const Vec q = state_.q + part * h * state_.v;
    if (std::string name = system_.culprit({t, q, state_.v}); !name.empty()) return name;
  }
  // all formulas are finite: a force g/C is not
  constexpr double too_stiff = 1e280;
  for (const Row& row : system_.structure().rows)
    if (row.compliance > 0.0 && !(1.0 / row.compliance < too_stiff))
      return fmt::format("the stiffness 1/compliance of '{}', with a compliance of {:g}", row.name,
                         row.compliance);
  constexpr double too_strong = 1e150;  // its square overflows
  Evaluation at;
  system_.prepare(at);
  if (system_.evaluate(need(Target::constraint), {.t = state_.t, .q = state_.q, .v = state_.v},
                       at) != Status::ok)
    return {};
  for (Index k = 0; k < at.g.size(); ++k) {
    const Row& row = system_.structure().rows[static_cast<std::size_t>(k)];
    if (row.compliance > 0.0 && !(std::abs(at.g[k]) / row.compliance < too_strong))
      return fmt::format("the force g/compliance of '{}', with g = {:g} and a compliance of {:g}",
                         row.name, at.g[k], row.compliance);
  }
  return {};
}

namespace {

// What came nearest to the constraints, as a row: it tells more than words what does not fit.
void show_nearest(const System& system, const State& nearest, Motion& motion, Summary& summary) {
  summary.hint =
      "change what is named, or start nearer to a configuration in which the constraints hold; the "
      "row of the motion is the nearest that was found";
  Measure measure;
  Frame frame;
  frame.state = nearest;
  frame.state.v.setZero();
  const System output = springs(system);
  if (measure.start(output) != Status::ok) return;
  const Status measured = measure(output, frame);
  if (measured != Status::ok && frame.observable.size() == 0) return;
  frame.lambda.setConstant(static_cast<Index>(system.structure().rows.size()),
                           std::numeric_limits<double>::quiet_NaN());
  frame.work = std::numeric_limits<double>::quiet_NaN();
  static_cast<void>(measure.show(frame));
  summary.max_constraint = frame.max_constraint;
  motion.append(frame);
}

}  // namespace

Summary integrate(const System& system, const State& start, Method method,
                  const RunOptions& options, Motion& motion) {
  const std::string name{method.operator->() != nullptr ? method.info().name : ""};
  try {
    return TimeRun{system, std::move(method), options, motion}(start);
  } catch (const std::runtime_error& error) {  // of a checkpoint: what was read of it is forgotten
    Summary summary;
    motion.start(system);
    summary.refuse(Status::invalid_argument, error.what());
    summary.method = name;
    describe(system.structure(), start, summary);
    return summary;
  }
}

Summary integrate(const System& system, const Start& start, Method method,
                  const RunOptions& options, Motion& motion) {
  Summary summary;
  if (start.status == Status::ok) {
    summary = integrate(system, start.state, std::move(method), options, motion);
    summary.moved = moved(system.structure(), start);
  } else {
    motion.start(system);
    summary.refuse(start.status, start.reason);
    if (method.operator->() != nullptr) summary.method = method.info().name;
    describe(system.structure(), start.state, summary);
    if (start.nearest.q.size() > 0) show_nearest(system, start.nearest, motion, summary);
  }
  summary.redundant = start.redundant;
  return summary;
}

}  // namespace taut
