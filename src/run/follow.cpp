// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/follow_run.hpp"
#include "run/root.hpp"

namespace taut {
namespace {

std::vector<std::string> names_of(const std::vector<CurveOutput>& outputs) {
  std::vector<std::string> names;
  for (const CurveOutput& output : outputs) names.push_back(output.name);
  return names;
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double never = 2.0;  // a theta that no step has
// of a point that constant steps have come to, relative; and V . V of directions that are the same
constexpr double unknown_accuracy = 1e-4, same_way = 0.99;

const char* const follow_on =
    "give an end before the turning point, or <<arc>> to follow the curve as it goes";

// of the motion, with s, max |f| and step
std::int64_t columns(const CurveStructure& structure) { return 3 + structure.m; }

}  // namespace

FollowRun::FollowRun(const Curve& curve, const std::vector<CurveEvent>& events,
                     const FollowOptions& options, CurveMotion& motion)
    : RunShell{options, motion},
      curve_{curve},
      structure_{curve.structure()},
      events_{events},
      integrator_{options.integrator} {}

// Before the first step.
// --------------------------------------------------------------------------

std::string FollowRun::refusal(const Vec& start) const {
  if (start.size() != structure_.m)
    return fmt::format("a start of {} numbers for a curve of {} coordinates", start.size(),
                       structure_.m);
  for (Index i = 0; i < start.size(); ++i)
    if (!std::isfinite(start[i]))
      return fmt::format("the start is {} in {}", start[i],
                         structure_.coordinates[static_cast<std::size_t>(i)]);
  if (options_.until && !std::isfinite(*options_.until))
    return fmt::format("the end {} = {}", x_name(), *options_.until);
  for (const auto& [what, length] : {std::pair{"an arc length of", options_.arc},
                                     std::pair{"rows at distances of", options_.every},
                                     std::pair{"rows at arc lengths of", options_.every_arc},
                                     std::pair{"steps of", options_.integrator.step},
                                     std::pair{"steps of at most", options_.integrator.max_step}})
    if (!(length >= 0.0) || !std::isfinite(length)) return fmt::format("{} {}", what, length);
  if (!options_.until && !(options_.arc > 0.0) && options_.max_steps <= 0)
    return fmt::format(
        "there is no end: neither a value of {}, nor an arc length, nor a number of "
        "steps",
        x_name());
  return {};
}

void FollowRun::plan(const Vec& start) {
  end_.p = start;
  end_.V = Vec::Zero(structure_.m);
  motion_.start(structure_, names_of(options_.outputs));
  if (!refused_.empty()) return;
  sense_ = options_.sense;
  double size = std::abs(start[0]);
  if (options_.until) {
    sense_ = *options_.until < start[0] ? -1.0 : 1.0;
    size = std::max(size, std::abs(*options_.until));
    at_end_ = *options_.until == start[0];
  }
  resolution_ = 16 * epsilon * size;
  const bool given = options_.every > 0.0 || options_.every_arc > 0.0;
  const std::int64_t rows = plan_rows(given, given ? options_.max_rows : 0, columns(structure_));
  motion_.extremes.kept = options_.extremes && rows > 0;
  motion_.reserve(static_cast<std::size_t>(rows));
  if (motion_.extremes.kept && given) motion_.extremes.open(motion_.width());
}

Status FollowRun::prepare() {
  probe_ = end_.p;
  if (const Status status = integrator_.start(curve_, end_.p, sense_); status != Status::ok)
    return status;
  end_.V = integrator_.direction();
  in_zero_ = std::abs(end_.V[0]) <= negligible_slope();  // which the start says itself
  // what projections may leave, with much room
  const double near = std::max(1e-6, 10 * options_.integrator.tol);
  if (const double moved = (end_.p - probe_).norm(); moved > near * (1.0 + probe_.norm())) {
    refused_ = fmt::format(
        "the start is off the curve, by {:.6g}: curve_start() finds a point that is not", moved);
    end_.p = probe_;
    return Status::invalid_argument;
  }
  start_ = end_;
  constexpr double usual = 1e-8;  // of constant steps
  watch_.start(curve_, options_.integrator.step > 0.0 ? usual : options_.integrator.tol);
  integrator_.weigh_x(watch_.any_at_x());
  if (watch_.any_switch()) {
    sides_ = {{watch_.modes(), {}, SideForm{curve_, watch_.features().others, {}}}};
    if (const Status status = settle_sides(); status != Status::ok) return status;
    start_ = end_;
  }
  if (const Status status = event_values(end_.p, end_.V, event_value_); status != Status::ok)
    return status;
  value_after_ = value_probe_ = event_value_;
  return Status::ok;
}

// The loop.
// ---------------------------------------------------------------------------------------

Progress FollowRun::progress() const {
  const double x = end_.p[0], x0 = start_.p[0];
  const double part = options_.arc > 0.0 ? end_.s / options_.arc : 0.0;
  const double way = options_.until ? (x - x0) / (*options_.until - x0) : 0.0;
  return {.t = x, .fraction = std::clamp(std::max(part, way), 0.0, 1.0)};
}

// On failure the run is where it was.
Status FollowRun::take_step() {
  std::swap(begin_, end_);
  Status status = advance_integrator();
  if (std::size_t guard = 0; status != Status::ok && failed_at_border(guard)) {
    end_ = begin_;
    status = change_sides(guard);
    begin_ = end_;
    if (status == Status::ok) status = advance_integrator();
  }
  if (status == Status::ok && watch_.any()) status = look_closer();
  if (status != Status::ok) {
    end_ = begin_;
    return status;
  }
  ++n_;
  return Status::ok;
}

Status FollowRun::advance_integrator() {
  end_.p = begin_.p;
  const Status status = options_.until ? integrator_.advance(curve_, *options_.until, end_.p)
                                       : integrator_.advance(curve_, end_.p);
  end_.s = integrator_.length();
  end_.V = integrator_.direction();
  return status;
}

// A step of which something is wrong inside is good up to there, or not at all.
Status FollowRun::after_step() {
  broken_ = 0.0;
  const Status looked = look_inside();
  if (looked == Status::ok) return keep_what_happened();
  const bool rows = broken_ > 0.0 && rows_until(broken_) == Status::ok;
  if (!rows || end_at(broken_, looked) != looked) end_ = begin_;
  return looked;
}

Status FollowRun::look_inside() {
  happenings_.clear();
  if (const Status status = check_tangent(); status != Status::ok) return status;
  if (const Status status = find_zeros(); status != Status::ok) return status;
  return find_events();
}

Status FollowRun::keep_what_happened() {
  std::stable_sort(happenings_.begin(), happenings_.end(),
                   [](const Happening& a, const Happening& b) { return a.theta < b.theta; });

  // what ends the run, if anything does: the end of the arc, a stop, or the end of the step
  double theta_end = options_.arc > 0.0 && end_.s >= options_.arc ? theta_of(options_.arc) : never;
  Status ending = Status::ok;
  if (const Status status = find_closing(theta_end, ending); status != Status::ok) return status;
  if (const Status status = keep_happenings(theta_end, ending); status != Status::ok) return status;
  if (const Status status = rows_until(std::min(theta_end, 1.0)); status != Status::ok)
    return status;
  if (theta_end <= 1.0) return end_at(theta_end, ending);

  at_end_ = integrator_.landed();
  event_value_.swap(value_after_);
  if (const Status status = keep_step(); status != Status::ok) return status;
  if (at_end_) return Status::ok;
  if (crossing_)
    if (const Status status = change_sides(*crossing_); status != Status::ok) return status;
  return at_end_ ? Status::ok : outlook();
}

// The run ends inside its last step.
Status FollowRun::end_at(double theta, Status ending) {
  at_end_ = true;
  if (theta < 1.0) {
    if (const Status status = at(theta, probe_); status != Status::ok) return status;
    if (const Status status = direction_at(theta, probe_, probe_V_); status != Status::ok)
      return status;
    end_.s = length_at(theta);
    end_.p = probe_;
    end_.V = probe_V_;
  }
  return ending;
}

// Whether the end can still be reached.
Status FollowRun::outlook() {
  const double x = end_.p[0], slope = std::abs(end_.V[0]);
  if (options_.until && stall_(end_.s, slope, least_advance())) {
    ending_ = stall_message();
    return Status::impasse;
  }
  if (!options_.until || options_.arc > 0.0 || turns_ == 0) return Status::ok;
  const double x0 = start_.p[0], way = std::abs(*options_.until - x0);
  if ((x - x0) * sense_ < -way) {
    ending_ = fmt::format("{} = {} is not reached: the solution turned back at {} = {} and went on",
                          x_name(), *options_.until, x_name(), impasses_.front().p[0]);
    remedy_ = follow_on;
    return Status::impasse;
  }
  if (turns_ > options_.max_events) {
    ending_ = fmt::format("{} = {} is not reached: the solution has turned back {} times", x_name(),
                          *options_.until, turns_);
    remedy_ = follow_on;
    return Status::impasse;
  }
  return Status::ok;
}

// Where this step comes by the start, in the direction in which the run began: the run ends there.
Status FollowRun::find_closing(double& theta_end, Status& ending) {
  const double x0 = start_.p[0];
  if (!options_.until || options_.arc > 0.0 || integrator_.landed() ||
      (begin_.p[0] - x0) * sense_ > 0.0 || (end_.p[0] - x0) * sense_ < 0.0)
    return Status::ok;
  std::int64_t turns = turns_;
  for (const Happening& happening : happenings_)
    turns += happening.event < 0 && happening.kind == ImpassePoint::Kind::turns_back ? 1 : 0;
  if (turns == 0 || turns % 2 != 0) return Status::ok;
  std::optional<double> theta;
  if (const Status status = integrator_.find(curve_, x0, theta); status != Status::ok)
    return status;
  if (!theta) return Status::ok;
  if (const Status status = at(*theta, probe_); status != Status::ok) return status;
  if (const Status status = direction_at(*theta, probe_, probe_V_); status != Status::ok)
    return status;
  // what the errors of all steps may have added up to
  const double accuracy =
      options_.integrator.step > 0.0
          ? unknown_accuracy
          : 3.0 * options_.integrator.tol * std::max(integrator_.error_sum(), 1.0);
  const double near = accuracy * (1.0 + start_.p.cwiseAbs().maxCoeff());
  if ((probe_ - start_.p).norm() > near || probe_V_.dot(start_.V) <= same_way) return Status::ok;
  theta_end = *theta;
  ending = Status::impasse;
  ending_ = fmt::format(
      "{} = {} is not reached: the curve is closed, after a length of {:.6g} it is back at its "
      "start",
      x_name(), *options_.until, length_at(*theta));
  remedy_ = follow_on;
  return Status::ok;
}

// An advance in x that does not count.
double FollowRun::least_advance() const {
  return std::max(resolution_, 0.01 * options_.integrator.tol * (1.0 + std::abs(end_.p[0])));
}

// Inside the step.
// ------------------------------------------------------------------------------

Status FollowRun::at(double theta, Vec& p) {
  if (theta <= 0.0) {
    p = begin_.p;
    return Status::ok;
  }
  if (theta >= 1.0) {
    p = end_.p;
    return Status::ok;
  }
  p = begin_.p;
  return integrator_.interpolate(curve_, theta, p);
}

Status FollowRun::direction_at(double theta, const Vec& p, Vec& V) {
  // steps that turn far are those of constant length
  V = theta < 0.5 ? begin_.V : end_.V;
  if (begin_.V.dot(end_.V) < 0.0)
    if (const Status status = integrator_.heading(curve_, theta, V); status != Status::ok)
      return status;
  ++output_evaluations_;
  const Status status = curve_.direction(p, integrator_.evaluation(), V);
  if (status == Status::ok && structure_.x_grows && V[0] * begin_.V[0] < 0.0) V = -V;
  return status;
}

double FollowRun::length_at(double theta) { return integrator_.length_at(curve_, theta); }

double FollowRun::theta_of(double s) {
  double low = 0.0, high = 1.0;
  if (!by_time()) return std::clamp((s - begin_.s) / (end_.s - begin_.s), 0.0, 1.0);
  while (high - low > 4 * epsilon) {
    const double middle = (low + high) / 2;
    (length_at(middle) < s ? low : high) = middle;
  }
  return high;
}

// What happens in the step.
// ---------------------------------------------------------------------

// Takes over what happened up to theta_end, or up to the first that stops the run.
Status FollowRun::keep_happenings(double& theta_end, Status& ending) {
  for (const Happening& happening : happenings_) {
    if (happening.theta > theta_end) break;
    const bool full =
        static_cast<std::int64_t>(found_events_.size() + impasses_.size()) >= options_.max_events;
    bool stops = false;
    if (const Status status = happening.event >= 0 ? keep_event(happening, full, stops)
                                                   : keep_impasse(happening, full, stops);
        status != Status::ok)
      return status;
    if (!stops) continue;
    theta_end = happening.theta;
    // steps in x do not go on behind an impasse point
    const bool lost = happening.event < 0 && options_.at_impasse == AtImpasse::go_on;
    ending = arrived_ ? Status::ok : lost ? Status::impasse : Status::stopped_by_event;
    break;
  }
  return Status::ok;
}

// Output.
// ----------------------------------------------------------------------------------------

Status FollowRun::rows_until(double theta) {
  if (options_.every_arc > 0.0) {
    const double s_end = length_at(theta);
    for (;; ++next_arc_row_) {
      const double s = static_cast<double>(next_arc_row_) * options_.every_arc;
      if (!(s <= s_end)) return Status::ok;
      if (const Status status = at(theta_of(s), probe_); status != Status::ok) return status;
      if (const Status status = record(s, probe_); status != Status::ok) return status;
    }
  }
  if (options_.every <= 0.0) return Status::ok;
  // between points at which x turns round it has every value once
  double from = 0.0;
  for (const Happening& happening : happenings_) {
    if (happening.event >= 0 || happening.kind != ImpassePoint::Kind::turns_back) continue;
    if (happening.theta >= theta) break;
    if (const Status status = rows_between(from, happening.theta); status != Status::ok)
      return status;
    from = happening.theta;
  }
  return rows_between(from, theta);
}

// Rows where x = start + k every, in a part of the step in which x is monotonous.
Status FollowRun::rows_between(double theta_a, double theta_b) {
  if (const Status status = at(theta_a, probe_); status != Status::ok) return status;
  const double x_a = probe_[0];
  if (const Status status = at(theta_b, probe_); status != Status::ok) return status;
  const double x_b = probe_[0];
  // an x that is missed by rounding counts as met: at the end of a part, not at its beginning
  constexpr double rounding = 1e-9;
  const double a = (x_a - start_.p[0]) / options_.every;
  const double b = (x_b - start_.p[0]) / options_.every;
  const bool up = x_b > x_a;
  const double first = up ? std::floor(a + rounding) + 1 : std::ceil(a - rounding) - 1;
  const double last = up ? std::floor(b + rounding) : std::ceil(b - rounding);
  for (double k = first; up ? k <= last : k >= last; k += up ? 1.0 : -1.0) {
    const double x = start_.p[0] + k * options_.every;
    Bracket bracket{.a = theta_a, .f_a = x_a - x, .b = theta_b, .f_b = x_b - x};
    if (const Status status = row_at(x, bracket); status != Status::ok) return status;
  }
  return Status::ok;
}

Status FollowRun::row_at(double x, Bracket bracket) {
  const bool beyond = (bracket.f_a > 0.0) == (bracket.f_b > 0.0);
  if (!beyond && std::abs(bracket.f_b) > resolution_) {
    const auto distance = [&](double theta, double& value) {
      const Status status = at(theta, probe_);
      value = probe_[0] - x;
      return status;
    };
    if (const Status status = shrink_bracket(distance, 4 * epsilon, bracket); status != Status::ok)
      return status;
  }
  if (const Status status = at(bracket.b, probe_); status != Status::ok) return status;
  if (!beyond) probe_[0] = x;  // it is, but for rounding
  return record(length_at(bracket.b), probe_);
}

Status FollowRun::record(double s, const Vec& p) {
  if (last_row_ == s) return Status::ok;
  // derivatives may be infinite where f is not
  CurveEvaluation& at = integrator_.evaluation();
  const bool differentiable = curve_.jacobian(p, at) == Status::ok;
  const Status status = differentiable ? Status::ok : curve_.value(p, at);
  double most = status == Status::ok ? 0.0 : std::numeric_limits<double>::quiet_NaN();
  for (Index r = 0; status == Status::ok && r < at.f.size(); ++r) {
    const double size = std::abs(at.f[r]);
    most = std::max(most, size);
    max_equation_ = std::max(max_equation_, size);
    double terms = std::abs(structure_.scale[r]);
    for (Sparse::InnerIterator e{at.df, r}; differentiable && e; ++e)
      terms += std::abs(e.value() * p[e.col()]);
    const double relative = terms > 0.0 ? size / terms : size;
    if (relative > max_relative_) {
      max_relative_ = relative;
      worst_row_ = r;
    }
  }
  frame_.s = s;
  frame_.p = p;
  frame_.max_equation = most;
  frame_.step = end_.s - begin_.s;
  show_outputs();
  add_row(s, frame_);
  return status;
}

// What cannot be computed is NaN: what a user is shown decides nothing.
void FollowRun::show_outputs() {
  frame_.output.resize(static_cast<Index>(options_.outputs.size()));
  if (options_.outputs.empty()) return;
  output_V_ = end_.V;  // any that is not opposite
  const bool known = curve_.direction(frame_.p, integrator_.evaluation(), output_V_) == Status::ok;
  for (std::size_t k = 0; k < options_.outputs.size(); ++k)
    frame_.output[static_cast<Index>(k)] = known ? options_.outputs[k].value(frame_.p, output_V_)
                                                 : std::numeric_limits<double>::quiet_NaN();
}

void FollowRun::pass_present() {
  if (motion_.extremes.empty() || last_row_ >= end_.s) return;
  motion_.pass(end_.p, end_.s - begin_.s);
  ++motion_.extremes.steps;
}

CurveSummary follow(const Curve& curve, const std::vector<CurveEvent>& events, const Vec& start,
                    const FollowOptions& options, CurveMotion& motion) {
  try {
    return FollowRun{curve, events, options, motion}(start);
  } catch (const std::runtime_error& error) {  // of a checkpoint: what was read of it is forgotten
    CurveSummary summary;
    motion.start(curve.structure(), names_of(options.outputs));
    summary.refuse(Status::invalid_argument, error.what());
    summary.coordinates = curve.structure().coordinates;
    summary.p = start;
    return summary;
  }
}

CurveSummary follow(const Curve& curve, const std::vector<CurveEvent>& events,
                    const CurveStart& start, const FollowOptions& options, CurveMotion& motion) {
  CurveSummary summary;
  if (start.status == Status::ok) {
    summary = follow(curve, events, start.p, options, motion);
  } else {
    motion.start(curve.structure(), names_of(options.outputs));
    summary.refuse(start.status, start.reason);
    summary.coordinates = curve.structure().coordinates;
    summary.p = start.p;
    summary.V = start.V;
  }
  summary.moved = start.moved;
  summary.found = start.found;
  summary.taken = start.taken;
  return summary;
}

}  // namespace taut
