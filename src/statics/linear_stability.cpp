// SPDX-License-Identifier: BSD-3-Clause
#include "statics/linear_stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// frequencies and growth where the squares decide
void from_squares(LinearMotion& found) {
  const double error = found.softest_error;
  for (const double square : found.squares) {
    if (square > error) found.omega.push_back(std::sqrt(square));
    if (square < -error) found.growth = std::max(found.growth, std::sqrt(-square));
  }
  found.stability = found.softest < -error  ? Stability::unstable
                    : found.softest > error ? Stability::stable
                                            : Stability::undecided;
}

// the same from the roots of the pencil
void from_roots(const Mat& K, const Mat& D, Index nz, LinearMotion& found) {
  // of (x, x', z), the states z
  const Index n = K.rows() - nz;
  Mat companion = Mat::Zero(2 * n + nz, 2 * n + nz);
  companion.block(0, n, n, n).setIdentity();
  companion.bottomLeftCorner(n + nz, n) = -K.leftCols(n);
  companion.block(n, n, n + nz, n) = -D.leftCols(n);
  companion.bottomRightCorner(n + nz, nz) = -K.rightCols(nz);
  // x' in units of x times the fastest rate: both halves are then of one size
  const double rate = std::max(std::sqrt(K.norm()), D.norm());
  if (rate > 0.0) {
    companion.middleCols(n, n) *= rate;
    companion.middleRows(n, n) /= rate;
  }
  const GeneralModes motion = general_modes(companion, Wanted::values);
  const GeneralModes statics = general_modes(K, Wanted::values);
  if (!motion.found || !statics.found) {
    found.status = Status::iteration_limit;
    return;
  }
  found.softest = statics.values.real().minCoeff();
  // a double root on the axis is split by the square root of rounding
  const double border = 10 * std::sqrt(epsilon) * rate;
  for (const auto& s : motion.values) {
    if (s.imag() > border) found.omega.push_back(s.imag());
    if (s.real() > border) found.growth = std::max(found.growth, s.real());
  }
  found.stability = found.growth > 0.0                              ? Stability::unstable
                    : std::abs(found.softest) > found.softest_error ? Stability::stable
                                                                    : Stability::undecided;
}

}  // namespace

bool nearly_symmetric(const Mat& K) {
  constexpr double of_differences = 1e-5;
  return (K - K.transpose()).norm() <= of_differences * K.norm();
}

LinearMotion linear_motion(const Mat& K, const Mat& D, double terms, Index nz) {
  LinearMotion found;
  if (K.rows() == 0) {
    // nothing can move
    found.stability = Stability::stable;
    found.softest = std::numeric_limits<double>::infinity();
    return found;
  }
  SymmetricModes modes = symmetric_modes((K + K.transpose()) / 2);
  if (!modes.found) {
    found.status = Status::iteration_limit;
    return found;
  }
  found.squares = std::move(modes.omega2);
  found.modes = std::move(modes.shapes);
  found.softest = found.squares[0];
  const bool symmetric = nearly_symmetric(K);
  found.softest_error = static_cast<double>(K.rows()) * 1e2 * epsilon *
                        std::max(terms, found.squares.cwiseAbs().maxCoeff());
  if (symmetric) found.softest_error += (K - K.transpose()).norm() / 2;
  if (symmetric && D.isZero(0.0) && nz == 0)
    from_squares(found);
  else
    from_roots(K, D, nz, found);
  std::sort(found.omega.rbegin(), found.omega.rend());
  return found;
}

}  // namespace taut
