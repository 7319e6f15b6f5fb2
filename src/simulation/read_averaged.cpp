// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/read_averaged.hpp"

#include <algorithm>

namespace taut {

AveragedOptions averaged_options(const AveragingOptions& options, double tol) {
  if (options.averaging == Averaging::plain)
    return published_averaging(options.micro_steps > 0 ? options.micro_steps : 40);
  // an error of the force acts on the motion as one of a tolerance's size does a few times over
  return {.steps = options.micro_steps, .tol = std::clamp(100 * tol, 1e-8, 1e-2)};
}

}  // namespace taut
