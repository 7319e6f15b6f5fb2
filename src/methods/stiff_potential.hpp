// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "stiff_directions.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// A system whose stiff forces, of which only values and derivatives are known, are read as
/// compliant constraints. With p(q, t) = -f(q, 0, t), H = dp/dq and the columns X of StiffGroup
/// (m directions that span, about, what is stiff in H)
///
///   g(q, t) = Xᵀp,    G = XᵀH = dg/dq,    C(q) = XᵀH X,    λ* = C⁻¹g                           (1)
///
/// the same motion is that of
///
///   M q'' = f + Gᵀλ* - Gᵀλ,     g = C(q) λ                                                    (2)
///
/// whose forces f + Gᵀλ* are not stiff along smooth motions, since there p is in the range of H up
/// to what is soft. X λ is the displacement that carries the force. (2) is the reformulation (8.6)
/// of lubich1993 with H X for the columns of H that are chosen there, and with its remainder r
/// where the stage is. The rows (1) stand after those of the system. Unlike them they have a
/// compliance that is a matrix and depends on q: structure().C holds its diagonal where X was
/// found, 1/ω², and compliance() the product with it.
///
///   stiffness of (2):   K - Gᵀ C⁻¹ G                                                          (3)
///
/// A displacement δ away from smooth motion changes f + Gᵀλ* by O(ω² δ²), not O(ω² δ): small
/// enough once δ is small against 1/ω, which whoever iterates on (2) has to see to.
///
/// g_t and g'' are differences of p in t and along (1, v), of fourth order. Cost: an evaluation of
/// f and K at rest besides that of the system, and dense algebra of the size of each group. Fails
/// with singular_matrix where C is not positive definite: there X does not serve.
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

  // Of an evaluation of g or G; only the rows of (1) are read and written.

  /// out = C(q) λ
  void compliance(const Evaluation& ev, const Vec& lambda, Vec& out) const;
  /// out = g - C(q) λ
  void residual(const Evaluation& ev, const Vec& lambda, Vec& out) const;
  /// λ = λ*
  void multipliers_at_rest(const Evaluation& ev, Vec& lambda) const;
  /// out = Gᵀ(λ* - λ): what (2) is away from its second equation
  void excess_force(const Evaluation& ev, const Vec& lambda, Vec& out) const;
  /// Largest |C_ij - δ_ij C_ii| / (C_ii C_jj)^½ with C of structure() on the right.
  [[nodiscard]] double distortion(const Evaluation& ev) const;
  /// λ_new = (C⁻¹ G X_old) λ_old: multipliers of almost the same forces after a change of X.
  /// `ev` is one of this system.
  void convert_multipliers(const Evaluation& ev, const StiffPotential& old, Vec& lambda) const;

 private:
  // where a group stands
  struct Place {
    Index row = 0;                    // its first among all rows
    std::vector<int> columns;         // that its rows of H reach
    std::vector<int> own;             // its coordinates among them
    std::vector<int> K_slot, H_slot;  // entries of its rows: in K of the base, in H by rows
    std::vector<int> K_product;       // where Gᵀ C⁻¹ G goes in K, by columns
    Index G_value = 0;                // its first entry in G; rows are contiguous
    std::size_t scratch = 0;          // C, then its Cholesky factor
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
