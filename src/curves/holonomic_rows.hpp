// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/kkt.hpp"
#include "taut/core/state.hpp"
#include "taut/curves/curve.hpp"
#include "taut/curves/holonomic.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// What a holonomic curve keeps between evaluations.
struct HolonomicScratch final : ReadingScratch {
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<HolonomicScratch>(*this);
  }

  Vec q, v;  // of the point
  // of the direction
  Evaluation motion;
  Kkt kkt;
  Vec a, lambda, minus_curvature;
  // of its block solution
  Vec residual, correction, force, answer;
  std::vector<Vec> krylov;
  // of the rows
  Evaluation rows;
  Vec mu;
};

/// Where the equations of constraints stand in f: their rates first, then what has a g. Of
/// conditions on velocities, A v + b = 0 is all there is, in the place of a rate.
class ConstraintPlaces {
 public:
  explicit ConstraintPlaces(const Structure& structure)
      : of_g_(static_cast<std::size_t>(structure.nc), -1), size_{structure.nc} {
    std::vector<bool> of_velocities(of_g_.size(), false);
    for (const Row& row : structure.rows)
      if (row.equation >= 0)
        of_velocities[static_cast<std::size_t>(row.equation)] = row.of_velocities;
    for (std::size_t e = 0; e < of_g_.size(); ++e)
      if (!of_velocities[e]) of_g_[e] = static_cast<int>(size_++);
  }
  /// Of the g of an equation; -1: it has none.
  [[nodiscard]] int of_g(Index equation) const { return of_g_[static_cast<std::size_t>(equation)]; }
  /// Of all of them.
  [[nodiscard]] Index size() const { return size_; }

 private:
  std::vector<int> of_g_;
  Index size_;
};

/// The equations f = ( G v + g_t, g, I - I0, T + U - E0 ) of a holonomic curve. The last two are
/// there as asked for.
class HolonomicRows {
 public:
  virtual ~HolonomicRows() = default;
  HolonomicRows() = default;
  HolonomicRows(const HolonomicRows&) = delete;
  HolonomicRows& operator=(const HolonomicRows&) = delete;

  /// Sets df, and d2f where there are second derivatives.
  virtual void find_patterns(CurveStructure& structure) const = 0;
  virtual void prepare(HolonomicScratch& scratch) const = 0;
  /// f with the values of invariants and T + U themselves: I0 = E0 = 0.
  [[nodiscard]] virtual Status value(const Vec& p, HolonomicScratch& scratch, Vec& f) const = 0;
  [[nodiscard]] virtual Status jacobian(const Vec& p, HolonomicScratch& scratch, Vec& f,
                                        Sparse& df) const = 0;
  [[nodiscard]] virtual Status hessian(const Vec& p, const Vec& mu, HolonomicScratch& scratch,
                                       Sparse& d2f) const = 0;
};

/// Which equations a curve has beside those of the constraints.
struct HolonomicInvariants {
  std::vector<int> observables;  ///< in Structure::observables
  bool energy = false;

  [[nodiscard]] Index size() const {
    return static_cast<Index>(observables.size()) + (energy ? 1 : 0);
  }
};

/// From formulas: exact first and second derivatives in one evaluation. None where the system is no
/// compiled model with all its rows, or has energies that are no formulas.
[[nodiscard]] std::unique_ptr<const HolonomicRows> formula_rows(const System& system,
                                                                const HolonomicInvariants& kept);

/// From what every system gives, without second derivatives; T + U of a constant M only.
[[nodiscard]] std::unique_ptr<const HolonomicRows> system_rows(const System& system,
                                                               const HolonomicInvariants& kept);

}  // namespace taut
