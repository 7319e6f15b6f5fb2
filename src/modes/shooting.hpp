// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/linear_flow.hpp"
#include "modes/manifold_basis.hpp"
#include "taut/modes/periodic.hpp"

namespace taut {

/// The motion from a state for a time, in coordinates y of the tangent space of its constraint
/// manifold there, orthonormal in the metric of M.
struct Shot {
  Status status = Status::ok;
  State end;
  LinearFlow::Columns columns;  ///< derivative of the end by y
  Vec a_end;
  Mat Z, Zv, PZ;  ///< dq = Z y1, dv = Zv y2 + PZ y1
  Sparse M;
  Vec rate;             ///< y of (v, a) at the start
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

/// No step is longer than `longest`: between steps extremes are those of a cubic.
[[nodiscard]] Shot shoot(LinearFlow& flow, const State& state, double time, double longest);

/// A closed chain of N motions, each for the time T/N from a node x_k, in the coordinates of the
/// tangent spaces at the nodes; x_N = x_0, and angles may have made whole turns by then:
///
///   r_k = y of  x(T/N; x_k) - x_k+1,    X_k = dr_k/dy_k,    dr_k/dT = y of (v, a)_k+1 / N     (1)
///
/// Small changes grow by X_N-1 ... X_0 in a period; where that is large, no single part does.
struct ShotChain {
  Status status = Status::ok;
  std::vector<State> nodes;
  std::vector<Shot> shots;
  std::vector<Vec> r, end_rate;  ///< of (1); end_rate is N dr_k/dT
  std::vector<Mat> X;
  double travel = 0.0, size = 0.0, extent = 0.0;  ///< as in Shot: the largest of all
  Vec lowest, highest;

  [[nodiscard]] Index parts() const { return static_cast<Index>(shots.size()); }
  /// Where the unknowns of a node begin in those of all, one node after the other.
  [[nodiscard]] Index begin(Index node) const;
  [[nodiscard]] Index dimension() const { return begin(parts()); }
  [[nodiscard]] Index next(Index node) const { return node + 1 == parts() ? 0 : node + 1; }
  /// The part of a node of what belongs to all.
  template <class Vector>
  [[nodiscard]] auto part(Vector& all, Index node) const {
    return all.segment(begin(node), shots[static_cast<std::size_t>(node)].dimension());
  }
  /// r_k in the rows of the node after, its derivative by all y and by T.
  [[nodiscard]] Vec residual() const;
  [[nodiscard]] Mat jacobian() const;
  [[nodiscard]] Vec end_rates() const;
  [[nodiscard]] Vec rates() const;  ///< of all nodes
  /// y of all, from and to changes of all nodes one after the other.
  [[nodiscard]] Vec coordinates(const Vec& dq, const Vec& dv) const;
  [[nodiscard]] Vec dq(const Vec& y) const;
  [[nodiscard]] Vec dv(const Vec& y) const;
  /// sqrt(sum |r_k|²)
  [[nodiscard]] double gap() const;
  /// The largest |X_k|.
  [[nodiscard]] double growth() const;
};

/// From nodes, whose clocks are set: the first one's goes on.
[[nodiscard]] ShotChain shoot(LinearFlow& flow, std::vector<State> nodes, double period,
                              const Vec& turns);

/// The state moved by y, on its constraints.
[[nodiscard]] Status move(const LinearFlow& flow, const Shot& shot, const Vec& y, State& state);

/// All nodes, or none.
[[nodiscard]] Status move(const LinearFlow& flow, const ShotChain& chain, const Vec& y,
                          std::vector<State>& nodes);

/// A node more in the middle of every part, from the flow.
[[nodiscard]] Status split(LinearFlow& flow, double period, std::vector<State>& nodes);

/// E = T + U of a state.
[[nodiscard]] double energy_of(const System& system, const State& state);
/// Its derivative by y, by differences.
[[nodiscard]] Vec energy_slope(const System& system, const Shot& shot, const State& state);

/// Trivial multipliers first, then the largest: eigenvalues of the product of all X_k in the
/// directions that are normal to `trivial`, of each node columns that are orthonormalised here.
/// Those of a node are what X makes of those of the node before, or what its transpose makes of
/// those of the node after.
///
/// Products are never formed but of what grows alike: an orthonormal Q is carried round,
/// X_k Q_k = Q_k+1 R_k, until its leading columns stay in their space; the diagonal blocks of
/// Q_0ᵀ Q_N R_N-1 ... R_0 have the eigenvalues then, each to its own size.
[[nodiscard]] Eigen::VectorXcd multipliers_of(const std::vector<Mat>& X,
                                              const std::vector<Mat>& trivial);

/// How far X is from differences of the flow, of its size in one direction, at the part where it is
/// farthest: something is not smooth along the motion where that is not small.
[[nodiscard]] double doubt(LinearFlow& flow, const ShotChain& chain, double period);

}  // namespace taut
