// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "taut/core/archive.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/events.hpp"

namespace taut {

/// What has happened in a run, in both directions (see Archive), for checkpoints and records.
void archive_events(Archive& archive, std::vector<EventRecord>& events);
void archive_events(Archive& archive, std::vector<CurveEventRecord>& events);
void archive_impasses(Archive& archive, std::vector<ImpassePoint>& points);

}  // namespace taut
