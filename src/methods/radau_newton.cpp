// SPDX-License-Identifier: BSD-3-Clause
#include "methods/radau_newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace taut {
namespace {

const StiffPotential* potential_of(const System& system) {
  return dynamic_cast<const StiffPotential*>(&system.implementation());
}

// Rate of convergence where stages settle between corrections: the ratio of the first two says
// little, since the first also takes back what that did to velocities, and later ones fall
// unevenly, so that the mean of three ratios counts.
double settled_rate(const std::array<double, 3>& sizes, int iteration, double size) {
  if (iteration == 2) return std::max(size / sizes[1], 0.1);
  if (iteration == 3) return std::sqrt(size / sizes[2] * std::max(sizes[2] / sizes[1], 0.01));
  return std::cbrt(size / sizes[static_cast<std::size_t>(iteration % 3)]);
}

}  // namespace

void RadauNewton::start(const System& system) {
  const Index nq = system.nq(), nc = system.nc();
  system.prepare(ev_);
  for (auto* x : {&R1_, &w_, &T1_}) x->assign(7, Vec::Zero(nq));
  for (auto* x : {&R2_, &R3_, &delta_mu_, &rate_, &T2_}) x->assign(7, Vec::Zero(nc));
  for (Vec* x : {&q_, &a_, &dv_}) x->setZero(nq);
  dmu_rate_.setZero(nc);
  load_.setZero(nc);
  stage_ev_.clear();
  if (potential_of(system) != nullptr) {
    stage_ev_.resize(7);
    for (Evaluation& ev : stage_ev_) system.prepare(ev);
    settling_.analyse(system.structure().M, system.structure().G);
  }
  real_.assign(static_cast<std::size_t>(nq + nc), 0.0);
  for (auto& x : complex_) x.assign(real_.size(), 0.0);
}

Status RadauNewton::solve(const System& system, const StageMatrix& matrix, const Sparse& D,
                          const Kkt& kkt, const Vec& stabilised, const RadauWeights& weights,
                          double tolerance, double resolution, RadauStep& step,
                          Counters& counters) {
  const int most = most_iterations(step.stages());
  potential_ = potential_of(system);
  const bool settles = potential_ != nullptr;
  std::array<double, 3> sizes{};  // of the last corrections, where stages settle
  theta_ = 0.0;
  double last = 0.0, last_ratio = 0.0;
  for (iterations_ = 1; iterations_ <= most; ++iterations_) {
    counters.force_evaluations += step.stages();
    ++counters.newton_iterations;
    if (settles)
      if (const Status status = settle(system, weights, tolerance, step, counters);
          status != Status::ok)
        return status;
    if (const Status status = residuals(system, step); status != Status::ok) return status;
    velocity_corrections(kkt, stabilised, step);
    linear_solves(system, matrix, D, step);
    const double size = apply(weights, step);
    if (!std::isfinite(size)) return Status::non_finite;

    double left = size;  // error after this iteration
    if (iterations_ > 1) {
      const double ratio = size / last;
      theta_ = iterations_ == 2 ? ratio : std::sqrt(ratio * last_ratio);
      last_ratio = ratio;
      if (settles) theta_ = settled_rate(sizes, iterations_, size);
      const bool too_early = settles && iterations_ <= 3 && theta_ < 2.0;
      if (size > resolution && !too_early) {
        if (theta_ >= 0.99) {
          remaining_ = 20.0;
          return Status::iteration_limit;
        }
        remaining_ = size * std::pow(theta_, most - iterations_) / (1.0 - theta_) / tolerance;
        if (remaining_ >= 1.0) return Status::iteration_limit;
      }
      left = theta_ < 1.0 ? size * theta_ / (1.0 - theta_) : size;
    }
    last = std::max(size, 1e-300);
    sizes[static_cast<std::size_t>(iterations_ % 3)] = last;
    if (left <= tolerance || size <= resolution) {
      for (int i = 0; i < step.stages(); ++i) {
        step.differentiate(i, step.Z, step.V[i]);
        step.V[i] += step.U[i];
      }
      take_loads(system, step);
      return Status::ok;
    }
  }
  remaining_ = 2.0;
  return Status::iteration_limit;
}

// g as the multipliers say: the last correction has moved it, and D would magnify what g itself has
// of rounding.
void RadauNewton::take_loads(const System& system, RadauStep& step) {
  const Structure& structure = system.structure();
  for (int i = 0; i < step.stages(); ++i) {
    for (Index r = 0; r < structure.nc; ++r)
      if (structure.d[r] == 0.0) step.g[i][r] = structure.C[r] * step.lambda[i][r];
    if (potential_ != nullptr)
      potential_->raw(stage_ev_[static_cast<std::size_t>(i)], step.lambda[i], step.g[i]);
  }
}

Status RadauNewton::settle(const System& system, const RadauWeights& weights, double tolerance,
                           RadauStep& step, Counters& counters) {
  const StiffPotential* const potential = potential_of(system);
  const Structure& structure = system.structure();
  if (!structure.mass_constant)
    if (const Status status = system.evaluate(
            need(Target::mass), {.t = step.from.t, .q = step.from.q, .v = step.from.v}, ev_);
        status != Status::ok)
      return status;
  if (const Status status = settling_.factor_mass(structure.mass_constant ? structure.M : ev_.M);
      status != Status::ok)
    return status;
  for (int i = 0; i < step.stages(); ++i)
    if (const Status status =
            settle_stage(system, *potential, i, weights, tolerance, step, counters);
        status != Status::ok)
      return status;
  return Status::ok;
}

Status RadauNewton::settle_stage(const System& system, const StiffPotential& potential, int i,
                                 const RadauWeights& weights, double tolerance, RadauStep& step,
                                 Counters& counters) {
  constexpr int most = 8;
  const Structure& structure = system.structure();
  const double softest = structure.C.tail(structure.nc - potential.base().nc()).maxCoeff();
  const double scale =
      100.0 * step.h * step.h * softest / std::sqrt(static_cast<double>(structure.nq));
  Evaluation& ev = stage_ev_[static_cast<std::size_t>(i)];
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    q_ = step.from.q + step.Z[i];
    if (const Status status =
            system.evaluate(needs(Target::constraint, Target::constraint_jacobian),
                            {.t = step.time(i), .q = q_, .v = step.from.v}, ev);
        status != Status::ok)
      return status;
    // (5); what does not fall any more is rounding, or left to Newton's method
    potential.excess_force(ev, step.lambda[i], dv_);
    settling_.solve_mass(dv_, a_);
    const double harm = scale * a_.cwiseProduct(weights.q).norm() *
                        (a_.array().abs() / (1.0 + q_.array().abs())).maxCoeff();
    if (harm <= 0.1 * tolerance || !(harm < 0.5 * before)) return Status::ok;
    before = harm;
    load_ = structure.C.cwiseProduct(step.lambda[i]) - ev.g;
    for (Index r = 0; r < structure.nc; ++r)
      if (structure.d[r] > 0.0) load_[r] = 0.0;
    if (const Status status = settling_.factor_constraints(ev.G, dmu_rate_.setZero(structure.nc));
        status != Status::ok)
      return status;
    settling_.solve_constraint(load_, dv_, load_);
    step.Z[i] += dv_;
    ++counters.force_evaluations;
  }
  return Status::ok;
}

Status RadauNewton::residuals(const System& system, RadauStep& step) {
  const Structure& structure = system.structure();
  const int s = step.stages();
  Needs wanted = need(Target::force);
  if (!structure.mass_constant) wanted |= need(Target::mass);
  if (structure.nc > 0)
    wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
  for (int i = 0; i < s; ++i) {
    step.differentiate(i, step.Z, step.V[i]);
    step.V[i] += step.U[i];
  }
  for (int i = 0; i < s; ++i) {
    const Vec& V = step.V[i];
    Evaluation& ev = potential_ == nullptr ? ev_ : stage_ev_[static_cast<std::size_t>(i)];
    q_ = step.from.q + step.Z[i];
    step.differentiate(i, step.V, step.from.v, a_);
    if (const Status status = system.evaluate(wanted, {.t = step.time(i), .q = q_, .v = V}, ev);
        status != Status::ok)
      return status;
    // (1)
    R1_[i].noalias() = (structure.mass_constant ? structure.M : ev.M) * a_;
    R1_[i] -= ev.f;
    if (structure.nc == 0) continue;
    R1_[i].noalias() += ev.G.transpose() * step.lambda[i];
    // (2)
    rate_[i] = ev.g_t;
    rate_[i].noalias() += ev.G * V;
    R2_[i] = ev.g + structure.d.cwiseProduct(rate_[i]) - structure.C.cwiseProduct(step.lambda[i]);
    step.g[i] = ev.g;
    if (potential_ != nullptr) {
      potential_->multipliers_at_rest(ev, load_);
      potential_->raw(ev, load_, step.g[i]);
    }
  }
  if (structure.nc == 0) return Status::ok;
  // (3)
  for (int i = 0; i < s; ++i) {
    step.differentiate(i, step.g, step.g0, R3_[i]);
    if (potential_ != nullptr) potential_->turn(stage_ev_[static_cast<std::size_t>(i)], R3_[i]);
    R3_[i] = rate_[i] - R3_[i];
  }
  return Status::ok;
}

void RadauNewton::velocity_corrections(const Kkt& kkt, const Vec& stabilised,
                                       const RadauStep& step) {
  if (R3_.front().size() == 0) return;
  for (int i = 0; i < step.stages(); ++i) {
    // w = -M⁻¹Gᵀζ with G w = -R3, hence δμ = -ζ
    R3_[i] = stabilised.cwiseProduct(R3_[i]);
    dmu_rate_ = -R3_[i];
    kkt.solve_constraint(dmu_rate_, w_[i], delta_mu_[i]);
    delta_mu_[i] = -delta_mu_[i];
  }
}

void RadauNewton::linear_solves(const System& system, const StageMatrix& matrix, const Sparse& D,
                                const RadauStep& step) {
  const Structure& structure = system.structure();
  const RadauCoefficients& method = *step.method;
  const int s = step.stages();
  const Index nq = structure.nq, nc = structure.nc;
  // right-hand sides of (4), before the transformation
  if (nc > 0)
    for (int i = 0; i < s; ++i) {
      if (structure.force_uses_velocity) R1_[i].noalias() += D * w_[i];
      step.differentiate(i, delta_mu_, dmu_rate_);
      R2_[i] += structure.C.cwiseProduct(dmu_rate_) - structure.d.cwiseProduct(R3_[i]);
      for (const int r : matrix.dropped()) R2_[i][r] = 0.0;
    }
  const auto transform = [&](const Mat& by, const std::vector<Vec>& from, std::vector<Vec>& to) {
    for (int i = 0; i < s; ++i) {
      std::array<double, 7> w{};
      for (int j = 0; j < s; ++j) w[j] = by(i, j);
      step.add_up(w, from, nullptr, to[i]);
    }
  };
  transform(method.T_inverse, R1_, T1_);
  if (nc > 0) transform(method.T_inverse, R2_, T2_);

  const auto solve_real = [&] {
    const double kappa = method.gamma / step.h, kappa2 = kappa * kappa;
    for (Index i = 0; i < nq; ++i) real_[i] = -T1_[0][i] / kappa2;
    for (Index r = 0; r < nc; ++r) real_[nq + r] = -T2_[0][r];
    matrix.solve(real_.data());
    for (Index i = 0; i < nq; ++i) T1_[0][i] = real_[i];
    for (Index r = 0; r < nc; ++r) T2_[0][r] = kappa2 * real_[nq + r];
  };
  const auto solve_pair = [&](std::size_t k) {
    std::vector<std::complex<double>>& x = complex_[k];
    const std::complex<double> kappa = method.pairs[k] / step.h, kappa2 = kappa * kappa,
                               inverse2 = 1.0 / kappa2;
    const auto p = static_cast<int>(2 * k + 1);
    // ω = W_p - i W_q
    const auto times = [](std::complex<double> a, std::complex<double> b) {
      return std::complex<double>{a.real() * b.real() - a.imag() * b.imag(),
                                  a.real() * b.imag() + a.imag() * b.real()};
    };
    for (Index i = 0; i < nq; ++i) x[i] = times({-T1_[p][i], T1_[p + 1][i]}, inverse2);
    for (Index r = 0; r < nc; ++r) x[nq + r] = {-T2_[p][r], T2_[p + 1][r]};
    matrix.solve(k, x.data());
    for (Index i = 0; i < nq; ++i) {
      T1_[p][i] = x[i].real();
      T1_[p + 1][i] = -x[i].imag();
    }
    for (Index r = 0; r < nc; ++r) {
      const std::complex<double> y = times(x[nq + r], kappa2);
      T2_[p][r] = y.real();
      T2_[p + 1][r] = -y.imag();
    }
  };
  matrix.for_each_eigenvalue(method, [&](std::size_t k) {
    if (k == 0)
      solve_real();
    else
      solve_pair(k - 1);
    return true;
  });
  transform(method.T, T1_, R1_);
  if (nc > 0) transform(method.T, T2_, R2_);
}

// Adds the corrections; their size in the weighted norm of Z and V over all stages.
double RadauNewton::apply(const RadauWeights& weights, RadauStep& step) {
  const int s = step.stages();
  const bool constrained = R2_.front().size() > 0;
  double sum = 0.0;
  for (int i = 0; i < s; ++i) {
    step.differentiate(i, R1_, dv_);
    if (constrained) dv_ += w_[i];
    sum += R1_[i].cwiseProduct(weights.q).squaredNorm() + dv_.cwiseProduct(weights.v).squaredNorm();
  }
  for (int i = 0; i < s; ++i) {
    step.Z[i] += R1_[i];
    if (!constrained) continue;
    step.U[i] += w_[i];
    step.differentiate(i, delta_mu_, dmu_rate_);
    step.lambda[i] += R2_[i] - dmu_rate_;
  }
  return std::sqrt(sum / static_cast<double>(2 * s * step.from.q.size()));
}

}  // namespace taut
