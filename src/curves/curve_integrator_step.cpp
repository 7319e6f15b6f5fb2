// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <span>

#include "curves/curve_integrator.hpp"

namespace taut {
namespace {

constexpr double straight = 0.9;

// p += factor Σ w_i k_i, by pieces that stay in the cache; tables have many zeros
void add(double factor, std::span<const double> w, const std::vector<Vec>& k, Vec& p) {
  constexpr Index piece = 1024;
  for (Index from = 0; from < p.size(); from += piece) {
    const Index length = std::min(piece, p.size() - from);
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w[i] != 0.0) p.segment(from, length) += (factor * w[i]) * k[i].segment(from, length);
  }
}

}  // namespace

// From from_ to next_ with V_end_ and k_end_ there; `error` is E of (2), and where it exceeds 1
// what is not needed any more has not been computed.
Status CurveIntegrator::try_step(const Curve& curve, double h, double& error) {
  stage_iterations_ = stage_projections_ = 0;
  if (guided(curve)) along_ = V_;
  x_slope_least_ = x_slope_most_ = V_[0];
  const double signed_h = by_time() ? sense_ * h : h;
  trying_ = h;
  return doubles() ? try_halves(curve, signed_h, error) : try_pair(curve, signed_h, error);
}

Status CurveIntegrator::try_pair(const Curve& curve, double h, double& error) {
  if (const Status st = stages(curve, h, from_, next_); st != Status::ok) return st;
  if (by_time()) next_[0] = x_end_;
  if (!adaptive()) return finish(curve);

  const auto s = static_cast<std::size_t>(tableau_->stages);
  if (options_.project_stages && tableau_->e2.empty()) {
    // both points projected, their difference is the error
    if (const Status st = project(curve, next_, true); st != Status::ok) return st;
    if (const Status st = end_slope(curve, k_[s]); st != Status::ok) return st;
    other_ = from_;
    add(h, tableau_->b(), k_, other_);
    add(-h, tableau_->e, k_, other_);
    if (by_time()) other_[0] = x_end_;
    if (const Status st = project(curve, other_, false); st != Status::ok) return st;
    e_ = next_ - other_;
    if (options_.advance_lower_order) next_.swap(other_);
    error = std::sqrt(weighted_square(e_, next_) / static_cast<double>(e_.size()));
    if (refused(error)) return Status::ok;
    if (options_.advance_lower_order) return end_slope(curve, k_end_);
    k_end_ = k_[s];
    return Status::ok;
  }
  // an estimate without k_s spares a projection and an evaluation in rejected steps
  const bool early = tableau_->e.back() == 0.0;
  if (early) {
    error = estimate(h);
    if (refused(error)) return Status::ok;
  }
  if (const Status st = finish(curve); st != Status::ok) return st;
  if (!early) error = estimate(h);
  return Status::ok;
}

Status CurveIntegrator::try_halves(const Curve& curve, double h, double& error) {
  const bool all = options_.project_stages;
  if (const Status st = stages(curve, h, from_, other_); st != Status::ok) return st;
  if (by_time()) other_[0] = x_end_;
  if (all)
    if (const Status st = project(curve, other_, true); st != Status::ok) return st;
  along_ = V_;
  Status st = stages(curve, 0.5 * h, from_, middle_);
  halves_ = by_time() ? 0.5 * quadrature(h) : 0.0;
  if (st == Status::ok && all) st = project(curve, middle_, true);
  if (st == Status::ok) st = slope(curve, middle_, k_[0]);
  if (st == Status::ok) st = stages(curve, 0.5 * h, middle_, next_);
  if (by_time()) halves_ += 0.5 * quadrature(h);
  if (by_time()) next_[0] = x_end_;
  if (st == Status::ok && all) st = project(curve, next_, true);
  k_[0] = k_now_;
  if (st != Status::ok) return st;

  e_ = (next_ - other_) / (std::pow(2.0, tableau_->order) - 1.0);
  error = std::sqrt(weighted_square(e_, next_) / static_cast<double>(e_.size()));
  if (refused(error)) return Status::ok;
  return all ? end_slope(curve, k_end_) : finish(curve);
}

// (1) from `from` with k_[0] there; `to` is not projected
Status CurveIntegrator::stages(const Curve& curve, double h, const Vec& from, Vec& to) {
  for (int i = 1; i < tableau_->stages; ++i) {
    stage_ = from;
    add(h, tableau_->row(i), k_, stage_);
    if (options_.project_stages)
      if (const Status st = project(curve, stage_, true); st != Status::ok) return st;
    const Status st = slope(curve, stage_, k_[static_cast<std::size_t>(i)]);
    if (st != Status::ok) return st;
  }
  to = from;
  add(h, tableau_->b(), k_, to);
  return Status::ok;
}

// Projects next_ and finds V there.
Status CurveIntegrator::finish(const Curve& curve) {
  if (const Status st = project(curve, next_, true); st != Status::ok) return st;
  const Status st = end_slope(curve, k_end_);
  k_[static_cast<std::size_t>(tableau_->stages)] = k_end_;
  return st;
}

Status CurveIntegrator::project(const Curve& curve, Vec& at, bool of_stage) {
  if (!at.allFinite()) {
    failed_ = Part::step;
    return Status::non_finite;
  }
  const Status st = in_x_ ? projection_.keeping_x(curve, at, ev_) : projection_(curve, at, ev_);
  count(of_stage);
  if (st != Status::ok) failed_ = Part::projection;
  return st;
}

void CurveIntegrator::count(bool of_stage) {
  const int iterations = projection_.iterations();
  ++counters.projections;
  counters.iterations += iterations;
  counters.most_iterations = std::max<std::int64_t>(counters.most_iterations, iterations);
  ++step_projections_;
  step_iterations_ += iterations;
  if (!of_stage) return;
  ++stage_projections_;
  stage_iterations_ += iterations;
}

// V at a point, oriented as at the stage before; unless guided, as at the beginning of the step
Status CurveIntegrator::find_direction(const Curve& curve, const Vec& at, Vec& V) {
  ++counters.directions;
  const bool by_stage = guided(curve);
  if (curve.structure().x_orients)
    V[0] = V_[0];  // all that is read
  else
    V = by_stage ? along_ : V_;
  Status st = curve.direction(at, ev_, V);
  if (st == Status::ok && !std::isfinite(V.squaredNorm())) st = Status::non_finite;
  // turned by more than 90 degrees it is no other direction
  if (st == Status::ok && curve.structure().x_grows && V[0] * V_[0] < 0.0) V = -V;
  if (st == Status::ok) {
    x_slope_least_ = std::min(x_slope_least_, V[0]);
    x_slope_most_ = std::max(x_slope_most_, V[0]);
    if (!by_stage) return st;
    const bool sharp = too_sharp(along_, V);
    along_ = V;
    if (!sharp) return st;
    failed_ = Part::turn;
    return Status::step_too_small;
  }
  failed_ = Part::direction;
  failed_at_ = at;
  return st;
}

// Of directions that should be near each other.
bool CurveIntegrator::too_sharp(const Vec& from, const Vec& to) const {
  return adaptive() && !by_time() && !corner_ && !(from.dot(to) >= std::cos(options_.max_turn));
}

// Of the way from end to end: along a sixth of a circle it is 0.95 of the length.
bool CurveIntegrator::too_short(double way) const {
  return adaptive() && !by_time() && !corner_ && !(way >= straight * trying_);
}

// v of (1)
Status CurveIntegrator::slope(const Curve& curve, const Vec& at, Vec& k) {
  const Status st = find_direction(curve, at, k);
  return st == Status::ok ? reparametrise(k) : st;
}

// V and v at next_
Status CurveIntegrator::end_slope(const Curve& curve, Vec& k) {
  if (const Status st = find_direction(curve, next_, V_end_); st != Status::ok) return st;
  // a bend by 180 degrees looks like none, but does not lead far
  const double way = guided(curve) ? (next_ - from_).norm() : 0.0;
  if (guided(curve) && (too_sharp(V_, V_end_) || too_short(way))) {
    failed_ = Part::turn;
    return Status::step_too_small;
  }
  k = V_end_;
  return reparametrise(k);
}

// Of the step from from_ to next_, of which stage_ is the last stage. Steps that stability bounds
// go to and fro about the end of the interval of stability, which is 3.3, 6 and 2.8 long on the
// real axis; those of a smooth solution stay far below.
bool CurveIntegrator::bound_by_stability() const {
  if (!adaptive() || tableau_->stages == 1) return false;
  const double most = options_.tableau == CurveTableau::dop853    ? 4.0
                      : options_.tableau == CurveTableau::dopri54 ? 3.0
                                                                  : 2.5;
  const auto last = static_cast<std::size_t>(tableau_->stages - 1);
  const double h = std::abs(last_) / (doubles() ? 2.0 : 1.0);
  const double change = (k_end_ - k_[last]).squaredNorm();
  return h * h * change > most * most * (next_ - stage_).squaredNorm();
}

double CurveIntegrator::length_of_step() const {
  if (!by_time()) return last_;
  return doubles() ? halves_ : quadrature(last_);
}

// The method for ds/dx = |v|, with stages as they stand.
double CurveIntegrator::quadrature(double h) const {
  const std::span<const double> b = tableau_->b();
  double sum = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i)
    if (b[i] != 0.0) sum += b[i] * k_[i].norm();
  return std::abs(h) * sum;
}

// V becomes v
Status CurveIntegrator::reparametrise(Vec& V) const {
  if (!by_time()) return Status::ok;
  const double V_x = V[0];
  if (!(sense_ * V_x > 0.0)) return Status::impasse;
  V /= V_x;
  return V.allFinite() ? Status::ok : Status::impasse;
}

// (2) from the estimates of the pair, see AdaptiveRungeKutta
double CurveIntegrator::estimate(double h) {
  const auto m = static_cast<double>(e_.size());
  const auto combined = [&](std::span<const double> w) {
    e_.setZero();
    add(1.0, w, k_, e_);
    return weighted_square(e_, next_);
  };
  const double fine = combined(tableau_->e);
  if (tableau_->e2.empty()) return std::abs(h) * std::sqrt(fine / m);
  const double both = fine + 0.01 * combined(tableau_->e2);
  return both == 0.0 ? 0.0 : std::abs(h) * fine / std::sqrt(m * both);
}

// (4)
double CurveIntegrator::weight_of_x() const {
  constexpr double steep = 0.1, most = 1e8;
  if (!weigh_x_ || by_time() || !(x_slope_least_ * x_slope_most_ > 0.0)) return 1.0;
  const double slope = std::min(std::abs(x_slope_least_), std::abs(x_slope_most_));
  return std::clamp(steep / slope, 1.0, most);
}

double CurveIntegrator::weighted_square(const Vec& e, const Vec& q) const {
  double sum = 0.0;
  for (Index i = 0; i < e.size(); ++i) {
    if (i >= first_uncounted_ && i < first_uncounted_ + uncounted_) continue;
    const double scaled = e[i] / (1.0 + std::max(std::abs(from_[i]), std::abs(q[i])));
    sum += scaled * scaled * (i == 0 ? weight_of_x() * weight_of_x() : 1.0);
  }
  return sum / (options_.tol * options_.tol);
}

}  // namespace taut
