// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>

#include "core/lu.hpp"
#include "modes/linear_point.hpp"
#include "taut/modes/linearize.hpp"

namespace taut {

/// H(i omega) of a model at rest with sparse matrices, one factorisation for each frequency:
///
///   [K + i omega D - omega² M, Gᵀ; G, 0] (x, mu) = (F, 0)                                    (1)
///   H = Yq x + i omega Yv x - omega² Ya x + Yl mu + Dt                                       (2)
///
/// Rows of G that follow from others are left out; what outputs read of mu is not determined then,
/// and refused. Cost: that of Lu, complex, and as many solutions as there are inputs.
class SparseTransfer {
 public:
  SparseTransfer(const LinearPoint& point, const LinearModel& linear);

  [[nodiscard]] Status status() const { return status_; }
  [[nodiscard]] const char* reason() const { return reason_; }
  /// Rows: outputs; columns: inputs; nan where (1) has no solution, at a root that nothing damps.
  [[nodiscard]] Eigen::MatrixXcd operator()(double omega) const;

 private:
  const LinearModel& linear_;
  Status status_ = Status::ok;
  const char* reason_ = "";
  Index nq_ = 0;
  Sparse K_, D_, M_;  // with rows and columns of G, of one pattern
  mutable Lu<std::complex<double>> lu_;
};

}  // namespace taut
