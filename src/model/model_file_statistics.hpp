// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/model_file_fields.hpp"
#include "taut/model/model.hpp"

namespace taut::model_file {

/// [thermostat]. Its fields are complete.
[[nodiscard]] Thermostat make_thermostat(const Fields& fields);

/// Whether a section is that of a statistic: [[histogram]], [[radial_distribution]],
/// [[autocorrelation]].
[[nodiscard]] bool is_statistic(const Section& section);

/// One of them. Its fields are complete.
[[nodiscard]] Statistic make_statistic(const Section& section, const Fields& fields);

}  // namespace taut::model_file
