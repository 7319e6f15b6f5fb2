// SPDX-License-Identifier: BSD-3-Clause
// How a run along a curve ends and how it is stored: the other half of follow.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/archive_list.hpp"
#include "run/archive_events.hpp"
#include "run/follow_run.hpp"
#include "taut/core/wording.hpp"
#include "taut/run/summary.hpp"

namespace taut {

std::string_view name(ImpassePoint::Kind kind) {
  return kind == ImpassePoint::Kind::turns_back ? "turns back" : "passes";
}

void FollowRun::archive_run(Archive& archive) {
  archive(start_, end_, at_end_);
  archive_within(archive, next_arc_row_, 1, std::numeric_limits<std::int64_t>::max() / 4);
  archive(event_value_);
  archive_count(archive, turns_);
  archive(in_zero_, stall_, output_evaluations_, max_equation_, max_relative_);
  archive_within(archive, worst_row_, -1, static_cast<std::int64_t>(structure_.rows.size()) - 1);
  archive_events(archive, found_events_);
  archive_impasses(archive, impasses_);
  if (archive.loading()) {
    const Index n = end_.p.size();
    require_sense(std::all_of(found_events_.begin(), found_events_.end(),
                              [n](const CurveEventRecord& event) { return event.p.size() == n; }) &&
                      std::all_of(impasses_.begin(), impasses_.end(),
                                  [n](const ImpassePoint& point) { return point.p.size() == n; }),
                  "sizes in it");
  }
  if (!watch_.any()) return;
  std::vector<double> modes = watch_.modes();
  archive(modes, last_crossing_.x, last_crossing_.s, crossings_, crowded_, unresolved_,
          first_unresolved_, forced_);
  require_sense(modes.size() == watch_.modes().size(), "sizes in it");
  auto count = static_cast<std::int64_t>(sides_.size());
  archive(count);
  require_sense(count >= 0 && count <= static_cast<std::int64_t>(most_sides), "sizes in it");
  if (archive.loading()) sides_.resize(static_cast<std::size_t>(count));
  for (Side& side : sides_) {
    archive(side);
    require_sense(
        side.modes.size() == modes.size() &&
            (side.given.size() == 0 || side.given.size() == watch_.features().frozen.given.size()),
        "sizes in it");
  }
  // but for those of the start, which are known, they are made where they were made
  if (archive.loading())
    for (std::size_t i = 1; i < sides_.size(); ++i) sides_[i].form.reset();
  if (!archive.loading() || modes == watch_.modes()) return;
  const SideForm& side = side_of(modes);
  require_sense(side.reason.empty(), "sides of switches in it");
  curve_ = side.curve;
  watch_.set_modes(std::move(modes), side.others);
}

// Where the run was stored switches may have been on other sides than at the start.
Status FollowRun::start_stepper() {
  return watch_.any_switch() ? integrator_.go_over(curve_, end_.p, end_.V) : Status::ok;
}

// The end is always a row.
Status FollowRun::end_row() { return start_.p.size() > 0 ? record(end_.s, end_.p) : Status::ok; }

void FollowRun::explain(Status status, SummaryCore& summary) const {
  summary.message = message(status);
  summary.hint = remedy_.empty() ? std::string{hint(status)} : worded(remedy_);
}

CurveSummary FollowRun::finish(Status status) {
  CurveSummary summary;
  close(status, summary);
  summary.coordinates = structure_.coordinates;
  summary.p = end_.p;
  summary.V = end_.V;
  summary.s = end_.s;
  summary.counters = integrator_.counters;
  summary.output_evaluations = output_evaluations_;
  summary.step = options_.integrator.step;
  summary.equations = structure_.k;
  summary.max_equation = max_equation_;
  summary.max_relative = max_relative_;
  if (worst_row_ >= 0)
    summary.worst_equation = structure_.rows[static_cast<std::size_t>(worst_row_)];
  summary.events = std::move(found_events_);
  summary.impasse_points = std::move(impasses_);
  constexpr bool along_curve = true;
  note_thinned(along_curve);
  if (Note stiff = stiffness_note(integrator_.counters, along_curve); !stiff.empty())
    notes_.push_back(std::move(stiff));
  note_dropped(along_curve);
  if (unresolved_ > 0)
    notes_.push_back(note<notes::force_not_resolved>(unresolved_, n_, first_unresolved_));
  close_notes(summary);
  return summary;
}

// A failure where x hardly gets on any more is that of an impasse point.
Status FollowRun::judged(Status status) {
  const bool of_numbers = status == Status::step_too_small || status == Status::iteration_limit ||
                          status == Status::projection_diverged ||
                          status == Status::singular_matrix || status == Status::non_finite;
  if (status == Status::impasse && by_time() && ending_.empty()) {
    ending_ = fmt::format(
        "{} = {} is an impasse point, which steps in {} cannot pass: the derivative of {} by {} "
        "has no bound there",
        x_name(), end_.p[0], x_name(), fastest(), x_name());
    if (passes_by_arc()) remedy_ = "leave out <<parameter: time>>: steps of arc length pass it";
    // a constant step has not come near
    if (const double step = options_.integrator.step; step > 0.0) {
      ending_ = fmt::format(
          "a step of {} from {} = {} would pass an impasse point, where the derivative of {} by {} "
          "has no bound",
          step, x_name(), end_.p[0], fastest(), x_name());
      remedy_ =
          remedy_.empty()
              ? "take shorter steps to come nearer"
              : "take shorter steps to come nearer, or leave out <<parameter: time>> to pass it";
    }
    return status;
  }
  if (!of_numbers || n_ == 0) return status;
  const double left = stall_.left(end_.s, std::abs(end_.V[0]));
  if (!(left <= 1e3 * least_advance())) return status;
  ending_ = stall_message();
  return Status::impasse;
}

// Whether steps of arc length get on where steps in x do not: tried, not supposed.
bool FollowRun::passes_by_arc() const {
  constexpr int most_steps = 200;
  CurveIntegratorOptions options = options_.integrator;
  options.parameter = Parametrisation::arc;
  options.projection.keep_x = false;
  options.step = options.max_step = 0.0;
  CurveIntegrator trial{options};
  Vec p = end_.p;
  if (trial.start(curve_, p, sense_) != Status::ok) return false;
  const double far = 1e-3 * (1.0 + std::abs(p[0]));
  for (int i = 0; i < most_steps; ++i) {
    if (trial.advance(curve_, p) != Status::ok) return false;
    // it has turned, or gone on
    if (trial.direction()[0] * sense_ < 0.0 || std::abs(p[0] - end_.p[0]) > far) return true;
  }
  return false;
}

// Equations of which some hold along the curve only because points are projected: f = 0 keeps
// them, V does not. The rate is judged against df, and against what projections may leave.
Status FollowRun::check_tangent() {
  const CurveIntegratorOptions& options = options_.integrator;
  CurveEvaluation& at = integrator_.evaluation();
  if (structure_.k == 0 || options.projection.published_test) return Status::ok;
  ++output_evaluations_;
  if (curve_.jacobian(end_.p, at) != Status::ok) return Status::ok;  // infinite where f is not
  const double allowed = std::max(1e-6, options.step > 0.0 ? 0.0 : 1e-2 * options.tol);
  for (Index r = 0; r < structure_.k; ++r) {
    double rate = 0.0, square = 0.0;
    for (Sparse::InnerIterator e{at.df, r}; e; ++e) {
      rate += e.value() * end_.V[e.col()];
      square += e.value() * e.value();
    }
    if (!(std::abs(rate) > allowed * std::sqrt(square)) || !std::isfinite(square)) continue;
    ending_ = fmt::format(
        "{} changes along the direction that the equations give there, by {:.3g} per unit of arc, "
        "where {:.3g} would be the most: it is not kept by the others",
        structure_.rows[static_cast<std::size_t>(r)], rate, std::sqrt(square));
    remedy_ = "one of the equations is wrong, or is no invariant of the others";
    return Status::constraints_contradict;
  }
  return Status::ok;
}

// The coordinate that changes most along the curve.
std::string FollowRun::fastest() const {
  Index most = std::min<Index>(1, structure_.m - 1);
  for (Index i = most; i < structure_.m; ++i)
    if (std::abs(end_.V[i]) > std::abs(end_.V[most])) most = i;
  return structure_.coordinates[static_cast<std::size_t>(most)];
}

std::string FollowRun::stall_message() const {
  const auto& names = structure_.coordinates;
  const std::string grows = fastest();
  const auto place = std::find(names.begin(), names.end(), grows) - names.begin();
  return fmt::format(
      "the solution does not go on behind {} = {:.10g}: {} runs to infinity there (it is {:.4g} "
      "now, and d{}/ds = {:.2g} falls faster than the arc length {:.4g} grows)",
      x_name(), end_.p[0], grows, end_.p[place], x_name(), end_.V[0], end_.s);
}

std::string FollowRun::message(Status status) const {
  if (status == Status::ok)
    return options_.until && !(options_.arc > 0.0 && end_.s >= options_.arc)
               ? fmt::format("reached {} = {}", x_name(), end_.p[0])
               : fmt::format("reached arc length {} at {} = {}", end_.s, x_name(), end_.p[0]);
  if (status == Status::stopped_by_event) return ending_;
  if (status == Status::invalid_argument) return fmt::format("{}: {}", sentence(status), refused_);
  std::string text =
      status == Status::impasse && !ending_.empty()
          ? ending_
          : fmt::format("{} at {} = {}, after {} steps",
                        status == Status::discontinuous ? "the solution cannot go on without a jump"
                                                        : sentence(status),
                        x_name(), end_.p[0], n_);
  if (may_continue(status) || status == Status::impasse) return text;
  if (!ending_.empty()) return text + ": " + ending_;
  if (const std::string why = integrator_.reason(curve_); !why.empty()) text += ": " + why;
  return text;
}

}  // namespace taut
