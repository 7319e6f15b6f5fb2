// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "gradients/linearised_forces.hpp"
#include "methods/radau.hpp"
#include "taut/core/state.hpp"

namespace taut {

/// The linearised equations of a stiff motion along the steps of Radau with five stages:
/// derivatives of the collocation equations (2) of Radau at the stages of a step, with x = (s, e),
/// w, δλ, μ and the stretch C γ of compliant rows as unknowns of each stage,
///
///   M D(w) + K x + D w + Gᵀδλ = 0,     D(s) = w - M⁻¹Gᵀμ                                     (1)
///   G x = C γ,     G w + N x = C D(γ)                                                        (2)
///   γ + d D(γ) = δλ + (δC λ - δd g') / C                                                     (3)
///
/// where D differentiates the polynomial through the start of the step and its stages. K, D, G and
/// N are those of the stages: the derivative of the step is solved for, not iterated to. Rows of
/// velocities have μ = 0 in place of G x = 0. One dense factorisation per step.
class StiffFlow {
 public:
  /// Linearised by what `forces` has widened; `system` has compliant rows as equations.
  StiffFlow(const WideSystem& wide, const System& system, std::vector<int> column_of, double tol);

  /// Why it cannot be, in words.
  [[nodiscard]] std::string refusal() const;
  [[nodiscard]] Status begin(const State& start, const Tangent& columns);
  /// Goes on behind a switch, with columns that have jumped and the stretch of compliant rows.
  [[nodiscard]] Status go_on(const State& state, const Tangent& columns);
  /// Why a switch across which accelerations jump has no derivative; empty where it has one.
  [[nodiscard]] std::string refusal_of_jumps() const;
  /// A step of the motion, not beyond t_stop, and the derivatives at its end.
  [[nodiscard]] Status advance(double t_stop, State& state, Tangent& columns);
  /// Both at a time inside the last step, or at its ends.
  [[nodiscard]] Status at(double t, State& state, Tangent& columns);
  /// Accelerations and multipliers there, after at(), and their derivatives.
  [[nodiscard]] Status loads(const State& state, const Tangent& columns, Vec& a, Vec& lambda,
                             Mat& a_by, Mat& lambda_by);

  // The transposes, of steps that were recorded (StiffRecorder). Columns are those of all e.

  /// Covectors on s, w and γ at the start of a step and at its stages, and on e.
  struct Covectors {
    std::vector<Mat> s, w, gamma;
    Mat e;
  };
  [[nodiscard]] Covectors covectors(Index columns) const;
  /// Linearises a step, q, v, a and λ at its start and at its stages.
  [[nodiscard]] Status take(double t0, double t1, const Mat& inside);
  /// From everything to what is at the start of the step.
  [[nodiscard]] Status pull_back(Covectors& on) const;
  /// Of loads() at stage 1 ..., or before all steps at 0.
  [[nodiscard]] Status pull_back_loads(std::size_t node, const Mat& on_a, const Mat& on_lambda,
                                       Covectors& on);
  /// Of begin(): from γ of the start to s and e.
  void pull_back_start(Covectors& on) const;
  [[nodiscard]] const std::vector<int>& compliant() const { return compliant_; }

 private:
  struct Stage {
    Mat M, K, D, G, N;  // the last four with the columns of e
    Mat load;           // right-hand side of (3)
    Mat s, w, gamma;    // solution
  };
  [[nodiscard]] Status linearise(const State& state, const Vec& a, const Vec& lambda, Stage& stage);
  [[nodiscard]] Mat load_of(const Vec& lambda, const Vec& rate) const;
  [[nodiscard]] Status solve(double h);
  // of solve(): M⁻¹Gᵀ at the first stage, and the matrix
  [[nodiscard]] Mat B_of_step() const;
  [[nodiscard]] Mat matrix_of_step(double h, const Mat& B) const;
  void add_e(const Mat& wide, Mat& to, double factor) const;

  const WideSystem& wide_;
  System system_, reading_, base_;
  std::vector<int> column_of_, compliant_;
  Index nq_ = 0, nc_ = 0, m_ = 0;
  Vec C_, d_;
  std::vector<bool> of_velocities_;
  Radau method_;

  State from_, to_;
  Tangent from_columns_, to_columns_;
  Mat gamma_;  // at the start of the step, then at its end
  Mat from_gamma_;
  std::vector<Stage> stages_;
  bool has_step_ = false;
  Evaluation ev_, rows_;
  Vec q_, v_, a_;
  Mat taken_;    // by take()
  Mat start_G_;  // at the start
  double taken_from_ = 0.0, taken_to_ = 0.0;
};

}  // namespace taut
