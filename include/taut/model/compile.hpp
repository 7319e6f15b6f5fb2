// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/heat_bath.hpp"
#include "taut/model/jet_system.hpp"
#include "taut/model/model.hpp"
#include "taut/model/scene.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// [run] with its expressions evaluated.
struct CompiledRun {
  double from = 0.0;
  std::optional<double> until, step, tol, every, omega;
  std::string reading, method;  ///< empty: not given
  std::string at_impasse;       ///< likewise
};

/// A statistic with its names resolved and its expressions evaluated.
struct CompiledStatistic {
  Statistic::Kind kind = Statistic::Kind::histogram;
  std::string name;
  int observable = -1;           ///< of histogram and autocorrelation: in Structure::observables
  std::vector<int> among, with;  ///< of a radial distribution: first coordinate of each point
  int dimension = 3;             ///< of these points
  std::vector<double> box;       ///< edges of the periodic box; empty: there is none
  double from = 0.0, to = 0.0;   ///< range of bins
  int bins = 100;
  double lag = 0.0;    ///< longest one [s]
  double every = 0.0;  ///< distance of samples [s]; 0: every step
  double after = 0.0;  ///< no samples before this time [s]
};

struct CompiledModel {
  std::optional<JetSystem>
      jets;       ///< of a model with [jets]: then there is neither system nor state
  System system;  ///< as written: compliant constraints are rows with C > 0
  State given;    ///< the start as stated, before it is made consistent
  CompiledRun run;
  std::optional<HeatBath> bath;
  double bath_after = 0.0;  ///< its temperature is averaged from this time on [s]
  std::vector<CompiledStatistic> statistics;
  Scene scene;  ///< what it looks like; empty where the model does not say
};

/// Resolves names, expands repeats, differentiates. Every mistake goes to `problems`; the result
/// may only be used when there is none.
[[nodiscard]] CompiledModel compile(const Model& model, Problems& problems);

/// The same for models built in code: throws ModelError.
[[nodiscard]] CompiledModel compile(const Model& model);

}  // namespace taut

#pragma GCC visibility pop
