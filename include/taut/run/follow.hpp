// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "taut/curves/curve_options.hpp"
#include "taut/model/jet_system.hpp"
#include "taut/run/curve_motion.hpp"
#include "taut/run/curve_start.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/run_options.hpp"

#pragma GCC visibility push(default)

namespace taut {

class JetFormula;

/// Something that happens where a value changes its sign along a curve.
struct CurveEvent {
  std::string name;
  std::function<double(const Vec& p, const Vec& V)> value;  ///< V: direction at p
  Observable::Direction direction = Observable::Direction::any;
  bool stops = false;
  /// The same value, where it can be enclosed: all crossings in a step are then found. Without it,
  /// values at the quarters of a step tell.
  std::shared_ptr<const JetFormula> formula{};
};

/// A value that is shown along a curve.
struct CurveOutput {
  std::string name;
  std::function<double(const Vec& p, const Vec& V)> value;  ///< V: direction at p
};

/// Events and outputs of a system as values on a curve that is one of its forms. A jet is read from
/// the coordinate of its name; where there is none, as dz/dx = V_z / V_x of the derivative z below
/// it, and where the curve is the completed form, from CompletedUnknowns.
struct CurveEvents {
  std::vector<CurveEvent> events;    ///< not to be shared by threads
  std::vector<CurveOutput> outputs;  ///< likewise
  std::string reason;                ///< why there are none: a jet that the curve does not have
};
[[nodiscard]] CurveEvents curve_events(const JetSystem& system, const Curve& curve,
                                       const Completion* completion = nullptr);

enum class AtImpasse : unsigned char { go_on, stop };

struct FollowOptions {
  std::optional<double> until;  ///< ends at this x exactly, on whichever side of the start it lies
  double arc = 0.0;             ///< ends after this arc length; 0: no bound
  double sense = 1.0;           ///< without `until`: -1 goes where x falls first

  CurveIntegratorOptions integrator;
  AtImpasse at_impasse = AtImpasse::go_on;

  double every = 0.0;      ///< rows where the curve meets x = start + k `every`; 0: the steps
  double every_arc = 0.0;  ///< rows at these distances of arc length instead

  Rows rows = Rows::thinned;
  // of recorded steps; rows asked for by `every` and `every_arc` are all kept
  std::int64_t max_rows = 2000;
  std::int64_t max_values = 1'000'000;  ///< bound on rows times columns
  bool extremes = false;                ///< keeps CurveMotion::extremes, of every step
  std::vector<CurveOutput> outputs;     ///< columns of the motion

  std::int64_t max_events = 10'000;  ///< of events and of impasse points; later ones are counted
  std::int64_t max_steps = 0;        ///< 0: no limit
  double max_seconds = 0.0;          ///< of wall time; 0: no limit
  CheckpointOptions checkpoint;
  const std::atomic<bool>* cancel = nullptr;  ///< the run ends after the step in which it is set
  std::function<void(const Progress&)> progress;  ///< some ten times a second; t is x
  std::vector<std::function<void(const CurveFrame&)>> observers;  ///< called with every row
};

/// Follows a curve from a consistent start to x = `until`, or for an arc length.
///
/// x need not grow all the way. Impasse points, where dx/ds = 0, are looked for in every step: by a
/// change of sign of V_x, and where |V_x| falls below half its largest value at the stages of the
/// step, by golden sections for its least value, an impasse point if
///
///   |V_x| <= max(1e-13, 1e-3 tol)                                                              (1)
///
/// on the curve itself (dense output, projected, with its direction computed anew). They are
/// recorded, and the run goes on behind them or stops there, as asked; steps in x end there with
/// Status::impasse. So does a run where V_x changes its sign by a jump, at a corner.
///
/// Where the curve has features (choose_form), steps end where switches of its equations change,
/// and go on along the curve of the other sides, with dx/ds of the same sign; steps over something
/// short that no stage has seen are taken again. Where highest derivatives alone cannot meet the
/// other side, Status::discontinuous; where both sides lead back, Status::stalled, unless the
/// determinant of the equations changes its sign there, too: then x turns back.
///
/// A run cannot reach `until` where
/// - x does not get on. With b = -d ln V_x / d ln s between arc lengths s/2 and s, what is left of
///   the way in x is about
///
///     R = V_x s / (b - 1)                                                                      (2)
///
///   The run ends with Status::impasse when R is below max(16 eps |x|, 0.01 tol (1 + |x|)) for two
///   doublings of s in a row: the unknowns run to infinity before x gets there. Growth that is
///   exponential in x has b = 1 and goes on.
/// - the curve is closed, or has turned back and gone farther behind its start than `until` lies
///   before it. That is Status::impasse, too, with this as its message; `arc` follows it farther.
///
/// Output, failure, refusal, checkpoints, limits: as integrate() has them. Rows at given x are
/// where the curve passes these, in order of s: after it turned back they come again. A stopping
/// event ends the run where it happens, to 1e-12 of the step.
[[nodiscard]] CurveSummary follow(const Curve& curve, const std::vector<CurveEvent>& events,
                                  const Vec& start, const FollowOptions& options,
                                  CurveMotion& motion);

/// The same; what the start changed is passed on to the summary. A start that failed is reported as
/// the run's failure.
[[nodiscard]] CurveSummary follow(const Curve& curve, const std::vector<CurveEvent>& events,
                                  const CurveStart& start, const FollowOptions& options,
                                  CurveMotion& motion);

}  // namespace taut

#pragma GCC visibility pop
