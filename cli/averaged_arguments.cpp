// SPDX-License-Identifier: BSD-3-Clause
#include "averaged_arguments.hpp"

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

AveragingOptions AveragedArguments::options() const {
  AveragingOptions options{.micro_steps = micro_steps};
  if (!averaging.empty())
    options.averaging = averaging == "plain" ? Averaging::plain : Averaging::accurate;
  return options;
}

}  // namespace taut::cli
