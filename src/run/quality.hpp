// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"

namespace taut {

/// What the rows of a run say about its quality: residuals of the constraints, drift of energy and
/// of invariants.
class Quality {
 public:
  /// Takes a further row into account; the first is the start.
  void add(const Frame& frame);

  /// Writes its findings into a summary.
  void report(const Structure& structure, Summary& summary) const;

  /// How well E - work stays what it was; `passed` is Σ∫|P| dt of all that does work.
  void report_balance(double passed, Summary& summary) const;

  [[nodiscard]] double energy_start() const { return energy_start_; }

  void archive(Archive& archive);
  /// Whether it is of rows with so many observables and coordinates.
  [[nodiscard]] bool fits(Index observables, Index nq) const {
    const Index expected = started_ ? observables : 0;
    return observable_start_.size() == expected && observable_change_.size() == expected &&
           q_start_.size() == (started_ ? nq : 0);
  }

 private:
  void report_energy(Summary& summary) const;

  bool started_ = false;
  double max_constraint_ = 0.0, max_relative_constraint_ = 0.0;
  double max_velocity_constraint_ = 0.0, max_stretch_ = 0.0;
  double energy_start_ = 0.0, energy_end_ = 0.0, energy_change_ = 0.0;
  double potential_start_ = 0.0;
  double max_kinetic_ = 0.0, max_potential_change_ = 0.0;
  double max_energies_ = 0.0;    // |T| + |U|
  double balance_change_ = 0.0;  // of E - work
  Vec observable_start_, observable_change_;
  Vec q_start_;
  bool moves_ = false;  // by more than rounding
};

}  // namespace taut
