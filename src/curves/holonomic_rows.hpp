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
