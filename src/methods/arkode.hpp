// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

namespace taut {

struct ArkodeOptions {
  double tol = 1e-8;  ///< relative and absolute, for every component of q and v
};

/// SUNDIALS ARKODE with its default diagonally implicit Runge-Kutta method of order 4 (SDIRK of
/// Hairer and Wanner, five stages, L-stable, stiffly accurate, embedded order 3) on the index-0
/// form
///
///   q' = v,    v' = a   with   M a + Gᵀλ = f,   G a = -(g_qq(v, v) + 2 g_qt v + g_tt)         (1)
///
/// Being a one-step method, it has no history that a projection could spoil: every accepted step
/// ends on g = 0 and G v + g_t = 0, and the next one begins there. States inside a step come from
/// ARKODE's interpolant and are projected, too. Each stage is solved by the same Newton iteration
/// as in CvodeBdf: exact matrix, size nq + nc, dense for small systems and sparse for large ones.
///
/// The stage order is 1: on stiff springs the step follows the vibrations as soon as the tolerance
/// asks for more than the step of an implicit Euler method gives. Fails as CvodeMethod does. Not
/// resumable.
/// Reference: reynolds2023; hairer1996 for the method; eich1993 for the projection.
class Arkode {
 public:
  static constexpr MethodInfo info{.name = "arkode",
                                   .order = 4,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .derivatives = true,
                                   .resumable = false,
                                   .about =
                                       "SUNDIALS ARKODE, diagonally implicit Runge-Kutta of "
                                       "order 4, exact Jacobian",
                                   .cite = "reynolds2023"};

  explicit Arkode(ArkodeOptions options = {});
  Arkode(Arkode&&) noexcept;
  Arkode& operator=(Arkode&&) noexcept;
  ~Arkode();

  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  void archive(Archive& archive);
  [[nodiscard]] std::string message() const;

  Counters counters;

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace taut
