// SPDX-License-Identifier: BSD-3-Clause
#include "slow/slow_expansion.hpp"

#include <algorithm>
#include <cassert>

namespace taut {
namespace {

constexpr Needs motion =
    needs(Target::mass, Target::force, Target::constraint_jacobian, Target::constraint_curvature);

// entries of a null vector, whose largest is 1, that are rounding
constexpr double nothing = 1e-8;

}  // namespace

/// Degree of λ in a sweep. γ has one less where there is damping, γ'' two less than γ.
int SlowExpansion::degree_of(int sweep, Last wanted) const {
  const int lost = damped_ ? 1 : 0;
  const int last = wanted == Last::lambda ? 0 : lost + (wanted == Last::gamma ? 0 : 1);
  return last + (2 + lost) * (sweeps_ - sweep);
}

void SlowExpansion::start(const System& system, int sweeps) {
  const Structure& structure = system.structure();
  sweeps_ = sweeps;
  C_ = structure.C;
  d_ = structure.d;
  damped_ = (d_.array() > 0.0).any();
  kkt_.analyse(structure.M, structure.G);
  mass_factorised_ = false;
  const auto count = static_cast<std::size_t>(degree_of(0, Last::gamma_rate)) + 1;
  series_.resize(count);
  for (Evaluation& coefficient : series_) system.prepare(coefficient);
  const Vec none = Vec::Zero(structure.nq), no_row = Vec::Zero(structure.nc);
  for (std::vector<Vec>* x : {&q_, &v_, &a_}) x->assign(count, none);
  for (std::vector<Vec>* x : {&lambda_, &forcing_, &gamma_}) x->assign(count, no_row);
  centre_.assign(static_cast<std::size_t>(sweeps) + 1, no_row);
  r_ = none;
  s_ = no_compliance_ = no_row;
}

Status SlowExpansion::run(const System& system, const Arguments& at, Last wanted) {
  evaluations_ = 0;
  q_[0] = at.q;
  v_[0] = at.v;
  for (Vec& coefficient : forcing_) coefficient.setZero();
  for (int k = 0; k <= sweeps_; ++k) {
    const int now = degree_of(k, wanted);
    if (k > 0) {
      // γ'' of the sweep before
      for (int i = 0; i <= now; ++i)
        forcing_[static_cast<std::size_t>(i)] =
            (i + 1.0) * (i + 2.0) * gamma_[static_cast<std::size_t>(i) + 2];
    }
    if (const Status st = sweep(system, at, now); st != Status::ok) return st;
    find_gamma(damped_ ? now - 1 : now);
    centre_[static_cast<std::size_t>(k)] = gamma_.front();
  }
  return Status::ok;
}

/// All orders of one sweep.
Status SlowExpansion::sweep(const System& system, const Arguments& at, int degree) {
  const bool first_sweep = evaluations_ == 0;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(degree); ++i) {
    // (3)
    if (i > 0) {
      const auto n = static_cast<double>(i);
      q_[i] = v_[i - 1] / n;
      v_[i] = a_[i - 1] / n;
    }
    // every sweep begins at the same point
    if (i > 0 || first_sweep) {
      ++evaluations_;
      if (const Status st = system.evaluate_series(motion, {.t = at.t, .q = q_, .v = v_},
                                                   std::span{series_}.first(i + 1));
          st != Status::ok)
        return st;
    }
    if (i == 0 && first_sweep)
      if (const Status st = factor(system); st != Status::ok) return st;
    solve(system, i);
  }
  return Status::ok;
}

Status SlowExpansion::factor(const System& system) {
  const bool constant = system.structure().mass_constant;
  if (!constant || !mass_factorised_) {
    mass_factorised_ = false;
    const Sparse& M = constant ? system.structure().M : series_.front().M;
    if (const Status st = kkt_.factor_mass(M); st != Status::ok) return st;
    mass_factorised_ = true;
  }
  if (const Status st = kkt_.factor_constraints(series_.front().G, no_compliance_);
      st != Status::ok)
    return st;
  // how compliant rows share a load would change with time, and its derivatives are not known
  if (kkt_.dependent().empty()) return Status::ok;
  const Mat& null_space = kkt_.dependencies();
  for (Index r = 0; r < C_.size(); ++r)
    if (C_[r] > 0.0 && (null_space.row(r).array().abs() > nothing).any())
      return Status::not_supported;
  return Status::ok;
}

/// (1), (2)
void SlowExpansion::solve(const System& system, std::size_t i) {
  const bool varying_mass = !system.structure().mass_constant;
  r_ = series_[i].f;
  s_ = forcing_[i] - series_[i].curvature;
  for (std::size_t j = 1; j <= i; ++j) {
    const Evaluation& of_j = series_[j];
    if (varying_mass) r_.noalias() -= of_j.M * a_[i - j];
    r_.noalias() -= of_j.G.transpose() * lambda_[i - j];
    s_.noalias() -= of_j.G * a_[i - j];
  }
  kkt_.solve(r_, s_, a_[i], lambda_[i]);
}

/// (3) of slow_flow()
void SlowExpansion::find_gamma(int degree) {
  for (std::size_t i = 0; static_cast<int>(i) <= degree; ++i) {
    gamma_[i] = C_.cwiseProduct(lambda_[i]);
    if (!damped_) continue;
    const auto n = static_cast<double>(i + 1);
    gamma_[i].array() -= n * d_.array() * C_.array() * lambda_[i + 1].array();
    gamma_[i].array() += d_.array().square() * forcing_[i].array();
  }
}

}  // namespace taut
