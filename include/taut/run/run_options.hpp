// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "taut/model/compile.hpp"
#include "taut/run/checkpoint.hpp"
#include "taut/run/events.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/sampler.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// How far a run has come.
struct Progress {
  double t = 0.0;         ///< [s]
  double fraction = 0.0;  ///< of the time span
  std::int64_t steps = 0;
  double wall_seconds = 0.0;
};

/// Which rows a motion keeps. Observers see every row when it is found.
enum class Rows : unsigned char {
  thinned,  ///< steps as many as RunOptions::max_rows allows; of rows at given places all
  all,      ///< every step, or all at given places
  none,     ///< none of those of `all`: observers are shown them
};

/// Where a switch of the model has changed its side, so that other forces act from there on.
struct SideChange {
  double t = 0.0;
  bool slides = false;  ///< it stays on its edge, or leaves it
  bool impact = false;  ///< constraints were switched: velocities have jumped
};

struct CheckpointOptions {
  std::string file;      ///< empty: no checkpoints
  double seconds = 5.0;  ///< wall time between two; 0: after every step
  RunIdentity identity;
  std::optional<Archive> resume;  ///< CheckpointFound::content: where to continue
};

/// Pulls the state of a run back onto the slow manifold, while its method follows the stiff motion;
/// the method starts anew afterwards. A row of the motion at such a time shows the state before.
struct SlowProjection {
  double every = 0.0;      ///< at the times t0 + k `every`, but not at the end [s]; 0: at none
  double vibration = 0.0;  ///< after steps where NormalEnergy's E / Σ C λ² is above this; 0: never
  std::function<Status(State& state, std::int64_t& evaluations)> onto;  ///< moves it, and counts

  [[nodiscard]] bool any() const { return onto && (every > 0.0 || vibration > 0.0); }
};

/// What a run needs that events act on (CompiledModel::actions): the model, whose parameters and
/// inputs they change, and how the system that is moved follows from it.
struct ActingModel {
  CompiledModel model;
  std::function<System(const CompiledModel&)> read;
  /// Where inputs are kept, to be read and set from outside; null: by the run alone, which begins
  /// with those that `model` reads.
  std::shared_ptr<std::vector<double>> inputs;
};

struct RunOptions {
  double until = 0.0;     ///< end time [s], not before the start
  double step = 0.0;      ///< longest step of a stepping method [s]; adaptive methods ignore it
  double max_step = 0.0;  ///< no step of any method is longer [s]; 0: no bound
  double every = 0.0;     ///< distance of output times [s]; 0: the steps themselves are the output
  /// Output times in place of `every`: after the start, growing, not behind `until`.
  std::vector<double> times;

  Rows rows = Rows::thinned;
  // of recorded steps; output times asked for by `every` are all kept
  std::int64_t max_rows = 2000;
  std::int64_t max_values =
      1'000'000;  ///< bound on rows times columns: large systems get fewer rows

  /// Keeps Motion::extremes: q, v and length of every step; multipliers, energy and residuals of
  /// the first `max_measured` steps and of every 2^k-th behind them (in a run of which it is known
  /// that it is longer: of every 2^k-th, half as many at most), at the cost of a row each.
  /// `max_measured` is lowered to 3e7 / w for systems of w > 30 columns, to 7.7e9 / w^2 for those
  /// of more than 256. Residuals and errors of the summary are then over those steps, too.
  bool extremes = false;
  std::int64_t max_measured = 1'000'000;

  /// Looks at every step for what happens between the points where its method looks: switches and
  /// short or local forces of the model. Steps end there.
  bool watch = true;

  SlowProjection projection;

  std::shared_ptr<const ActingModel> acting;   ///< of a model whose events act; null: none may
  std::vector<EventFunction> event_functions;  ///< of a mechanical model, in place of its formulas
  std::int64_t max_events = 10'000;            ///< later ones are counted, not kept
  std::int64_t max_steps = 0;                  ///< 0: no limit
  double max_seconds = 0.0;                    ///< of wall time; 0: no limit
  CheckpointOptions checkpoint;
  const std::atomic<bool>* cancel = nullptr;  ///< the run ends after the step in which it is set
  std::function<void(const Progress&)> progress;             ///< some ten times a second
  std::vector<std::function<void(const Frame&)>> observers;  ///< called with every row
  std::function<void(const SideChange&)> on_side_change;
  /// Statistics over the steps of a method of constant steps; stored with checkpoints.
  std::vector<std::shared_ptr<Sampler>> samplers;
};

}  // namespace taut

#pragma GCC visibility pop
