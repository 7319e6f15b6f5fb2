// SPDX-License-Identifier: BSD-3-Clause
#include "projections/projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/compiled_system.hpp"
#include "readings/base_of.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double settled = 4.0;  // roundings of a velocity residual that are not worth a solve

// Σ_j |G_rj| (|x_j| + more): the size of the terms that make up (G x)_r
double row_size(const Sparse& G, Index r, const Vec& x, double more) {
  double sum = 0.0;
  for (Sparse::InnerIterator it{G, r}; it; ++it)
    sum += std::abs(it.value()) * (std::abs(x[it.col()]) + more);
  return sum;
}

// angles of joints that have turned often are made of these turns
double largest_turn(const System& system) {
  const System base = base_of(system);
  const auto* const model = dynamic_cast<const CompiledSystem*>(base.implementation().model());
  return model != nullptr ? model->largest_turn() : 0.0;
}

}  // namespace

void Projection::start(const System& system) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  inverse_scale_ = Vec::Ones(nc);
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.scale > 0.0) inverse_scale_[row.equation] = 1.0 / row.scale;
  y_ = Vec::Zero(nq);
  s_ = mu_ = Vec::Zero(nc);
  secants_.start(nq, nc);
}

Status Projection::rehearse(const System& system, const State& at, Evaluation& ev, Needs also) {
  const bool constrained = system.nc() > 0;
  const Needs g = constrained ? need(Target::constraint) : 0;
  const Needs G = constrained ? need(Target::constraint_jacobian) : 0;
  const Arguments here{.t = at.t, .q = at.q, .v = at.v};
  for (const Needs needs : {g, G, also, g | also}) {
    if (needs == 0) continue;
    if (const Status st = system.evaluate(needs, here, ev); st != Status::ok) return st;
  }
  return Status::ok;
}

Status Projection::position(const System& system, const Kkt& kkt, State& at, Evaluation& ev,
                            Needs also) {
  if (system.nc() == 0) return evaluate(system, at, ev, also);

  double first = 0.0, last = 0.0, expected = std::numeric_limits<double>::infinity();
  for (int k = 0; k <= options_.max_iterations; ++k) {
    // what the caller wants at the end is computed together with g where this may be the end
    const bool with_also = expected <= options_.tol;
    const Needs needs = need(Target::constraint) | (with_also ? also : 0);
    if (const Status st = evaluate(system, at, ev, needs); st != Status::ok)
      return k == 0 ? st : Status::projection_diverged;
    const double now = residual(ev.g);
    if (k == 0) first = now;

    const bool stagnates = k > 0 && now > 0.5 * last;
    if (now <= options_.tol || (stagnates && at_rounding_level(system, at, ev))) {
      if (k == 0) secants_.clear();
      return with_also || also == 0 ? Status::ok : evaluate(system, at, ev, also);
    }
    if (stagnates && contradicts(kkt, ev.g)) return Status::constraints_contradict;
    if (now > 100.0 * first) return Status::projection_diverged;
    expected = k > 0 ? now * now / last : 1e-2 * now;
    last = now;
    correct(kkt, k, at.q);
  }
  return Status::iteration_limit;
}

// (1), (2), (3) for g = -s_
void Projection::correct(const Kkt& kkt, int k, Vec& q) {
  ++work_.newton_iterations;
  const Secants::Place place = secants_.next(k);
  kkt.solve_constraint(s_, *place.z, *place.zeta);
  q += secants_.step(k);
}

Status Projection::velocity(const System& system, const Kkt& kkt, const Evaluation& ev, Vec& v) {
  if (system.nc() == 0) return Status::ok;
  double last = 0.0;
  // of a body at rest v is rounding, all of it normal to the constraints: nothing is left to which
  // its residual could be compared
  const double least = 1e-3 * v.lpNorm<Eigen::Infinity>();
  for (int k = 0; k <= options_.max_iterations; ++k) {
    // |G v + g_t| in roundings of its terms; a row of small velocities is not better known than
    // the largest velocity allows
    const double v_max = std::max(least, v.lpNorm<Eigen::Infinity>());
    double now = 0.0;
    for (Index r = 0; r < s_.size(); ++r) {
      double sum = ev.g_t[r], size = 0.0;
      for (Sparse::InnerIterator it{ev.G, r}; it; ++it) {
        sum += it.value() * v[it.col()];
        size += std::abs(it.value());
      }
      size = size * v_max + std::abs(ev.g_t[r]);
      s_[r] = -sum;
      if (!(std::abs(sum) <= now * size)) now = std::abs(sum) / size;
    }
    if (!std::isfinite(now)) return Status::non_finite;
    if (now <= settled * epsilon) return Status::ok;
    if (k > 0 && now > 0.5 * last) {
      if (now <= 100.0 * epsilon) return Status::ok;
      return contradicts(kkt, s_) ? Status::constraints_contradict : Status::iteration_limit;
    }
    last = now;

    kkt.solve_constraint(s_, y_, mu_);
    v += y_;
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

// Largest |g_r| in units of its scale; s_ becomes -g.
double Projection::residual(const Vec& g) {
  double largest = 0.0;
  for (Index r = 0; r < g.size(); ++r) {
    largest = std::max(largest, std::abs(g[r]) * inverse_scale_[r]);
    s_[r] = -g[r];
  }
  return largest;
}

bool Projection::at_rounding_level(const System& system, const State& at, Evaluation& ev) {
  if (evaluate(system, at, ev, need(Target::constraint_jacobian)) != Status::ok) return false;
  const double turned = largest_turn(system);
  for (Index r = 0; r < ev.g.size(); ++r) {
    const double terms = 1.0 / inverse_scale_[r] + row_size(ev.G, r, at.q, turned);
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

}  // namespace taut
