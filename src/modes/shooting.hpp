// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/linear_flow.hpp"
#include "modes/manifold_basis.hpp"
#include "taut/modes/periodic.hpp"

namespace taut {

/// One period of the motion from a state, in coordinates y of the tangent space of its constraint
/// manifold there, orthonormal in the metric of M.
struct Shot {
  Status status = Status::ok;
  Mat Z, Zv, PZ;  ///< dq = Z y1, dv = Zv y2 + PZ y1
  Sparse M;
  Vec r;  ///< y of x(T) - x(0)
  Mat monodromy;
  Vec rate, end_rate;   ///< y of (v, a) at both ends
  Vec lowest, highest;  ///< of places and of states
  double travel = 0.0;  ///< largest |y| of x(t) - x(0)
  /// That, or a thousandth of the state in the same metric where it is smaller: what is small
  /// beside it is nothing.
  double size = 0.0;
  double extent = 0.0;  ///< largest change of a number of the state

  [[nodiscard]] Index dimension() const { return Z.cols() + Zv.cols(); }
  [[nodiscard]] Vec coordinates(const Vec& dq, const Vec& dv) const;
  [[nodiscard]] Vec dq(const Vec& y) const { return Z * y.head(Z.cols()); }
  [[nodiscard]] Vec dv(const Vec& y) const {
    return PZ * y.head(Z.cols()) + Zv * y.tail(Zv.cols());
  }
};

[[nodiscard]] Shot shoot(LinearFlow& flow, const State& state, double period);

/// The state moved by y, on its constraints.
[[nodiscard]] Status move(const LinearFlow& flow, const Shot& shot, const Vec& y, State& state);

/// E = T + U of a state.
[[nodiscard]] double energy_of(const System& system, const State& state);
/// Its derivative by y, by differences.
[[nodiscard]] Vec energy_slope(const System& system, const Shot& shot, const State& state);

/// Trivial multipliers first, then the largest: the derivative of x(T) in the directions that are
/// normal to `trivial`, columns that are 0 or orthonormalised here. Each is an eigenvector of the
/// monodromy or of its transpose with the multiplier 1.
[[nodiscard]] Eigen::VectorXcd multipliers_of(const Mat& monodromy, const Mat& trivial);

/// How far the monodromy is from differences of the flow, of its size in one direction: something
/// is not smooth along the motion where that is not small.
[[nodiscard]] double doubt(LinearFlow& flow, const Shot& shot, const State& state, double period);

}  // namespace taut
