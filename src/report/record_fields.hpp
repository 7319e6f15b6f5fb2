// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/core/archive.hpp"
#include "taut/report/report.hpp"

namespace taut {

/// Number of the layout below. It changes with every field that comes, goes or moves: what another
/// layout means is not to be guessed.
inline constexpr int record_layout = 8;

/// Each field of what a record holds, in both directions (see Archive). Reading fails with
/// std::runtime_error where a number stands for nothing.
void record_fields(Archive& archive, ReportSubject& subject);
void record_fields(Archive& archive, SystemFacts& system);
void record_fields(Archive& archive, Motion& motion);
void record_fields(Archive& archive, Summary& summary);
void record_fields(Archive& archive, CurveMotion& motion);
void record_fields(Archive& archive, CurveSummary& summary);

/// Whether the parts of a record fit together, so that a page can be made of it: each number has
/// its name and each place of the scene its column. What does not; empty where all does.
[[nodiscard]] std::string misfit(const RunRecord& run);
[[nodiscard]] std::string misfit(const CurveRecord& run);

}  // namespace taut
