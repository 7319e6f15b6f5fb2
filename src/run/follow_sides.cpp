// SPDX-License-Identifier: BSD-3-Clause
// Steps of follow() that end where something happens, and what goes on behind a switch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/dense_decompositions.hpp"
#include "curves/curve_projection.hpp"
#include "run/follow_run.hpp"

namespace taut {
namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();
constexpr int most_repeats = 60;
// a part of a step that is none
constexpr double nothing = 1e-12;

}  // namespace

// The accepted step from begin_ to end_ has seen all there is, or ends where something happens.
Status FollowRun::look_closer() {
  const bool adaptive = !(options_.integrator.step > 0.0);
  crossing_.reset();
  int at_once = 0;
  double next_bound = 0.0;
  for (int repeats = 0; repeats < most_repeats; ++repeats) {
    tube_.step(curve_, integrator_, {begin_.p, begin_.V}, {end_.p, end_.V});
    CurveFinding found;
    if (const Status status = watch_.look(tube_, found); status != Status::ok) return status;
    const double h = tube_.length();
    switch (found.kind) {
      case CurveFinding::Kind::nothing:
        if (next_bound > 0.0) integrator_.propose_at_most(next_bound);
        return Status::ok;
      case CurveFinding::Kind::unresolved:
        if (!adaptive) {
          if (unresolved_++ == 0) first_unresolved_ = begin_.p[0];
          return Status::ok;
        }
        if (found.length > 0.5 || found.length * h < 64 * unit * (end_.s + end_.p.norm()))
          return Status::ok;
        // up to there, or as short as it takes, under the control of its error
        next_bound = found.theta > found.length / 2 ? found.length * h : 0.0;
        if (const Status status = take_again(next_bound > 0.0 ? found.theta * h : found.length * h);
            status != Status::ok)
          return status;
        break;
      case CurveFinding::Kind::crossing:
        if (integrator_.landed() && found.theta >= 1.0 - nothing) return Status::ok;
        if (found.theta > nothing) {
          const bool at_end = found.theta >= 1.0 - nothing;
          if (at_end || cut(found) == Status::ok) {
            crossing_ = found.guard;
            return Status::ok;
          }
          // not even a part of the step could be taken alone
          end_ = begin_;
          integrator_.propose_at_most(found.theta * h);
          if (const Status status = advance_integrator(); status != Status::ok) return status;
          break;
        }
        // it leaves its side at once: the side was not the right one
        integrator_.undo(begin_.p);
        end_ = begin_;
        if (++at_once > 4 + 2 * static_cast<int>(watch_.modes().size()))
          return stalled(found.guard, "no side of it leads away from it");
        if (const Status status = change_sides(found.guard); status != Status::ok) return status;
        begin_ = end_;
        if (const Status status = advance_integrator(); status != Status::ok) return status;
        break;
    }
  }
  return Status::ok;
}

// A formula may have no value beyond its border: steps then become ever shorter before it.
bool FollowRun::failed_at_border(std::size_t& guard) {
  const double near = 1e5 * unit * (1.0 + begin_.p.cwiseAbs().maxCoeff());
  if (!watch_.any_switch() || forced_ == begin_.s) return false;
  for (guard = 0; guard < watch_.modes().size(); ++guard) {
    const formula::Enclosure g = watch_.guard(guard, begin_.p, begin_.V);
    if (watch_.depth(guard, g.middle) <= near * watch_.slope_of_guard() &&
        depth_rate(guard, begin_.p, begin_.V) < 0.0) {
      forced_ = begin_.s;
      return true;
    }
  }
  return false;
}

// The step again, no longer than h.
Status FollowRun::take_again(double h) {
  integrator_.undo(begin_.p);
  integrator_.propose_at_most(h);
  return advance_integrator();
}

Status FollowRun::shorten(double theta) {
  const Status status = integrator_.shorten(curve_, theta, end_.p);
  if (status != Status::ok) return status;
  end_.s = integrator_.length();
  end_.V = integrator_.direction();
  return Status::ok;
}

// The step taken again so that it ends where the guard is zero: on the curve, not on dense output.
Status FollowRun::cut(const CurveFinding& found) {
  constexpr int most = 6;
  const double whole = tube_.length();
  double h = found.theta * whole;
  for (int i = 0; i < most; ++i) {
    const double last = std::abs(integrator_.last_step());
    if (const Status status = shorten(h / last); status != Status::ok) return status;
    const formula::Enclosure g = watch_.guard(found.guard, end_.p, end_.V);
    const double along = (g.rate.lo + g.rate.hi) / 2 / (by_time() ? std::abs(end_.V[0]) : 1.0);
    const double border = border_of(found.guard, g.middle);
    const double change = (border - g.middle) / along;
    const double resolution =
        2 * unit * (by_time() ? std::abs(end_.p[0]) : end_.s + end_.p.cwiseAbs().maxCoeff());
    if (!std::isfinite(change) || std::abs(change) <= resolution || !(h + change > 0.0) ||
        !(h + change < 1.1 * whole))
      break;
    h += change;
  }
  return Status::ok;
}

// The value of a guard at the border that it is next to.
double FollowRun::border_of(std::size_t guard, double g) const {
  return watch_.features().guards[guard].kind == formula::Guard::Kind::floor ? std::round(g) : 0.0;
}

// Change of the depth of a guard in its side, per length of the curve.
double FollowRun::depth_rate(std::size_t guard, const Vec& p, const Vec& V) {
  const formula::Enclosure here = watch_.guard(guard, p, V);
  const double g = border_of(guard, here.middle);
  double rate = (here.rate.lo + here.rate.hi) / 2;
  if (!std::isfinite(rate)) {
    // it reads derivatives: they are those of a point near by
    const double way = 1e-4 * std::max(std::abs(integrator_.next_step()), 1e-12);
    side_ = p + way * V;
    side_V_ = V;
    if (curve_.direction(side_, integrator_.evaluation(), side_V_) != Status::ok) return 0.0;
    rate = (watch_.guard(guard, side_, side_V_).middle - here.middle) / way;
  } else if (std::abs(rate) <= 1e-12 * watch_.slope_of_guard()) {
    return 0.0;  // V has no more digits
  }
  // of depth by g, on the side that the rate leads to
  const double small = rate == 0.0 ? 0.0 : std::copysign(0.25, rate);
  return (watch_.depth(guard, g + small) - watch_.depth(guard, g)) / 0.25 * std::abs(rate);
}

// Behind a crossing: this guard, and all others whose border is here, too.
Status FollowRun::change_sides(std::size_t guard) {
  crossing_.reset();
  const double near =
      1e-9 * std::max(end_.s - begin_.s, 0.0) + 64 * unit * (1.0 + end_.p.cwiseAbs().maxCoeff());
  std::vector<double> modes = watch_.modes();
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double g = watch_.guard(k, end_.p, end_.V).middle;
    const double rate = depth_rate(k, end_.p, end_.V);
    if (k == guard || (rate < 0.0 && std::abs(watch_.depth(k, g)) <= near * -rate))
      modes[k] = watch_.other_mode(k, g);
  }
  if (const Status status = count_crossing(guard); status != Status::ok) return status;
  return go_over(guard, std::move(modes));
}

// At the start: guards that are at a border and leave it for the other side.
Status FollowRun::settle_sides() {
  std::vector<double> modes = watch_.modes();
  std::optional<std::size_t> first;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const double g = watch_.guard(k, end_.p, end_.V).middle;
    if (g != border_of(k, g)) continue;
    const double rate = depth_rate(k, end_.p, end_.V);
    if (!(rate < 0.0)) continue;
    const double toward = watch_.guard(k, end_.p, end_.V).rate.lo;
    modes[k] = watch_.other_mode(k, std::isfinite(toward) ? g + toward : g);
    if (!first) first = k;
  }
  return first ? go_over(*first, std::move(modes)) : Status::ok;
}

// The curve with its switches on these sides; made once.
const SideForm& FollowRun::side_of(const std::vector<double>& modes) {
  const CurveFeatures& features = watch_.features();
  for (Side& side : sides_) {
    if (side.modes != modes) continue;
    // of a run that is resumed
    if (!side.form) side.form = form_of(modes, side.given);
    return *side.form;
  }
  if (sides_.size() >= most_sides) sides_.erase(sides_.begin() + 1);  // the first is the start's
  // what stays the same is given; highest derivatives may jump
  Vec given = Vec::Constant(features.frozen.given.size(), std::numeric_limits<double>::quiet_NaN());
  const std::vector<bool>& jumps = may_jump();
  for (Index jet = 0; jet < given.size(); ++jet)
    for (Index i = 0; i < structure_.m; ++i)
      if (!jumps[static_cast<std::size_t>(i)] &&
          structure_.coordinates[static_cast<std::size_t>(i)] == features.frozen.name_of(jet))
        given[jet] = end_.p[i];
  sides_.push_back({modes, given, form_of(modes, given)});
  return *sides_.back().form;
}

SideForm FollowRun::form_of(const std::vector<double>& modes, const Vec& given) const {
  const CurveFeatures& features = watch_.features();
  SideForm form = features.form(features.with(modes, given));
  if (form.reason.empty() && form.curve.structure().coordinates != structure_.coordinates)
    form.reason = fmt::format("the curve behind it has the coordinates {} in place of {}",
                              fmt::join(form.curve.structure().coordinates, ", "),
                              fmt::join(structure_.coordinates, ", "));
  return form;
}

// Coordinates that are the highest derivatives of their unknowns in the equations.
const std::vector<bool>& FollowRun::may_jump() {
  if (!may_jump_.empty()) return may_jump_;
  const CurveFeatures& features = watch_.features();
  const JetSystem& system = features.frozen;
  constexpr int completed = 8;  // orders beyond those that are stated
  std::unordered_map<std::string, Index> jets;
  for (Index jet = 1; jet < system.size(system.order + completed); ++jet)
    jets.emplace(system.name_of(jet), jet);
  for (const std::string& coordinate : structure_.coordinates) {
    const auto found = jets.find(coordinate);
    const Index jet = found == jets.end() ? 0 : found->second;
    const Index order = jet > 0 ? (jet - 1) / system.n() : 0;
    may_jump_.push_back(order >= 1 &&
                        order >= features.orders[static_cast<std::size_t>((jet - 1) % system.n())]);
  }
  return may_jump_;
}

// Highest derivatives that make f smallest, the rest as it is; then the nearest point at this x.
Status FollowRun::meet(const Curve& curve, CurveEvaluation& ev, Vec& p) {
  std::vector<Index> free;
  const std::vector<bool>& jumps = may_jump();
  for (std::size_t i = 0; i < jumps.size(); ++i)
    if (jumps[i]) free.push_back(static_cast<Index>(i));
  if (!free.empty() && structure_.k > 0) {
    constexpr int most_iterations = 30;
    Vec at = p;
    double before = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most_iterations; ++k) {
      if (curve.jacobian(at, ev) != Status::ok || !(ev.f.norm() < before)) break;
      before = ev.f.norm();
      p = at;
      Mat A(curve.equations(), static_cast<Index>(free.size()));
      for (std::size_t c = 0; c < free.size(); ++c)
        for (Index r = 0; r < A.rows(); ++r) A(r, static_cast<Index>(c)) = ev.df.coeff(r, free[c]);
      const Vec change = MinimumNorm{A, 1e-12}.solve(ev.f);
      for (std::size_t c = 0; c < free.size(); ++c) at[free[c]] -= change[static_cast<Index>(c)];
    }
  }
  if (curve.equations() == 0) return Status::ok;
  CurveProjection projection{{.tol = 1e-12, .keep_x = true, .max_iterations = 100}};
  projection.start(curve);
  return projection(curve, p, ev);
}

// From end_ on along the curve of other sides; `guard` is to blame where that cannot be.
Status FollowRun::go_over(std::size_t guard, std::vector<double> modes) {
  const SideForm& side = side_of(modes);
  const std::string label = watch_.features().label(guard);
  if (!side.reason.empty()) {
    ending_ = fmt::format("{} = {}: {}, and does not go on behind it: {}", x_name(), end_.p[0],
                          label, side.reason);
    remedy_ = "state the system so that it has a solution on both sides";
    return Status::impasse;
  }
  CurveEvaluation ev;
  side.curve.prepare(ev);
  static_cast<void>(side.curve.settle(end_.p, ev));
  Vec p = end_.p;
  const Status met = meet(side.curve, ev, p);
  Vec V = Vec::Zero(p.size());
  const Status directed =
      met == Status::ok ? side.curve.direction(p, ev, V) : Status::projection_diverged;
  // what the tolerance allows, and what the last digits of x mean where the curve is steep
  const double near = std::max(10 * options_.integrator.tol, 1e-8);
  const double digits = 64 * unit * p.cwiseAbs().maxCoeff();
  const std::vector<bool>& jumps = may_jump();
  for (Index i = 0; i < p.size(); ++i) {
    const double steep = std::max(std::abs(end_.V[i] / end_.V[0]), std::abs(V[i] / V[0]));
    const double allowed =
        near * (1.0 + std::abs(end_.p[i])) + (std::isfinite(steep) ? digits * steep : 0.0);
    const bool stays = std::abs(p[i] - end_.p[i]) <= allowed;
    if (met == Status::ok && (stays || jumps[static_cast<std::size_t>(i)])) continue;
    ending_ =
        met == Status::ok
            ? fmt::format("{}: {} would jump by {:.6g}", label,
                          structure_.coordinates[static_cast<std::size_t>(i)], p[i] - end_.p[i])
            : fmt::format("{}: its other side has no point near this one", label);
    remedy_ =
        "let it change over a short way, by a ramp; or leave out the unknown that jumps, and write "
        "its formula where it is read";
    return Status::discontinuous;
  }
  if (directed != Status::ok) {
    ending_ = fmt::format("{}: behind it {}", label, side.curve.explain(p));
    return directed;
  }
  // x goes on as it did; where it stood still, the curve does
  constexpr double upright = 1e-13;
  const bool forward = std::abs(end_.V[0]) > upright && std::abs(V[0]) > upright;
  if (forward ? V[0] * end_.V[0] < 0.0 : V.dot(end_.V) < 0.0) V = -V;

  const double before = std::abs(depth_rate(guard, end_.p, end_.V));
  const double turned =
      curve_.orientation(end_.p, integrator_.evaluation()) * side.curve.orientation(p, ev);
  curve_ = side.curve;
  watch_.set_modes(std::move(modes), side.others);
  constexpr double back = 1e-9;
  const double into = depth_rate(guard, p, V);
  const bool turns = into < -back * before;
  // a corner at which x turns back, as it does at an impasse point; else nothing goes on
  if (turns && !(turned < 0.0)) return stalled(guard, "both sides lead back to it");
  if (turns) V = -V;
  if (turns && by_time()) {
    ending_ = fmt::format("{}, and {} turns back there: steps in {} cannot pass it", label,
                          x_name(), x_name());
    remedy_ = "give an end before it, or leave out <<parameter: time>> to follow the curve back";
    return Status::impasse;
  }
  if (const Status status = integrator_.go_over(curve_, p, V); status != Status::ok) return status;
  end_.p = std::move(p);
  end_.V = std::move(V);
  in_zero_ = std::abs(end_.V[0]) <= negligible_slope();
  if (turns) return turn_at_corner();
  return jump_events();
}

// At end_, where the sides of a switch meet and x is at its end on both.
Status FollowRun::turn_at_corner() {
  ++turns_;
  const ImpassePoint impasse{.kind = ImpassePoint::Kind::turns_back,
                             .s = end_.s,
                             .p = end_.p,
                             .slope = end_.V[0],
                             .unbounded = {}};
  if (static_cast<std::int64_t>(found_events_.size() + impasses_.size()) < options_.max_events)
    impasses_.push_back(impasse);
  else
    ++dropped_;
  if (const Status status = jump_events(); status != Status::ok) return status;
  if (options_.at_impasse != AtImpasse::stop) return Status::ok;
  at_end_ = true;
  ending_ = fmt::format("stopped at the impasse point {} = {}, as asked", x_name(), end_.p[0]);
  return Status::stopped_by_event;
}

Status FollowRun::stalled(std::size_t guard, const char* why) {
  ending_ = fmt::format("{}: {}", watch_.features().label(guard), why);
  remedy_ = "write it so that it changes over a small range: tanh(y/0.001) for sign(y)";
  return Status::stalled;
}

// Many crossings within nothing are one that does not end.
Status FollowRun::count_crossing(std::size_t guard) {
  constexpr double within = 1e-6;  // of the run
  constexpr std::int64_t many = 5000;
  const double x = end_.p[0];
  const double run = options_.until ? std::abs(*options_.until - start_.p[0]) : 0.0;
  const bool crowded = options_.until
                           ? std::abs(x - last_crossing_.x) < within * run
                           : end_.s - last_crossing_.s < within * std::max(options_.arc, end_.s);
  crowded_ = crossings_ > 0 && crowded ? crowded_ + 1 : 0;
  last_crossing_ = {x, end_.s};
  ++crossings_;
  return crowded_ > many ? stalled(guard, "it goes to and fro without end") : Status::ok;
}

}  // namespace taut
