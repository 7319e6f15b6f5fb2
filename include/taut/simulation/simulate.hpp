// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "taut/run/curve_motion.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"
#include "taut/simulation/instant.hpp"
#include "taut/simulation/plan.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Reads a model file. Throws ModelError with all that is wrong with it, and with what it would be
/// compiled to.
[[nodiscard]] Model load(const std::string& file);

/// The same without exceptions, and without compiling: mistakes go to `problems`.
[[nodiscard]] Model load(const std::string& file, Problems& problems);

class Replay;

/// What a model with [jets] gives.
struct CurveResult {
  CurveMotion motion;
  CurveSummary summary;
};

/// A run and all that it found. A run that failed is a result, too: its summary says why, and its
/// motion ends at the last good state.
struct Result {
  std::shared_ptr<const Plan> plan;
  Motion motion;                     ///< of a mechanical model
  Summary summary;                   ///< likewise
  std::optional<CurveResult> curve;  ///< of a model with [jets]

  /// Whether the run ended as it should.
  [[nodiscard]] bool good() const { return curve ? curve->summary.good() : summary.good(); }

  /// The motion of a mechanical model at any time of the run, as accurate as the method's own dense
  /// output, and to the same bits as a row that was asked for. The first call takes the run again;
  /// those that follow go on from there. Times outside the run, and models with [jets], are
  /// Status::invalid_argument.
  [[nodiscard]] Instant at(double t) const;

  std::shared_ptr<Replay> replay;  ///< behind at()
};

/// Computes the motion of a model: what `taut run` does, to the same bits.
///
///   const taut::Model model = taut::load("models/double_pendulum.toml");
///   const taut::Result run = taut::simulate(model, {.until = 10});
///
/// Bad input throws ModelError with all mistakes; a numerical failure is in the summary.
[[nodiscard]] Result simulate(const Model& model, const SimulationOptions& options = {});

/// Carries a plan out; nothing is thrown.
[[nodiscard]] Result simulate(Plan plan);

/// Estimates the global errors of a run in time: Summary::error_estimate, or the reason why there
/// is none. It takes a second run, some 1.5 to 3 times as long, which changes nothing of the first;
/// one that would take more than `most_seconds` is not begun, or given up. A tighter companion that
/// fails is replaced by a looser one. No estimate is made of runs that failed or were changed from
/// outside, in a heat bath, of the slow and the averaged reading, which have errors of their own,
/// and of models with [jets].
void estimate_errors(Result& run, double most_seconds = std::numeric_limits<double>::infinity());

/// Goes on where a run of a mechanical model ended, with the same reading, method and steps, which
/// begin anew; in a heat bath with the next seed. Throws ModelError where `until` is not behind the
/// end.
[[nodiscard]] Result go_on(const Result& run, double until);

}  // namespace taut

#pragma GCC visibility pop
