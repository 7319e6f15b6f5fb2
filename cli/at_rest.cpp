// SPDX-License-Identifier: BSD-3-Clause
#include "at_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "averaged/averaged.hpp"
#include "readings/readings.hpp"
#include "taut/model/start.hpp"

namespace taut::cli {
namespace {

SweepCase refused(Status status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

SweepCase read_averaged(const CompiledModel& compiled, const AveragedArguments& averaging,
                        std::vector<std::string>& notes) {
  const System system = springs(compiled.system);
  Start start = consistent_start(system, compiled.given);
  if (start.status != Status::ok) return refused(start.status, std::move(start.reason));
  constexpr double tol = 1e-8;  // as that of a run
  AveragedOptions options = averaging.options(tol);
  AveragedReading reading = averaged(system, start.state, options);
  if (reading.status != Status::ok) return refused(reading.status, std::move(reading.reason));
  notes.insert(notes.end(), reading.notes.begin(), reading.notes.end());

  // forces of one phase and of two differ by what averaging leaves open, those of half as many
  // steps by what micro-simulations do
  options.steps = reading.steps / 2;
  options.antithetic = !options.antithetic;
  AveragedReading other = averaged(system, start.state, options);
  SweepCase made{.system = std::move(reading.system), .near = std::move(start.state)};
  if (other.status == Status::ok) made.second_opinion = std::move(other.system);
  return made;
}

}  // namespace

std::string reading_at_rest(const Loaded& loaded, Problems& problems) {
  const VibrationUse& vibration = loaded.compiled.system.structure().vibration;
  const bool vibrates = vibration.in_force || vibration.in_constraint || vibration.in_mass;
  if (loaded.compiled.run.reading.empty()) return vibrates ? "averaged" : loaded.reading;
  if (loaded.reading == "slow")
    problems.add({}, "reading slow", "slow motion rests where the model as written does",
                 "give --reading as-written");
  else if (vibrates && loaded.reading != "averaged")
    problems.add({}, "reading " + loaded.reading,
                 "forces vibrate with the phase theta: the model never rests",
                 "give --reading averaged");
  return loaded.reading;
}

SweepCase read_at_rest(const CompiledModel& compiled, const std::string& reading,
                       const AveragedArguments& averaging, std::vector<std::string>& notes) {
  if (reading == "averaged") return read_averaged(compiled, averaging, notes);
  System system = compiled.system;
  if (reading == "rigid") system = rigid(system);
  if (reading == "penalized") system = penalized(system, compiled.run.omega.value());
  return {.system = std::move(system), .near = compiled.given};
}

void apply_at(const std::vector<std::string>& at, const Structure& structure, State& state,
              Problems& problems) {
  for (const std::string& item : at) {
    const std::size_t equal = item.find('=');
    const Value value = parse_value(equal == std::string::npos ? "" : item.substr(equal + 1));
    if (equal == 0 || !value.is_number() || !std::isfinite(value.number())) {
      problems.add({}, "--at " + item, "is not of the form NAME=VALUE with a number",
                   "write --at q=0, or --at bob.x=0,bob.y=1");
      continue;
    }
    const std::string name = item.substr(0, equal);
    const auto found = std::find(structure.coordinates.begin(), structure.coordinates.end(), name);
    if (found == structure.coordinates.end()) {
      const std::string near = nearest_name(name, structure.coordinates);
      problems.add({}, "--at " + name, fmt::format("there is no coordinate '{}'", name),
                   near.empty()
                       ? fmt::format("coordinates are: {}", fmt::join(structure.coordinates, ", "))
                       : fmt::format("did you mean '{}'?", near));
      continue;
    }
    state.q[found - structure.coordinates.begin()] = value.number();
  }
}

}  // namespace taut::cli
