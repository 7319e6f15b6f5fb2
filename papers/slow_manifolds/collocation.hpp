// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "problem.hpp"
#include "taut/core/status.hpp"

namespace taut::papers::slow_manifolds {

using Constraints = std::function<ConstraintsAt(const RealVec&)>;

struct CollocationOptions {
  Real half_window = 0.3L;  ///< T [s]
  int nodes = 28;           ///< n
};

/// Slow solutions of  q'' = -ω² g'(q)ᵀ g(q)  by collocation: polynomials q(t) of degree n - 1 and
/// λ(t) of degree n - 3 on |t| <= T with
///
///   q'' + g'(q)ᵀ λ = 0      at n - 2 Chebyshev nodes                                        (1)
///   g(q) = λ/ω²             at n Chebyshev nodes                                            (2)
///   Z (q(0) - q₀) = 0,  Z (q'(0) - p₀) = 0                                                  (3)
///
/// Z has orthonormal rows along the constraints at the point of g = 0 nearest to q₀. That is as
/// many equations as unknowns, solved by Newton's method. Vibrations have no place in (1)-(3):
/// polynomials of degree n cannot follow them when ω T > n. The form with λ is well conditioned for
/// every ω; no filter and no expansion in 1/ω has a part in it.
///
/// Other windows and degrees change the start of the double pendulum by 1e-11 at ω = 100 and by
/// 1e-16 from ω = 300 on. Without a status of ok there is no motion to be asked for.
class SlowMotion {
 public:
  [[nodiscard]] RealVec q(Real t) const;
  [[nodiscard]] RealVec p(Real t) const;       ///< q'
  [[nodiscard]] RealVec a(Real t) const;       ///< q''
  [[nodiscard]] RealVec lambda(Real t) const;  ///< ω² g
  [[nodiscard]] State start() const;           ///< q(0), p(0) in double

  Status status = Status::ok;
  std::string reason;
  int iterations = 0;

 private:
  friend SlowMotion slow_motion(const Constraints&, Real, const State&, const CollocationOptions&);
  Real half_window_ = 0;
  RealMat q_, lambda_;  // columns: Chebyshev coefficients 0, 1, ...
};

/// The one with the tangential data of `near`.
[[nodiscard]] SlowMotion slow_motion(const Constraints& constraints, Real omega, const State& near,
                                     const CollocationOptions& options = {});

/// Its start, for the double pendulum; NaN when it is not found.
[[nodiscard]] State slow_point(double omega, const State& near);

/// By how much a state of the double pendulum is off the slow point of equal tangential data.
struct NormalErrors {
  double q = 0.0, p = 0.0;
};
[[nodiscard]] NormalErrors normal_errors(double omega, const State& state);

}  // namespace taut::papers::slow_manifolds
