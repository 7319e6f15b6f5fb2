// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/model/model.hpp"
#include "taut/simulation/options.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Writes the page of `taut play`: one file with the model, the files it reads and an engine, that
/// needs nothing else (docs/manual/play.md). `engine`: the file taut_engine.json of a build of the
/// preset `web`. The page begins with what the options say of parameters, reading, omega, method,
/// step, tol, until and columns; it has no others. With `others` it can change to those models.
/// What went wrong, with the path; empty when the page is in place.
[[nodiscard]] std::string write_play(const Model& model, const SimulationOptions& options,
                                     const std::string& engine, const std::string& page,
                                     const std::vector<Model>& others = {});

}  // namespace taut

#pragma GCC visibility pop
