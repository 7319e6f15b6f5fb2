// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/types.hpp"
#include "taut/formula/graph.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A differential system of order q in n unknowns, over- or exactly determined:
///
///   f(x, y, y1, ..., yq) = 0                                                                   (1)
///
/// The jets are numbered as a point p of R^m, m = 1 + n (q + 1): x is 0, derivative i of unknown j
/// is 1 + i n + j. Expressions read them as Input{Slot::q, number}. A plain value.
struct JetSystem {
  struct Equation {
    std::string name;
    formula::NodeId node = formula::no_node;
    int line = 0;  ///< of the file it comes from; 0: of none
  };
  /// Something that happens when an expression of the jets crosses zero.
  struct Event {
    std::string name;
    formula::NodeId node = formula::no_node;
    Observable::Direction direction = Observable::Direction::any;
    bool stops = false;
  };

  /// An expression that is shown along the curve.
  struct Output {
    std::string name;
    formula::NodeId node = formula::no_node;
  };

  std::string independent = "x";
  std::vector<std::string> unknowns;
  int order = 0;  ///< q
  formula::Graph graph;
  std::vector<Equation> equations;
  std::vector<Event> events;
  std::vector<Output> outputs;
  Vec given;  ///< the start as stated; NaN where it was not

  [[nodiscard]] Index n() const { return static_cast<Index>(unknowns.size()); }
  [[nodiscard]] Index size(int highest) const { return 1 + n() * (highest + 1); }
  [[nodiscard]] Index jet(int derivative, Index unknown) const {
    return 1 + derivative * n() + unknown;
  }
  /// y, y', y'', y''', and y^(4) from there on.
  [[nodiscard]] std::string name_of(Index jet) const;
  /// An expression at the point p, which has at least the jets that it reads; not for hot loops.
  [[nodiscard]] double value(formula::NodeId node, const Vec& p) const;
  /// Jets that an expression reads, ascending.
  [[nodiscard]] std::vector<Index> reads(formula::NodeId node) const;
};

}  // namespace taut

#pragma GCC visibility pop
