// SPDX-License-Identifier: BSD-3-Clause
#include "modes/manifold_basis.hpp"

#include <Eigen/Cholesky>
#include <utility>

#include "readings/base_of.hpp"

namespace taut {
namespace {

constexpr double independent = 1e-8;  // sine of the angle between rows of G, in the metric of M⁻¹

}  // namespace

ManifoldBasis::ManifoldBasis(const System& system, const LinearTerms& terms) {
  const Structure& structure = system.structure();
  const Index nq = structure.nq, nz = structure.nz, p = nq - nz, nc = structure.nc;
  const Eigen::LLT<Mat> factor{Mat{terms.M}};
  if (factor.info() != Eigen::Success) {
    status_ = Status::mass_singular;
    return;
  }
  L_ = factor.matrixL();
  Y_.resize(nq, nc);
  if (nc > 0) {
    Y_ = L_.triangularView<Eigen::Lower>().solve(Mat{terms.G}.transpose());
    down_.emplace(Y_.transpose(), independent);
    across_.emplace(Y_, independent);
  }

  std::vector<Index> of_places;
  for (const Row& row : structure.rows)
    if (row.equation >= 0 && !row.of_velocities) of_places.push_back(row.equation);
  Mat Y_places(p, static_cast<Index>(of_places.size()));
  for (std::size_t k = 0; k < of_places.size(); ++k)
    Y_places.col(static_cast<Index>(k)) = Y_.col(of_places[k]).head(p);
  const auto upper = L_.topLeftCorner(p, p).transpose().triangularView<Eigen::Upper>();
  const auto allowed = [&](const Mat& rows) -> Mat {
    if (p == 0) return Mat(0, 0);
    if (rows.cols() == 0) return upper.solve(Mat::Identity(p, p));
    const LeastSquares kept = least_squares(rows, Vec::Zero(p), independent);
    if (kept.complement.cols() == 0) return Mat(p, 0);
    return upper.solve(kept.complement);
  };
  const Mat Zp = allowed(Y_places);
  const Mat Zvp = static_cast<Index>(of_places.size()) == nc ? Zp : allowed(Y_.topRows(p));
  Z_ = Mat::Zero(nq, Zp.cols());
  Z_.topRows(p) = Zp;
  Zv_ = Mat::Zero(nq, Zvp.cols() + nz);
  Zv_.topLeftCorner(p, Zvp.cols()) = Zvp;
  Zv_.bottomRightCorner(nz, nz).setIdentity();
  PZ_ = Mat::Zero(nq, Z_.cols());
  if (nc == 0 || terms.N.nonZeros() == 0) return;
  const Mat rates = terms.N * Z_;
  if (rates.isZero(0.0)) return;
  for (Index k = 0; k < Z_.cols(); ++k) PZ_.col(k) = smallest(-rates.col(k));
}

Vec ManifoldBasis::smallest(const Vec& right) const {
  return L_.transpose().triangularView<Eigen::Upper>().solve(down_->solve(right));
}

void ManifoldBasis::solve(const Mat& rhs, const Mat& curvature, Mat& da, Mat& dlambda) const {
  da = Zv_ * (Zv_.transpose() * rhs);
  dlambda = Mat::Zero(Y_.cols(), rhs.cols());
  if (Y_.cols() == 0) return;
  const auto lower = L_.triangularView<Eigen::Lower>();
  for (Index k = 0; k < rhs.cols(); ++k) {
    if (!curvature.col(k).isZero(0.0)) da.col(k) += smallest(-curvature.col(k));
    const Vec left = lower.solve(rhs.col(k)) - L_.transpose() * da.col(k);
    dlambda.col(k) = across_->solve(left);
  }
}

Status ManifoldBasis::curvature_changes(const LinearPoint& point, const Mat& dq, const Mat& dv,
                                        Index count, Mat& change) const {
  const System base = base_of(point.system);
  const std::vector<Row>& below = base.structure().rows;
  const std::vector<Row>& rows = point.system.structure().rows;
  std::vector<Evaluation> out(2);
  for (Evaluation& ev : out) base.prepare(ev);
  const State& at = point.state;
  // d(G a)/dq is what N is with a in the place of v, less what it is without
  Evaluation ev;
  point.system.prepare(ev);
  const Vec still = Vec::Zero(at.v.size());
  Mat of_G = Mat::Zero(change.rows(), count);
  for (const auto& [v, sign] : {std::pair{&point.a, 1.0}, std::pair{&still, -1.0}}) {
    if (const Status st = point.system.evaluate(need(Target::velocity_jacobian),
                                                {.t = at.t, .q = at.q, .v = *v}, ev);
        st != Status::ok)
      return st;
    of_G += sign * (ev.N * dq.leftCols(count));
  }
  for (Index k = 0; k < count; ++k) {
    const std::vector<Vec> q{at.q, dq.col(k)}, v{at.v, dv.col(k)};
    // t goes on with the parameter of the series: q and v are its coefficients of order 0 and 1,
    // and what t alone changes is taken off by a second series with neither
    const Status with =
        base.evaluate_series(need(Target::constraint_curvature), {.t = at.t, .q = q, .v = v}, out);
    if (with != Status::ok) return with;
    Vec first = out[1].curvature;
    const std::vector<Vec> q0{at.q, Vec::Zero(at.q.size())}, v0{at.v, Vec::Zero(at.v.size())};
    const Status alone = base.evaluate_series(need(Target::constraint_curvature),
                                              {.t = at.t, .q = q0, .v = v0}, out);
    if (alone != Status::ok) return alone;
    first -= out[1].curvature;
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (rows[r].equation >= 0)
        change(rows[r].equation, k) = first[below[r].equation] + of_G(rows[r].equation, k);
  }
  return Status::ok;
}

}  // namespace taut
