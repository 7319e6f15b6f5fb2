// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/formula/program.hpp"

namespace taut::formula {

/// Something to compute: element (row, column) of `target` is the value of `node`.
struct Result {
  Target target = Target::force;
  int row = 0, column = 0;
  NodeId node = no_node;
};

/// The graph that derive() lowers, and what it computes.
struct Differentiated {
  Graph graph;
  std::vector<Result> results;
};
[[nodiscard]] Differentiated differentiate(const Formula& formula, Needs needs);

/// Turns the part of `graph` that `results` (sorted) reach into a straight-line program.
[[nodiscard]] Program lower(const Graph& graph, const std::vector<Result>& results);

}  // namespace taut::formula
