// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "model/accelerations.hpp"
#include "taut/core/note.hpp"

namespace taut {

struct AutomaticOptions {
  double tol = 1e-8;  ///< as of Radau; Dormand-Prince gets a tenth of it
};

/// Whether and why a run is to begin with an implicit method.
struct StiffnessAtStart {
  bool stiff = false;
  Note reason;
};

/// Compares the fastest rate ω of the system at the start, compliant constraints as springs, with
/// what the motion asks for: an explicit method cannot take steps beyond about 6/ω, which is
///
///   ω (until - t) / 6 steps                                                                  (1)
///
/// Fewer than 500 are taken gladly. More of them are stiffness if constraints vibrate at a rate
/// that is fast compared with the motion, ω > 100 |a|/|v|. What shows later, a run finds out by
/// itself.
[[nodiscard]] StiffnessAtStart stiffness_at_start(const System& system, const State& state,
                                                  double until);

/// Dormand-Prince 8(5,3) where nothing is stiff, Radau IIA where something is. It begins with what
/// stiffness_at_start() says and changes over
///
///   to radau    when in 15 steps the product of h and the rate seen in the last two stages, which
///               lie at the same time, is above 4: stability and not accuracy bounds the steps
///               (hairer1996, IV.2); four times as many steps after each return. Or when a step
///               fails. Or when after 200 steps, and ever more seldom from there, that product is
///               above 1/2, the rate 100 times that of the motion, and 8 steps of radau that are
///               tried show one 10 times as long: at tight tolerances what is stiff disturbs the
///               accuracy of steps that are stable
///   to dop853   when after 50 steps of radau, and every 50 from there, h times the fastest rate is
///               below 2: the steps would be stable there, too, and are cheaper
///
/// Both are decided by the motion alone: same input, same bits. Systems without derivatives of the
/// forces (Structure::differentiable) are left to dop853.
class Automatic {
 public:
  static constexpr MethodInfo info{
      .name = "auto",
      .order = 8,
      .adaptive = true,
      .constraints = true,
      .compliance = true,
      .variable_mass = true,
      .velocity_forces = true,
      .velocity_rows = true,
      .about = "dop853 where nothing is stiff, radau where something is; changes over by itself",
      .cite = "hairer1996"};

  explicit Automatic(AutomaticOptions options = {});

  [[nodiscard]] Status start(const System& system, const State& state);
  /// With the method that was in use, and its step.
  [[nodiscard]] Status restart(const System& system, const State& state);
  [[nodiscard]] Status advance(const System& system, double t_stop, State& state);
  [[nodiscard]] Status interpolate(const System& system, double t, State& state);
  [[nodiscard]] Status rates(const System& system, double t, State& rate);
  [[nodiscard]] Status multipliers(const System& system, const State& at, Vec& a, Vec& lambda);
  void archive(Archive& archive);
  void bound_steps(double most);
  [[nodiscard]] double tolerance() const { return options_.tol; }
  [[nodiscard]] const Vec* acceleration() const {
    return begun_ && !implicit_active_ ? explicit_.acceleration() : nullptr;
  }
  [[nodiscard]] const std::string& message() const;

  /// What has been used so far: "dop853", "radau", or both in their order.
  [[nodiscard]] std::string used() const;
  /// When and why it changed over, and what radau has to say.
  [[nodiscard]] std::vector<Note> notes() const;

  Counters counters;

 private:
  [[nodiscard]] DormandPrince853 make_explicit() const;
  [[nodiscard]] Radau make_implicit() const;
  [[nodiscard]] Status begin(const System& system, double t_stop, const State& state);
  [[nodiscard]] Status start_active(const State& state);
  [[nodiscard]] Status change_to(bool implicit, const State& state, Note why);
  [[nodiscard]] bool explicit_is_bound_by_stability();
  [[nodiscard]] double longer_implicit_steps(double h, double t_stop, const State& state);
  [[nodiscard]] bool explicit_would_do(const State& state);
  void count();

  AutomaticOptions options_;
  double most_ = std::numeric_limits<double>::infinity();  // length of a step
  System system_, springs_;
  DormandPrince853 explicit_;
  Radau implicit_;
  bool begun_ = false;
  bool implicit_active_ = false;
  bool implicit_stepped_ = false;  // which one did the last step
  bool both_ = false;
  int stiff_steps_ = 0, easy_steps_ = 0;  // of the explicit method
  std::int64_t steps_since_change_ = 0, next_try_ = 0;
  std::int64_t sure_ = 0;  // stiff steps after which it changes over
  State given_;            // to start()
  Counters before_;        // of phases that are over
  Accelerations accelerations_;
  Evaluation ev_;
  Vec spring_lambda_, row_lambda_;
  std::vector<Note> notes_;
};

}  // namespace taut
