// SPDX-License-Identifier: BSD-3-Clause
#include "taut/projections/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Σ_j |G_rj x_j|: the size of the terms that make up (G x)_r
double row_size(const Sparse& G, Index r, const Vec& x) {
  double sum = 0.0;
  for (Sparse::InnerIterator it{G, r}; it; ++it) sum += std::abs(it.value() * x[it.col()]);
  return sum;
}

}  // namespace

void Projection::start(const System& system) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  inverse_scale_ = Vec::Ones(nc);
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.scale > 0.0) inverse_scale_[row.equation] = 1.0 / row.scale;
  z_ = total_ = Vec::Zero(nq);
  zeta_ = s_ = lambda_ = Vec::Zero(nc);
  x_.resize(nq, nc > 0 ? memory : 0);
  xi_.resize(nc, nc > 0 ? memory : 0);
}

Status Projection::position(const System& system, const Kkt& kkt, State& at, Evaluation& ev,
                            Needs also) {
  total_.setZero();
  lambda_.setZero();
  if (system.nc() == 0) return evaluate(system, at, ev, also);

  double first = 0.0, last = 0.0, expected = std::numeric_limits<double>::infinity();
  int kept = 0;
  for (int k = 0; k <= options_.max_iterations; ++k) {
    // what the caller wants at the end is computed together with g where this may be the end
    const bool with_also = expected <= options_.tol;
    const Needs needs = need(Target::constraint) | (with_also ? also : 0);
    if (const Status st = evaluate(system, at, ev, needs); st != Status::ok)
      return k == 0 ? st : Status::projection_diverged;
    const double now = residual(ev.g);

    const bool stagnates = k > 0 && now > 0.5 * last;
    if (now <= options_.tol || (stagnates && at_rounding_level(system, at, ev)))
      return with_also || also == 0 ? Status::ok : evaluate(system, at, ev, also);
    if (stagnates && contradicts(kkt, ev.g)) return Status::constraints_contradict;
    if (k == 0) first = now;
    if (now > 100.0 * first) return Status::projection_diverged;
    expected = k > 0 ? now * now / last : 1e-2 * now;
    last = now;

    // (1), then (2)
    s_ = -ev.g;
    kkt.solve_constraint(s_, z_, zeta_);
    if (kept == memory) kept = 0;
    kept = update(kept);
    at.q += z_;
    total_ += z_;
    lambda_ += zeta_;
    ++work_.newton_iterations;
  }
  return Status::iteration_limit;
}

Status Projection::velocity(const System& system, const Kkt& kkt, const Evaluation& ev, Vec& v) {
  if (system.nc() == 0) return Status::ok;
  double last = 0.0;
  for (int k = 0; k <= options_.max_iterations; ++k) {
    s_ = -ev.g_t;
    s_.noalias() -= ev.G * v;

    // |G v + g_t| in roundings of its terms; a row of small velocities is not better known than
    // the largest velocity allows
    const double v_max = v.lpNorm<Eigen::Infinity>();
    double now = 0.0;
    for (Index r = 0; r < s_.size(); ++r) {
      double size = std::abs(ev.g_t[r]);
      for (Sparse::InnerIterator it{ev.G, r}; it; ++it) size += std::abs(it.value()) * v_max;
      if (std::abs(s_[r]) > now * size) now = std::abs(s_[r]) / size;
    }
    if (!std::isfinite(now)) return Status::non_finite;
    if (now <= 2.0 * epsilon) return Status::ok;
    if (k > 0 && now > 0.5 * last) {
      if (now <= 100.0 * epsilon) return Status::ok;
      return contradicts(kkt, s_) ? Status::constraints_contradict : Status::iteration_limit;
    }
    last = now;

    kkt.solve_constraint(s_, z_, zeta_);
    v += z_;
  }
  return Status::iteration_limit;
}

Status Projection::evaluate(const System& system, const State& at, Evaluation& ev, Needs needs) {
  if ((needs & need(Target::constraint)) != 0) ++work_.constraint_evaluations;
  if ((needs & taut::needs(Target::force, Target::momentum_force)) != 0) ++work_.force_evaluations;
  return system.evaluate(needs, {.t = at.t, .q = at.q, .v = at.v}, ev);
}

void Projection::report(Counters& counters) {
  counters.constraint_evaluations += work_.constraint_evaluations;
  counters.force_evaluations += work_.force_evaluations;
  counters.newton_iterations += work_.newton_iterations;
  work_ = {};
}

double Projection::residual(const Vec& g) const {
  return g.cwiseProduct(inverse_scale_).lpNorm<Eigen::Infinity>();
}

bool Projection::at_rounding_level(const System& system, const State& at, Evaluation& ev) {
  if (evaluate(system, at, ev, need(Target::constraint_jacobian)) != Status::ok) return false;
  for (Index r = 0; r < ev.g.size(); ++r) {
    const double terms = 1.0 / inverse_scale_[r] + row_size(ev.G, r, at.q);
    if (std::abs(ev.g[r]) > 16.0 * epsilon * terms) return false;
  }
  return true;
}

bool Projection::contradicts(const Kkt& kkt, const Vec& g) const {
  // the part of g along the null space of Gᵀ, which no correction can change
  const Mat& null_space = kkt.dependencies();
  double unreachable = 0.0;
  for (Index k = 0; k < null_space.cols(); ++k)
    unreachable += std::pow(null_space.col(k).dot(g), 2) / null_space.col(k).squaredNorm();
  return unreachable > 0.25 * g.squaredNorm();
}

// Turns z_ and zeta_ of (1) into those of (2) and keeps them; returns how many are kept.
int Projection::update(int kept) {
  for (int j = 0; j + 1 < kept; ++j) {
    const double c = x_.col(j).dot(z_) / squares_[j];
    z_ += c * x_.col(j + 1);
    zeta_ += c * xi_.col(j + 1);
  }
  if (kept > 0) {
    const double c = x_.col(kept - 1).dot(z_) / squares_[kept - 1];
    // 1 - c near 0 or below: the secant says nothing of use, start anew from here
    if (c > 0.8) {
      kept = 0;
    } else {
      z_ /= 1.0 - c;
      zeta_ /= 1.0 - c;
    }
  }
  x_.col(kept) = z_;
  xi_.col(kept) = zeta_;
  squares_[kept] = z_.squaredNorm();
  return squares_[kept] > 0.0 ? kept + 1 : 0;
}

}  // namespace taut
