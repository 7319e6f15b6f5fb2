// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/model/value.hpp"
#include "taut/modes/linearize.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct PeriodicOptions {
  /// Period [s], an expression of parameters. Of a driven motion absent: that with which time
  /// appears in the formulas of the model, where they tell it. Of a free motion a guess; absent:
  /// when the motion from the start comes back.
  std::optional<Value> period = {};
  /// Coordinates, velocities and states of the guess that are not those of the start, by name.
  std::vector<std::pair<std::string, Value>> from = {};
  /// Time that the guess is given to come near the periodic motion [s]. Absent: none where that
  /// leads to one; else as long as it takes, up to some hundred periods.
  std::optional<double> settle = {};
  double tol = 1e-11;  ///< of the flow
};

/// How small changes of a periodic motion go.
enum class Floquet : unsigned char {
  stable,      ///< all multipliers but trivial ones are inside of the unit circle
  neutral,     ///< some on it, none outside: small changes stay small, and do not die away
  divergence,  ///< a real one beyond 1
  flip,        ///< a real one below -1: changes that come back with the other sign
  torus,       ///< a pair outside: vibrations about the motion that grow
};
[[nodiscard]] std::string_view name(Floquet verdict);

/// A motion x(t + T) = x(t), found by Newton's method on x(T) - x(0) in coordinates of the
/// constraint manifold, with the derivative of the flow along the motion. Its eigenvalues are
/// Floquet's multipliers: what a small change is multiplied with in one period. Where small changes
/// grow so fast that no flow over a whole period closes, the period is cut into N parts, whose ends
/// x_k+1 are unknowns, too:
///
///   x(T/N; x_k) = x_k+1,  k = 0 ... N-1,  x_N = x_0                                          (1)
///
/// and the multipliers are those of the product of N derivatives, never formed where they differ
/// much in size. Coordinates that are angles, for which the model is the same after a whole turn,
/// may have made whole turns at T.
///
/// Of a free motion one of them is 1, that of a change along the motion, u = (v, a); of one that
/// keeps its energy E another one, for E' x' = E' x. They are trivial, and split off before the
/// others are found: with W an orthonormal basis of what is normal to both u and E', the others are
/// eigenvalues of Wᵀ X W, X the derivative of x(T) by x(0).
struct PeriodicMotion {
  Status status = Status::ok;
  std::string reason = {}, hint = {};  ///< why there is none, and what to do
  std::string model = {}, reading = {};
  State state = {};  ///< at its start
  double period = 0.0;
  bool free = false;                  ///< nothing drives it
  int trivial = 0;                    ///< multipliers that are 1 whatever the motion is
  Eigen::VectorXcd multipliers = {};  ///< trivial ones first, then the largest
  double closing = 0.0;               ///< |x(T) - x(0)| of its size; of N parts sqrt(sum |r_k|²)
  int iterations = 0;
  /// The largest distance of a coordinate of its start from the start or the guess that was given,
  /// of the largest range of one: beyond 1 another motion may be nearer to what was meant.
  double moved = 0.0;
  std::vector<State> nodes = {};  ///< x_k of (1), the first is `state`
  /// What coordinates are larger by after a period, a whole multiple of 2 pi each; empty where
  /// none has made a turn.
  Vec turns = {};
  double energy = 0.0;  ///< T + U at its start [J]
  /// Coordinates, then states of first order; the extremes of each to some 1e-6 of its size.
  std::vector<std::string> coordinates = {};
  Vec lowest = {}, highest = {};
  /// The motion at evenly spread times of one period, both ends included: a row for each time, a
  /// column for each of `coordinates`, and of `velocities`. Of points of a branch there is none.
  std::vector<std::string> velocities = {};
  std::vector<double> times = {};
  Mat places = {}, speeds = {};

  /// Multipliers outside the unit circle, trivial ones left out.
  [[nodiscard]] int growing() const;
  [[nodiscard]] Floquet verdict() const;
  [[nodiscard]] bool stable() const { return growing() == 0; }
};

/// A point of a branch of periodic motions over a parameter.
struct BranchPoint {
  enum class Kind : unsigned char {
    plain,
    fold,    ///< the branch turns back
    flip,    ///< a multiplier leaves through -1: period doubling
    torus,   ///< a pair leaves: Neimark-Sacker
    branch,  ///< one leaves through 1, and the branch does not turn back
  };
  Kind kind = Kind::plain;
  double parameter = 0.0;
  PeriodicMotion motion = {};
};
[[nodiscard]] std::string_view name(BranchPoint::Kind kind);

struct BranchOptions {
  /// One of the model's; or, where it has none of these names, the `energy` of a free motion that
  /// keeps it: the motions of one model, small to large.
  std::string parameter;
  double first = 0.0, last = 1.0;  ///< it begins at the first, and ends at either
  double step = 0.02;              ///< of arc length, of the range and of the size of the motion
  double longest = 0.05;
  int most = 1000;  ///< points

  /// With steps of at most 1/parts of the range and of the size of the motion; 0: as above.
  [[nodiscard]] static BranchOptions over(std::string parameter, double first, double last,
                                          int parts = 0);
};

struct PeriodicBranch {
  Status status = Status::ok;
  std::string reason = {}, hint = {};  ///< why it ended before, and what to do
  std::string model = {}, reading = {};
  std::string parameter = {};
  bool free = false;
  std::vector<BranchPoint> points = {};
};

/// Mistakes go to `problems`.
[[nodiscard]] PeriodicMotion periodic_motion(const Model& model, const SimulationOptions& options,
                                             const PeriodicOptions& periodic, Problems& problems);

/// Follows a periodic motion over a parameter by arc length, round folds; folds are found to
/// rounding of the secant that finds them, changes of stability by bisection. Free motions of a
/// model that keeps its energy come in families: over a parameter their energy stays that of the
/// first, over `energy` the family is followed.
[[nodiscard]] PeriodicBranch periodic_branch(const Model& model, const SimulationOptions& options,
                                             const PeriodicOptions& periodic,
                                             const BranchOptions& branch, Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] PeriodicMotion periodic_motion(const Model& model,
                                             const SimulationOptions& options = {},
                                             const PeriodicOptions& periodic = {});
[[nodiscard]] PeriodicBranch periodic_branch(const Model& model, const SimulationOptions& options,
                                             const PeriodicOptions& periodic,
                                             const BranchOptions& branch);

}  // namespace taut

#pragma GCC visibility pop
