// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "taut/methods/method.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {

/// The method of a plan, in its heat bath where there is one.
[[nodiscard]] Method method_of(const Plan& plan);

/// What a plan knows of a run and the run itself does not.
void finish_summary(const Plan& plan, Summary& summary);

}  // namespace taut
