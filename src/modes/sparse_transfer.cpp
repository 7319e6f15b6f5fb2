// SPDX-License-Identifier: BSD-3-Clause
#include "modes/sparse_transfer.hpp"

#include <limits>
#include <vector>

#include "modes/krylov_modes.hpp"

namespace taut {
namespace {

using Complex = std::complex<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

void add(Entries& to, const Sparse& from, Index row, double factor) {
  for (Index i = 0; i < from.outerSize(); ++i)
    for (Sparse::InnerIterator it{from, i}; it; ++it)
      to.emplace_back(static_cast<int>(row + i), static_cast<int>(it.col()), factor * it.value());
}

void add_transposed(Entries& to, const Sparse& from, Index column, double factor) {
  for (Index i = 0; i < from.outerSize(); ++i)
    for (Sparse::InnerIterator it{from, i}; it; ++it)
      to.emplace_back(static_cast<int>(it.col()), static_cast<int>(column + i),
                      factor * it.value());
}

}  // namespace

SparseTransfer::SparseTransfer(const LinearPoint& point, const LinearModel& linear)
    : linear_{linear}, nq_{linear.M.rows()} {
  if (!point.rest) {
    status_ = Status::not_supported;
    reason_ = "of more than 1000 coordinates only a model at rest has a response";
    return;
  }
  const Sparse G = independent_part(point, linear.G);
  if (G.rows() < linear.G.rows() && linear.Yl.nonZeros() > 0) {
    status_ = Status::not_supported;
    reason_ = "an output reads multipliers of constraints that depend on each other";
    return;
  }
  const Index n = nq_ + G.rows();
  // of one pattern: zeros of the others are entries, too
  const auto filled = [&](double of_K, double of_D, double of_M) {
    Entries entries;
    add(entries, linear.K, 0, of_K);
    add(entries, linear.D, 0, of_D);
    add(entries, linear.M, 0, of_M);
    add(entries, G, nq_, of_K);
    add_transposed(entries, G, nq_, of_K);
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 0.0);
    Sparse matrix(n, n);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  };
  K_ = filled(1, 0, 0);
  D_ = filled(0, 1, 0);
  M_ = filled(0, 0, 1);
  lu_.analyse(K_, G.rows());
}

Eigen::MatrixXcd SparseTransfer::operator()(double omega) const {
  const Complex i{0.0, 1.0};
  const Index inputs = linear_.F.cols();
  // (1)
  for (Index k = 0; k < K_.nonZeros(); ++k)
    lu_.values()[k] =
        K_.valuePtr()[k] + i * omega * D_.valuePtr()[k] - omega * omega * M_.valuePtr()[k];
  Eigen::MatrixXcd H = linear_.Dt.cast<Complex>();
  if (lu_.factor() != Status::ok) {
    H.setConstant(std::numeric_limits<double>::quiet_NaN());
    return H;
  }
  for (Index k = 0; k < inputs; ++k) {
    Eigen::VectorXcd b = Eigen::VectorXcd::Zero(K_.rows());
    b.head(nq_) = linear_.F.col(k).cast<Complex>();
    lu_.solve(b.data());
    // (2), of real and imaginary parts by themselves
    const auto seen = [&](const Sparse& Y, const Eigen::VectorXcd& x) {
      const Vec re = x.real(), im = x.imag();
      Eigen::VectorXcd y(Y.rows());
      y.real() = Y * re;
      y.imag() = Y * im;
      return y;
    };
    const Eigen::VectorXcd x = b.head(nq_);
    H.col(k) +=
        seen(linear_.Yq, x) + i * omega * seen(linear_.Yv, x) - omega * omega * seen(linear_.Ya, x);
    if (linear_.Yl.nonZeros() > 0) H.col(k) += seen(linear_.Yl, b.tail(b.size() - nq_));
  }
  return H;
}

}  // namespace taut
