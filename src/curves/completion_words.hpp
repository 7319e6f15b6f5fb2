// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "curves/derivative_array.hpp"
#include "taut/curves/completion.hpp"

namespace taut {

/// Names for a sentence: `a`, `a and b`, `a, b and c`.
[[nodiscard]] std::string names_in_words(const std::vector<std::string>& names);

/// An equation or a derivative of one, as it is spoken of.
struct NamedRow {
  std::string name, text;
};

/// A sentence about the rows that keep a point from being found: those whose residual is large
/// where no change makes all of them smaller.
[[nodiscard]] std::string contradiction(const std::vector<NamedRow>& rows, const Vec& residual);

/// Conditions on the low jets that follow from F_r and are none of the equations themselves: rows
/// of the left null space of J_high, reduced so that each combines few rows of F_r. The Jacobians
/// are those of two points of F_r = 0.
[[nodiscard]] std::vector<Completion::Hidden> hidden_conditions(const JetSystem& system,
                                                                const DerivativeArray& array, int r,
                                                                const ScaledJacobian& here,
                                                                const ScaledJacobian& near,
                                                                double independent);

/// The expression of a row with the names of the system.
[[nodiscard]] std::string row_text(const JetSystem& system, const formula::Graph& graph,
                                   formula::NodeId node);

}  // namespace taut
