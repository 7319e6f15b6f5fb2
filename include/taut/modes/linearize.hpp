// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/simulation/options.hpp"
#include "taut/simulation/plan.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Where the equations of a model are linearised.
enum class LinearizeAt : unsigned char {
  automatic,  ///< at the start where that is a rest or a steady motion, else at an equilibrium
  /// The nearest stable equilibrium, or the nearest one (see equilibria()); of more than 60
  /// coordinates the one at which Newton's method arrives from the start.
  equilibrium,
  start,  ///< the consistent start, whatever it does
  time,   ///< a time of a run
};

struct LinearizeOptions {
  LinearizeAt at = LinearizeAt::automatic;
  double time = 0.0;  ///< of LinearizeAt::time [s]
  /// Inputs or parameters of the model, or coordinates, on which a force then acts; empty: all
  /// inputs.
  std::vector<std::string> inputs = {};
  /// Numbers of a motion: coordinates, velocities, accelerations a(x), states, lambda(rod 1),
  /// outputs, quantities of elements; empty: the outputs, or all coordinates where there are none.
  std::vector<std::string> outputs = {};
};

/// What the point is about which equations are linear.
enum class PointKind : unsigned char {
  rest,    ///< nothing moves: an equilibrium
  steady,  ///< a steady motion: seen from a frame that goes with it, nothing moves
  moving,  ///< neither: the coefficients are those of an instant
};
[[nodiscard]] std::string_view name(PointKind kind);

/// The equations of a model for small changes (dq, dv) of its motion:
///
///   M dv' + D dv + K dq + Gᵀ dlambda = F u,    G dq = 0 (rows of positions),                  (1)
///   G dv + N dq = 0,    dz' = ... in the rows of states                                       (2)
///
/// K with what inertia, multipliers and prestress bring. In the coordinates x of its constraint
/// manifold, `state_names`, which are some of q and v, so chosen that the others follow well from
/// them:
///
///   x' = A x + B u,    y = C x + Dt u,    (dq, dv) = (Tq, Tv) x                               (3)
///
/// exactly: redundant constraints count once, rows of velocities take away velocities alone,
/// compliant ones are springs, and states of first order are states. Nothing is a difference of
/// evaluations, but where a reading has its stiffness from them.
///
/// About a steady motion (a wheel that rolls, a top that spins) x is seen from the frame that goes
/// with it, found as a combination of symmetries of the model: translations, rotations about fixed
/// axes, shifts of angles, spins of bodies about their own axes. A is constant along the motion
/// then: that is checked.
struct LinearModel {
  Status status = Status::ok;
  std::string reason = {};  ///< why there is none
  std::string model = {}, reading = {};
  PointKind kind = PointKind::rest;
  State state = {};
  Vec lambda = {};  ///< of all rows of the model
  std::vector<Note> notes = {};

  // (1), (2)
  std::vector<std::string> coordinates = {}, velocities = {}, constraints = {};
  Sparse M = {}, D = {}, K = {}, G = {}, N = {};
  Mat F = {};

  // (3)
  std::vector<std::string> state_names = {}, input_names = {}, output_names = {};
  Index places = 0;  ///< states that are changes of q; the others are changes of v
  Mat A = {}, B = {}, C = {}, Dt = {};
  Mat Tq = {}, Tv = {};

  /// Outputs of (1):  y = Yq dq + Yv dv + Ya dv' + Yl dlambda + what they read of u, which is Dt of
  /// more than `most_coordinates`, of which there is no (3).
  Sparse Yq = {}, Yv = {}, Ya = {}, Yl = {};

  /// More coordinates than that are too many for dense matrices.
  static constexpr Index most_coordinates = 1000;

  [[nodiscard]] std::string_view hint() const;
};

/// A model that is linearised, with its options. Names that do not exist, and readings that cannot
/// be linearised, go to `problems`; the result may only be used when there is none. A point that
/// cannot be found is its status.
[[nodiscard]] LinearModel linearize(const Model& model, const SimulationOptions& options,
                                    const LinearizeOptions& linear, Problems& problems);

/// The same; throws ModelError with all mistakes.
[[nodiscard]] LinearModel linearize(const Model& model, const SimulationOptions& options = {},
                                    const LinearizeOptions& linear = {});

/// Transfer function of one input to one output: gain Π (s - zeros) / Π (s - poles).
struct TransferFunction {
  std::string input, output;
  double gain = 0.0;  ///< of the highest powers
  std::vector<std::complex<double>> zeros, poles;
  double static_gain = 0.0;  ///< at s = 0; not finite where there is a pole
};
[[nodiscard]] std::vector<TransferFunction> transfer_functions(const LinearModel& linear);

}  // namespace taut

#pragma GCC visibility pop
