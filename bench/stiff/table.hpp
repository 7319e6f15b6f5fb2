// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "cases.hpp"
#include "links.hpp"
#include "scan.hpp"

namespace taut::bench {

/// Every method on one case; ratios are to the first.
struct Comparison {
  Case c;
  std::vector<Scan> scans;
};

void print(const Comparison& comparison);
void print(const std::vector<LinkCost>& costs);
void print_json(const std::vector<Comparison>& comparisons, const std::vector<LinkCost>& costs);

}  // namespace taut::bench
