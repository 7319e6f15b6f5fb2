// SPDX-License-Identifier: BSD-3-Clause
// Impasse points inside the steps of follow(): the part of follow.cpp that looks at V_x.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "run/follow_run.hpp"

namespace taut {
namespace {

// places of a step at which V_x is looked at
constexpr std::array places{0.0, 0.25, 0.5, 0.75, 1.0};
// of |V_x| over a step: where it does not fall below this part of its largest value, it has no zero
// between the places at which it is known
constexpr double dip = 0.5;
constexpr double golden = 0.3819660112501051;
constexpr double narrow = 1e-13;  // as a part of the step
constexpr double flat = 1.1;      // |V_x| over its least value in an interval: no zero is in it
// |dx/ds| that steps in x take for zero, where it is not flat at the resolution of x
constexpr double steep = 1e-4;
// |dx/ds| on both sides of a change of its sign: it has jumped
constexpr double jump = 1e-2;

}  // namespace

// What dx/ds may be at a point where it touches zero.
double FollowRun::negligible_slope() const {
  return std::max(1e-13, 1e-3 * options_.integrator.tol);
}

// d V_x / ds at p
Status FollowRun::bend_of(const Vec& p, const Vec& V, double& bend) {
  // off M by the square of this, on both sides alike
  const double side = 1e-3 * (end_.s - begin_.s);
  double V_x[2];
  for (const int k : {0, 1}) {
    side_ = p + (k == 0 ? -side : side) * V;
    side_V_ = V;
    ++output_evaluations_;
    if (const Status status = curve_.direction(side_, integrator_.evaluation(), side_V_);
        status != Status::ok)
      return status;
    V_x[k] = side_V_[0];
  }
  bend = (V_x[1] - V_x[0]) / (2 * side);
  return Status::ok;
}

Status FollowRun::slope_at(double theta, bool with_bend, Slope& slope) {
  slope.theta = theta;
  if (const Status status = at(theta, probe_); status != Status::ok) return status;
  if (const Status status = direction_at(theta, probe_, probe_V_); status != Status::ok)
    return status;
  slope.value = probe_V_[0];
  return with_bend ? bend_of(probe_, probe_V_, slope.bend) : Status::ok;
}

// Nearly all steps are passed over here, for the price of a few comparisons.
Status FollowRun::find_zeros() {
  const Status status = look_for_zeros();
  if (std::abs(end_.V[0]) > negligible_slope()) in_zero_ = false;
  return status;
}

Status FollowRun::look_for_zeros() {
  const CurveIntegrator::SlopeRange known = integrator_.slopes_of_x();
  const double sign = begin_.V[0] < 0.0 ? -1.0 : 1.0;
  const double least = sign > 0.0 ? known.least : -known.most;
  const double most = sign > 0.0 ? known.most : -known.least;
  // Euler's step knows V_x at its ends alone
  const bool unknown = options_.integrator.tableau == CurveTableau::euler && least < dip;
  if (least > dip * most && !unknown) return Status::ok;

  std::array<Slope, places.size()> slopes;
  Slope &first = slopes.front(), &last = slopes.back();
  if (const Status status = slope_at(0.0, true, first); status != Status::ok) return status;
  if (const Status status = slope_at(1.0, true, last); status != Status::ok) return status;
  // grows or falls all the way
  const bool grows = least >= sign * first.value && sign * first.bend >= 0.0;
  const bool falls = least >= sign * last.value && sign * last.bend < 0.0 && last.value != 0.0;
  // a minimum at which the last step has ended
  if (grows && std::abs(first.value) <= negligible_slope()) happen(0.0, ImpassePoint::Kind::passes);
  if (!unknown && least >= 0.0 && (grows || falls)) return Status::ok;

  for (std::size_t i = 1; i + 1 < places.size(); ++i)
    if (const Status status = slope_at(places[i], true, slopes[i]); status != Status::ok)
      return status;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    if (std::abs(slopes[i].value) > negligible_slope()) in_zero_ = false;
    if (const Status status = examine(slopes[i], slopes[i + 1]); status != Status::ok)
      return status;
  }
  return Status::ok;
}

Status FollowRun::examine(const Slope& a, const Slope& b) {
  if (a.value * b.value < 0.0) return turn(a, b);
  // zero at an end: behind it, or at the end of this step
  if (b.value == 0.0 && a.value != 0.0 && a.value * b.bend < 0.0) {
    happen(b.theta, ImpassePoint::Kind::turns_back);
    return Status::ok;
  }
  const double sign = a.value + b.value < 0.0 ? -1.0 : 1.0;
  return sign * a.bend < 0.0 && sign * b.bend >= 0.0 ? examine_minimum(a, b) : Status::ok;
}

// |V_x| falls at a and does not at b: golden sections, whatever the order of the minimum, until it
// is clear that there is no zero, or that V_x changes its sign.
Status FollowRun::examine_minimum(const Slope& a, const Slope& b) {
  const double sign = a.value + b.value < 0.0 ? -1.0 : 1.0;
  Slope low = a, high = b, left, right;
  const auto lower = [&] { return sign * left.value < sign * right.value; };
  const auto width = [&] { return high.theta - low.theta; };
  if (const Status status = slope_at(low.theta + golden * width(), false, left);
      status != Status::ok)
    return status;
  if (const Status status = slope_at(high.theta - golden * width(), false, right);
      status != Status::ok)
    return status;
  while (width() > narrow) {
    const double least = sign * (lower() ? left.value : right.value);
    if (least < -negligible_slope()) break;
    if (least > negligible_slope() && std::max(sign * low.value, sign * high.value) < flat * least)
      return Status::ok;
    Slope next;
    const bool to_the_left = lower();
    (to_the_left ? high : low) = to_the_left ? right : left;
    (to_the_left ? right : left) = to_the_left ? left : right;
    const double theta = to_the_left ? low.theta + golden * width() : high.theta - golden * width();
    if (const Status status = slope_at(theta, false, next); status != Status::ok) return status;
    (to_the_left ? left : right) = next;
  }
  const Slope found = lower() ? left : right;
  if (sign * found.value < -negligible_slope()) {
    if (const Status status = turn(a, found); status != Status::ok) return status;
    return turn(found, b);
  }
  // x as a parameter has no finer places
  if (std::abs(found.value) <= (by_time() ? steep : negligible_slope()))
    happen(found.theta, ImpassePoint::Kind::passes);
  return Status::ok;
}

// One zero of V_x may take several steps to pass.
void FollowRun::happen(double theta, ImpassePoint::Kind kind) {
  if (kind == ImpassePoint::Kind::passes && in_zero_) return;
  in_zero_ = true;
  happenings_.push_back({.theta = theta, .kind = kind});
}

// V_x has opposite signs at a and b.
Status FollowRun::turn(const Slope& a, const Slope& b) {
  Bracket bracket{a.theta, a.value, b.theta, b.value};
  const auto value = [&](double theta, double& V_x) {
    Slope here;
    const Status status = slope_at(theta, false, here);
    V_x = here.value;
    return status;
  };
  if (const Status status = shrink_bracket(value, 1e-12, bracket); status != Status::ok)
    return status;
  if (std::min(std::abs(bracket.f_a), std::abs(bracket.f_b)) > jump) {
    if (const Status status = at(bracket.a, probe_); status != Status::ok) return status;
    broken_ = bracket.a;
    ending_ = fmt::format(
        "at {} = {} the direction jumps: d{}/ds is {:.3g} before and {:.3g} behind; the curve has "
        "a "
        "corner there, or a bend that steps of this tolerance do not see",
        x_name(), probe_[0], x_name(), bracket.f_a, bracket.f_b);
    remedy_ = "take a smaller <<tol>>; at a corner, end the run and start another one behind it";
    return Status::impasse;
  }
  happen(bracket.b, ImpassePoint::Kind::turns_back);
  return Status::ok;
}

Status FollowRun::keep_impasse(const Happening& happening, bool full, bool& stops) {
  Slope slope;
  if (const Status status = slope_at(happening.theta, false, slope); status != Status::ok)
    return status;
  const bool turns = happening.kind == ImpassePoint::Kind::turns_back;
  turns_ += turns ? 1 : 0;
  // an end that is the turning point itself is reached, though not passed
  arrived_ = turns && options_.until &&
             std::abs(probe_[0] - *options_.until) <=
                 10 * options_.integrator.tol * (1.0 + std::abs(*options_.until));
  stops = arrived_ || options_.at_impasse == AtImpasse::stop || by_time();
  if (full && !stops) {
    ++dropped_;
    return Status::ok;
  }
  ImpassePoint impasse{.kind = happening.kind,
                       .s = length_at(happening.theta),
                       .p = probe_,
                       .slope = slope.value,
                       .unbounded = {}};
  // dz/dx = V_z / V_x: of all that move there
  for (Index i = 1; i < structure_.m; ++i)
    if (std::abs(probe_V_[i]) > std::sqrt(negligible_slope()))
      impasse.unbounded.push_back(structure_.coordinates[static_cast<std::size_t>(i)]);
  if (options_.at_impasse == AtImpasse::stop && !arrived_)
    ending_ = fmt::format("stopped at the impasse point {} = {}, as asked", x_name(), probe_[0]);
  impasses_.push_back(std::move(impasse));
  return Status::ok;
}

}  // namespace taut
