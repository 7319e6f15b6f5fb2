// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/methods/method.hpp"
#include "taut/model/start.hpp"
#include "taut/run/run_options.hpp"
#include "taut/run/summary.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Moves a system from a consistent start to `options.until` and records the motion.
///
/// Steps. A stepping method takes N = ceil((T - t0)/H - 1e-9) equal steps h = (T - t0)/N with H =
/// options.step, at the times t0 + n h, the last exactly at T. An adaptive method chooses its own
/// and meets T exactly.
///
/// Output. Either accepted steps, thinned as Recorder says, or the times t0 + k `every`; the start
/// and the end always. RunOptions::rows keeps all of them or none; observers see each. A time
/// inside a step comes from dense output: the adaptive method's own, or the quintic polynomial of
/// q, v and a (dense_output.hpp); both are then pulled onto the constraints, so that |g| and |G v +
/// g_t| are at rounding level in every row.
///
/// Failure. Nothing is thrown: the summary says what happened, `state` is the last good one, and
/// the motion has all rows up to it. The culprit of a non-finite value is named where it can be
/// found.
///
/// Refusal. What cannot be meant is Status::invalid_argument with a message that names it: q or v
/// of another size than the system's, a start that is not finite or off the constraints (by more
/// than 1e-6 of the terms of g, or of G v + g_t), an end before it, output times that do not grow
/// or lie behind it, constant steps that are not > 0, a method that was moved away. There are no
/// rows then.
///
/// Checkpoints. With options.checkpoint.file everything needed to continue is stored from time to
/// time, and at the end of a run that was cancelled or met a limit. A run continued from it ends
/// with the same bits as one that was never interrupted, in state, motion and events. Methods whose
/// info says that they cannot be resumed write none and start over. The file of a finished run is
/// not removed here: whoever keeps the results does so once they are safe.
///
/// Between rows. With options.extremes the motion has the least and greatest values of the steps
/// that are no rows, and the summary's residuals and errors are over them, too (RunOptions says how
/// many are measured).
///
/// Cost besides the method's: about one force evaluation for each row. Steps in which nothing is
/// recorded do not allocate.
[[nodiscard]] Summary integrate(const System& system, const State& start, Method method,
                                const RunOptions& options, Motion& motion);

/// The same; redundant constraints and what the start changed are passed on to the summary. A start
/// that failed is reported as the run's failure.
[[nodiscard]] Summary integrate(const System& system, const Start& start, Method method,
                                const RunOptions& options, Motion& motion);

}  // namespace taut

#pragma GCC visibility pop
