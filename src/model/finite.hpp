// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "taut/model/system.hpp"

namespace taut {

/// True when no number is NaN or infinite. x * 0 is 0 for every finite x and NaN otherwise; eight
/// independent sums let the compiler use wide registers.
[[nodiscard]] bool all_finite(std::span<const double> numbers);

/// The same for every field of an evaluation that was asked for.
[[nodiscard]] bool all_finite(Needs needs, const Evaluation& out, const Structure& structure);

/// Where an evaluation of this thread was not finite the last time, for the message that names the
/// formula: methods meet it at stages of theirs. Only places that are finite themselves.
struct NonFinitePlace {
  bool known = false;
  double t = 0.0;
  Vec q, v;
};
[[nodiscard]] NonFinitePlace& last_non_finite_place();

}  // namespace taut
