// SPDX-License-Identifier: BSD-3-Clause
#include "methods/index_zero.hpp"

#include <array>
#include <cmath>

namespace taut::sundials {
namespace {

using ConstMap = Eigen::Map<const Vec>;
using Map = Eigen::Map<Vec>;

// blocks of the matrix of (3), in the order given to analyse()
enum Part : std::size_t {
  mass_part,
  damping_part,
  stiffness_part,
  G_transposed,
  G_part,
  N_part,
  X_part,
  rate_part,
  dropped_part
};

}  // namespace

Status IndexZero::start(const System& system, bool newton, SUNContext context) {
  const Structure& s = system.structure();
  system_ = system;
  nq_ = s.nq;
  nc_ = s.nc;
  for (Vec* x : {&q_, &v_, &a_, &q_there_, &zero_, &b_q_, &b_v_, &top_}) x->setZero(nq_);
  for (Vec* x : {&lambda_, &bottom_}) x->setZero(nc_);
  keep_.setOnes(nc_);
  x_.setZero(nq_ + nc_);
  if (const Status status = accelerations_.start(system_); status != Status::ok) return status;
  if (!newton) return Status::ok;

  system_.prepare(ev_);
  system_.prepare(other_);
  X_ = s.N;
  dropped_ = identity(nc_);
  rolls_ = s.has_velocity_rows();
  twice_N_.setConstant(nc_, 2.0);
  for (const Row& row : s.rows)
    if (row.equation >= 0 && row.of_velocities) twice_N_(row.equation) = 1.0;
  G_rate_ = s.G;
  G_rate_.coeffs().setZero();
  const std::array<BlockMatrix::Block, 9> blocks{{
      {.pattern = &s.M, .row = 0, .column = 0},
      {.pattern = &s.D, .row = 0, .column = 0},
      {.pattern = &s.K, .row = 0, .column = 0},
      {.pattern = &s.G, .row = 0, .column = nq_, .transposed = true},
      {.pattern = &s.G, .row = nq_, .column = 0},
      {.pattern = &s.N, .row = nq_, .column = 0},
      {.pattern = &s.N, .row = nq_, .column = 0},
      {.pattern = &s.G, .row = nq_, .column = 0},
      {.pattern = &dropped_, .row = nq_, .column = nq_},
  }};
  matrix_.analyse(nq_ + nc_, blocks, context);
  return Status::ok;
}

Status IndexZero::rates(double t, const double* y, double* y_dot) {
  q_ = ConstMap{y, nq_};
  v_ = ConstMap{y + nq_, nq_};
  ++counters.force_evaluations;
  if (const Status status = accelerations_(system_, t, q_, v_, a_, lambda_); status != Status::ok)
    return status;
  Map{y_dot, nq_} = v_;
  Map{y_dot + nq_, nq_} = a_;
  return Status::ok;
}

const Sparse& IndexZero::mass() const {
  return system_.structure().mass_constant ? system_.structure().M : ev_.M;
}

Status IndexZero::linearise(double t, const double* y, double gamma) {
  q_ = ConstMap{y, nq_};
  v_ = ConstMap{y + nq_, nq_};
  ++counters.force_evaluations;
  ++counters.jacobian_evaluations;
  if (const Status status = accelerations_(system_, t, q_, v_, a_, lambda_); status != Status::ok)
    return status;
  keep_.setOnes();
  for (const int row : accelerations_.kkt().droppable()) keep_(row) = 0.0;

  Needs wanted = needs(Target::stiffness, Target::damping);
  if (!system_.structure().mass_constant) wanted |= need(Target::mass);
  if (nc_ > 0) wanted |= needs(Target::constraint_jacobian, Target::velocity_jacobian);
  const Arguments at{.t = t, .q = q_, .v = v_, .a = &a_, .lambda = &lambda_};
  if (const Status status = system_.evaluate(wanted, at, ev_); status != Status::ok) return status;
  return nc_ > 0 ? constraint_terms(t, gamma) : Status::ok;
}

Status IndexZero::constraint_terms(double t, double gamma) {
  const auto add_N = [&](double time, const Vec& q, const Vec& v, double factor, Needs also = 0) {
    const Arguments at{.t = time, .q = q, .v = v};
    const Status status = system_.evaluate(need(Target::velocity_jacobian) | also, at, other_);
    X_.coeffs() += factor * other_.N.coeffs();
    return status;
  };
  X_.coeffs().setZero();
  G_rate_.coeffs().setZero();

  // (4): g_qq a
  if (const Status status = add_N(t, q_, a_, 1.0); status != Status::ok) return status;
  if (system_.structure().constraint_uses_time)
    if (const Status status = add_N(t, q_, zero_, -1.0); status != Status::ok) return status;

  // (4): N', and G' of (5). In (3) it is multiplied by γ²: a distance well below γ leaves neither
  // truncation nor rounding of any size beside 2γN
  const double distance = 1e-3 * gamma;
  if (distance == 0.0) return Status::ok;
  const Needs also = rolls_ ? need(Target::constraint_jacobian) : 0;
  for (const double side : {1.0, -1.0}) {
    q_there_ = q_ + side * distance * v_;
    const double factor = side / (2.0 * distance);
    if (const Status status = add_N(t + side * distance, q_there_, v_, factor, also);
        status != Status::ok)
      return status;
    if (rolls_) G_rate_.coeffs() += factor * other_.G.coeffs();
  }
  for (Index row = 0; rolls_ && row < nc_; ++row)
    if (twice_N_(row) == 2.0)
      for (Sparse::InnerIterator entry{G_rate_, row}; entry; ++entry) entry.valueRef() = 0.0;
  return Status::ok;
}

bool IndexZero::factor(double gamma) {
  gamma_ = gamma;
  ++counters.factorisations;
  matrix_.set_zero();
  matrix_.add(mass_part, 1.0, mass());
  matrix_.add(damping_part, gamma, ev_.D);
  matrix_.add(stiffness_part, gamma * gamma, ev_.K);
  if (nc_ > 0) {
    dropped_.coeffs() = 1.0 - keep_.array();
    matrix_.add(G_transposed, 1.0, ev_.G);
    matrix_.add_rows(G_part, 1.0, ev_.G, keep_);
    matrix_.add_rows(N_part, gamma, ev_.N, keep_.cwiseProduct(twice_N_));
    if (rolls_) matrix_.add_rows(rate_part, gamma, G_rate_, keep_);
    matrix_.add_rows(X_part, gamma * gamma, X_, keep_);
    matrix_.add(dropped_part, 1.0, dropped_);
  }
  return matrix_.factor();
}

bool IndexZero::solve(const double* b, double* x) {
  b_q_ = ConstMap{b, nq_};
  b_v_ = ConstMap{b + nq_, nq_};

  // right-hand side of (3)
  top_.noalias() = mass() * b_v_;
  top_.noalias() -= gamma_ * (ev_.K * b_q_);
  x_.head(nq_) = top_;
  if (nc_ > 0) {
    bottom_.noalias() = ev_.G * b_v_;
    bottom_.noalias() -= gamma_ * (X_ * b_q_);
    x_.tail(nc_) = keep_.cwiseProduct(bottom_);
  }
  if (!matrix_.solve(x_)) return false;

  Map{x, nq_} = b_q_ + gamma_ * x_.head(nq_);
  Map{x + nq_, nq_} = x_.head(nq_);
  return true;
}

NewtonSolver make_newton_solver(IndexZero& problem, SUNContext context) {
  NewtonSolver newton{.matrix = own(SUNMatNewEmpty(context)),
                      .solver = own(SUNLinSolNewEmpty(context))};
  newton.matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  newton.solver->content = &problem;
  SUNLinearSolver_Ops ops = newton.solver->ops;
  ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  ops->setup = [](SUNLinearSolver, SUNMatrix) { return 0; };
  ops->solve = [](SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, double) noexcept {
    auto& index_zero = *static_cast<IndexZero*>(solver->content);
    return index_zero.solve(N_VGetArrayPointer(b), N_VGetArrayPointer(x)) ? 0 : 1;
  };
  ops->free = [](SUNLinearSolver solver) {
    solver->content = nullptr;  // not owned by it
    SUNLinSolFreeEmpty(solver);
    return 0;
  };
  return newton;
}

}  // namespace taut::sundials
