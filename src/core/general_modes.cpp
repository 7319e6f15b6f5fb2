// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Eigenvalues>

#include "core/dense_decompositions.hpp"

namespace taut {

GeneralModes general_modes(const Mat& A, Wanted wanted) {
  const bool shapes = wanted == Wanted::values_and_shapes;
  if (A.size() == 0) return {true, Eigen::VectorXcd(0), Eigen::MatrixXcd(0, 0)};
  const Eigen::EigenSolver<Mat> solver{A, shapes};
  if (solver.info() != Eigen::Success) return {};
  return {true, solver.eigenvalues(), shapes ? solver.eigenvectors() : Eigen::MatrixXcd{}};
}

}  // namespace taut
