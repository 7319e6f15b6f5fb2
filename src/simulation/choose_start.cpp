// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/choose_start.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/notes.hpp"
#include "methods/automatic.hpp"
#include "readings/readings.hpp"
#include "slow/start_vibration.hpp"
#include "taut/core/wording.hpp"

namespace taut {
namespace {

bool has_compliance(const Structure& structure) {
  return structure.nc > 0 && structure.C.maxCoeff() > 0.0;
}

// from the consistent start, onto the smooth motion
void take(SmoothStart smooth, StartChoice& choice) {
  choice.note = note<notes::start_moved>(smooth.distance);
  smooth.q_moved += choice.start.q_moved;
  smooth.v_moved += choice.start.v_moved;
  smooth.redundant = choice.start.redundant;
  choice.start = std::move(static_cast<Start&>(smooth));
}

void take_slow(const System& system, const State& given, const SlowStartOptions& via,
               StartChoice& choice) {
  if (has_compliance(system.structure()) && via.via == SlowVia::automatic && !via.band) {
    SmoothStart smooth = smooth_start(system, choice.start.state);
    if (smooth.status == Status::ok && smooth.order > 0) return take(std::move(smooth), choice);
  }
  SlowStart slow = slow_start(system, given, via);
  if (slow.status != Status::ok)
    slow.reason = worded(fmt::format("<<slow start>>: {}", slow.reason));
  else if (slow.distance > 0.0 || slow.velocity_distance > 0.0)
    choice.note = note<notes::start_slow>(slow.distance);
  else if (!slow.reason.empty())
    choice.note = note<notes::start_is_slow>(slow.reason);
  slow.redundant = choice.start.redundant;
  choice.start = std::move(static_cast<Start&>(slow));
}

Note followed(const StartVibration& vibration, const MethodInfo& method, double span) {
  const double amplitude = vibration.amplitude, omega = vibration.omega;
  if (!method.adaptive) return note<notes::start_vibrates_fast>(amplitude, omega, 1.0 / omega);
  if (vibration.weighted <= 1.0) return note<notes::start_vibrates_little>(amplitude, omega);
  return note<notes::start_vibrates>(amplitude, omega, std::ceil(omega * std::abs(span)));
}

}  // namespace

StartChoice choose_start(const System& read, const State& given, const MethodInfo& method,
                         const StartWish& wish) {
  const System system = equations(read);
  StartChoice choice{.start = consistent_start(springs(system), given), .note = {}};
  if (wish.keep || choice.start.status != Status::ok) return choice;
  const Structure& structure = system.structure();
  if (wish.slow && (structure.nz > 0 || structure.has_velocity_rows())) {
    choice.start.status = Status::not_supported;
    choice.start.reason = worded(fmt::format(
        "<<slow start>>: slow motion is one of mechanical systems alone, and there are {}",
        structure.nz > 0 ? "first-order states ([states])"
                         : "conditions on velocities ([[rolling]])"));
    return choice;
  }
  if (wish.slow) {
    take_slow(system, given, wish.via, choice);
    return choice;
  }
  if (!has_compliance(structure) || !method.compliance || structure.nz > 0) return choice;
  const State& consistent = choice.start.state;
  if (method.name == Automatic::info.name &&
      !stiffness_at_start(system, consistent, wish.until).stiff)
    return choice;
  SmoothStart smooth = smooth_start(system, consistent);
  StartVibration vibration;
  if (smooth.status != Status::ok || smooth.order == 0 ||
      start_vibration(system, consistent, smooth.state, wish.tol, vibration) != Status::ok ||
      vibration.relaxes || !(vibration.omega > 0.0))
    return choice;
  if (vibration.excess <= 1.0)
    take(std::move(smooth), choice);
  else
    choice.note = followed(vibration, method, wish.until - consistent.t);
  return choice;
}

}  // namespace taut
