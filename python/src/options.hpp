// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "taut/core/problems.hpp"
#include "taut/model/model.hpp"
#include "taut/simulation/options.hpp"

namespace taut::python {

namespace nb = nanobind;

/// The options of a run from the keywords of a call: what is no option is a parameter. One that is
/// both is refused; set={...} has parameters alone, options={...} options. Mistakes go to
/// `problems`.
[[nodiscard]] SimulationOptions read_options(const nb::dict& given, const Model& model,
                                             Problems& problems);

/// Names of all options.
[[nodiscard]] std::vector<std::string> option_names();

/// Refuses keywords that are neither options nor names of the model, but nearly an option, and
/// takes them out.
void refuse_misspelled(SimulationOptions& options, const Model& model, Problems& problems);

/// What prepare() heeds besides numbers of parameters, as a text that tells two of them apart.
[[nodiscard]] std::string fixed_part(const SimulationOptions& options);

/// A number, or a text that is an expression.
[[nodiscard]] std::optional<Value> read_value(nb::handle given);

}  // namespace taut::python
