// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "formula/derivative.hpp"
#include "taut/core/types.hpp"

namespace taut {

/// The derivative of an expression of jets along all solutions, an expression of jets again:
///
///   D f = f_x + sum_j sum_i  f_{y_j^(i)}  y_j^(i+1)                                            (1)
///
/// Jets are numbered as in JetSystem: x is input 0, derivative i of unknown j is 1 + i n + j, so
/// that y^(i+1) is n inputs further on. D f is affine in the highest derivatives it reads, with
/// the coefficients f had there. Derivatives of expressions that share parts share theirs.
class TotalDerivative {
 public:
  /// Nodes are added to `graph`, which is to outlive this.
  TotalDerivative(formula::Graph& graph, Index n) : graph_{graph}, derivatives_{graph}, n_{n} {}

  [[nodiscard]] formula::NodeId operator()(formula::NodeId root);

 private:
  formula::Graph& graph_;
  formula::Derivatives derivatives_;
  Index n_;
  Index seeded_ = -1;  // jets from 0 to this one have their derivative
};

}  // namespace taut
