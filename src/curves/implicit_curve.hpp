// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/curves/completion.hpp"
#include "taut/curves/curve.hpp"

namespace taut {

/// (3) of completed_form.
[[nodiscard]] Curve implicit_curve(const JetSystem& system, const Completion& completion);

}  // namespace taut
