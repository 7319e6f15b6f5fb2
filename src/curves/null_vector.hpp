// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// The vector u, |u| = 1, that a small dense matrix D takes to zero, where there is one:
///
///   D u = 0,    D of k rows and c columns,   s_1 >= ... >= s_(c-1) > 0 = s_c                   (1)
///
/// with s_i the singular values, of which those beyond k are 0. D need not have u exactly: away
/// from the manifold overdetermined rows contradict one another a little, and u is then the vector
/// of the smallest s. The rows of D are expected to have about the size 1.
///
/// Fails with singular_matrix when s_(c-1) is below `independent` times s_1 (more directions than
/// one), or s_c is not below a tenth of s_(c-1) (no direction); with non_finite.
/// Nothing is allocated after resize().
class NullVector {
 public:
  static constexpr double independent = 1e-12;

  void resize(Index rows, Index columns);

  Mat D;  ///< filled by the caller before each call; not kept

  /// Householder's reflections with exchanged columns; sizes are those on the diagonal of R.
  [[nodiscard]] Status by_qr(Vec& u);
  /// Rotations of pairs of columns until all are orthogonal (Hestenes); sizes are s.
  [[nodiscard]] Status by_svd(Vec& u);
  /// Conjugate gradients for |D u|²/2 on the sphere (tuomela2005, Algorithm 5.2, with the search
  /// direction computed after a restart, not before), from the u given. It does not see whether
  /// there are more directions than one. Fails with iteration_limit too.
  [[nodiscard]] Status by_sphere(Vec& u);

  /// Singular values, descending, and vectors of D, which is overwritten: shapes() has them as
  /// columns.
  [[nodiscard]] Status decompose();
  [[nodiscard]] const Vec& sizes() const { return sizes_; }
  [[nodiscard]] const Mat& shapes() const { return shapes_; }
  /// How many of the sizes are not below `independent` times the largest.
  [[nodiscard]] Index rank() const;
  [[nodiscard]] int iterations() const { return iterations_; }  ///< of by_sphere

 private:
  [[nodiscard]] Status judge() const;

  Vec sizes_;
  Mat shapes_;
  Eigen::VectorXi order_;
  Vec G_, H_, h_, Y_, Du_, Dh_;
  int iterations_ = 0;
};

}  // namespace taut
