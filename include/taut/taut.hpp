// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Everything a program needs that states a model, reads it one way or another, and moves it.

#include "taut/methods/composition.hpp"
#include "taut/methods/rattle.hpp"
#include "taut/methods/shake.hpp"
#include "taut/methods/verlet.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/readings/readings.hpp"
#include "taut/run/integrate.hpp"
