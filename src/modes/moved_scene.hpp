// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/linear_point.hpp"
#include "taut/modes/modes.hpp"

namespace taut {

/// Places of what is drawn of a model, and how modes move them: points in the order of the scene,
/// then the eight corners of each body. Of points at expressions by differences: for pictures.
void move_scene(const LinearPoint& point, const CompiledModel& compiled, Modes& modes);

}  // namespace taut
