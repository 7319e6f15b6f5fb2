// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formula/enclosure.hpp"
#include "run/tube.hpp"
#include "taut/curves/curve.hpp"
#include "taut/model/jet_system.hpp"

namespace taut {

/// Where a curve has a jet of its system: as a coordinate, as dz/dx = V_z / V_x of the derivative z
/// below it, or as an unknown beside the curve.
struct JetReading {
  enum class From : unsigned char { nowhere, coordinate, derivative, unknown };
  From from = From::nowhere;
  Index place = -1;
};
[[nodiscard]] JetReading reading_of(const JetSystem& system, const CurveStructure& structure,
                                    const std::vector<std::string>& unknowns, Index jet);

/// Expressions of jets as functions along a curve. Inputs of its graph are coordinates (Slot::q),
/// components of V (Slot::v), modes of switches, and unknowns beside the curve (Slot::parameter).
class JetFormula {
 public:
  JetFormula(const JetSystem& system, const CurveStructure& structure,
             const std::vector<std::string>& unknowns, const formula::Graph& graph,
             std::span<const formula::NodeId> roots);

  [[nodiscard]] const formula::EnclosedGraph& graph() const { return graph_; }
  /// Where a root stands in the graph, by its number.
  [[nodiscard]] int place(std::size_t root) const { return places_[root]; }
  /// Where jets of unknowns stand.
  [[nodiscard]] const std::vector<int>& jets() const { return jets_; }
  /// The first jet that the curve does not have.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// Whether it can be enclosed along a step: it reads the curve alone.
  [[nodiscard]] bool of_curve() const { return missing_.empty() && !reads_unknowns_; }
  /// Whether it reads coordinates alone, whose rates are V.
  [[nodiscard]] bool of_coordinates() const { return of_curve() && !reads_direction_; }

  /// Inputs on the piece |ξ - c| <= r of a step.
  void on(const Tube& tube, std::span<const double> modes, double c, double r,
          std::vector<formula::Enclosure>& inputs) const;
  /// Inputs at a point; rates are those along V where they are known.
  void at(const Vec& p, const Vec& V, std::span<const double> modes, const Vec& unknowns,
          std::vector<formula::Enclosure>& inputs) const;

 private:
  std::string missing_;
  bool reads_unknowns_ = false, reads_direction_ = false;
  formula::Graph own_;
  std::vector<formula::NodeId> roots_, jet_nodes_;
  formula::EnclosedGraph graph_;
  std::vector<int> places_, jets_;
};

}  // namespace taut
