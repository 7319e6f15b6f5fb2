// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "taut/methods/method.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {

/// The method of a plan, in its heat bath where there is one.
[[nodiscard]] Method method_of(const Plan& plan);

/// Of a run's options those that decide about its steps, without output.
[[nodiscard]] RunOptions only_steps(const RunOptions& options);

/// What a plan knows of a run and the run itself does not. A run that reached its end with an
/// energy that has little to do with that of its start, where the model keeps it, has failed.
void finish_summary(const Plan& plan, const Motion& motion, Summary& summary);

}  // namespace taut
