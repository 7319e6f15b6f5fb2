// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "core/kkt.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// Why a system has no micro-solution: equations, M(q), forces of the velocity; empty where it has.
[[nodiscard]] std::string no_micro_solution(const Structure& structure);

/// Motion close to a point, in both directions of time: velocity Verlet with the steps h and -h
/// for  M v' = f(q, t),  q' = v,  M constant,
///
///   v_{j+½} = v_j + h/2 (a_j + c_j),               q_{j+1} = q_j + h v_{j+½}                   (1)
///   v_{j+1} = v_{j+½} + h/2 (a_{j+1} + c_{j+1}),   a_j = M⁻¹ f(q_j, t + j h)                   (2)
///
/// and the same backwards. c_j = c_0 + j c' is nothing, or an acceleration that varies slowly:
/// smooth motion has (q_{j+1} - 2 q_j + q_{j-1})/h² = q'' + h²/12 q'''' + O(h⁴), so that with
/// c = h²/12 q'''' it is a solution of (1), (2) but for O(h⁴).
///
/// Points are kept as differences to the centre: sums over both sides, in which most of q_j - q_0
/// cancels, then lose no digits. One force evaluation for each point. Nothing allocates after
/// start().
class MicroSolution {
 public:
  /// One end of the motion so far: q_j - q_0, v_j - v_0 and a_j.
  struct End {
    Vec dq, dv, a;
  };

  /// `why` says what is wrong where a system is refused.
  [[nodiscard]] Status start(const System& system, std::string& why);

  /// c_0 and c' of (1), until they are set again; nothing after start().
  void set_forcing(const Vec& at_centre, const Vec& per_step);

  /// A new centre: evaluates a_0; both ends are there.
  [[nodiscard]] Status open(const System& system, const State& centre, double h);

  /// Moves both ends by one step.
  [[nodiscard]] Status step(const System& system);

  [[nodiscard]] int steps() const { return j_; }  ///< j of ahead(); behind() is at -j
  [[nodiscard]] const State& centre() const { return centre_; }
  [[nodiscard]] const Vec& a() const { return a_; }  ///< a_0
  [[nodiscard]] const End& ahead() const { return ahead_; }
  [[nodiscard]] const End& behind() const { return behind_; }

  /// Where the force was evaluated last.
  [[nodiscard]] const State& point() const { return point_; }
  /// Factors of M.
  [[nodiscard]] const Kkt& mass() const { return mass_; }

  std::int64_t force_evaluations = 0;

 private:
  [[nodiscard]] Status advance(const System& system, int direction, End& end);
  [[nodiscard]] Status acceleration(const System& system, Vec& a);

  Kkt mass_;
  Evaluation ev_;
  State centre_, point_;
  double h_ = 0.0;
  int j_ = 0;
  Vec c_, c_step_;  // c_0 and c'
  Vec a_;
  End ahead_, behind_;
};

}  // namespace taut
