// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#pragma GCC visibility push(default)

// Vectors go from a program to the library and back: both must allocate and align them alike,
// whatever instruction set or sanitizer each is compiled for. The target taut::taut and taut.pc
// define what is needed, for every source that includes Eigen.
static_assert(EIGEN_MAX_ALIGN_BYTES == 64 && EIGEN_MAX_STATIC_ALIGN_BYTES == 16 &&
                  EIGEN_MALLOC_ALREADY_ALIGNED == 0,
              "link taut::taut, or compile with what 'pkg-config --cflags taut' says");

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

#pragma GCC visibility pop
