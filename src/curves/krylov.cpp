// SPDX-License-Identifier: BSD-3-Clause
#include "curves/krylov.hpp"

#include <cmath>

namespace taut {
namespace {

int most_products(const Vec& b) { return 4 * static_cast<int>(b.size()) + 50; }

KrylovResult conjugate_gradients(SymmetricProduct& K, double residual, std::vector<Vec>& work,
                                 Vec& x) {
  Vec &r = work[0], &d = work[1], &Kd = work[2];
  KrylovResult result;
  d = r;
  double rr = r.squaredNorm();
  for (; std::sqrt(rr) > residual; ++result.iterations) {
    if (result.iterations == most_products(r) || !K(d, Kd)) return result;
    const double curvature = d.dot(Kd);
    if (!(curvature > 0.0)) return result;
    const double alpha = rr / curvature;
    x += alpha * d;
    r -= alpha * Kd;
    const double next = r.squaredNorm();
    d = r + (next / rr) * d;
    rr = next;
  }
  result.converged = std::isfinite(rr);
  return result;
}

// beta_{k+1} v_{k+1} = K v_k - alpha_k v_k - beta_k v_{k-1}
struct Lanczos {
  SymmetricProduct& K;
  Vec &v, &v_last, &next;
  double alpha = 0.0, beta = 0.0;

  bool advance() {
    if (!K(v, next)) return false;
    next -= beta * v_last;
    alpha = v.dot(next);
    next -= alpha * v;
    beta = next.norm();
    v_last.swap(v);
    if (beta > 0.0)
      v = next / beta;
    else
      v.setZero();
    return std::isfinite(alpha) && std::isfinite(beta);
  }
};

// after paige1975, with w = v_1 to begin with
KrylovResult symmetric_lq(SymmetricProduct& K, double beta_1, double residual,
                          std::vector<Vec>& work, Vec& x) {
  Vec& w = work[3];
  Lanczos lanczos{K, work[0], work[1], work[2]};
  KrylovResult result;
  w = lanczos.v;
  if (!lanczos.advance()) return result;
  double gamma_bar = lanczos.alpha, delta_bar = lanczos.beta;
  double rhs = beta_1, rhs_next = 0.0, sines = 1.0;
  for (result.iterations = 1;; ++result.iterations) {
    // the CG point  x + (rhs / gamma_bar) w  has the residual  beta_1 s_1 ... s_{k-1} beta_{k+1} /
    // |gamma_bar|
    const double at_cg_point = beta_1 * sines * lanczos.beta;
    if (at_cg_point <= residual * std::abs(gamma_bar) && gamma_bar != 0.0) {
      x += (rhs / gamma_bar) * w;
      result.converged = std::isfinite(rhs / gamma_bar);
      return result;
    }
    if (result.iterations == most_products(x)) return result;
    const double beta = lanczos.beta;
    if (!lanczos.advance()) return result;
    const double gamma = std::hypot(gamma_bar, beta);
    const double c = gamma_bar / gamma, s = beta / gamma;
    const double delta = c * delta_bar + s * lanczos.alpha;
    gamma_bar = s * delta_bar - c * lanczos.alpha;
    const double epsilon = s * lanczos.beta;
    delta_bar = -c * lanczos.beta;
    const double z = rhs / gamma;
    x += (z * c) * w + (z * s) * lanczos.v_last;
    w = s * w - c * lanczos.v_last;
    rhs = rhs_next - delta * z;
    rhs_next = -epsilon * z;
    sines *= s;
  }
}

KrylovResult minimal_residual(SymmetricProduct& K, double beta_1, double residual,
                              std::vector<Vec>& work, Vec& x) {
  Vec &w = work[3], &w_last = work[4], &w_next = work[5];
  Lanczos lanczos{K, work[0], work[1], work[2]};
  KrylovResult result;
  w.setZero();
  w_last.setZero();
  double eta = beta_1, c = 1.0, s = 0.0, c_last = 1.0, s_last = 0.0;
  while (std::abs(eta) > residual) {
    const double beta = lanczos.beta;
    if (result.iterations == most_products(x) || !lanczos.advance()) return result;
    ++result.iterations;
    const double delta = c * lanczos.alpha - c_last * s * beta;
    const double rho_1 = std::hypot(delta, lanczos.beta);
    const double rho_2 = s * lanczos.alpha + c_last * c * beta;
    const double rho_3 = s_last * beta;
    if (rho_1 == 0.0) return result;
    c_last = c;
    s_last = s;
    c = delta / rho_1;
    s = lanczos.beta / rho_1;
    w_next = (lanczos.v_last - rho_3 * w_last - rho_2 * w) / rho_1;
    w_last.swap(w);
    w.swap(w_next);
    x += (c * eta) * w;
    eta *= -s;
  }
  result.converged = std::isfinite(eta);
  return result;
}

}  // namespace

KrylovResult solve_by_krylov(KrylovMethod method, SymmetricProduct& K, const Vec& b,
                             double residual, std::vector<Vec>& work, Vec& x) {
  x.setZero(b.size());
  const double beta_1 = b.norm();
  if (beta_1 <= residual) return {.converged = true, .iterations = 0};
  if (!std::isfinite(beta_1)) return {};
  work[0] = b;
  if (method == KrylovMethod::cg) return conjugate_gradients(K, residual, work, x);
  work[0] /= beta_1;
  work[1].setZero();
  return method == KrylovMethod::minres ? minimal_residual(K, beta_1, residual, work, x)
                                        : symmetric_lq(K, beta_1, residual, work, x);
}

void multiply(const Sparse& B, const Vec& x, Vec& y) {
  for (Index r = 0; r < B.rows(); ++r) {
    double sum = 0.0;
    for (int e = B.outerIndexPtr()[r]; e < B.outerIndexPtr()[r + 1]; ++e)
      sum += B.valuePtr()[e] * x[B.innerIndexPtr()[e]];
    y[r] = sum;
  }
}

void multiply_transposed(const Sparse& B, const Vec& x, Vec& y) {
  y.setZero();
  for (Index r = 0; r < B.rows(); ++r)
    for (int e = B.outerIndexPtr()[r]; e < B.outerIndexPtr()[r + 1]; ++e)
      y[B.innerIndexPtr()[e]] += B.valuePtr()[e] * x[r];
}

}  // namespace taut
