// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/choose_start.hpp"

#include "core/notes.hpp"
#include "methods/automatic.hpp"
#include "readings/readings.hpp"
#include "taut/slow/smooth_start.hpp"

namespace taut {

StartChoice choose_start(const System& read, const State& given, const MethodInfo& method,
                         double until, bool keep) {
  const System system = equations(read);
  StartChoice choice{.start = consistent_start(springs(system), given), .note = {}};
  const Structure& structure = system.structure();
  const bool compliant = structure.nc > 0 && structure.C.maxCoeff() > 0.0;
  if (keep || !compliant || !method.compliance || choice.start.status != Status::ok) return choice;
  if (method.name == Automatic::info.name &&
      !stiffness_at_start(system, choice.start.state, until).stiff)
    return choice;
  if (!near_smooth_motion(system, choice.start.state)) {
    choice.note = note<notes::start_vibrates>();
    return choice;
  }
  SmoothStart smooth = smooth_start(system, choice.start.state);
  if (smooth.status != Status::ok || smooth.order == 0) return choice;
  choice.note = note<notes::start_moved>(smooth.distance);
  smooth.q_moved += choice.start.q_moved;
  smooth.v_moved += choice.start.v_moved;
  smooth.redundant = choice.start.redundant;
  choice.start = std::move(static_cast<Start&>(smooth));
  return choice;
}

}  // namespace taut
