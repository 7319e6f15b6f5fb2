// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "taut/model/start.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A start on the manifold of smooth motion. `lambda` is the multiplier of the smooth motion, not
/// (g + d g')/C of rounded positions. `reason` also says why a lower order than the one asked for
/// is returned; `iterations` counts passes over the window.
struct SmoothStart : Start {
  int order = 0;                      ///< in eps = sqrt(C) that was reached; 0: state is as given
  double uncertainty = 0.0;           ///< estimated distance of q to the manifold, mass metric
  double velocity_uncertainty = 0.0;  ///< the same for v
  bool near = false;                  ///< near_smooth_motion() of what was given
  std::int64_t force_evaluations = 0;
};

/// From a given state to one nearby from which stiff constraints do not vibrate, by the expansion
/// in powers of C of the smooth solutions of
///
///   M q'' = f - Gᵀλ,      g + d g' = C λ                                                       (1)
///
/// Sweep k = 0, 1, ... finds the motion in which g follows a prescribed function of time,
///
///   M a + Gᵀλ_k = f,   G a = -(g_qq(v, v) + 2 g_qt v + g_tt) + γ_{k-1}''                      (2)
///   g(q) = γ_k,   G v + g_t = γ_k'   at the start,   γ_k = C λ_k - d C λ_k' + d² γ_{k-1}''     (3)
///
/// with γ_{-1} = 0; a fixed point of γ is a smooth solution of (1). With eps² = C and d = O(eps)
/// sweep k leaves an error of eps^(2k+4); order 2 is the point with g = 0, G v + g_t = 0. q and v
/// are moved along the columns of M⁻¹Gᵀ, with M at the given point and G at the point of order 2
/// that is nearest to it (see consistent_start): a point on the manifold is not moved.
///
/// Time derivatives are those of polynomials. (2) is solved by Picard iteration at 13 Chebyshev
/// points of a window [t, t + W], in which q0 and v0 take a step towards (3) after every pass:
///
///   q_j = q0 + (t_j - t) v0 + ∫∫ a,    v_j = v0 + ∫ a                                         (4)
///
/// W is such that the last coefficients of C λ are at rounding level (or as small as makes no
/// difference to q and v). The window begins at the start, so that nothing is evaluated before it.
///
/// The series is asymptotic. The first pass of sweep k + 1 tells by how much it would move the
/// start: that is the uncertainty of sweep k. No further sweep is made when this term is more than
/// half of both terms before it; the sweep with the smallest is the result. Where no term falls to
/// half of the largest, the vibrations are not fast compared with the motion (or not weakly
/// damped), and the state is returned as it was given. Where only the first terms do not fall, λ
/// being small at the start by chance, the order may be higher than asked for.
///
/// Rows with C = 0 are rigid and any rows may be dependent if they agree: λ is then the one that
/// is smallest in λᵀCλ. Eliminated rows are springs and as such a part of f: see equations().
/// `order` is even, at least 2. Cost: some 70 to 500 evaluations with a KKT solve each. Fails as
/// consistent_start() does, and with not_supported where the series does not help or λ is not
/// smooth at the start. Reference: lubich1993, Theorem 2.2.
[[nodiscard]] SmoothStart smooth_start(const System& system, const State& given, int order = 6);

/// Whether a start is meant to be smooth: its energy of vibration (NormalEnergy) is at most 4 Σ C
/// λ². What g = 0 leaves is a quarter of it, g = C λ leaves nothing. Rigid systems are near.
[[nodiscard]] bool near_smooth_motion(const System& system, const State& given);

}  // namespace taut

#pragma GCC visibility pop
