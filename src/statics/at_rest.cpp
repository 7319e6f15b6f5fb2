// SPDX-License-Identifier: BSD-3-Clause
#include "taut/statics/at_rest.hpp"

#include <fmt/format.h>

#include <utility>

#include "readings/readings.hpp"
#include "simulation/read_averaged.hpp"
#include "taut/model/start.hpp"

namespace taut {
namespace {

SweepCase refused(Status status, std::string reason) {
  return {.status = status, .reason = std::move(reason)};
}

SweepCase average_at_rest(const CompiledModel& compiled, const AveragingOptions& averaging,
                          std::vector<Note>& notes) {
  const System system = springs(compiled.system);
  Start start = consistent_start(system, compiled.given);
  if (start.status != Status::ok) return refused(start.status, std::move(start.reason));
  constexpr double tol = 1e-8;  // as that of a run
  AveragedOptions options = averaged_options(averaging, tol);
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

void check_averaging_unused(const AveragingOptions& averaging, Problems& problems) {
  const char* const remedy = "it goes with <<reading: averaged>>";
  if (averaging.micro_steps > 0)
    problems.add({}, "<<micro steps>>", "nothing here is averaged", remedy);
  if (averaging.averaging) problems.add({}, "<<averaging>>", "nothing here is averaged", remedy);
}

}  // namespace

Reading reading_at_rest(const PreparedModel& prepared, const AveragingOptions& averaging,
                        Problems& problems) {
  const VibrationUse& vibration = prepared.compiled.system.structure().vibration;
  const bool vibrates = vibration.in_force || vibration.in_constraint || vibration.in_mass;
  const Reading& asked = prepared.reading;
  const bool averages =
      prepared.compiled.run.reading.empty() ? vibrates : asked.kind() == Reading::Kind::averaged;
  if (averages) return Reading::averaged(averaging);
  if (!prepared.compiled.run.reading.empty()) {
    if (asked.kind() == Reading::Kind::slow)
      problems.add({}, "reading slow", "slow motion rests where the model as written does",
                   "give <<reading: as-written>>");
    else if (vibrates)
      problems.add({}, fmt::format("reading {}", asked.name()),
                   "forces vibrate with the phase theta: the model never rests",
                   "give <<reading: averaged>>");
  }
  check_averaging_unused(averaging, problems);
  return asked;
}

SweepCase read_at_rest(const CompiledModel& compiled, const Reading& reading,
                       std::vector<Note>& notes) {
  System system = compiled.system;
  switch (reading.kind()) {
    case Reading::Kind::averaged:
      return average_at_rest(compiled, reading.averaging_options(), notes);
    case Reading::Kind::rigid:
      system = rigid(system);
      break;
    case Reading::Kind::penalized:
      system = penalized(system, compiled.run.omega.value());
      break;
    default:
      break;
  }
  return {.system = std::move(system), .near = compiled.given};
}

}  // namespace taut
