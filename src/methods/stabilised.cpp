// SPDX-License-Identifier: BSD-3-Clause
#include "methods/stabilised.hpp"

#include <algorithm>
#include <array>

#include "core/dense_decompositions.hpp"

namespace taut::sundials {
namespace {

using ConstMap = Eigen::Map<const Vec>;
using Map = Eigen::Map<Vec>;

// blocks of (5), in the order given to analyse()
enum Part : std::size_t {
  dq_dot,
  hessian,
  minus_one,
  G_transposed_mu,
  stiffness_part,
  mass_part,
  damping_part,
  G_transposed_lambda,
  position_G,
  velocity_N,
  velocity_G,
  dropped_lambda,
  dropped_mu,
  rolling_mu
};

}  // namespace

Status Stabilised::start(const System& system, SUNContext context) {
  const Structure& s = system.structure();
  system_ = system;
  nq_ = s.nq;
  nc_ = s.nc;
  for (Vec* x : {&q_, &v_, &q_dot_, &v_dot_}) x->setZero(nq_);
  for (Vec* x : {&lambda_, &mu_, &other_lambda_}) x->setZero(nc_);
  keep_.setOnes(nc_);
  one_ = identity(nq_);
  dropped_ = rolling_ = identity(nc_);
  places_.setOnes(nc_);
  for (const Row& row : s.rows)
    if (row.equation >= 0 && row.of_velocities) places_(row.equation) = 0.0;
  system_.prepare(ev_);
  system_.prepare(other_);

  // columns and rows of (5) begin at
  const Index v = nq_, lambda = 2 * nq_, mu = 2 * nq_ + nc_;
  const std::array<BlockMatrix::Block, 14> blocks{{
      {.pattern = &one_, .row = 0, .column = 0},
      {.pattern = &s.K, .row = 0, .column = 0},
      {.pattern = &one_, .row = 0, .column = v},
      {.pattern = &s.G, .row = 0, .column = mu, .transposed = true},
      {.pattern = &s.K, .row = v, .column = 0},
      {.pattern = &s.M, .row = v, .column = v},
      {.pattern = &s.D, .row = v, .column = v},
      {.pattern = &s.G, .row = v, .column = lambda, .transposed = true},
      {.pattern = &s.G, .row = lambda, .column = 0},
      {.pattern = &s.N, .row = mu, .column = 0},
      {.pattern = &s.G, .row = mu, .column = v},
      {.pattern = &dropped_, .row = lambda, .column = lambda},
      {.pattern = &dropped_, .row = mu, .column = mu},
      {.pattern = &rolling_, .row = lambda, .column = mu},
  }};
  matrix_.analyse(size(), blocks, context);

  no_compliance_.setZero(nc_);
  kkt_.analyse(s.M, s.G);
  if (s.mass_constant)
    if (const Status status = kkt_.factor_mass(s.M); status != Status::ok) return status;
  return accelerations_.start(system_);
}

Status Stabilised::factor_kkt() {
  if (nc_ == 0) return Status::ok;
  return system_.structure().mass_constant ? kkt_.factor_constraints(ev_.G, no_compliance_)
                                           : kkt_.factor(ev_.M, ev_.G, no_compliance_);
}

Status Stabilised::consistent(const State& state, Vec& y, Vec& y_dot) {
  ++counters.force_evaluations;
  if (const Status status = accelerations_(system_, state.t, state.q, state.v, v_dot_, lambda_);
      status != Status::ok)
    return status;
  keep_.setOnes();
  for (const int row : accelerations_.kkt().dependent()) keep_(row) = 0.0;
  dropped_.coeffs() = 1.0 - keep_.array();
  rolling_.coeffs() = keep_.array() * (1.0 - places_.array());

  // the multipliers of replaced rows vanish, and what they carried goes to the others
  if (!accelerations_.kkt().dependent().empty()) {
    const Mat& n = accelerations_.kkt().dependencies();
    const std::vector<int>& rows = accelerations_.kkt().dependent();
    Mat n_dropped(static_cast<Index>(rows.size()), n.cols());
    Vec lambda_dropped(n_dropped.rows());
    for (Index i = 0; i < n_dropped.rows(); ++i) {
      n_dropped.row(i) = n.row(rows[static_cast<std::size_t>(i)]);
      lambda_dropped(i) = lambda_(rows[static_cast<std::size_t>(i)]);
    }
    lambda_ -= n * solve_with_full_pivots(n_dropped, lambda_dropped);
    lambda_.array() *= keep_.array();
  }
  y.resize(size());
  y_dot.setZero(size());
  y << state.q, state.v, lambda_, Vec::Zero(nc_);
  y_dot.head(nq_) = state.v;
  y_dot.segment(nq_, nq_) = v_dot_;
  return Status::ok;
}

Vec Stabilised::differential() const {
  Vec id = Vec::Zero(size());
  id.head(2 * nq_).setOnes();
  return id;
}

void Stabilised::take(const double* y, const double* y_dot) {
  q_ = ConstMap{y, nq_};
  v_ = ConstMap{y + nq_, nq_};
  lambda_ = ConstMap{y + 2 * nq_, nc_};
  mu_ = ConstMap{y + 2 * nq_ + nc_, nc_};
  q_dot_ = ConstMap{y_dot, nq_};
  v_dot_ = ConstMap{y_dot + nq_, nq_};
}

const Sparse& Stabilised::mass() const {
  return system_.structure().mass_constant ? system_.structure().M : ev_.M;
}

Status Stabilised::residual(double t, const double* y, const double* y_dot, double* r) {
  take(y, y_dot);
  ++counters.force_evaluations;
  Needs wanted = need(Target::force);
  if (!system_.structure().mass_constant) wanted |= need(Target::mass);
  if (nc_ > 0)
    wanted |= needs(Target::constraint, Target::constraint_jacobian, Target::constraint_rate);
  if (const Status status = system_.evaluate(wanted, {.t = t, .q = q_, .v = v_}, ev_);
      status != Status::ok)
    return status;

  // (1), (2)
  Map r1{r, nq_}, r2{r + nq_, nq_};
  r1 = q_dot_ - v_;
  r2.noalias() = mass() * v_dot_;
  r2 -= ev_.f;
  if (nc_ == 0) return Status::ok;
  r1.noalias() += ev_.G.transpose() * mu_;
  r2.noalias() += ev_.G.transpose() * lambda_;

  // (3), (4)
  Map r3{r + 2 * nq_, nc_}, r4{r + 2 * nq_ + nc_, nc_};
  r3 = keep_.cwiseProduct(ev_.g) + dropped_.coeffs().matrix().cwiseProduct(lambda_) +
       rolling_.coeffs().matrix().cwiseProduct(mu_);
  r4 = ev_.g_t;
  r4.noalias() += ev_.G * v_;
  r4 = keep_.cwiseProduct(r4) + dropped_.coeffs().matrix().cwiseProduct(mu_);
  return Status::ok;
}

Status Stabilised::jacobian(double t, double c, const double* y, const double* y_dot) {
  take(y, y_dot);
  ++counters.jacobian_evaluations;
  Needs wanted = needs(Target::stiffness, Target::damping);
  if (!system_.structure().mass_constant) wanted |= need(Target::mass);
  if (nc_ > 0) wanted |= needs(Target::constraint_jacobian, Target::velocity_jacobian);
  const Arguments at{.t = t, .q = q_, .v = v_, .a = &v_dot_, .lambda = &lambda_};
  if (const Status status = system_.evaluate(wanted, at, ev_); status != Status::ok) return status;

  matrix_.set_zero();
  matrix_.add(dq_dot, c, one_);
  matrix_.add(minus_one, -1.0, one_);
  matrix_.add(stiffness_part, 1.0, ev_.K);
  matrix_.add(mass_part, c, mass());
  matrix_.add(damping_part, 1.0, ev_.D);
  if (nc_ == 0) return Status::ok;
  matrix_.add(G_transposed_mu, 1.0, ev_.G);
  matrix_.add(G_transposed_lambda, 1.0, ev_.G);
  matrix_.add_rows(position_G, 1.0, ev_.G, keep_.cwiseProduct(places_));
  matrix_.add_rows(velocity_N, 1.0, ev_.N, keep_);
  matrix_.add_rows(velocity_G, 1.0, ev_.G, keep_);
  matrix_.add(dropped_lambda, 1.0, dropped_);
  matrix_.add(dropped_mu, 1.0, dropped_);
  matrix_.add(rolling_mu, 1.0, rolling_);

  // H: K is linear in λ, so that a step of any length along μ gives it without truncation; the
  // length makes the difference as large as λ itself
  const double mu_size = mu_.cwiseAbs().maxCoeff();
  if (mu_size == 0.0) return Status::ok;
  const double length = std::max(1.0, lambda_.cwiseAbs().maxCoeff()) / mu_size;
  other_lambda_ = lambda_ + length * mu_;
  const Arguments shifted{.t = t, .q = q_, .v = v_, .a = &v_dot_, .lambda = &other_lambda_};
  if (const Status status = system_.evaluate(need(Target::stiffness), shifted, other_);
      status != Status::ok)
    return status;
  matrix_.add(hessian, 1.0 / length, other_.K);
  matrix_.add(hessian, -1.0 / length, ev_.K);
  return Status::ok;
}

}  // namespace taut::sundials
