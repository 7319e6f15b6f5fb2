// SPDX-License-Identifier: BSD-3-Clause
// Algorithms 4.3-4.7 of tuomela2005.
#include <cmath>

#include "curves/curve_projection.hpp"
#include "curves/krylov.hpp"

namespace taut {
namespace {

constexpr double accuracy_of_A = 1e-12;  // relative residual of systems with A

struct ProductWithA final : SymmetricProduct {
  const Sparse& A;
  explicit ProductWithA(const Sparse& matrix) : A{matrix} {}
  bool operator()(const Vec& x, Vec& y) override {
    multiply(A, x, y);
    return true;
  }
};

// df dfᵀ, and -S = df A⁻¹dfᵀ with `solve` for A (Algorithm 4.5)
template <typename Solve>
struct ProductWithSchur final : SymmetricProduct {
  const Sparse& df;
  Vec &normal, &solved;
  Solve solve;
  ProductWithSchur(const Sparse& matrix, Vec& first, Vec& second, Solve solver)
      : df{matrix}, normal{first}, solved{second}, solve{solver} {}
  bool operator()(const Vec& x, Vec& y) override {
    multiply_transposed(df, x, normal);
    if (!solve(normal, solved)) return false;
    multiply(df, solved, y);
    return true;
  }
};

}  // namespace

bool CurveProjection::solve_A(const Vec& b, Vec& x) {
  if (A_is_identity_) {
    x = b;
    return true;
  }
  ProductWithA A{A_};
  return solve_by_krylov(KrylovMethod::cg, A, b, accuracy_of_A * b.norm(), m_work_, x).converged;
}

// Algorithm 4.6
Status CurveProjection::initial_step() {
  const auto keep = [](const Vec& b, Vec& x) {
    x = b;
    return true;
  };
  ProductWithSchur normal{df_, b1_, product_, keep};
  const KrylovResult found =
      solve_by_krylov(KrylovMethod::cg, normal, f_, eps_ * f_.norm(), k_work_, s2_);
  krylov_iterations_ += found.iterations;
  if (!found.converged) {
    what_failed_ = "conjugate gradients on df dfᵀ do not converge: its rows may be dependent";
    return Status::iteration_limit;
  }
  multiply_transposed(df_, s2_, s1_);
  s1_ = -s1_;
  return Status::ok;
}

Status CurveProjection::inexact_step(const Curve& curve, CurveEvaluation& ev) {
  if (const Status st = assemble_A(curve, ev); st != Status::ok) return st;
  if (solve_schur()) return Status::ok;
  // far from M, A may be indefinite
  if (!A_is_identity_) {
    A_is_identity_ = true;
    if (solve_schur()) return Status::ok;
  }
  what_failed_ = "the Krylov method for its steps does not converge: rows of df may be dependent";
  return Status::iteration_limit;
}

// Algorithm 4.4 with b = -F
bool CurveProjection::solve_schur() {
  b1_ = -F1_;
  if (!solve_A(b1_, u_)) return false;
  // -S w = b_2 - df u
  multiply(df_, u_, b2_);
  b2_ = -f_ - b2_;
  const auto solve = [this](const Vec& b, Vec& x) { return solve_A(b, x); };
  ProductWithSchur schur{df_, b1_, product_, solve};
  const double norm_b = std::sqrt(F1_.squaredNorm() + f_.squaredNorm());
  const KrylovResult found =
      solve_by_krylov(options_.krylov, schur, b2_, eps_ * norm_b, k_work_, w_);
  krylov_iterations_ += found.iterations;
  if (!found.converged) return false;
  multiply_transposed(df_, w_, b1_);
  if (!solve_A(b1_, s1_)) return false;
  s1_ += u_;
  s2_ = -w_;
  return true;
}

}  // namespace taut
