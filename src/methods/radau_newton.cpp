// SPDX-License-Identifier: BSD-3-Clause
#include "radau_newton.hpp"

#include <algorithm>
#include <cmath>

namespace taut {

void RadauNewton::start(const System& system) {
  const Index nq = system.nq(), nc = system.nc();
  system.prepare(ev_);
  for (auto* x : {&R1_, &w_, &T1_}) x->assign(7, Vec::Zero(nq));
  for (auto* x : {&R2_, &R3_, &delta_mu_, &rate_, &T2_}) x->assign(7, Vec::Zero(nc));
  for (Vec* x : {&q_, &a_, &dv_}) x->setZero(nq);
  dmu_rate_.setZero(nc);
  real_.assign(static_cast<std::size_t>(nq + nc), 0.0);
  complex_.assign(real_.size(), 0.0);
}

Status RadauNewton::solve(const System& system, const StageMatrix& matrix, const Sparse& D,
                          const Kkt& kkt, const RadauWeights& weights, double tolerance,
                          double resolution, RadauStep& step, Counters& counters) {
  const int most = most_iterations(step.stages());
  theta_ = 0.0;
  double last = 0.0, last_ratio = 0.0;
  for (iterations_ = 1; iterations_ <= most; ++iterations_) {
    counters.force_evaluations += step.stages();
    ++counters.newton_iterations;
    if (const Status status = residuals(system, step); status != Status::ok) return status;
    velocity_corrections(kkt, step);
    linear_solves(system, matrix, D, step);
    const double size = apply(weights, step);
    if (!std::isfinite(size)) return Status::non_finite;

    double left = size;  // error after this iteration
    if (iterations_ > 1) {
      const double ratio = size / last;
      theta_ = iterations_ == 2 ? ratio : std::sqrt(ratio * last_ratio);
      last_ratio = ratio;
      if (size > resolution) {
        if (theta_ >= 0.99) {
          remaining_ = 20.0;
          return Status::iteration_limit;
        }
        remaining_ =
            size * std::pow(theta_, most - iterations_) / (1.0 - theta_) / tolerance;
        if (remaining_ >= 1.0) return Status::iteration_limit;
      }
      left = theta_ < 1.0 ? size * theta_ / (1.0 - theta_) : size;
    }
    last = std::max(size, 1e-300);
    if (left <= tolerance || size <= resolution) {
      for (int i = 0; i < step.stages(); ++i) {
        step.differentiate(i, [&](int j) -> const Vec& { return step.Z[j]; }, step.V[i]);
        step.V[i] += step.U[i];
      }
      return Status::ok;
    }
  }
  remaining_ = 2.0;
  return Status::iteration_limit;
}

Status RadauNewton::residuals(const System& system, RadauStep& step) {
  const Structure& structure = system.structure();
  const int s = step.stages();
  Needs wanted = need(Target::force);
  if (!structure.mass_constant) wanted |= need(Target::mass);
  if (structure.nc > 0)
    wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
  for (int i = 0; i < s; ++i) {
    step.differentiate(i, [&](int j) -> const Vec& { return step.Z[j]; }, step.V[i]);
    step.V[i] += step.U[i];
  }
  for (int i = 0; i < s; ++i) {
    const Vec& V = step.V[i];
    q_ = step.from.q + step.Z[i];
    step.differentiate(i, [&](int j) { return step.V[j] - step.from.v; }, a_);
    if (const Status status = system.evaluate(wanted, {.t = step.time(i), .q = q_, .v = V}, ev_);
        status != Status::ok)
      return status;
    // (1)
    R1_[i].noalias() = (structure.mass_constant ? structure.M : ev_.M) * a_;
    R1_[i] -= ev_.f;
    if (structure.nc == 0) continue;
    R1_[i].noalias() += ev_.G.transpose() * step.lambda[i];
    // (2)
    rate_[i] = ev_.g_t;
    rate_[i].noalias() += ev_.G * V;
    R2_[i] = ev_.g + structure.d.cwiseProduct(rate_[i]) -
             structure.C.cwiseProduct(step.lambda[i]);
    step.g[i] = ev_.g;
  }
  if (structure.nc == 0) return Status::ok;
  // (3)
  for (int i = 0; i < s; ++i) {
    step.differentiate(i, [&](int j) { return step.g[j] - step.g0; }, R3_[i]);
    R3_[i] = rate_[i] - R3_[i];
  }
  return Status::ok;
}

void RadauNewton::velocity_corrections(const Kkt& kkt, const RadauStep& step) {
  if (R3_.front().size() == 0) return;
  for (int i = 0; i < step.stages(); ++i) {
    // w = -M⁻¹Gᵀζ with G w = -R3, hence δμ = -ζ
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
      step.differentiate(i, [&](int j) -> const Vec& { return delta_mu_[j]; }, dmu_rate_);
      R2_[i] += structure.C.cwiseProduct(dmu_rate_) - structure.d.cwiseProduct(R3_[i]);
    }
  const auto transform = [s](const Mat& by, const std::vector<Vec>& from, std::vector<Vec>& to) {
    for (int i = 0; i < s; ++i) {
      to[i].setZero();
      for (int j = 0; j < s; ++j) to[i] += by(i, j) * from[j];
    }
  };
  transform(method.T_inverse, R1_, T1_);
  if (nc > 0) transform(method.T_inverse, R2_, T2_);

  {
    const double kappa = method.gamma / step.h, kappa2 = kappa * kappa;
    for (Index i = 0; i < nq; ++i) real_[i] = -T1_[0][i] / kappa2;
    for (Index r = 0; r < nc; ++r) real_[nq + r] = -T2_[0][r];
    matrix.solve(real_.data());
    for (Index i = 0; i < nq; ++i) T1_[0][i] = real_[i];
    for (Index r = 0; r < nc; ++r) T2_[0][r] = kappa2 * real_[nq + r];
  }
  for (std::size_t k = 0; k < method.pairs.size(); ++k) {
    const std::complex<double> kappa = method.pairs[k] / step.h, kappa2 = kappa * kappa,
                               inverse2 = 1.0 / kappa2;
    const auto p = static_cast<int>(2 * k + 1);
    // ω = W_p - i W_q
    const auto times = [](std::complex<double> a, std::complex<double> b) {
      return std::complex<double>{a.real() * b.real() - a.imag() * b.imag(),
                                  a.real() * b.imag() + a.imag() * b.real()};
    };
    for (Index i = 0; i < nq; ++i)
      complex_[i] = times({-T1_[p][i], T1_[p + 1][i]}, inverse2);
    for (Index r = 0; r < nc; ++r) complex_[nq + r] = {-T2_[p][r], T2_[p + 1][r]};
    matrix.solve(k, complex_.data());
    for (Index i = 0; i < nq; ++i) {
      T1_[p][i] = complex_[i].real();
      T1_[p + 1][i] = -complex_[i].imag();
    }
    for (Index r = 0; r < nc; ++r) {
      const std::complex<double> x = times(complex_[nq + r], kappa2);
      T2_[p][r] = x.real();
      T2_[p + 1][r] = -x.imag();
    }
  }
  transform(method.T, T1_, R1_);
  if (nc > 0) transform(method.T, T2_, R2_);
}

// Adds the corrections; their size in the weighted norm of Z and V over all stages.
double RadauNewton::apply(const RadauWeights& weights, RadauStep& step) {
  const int s = step.stages();
  const bool constrained = !R2_.front().size() ? false : true;
  double sum = 0.0;
  for (int i = 0; i < s; ++i) {
    step.differentiate(i, [&](int j) -> const Vec& { return R1_[j]; }, dv_);
    if (constrained) dv_ += w_[i];
    sum += R1_[i].cwiseProduct(weights.q).squaredNorm() + dv_.cwiseProduct(weights.v).squaredNorm();
  }
  for (int i = 0; i < s; ++i) {
    step.Z[i] += R1_[i];
    if (!constrained) continue;
    step.U[i] += w_[i];
    step.differentiate(i, [&](int j) -> const Vec& { return delta_mu_[j]; }, dmu_rate_);
    step.lambda[i] += R2_[i] - dmu_rate_;
  }
  return std::sqrt(sum / static_cast<double>(2 * s * step.from.q.size()));
}

}  // namespace taut
