// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/status.hpp"
#include "taut/core/types.hpp"
#include "taut/statics/equilibria.hpp"

namespace taut {

/// Solutions exp(s t) of  x'' + D x' + K x = 0;  of the last nz of x, which are first-order states,
/// x' takes the place of x'', and K that of D.
struct LinearMotion {
  Status status = Status::ok;
  Stability stability = Stability::undecided;
  std::vector<double> omega;  ///< |Im s|, fastest first, each pair once
  double growth = 0.0;        ///< largest Re s > 0; 0: none
  double softest = 0.0;       ///< smallest eigenvalue of K, the real part where they are complex
  double softest_error = 0.0;
  Vec squares;  ///< eigenvalues of the symmetric part of K, ascending
  Mat modes;    ///< their directions, one column each
};

/// Whether they grow. Without D and with symmetric K the squares of the frequencies decide; their
/// error is rounding of numbers as large as `terms`, and what K lacks in symmetry. Otherwise the
/// roots s do.
[[nodiscard]] LinearMotion linear_motion(const Mat& K, const Mat& D, double terms = 0.0,
                                         Index nz = 0);

/// Whether K is symmetric but for errors of differences it may be made of.
[[nodiscard]] bool nearly_symmetric(const Mat& K);

}  // namespace taut
