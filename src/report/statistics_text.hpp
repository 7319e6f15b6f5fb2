// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/json.hpp"
#include "taut/run/sampler.hpp"

namespace taut {

/// Kind, number of samples and numbers of a statistic, without its columns.
[[nodiscard]] Json statistic_json(const StatisticResult& statistic);

}  // namespace taut
