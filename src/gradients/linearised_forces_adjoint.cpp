// SPDX-License-Identifier: BSD-3-Clause
// The transposes of what LinearisedForces does to columns.
#include "gradients/linearised_forces.hpp"

namespace taut {
namespace {

/// to -= Aᵀ y, y of the rows of A.
void subtract_transposed(const Sparse& A, const Mat& y, Mat& to) {
  for (Index r = 0; r < y.rows(); ++r)
    for (Sparse::InnerIterator it{A, r}; it; ++it)
      if (it.col() < to.rows()) to.row(it.col()) -= it.value() * y.row(r);
}

}  // namespace

void LinearisedForces::pull_back(const Mat& on_a, const Mat& on_lambda, Mat& on_x, Mat& on_w) {
  const Index m = on_a.cols();
  alpha_.resize(nq_, m);
  second_.setZero(nc_, m);
  x1_.resize(nq_);
  l1_.resize(nc_);
  for (Index j = 0; j < m; ++j) {
    rhs_ = on_a.col(j);
    if (nc_ == 0) {
      kkt_.solve_mass(rhs_, x1_);
    } else {
      target_ = on_lambda.col(j);
      kkt_.solve(rhs_, target_, x1_, l1_);
      second_.col(j) = l1_;
    }
    alpha_.col(j) = x1_;
  }
  subtract_transposed(ev_.K, alpha_, on_x);
  subtract_transposed(ev_.D, alpha_, on_w);
  if (nc_ > 0) {
    const auto& rows = reading_.structure().rows;
    Mat beta = Mat::Zero(base_.observable_q.rows(), m);
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].equation >= 0)
        beta.row(wide_->first_of_rows() + static_cast<Index>(r)) = second_.row(rows[r].equation);
    subtract_transposed(base_.observable_q, beta, on_x);
    subtract_transposed(base_.observable_v, beta, on_w);
  }
  if (!moves_compliance_) return;
  const Structure& structure = reading_.structure();
  const ParameterDirections& directions = wide_->directions();
  for (std::size_t r = 0; r < structure.rows.size(); ++r) {
    const Row& row = structure.rows[r];
    if (row.equation >= 0) continue;
    const auto at = static_cast<Index>(r);
    double rate = rows_.g_t[at];
    Eigen::RowVectorXd along = Eigen::RowVectorXd::Zero(m);
    for (Sparse::InnerIterator it{rows_.G, at}; it; ++it) {
      rate += it.value() * v_[it.col()];
      if (it.col() < nq_) along += it.value() * alpha_.row(it.col());
    }
    const double load = (rows_.g[at] + row.damping * rate) / row.compliance;
    for (std::size_t e = 0; e < directions.compliance.size(); ++e)
      on_x.row(nq_ + static_cast<Index>(e)) -=
          (rate * directions.damping[e][at] - load * directions.compliance[e][at]) /
          row.compliance * along;
  }
}

void LinearisedForces::pull_back_multipliers(const Mat& on_rows, Mat& on_lambda, Mat& on_x,
                                             Mat& on_w) const {
  const Structure& structure = reading_.structure();
  const ParameterDirections& directions = wide_->directions();
  for (std::size_t r = 0; r < structure.rows.size(); ++r) {
    const Row& row = structure.rows[r];
    const auto at = static_cast<Index>(r);
    if (row.equation >= 0) {
      on_lambda.row(row.equation) += on_rows.row(at);
      continue;
    }
    const Eigen::RowVectorXd each = on_rows.row(at) / row.compliance;
    if (each.isZero(0.0)) continue;
    double rate = rows_.g_t[at];
    for (Sparse::InnerIterator it{rows_.G, at}; it; ++it) {
      rate += it.value() * v_[it.col()];
      on_x.row(it.col()) += it.value() * each;
      if (it.col() < nq_) on_w.row(it.col()) += row.damping * it.value() * each;
    }
    for (Sparse::InnerIterator it{rows_.N, at}; it; ++it)
      on_x.row(it.col()) += row.damping * it.value() * each;
    const double load = (rows_.g[at] + row.damping * rate) / row.compliance;
    for (std::size_t e = 0; e < directions.compliance.size(); ++e)
      on_x.row(nq_ + static_cast<Index>(e)) +=
          (rate * directions.damping[e][at] - load * directions.compliance[e][at]) * each;
  }
}

Status LinearisedForces::pull_back_projection(double t, const Vec& q, const Vec& v, Mat& on_x,
                                              Mat& on_w) {
  if (nc_ == 0) return Status::ok;
  t_ = t;
  q_.head(nq_) = q;
  v_.head(nq_) = v;
  const Needs wanted = needs(Target::mass, Target::constraint_jacobian, Target::velocity_jacobian);
  if (const Status status = reading_.evaluate(wanted, {.t = t, .q = q_, .v = v_}, ev_);
      status != Status::ok)
    return status;
  const Index m = on_x.cols();
  x1_.resize(nq_);
  l1_.resize(nc_);
  target_.setZero(nc_);
  // P = M⁻¹Gᵀ(G M⁻¹ Gᵀ)⁻¹:  y -> Pᵀy
  Mat nu(nc_, m);
  const auto pulled = [&](const Mat& y) {
    for (Index j = 0; j < m; ++j) {
      rhs_ = y.col(j).head(nq_);
      target_.setZero(nc_);
      kkt_.solve(rhs_, target_, x1_, l1_);
      nu.col(j) = l1_;
    }
  };
  if (const Status status = factor(ev_, no_compliance_); status != Status::ok) return status;
  for (int pass = 0; pass < 2; ++pass) {
    pulled(on_w);
    subtract_transposed(ev_.G, nu, on_w);
    subtract_transposed(ev_.N, nu, on_x);
  }
  if (of_places_.any()) {
    for (Index r = 0; r < nc_; ++r)
      if (of_places_[r] != 0.0)
        for (Sparse::InnerIterator it{ev_.G, r}; it; ++it) it.valueRef() = 0.0;
    if (const Status status = factor(ev_, of_places_); status != Status::ok) return status;
  }
  for (int pass = 0; pass < 2; ++pass) {
    pulled(on_x);
    subtract_transposed(ev_.G, nu, on_x);
  }
  return Status::ok;
}

void LinearisedForces::pull_back_observable(Index k, const Vec& by, Mat& on_x, Mat& on_w) const {
  for (Sparse::InnerIterator it{base_.observable_q, k}; it; ++it)
    on_x.row(it.col()) += it.value() * by.transpose();
  for (Sparse::InnerIterator it{base_.observable_v, k}; it; ++it)
    if (it.col() < nq_) on_w.row(it.col()) += it.value() * by.transpose();
}

}  // namespace taut
