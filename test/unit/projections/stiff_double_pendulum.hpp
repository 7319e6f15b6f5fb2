// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "filters/filter.hpp"
#include "taut/model/system.hpp"

namespace taut::test {

/// Two unit masses on stiff springs, as in ariel2012, section 5.1:
///
///   q'' = -ω² g'(q)ᵀ g(q),     g = (r1 - 1, r12 - 1)
///
/// as a force to call, and as a model with its constraints. Its vibrations have frequencies between
/// 0.618 ω and 1.618 ω.
[[nodiscard]] System double_pendulum_force(double omega);
[[nodiscard]] System double_pendulum_model(double omega);
[[nodiscard]] Vec double_pendulum_g(const Vec& q);
[[nodiscard]] Band double_pendulum_band(double omega);

/// Starts (29)-(30), off the constraints, and (31)-(32), on them.
[[nodiscard]] State far_start();
[[nodiscard]] State near_start();

/// The cubic kernel on 18 steps of a sixth of 2π/ω, as published.
[[nodiscard]] FilterChoice published_filter(double omega);

}  // namespace taut::test
