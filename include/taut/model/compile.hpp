// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/model.hpp"
#include "taut/model/system.hpp"

namespace taut {

/// [run] with its expressions evaluated.
struct CompiledRun {
  double from = 0.0;
  std::optional<double> until, step, tol, every, omega;
  std::string reading, method;  ///< empty: not given
};

struct CompiledModel {
  System system;  ///< as written: compliant constraints are rows with C > 0
  State given;    ///< the start as stated, before it is made consistent
  CompiledRun run;
};

/// Resolves names, expands repeats, differentiates. Every mistake goes to `problems`; the result
/// may only be used when there is none.
[[nodiscard]] CompiledModel compile(const Model& model, Problems& problems);

/// The same for models built in code: throws ModelError.
[[nodiscard]] CompiledModel compile(const Model& model);

}  // namespace taut
