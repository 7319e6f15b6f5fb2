// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "taut/run/curve_motion.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"

namespace taut::cli {

/// The summary for people, on standard output; where that is a terminal, with the course of energy
/// error and step size.
void print_summary(const Summary& summary, const Motion& motion,
                   const std::vector<std::filesystem::path>& files, int most_digits);

/// The same of a model with [jets].
void print_summary(const CurveSummary& summary, const CurveMotion& motion,
                   const std::vector<std::filesystem::path>& files, int most_digits);

/// Their first lines: which model, how it ended, in a colour that says whether it is well, and why.
void print_status(const SummaryCore& summary);

}  // namespace taut::cli
