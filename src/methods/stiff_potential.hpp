// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "methods/stiff_directions.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A system whose stiff forces, of which only values and derivatives are known, are read as
/// compliant constraints. With p(q, t) = -f(q, 0, t), H = dp/dq and the columns X of StiffGroup
/// (m directions that span, about, what is stiff in H), raw rows
///
///   γ(q, t) = Xᵀp,      Γ = XᵀH = dγ/dq,      XᵀH X = L Lᵀ                                     (1)
///
/// are turned such that their compliance is C = c² = diag(1/ω²) wherever they are evaluated,
///
///   g = c L⁻¹γ,      G = c L⁻¹Γ,      λ* = C⁻¹g                                               (2)
///
/// and the same motion is that of
///
///   M q'' = f + Gᵀλ* - Gᵀλ,     g = C λ                                                       (3)
///
/// Its forces f + Gᵀλ* are not stiff along smooth motions, since there p is in the range of H up to
/// what is soft. (3) is the reformulation (8.6) of lubich1993 with H X for the columns of H that
/// are chosen there, and with its remainder r where the system is. The rows (2) stand after those
/// of the system. G is not quite dg/dq, since L depends on q; what is differentiated in time is γ:
///
///   G v + g_t = c L⁻¹ dγ/dt                                                                   (4)
///
/// and this holds exactly. With the stiffest direction first, c L⁻¹ keeps the rows of soft ones
/// free of stiff ones as H turns, and X serves for a while.
///
///   stiffness of (3):   K - Gᵀ C⁻¹ G                                                          (5)
///
/// A displacement δ away from smooth motion changes f + Gᵀλ* by O(ω² δ²), not O(ω² δ): small
/// enough once δ is small against 1/ω, which whoever iterates on (3) has to see to.
///
/// g_t and the curvature are c L⁻¹ of differences of p in t and along (1, v), of fourth order.
/// Cost: an evaluation of f and K at rest besides that of the system, and dense algebra of the size
/// of each group. Fails with singular_matrix where XᵀH X is not positive definite: there X does not
/// serve.
class StiffPotential final : public SystemImplementation {
 public:
  /// `tick` is a time in which the system changes little, for differences.
  StiffPotential(System base, std::vector<StiffGroup> groups, const State& at, double tick);

  /// The same with X of another point. What was prepared for the other serves for this one.
  StiffPotential(const StiffPotential& other, std::vector<StiffGroup> groups, const State& at,
                 double tick);

  [[nodiscard]] const Structure& structure() const override { return structure_; }
  void prepare(Evaluation& out) const override;
  [[nodiscard]] Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override;
  [[nodiscard]] std::string culprit(const Arguments& at) const override {
    return base_.culprit(at);
  }

  [[nodiscard]] const System& base() const { return base_; }
  [[nodiscard]] const std::vector<StiffGroup>& groups() const { return groups_; }

  /// Largest ω [rad/s].
  [[nodiscard]] double fastest() const {
    return 1.0 / std::sqrt(structure_.C.tail(structure_.nc - base_.nc()).minCoeff());
  }

  // Of an evaluation of g or G; only the rows of (2) are read and written.

  /// λ = λ*
  void multipliers_at_rest(const Evaluation& ev, Vec& lambda) const;
  /// out = Gᵀ(λ* - λ): what (3) is away from its second equation
  void excess_force(const Evaluation& ev, const Vec& lambda, Vec& out) const;
  /// γ = L c λ, that goes with g = C λ
  void raw(const Evaluation& ev, const Vec& lambda, Vec& gamma) const;
  /// x <- c L⁻¹x
  void turn(const Evaluation& ev, Vec& x) const;
  /// X L⁻ᵀ c λ, the displacement that carries the force Gᵀλ; 0 for other coordinates
  void displacement(const Evaluation& ev, const Vec& lambda, Vec& x) const;
  /// λ = C⁻¹G x, of the force H x
  void multipliers_of(const Evaluation& ev, const Vec& x, Vec& lambda) const;
  /// Largest ratio of L_jj and c_j, or of c_j and L_jj: how far X is from what it was found for.
  [[nodiscard]] double distortion(const Evaluation& ev) const;

 private:
  // where a group stands
  struct Place {
    Index row = 0;                    // its first among all rows
    std::vector<int> columns;         // that its rows of H reach
    std::vector<int> own;             // its coordinates among them
    std::vector<int> K_slot, H_slot;  // entries of its rows: in K of the base, in H by rows
    std::vector<int> K_product;       // where Gᵀ C⁻¹ G goes in K, by columns
    Index G_value = 0;                // its first entry in G; rows are contiguous
    std::size_t scratch = 0;          // its L
  };

  void place_groups();
  void find_scales(const State& at);
  [[nodiscard]] Status evaluate_rest(const Arguments& at, Evaluation& out) const;
  [[nodiscard]] Status differences_in_time(const Arguments& at, Evaluation& out) const;
  [[nodiscard]] Status differences_along(const Arguments& at, Evaluation& out) const;
  [[nodiscard]] Status difference(const Arguments& at, bool along, double step,
                                  const std::array<double, 4>& weights, Evaluation& out) const;
  void project(const Vec& p, Vec& rows) const;
  void add_row_forces(const Evaluation& ev, const Vec& lambda, Vec& f) const;
  void subtract_products(const Sparse& K, Evaluation& out) const;

  System base_;
  std::vector<StiffGroup> groups_;
  std::vector<Place> places_;
  std::vector<int> K_of_base_;  // slots of its entries in K
  Structure structure_;
  Vec at_rest_, no_lambda_;
  double tick_;
  double renewals_ = 0.0;  // tells results of different X apart
  std::size_t scratch_ = 0, work_ = 0;
};

}  // namespace taut
