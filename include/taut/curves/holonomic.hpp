// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/core/state.hpp"
#include "taut/curves/jet_forms.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// p = (t, q, v), and back.
[[nodiscard]] inline Vec point_of(const State& state) {
  Vec p{1 + state.q.size() + state.v.size()};
  p << state.t, state.q, state.v;
  return p;
}
[[nodiscard]] inline State state_of(const Vec& p) {
  const Index n = (p.size() - 1) / 2;
  return {.t = p[0], .q = p.segment(1, n), .v = p.tail(n)};
}

struct HolonomicOptions {
  bool energy = false;     ///< T + U = const is one more equation
  bool invariants = true;  ///< so are the invariants of the model
  DistributionMethod distribution = DistributionMethod::automatic;
};

/// The curve of a mechanical system with rigid constraints (tuomela2005, 3.3): p = (t, q, v),
///
///   f = ( G v + g_t,  g,  I(q, v, t) - I(start),  T + U - E(start) ),     V ~ (1, v, a)        (1)
///   M a + Gᵀλ = f,   G a = -curvature                                                         (2)
///
/// f, df and d2f come from the formulas of the model, exact and sparse, each in one evaluation;
/// systems that are not made of formulas alone (springs in place of compliant rows, forces between
/// many points, systems written by hand) give f and df from their own matrices, and no second
/// derivatives.
///
/// (2) is solved by `sparse` (automatic): Kkt, with a constant M factorised once; or by `block`:
/// Algorithm 5.3, conjugate gradients on G M⁻¹Gᵀ from the λ of the point before, whose bits
/// therefore depend on that point. Constraints may depend on each other.
///
/// Constants of invariants are those of `start`, which is consistent. A reason instead of a curve
/// where rows are compliant, T + U is not kept by the system, or has unknown derivatives (M depends
/// on q and not all energies are formulas).
[[nodiscard]] CurveForm holonomic_form(const System& system, const State& start,
                                       const HolonomicOptions& options = {});

}  // namespace taut

#pragma GCC visibility pop
