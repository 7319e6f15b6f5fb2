// SPDX-License-Identifier: BSD-3-Clause
#include "slow/normal_energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "projections/row_scales.hpp"

namespace taut {
namespace {

constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();

/// What rounding explains is no vibration.
double beyond(double value, double level) {
  return std::copysign(std::max(0.0, std::abs(value) - roundings * level), value);
}

}  // namespace

Status NormalEnergy::start(const System& system) {
  const Structure& structure = system.structure();
  system.prepare(ev_);
  scale_ = row_scales(structure);
  a_.resize(structure.nq);
  x_.resize(structure.nq);
  lambda_.resize(structure.nc);
  mu_.resize(structure.nc);
  u_.resize(structure.nc);
  return accelerations_.start(system);
}

Status NormalEnergy::operator()(const System& system, const State& at) {
  energy_ = stretch_ = 0.0;
  const Structure& structure = system.structure();
  if (const Status st = accelerations_(system, at.t, at.q, at.v, a_, lambda_); st != Status::ok)
    return st;
  if (const Status st = system.evaluate(needs(Target::constraint, Target::constraint_rate),
                                        {.t = at.t, .q = at.q, .v = at.v}, ev_);
      st != Status::ok)
    return st;
  // (1)
  const Sparse& G = accelerations_.evaluation().G;
  for (Index r = 0; r < structure.nc; ++r) {
    u_[r] = 0.0;
    const double C = structure.C[r];
    if (C <= 0.0) continue;
    const double off = beyond(ev_.g[r] - C * lambda_[r], scale_[r]);
    energy_ += off * off / C;
    stretch_ += C * lambda_[r] * lambda_[r];
    double rate = ev_.g_t[r], size = std::abs(ev_.g_t[r]);
    for (Sparse::InnerIterator entry{G, r}; entry; ++entry) {
      rate += entry.value() * at.v[entry.col()];
      size += std::abs(entry.value() * at.v[entry.col()]);
    }
    u_[r] = beyond(rate, size);
  }
  accelerations_.kkt().solve_constraint(u_, x_, mu_);
  energy_ -= u_.dot(mu_);  // M x = -Gᵀ mu, so that mu = -(G M⁻¹Gᵀ)⁻¹ u
  return Status::ok;
}

}  // namespace taut
