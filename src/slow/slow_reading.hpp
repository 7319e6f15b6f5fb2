// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/model/system.hpp"
#include "taut/slow/slow_start.hpp"

namespace taut {

/// A system whose motions are the slow ones of another, or why there is none.
struct SlowReading {
  Status status = Status::ok;
  std::string reason;
  System system;
  Note note;  ///< how it is computed
};

/// The slow reading: a system whose flow is the slow flow, so that any explicit method runs on it
/// with steps of the slow motion. `at` is a state near it, in most cases a slow_start().
///
///   expansion  slow_flow() with as many sweeps as are of use at the state
///   filter     filtered_flow(): every evaluation projects by forces alone
///
/// automatic: the expansion where there are constraints, the filter where the stiffness is that of
/// a potential. Rigid constraints are slow already: the expansion is then the motion itself,
/// without equations beside it; penalized(system, omega) with a large omega comes as near to it as
/// one likes.
[[nodiscard]] SlowReading slow(const System& equations, const State& at,
                               const SlowStartOptions& options = {});

}  // namespace taut
