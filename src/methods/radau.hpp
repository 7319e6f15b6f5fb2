// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct RadauOptions {
  double tol = 1e-8;        ///< relative and absolute tolerance of q and v per step
  double first_step = 0.0;  ///< [s]; 0: found from the motion
  int stages = 0;           ///< 1, 3, 5 or 7 throughout; 0: chosen from the tolerance and the run
};

/// Radau IIA of 1, 3, 5 or 7 stages (order 1, 5, 9, 13) for rigid, stiff and soft constraints as
/// one: the mechanical problem
///
///   M(q) q'' = f(q, q', t) - G(q, t)ᵀλ,     g(q, t) + d g' = C λ,     C >= 0, d >= 0          (1)
///
/// is integrated in the stabilised index-2 form extended to C > 0,
///
///   q' = v - B μ,   M v' = f - Gᵀλ,   g + d g' = C λ,   G v + g_t = d/dt g,   B = M⁻¹Gᵀ        (2)
///
/// whose exact solution has μ = 0. For every C/h² -> 0 the stage equations stay well conditioned,
/// positions and velocities have order 2s - 1 and the work does not depend on C: what a plain
/// stiff solver loses on (1), by order reduction and by Newton's method, it loses here not at all
/// (lubich1993; docs/manual/radau.md).
///
///   error        of q, of the tangential part of v, and of h times its normal part: vibrations
///                below the tolerance in q are damped, not followed
///   steps        predictive control; the number of stages follows tolerance and convergence
///   constraints  hold to rounding after each step (g = C λ for compliant rows), so do velocities
///   output       by the collocation polynomial; multipliers by the equations of motion at the
///                point of output, of the order of q and v
///   redundant    constraints are found and dropped; multipliers then are those of smallest norm
///   stiff forces that are no constraints, such as springs and potentials, are found, and read as
///                constraints where they make fast vibrations (docs/manual/stiff-potentials.md)
class Radau {
 public:
  static constexpr MethodInfo info{
      .name = "radau",
      .order = 13,
      .adaptive = true,
      .constraints = true,
      .compliance = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .derivatives = true,
      .about = "Radau IIA of order 5, 9, 13: rigid, stiff, damped and soft constraints as one",
      .cite = "lubich1993"};

  explicit Radau(RadauOptions options = {});
  Radau(Radau&&) noexcept;
  Radau& operator=(Radau&&) noexcept;
  ~Radau();

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status restart(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  [[nodiscard]] Status rates(const System& system, double t, State& rate);

  /// Accelerations and multipliers of all equations at a state within the last step, or at its end.
  [[nodiscard]] Status multipliers(const System& system, const State& at, Vec& a, Vec& lambda);

  void archive(Archive& archive);
  void bound_steps(double most);
  [[nodiscard]] double tolerance() const;
  [[nodiscard]] const std::string& message() const;

  /// Where a tolerance could not be kept, and why.
  [[nodiscard]] const std::vector<Note>& notes() const;

  /// Of the next step: its stages, and its length as far as it is known.
  [[nodiscard]] int stages() const;
  [[nodiscard]] double next_step() const;

  Counters counters;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace taut
