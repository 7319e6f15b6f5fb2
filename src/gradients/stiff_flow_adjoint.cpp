// SPDX-License-Identifier: BSD-3-Clause
// The transposes of what StiffFlow does to columns.
#include <array>

#include "core/dense_decompositions.hpp"
#include "gradients/stiff_flow.hpp"
#include "methods/radau_coefficients.hpp"
#include "methods/radau_predictor.hpp"
#include "tableaux/implicit_tableaux.hpp"

namespace taut {
namespace {

constexpr std::size_t stages = 5;

/// Aᵀ y.
Mat transposed(const Mat& A, const Mat& y) { return product(A.transpose(), y); }

}  // namespace

StiffFlow::Covectors StiffFlow::covectors(Index columns) const {
  const auto nk = static_cast<Index>(compliant_.size());
  Covectors on;
  on.s.assign(stages + 1, Mat::Zero(nq_, columns));
  on.w = on.s;
  on.gamma.assign(stages + 1, Mat::Zero(nk, columns));
  on.e = Mat::Zero(wide_.ne(), columns);
  return on;
}

Status StiffFlow::take(double t0, double t1, const Mat& inside) {
  const Vec& c = radau_coefficients(static_cast<int>(stages)).c;
  taken_ = inside;
  taken_from_ = t0;
  taken_to_ = t1;
  for (std::size_t i = 0; i < stages; ++i) {
    const auto at = inside.col(static_cast<Index>(i) + 1);
    const double t = i + 1 == stages ? t1 : t0 + c[static_cast<Index>(i)] * (t1 - t0);
    const State state{t, at.head(nq_), at.segment(nq_, nq_)};
    if (const Status status = linearise(state, at.segment(2 * nq_, nq_), at.tail(nc_), stages_[i]);
        status != Status::ok)
      return status;
  }
  return Status::ok;
}

Status StiffFlow::pull_back(Covectors& on) const {
  const double h = taken_to_ - taken_from_;
  const Mat& A = radau_iia(static_cast<int>(stages)).A;
  const Vec sum = (radau_coefficients(static_cast<int>(stages)).A_inverse / h).rowwise().sum();
  const auto nk = static_cast<Index>(compliant_.size());
  const Index n = nq_ + 2 * nc_ + nk, m = on.e.cols();
  const Index w = 0, load = nq_, mu = nq_ + nc_, gamma = nq_ + 2 * nc_;
  const Mat B = B_of_step();
  // s_i = s_0 + h Σ a_ij (w_j - B μ_j)
  Mat costs = Mat::Zero(static_cast<Index>(stages) * n, m);
  for (std::size_t j = 0; j < stages; ++j) {
    const Index row = static_cast<Index>(j) * n;
    Mat places = Mat::Zero(nq_, m);
    for (std::size_t i = 0; i < stages; ++i)
      places += h * A(static_cast<Index>(i), static_cast<Index>(j)) * on.s[i + 1];
    costs.middleRows(row + w, nq_) = on.w[j + 1] + places;
    if (nc_ > 0) costs.middleRows(row + mu, nc_) = -transposed(B, places);
    costs.middleRows(row + gamma, nk) = on.gamma[j + 1];
    on.s[0] += on.s[j + 1];
  }
  Mat y;
  if (!solve_with_pivots(matrix_of_step(h, B).transpose(), std::move(costs), y))
    return Status::singular_matrix;
  for (std::size_t i = 0; i < stages; ++i) {
    const Stage& stage = stages_[i];
    const Index row = static_cast<Index>(i) * n;
    const double sum_i = sum[static_cast<Index>(i)];
    const Mat y_w = y.middleRows(row + w, nq_);
    on.w[0] += sum_i * transposed(stage.M, y_w);
    const auto subtract = [&](const Mat& wide, const Mat& by) {
      const Mat all = transposed(wide, by);
      on.s[0] -= all.topRows(nq_);
      on.e -= all.bottomRows(wide_.ne());
    };
    subtract(stage.K, y_w);
    if (nc_ > 0) {
      Mat y_load = y.middleRows(row + load, nc_);
      for (Index r = 0; r < nc_; ++r)
        if (of_velocities_[static_cast<std::size_t>(r)]) y_load.row(r).setZero();
      subtract(stage.G, y_load);
      subtract(stage.N, y.middleRows(row + mu, nc_));
    }
    for (Index k = 0; k < nk; ++k) {
      const int r = compliant_[static_cast<std::size_t>(k)];
      on.e += stage.load.row(k).transpose() * y.row(row + gamma + k);
      on.gamma[0].row(k) += sum_i * (d_[r] * y.row(row + gamma + k) - C_[r] * y.row(row + mu + r));
    }
  }
  return on.s[0].allFinite() && on.w[0].allFinite() && on.e.allFinite() ? Status::ok
                                                                        : Status::non_finite;
}

Status StiffFlow::pull_back_loads(std::size_t node, const Mat& on_a, const Mat& on_lambda,
                                  Covectors& on) {
  const auto at = taken_.col(static_cast<Index>(node));
  const double h = taken_to_ - taken_from_;
  const Vec& c = radau_coefficients(static_cast<int>(stages)).c;
  const double t = node == 0        ? taken_from_
                   : node == stages ? taken_to_
                                    : taken_from_ + c[static_cast<Index>(node) - 1] * h;
  const State state{t, at.head(nq_), at.segment(nq_, nq_)};
  Stage here;
  if (const Status status = linearise(state, at.segment(2 * nq_, nq_), at.tail(nc_), here);
      status != Status::ok)
    return status;
  const bool inside = node > 0;
  const Index m = on_a.cols(), ne = wide_.ne();
  const auto nk = static_cast<Index>(compliant_.size());
  Vec hard = Vec::Zero(nc_);
  Mat G = nc_ > 0 ? Mat{here.G.leftCols(nq_)} : Mat(0, nq_);
  std::vector<bool> soft(static_cast<std::size_t>(nk), true);
  if (nc_ > 0) {
    const Mat inverse = inverse_of(here.M);
    for (Index k = 0; k < nk; ++k) {
      const int r = compliant_[static_cast<std::size_t>(k)];
      const double S = G.row(r).dot(product(inverse, G.row(r).transpose()).col(0));
      soft[static_cast<std::size_t>(k)] = d_[r] > 0.0 || !inside || C_[r] >= 1e-4 * h * h * S;
      if (!soft[static_cast<std::size_t>(k)]) continue;
      G.row(r).setZero();
      hard[r] = 1.0;
    }
  }
  Mat matrix = Mat::Zero(nq_ + nc_, nq_ + nc_), rhs(nq_ + nc_, m), solution;
  matrix.topLeftCorner(nq_, nq_) = here.M;
  matrix.topRightCorner(nq_, nc_) = G.transpose();
  matrix.bottomLeftCorner(nc_, nq_) = G;
  matrix.bottomRightCorner(nc_, nc_).diagonal() = hard;
  rhs.topRows(nq_) = on_a;
  rhs.bottomRows(nc_) = on_lambda;
  if (!solve_with_pivots(std::move(matrix), std::move(rhs), solution))
    return Status::singular_matrix;
  const Mat alpha = solution.topRows(nq_);
  const Mat on_x = -transposed(here.K, alpha);
  on.s[node] += on_x.topRows(nq_);
  on.e += on_x.bottomRows(ne);
  on.w[node] -= transposed(here.D, alpha);
  if (nc_ == 0) return Status::ok;
  Mat beta = solution.bottomRows(nc_);
  for (Index r = 0; r < nc_; ++r)
    if (hard[r] != 0.0) beta.row(r).setZero();
  if (const Status status =
          base_.evaluate(needs(Target::observable_q, Target::observable_v),
                         {.t = t, .q = q_, .v = v_, .a = &a_, .lambda = nullptr}, rows_);
      status != Status::ok)
    return status;
  const auto& rows = reading_.structure().rows;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].equation < 0) continue;
    const Eigen::RowVectorXd by = beta.row(rows[r].equation);
    const Index observable = wide_.first_of_rows() + static_cast<Index>(r);
    for (Sparse::InnerIterator it{rows_.observable_q, observable}; it; ++it)
      if (it.col() < nq_)
        on.s[node].row(it.col()) -= it.value() * by;
      else
        on.e.row(it.col() - nq_) -= it.value() * by;
    for (Sparse::InnerIterator it{rows_.observable_v, observable}; it; ++it)
      if (it.col() < nq_) on.w[node].row(it.col()) -= it.value() * by;
  }
  DerivativeWeights weights{};
  if (inside) {
    std::array<double, 8> nodes{};
    for (std::size_t i = 0; i < stages; ++i) nodes[i + 1] = c[static_cast<Index>(i)];
    weights = derivative_weights((t - taken_from_) / h, nodes.data(), static_cast<int>(stages) + 1);
  }
  for (Index k = 0; k < nk; ++k) {
    const int r = compliant_[static_cast<std::size_t>(k)];
    Eigen::RowVectorXd zeta = Eigen::RowVectorXd::Zero(m);
    if (soft[static_cast<std::size_t>(k)]) {
      zeta = on_lambda.row(r) - here.G.row(r).head(nq_) * alpha;
      on.e -= here.load.row(k).transpose() * zeta;
    }
    if (!inside) {
      on.gamma[0].row(k) += zeta;
      continue;
    }
    for (std::size_t i = 0; i <= stages; ++i)
      on.gamma[i].row(k) += (weights[0][i] + d_[r] * weights[1][i] / h) * zeta +
                            C_[r] * weights[2][i] / (h * h) * beta.row(r);
  }
  return Status::ok;
}

void StiffFlow::pull_back_start(Covectors& on) const {
  for (std::size_t k = 0; k < compliant_.size(); ++k) {
    const int r = compliant_[k];
    const Eigen::RowVectorXd by = on.gamma[0].row(static_cast<Index>(k)) / C_[r];
    on.s[0] += start_G_.row(r).head(nq_).transpose() * by;
    on.e += start_G_.row(r).tail(wide_.ne()).transpose() * by;
  }
}

}  // namespace taut
