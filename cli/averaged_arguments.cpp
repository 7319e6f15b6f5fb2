// SPDX-License-Identifier: BSD-3-Clause
#include "averaged_arguments.hpp"

#include <algorithm>

namespace taut::cli {

void AveragedArguments::add_to(CLI::App& app) {
  app.add_option("--micro-steps", micro_steps,
                 "steps per period of the vibration in micro-simulations; found from the model "
                 "when absent")
      ->check(CLI::Range(4, 100000));
  app.add_option("--averaging", averaging,
                 "accurate: from opposite phases, extrapolated (default); plain: one phase, as "
                 "published")
      ->check(CLI::IsMember({"accurate", "plain"}));
}

AveragedOptions AveragedArguments::options(double tol) const {
  if (averaging == "plain") return published_averaging(micro_steps > 0 ? micro_steps : 40);
  // an error of the force acts on the motion as one of a tolerance's size does a few times over
  return {.steps = micro_steps, .tol = std::clamp(100 * tol, 1e-8, 1e-2)};
}

void AveragedArguments::check_unused(Problems& problems) const {
  const char* const remedy = "it goes with --reading averaged";
  if (micro_steps > 0) problems.add({}, "--micro-steps", "nothing here is averaged", remedy);
  if (!averaging.empty()) problems.add({}, "--averaging", "nothing here is averaged", remedy);
}

}  // namespace taut::cli
