// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/optimize.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// An optimum as a JSON object (docs/manual/optimize.md has its fields).
[[nodiscard]] std::string optimum_json(const Optimum& optimum);
[[nodiscard]] std::string write_optimum_json(const Optimum& optimum, const std::string& file);
/// A line for each start: where it began and ended.
[[nodiscard]] std::string write_optimum_csv(const Optimum& optimum, const std::string& file);

/// The page: what was found, and the course of the searches.
[[nodiscard]] std::string write_optimum_html(const Optimum& optimum, const std::string& model,
                                             const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
