// SPDX-License-Identifier: BSD-3-Clause
#include "newton.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

using Real = NewtonStudy::Real;

// of the iteration with matrix J for equations whose derivative at the solution is F1
NewtonStudy::Contraction contraction_of(const MatOf<Real>& J, const MatOf<Real>& F1) {
  const MatOf<Real> B = MatOf<Real>::Identity(J.rows(), J.cols()) - Lu{J}.solve(F1);
  const VecOf<Real> of_J = singular_values(J);
  return {singular_values(B)(0), eigenvalues(B).cwiseAbs().maxCoeff(),
          of_J(0) / of_J(of_J.size() - 1)};
}

// d(M x)/dy at fixed x, minus df/dy
MatOf<Real> smooth_part(const Problem<Real>& problem, const MassAt<Real>& mass,
                        const ForceAt<Real>& force, const VecOf<Real>& x) {
  MatOf<Real> result = -force.f_y;
  for (int k = 0; k < problem.n(); ++k) result.col(k) += mass.dM[static_cast<std::size_t>(k)] * x;
  return result;
}

}  // namespace

NewtonStudy::NewtonStudy(const Problem<Real>& problem, const Tableau<Real>& tableau, Real eps,
                         Point<Real> from)
    : problem_{problem},
      tableau_{tableau},
      A2_{tableau.A.lazyProduct(tableau.A)},
      eps_{eps},
      from_{std::move(from)} {}

MatOf<Real> NewtonStudy::positions(const MatOf<Real>& acceleration, Real h) const {
  return (h * from_.v * tableau_.c.transpose() + h * h * acceleration.lazyProduct(A2_.transpose()))
             .colwise() +
         from_.y;
}

MatOf<Real> NewtonStudy::velocities(const MatOf<Real>& acceleration, Real h) const {
  return (h * acceleration.lazyProduct(tableau_.A.transpose())).colwise() + from_.v;
}

// stage accelerations of the augmented form, whose Newton iteration does not mind ε
MatOf<Real> NewtonStudy::solution(Real eps, Real h) const {
  return FixedStep<Real>{problem_, tableau_, Form::index3, eps}.stages(from_, h).value().A;
}

VecOf<Real> NewtonStudy::residual(const MatOf<Real>& acceleration, Real h) const {
  const MatOf<Real> Y = positions(acceleration, h), V = velocities(acceleration, h);
  MatOf<Real> F(problem_.n(), tableau_.s);
  for (int i = 0; i < tableau_.s; ++i)
    F.col(i) = problem_.mass(Y.col(i)).M * acceleration.col(i) -
               problem_.force(Y.col(i), V.col(i)).f +
               problem_.potential(Y.col(i)).gradient / (eps_ * eps_);
  return F.reshaped();
}

MatOf<Real> NewtonStudy::jacobian(const MatOf<Real>& acceleration, Real h) const {
  const Eigen::Index n = problem_.n(), s = tableau_.s;
  const MatOf<Real> Y = positions(acceleration, h), V = velocities(acceleration, h);
  MatOf<Real> F1(s * n, s * n);
  for (Eigen::Index i = 0; i < s; ++i) {
    const MassAt<Real> mass = problem_.mass(Y.col(i));
    const ForceAt<Real> force = problem_.force(Y.col(i), V.col(i));
    const MatOf<Real> by_position = smooth_part(problem_, mass, force, acceleration.col(i)) +
                                    problem_.potential(Y.col(i)).hessian / (eps_ * eps_);
    for (Eigen::Index k = 0; k < s; ++k)
      F1.block(i * n, k * n, n, n) =
          h * h * A2_(i, k) * by_position - h * tableau_.A(i, k) * force.f_v;
    F1.block(i * n, i * n, n, n) += mass.M;
  }
  return F1;
}

MatOf<Real> NewtonStudy::matrix(NewtonMatrix which, Real h) const {
  const Eigen::Index n = problem_.n(), s = tableau_.s;
  MatOf<Real> P = from_.y.replicate(1, s);                                               // (8.1)
  if (which == NewtonMatrix::along_velocity) P += h * from_.v * tableau_.c.transpose();  // (8.2)
  if (which == NewtonMatrix::at_constrained_stages) P = positions(solution(0, h), h);    // (8.3)
  const MatOf<Real> M = problem_.mass(from_.y).M;
  MatOf<Real> J(s * n, s * n);
  for (Eigen::Index i = 0; i < s; ++i) {
    const MatOf<Real> H = problem_.potential(P.col(i)).hessian;
    for (Eigen::Index k = 0; k < s; ++k)
      J.block(i * n, k * n, n, n) = (h / eps_) * (h / eps_) * A2_(i, k) * H;
    J.block(i * n, i * n, n, n) += M;
  }
  return J;
}

NewtonStudy::Contraction NewtonStudy::contraction(NewtonMatrix which, Real h) const {
  return contraction_of(matrix(which, h), jacobian(solution(eps_, h), h));
}

NewtonStudy::Contraction NewtonStudy::augmented(Real h) const {
  const Eigen::Index n = problem_.n(), m = problem_.m(), s = tableau_.s;
  const auto x = FixedStep<Real>{problem_, tableau_, Form::index3, eps_}.stages(from_, h).value();
  const ConstraintsAt<Real> c0 = problem_.constraints(from_.y);
  const MatOf<Real> M0 = problem_.mass(from_.y).M;
  MatOf<Real> J = MatOf<Real>::Zero(s * (n + m), s * (n + m)), F1 = J;
  for (Eigen::Index i = 0; i < s; ++i) {
    const VecOf<Real> Y = from_.y + x.Z.col(i);
    const ConstraintsAt<Real> c = problem_.constraints(Y);
    const MassAt<Real> mass = problem_.mass(Y);
    const ForceAt<Real> force = problem_.force(Y, x.V.col(i));
    MatOf<Real> by_position = smooth_part(problem_, mass, force, x.A.col(i));
    for (Eigen::Index k = 0; k < m; ++k)
      by_position += x.Lambda(k, i) * c.hessian[static_cast<std::size_t>(k)];
    const Eigen::Index row = s * n + i * m;
    for (Eigen::Index k = 0; k < s; ++k) {
      F1.block(i * n, k * n, n, n) =
          h * h * A2_(i, k) * by_position - h * tableau_.A(i, k) * force.f_v;
      F1.block(row, k * n, m, n) = A2_(i, k) * c.G;
      J.block(row, k * n, m, n) = A2_(i, k) * c0.G;
    }
    F1.block(i * n, i * n, n, n) += mass.M;
    F1.block(i * n, row, n, m) = c.G.transpose();
    J.block(i * n, i * n, n, n) = M0;
    J.block(i * n, row, n, m) = c0.G.transpose();
  }
  J.diagonal().tail(s * m).array() = -(eps_ / h) * (eps_ / h);
  F1.diagonal().tail(s * m) = J.diagonal().tail(s * m);
  return contraction_of(J, F1);
}

bool NewtonStudy::converges(NewtonMatrix which, Guess guess, Real h) const {
  const Lu lu{matrix(which, h)};
  MatOf<Real> x;
  if (guess == Guess::constrained) {
    x = solution(0, h);
  } else {
    const MatOf<Real> Gt = problem_.constraints(from_.y).G.transpose();
    const VecOf<Real> a =
        Lu{problem_.mass(from_.y).M}.solve(problem_.force(from_.y, from_.v).f - Gt * from_.lambda);
    x = a.replicate(1, tableau_.s);
  }
  Real last = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < 10; ++i) {
    const VecOf<Real> dx = lu.solve(-residual(x, h));
    const Real size = dx.norm();
    if (size < Real(1e-8L)) return true;  // accelerations are O(1)
    if (!(size < last)) return false;
    last = size;
    x += dx.reshaped(x.rows(), x.cols());
  }
  return false;
}

}  // namespace taut::papers::stiff_rk
