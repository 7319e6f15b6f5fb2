// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/simulation/plan.hpp"

namespace taut {

/// What was asked for, or what the reading brings with it.
[[nodiscard]] SlowOptions slow_options(const Plan& plan);
[[nodiscard]] AveragingOptions averaging_options(const Plan& plan);

/// Method, system and start of a run, of each kind of reading.
void plan_motion(Plan& plan);
void plan_slow_motion(Plan& plan, Problems& problems);
void plan_averaged_motion(Plan& plan);

/// The system that a plan integrates, of the same model with other parameters or inputs, near a
/// state; or why there is none.
struct ReadSystem {
  Status status = Status::ok;
  std::string reason;
  System system;
};
[[nodiscard]] ReadSystem read_system(const Plan& plan, const PreparedModel& prepared,
                                     const State& at);
/// Reads the system of a prepared model whose compiled one has changed.
void read_again(PreparedModel& prepared, Problems& problems);

/// The equilibrium that is found from the start takes its place; velocities stay as given.
void start_at_rest(Plan& plan, Problems& problems);

/// What events that act need of the model; null where none does.
[[nodiscard]] std::shared_ptr<const ActingModel> plan_acting(const Plan& plan);
/// What cannot go together with them.
void check_acting(const Plan& plan, Problems& problems);

/// Pulls back onto the slow manifold, where they are asked for.
[[nodiscard]] SlowProjection plan_projection(const Plan& plan, Problems& problems);

/// Heat bath and statistics: mistakes, and whether adaptive methods are out of the question.
void check_thermal(const Plan& plan, Problems& problems);
[[nodiscard]] bool needs_constant_step(const Plan& plan);
[[nodiscard]] std::vector<std::shared_ptr<Sampler>> plan_samplers(const Plan& plan);
/// Why a method does not fit the heat bath or the statistics of a model; empty where it does.
[[nodiscard]] Note thermal_misfit(const MethodInfo& method, const CompiledModel& model);

/// The tolerance, or the least that rounding allows, with a note.
[[nodiscard]] double reachable(double tol, Plan& plan);

/// Constant steps that were asked for are not longer than `max_step`.
void check_max_step(const CompiledRun& run, Problems& problems);

/// What options of projected-rk cannot be in a run of a mechanical model.
void check_curve_options(const Plan& plan, Problems& problems);
[[nodiscard]] ProjectedRkOptions projected_options(const CurveOptions& options);
/// Form, start and end of the curve of a model with [jets].
void plan_curve(Plan& plan, Problems& problems);
/// All of the options that the bits of a run depend on, in words.
[[nodiscard]] std::string identity(const CurveOptions& options);

}  // namespace taut
