// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/run/columns.hpp"
#include "taut/run/extremes.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Everything that is known about one place of a curve.
struct CurveFrame {
  double s = 0.0;  ///< arc length from the start
  Vec p;
  double max_equation = 0.0;  ///< max |f|
  double step = 0.0;          ///< arc length of the step in which it lies
  Vec output;                 ///< values of FollowOptions::outputs
};

/// A curve as columns, one entry (or one group of entries) for each row, in order of arc length.
struct CurveMotion {
  std::vector<std::string> coordinates;  ///< names of the columns of p; the first is x

  std::vector<std::string> unknowns;  ///< that are no coordinates, see find()
  std::vector<std::string> outputs;   ///< names of the columns of output

  std::vector<double> s;             ///< arc length from the start
  std::vector<double> p;             ///< row after row, coordinates.size() each
  std::vector<double> max_equation;  ///< max |f|
  std::vector<double> step;          ///< arc length of the step in which the row lies
  std::vector<double> unknown;       ///< row after row, unknowns.size() each
  std::vector<double> output;        ///< row after row, outputs.size() each

  Extremes extremes;  ///< of p and step, in this order

  [[nodiscard]] std::size_t rows() const { return s.size(); }

  /// All columns, in the order in which they stand in files.
  [[nodiscard]] std::vector<ColumnGroup> groups() const;

  /// A column by name: "s", that of a coordinate, of an unknown or of an output, "max_equation",
  /// "step". Throws ModelError, with the nearest name, where there is none.
  [[nodiscard]] Column column(std::string_view name) const { return find_column(groups(), name); }
  [[nodiscard]] Column operator[](std::string_view name) const { return column(name); }

  /// Columns of the extremes.
  [[nodiscard]] std::size_t width() const { return coordinates.size() + 1; }

  /// Takes the names from a curve and drops all rows.
  void start(const CurveStructure& structure, std::vector<std::string> of_outputs = {});

  /// Room for as many rows without further allocation.
  void reserve(std::size_t rows);

  void append(const CurveFrame& frame);

  /// A step that is no row: it goes to the extremes.
  void pass(const Vec& p_step, double step_length);

  /// Keeps rows 0, 2, 4, ...; extremes of the others go to their successors.
  void drop_every_second();

  /// Adds what completion has left out of p, multipliers above all, to every row; NaN where it has
  /// no bound.
  void find(CompletedUnknowns& others);

  /// The rows, not the names, nor what find() has added.
  void archive(Archive& archive);
};

}  // namespace taut

#pragma GCC visibility pop
