// SPDX-License-Identifier: BSD-3-Clause
#include "simulation/choose_method.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/notes.hpp"
#include "methods/automatic.hpp"
#include "model/frequencies.hpp"
#include "readings/readings.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

bool fits(std::string_view name, const Structure& structure) {
  const auto methods = all_methods();
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const MethodInfo& info) { return info.name == name; });
  return found != methods.end() && fits(*found, structure).empty();
}

bool has_rigid_rows(const Structure& structure) {
  return std::any_of(structure.rows.begin(), structure.rows.end(),
                     [](const Row& row) { return row.equation >= 0 && row.compliance == 0.0; });
}

bool compliant(const Structure& structure) {
  return std::any_of(structure.rows.begin(), structure.rows.end(),
                     [](const Row& row) { return row.compliance > 0.0; });
}

}  // namespace

MethodChoice choose_method(const System& system, const State& start, double until,
                           bool constant_step) {
  const Structure& structure = system.structure();
  if (constant_step) {
    if (structure.has_velocity_rows()) return {"rattle", note<notes::constant_step_rolling>()};
    if (has_rigid_rows(structure)) return {"rattle", note<notes::constant_step_rigid>()};
    if (fits("verlet", structure)) return {"verlet", note<notes::constant_step_free>()};
    return {"rk4", note<notes::constant_step_velocities>()};
  }
  return {std::string{Automatic::info.name},
          stiffness_at_start(equations(system), start, until).reason};
}

StepChoice choose_step(const System& system, const State& start, double until,
                       bool over_stiffness) {
  const double longest = (until - start.t) / 1000;
  const Frequencies found = frequencies(over_stiffness ? rigid(system) : springs(system), start);
  const double omega = std::max(found.fastest(), found.growth);
  const double fine = omega > 0.0 ? 2 * std::numbers::pi / omega / 40 : longest;
  const bool over = over_stiffness && compliant(system.structure());
  if (fine < longest) return {fine, note<notes::step_of_vibration>(fine, omega, over)};
  return {longest, note<notes::step_of_span>(longest, over)};
}

bool steps_over_stiffness(const MethodInfo& method) {
  return !method.adaptive && (method.derivatives || method.compliance);
}

StepChoice choose_slow_step(const State& start, double until) {
  const double step = (until - start.t) / 1000;
  return {step, note<notes::step_of_span>(step, false)};
}

}  // namespace taut
