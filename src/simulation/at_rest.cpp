// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/at_rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/notes.hpp"
#include "simulation/plan_steps.hpp"
#include "taut/statics/equilibria.hpp"

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

void start_at_rest(Plan& plan, Problems& problems) {
  PreparedModel& prepared = plan.prepared;
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    problems.add({}, "start: from", what, remedy);
  };
  if (prepared.reading.kind() == Reading::Kind::averaged)
    return refuse("the averaged reading has equilibria of its own",
                  "find them with 'taut equilibria', and start there");
  const System system = springs(prepared.system);
  State& given = prepared.compiled.given;
  Equilibria rest = equilibrium_from(system, given);
  const auto stable = [](const Equilibrium& e) { return e.leans_stable(); };
  if (rest.found.empty() || !stable(rest.found.front())) {
    constexpr int few = 8;
    Equilibria more = equilibria(system, given, {.starts = few});
    const auto nearest = std::find_if(more.found.begin(), more.found.end(), stable);
    if (nearest != more.found.end())
      rest.found = {*nearest};
    else if (rest.found.empty())
      rest = std::move(more);
  }
  if (rest.found.empty())
    return refuse(fmt::format("no equilibrium was found: {}", rest.reason),
                  rest.hint().empty() ? "state the start itself" : std::string{rest.hint()});
  const Structure& structure = system.structure();
  const Vec& found = rest.found.front().q;
  given.q.head(structure.places()) = found.head(structure.places());
  given.v.tail(structure.nz) = found.tail(structure.nz);
  const bool unstable = rest.found.front().stability == Stability::unstable;
  plan.notes.push_back(
      note<notes::start_at_rest>(unstable, !unstable && !stable(rest.found.front())));
}

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

State given_at(const CompiledModel& compiled, const NamedPlaces& at, Problems& problems) {
  const Structure& structure = compiled.system.structure();
  const std::vector<std::string> names = structure.names_at_rest();
  State state = compiled.given;
  for (const auto& [name, value] : at) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      const std::string near = nearest_name(name, names);
      problems.add({}, fmt::format("<<at: {}>>", name),
                   fmt::format("there is no coordinate '{}'", name),
                   near.empty() ? fmt::format("coordinates are: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near));
      continue;
    }
    const Index i = found - names.begin();
    (i < structure.places() ? state.q : state.v)[i] = value;
  }
  return state;
}

SweepCase read_at_rest(const CompiledModel& compiled, const Reading& reading, const NamedPlaces& at,
                       std::vector<Note>& notes, Problems& problems) {
  const State near = given_at(compiled, at, problems);
  if (!problems.empty()) return refused(Status::invalid_argument, problems.message());
  SweepCase made = read_at_rest(compiled, reading, notes);
  if (made.status != Status::ok || at.empty()) return made;
  const Index states = compiled.system.structure().nz;
  made.near.q = near.q;
  made.near.v.tail(states) = near.v.tail(states);
  return made;
}

MakeSweepCase cases_at_rest(const PreparedModel& prepared, const Reading& reading,
                            std::vector<SweepAxis> axes, NamedPlaces at) {
  return [&prepared, reading, axes = std::move(axes),
          at = std::move(at)](const std::vector<double>& values) -> SweepCase {
    std::vector<std::pair<std::string, double>> named;
    for (std::size_t i = 0; i < axes.size(); ++i) named.emplace_back(axes[i].parameter, values[i]);
    Problems here{prepared.model.file};
    const CompiledModel compiled = with_values(prepared, named, here).compiled;
    // sizes may depend on a parameter, and with them the names of coordinates
    std::vector<Note> notes;
    SweepCase made;
    if (here.empty()) made = read_at_rest(compiled, reading, at, notes, here);
    if (!here.empty()) return {.status = Status::not_supported, .reason = here.message()};
    return made;
  };
}

}  // namespace taut
