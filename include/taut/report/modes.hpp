// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "taut/modes/modes.hpp"
#include "taut/modes/response.hpp"
#include "taut/modes/root_locus.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A linear model as a JSON object (docs/manual/modes.md has its fields); with transfer functions
/// where they are asked for.
[[nodiscard]] std::string linear_json(const LinearModel& linear, bool transfer = false);

/// Modes as a JSON object.
[[nodiscard]] std::string modes_json(const Modes& modes);

/// Responses as a JSON object.
[[nodiscard]] std::string responses_json(const LinearModel& linear,
                                         const std::vector<FrequencyResponse>& responses);

/// A.csv, B.csv, C.csv, D.csv of the state space with names in the first row and column, and
/// equations M, D, K, G, N, F likewise: the texts by the names of their files.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> linear_csv(
    const LinearModel& linear);

/// One line for each mode. The writers return what went wrong, with the path; empty when the file
/// is in place.
[[nodiscard]] std::string write_modes_csv(const Modes& modes, const std::string& file);
[[nodiscard]] std::string write_responses_csv(const std::vector<FrequencyResponse>& responses,
                                              const std::string& file);

/// Pages: the list with shapes that move; Bode and Nyquist plots.
[[nodiscard]] std::string write_modes_html(const Modes& modes, const std::string& file);
[[nodiscard]] std::string write_responses_html(const LinearModel& linear,
                                               const std::vector<FrequencyResponse>& responses,
                                               const std::string& file);

/// Roots over a parameter: a JSON object; one line for each value; the page with their ways.
[[nodiscard]] std::string locus_json(const RootLocus& locus);
[[nodiscard]] std::string write_locus_csv(const RootLocus& locus, const std::string& file);
[[nodiscard]] std::string write_locus_html(const RootLocus& locus, const std::string& file);

/// A, B, C, D, the equations (M, damping, K, G, N, F, dense), the point (q, v) and the names as a
/// MATLAB file, level 5, which MATLAB, Octave and scipy.io.loadmat read.
[[nodiscard]] std::string write_linear_mat(const LinearModel& linear, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
