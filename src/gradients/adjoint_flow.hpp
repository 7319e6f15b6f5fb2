// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "gradients/linearised_forces.hpp"
#include "gradients/motion_tape.hpp"
#include "gradients/read_numbers.hpp"

namespace taut {

/// What a density of a measure is made of: ∫ ω dt with ω = X or X² of a number.
struct MeasuredDensity {
  Index number = 0;
  bool square = false;
};

/// The adjoint of the linearised equations of motion, backwards in time: with covectors ξ on (s, e)
/// and η on w, one column for each measure, along a motion that was recorded,
///
///   M α + Gᵀβ = η + ω_a,       G α = ω_λ                                                     (1)
///   -ξ' = ω_x - Kᵀα - R_qᵀβ,   -η' = ξ + ω_v - Dᵀα - R_vᵀβ                                    (2)
///   -J' = ω                                                                                  (3)
///
/// with the matrix of (2) of LinearisedForces, whose transposes these are: ξᵀ(s, e) + ηᵀw does not
/// change along any column but by what the densities ω add, which read q, v, a and λ. The part of ξ
/// that belongs to e is the gradient. Covectors are determined up to those that vanish on (3)
/// there; project() takes the smallest in the mass metric. One evaluation costs one of the forces,
/// one of their derivatives, one factorisation, and a product and a solve for each measure, however
/// many the e are.
///
/// As a system: first-order states (ξ, η, J) of the time -t, scaled.
class AdjointFlow final : public SystemImplementation {
 public:
  AdjointFlow(LinearisedForces& forces, ReadNumbers& numbers, MotionTape& tape,
              std::vector<double>& modes, std::vector<std::vector<MeasuredDensity>> densities);
  ~AdjointFlow() override;

  /// From now on in this part of the motion.
  void enter(std::size_t part);
  /// Scales of columns, and of each e.
  void scale(const Vec& measures, const Vec& e);

  struct Covectors {
    Mat xi, eta;  ///< (nq + ne) and nq rows, a column for each measure
    Vec integral;
  };
  [[nodiscard]] State joined(double t, const Covectors& at) const;
  void split(const State& joined, Covectors& at) const;

  /// The state of the motion.
  [[nodiscard]] Status place(double t, State& state) const;
  /// Numbers there, and the gradients of all measures by them into covectors: weights(k, j).
  [[nodiscard]] Status values(const State& state, Vec& x) const;
  [[nodiscard]] Status pull_back(const State& state, const Mat& weights, Covectors& to) const;
  /// Derivatives of (ξ of e) at a time: densities of the gradient.
  [[nodiscard]] Status densities(double t, const Covectors& at, Mat& of_e) const;

  [[nodiscard]] const Structure& structure() const override { return structure_; }
  void prepare(Evaluation& out) const override;
  [[nodiscard]] Status evaluate(Needs needs, const Arguments& at, Evaluation& out) const override;
  [[nodiscard]] Status project(State& state, Evaluation& scratch) const override;
  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override;
  [[nodiscard]] std::string culprit(const Arguments& at) const override;

 private:
  struct Scratch;
  Structure structure_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace taut
