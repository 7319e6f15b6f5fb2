// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "curves/curve_integrator.hpp"

namespace taut {
namespace {

constexpr int bisections = 60;  // of [0, 1], to rounding
constexpr int most_retakes = 10;
// of a step: what is left to x_stop may be gone along the tangent
constexpr double near_enough = 1e-6;

// where g changes its sign, or has none any more
template <typename G>
double bisect(double from, double to, G&& g) {
  const bool negative = g(from) < 0.0;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (from + to);
    ((g(middle) < 0.0) == negative ? from : to) = middle;
  }
  return to;
}

}  // namespace

Status CurveIntegrator::interpolate(const Curve& curve, double theta, Vec& p) {
  if (theta <= 0.0 || theta >= 1.0) {
    p = theta <= 0.0 ? from_ : next_;
    return Status::ok;
  }
  if (const Status st = prepare_dense(curve); st != Status::ok) return st;
  // (4) of ExplicitTableau, from the inside out
  stage_.setZero();
  for (int m = static_cast<int>(r_.size()) - 1; m >= 0; --m)
    stage_ = (m % 2 == 0 ? theta : 1.0 - theta) * (stage_ + r_[static_cast<std::size_t>(m)]);
  stage_ += from_;
  if (const Status st = project(curve, stage_, false); st != Status::ok) return failure_ = st;
  p = stage_;
  return Status::ok;
}

// (4) of ExplicitTableau, from the inside out
Status CurveIntegrator::dense_point(const Curve& curve, double theta, Vec& p, Vec& slope) {
  if (const Status st = prepare_dense(curve); st != Status::ok) return st;
  p.setZero(from_.size());
  slope.setZero(from_.size());
  for (int m = static_cast<int>(r_.size()) - 1; m >= 0; --m) {
    const bool even = m % 2 == 0;
    const double factor = even ? theta : 1.0 - theta;
    p += r_[static_cast<std::size_t>(m)];
    slope = factor * slope + (even ? 1.0 : -1.0) * p;
    p *= factor;
  }
  p += from_;
  return Status::ok;
}

Status CurveIntegrator::heading(const Curve& curve, double theta, Vec& V) {
  if (theta <= 0.0 || theta >= 1.0) {
    V = theta <= 0.0 ? V_start_ : V_end_;
    return Status::ok;
  }
  return dense_point(curve, theta, stage_, V);
}

Status CurveIntegrator::find(const Curve& curve, double x, std::optional<double>& theta) {
  const Status st = prepare_dense(curve);
  theta = st == Status::ok ? crossing(x) : std::nullopt;
  return st;
}

Status CurveIntegrator::find_turn(const Curve& curve, std::optional<double>& theta) {
  const Status st = prepare_dense(curve);
  theta = st == Status::ok ? turn() : std::nullopt;
  return st;
}

// (5) of ExplicitTableau
Status CurveIntegrator::prepare_dense(const Curve& curve) {
  if (dense_ready_) return Status::ok;
  const double h = last_;
  for (int i = tableau_->stages + 1; i < tableau_->all_stages(); ++i) {
    stage_ = from_;
    const std::span<const double> a = tableau_->row(i);
    for (std::size_t j = 0; j < a.size(); ++j)
      if (a[j] != 0.0) stage_ += (h * a[j]) * k_[j];
    if (options_.project_stages)
      if (const Status st = project(curve, stage_, false); st != Status::ok) return failure_ = st;
    along_ = tableau_->c[static_cast<std::size_t>(i)] < 0.5 ? V_start_ : V_end_;
    Vec& k = k_[static_cast<std::size_t>(i)];
    Status st = Status::ok;
    if (by_time()) {
      // of a step that was accepted: V / V_x has no sign to be found
      st = curve.direction(stage_, ev_, along_);
      ++counters.directions;
      k = along_ / along_[0];
      if (st == Status::ok && !k.allFinite()) st = Status::impasse;
    } else {
      st = slope(curve, stage_, k);
    }
    if (st != Status::ok) return failure_ = st;
  }
  r_[0] = next_ - from_;
  r_[1] = h * k_[0] - r_[0];
  r_[2] = r_[0] - h * k_end_ - r_[1];
  for (int m = 0; m < tableau_->dense_rows(); ++m) {
    Vec& r = r_[static_cast<std::size_t>(3 + m)];
    r.setZero();
    const std::span<const double> d = tableau_->dense_row(m);
    for (std::size_t i = 0; i < d.size(); ++i)
      if (d[i] != 0.0) r += (h * d[i]) * k_[i];
  }
  dense_ready_ = true;
  return Status::ok;
}

// x and its derivative, by (4) of ExplicitTableau
CurveIntegrator::Place CurveIntegrator::dense(double theta) const {
  Place at{0.0, 0.0};
  for (int m = static_cast<int>(r_.size()) - 1; m >= 0; --m) {
    const double sum = at.x + r_[static_cast<std::size_t>(m)][0];
    const bool even = m % 2 == 0;
    const double factor = even ? theta : 1.0 - theta;
    at.slope = (even ? sum : -sum) + factor * at.slope;
    at.x = factor * sum;
  }
  at.x += from_[0];
  return at;
}

// As p of (4) and (5) of ExplicitTableau, from |v|; where further stages fail, without theirs.
double CurveIntegrator::length_at(const Curve& curve, double theta) {
  if (!by_time()) return s_from_ + theta * (s_ - s_from_);
  const bool all = prepare_dense(curve) == Status::ok;
  const double h = std::abs(last_), whole = s_ - s_from_;
  const double first = h * k_[0].norm() - whole;
  double sum = 0.0;
  for (int m = all ? tableau_->dense_rows() - 1 : -1; m >= 0; --m) {
    const std::span<const double> d = tableau_->dense_row(m);
    double r = 0.0;
    for (std::size_t i = 0; i < d.size(); ++i)
      if (d[i] != 0.0) r += h * d[i] * k_[i].norm();
    sum = (m % 2 == 0 ? 1.0 - theta : theta) * (sum + r);
  }
  sum = theta * (sum + whole - h * k_end_.norm() - first);
  sum = (1.0 - theta) * (sum + first);
  return s_from_ + theta * (sum + whole);
}

std::optional<double> CurveIntegrator::turn() const {
  if (!(V_start_[0] * V_end_[0] < 0.0)) return {};
  return bisect(0.0, 1.0, [this](double theta) { return dense(theta).slope; });
}

// The first theta > 0 at which dense output has this x; at most one turn inside the step is
// expected.
std::optional<double> CurveIntegrator::crossing(double x) const {
  const double x_0 = from_[0], x_1 = next_[0];
  const std::optional<double> turned = turn();
  const double upto = turned ? *turned : 1.0;
  const double x_far = turned ? dense(*turned).x : x_1;
  const auto g = [&](double theta) { return dense(theta).x - x; };
  if ((x_0 - x) * (x_far - x) < 0.0) return bisect(0.0, upto, g);
  if (turned && (x_far - x) * (x_1 - x) < 0.0) return bisect(upto, 1.0, g);
  if (x_1 == x && x_0 != x) return 1.0;
  return {};
}

// Takes the step again, so that it ends at x_stop.
Status CurveIntegrator::land(const Curve& curve, double x_stop, double theta) {
  if (next_[0] == x_stop && theta == 1.0) return Status::ok;
  const double whole = last_;
  double h = theta * whole, error = 0.0, rest = whole;
  for (int i = 0; std::abs(rest) > near_enough * whole; ++i) {
    if (i == most_retakes) return Status::iteration_limit;
    if (i > 0) h += rest;
    failed_step_ = h;
    landing_ = true;
    const Status st = try_step(curve, h, error);
    landing_ = false;
    if (st != Status::ok) return st;
    rest = (x_stop - next_[0]) / V_end_[0];
    if (!(std::abs(rest) < whole)) return Status::impasse;
  }
  next_ += rest * V_end_;
  next_[0] = x_stop;
  failed_ = Part::projection;
  if (const Status st = projection_.keeping_x(curve, next_, ev_); st != Status::ok) return st;
  count(false);
  last_ = h + rest;
  dense_ready_ = false;
  return end_slope(curve, k_end_);
}

}  // namespace taut
