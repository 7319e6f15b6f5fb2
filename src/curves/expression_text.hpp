// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "taut/formula/graph.hpp"

namespace taut {

/// An expression as a user would write it: x*x' + y*y'. What is longer than `most` characters is
/// cut, with its size said: "... (1234 operations in all)".
[[nodiscard]] std::string expression_text(const formula::Graph& graph, formula::NodeId root,
                                          const std::function<std::string(int)>& name_of_input,
                                          std::size_t most = 200);

}  // namespace taut
