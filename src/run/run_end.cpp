// SPDX-License-Identifier: BSD-3-Clause
// How a run ends and how it is stored: the other half of run.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "run/run.hpp"

namespace taut {
namespace {

void archive_events(Archive& archive, std::vector<EventRecord>& events) {
  auto count = static_cast<std::int64_t>(events.size());
  archive(count);
  if (archive.loading()) events.clear();
  for (std::int64_t k = 0; k < count; ++k) {
    if (archive.loading()) events.emplace_back();
    EventRecord& event = events[static_cast<std::size_t>(k)];
    archive(event.name, event.state, event.stops);
  }
}

}  // namespace

void Run::archive(Archive& archive) {
  archive.tag("run");
  double seconds = seconds_before_ + pace_.seconds();
  archive(state_, n_, next_output_, last_step_, seconds);
  if (archive.loading()) seconds_before_ = seconds;
  archive(recorder_, watch_, quality_, measure_, motion_, sampling_, blow_up_, knot_evaluations_,
          events_dropped_);
  std::int64_t of_reading = reading_before_ + system_.hidden_evaluations();
  archive(next_projection_, projections_, projection_evaluations_, of_reading);
  if (archive.loading()) reading_before_ = of_reading - system_.hidden_evaluations();
  archive_events(archive, events_);
}

void Run::save() {
  if (n_ == n_saved_ || !method_.info().resumable) return;
  const double begin = pace_.seconds();
  Archive out = checkpoint_archive(options_.checkpoint.identity);
  archive(out);
  method_->archive(out);
  out(method_->counters());
  const std::string problem = write_checkpoint(options_.checkpoint.file, out);
  if (!problem.empty() && !std::exchange(save_failed_, true))
    notes_.push_back("no checkpoint: " + problem);
  n_saved_ = n_;
  last_save_ = pace_.seconds();
  save_cost_ = last_save_ - begin;
}

Summary Run::finish(Status status) {
  if (may_continue(status) && !options_.checkpoint.file.empty()) save();

  Summary summary;
  // the end is always a row; where the run failed it may be possible to compute only part of it
  if (measurable_ && (motion_.rows() == 0 || motion_.t.back() != state_.t)) {
    const Status row = record(state_);
    if (row != Status::ok) motion_.append(frame_);
    if (status == Status::ok) status = row;
  }
  motion_.extremes.close(motion_.width());
  summary.status = status;
  summary.message = message(status);
  summary.hint = advice(status);
  summary.method = method_->used();

  const Structure& structure = system_.structure();
  summary.coordinates = structure.coordinates;
  summary.velocities = structure.velocities;
  for (const Row& row : structure.rows) summary.constraints.push_back(row.name);
  summary.state = state_;
  const std::size_t nr = structure.rows.size();
  summary.lambda.setConstant(static_cast<Index>(nr), std::numeric_limits<double>::quiet_NaN());
  if (motion_.rows() > 0) std::copy_n(motion_.lambda.end() - nr, nr, summary.lambda.begin());
  summary.counters = method_->counters();
  summary.output_evaluations = measure_.evaluations() + knot_evaluations_;
  summary.reading_evaluations = reading_before_ + system_.hidden_evaluations();
  summary.projections = projections_;
  summary.projection_evaluations = projection_evaluations_;
  summary.step = h_;
  quality_.report(structure, summary);
  if (method_.info().thermal) summary.energy_error.reset();
  summary.statistics = sampling_.results();
  for (const StatisticResult& statistic : summary.statistics)
    if (!statistic.note.empty()) notes_.push_back(statistic.name + ": " + statistic.note);
  summary.events = std::move(events_);
  for (std::string& note : method_->notes()) notes_.push_back(std::move(note));
  if (outputs_ == 0 && recorder_.stride() > 1)
    notes_.push_back(
        fmt::format("the motion has one row for {} steps: choose output times with --every",
                    recorder_.stride()));
  if (events_dropped_ > 0)
    notes_.push_back(fmt::format("{} further events were not kept", events_dropped_));
  summary.notes = std::move(notes_);
  summary.wall_seconds = seconds_before_ + pace_.seconds();
  return summary;
}

std::string Run::message(Status status) const {
  if (status == Status::ok) return fmt::format("reached t = {}", state_.t);
  if (status == Status::stopped_by_event)
    return fmt::format("event '{}' stopped the run at t = {}", stop_name_, state_.t);
  std::string text = fmt::format("{} at t = {}, after {} steps", sentence(status), state_.t, n_);
  if (status == Status::non_finite)
    if (const std::string name = culprit(); !name.empty()) text += ": " + name;
  if (!refused_.empty()) text += ": " + refused_;
  if (const std::string said = method_->message(); !said.empty()) text += ": " + said;
  return text;
}

// Where the step may have been too long: how long it may be.
std::string Run::advice(Status status) const {
  if (!refused_.empty()) return {};  // the message says what to do
  const bool too_long = status == Status::unstable || status == Status::projection_diverged ||
                        status == Status::iteration_limit;
  if (too_long && h_ > 0.0)
    if (std::string text = step_hint(method_.info(), stepped_system(), blow_up_.moderate(), h_);
        !text.empty())
      return text;
  return std::string{hint(status)};
}

// The state is the last good one: the formula broke a little farther on, somewhere in the step.
std::string Run::culprit() const {
  const double h = h_ > 0.0 ? h_ : std::max(last_step_, (options_.until - t0_) * 1e-6);
  for (const double part : std::array{0.0, 0.25, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0}) {
    const double t = state_.t + part * h;
    const Vec q = state_.q + part * h * state_.v;
    if (std::string name = system_.culprit({t, q, state_.v}); !name.empty()) return name;
  }
  return {};
}

Summary integrate(const System& system, const State& start, Method method,
                  const RunOptions& options, Motion& motion) {
  return Run{system, std::move(method), options, motion}(start);
}

Summary integrate(const System& system, const Start& start, Method method,
                  const RunOptions& options, Motion& motion) {
  const Structure& structure = system.structure();
  Summary summary;
  if (start.status == Status::ok) {
    summary = integrate(system, start.state, std::move(method), options, motion);
  } else {
    motion.start(structure);
    summary.status = start.status;
    summary.message = start.reason;
    summary.hint = hint(start.status);
    summary.method = method.info().name;
    summary.coordinates = structure.coordinates;
    summary.velocities = structure.velocities;
    summary.constraints = motion.constraints;
    summary.state = start.state;
    summary.lambda.setConstant(static_cast<Index>(structure.rows.size()),
                               std::numeric_limits<double>::quiet_NaN());
  }
  summary.redundant = start.redundant;
  if (start.status == Status::ok) summary.moved = moved(structure, start);
  return summary;
}

}  // namespace taut
