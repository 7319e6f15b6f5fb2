// SPDX-License-Identifier: BSD-3-Clause
// Impasse points inside the steps of follow(): the part of follow.cpp that looks at V_x.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "follow_run.hpp"

namespace taut {
namespace {

// smallest value of the parabola with these values at 0 and 1 and this mean
double smallest(double v0, double v1, double mean) {
  const double a = 3 * (v0 + v1) - 6 * mean;  // v0 + b theta + a theta^2
  const double b = v1 - v0 - a;
  const double least = std::min(v0, v1);
  if (!(a > 0.0) || !(b < 0.0) || !(-b < 2 * a)) return least;
  return v0 - b * b / (4 * a);
}

// where the cubic with values v and derivatives d at 0 and 1 has its minimum, for d0 < 0 <= d1
double place_of_minimum(double v0, double v1, double d0, double d1) {
  const double a = 3 * (d0 + d1 + 2 * (v0 - v1));  // derivative d0 + b theta + a theta^2
  const double b = d1 - d0 - a;
  // the root between d0 < 0 and d1 >= 0, without cancellation
  const double root = std::sqrt(std::max(b * b - 4 * a * d0, 0.0));
  const double theta = -2 * d0 / (b + root);
  return std::isfinite(theta) ? std::clamp(theta, 1e-6, 1.0 - 1e-6) : 0.5;
}

}  // namespace

// What dx/ds may be at a point where it touches zero.
double FollowRun::negligible_slope() const {
  return std::max(1e-13, 1e-3 * options_.integrator.tol);
}

Status FollowRun::bend_of(const Vec& p, const Vec& V, double& bend) {
  // off M by the square of this, on both sides alike
  const double side = 1e-3 * (end_.s - begin_.s);
  double V_x[2];
  for (const int k : {0, 1}) {
    side_ = p + (k == 0 ? -side : side) * V;
    side_V_ = V;
    ++output_evaluations_;
    if (const Status status = curve_.direction(side_, ev_, side_V_); status != Status::ok)
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
  // in the parametrisation by time x cannot turn, nor can V_x vanish
  if (options_.integrator.parameter == Parametrisation::time) return Status::ok;
  const double V_begin = begin_.V[0], V_end = end_.V[0];
  const double sign = V_begin < 0.0 ? -1.0 : 1.0;
  const double least = std::min(sign * V_begin, sign * V_end);
  const double mean = sign * (end_.p[0] - begin_.p[0]) / (end_.s - begin_.s);
  const bool turns = V_begin * V_end < 0.0;
  const double lowest = smallest(sign * V_begin, sign * V_end, mean);
  constexpr double steep = 0.2;  // dx/ds below which minima are looked at closely
  if (!turns && least > steep && lowest > 0.5 * least) return Status::ok;

  for (Knot* knot : {&begin_, &end_}) {
    if (knot->bend_known) continue;
    if (const Status status = bend_of(knot->p, knot->V, knot->bend); status != Status::ok)
      return status;
    knot->bend_known = true;
  }
  const Slope first{0.0, V_begin, begin_.bend}, last{1.0, V_end, end_.bend};

  // more than one extremum where the ends do not tell the mean: look closer
  const double h = end_.s - begin_.s;
  const double told = sign * ((V_begin + V_end) / 2 + h * (first.bend - last.bend) / 12);
  if (std::abs(mean - told) <= 0.2 * std::max(std::abs(least), 1e-3)) return examine(first, last);
  Slope before = first;
  for (const double theta : std::array{0.25, 0.5, 0.75, 1.0}) {
    Slope next = last;
    if (theta < 1.0)
      if (const Status status = slope_at(theta, true, next); status != Status::ok) return status;
    if (const Status status = examine(before, next); status != Status::ok) return status;
    before = next;
  }
  return Status::ok;
}

Status FollowRun::examine(const Slope& a, const Slope& b) {
  if (a.value * b.value < 0.0) return turn(a, b);
  // zero at an end: behind it, or at the end of this step
  if (b.value == 0.0 && a.value != 0.0 && a.value * b.bend < 0.0) {
    happenings_.push_back({.theta = b.theta, .kind = ImpassePoint::Kind::turns_back});
    return Status::ok;
  }
  const double sign = a.value + b.value < 0.0 ? -1.0 : 1.0;
  return sign * a.bend < 0.0 && sign * b.bend >= 0.0 ? examine_minimum(a, b) : Status::ok;
}

// |V_x| falls at a and does not at b.
Status FollowRun::examine_minimum(const Slope& a, const Slope& b) {
  const double sign = a.value + b.value < 0.0 ? -1.0 : 1.0;
  const double width = b.theta - a.theta, length = width * (end_.s - begin_.s);
  const double place = place_of_minimum(sign * a.value, sign * b.value, length * sign * a.bend,
                                        length * sign * b.bend);
  Slope middle;
  if (const Status status = slope_at(a.theta + place * width, true, middle); status != Status::ok)
    return status;
  // what a parabola through here makes of it
  const double least = std::min(sign * a.value, sign * b.value);
  const double further = middle.bend * middle.bend * length / (2 * std::abs(b.bend - a.bend));
  if (sign * middle.value - further > 0.3 * least && least > negligible_slope()) return Status::ok;

  // d V_x / ds = 0, unless V_x changes its sign twice
  if (sign * middle.value > -negligible_slope()) {
    Bracket bracket = sign * middle.bend < 0.0
                          ? Bracket{middle.theta, middle.bend, b.theta, b.bend}
                          : Bracket{a.theta, a.bend, middle.theta, middle.bend};
    const auto bend = [&](double theta, double& value) {
      Slope here;
      const Status status = slope_at(theta, true, here);
      value = here.bend;
      return status;
    };
    if (const Status status = shrink_bracket(bend, 1e-10, bracket); status != Status::ok)
      return status;
    if (const Status status = slope_at((bracket.a + bracket.b) / 2, false, middle);
        status != Status::ok)
      return status;
  }
  if (std::abs(middle.value) <= negligible_slope()) {
    happenings_.push_back({.theta = middle.theta, .kind = ImpassePoint::Kind::passes});
    return Status::ok;
  }
  if (sign * middle.value > 0.0) return Status::ok;
  if (const Status status = turn(a, middle); status != Status::ok) return status;
  return turn(middle, b);
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
  happenings_.push_back({.theta = bracket.b, .kind = ImpassePoint::Kind::turns_back});
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
  stops = arrived_ || options_.at_impasse == AtImpasse::stop;
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
  if (stops && !arrived_)
    ending_ = fmt::format("stopped at the impasse point {} = {}, as asked", x_name(), probe_[0]);
  impasses_.push_back(std::move(impasse));
  return Status::ok;
}

}  // namespace taut
