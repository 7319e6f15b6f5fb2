// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "taut/formula/graph.hpp"

namespace taut {

using InputValue = std::function<formula::Number(formula::Input)>;

/// The value of a node, given those of the inputs it reads.
[[nodiscard]] formula::Number node_value(const formula::Graph& graph, formula::NodeId root,
                                         const InputValue& value_of);

/// Rounding error of that value in units of epsilon, to first order: the size of the terms it is
/// made of, as they come through.
[[nodiscard]] formula::Number rounding_size(const formula::Graph& graph, formula::NodeId root,
                                            const InputValue& value_of);

}  // namespace taut
