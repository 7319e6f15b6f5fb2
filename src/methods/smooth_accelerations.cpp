// SPDX-License-Identifier: BSD-3-Clause
#include "methods/smooth_accelerations.hpp"

#include <utility>

namespace taut {
namespace {

constexpr double resolved = 1e-4;   // of (5)
constexpr double taken_out = 1e16;  // a compliance so large that the multiplier is below rounding
constexpr double regular = 1e-6;    // of S_rr: directions that constraints hardly see are free

}  // namespace

Status SmoothAccelerations::start(const System& system) {
  const Structure& structure = system.structure();
  system.prepare(ev_);
  kkt_.analyse(structure.M, structure.G);
  compliant_ = structure.nc > 0 && structure.C.maxCoeff() > 0.0;
  mixed_used_ = shared_ = false;
  if (compliant_) {
    mixed_.analyse(structure.M, structure.G);
    regular_.analyse(structure.M, structure.G);
  }
  for (Vec* x :
       {&rate_, &rhs_, &no_compliance_, &mixed_compliance_, &regular_compliance_, &soft_lambda_})
    x->setZero(structure.nc);
  C_ = structure.C;
  stabilised_.setOnes(structure.nc);
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.of_velocities) stabilised_[row.equation] = 0.0;
  f_.setZero(structure.nq);
  if (!structure.mass_constant) return Status::ok;
  for (Kkt* kkt : {&mixed_, &regular_})
    if (compliant_)
      if (const Status status = kkt->factor_mass(structure.M); status != Status::ok) return status;
  return kkt_.factor_mass(structure.M);
}

bool SmoothAccelerations::share_loads() {
  if (!compliant_ || shared_) return false;
  shared_ = true;
  stabilised_.array() *= (C_.array() == 0.0).cast<double>();
  return true;
}

Status SmoothAccelerations::operator()(const System& system, const Arguments& at, double h,
                                       const MultiplierEstimate& estimate, Vec& a, Vec& lambda) {
  const Structure& structure = system.structure();
  Needs wanted = needs(Target::mass, Target::force);
  if (structure.nc > 0)
    wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
                    Target::constraint_curvature);
  if (const Status status = system.evaluate(wanted, at, ev_); status != Status::ok) return status;
  const Sparse& M = structure.mass_constant ? structure.M : ev_.M;
  if (!structure.mass_constant && !shared_)
    if (const Status status = kkt_.factor_mass(M); status != Status::ok) return status;
  if (structure.nc == 0) {
    kkt_.solve_mass(ev_.f, a);
    lambda.resize(0);
    return Status::ok;
  }

  rate_ = ev_.g_t;
  rate_.noalias() += ev_.G * at.v;
  if (!shared_) {
    if (const Status status = kkt_.factor_constraints(ev_.G, no_compliance_); status != Status::ok)
      return status;
    if (!kkt_.dependent().empty()) share_loads();
  }
  // (2), (3)
  rhs_ = -ev_.curvature;
  for (Index r = 0; compliant_ && r < structure.nc; ++r)
    rhs_[r] += structure.d[r] > 0.0
                   ? (structure.C[r] * estimate.rate[r] - rate_[r]) / structure.d[r]
                   : structure.C[r] * estimate.curvature[r];
  mixed_used_ = compliant_ && find_soft_rows(structure, M, h, estimate.value);
  if (!mixed_used_) {
    kkt_.solve(ev_.f, rhs_, a, lambda);
    return Status::ok;
  }
  // (4): known multipliers on the right
  if (shared_) {
    if (!structure.mass_constant)
      if (const Status status = regular_.factor_mass(M); status != Status::ok) return status;
    if (const Status status = regular_.factor_constraints(ev_.G, regular_compliance_);
        status != Status::ok)
      return status;
  }
  if (!structure.mass_constant)
    if (const Status status = mixed_.factor_mass(M); status != Status::ok) return status;
  if (const Status status = mixed_.factor_constraints(ev_.G, mixed_compliance_);
      status != Status::ok)
    return status;
  f_ = ev_.f;
  f_.noalias() -= ev_.G.transpose() * soft_lambda_;
  mixed_.solve(f_, rhs_, a, lambda);
  for (Index r = 0; r < structure.nc; ++r)
    if (mixed_compliance_[r] > 0.0) lambda[r] = soft_lambda_[r];
  return Status::ok;
}

// (5), with the diagonal of M for M
bool SmoothAccelerations::find_soft_rows(const Structure& structure, const Sparse& M, double h,
                                         const Vec& lambda) {
  bool any = false;
  for (int r = 0; r < structure.nc; ++r) {
    const double C = structure.C[r], d = structure.d[r];
    mixed_compliance_[r] = soft_lambda_[r] = 0.0;
    if (C == 0.0) continue;
    double S = 0.0;
    for (Sparse::InnerIterator entry(ev_.G, r); entry; ++entry)
      S += entry.value() * entry.value() / M.coeff(entry.col(), entry.col());
    regular_compliance_[r] = regular * S;
    if (!shared_ && C < resolved * (h * h + std::abs(h) * d) * S) continue;
    any = true;
    mixed_compliance_[r] = taken_out * std::max(S, 1e-300);
    soft_lambda_[r] = lambda[r];
  }
  return any;
}

void SmoothAccelerations::archive(Archive& archive) {
  for (Kkt* kkt : {&kkt_, &mixed_}) {
    std::vector<int> rows = kkt->droppable();
    archive(rows);
    if (archive.loading()) kkt->prefer(std::move(rows));
  }
}

}  // namespace taut
