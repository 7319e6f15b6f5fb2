// SPDX-License-Identifier: BSD-3-Clause
#include "fixed_step.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include "slow_manifold.hpp"

namespace taut::papers::stiff_rk {
namespace {

// Residual and Jacobian of (1) to (6), columns ordered Z, Λ, μ.
template <class Real>
class StageEquations {
 public:
  StageEquations(const Problem<Real>& problem, Form form, Real eps2, MatOf<Real> D,
                 const Point<Real>& from)
      : problem_{problem},
        form_{form},
        eps2_{eps2},
        D_{std::move(D)},
        from_{from},
        g0_{problem.constraints(from.y).g},
        s_{D_.rows()},
        n_{problem.n()},
        m_{problem.m()} {
    const Eigen::Index groups = form == Form::ode ? 0 : form == Form::ggl ? 2 : 1;
    unknowns_ = s_ * (n_ + groups * m_);
    F = VecOf<Real>(unknowns_);
    J = MatOf<Real>(unknowns_, unknowns_);
  }

  void evaluate(const typename FixedStep<Real>::Stages& x) {
    J.setZero();
    stage_.assign(static_cast<std::size_t>(s_), Local{});
    for (Eigen::Index i = 0; i < s_; ++i) at(i) = local(x, i);
    velocities(x);
    for (Eigen::Index i = 0; i < s_; ++i) {
      dynamics(i);
      if (form_ != Form::ode) constraint(x, i);
      if (form_ == Form::ggl) hidden_constraint(i);
    }
  }

  VecOf<Real> F;       ///< residual
  MatOf<Real> J;       ///< its derivative
  MatOf<Real> V, A;    ///< (1)
  MatOf<Real> Lambda;  ///< as given, or g/ε² in the form ode

 private:
  struct Local {
    VecOf<Real> Y;
    ConstraintsAt<Real> c;
    MassAt<Real> mass;
    MatOf<Real> N;    // M⁻¹Gᵀ
    VecOf<Real> w;    // M⁻¹Gᵀμ
    MatOf<Real> w_y;  // its derivative at fixed μ
  };
  Local& at(Eigen::Index i) { return stage_[static_cast<std::size_t>(i)]; }

  // Σ_k x_k Hess g_k
  static MatOf<Real> contract(const ConstraintsAt<Real>& c, const VecOf<Real>& x) {
    MatOf<Real> sum = x(0) * c.hessian[0];
    for (std::size_t k = 1; k < c.hessian.size(); ++k)
      sum += x(static_cast<Eigen::Index>(k)) * c.hessian[k];
    return sum;
  }
  // d(M x)/dy at fixed x
  static MatOf<Real> mass_times(const MassAt<Real>& mass, const VecOf<Real>& x) {
    MatOf<Real> result(x.size(), x.size());
    for (std::size_t k = 0; k < mass.dM.size(); ++k)
      result.col(static_cast<Eigen::Index>(k)) = mass.dM[k] * x;
    return result;
  }

  Local local(const typename FixedStep<Real>::Stages& x, Eigen::Index i) const {
    Local l;
    l.Y = from_.y + x.Z.col(i);
    l.c = problem_.constraints(l.Y);
    l.mass = problem_.mass(l.Y);
    l.w = VecOf<Real>::Zero(n_);
    l.w_y = MatOf<Real>::Zero(n_, n_);
    if (form_ == Form::ggl) {
      const Lu lu{l.mass.M};
      l.N = lu.solve(l.c.G.transpose());
      l.w = l.N * x.mu.col(i);
      l.w_y = lu.solve(contract(l.c, x.mu.col(i)) - mass_times(l.mass, l.w));
    }
    return l;
  }

  // (1) and its derivatives
  void velocities(const typename FixedStep<Real>::Stages& x) {
    V = x.Z.lazyProduct(D_.transpose());
    for (Eigen::Index i = 0; i < s_; ++i) V.col(i) += at(i).w;
    A = (V.colwise() - from_.v).lazyProduct(D_.transpose());
    V_x_ = MatOf<Real>::Zero(s_ * n_, unknowns_);
    for (Eigen::Index i = 0; i < s_; ++i) {
      for (Eigen::Index j = 0; j < s_; ++j)
        V_x_.block(i * n_, j * n_, n_, n_).diagonal().setConstant(D_(i, j));
      V_x_.block(i * n_, i * n_, n_, n_) += at(i).w_y;
      if (form_ == Form::ggl) V_x_.block(i * n_, s_ * (n_ + m_) + i * m_, n_, m_) = at(i).N;
    }
    A_x_ = MatOf<Real>::Zero(s_ * n_, unknowns_);
    for (Eigen::Index i = 0; i < s_; ++i)
      for (Eigen::Index j = 0; j < s_; ++j)
        A_x_.middleRows(i * n_, n_) += D_(i, j) * V_x_.middleRows(j * n_, n_);
    Lambda = x.Lambda;
    if (form_ == Form::ode)
      for (Eigen::Index i = 0; i < s_; ++i) Lambda.col(i) = at(i).c.g / eps2_;
  }

  // (2)
  void dynamics(Eigen::Index i) {
    const Local& l = at(i);
    const ForceAt<Real> force = problem_.force(l.Y, V.col(i));
    F.segment(i * n_, n_) = l.mass.M * A.col(i) - force.f + l.c.G.transpose() * Lambda.col(i);
    auto rows = J.middleRows(i * n_, n_);
    rows += l.mass.M.lazyProduct(A_x_.middleRows(i * n_, n_)) -
            force.f_v.lazyProduct(V_x_.middleRows(i * n_, n_));
    rows.middleCols(i * n_, n_) +=
        mass_times(l.mass, A.col(i)) - force.f_y + contract(l.c, Lambda.col(i));
    if (form_ == Form::ode)
      rows.middleCols(i * n_, n_) += l.c.G.transpose().lazyProduct(l.c.G) / eps2_;
    else
      rows.middleCols(s_ * n_ + i * m_, m_) += l.c.G.transpose();
  }

  // adds G(Y_i) V_i and its derivative to m rows
  void add_normal_velocity(Eigen::Index row, Eigen::Index i) {
    const Local& l = at(i);
    F.segment(row, m_) += l.c.G * V.col(i);
    J.middleRows(row, m_) += l.c.G.lazyProduct(V_x_.middleRows(i * n_, n_));
    for (Eigen::Index k = 0; k < m_; ++k)
      J.block(row + k, i * n_, 1, n_) +=
          (l.c.hessian[static_cast<std::size_t>(k)] * V.col(i)).transpose();
  }

  // (3), (4), (6)
  void constraint(const typename FixedStep<Real>::Stages& x, Eigen::Index i) {
    const Eigen::Index row = s_ * n_ + i * m_;
    F.segment(row, m_).setZero();
    if (form_ != Form::index2) {
      F.segment(row, m_) += at(i).c.g - eps2_ * x.Lambda.col(i);
      J.block(row, i * n_, m_, n_) += at(i).c.G;
      J.block(row, row, m_, m_).diagonal().array() -= eps2_;
    }
    if (form_ == Form::index2 || form_ == Form::damped) add_normal_velocity(row, i);
    if (form_ == Form::index2)
      for (Eigen::Index j = 0; j < s_; ++j) {
        F.segment(row, m_) -= eps2_ * D_(i, j) * (x.Lambda.col(j) - from_.lambda);
        J.block(row, s_ * n_ + j * m_, m_, m_).diagonal().array() -= eps2_ * D_(i, j);
      }
  }

  // (5)
  void hidden_constraint(Eigen::Index i) {
    const Eigen::Index row = s_ * (n_ + m_) + i * m_;
    F.segment(row, m_).setZero();
    add_normal_velocity(row, i);
    for (Eigen::Index j = 0; j < s_; ++j) {
      F.segment(row, m_) -= D_(i, j) * (at(j).c.g - g0_);
      J.block(row, j * n_, m_, n_) -= D_(i, j) * at(j).c.G;
    }
  }

  const Problem<Real>& problem_;
  Form form_;
  Real eps2_;
  MatOf<Real> D_;
  const Point<Real>& from_;
  VecOf<Real> g0_;
  Eigen::Index s_, n_, m_, unknowns_ = 0;
  std::vector<Local> stage_;
  MatOf<Real> V_x_, A_x_;
};

}  // namespace

template <class Real>
FixedStep<Real>::FixedStep(const Problem<Real>& problem, const Tableau<Real>& tableau, Form form,
                           Real eps)
    : problem_{problem},
      tableau_{tableau},
      A_inverse_{inverse(tableau.A)},
      form_{form},
      eps2_{eps * eps} {
  assert(form != Form::ode || eps > 0);
}

template <class Real>
auto FixedStep<Real>::stages(const Point<Real>& from, Real h) const -> std::optional<Stages> {
  const Eigen::Index s = tableau_.s, n = problem_.n(), m = problem_.m();
  StageEquations<Real> equations{problem_, form_, eps2_, A_inverse_ / h, from};

  // start from the constrained acceleration: stages O(h³) near, and Λ = O(1) whatever ε
  const Acceleration<Real> kkt = constrained_acceleration(problem_, from.y, from.v);
  const VecOf<Real> hc = h * tableau_.c;
  Stages x;
  x.Z = from.v * hc.transpose() + kkt.a / 2 * hc.array().square().matrix().transpose();
  x.Lambda = kkt.lambda.replicate(1, s);
  x.mu = MatOf<Real>::Zero(m, s);

  // Newton converges quadratically: after an update below this the error is rounding
  const Real enough = std::pow(std::numeric_limits<Real>::epsilon(), Real(0.7L));
  for (int iteration = 0; iteration < 40; ++iteration) {
    equations.evaluate(x);
    const VecOf<Real> dx = Lu{equations.J}.solve(-equations.F);
    if (!dx.allFinite()) return {};
    x.Z += dx.head(s * n).reshaped(n, s);
    if (form_ != Form::ode) x.Lambda += dx.segment(s * n, s * m).reshaped(m, s);
    if (form_ == Form::ggl) x.mu += dx.tail(s * m).reshaped(m, s);
    if (dx.head(s * n).template lpNorm<Eigen::Infinity>() > h * enough) continue;
    equations.evaluate(x);
    x.V = equations.V;
    x.A = equations.A;
    x.Lambda = equations.Lambda;
    return x;
  }
  return {};
}

template <class Real>
std::optional<Point<Real>> FixedStep<Real>::step(const Point<Real>& from, Real h) const {
  const auto x = stages(from, h);
  if (!x) return {};
  // (7)
  const VecOf<Real> weights = A_inverse_.transpose() * tableau_.b;
  return Point<Real>{from.y + x->Z * weights, from.v + (x->V.colwise() - from.v) * weights,
                     x->Lambda.col(tableau_.s - 1)};
}

template <class Real>
std::optional<Point<Real>> FixedStep<Real>::run(Point<Real> from, Real h, int steps) const {
  if (from.lambda.size() == 0)
    from.lambda = constrained_acceleration(problem_, from.y, from.v).lambda;
  for (int i = 0; i < steps; ++i) {
    auto next = step(from, h);
    if (!next) return {};
    from = *std::move(next);
  }
  return from;
}

template class FixedStep<long double>;

}  // namespace taut::papers::stiff_rk
