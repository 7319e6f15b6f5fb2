// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/counters.hpp"
#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"
#include "taut/simulation/plan.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// The motion that methods are compared on. All of them start from the same state.
struct CompareProblem {
  System equations;  ///< for methods that treat compliant constraints as equations
  System springs;    ///< the same for all others
  State start;       ///< consistent
  double until = 0.0;
  double max_step = 0.0;  ///< no step of a method that chooses its steps is longer; 0: no bound
  std::shared_ptr<const ActingModel> acting{};  ///< of a model whose events act
};

/// That of a plan: its start, its reading, whatever its method.
[[nodiscard]] CompareProblem compare_problem(const Plan& plan);

/// The model without what it says about its own runs: method, step, output times and statistics. A
/// heat bath, in which every run is another, goes to `problems`.
void leave_to_comparison(PreparedModel& prepared, Problems& problems);

struct CompareOptions {
  std::vector<MethodInfo> methods;  ///< those that do not fit are left out
  std::vector<double> tols;         ///< of adaptive methods, coarse to fine; empty: 1e-3 ... 1e-11
  std::vector<double> steps;        ///< of the others, coarse to fine; empty: halved as is useful
  double max_seconds = 1.0;         ///< of wall time for a run
  double budget = 60.0;             ///< for everything; the reference takes at most a third
  double repeat_seconds = 0.05;     ///< short runs are repeated for so long
  std::string automatic = "auto";   ///< what is taken when nobody names a method
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::string_view what, double fraction)> progress;
};

/// Differences of two motions relative to the size of the motion, see compare().
struct CompareError {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double q = unknown, v = unknown;
  double lambda = unknown;  ///< also where there are no constraints
};

/// One run of a method.
struct ComparePoint {
  double tol = 0.0, step = 0.0;  ///< one of them; the other is 0
  Status status = Status::ok;
  std::string message;
  CompareError error;
  bool below_uncertainty = false;  ///< error.q is not above the reference's uncertainty
  Counters counters;
  std::int64_t force_evaluations = 0;  ///< those of the model that a reading made included
  double seconds = 0.0;                ///< of wall time, the least of all repetitions

  [[nodiscard]] bool good() const { return status == Status::ok; }
  [[nodiscard]] std::int64_t accepted() const { return counters.steps - counters.rejected; }
};

/// Errors at which costs are told.
inline constexpr std::array compare_levels{1e-3, 1e-6, 1e-9};

/// What it takes to have an error, read off a curve.
struct CompareReach {
  double seconds = 0.0;
  double force_evaluations = 0.0;
};

struct ComparedMethod {
  MethodInfo info;
  std::vector<ComparePoint> points;  ///< coarse to fine
  std::optional<double> order;       ///< slope of the error against the number of steps
  Note note;                         ///< why the points end where they end
  bool cut = false;                  ///< by a limit of time: finer runs might have been better
  std::array<std::optional<CompareReach>, compare_levels.size()> reaches;

  [[nodiscard]] std::optional<double> best_error() const;
};

/// The fastest method for an error, and the next one.
struct CompareFastest {
  double error = 0.0;
  std::string method, next;  ///< empty: there is none
  CompareReach cost, next_cost;
  std::string reason;  ///< why there is none
};

/// What errors are measured against: the motion of the first method. Its uncertainty is its
/// difference from that of the second.
struct CompareReference {
  std::vector<std::string> methods;
  std::vector<double> tols;
  CompareError uncertainty;
  bool converged = false;
  Note note;
};

struct Comparison {
  enum class Ending : unsigned char { done, cancelled, no_reference };
  Ending ending = Ending::done;
  std::string reason, hint;  ///< unless it is done

  double from = 0.0, until = 0.0;  ///< [s]; the end may be earlier than asked for: see notes
  std::vector<double> times;       ///< at which errors are measured
  double size = 0.0;               ///< D of (1)
  double speed = 0.0;              ///< V of (2)
  double load = 0.0;               ///< L of (3)
  CompareReference reference;
  std::vector<ComparedMethod> methods;
  struct LeftOut {
    std::string name;
    Note reason;
  };
  std::vector<LeftOut> left_out;
  std::vector<CompareFastest> fastest;  ///< for compare_levels
  std::string automatic;                ///< CompareOptions::automatic
  std::vector<std::string> advice;
  std::vector<Note> notes;
};

/// Computes one motion with many methods at many tolerances or steps, and measures errors and
/// costs.
///
/// Errors are those of rows at 48 times t_k, as a run with RunOptions::times gives them, against a
/// reference q*, v*, λ*. There is one in each of 48 equal parts of the time span T, at places that
/// no vibration keeps step with; the last is the end:
///
///   t_k = t_0 + T (k - 1 + frac(k φ)) / 48,   φ = (1 + √5)/2,   k = 1, ..., 47;   t_48 = t_0 + T
///
///   error of q = max_k |q(t_k) - q*(t_k)|_M / D,      D = max_t |q*(t) - q*(0)|_M             (1)
///   error of v = max_k |v(t_k) - v*(t_k)|_M / V,      V = max_t |v*(t)|_M                     (2)
///   error of λ = max_k |λ(t_k) - λ*(t_k)|_2 / L,      L = max_t |λ*(t)|_2                     (3)
///
/// with the mass metric |x|_M² = xᵀ M(q*(t)) x; D, V and L are taken over 997 times, not over the
/// t_k, at which a vibration may happen to be where it began. (1) is the error that is meant where
/// nothing else is said.
///
/// Reference. Two methods of different kind (the first of dop853, radau, cvode-adams, dopri5, ida,
/// ... that fit) are run at tolerances from 1e-9 to 1e-13 as far as the time allows; up to three
/// more runs where these do not agree to 1e-9. The first one that gets to the end is one of the two
/// whose difference is the uncertainty: an explicit method cannot step over a vibration, two
/// implicit ones may agree to do so. It starts anew after each thousandth of the time span, so that
/// a force that lasts longer than that is not stepped over; so does a second run of a method that
/// does not agree with it. The reference has converged where the two differ by at most 1e-3;
/// otherwise nothing is compared, and the hint says until when they agree.
///
/// Doubts. A method goes elsewhere when its last three runs, and one with a step between, differ by
/// less than a tenth of the error of the last one. Where two of different order go to the same
/// motion, one of them explicit, and one with constant steps below a thousandth of the time span,
/// the reference has missed something: it is called doubtful, and nothing is compared. Without such
/// steps it is they that have: a note.
///
/// Runs. Adaptive methods: tolerances from 1e-3 on, divided by ten. Others: steps from a quarter of
/// the fastest period about the start (at most 1/20 of the time span) on, halved; each divides the
/// time span. Coarse runs of all methods come first. The points of a method end below the
/// reference's uncertainty, at the time limits (ComparedMethod::cut), or where rounding makes
/// errors grow. Times are the least of repetitions, one run at a time. A run that fails, or that an
/// event of the model stops, is a point without an error; where the motion itself meets such an
/// event, it is compared until shortly before.
///
/// Fails, with Comparison::ending, reason and hint, where the motion cannot be computed, does not
/// move, or has no reference that can be trusted. Nothing is thrown.
[[nodiscard]] Comparison compare(const CompareProblem& problem, const CompareOptions& options);

/// Fills what follows from the points and the reference: order, reaches, fastest and advice.
void draw_conclusions(Comparison& comparison);

}  // namespace taut

#pragma GCC visibility pop
