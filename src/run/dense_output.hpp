// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kkt.hpp"
#include "projections/projection.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A state with its accelerations.
struct Knot {
  State state;
  Vec a;
};

/// The quintic polynomial that meets q, v and a at both ends of a step, and its derivative.
///
/// With h = t1 - t0, x = (t - t0)/h and
///
///   d = q1 - q0 - h v0 - h^2 a0/2,     e = h (v1 - v0) - h^2 a0,     s = h^2 (a1 - a0)       (1)
///   c3 = 10 d - 4 e + s/2,     c4 = -15 d + 7 e - s,     c5 = 6 d - 3 e + s/2                (2)
///
///   q(t)   = q0 + x h v0 + x^2 h^2 a0/2 + x^3 (c3 + x (c4 + x c5))                           (3)
///   h v(t) = h v0 + x h^2 a0 + x^2 (3 c3 + x (4 c4 + x 5 c5))                                (4)
///
/// Error h^6 in q and h^5 in v. (3) and (4) do not know the constraints: see OutputProjection.
void quintic_hermite(const Knot& begin, const Knot& end, double t, State& out);

/// Pulls an interpolated state onto g = 0 and G v + g_t = 0, by the smallest change in the mass
/// metric and to rounding level, with M and G factorised at the interpolated point (see
/// Projection). Fails as Projection does; the state is then as it was.
class OutputProjection {
 public:
  [[nodiscard]] Status start(const System& system);
  [[nodiscard]] Status operator()(const System& system, State& state);

 private:
  Projection projection_;
  Kkt kkt_;
  Evaluation ev_;
  State at_;
  Vec no_compliance_;
};

}  // namespace taut
