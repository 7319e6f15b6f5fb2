// SPDX-License-Identifier: BSD-3-Clause
#include "core/null_space.hpp"

#include <algorithm>

namespace taut {
namespace {

constexpr Index most_numbers = Index{1} << 24;

}  // namespace

void NullSpace::resize(Index size, Index count) {
  const Index held = size > 0 ? std::min(count, std::max<Index>(1, most_numbers / size)) : 0;
  vectors_.resize(size, held);
  basis_.resize(size, held);
}

void NullSpace::set(Index k, const double* n) {
  auto vector = vectors_.col(k);
  vector = Eigen::Map<const Vec>(n, vectors_.rows());
  vector /= vector.cwiseAbs().maxCoeff();
}

void NullSpace::orthonormalise() {
  // Gram-Schmidt; the second pass removes what rounding left in the first
  for (Index k = 0; k < count(); ++k) {
    auto q = basis_.col(k);
    q = vectors_.col(k);
    for (int pass = 0; pass < 2; ++pass)
      for (Index i = 0; i < k; ++i) q -= basis_.col(i).dot(q) * basis_.col(i);
    q /= q.norm();
  }
}

void NullSpace::remove_from(double* y) const {
  Eigen::Map<Vec> vector(y, basis_.rows());
  for (Index k = 0; k < basis_.cols(); ++k) vector -= basis_.col(k).dot(vector) * basis_.col(k);
}

}  // namespace taut
