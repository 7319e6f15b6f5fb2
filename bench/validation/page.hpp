// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "trials.hpp"

namespace taut::bench {

struct Section {
  Trial trial;
  std::vector<TrialRun> runs;
};

/// docs/validation.md but for the estimates, on standard output.
void print_page(const std::vector<Section>& sections);
void print_json(const std::vector<Section>& sections);

}  // namespace taut::bench
