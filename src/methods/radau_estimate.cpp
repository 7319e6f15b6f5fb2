// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/notes.hpp"
#include "methods/radau_solver.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double may_be_rounding = 1e-11;  // of a tolerance, with room to spare

}  // namespace

// The error estimate, with κ = γ/h and e of the embedded method:
//
//   E_q = v_n + κ Σ e_i Z_i,     E_v = a_n + κ Σ e_i (V_i - v_n)                              (3)
//   normal part of E_q:  G E_q = g'_n + κ Σ e_i (g(Y_i) - g_n)                                (4)
//   [stage matrix] (err_q, .) = ((M E_v + κ M E_q + D_v E_q)/κ², 0),   err_v = κ err_q - E_q  (5)
//   err² = |err_q|² + |P err_v|² + h² |(1 - P) err_v|²                                         (6)
//
// P removes the part of a velocity along M⁻¹Gᵀ. The last term is in units of q.
Status Radau::Solver::estimate(const System& system, double& error) {
  E_v_ = a_;
  error = filter(system);
  if (error < 1.0 || !control_.unsettled()) return Status::ok;

  // once more with the force at the end of the estimated error: removes what decays fast
  ++counters.force_evaluations;
  const Structure& structure = system.structure();
  next_.q = step_.from.q + error_q_;
  next_.v = step_.from.v + error_v_;
  if (system.evaluate(need(Target::force), {.t = step_.from.t, .q = next_.q, .v = next_.v},
                      landing_) != Status::ok)
    return Status::ok;
  force_ = landing_.f - here_.evaluation().f;
  here_.kkt().solve_mass(force_, scratch_);
  E_v_ = a_ + scratch_;
  if (structure.nc > 0) {
    // the change of force is taken up by the constraints as far as it is normal
    residual_.noalias() = here_.evaluation().G * scratch_;
    here_.kkt().solve_constraint(residual_, normal_, target_);
    E_v_ -= normal_;
  }
  error = filter(system);
  return Status::ok;
}

// From E_v without the sum of (3), to error_q_, error_v_ and the norm (6).
double Radau::Solver::filter(const System& system) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nc = structure.nc;
  const int s = step_.stages();
  const RadauCoefficients& method = *step_.method;
  const double kappa = method.gamma / step_.h;
  const Kkt& kkt = here_.kkt();

  // (3)
  E_q_ = step_.from.v;
  for (int i = 0; i < s; ++i) {
    E_q_ += (kappa * method.e[i]) * step_.Z[i];
    E_v_ += (kappa * method.e[i]) * (step_.V[i] - step_.from.v);
  }
  // (4)
  if (nc > 0) {
    target_.setZero();
    for (int i = 0; i < s; ++i) target_ += (kappa * method.e[i]) * (step_.g[i] - step_.g0);
    if (potential_ != nullptr) potential_->turn(here_.evaluation(), target_);
    target_ += here_.rate();
    for (Index r = 0; r < nc; ++r)
      if (structure.C[r] == 0.0) target_[r] = 0.0;
    target_.noalias() -= here_.evaluation().G * E_q_;
    target_ = here_.stabilised().cwiseProduct(target_);
    kkt.solve_constraint(target_, normal_, residual_);
    E_q_ += normal_;
  }
  // (5)
  const Sparse& M = structure.mass_constant ? structure.M : here_.evaluation().M;
  scratch_ = (E_v_ + kappa * E_q_) / square(kappa);
  force_.noalias() = M * scratch_;
  if (structure.force_uses_velocity) {
    scratch_ = E_q_ / square(kappa);
    force_.noalias() += derivatives_.D() * scratch_;
  }
  std::copy_n(force_.data(), nq, rhs_.begin());
  std::fill(rhs_.begin() + nq, rhs_.end(), 0.0);
  derivatives_.matrix().solve(rhs_.data());
  error_q_ = Eigen::Map<const Vec>(rhs_.data(), nq);
  error_v_ = kappa * error_q_ - E_q_;
  // (6)
  double sum = error_q_.cwiseProduct(weights_.q).squaredNorm();
  scratch_ = error_v_;
  if (nc > 0) {
    target_.noalias() = here_.evaluation().G * error_v_;
    kkt.solve_constraint(target_, normal_, residual_);
    scratch_ -= normal_;
    sum += square(step_.h) * normal_.cwiseProduct(weights_.q).squaredNorm();
  }
  between_stages();
  sum += scratch_.cwiseProduct(weights_.v).squaredNorm();
  const double error = std::max(std::sqrt(sum / static_cast<double>(2 * nq)), 1e-10);
  return options_.tol < may_be_rounding ? above_rounding(error) : error;
}

// The terms of (3) cancel to a small part of them, and what they have of rounding does not fall
// with h: with
//
//   n² = (8ε)²/(2 nq) Σ ((|v_n| + κ Σ |e_i| |Z_i|)/σ)²                                        (8)
//
// (some roundings in each: constraints turn from stage to stage, and know positions to one) above a
// tenth, the tolerance is loosened until it is one. Shorter steps would find the same.
double Radau::Solver::above_rounding(double error) {
  constexpr double share = 0.1, roundings = 8.0;
  const RadauCoefficients& method = *step_.method;
  const double kappa = method.gamma / std::abs(step_.h);
  scratch_ = step_.from.v.cwiseAbs();
  for (int i = 0; i < step_.stages(); ++i)
    scratch_ += (kappa * std::abs(method.e[i])) * step_.Z[i].cwiseAbs();
  const double noise = roundings * epsilon * scratch_.cwiseProduct(weights_.v).norm() /
                       std::sqrt(static_cast<double>(2 * scratch_.size()));
  if (noise <= share) return error;
  tell_below_rounding(options_.tol * noise / share);
  return error * share / noise;
}

// One note, of the loosest so far.
void Radau::Solver::tell_below_rounding(double tol) {
  if (tol <= loosest_) return;
  loosest_ = std::pow(10.0, std::ceil(std::log10(tol)));
  const auto told = [](const Note& one) { return one.is(notes::tolerance_below_rounding); };
  std::erase_if(this->notes, told);
  this->notes.push_back(note<notes::tolerance_below_rounding>(options_.tol, loosest_));
}

// A stiff state follows h at the stages, however long the step is, and (5) sees nothing: what dense
// output would be without v_n is a bound of its error between them, with x_0 = 0, x_i = c_i
//
//   δ Π c_i,   δ = Σ_j V_j / Π_{l≠j} (x_j - x_l)                                               (7)
void Radau::Solver::between_stages() {
  const Index nz = system_.structure().nz;
  if (nz == 0) return;
  const int s = step_.stages();
  const auto node = [&](int j) { return j == 0 ? 0.0 : step_.method->c[j - 1]; };
  double reach = 1.0;
  for (int j = 1; j <= s; ++j) reach *= node(j);
  state_error_.setZero(nz);
  for (int j = 0; j <= s; ++j) {
    double product = 1.0;
    for (int l = 0; l <= s; ++l)
      if (l != j) product *= node(j) - node(l);
    state_error_ += (reach / product) * (j == 0 ? step_.from.v : step_.V[j - 1]).tail(nz);
  }
  scratch_.tail(nz) = scratch_.tail(nz).cwiseAbs().cwiseMax(state_error_.cwiseAbs());
}

// The end of the step, exactly on g = C Λ_s and G v + g_t = d/dt g where Newton's method came near.
Status Radau::Solver::land(const System& system, double t1) {
  const Structure& structure = system.structure();
  const int s = step_.stages();
  next_.t = t1;
  next_.q = step_.from.q + step_.Z[s - 1];
  next_.v = step_.V[s - 1];
  if (structure.nc == 0) return Status::ok;

  constraint_rate(step_, 1.0, rate_);
  if (const Status status = onto_constraints(next_, step_.lambda[s - 1]); status != Status::ok)
    return status;
  for (Index r = 0; r < structure.nc; ++r) {
    const double C = structure.C[r];
    next_g_[r] = structure.d[r] > 0.0 ? landing_.g[r] : C * step_.lambda[s - 1][r];
  }
  if (potential_ != nullptr) potential_->raw(landing_, step_.lambda[s - 1], next_g_);

  return next_.q.allFinite() && next_.v.allFinite() ? Status::ok : Status::non_finite;
}

// Moves q along M⁻¹Gᵀ of the point onto g = C λ where d = 0, and v onto G v + g_t = rate_.
// Newton's method or an interpolation has come near; what is left after a few corrections is
// rounding, or does not contract and is left to error control.
Status Radau::Solver::onto_constraints(State& at, const Vec& lambda) {
  const Structure& structure = system_.structure();
  target_ = structure.C.cwiseProduct(lambda);
  if (const Status status = factor_inside(at); status != Status::ok) return status;
  constexpr int most = 8;
  double before = std::numeric_limits<double>::infinity(), left = 0.0;
  for (int k = 0;; ++k) {
    ++counters.constraint_evaluations;
    if (const Status status = system_.evaluate(
            needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate),
            {.t = at.t, .q = at.q, .v = at.v}, landing_);
        status != Status::ok)
      return status;
    double size = 0.0;
    for (const Row& row : structure.rows) {
      if (row.equation < 0) continue;
      const Index r = row.equation;
      residual_[r] =
          structure.d[r] > 0.0 || here_.stabilised()[r] == 0.0 ? 0.0 : target_[r] - landing_.g[r];
      size = std::max(size, std::abs(residual_[r]) / row.scale);
    }
    left = size;
    if (size <= 4.0 * epsilon || k == most || size > 0.5 * before) break;
    before = size;
    inside_.solve_constraint(residual_, normal_, residual_);
    at.q += normal_;
  }
  constexpr double contradiction = 1e-12;  // of the size of g: far above what rounding leaves
  if (left > contradiction && !inside_.dependent().empty()) return Status::constraints_contradict;
  if (potential_ != nullptr) potential_->turn(landing_, rate_);
  for (int k = 0; k < 3; ++k) {
    residual_ = rate_ - landing_.g_t;
    residual_.noalias() -= landing_.G * at.v;
    for (Index r = 0; r < structure.nc; ++r)
      if (structure.C[r] > 0.0) residual_[r] *= here_.stabilised()[r];
    inside_.solve_constraint(residual_, normal_, residual_);
    at.v += normal_;
  }
  return Status::ok;
}

Status Radau::Solver::factor_inside(const State& at) {
  const Structure& structure = system_.structure();
  Needs wanted = need(Target::constraint_jacobian);
  if (!structure.mass_constant) wanted |= need(Target::mass);
  if (const Status status = system_.evaluate(wanted, {.t = at.t, .q = at.q, .v = at.v}, landing_);
      status != Status::ok)
    return status;
  if (!structure.mass_constant)
    if (const Status status = inside_.factor_mass(landing_.M); status != Status::ok) return status;
  // rows that are not stabilised keep their part of every correction small
  inside_compliance_ = (1.0 - here_.stabilised().array()) * structure.C.array();
  return inside_.factor_constraints(landing_.G, inside_compliance_);
}

// d/dt of g as the step has it, at from.t + x h: 0 for rigid rows.
void Radau::Solver::constraint_rate(const RadauStep& step, double x, Vec& out) const {
  const DerivativeWeights w = weights_at(step, x);
  out = (w[1][0] / step.h) * step.g0;
  for (int i = 0; i < step.stages(); ++i) out += (w[1][i + 1] / step.h) * step.g[i];
  for (Index r = 0; r < out.size(); ++r)
    if (system_.structure().C[r] == 0.0) out[r] = 0.0;
}

void Radau::Solver::estimate_multipliers(const RadauStep& step, double x,
                                         MultiplierEstimate& out) const {
  const int s = step.stages();
  const DerivativeWeights w = derivative_weights(x, step.method->c.data(), s);
  out.value.setZero();
  out.rate.setZero();
  out.curvature.setZero();
  for (int j = 0; j < s; ++j) {
    out.value += w[0][j] * step.lambda[j];
    out.rate += (w[1][j] / step.h) * step.lambda[j];
    out.curvature += (w[2][j] / square(step.h)) * step.lambda[j];
  }
  // where rows are turned: C λ'' from the derivatives of their raw γ, at the point of landing_
  if (potential_ == nullptr) return;
  for (Index r = given_.nc(); r < out.value.size(); ++r) {
    out.curvature[r] = 0.0;
    for (int j = 0; j < s; ++j) out.curvature[r] += (w[2][j] / square(step.h)) * step.g[j][r];
  }
  potential_->turn(landing_, out.curvature);
  for (Index r = given_.nc(); r < out.value.size(); ++r)
    out.curvature[r] /= system_.structure().C[r];
}

}  // namespace taut
