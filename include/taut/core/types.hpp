// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace taut {

using Index = Eigen::Index;

/// Column of numbers: positions, velocities, forces, multipliers.
using Vec = Eigen::VectorXd;

/// Dense matrix, column-major.
using Mat = Eigen::MatrixXd;

/// Sparse matrix stored by rows. Patterns are found once when a System is built; afterwards only
/// the values change, through slots known in advance.
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

}  // namespace taut
