// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/state.hpp"
#include "taut/model/system.hpp"
#include "taut/run/columns.hpp"
#include "taut/run/extremes.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Everything that is known about one instant of a motion.
struct Frame {
  State state;
  Vec a;                          ///< accelerations
  Vec lambda;                     ///< multipliers of all constraints of the model, in file order
  double kinetic_energy = 0.0;    ///< [J]
  double potential_energy = 0.0;  ///< [J]
  double max_constraint = 0.0;    ///< max |g| of rigid constraints, in their own units
  double max_relative_constraint = 0.0;  ///< max |g| / Row::scale of rigid constraints
  double max_velocity_constraint = 0.0;  ///< max |G v + g_t| of rigid constraints
  double max_stretch = 0.0;              ///< max |g| of compliant constraints
  double step = 0.0;                     ///< of the step in which this instant lies [s]
  std::int64_t rejected = 0;             ///< steps so far that were tried and not taken
  Vec observable;                        ///< values of Structure::observables
  Vec quantity;                          ///< values of System::quantities()
  double work = 0.0;  ///< done on the system since the start [J]; NaN where it is not known

  [[nodiscard]] double energy() const { return kinetic_energy + potential_energy; }
};

/// A motion as columns, one entry (or one group of entries) for each row, in order of time.
struct Motion {
  std::vector<std::string> coordinates;  ///< names of the columns of q
  std::vector<std::string> velocities;   ///< of v: velocities, then first-order states
  std::vector<std::string> constraints;  ///< of lambda
  std::vector<std::string> drawn;        ///< of places that are drawn (Observable::Kind::drawn)
  std::vector<std::string> invariants;   ///< of invariants
  std::vector<Index> observables;    ///< those of `drawn`, then `invariants`, in Frame::observable
  std::vector<std::string> outputs;  ///< of outputs: the first entries of Frame::quantity
  std::vector<std::string> quantities;  ///< of quantities of elements: the others

  std::vector<double> t;       ///< [s]
  std::vector<double> q;       ///< row after row, coordinates.size() each
  std::vector<double> v;       ///< row after row, velocities.size() each
  std::vector<double> lambda;  ///< row after row, constraints.size() each
  std::vector<double> energy;  ///< kinetic and potential [J]
  std::vector<double> max_constraint;
  std::vector<double> max_velocity_constraint;
  std::vector<double> step;       ///< [s]
  std::vector<double> rejected;   ///< steps so far that were tried and not taken
  std::vector<double> place;      ///< row after row, drawn.size() each
  std::vector<double> invariant;  ///< row after row, invariants.size() each
  std::vector<double> output;     ///< row after row, outputs.size() each
  std::vector<double> quantity;   ///< row after row, quantities.size() each
  std::vector<double> kinetic_energy, potential_energy;  ///< [J]
  std::vector<double> work;                              ///< done on the system since the start [J]

  /// Of q, v, lambda, output, energy, max_constraint, max_velocity_constraint and step, in this
  /// order.
  Extremes extremes;

  [[nodiscard]] std::size_t rows() const { return t.size(); }

  /// All columns, in the order in which they stand in files.
  [[nodiscard]] std::vector<ColumnGroup> groups() const;

  /// A column by name: "t", "bob2.y", "bob2.vy", "rod 1" or "lambda(rod 1)" for the multiplier of a
  /// constraint, an output, a quantity such as "bob2.ay" or "spring 1.force", "energy",
  /// "kinetic_energy", "potential_energy", "work", "max_constraint", "max_velocity_constraint",
  /// "step", "rejected", a place that is drawn, an invariant. Throws ModelError, with the nearest
  /// name, where there is none.
  [[nodiscard]] Column column(std::string_view name) const { return find_column(groups(), name); }
  [[nodiscard]] Column operator[](std::string_view name) const { return column(name); }

  /// Columns of the extremes.
  [[nodiscard]] std::size_t width() const {
    return coordinates.size() + velocities.size() + constraints.size() + outputs.size() + 4;
  }

  /// Takes the names from a system, and from that of its quantities, and drops all rows.
  void start(const Structure& structure, const Structure* of_quantities = nullptr);
  void start(const System& system);

  /// Room for as many rows without further allocation.
  void reserve(std::size_t rows);

  void append(const Frame& frame);

  /// A step that is no row: its q, v and length go to the extremes; or everything that is in them.
  void pass(const State& state, double last_step);
  void pass(const Frame& frame);

  /// Keeps rows 0, 2, 4, ... and those that are far from their neighbours, 16 times the mean
  /// distance; extremes of the others go to their successors.
  void drop_every_second();

  /// Drops the rows after t = `last`.
  void drop_after(double last);

  /// The rows, not the names.
  void archive(Archive& archive);

 private:
  [[nodiscard]] std::array<std::vector<double>*, 9> single_columns();
  void keep(const std::vector<bool>& kept);
};

}  // namespace taut

#pragma GCC visibility pop
