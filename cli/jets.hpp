// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "taut/run/curve_start.hpp"

namespace taut::cli {

/// `taut start` and `taut check` for a model with [jets]. They return the exit code. Options of
/// `app` that only mechanical models have are refused.
int start_jets(const CLI::App& app, const PreparedModel& prepared, const ModelArguments& arguments);
int check_jets(const CLI::App& app, const PreparedModel& prepared, const ModelArguments& arguments);

/// Says on standard error what a start had to change and to find.
void report_start(const CurveStart& start);

}  // namespace taut::cli
