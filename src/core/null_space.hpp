// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/types.hpp"

namespace taut {

/// The null space of Gᵀ, spanned by one vector per dependent constraint.
///
/// At most 2^24 numbers are held (128 MB); vectors beyond that are left out, and what is projected
/// keeps its part along them.
class NullSpace {
 public:
  /// Room for `count` vectors of length `size`; allocates only when one of them changes.
  void resize(Index size, Index count);

  [[nodiscard]] Index count() const { return vectors_.cols(); }

  /// Takes n != 0 as vector k; orthonormalise() follows when all are there.
  void set(Index k, const double* n);
  void orthonormalise();

  /// The vectors, each scaled to max |n| = 1.
  [[nodiscard]] const Mat& vectors() const { return vectors_; }

  /// y <- y - Q Qᵀ y  with Q an orthonormal basis of the space.
  void remove_from(double* y) const;

 private:
  Mat vectors_;
  Mat basis_;  // Q
};

}  // namespace taut
