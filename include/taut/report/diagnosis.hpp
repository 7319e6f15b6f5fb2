// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/curves/completion.hpp"
#include "taut/simulation/choose_form.hpp"
#include "taut/simulation/diagnosis.hpp"
#include "taut/simulation/plan.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// What `taut run` would do; or why it cannot be said.
struct PlannedRun {
  std::optional<Plan> plan;
  std::string why_not;
};
[[nodiscard]] PlannedRun plan_run(const PreparedModel& prepared, const SimulationOptions& options);

/// What a mechanical model is, as a JSON object: what `taut check --json` prints.
[[nodiscard]] std::string check_json(const PreparedModel& prepared, const Diagnosis& diagnosis,
                                     const PlannedRun& planned);

/// The same of a model with [jets]; of a form that is not to be had only status, reason and hint.
[[nodiscard]] std::string check_json(const PreparedModel& prepared, const FormChoice& choice);

/// What equations imply, as a JSON object: what `taut complete --json` prints.
[[nodiscard]] std::string completion_json(const PreparedModel& prepared,
                                          const Completion& completion);

/// The same of a mechanical model, whose equations are complete as they stand.
[[nodiscard]] std::string completion_json(const PreparedModel& prepared,
                                          const Diagnosis& diagnosis);

/// Numbers of a start that moved by more than rounding.
[[nodiscard]] std::vector<const Completion::StartNumber*> moved_numbers(
    const Completion& completion);

/// Every method with its properties and options, as a JSON array: what `taut methods --json`
/// prints.
[[nodiscard]] std::string methods_json();

}  // namespace taut

#pragma GCC visibility pop
