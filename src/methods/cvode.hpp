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

struct CvodeOptions {
  double tol = 1e-8;  ///< relative and absolute, for every component of q and v
};

/// What CvodeAdams and CvodeBdf have in common: SUNDIALS CVODE on the index-0 form
///
///   q' = v,    v' = a   with   M a + Gᵀλ = f,   G a = -(g_qq(v, v) + 2 g_qt v + g_tt)         (1)
///
/// CVODE chooses order, first step and steps; its interpolant is the dense output. (1) keeps
/// g = 0 and G v + g_t = 0 only up to an error that grows like t². After every step the state is
/// therefore projected onto both along M⁻¹Gᵀ, and the newest point of CVODE's history moved with
/// it. States inside a step are projected, too.
///
/// A formula that is not finite makes CVODE retry with a smaller step; if that does not help, the
/// step fails with the Status of the formula. Other failures are Status::solver_failed, and
/// message() has CVODE's own words. The state is then as it was. No memory of a run can be stored
/// to the same bits, so these methods are not resumable.
/// Reference: hindmarsh2005; eich1993 for the projection.
class CvodeMethod {
 public:
  [[nodiscard]] Status start(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  void archive(Archive& archive);
  [[nodiscard]] std::string message() const;

  Counters counters;

 protected:
  enum class Formula : unsigned char { adams, bdf };
  CvodeMethod(Formula formula, CvodeOptions options);
  CvodeMethod(CvodeMethod&&) noexcept;
  CvodeMethod& operator=(CvodeMethod&&) noexcept;
  ~CvodeMethod();

 private:
  class Solver;
  std::unique_ptr<Solver> solver_;
};

/// Adams-Moulton formulas of order 1 to 12 with fixed-point iteration: for systems that are not
/// stiff. One to two force evaluations per step.
class CvodeAdams : public CvodeMethod {
 public:
  static constexpr MethodInfo info{.name = "cvode-adams",
                                   .order = 12,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .resumable = false,
                                   .about = "SUNDIALS CVODE, Adams formulas up to order 12",
                                   .cite = "hindmarsh2005"};
  explicit CvodeAdams(CvodeOptions options = {}) : CvodeMethod{Formula::adams, options} {}
};

/// Backward differentiation formulas of order 1 to 5 with a Newton iteration: for stiff systems
/// whose fast vibrations should be damped out. The Newton matrix is exact and has the size nq + nc,
/// dense for small systems and sparse for large ones.
class CvodeBdf : public CvodeMethod {
 public:
  static constexpr MethodInfo info{.name = "cvode-bdf",
                                   .order = 5,
                                   .adaptive = true,
                                   .constraints = true,
                                   .variable_mass = true,
                                   .velocity_forces = true,
                                   .derivatives = true,
                                   .resumable = false,
                                   .about = "SUNDIALS CVODE, BDF up to order 5, exact Jacobian",
                                   .cite = "hindmarsh2005"};
  explicit CvodeBdf(CvodeOptions options = {}) : CvodeMethod{Formula::bdf, options} {}
};

}  // namespace taut
