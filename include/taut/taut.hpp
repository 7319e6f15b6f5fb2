// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Everything a program needs that states a model, reads it one way or another, moves it and keeps
/// the results.

#include "taut/methods/arkode.hpp"
#include "taut/methods/composition.hpp"
#include "taut/methods/cvode.hpp"
#include "taut/methods/dormand_prince.hpp"
#include "taut/methods/ida.hpp"
#include "taut/methods/radau.hpp"
#include "taut/methods/rattle.hpp"
#include "taut/methods/registry.hpp"
#include "taut/methods/rk4.hpp"
#include "taut/methods/shake.hpp"
#include "taut/methods/verlet.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/force_only.hpp"
#include "taut/model/model_file.hpp"
#include "taut/model/start.hpp"
#include "taut/projections/iterated_projection.hpp"
#include "taut/readings/averaged.hpp"
#include "taut/readings/filtered_flow.hpp"
#include "taut/readings/readings.hpp"
#include "taut/readings/slow_flow.hpp"
#include "taut/report/writers.hpp"
#include "taut/run/choose_method.hpp"
#include "taut/run/equilibria.hpp"
#include "taut/run/integrate.hpp"
#include "taut/run/slow_reading.hpp"
