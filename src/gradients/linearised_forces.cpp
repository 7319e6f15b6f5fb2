// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/linearised_forces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "readings/base_of.hpp"

namespace taut {
namespace {

constexpr Needs of_motion =
    needs(Target::mass, Target::force, Target::constraint_jacobian, Target::constraint_curvature);
constexpr Needs of_rows = needs(Target::constraint, Target::constraint_jacobian,
                                Target::constraint_rate, Target::velocity_jacobian);

/// The columns of a wide matrix that belong to coordinates.
Sparse narrow(const Sparse& wide, Index rows, Index columns) {
  Sparse result(rows, columns);
  for (Index r = 0; r < rows; ++r) {
    result.startVec(r);
    for (Sparse::InnerIterator it{wide, r}; it; ++it)
      if (it.col() < columns) result.insertBack(r, it.col()) = it.value();
  }
  result.finalize();
  return result;
}

void copy_narrow(const Sparse& wide, Sparse& to) {
  double* value = to.valuePtr();
  for (Index r = 0; r < to.rows(); ++r)
    for (Sparse::InnerIterator it{wide, r}; it; ++it)
      if (it.col() < to.cols()) *value++ = it.value();
}

}  // namespace

Status LinearisedForces::start(const WideSystem& wide, const System& reading,
                               std::vector<int> column_of) {
  wide_ = &wide;
  reading_ = read_like(wide.system(), reading);
  base_system_ = wide.system();
  column_of_ = std::move(column_of);
  nq_ = wide.nq();
  nc_ = reading_.nc();
  reading_.prepare(ev_);
  base_system_.prepare(base_);
  base_system_.prepare(rows_);
  const Structure& structure = reading_.structure();
  M_ = narrow(structure.M, nq_, nq_);
  G_ = narrow(structure.G, nc_, nq_);
  kkt_.analyse(M_, G_);
  no_compliance_ = of_places_ = Vec::Zero(nc_);
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && row.of_velocities) of_places_[row.equation] = 1.0;
  q_ = v_ = a_wide_ = Vec::Zero(nq_ + wide.ne());
  a_.setZero(nq_);
  lambda_.setZero(nc_);
  x_.setZero(nq_ + wide.ne(), columns());
  w_ = x_;
  moves_compliance_ = false;
  for (const auto& slopes : {wide.directions().compliance, wide.directions().damping})
    for (const Vec& slope : slopes) moves_compliance_ |= slope.any();
  return Status::ok;
}

Status LinearisedForces::factor(const Evaluation& ev, const Vec& compliance) {
  copy_narrow(ev.M, M_);
  copy_narrow(ev.G, G_);
  if (const Status status = kkt_.factor_mass(M_); status != Status::ok) return status;
  return kkt_.factor_constraints(G_, compliance);
}

Status LinearisedForces::forces(double t, const Vec& q, const Vec& v) {
  t_ = t;
  q_.head(nq_) = q;
  v_.head(nq_) = v;
  if (const Status status = reading_.evaluate(of_motion, {.t = t, .q = q_, .v = v_}, ev_);
      status != Status::ok)
    return status;
  if (const Status status = factor(ev_, no_compliance_); status != Status::ok) return status;
  rhs_ = ev_.f.head(nq_);
  target_ = -ev_.curvature;
  kkt_.solve(rhs_, target_, a_, lambda_);
  a_wide_.head(nq_) = a_;
  return Status::ok;
}

void LinearisedForces::place(double t, const Vec& q, const Vec& v, const Vec& a) {
  t_ = t;
  q_.head(nq_) = q;
  v_.head(nq_) = v;
  a_wide_.head(nq_) = a_ = a;
}

Status LinearisedForces::linearise() {
  const Arguments here{.t = t_, .q = q_, .v = v_, .a = &a_wide_, .lambda = &lambda_};
  if (const Status status = reading_.evaluate(needs(Target::stiffness, Target::damping), here, ev_);
      status != Status::ok)
    return status;
  if (nc_ > 0)
    if (const Status status = base_system_.evaluate(
            needs(Target::observable_q, Target::observable_v),
            {.t = t_, .q = q_, .v = v_, .a = &a_wide_, .lambda = nullptr}, base_);
        status != Status::ok)
      return status;
  return moves_compliance_ ? evaluate_rows() : Status::ok;
}

Status LinearisedForces::evaluate_rows() {
  return base_system_.evaluate(of_rows, {.t = t_, .q = q_, .v = v_}, rows_);
}

void LinearisedForces::widen(const Mat& q, Mat& x) const {
  x.setZero(nq_ + wide_->ne(), columns());
  x.topRows(nq_) = q;
  for (std::size_t j = 0; j < column_of_.size(); ++j)
    if (column_of_[j] >= 0) x(nq_ + column_of_[j], static_cast<Index>(j)) = 1.0;
}

// (4)
void LinearisedForces::add_compliance(Mat& force) const {
  const Structure& structure = reading_.structure();
  const ParameterDirections& directions = wide_->directions();
  for (std::size_t j = 0; j < column_of_.size(); ++j) {
    const int e = column_of_[j];
    if (e < 0 || e >= static_cast<int>(directions.compliance.size())) continue;
    const auto column = static_cast<Index>(j);
    for (std::size_t r = 0; r < structure.rows.size(); ++r) {
      const Row& row = structure.rows[r];
      const auto at = static_cast<Index>(r);
      if (row.equation >= 0) continue;
      const double by_C = directions.compliance[static_cast<std::size_t>(e)][at];
      const double by_d = directions.damping[static_cast<std::size_t>(e)][at];
      if (by_C == 0.0 && by_d == 0.0) continue;
      double rate = rows_.g_t[at];
      for (Sparse::InnerIterator it{rows_.G, at}; it; ++it) rate += it.value() * v_[it.col()];
      const double load = (rows_.g[at] + row.damping * rate) / row.compliance;
      const double change = (rate * by_d - load * by_C) / row.compliance;
      for (Sparse::InnerIterator it{rows_.G, at}; it; ++it)
        if (it.col() < nq_) force(it.col(), column) -= it.value() * change;
    }
  }
}

void LinearisedForces::rates(const Tangent& at, Mat& w_rate, Mat& lambda_rate) {
  widen(at.q, x_);
  w_.topRows(nq_) = at.v;
  force_.noalias() = -(ev_.K * x_).topRows(nq_);
  force_ -= (ev_.D * w_).topRows(nq_);
  if (moves_compliance_) add_compliance(force_);
  w_rate.resize(nq_, columns());
  lambda_rate.resize(nc_, columns());
  if (nc_ > 0) {
    const Mat all = -(base_.observable_q * x_ + base_.observable_v * w_);
    second_.resize(nc_, columns());
    const auto& rows = reading_.structure().rows;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].equation >= 0)
        second_.row(rows[r].equation) = all.row(wide_->first_of_rows() + static_cast<Index>(r));
  }
  for (Index j = 0; j < columns(); ++j) {
    rhs_ = force_.col(j);
    if (nc_ == 0) {
      kkt_.solve_mass(rhs_, x1_);
    } else {
      target_ = second_.col(j);
      x1_.resize(nq_);
      l1_.resize(nc_);
      kkt_.solve(rhs_, target_, x1_, l1_);
      lambda_rate.col(j) = l1_;
    }
    w_rate.col(j) = x1_;
  }
}

Status LinearisedForces::project(double t, const Vec& q, const Vec& v, Tangent& columns_of) {
  if (nc_ == 0) return Status::ok;
  t_ = t;
  q_.head(nq_) = q;
  v_.head(nq_) = v;
  const Needs wanted = needs(Target::mass, Target::constraint_jacobian, Target::velocity_jacobian);
  if (const Status status = reading_.evaluate(wanted, {.t = t, .q = q_, .v = v_}, ev_);
      status != Status::ok)
    return status;
  x1_.resize(nq_);
  l1_.resize(nc_);
  const bool has_velocity_rows = of_places_.any();
  Evaluation& ev = ev_;
  const Sparse G_all = ev.G;
  if (has_velocity_rows)
    for (Index r = 0; r < nc_; ++r)
      if (of_places_[r] != 0.0)
        for (Sparse::InnerIterator it{ev.G, r}; it; ++it) it.valueRef() = 0.0;
  if (const Status status = factor(ev, of_places_); status != Status::ok) return status;
  for (int pass = 0; pass < 2; ++pass) {
    widen(columns_of.q, x_);
    const Mat left = ev.G * x_;
    for (Index j = 0; j < columns(); ++j) {
      target_ = -left.col(j);
      kkt_.solve_constraint(target_, x1_, l1_);
      columns_of.q.col(j) += x1_;
    }
  }
  if (has_velocity_rows) {
    ev.G = G_all;
    if (const Status status = factor(ev, no_compliance_); status != Status::ok) return status;
  }
  widen(columns_of.q, x_);
  const Mat from_places = ev.N * x_;
  for (int pass = 0; pass < 2; ++pass) {
    w_.topRows(nq_) = columns_of.v;
    const Mat left = ev.G * w_ + from_places;
    for (Index j = 0; j < columns(); ++j) {
      target_ = -left.col(j);
      kkt_.solve_constraint(target_, x1_, l1_);
      columns_of.v.col(j) += x1_;
    }
  }
  return Status::ok;
}

Status LinearisedForces::observe() {
  return base_system_.evaluate(
      needs(Target::observable, Target::observable_q, Target::observable_v, Target::observable_t),
      {.t = t_, .q = q_, .v = v_, .a = &a_wide_, .lambda = nullptr}, base_);
}

double LinearisedForces::observable_rate(Index k) const {
  double rate = base_.observable_t[k];
  for (Sparse::InnerIterator it{base_.observable_q, k}; it; ++it) rate += it.value() * v_[it.col()];
  for (Sparse::InnerIterator it{base_.observable_v, k}; it; ++it)
    rate += it.value() * a_wide_[it.col()];
  return rate;
}

double LinearisedForces::blur(Index k) const {
  double size = std::abs(base_.observable[k]);
  for (Sparse::InnerIterator it{base_.observable_q, k}; it; ++it)
    size += std::abs(it.value() * q_[it.col()]);
  for (Sparse::InnerIterator it{base_.observable_v, k}; it; ++it)
    size += std::abs(it.value() * v_[it.col()]);
  return error_ * size;
}

// (5), with γ'' from its rate a moment later
Status LinearisedForces::touches(Index k, bool& touched) {
  const double t = t_, rate = observable_rate(k), within = blur(k);
  const Vec q = q_.head(nq_), v = v_.head(nq_), a = a_;
  place(t + moment_, q + moment_ * (v + moment_ / 2 * a), v + moment_ * a, a);
  const Status ahead = observe();
  const double bend = (observable_rate(k) - rate) / moment_;
  place(t, q, v, a);
  if (const Status status = observe(); status != Status::ok) return status;
  touched = rate == 0.0 || (ahead == Status::ok && rate * rate <= 2 * std::abs(bend) * within);
  return Status::ok;
}

Vec LinearisedForces::observable_slopes(Index k, const Tangent& at) const {
  Mat x;
  widen(at.q, x);
  Vec slopes = Vec::Zero(columns());
  for (Sparse::InnerIterator it{base_.observable_q, k}; it; ++it)
    slopes += it.value() * x.row(it.col()).transpose();
  for (Sparse::InnerIterator it{base_.observable_v, k}; it; ++it)
    if (it.col() < nq_) slopes += it.value() * at.v.row(it.col()).transpose();
  return slopes;
}

Status LinearisedForces::all_multipliers(const Tangent& at, const Mat& lambda_rate, Vec& lambda,
                                         Mat& slopes) {
  const Structure& structure = reading_.structure();
  const auto rows = static_cast<Index>(structure.rows.size());
  lambda.resize(rows);
  slopes.resize(rows, columns());
  bool springs = false;
  for (const Row& row : structure.rows) springs |= row.equation < 0;
  if (springs)
    if (const Status status = evaluate_rows(); status != Status::ok) return status;
  widen(at.q, x_);
  w_.topRows(nq_) = at.v;
  const ParameterDirections& directions = wide_->directions();
  for (Index r = 0; r < rows; ++r) {
    const Row& row = structure.rows[static_cast<std::size_t>(r)];
    if (row.equation >= 0) {
      lambda[r] = lambda_[row.equation];
      slopes.row(r) = lambda_rate.row(row.equation);
      continue;
    }
    double rate = rows_.g_t[r];
    Eigen::RowVectorXd stretch = Eigen::RowVectorXd::Zero(columns()), speed = stretch;
    for (Sparse::InnerIterator it{rows_.G, r}; it; ++it) {
      rate += it.value() * v_[it.col()];
      stretch += it.value() * x_.row(it.col());
      speed += it.value() * w_.row(it.col());
    }
    for (Sparse::InnerIterator it{rows_.N, r}; it; ++it) speed += it.value() * x_.row(it.col());
    lambda[r] = (rows_.g[r] + row.damping * rate) / row.compliance;
    slopes.row(r) = (stretch + row.damping * speed) / row.compliance;
    for (std::size_t j = 0; j < column_of_.size(); ++j) {
      const int e = column_of_[j];
      if (e < 0 || e >= static_cast<int>(directions.compliance.size())) continue;
      slopes(r, static_cast<Index>(j)) +=
          (rate * directions.damping[static_cast<std::size_t>(e)][r] -
           lambda[r] * directions.compliance[static_cast<std::size_t>(e)][r]) /
          row.compliance;
    }
  }
  return Status::ok;
}

}  // namespace taut
