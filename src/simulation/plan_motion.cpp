// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "averaged/averaged.hpp"
#include "core/notes.hpp"
#include "methods/automatic.hpp"
#include "model/compiled_system.hpp"
#include "model/parameter_binding.hpp"
#include "readings/readings.hpp"
#include "readings/switched_system.hpp"
#include "simulation/choose_method.hpp"
#include "simulation/choose_start.hpp"
#include "simulation/plan_steps.hpp"
#include "simulation/read_averaged.hpp"
#include "slow/slow_reading.hpp"

namespace taut {
namespace {

MethodInfo claims_of(std::string_view name) { return make_method(name).value().info(); }

SlowStartOptions slow_start_options(const Plan& plan) {
  const SlowOptions options = slow_options(plan);
  return {.via = options.via, .band = options.band};
}

// Steps of a reading that is no system of formulas are taken as its method takes them.
void note_what_is_not_watched(Plan& plan) {
  if (!plan.prepared.compiled.run.max_step && switches_or_is_short(plan.prepared.system))
    plan.notes.push_back(note<notes::not_watched>());
}

}  // namespace

SlowOptions slow_options(const Plan& plan) {
  const SlowOptions& asked = plan.asked.slow;
  const SlowOptions& own = plan.prepared.reading.slow_options();
  return {.via = asked.via != SlowVia::automatic ? asked.via : own.via,
          .band = asked.band ? asked.band : own.band};
}

AveragingOptions averaging_options(const Plan& plan) {
  const AveragingOptions& asked = plan.asked.averaging;
  const AveragingOptions& own = plan.prepared.reading.averaging_options();
  return {.micro_steps = asked.micro_steps > 0 ? asked.micro_steps : own.micro_steps,
          .averaging = asked.averaging ? asked.averaging : own.averaging};
}

void plan_motion(Plan& plan) {
  const PreparedModel& prepared = plan.prepared;
  const CompiledRun& run = prepared.compiled.run;
  const State& given = prepared.compiled.given;
  const double until = run.until.value_or(given.t);
  std::string name = run.method;
  if (name.empty()) {
    const Start start = consistent_start(springs(prepared.system), given);
    const bool constant_step = run.step.has_value() || needs_constant_step(plan);
    MethodChoice choice = choose_method(prepared.system, start.state, until, constant_step);
    name = choice.name;
    plan.reason = std::move(choice.reason);
  }
  plan.method = claims_of(name);
  plan.system = plan.method.compliance ? equations(prepared.system) : springs(prepared.system);
  StartChoice start = choose_start(prepared.system, given, plan.method,
                                   {.until = until,
                                    .tol = run.tol.value_or(plan.method_options.tol),
                                    .keep = plan.asked.keep_start,
                                    .slow = plan.asked.slow_start || prepared.model.slow_start,
                                    .via = slow_start_options(plan)});
  plan.start = std::move(start.start);
  if (!start.note.empty()) plan.notes.push_back(std::move(start.note));
  // in the words of the method itself, which decides at the start it is given
  if (!plan.reason.empty() && plan.method.name == Automatic::info.name)
    plan.reason = stiffness_at_start(plan.system, plan.start.state, until).reason;
  if (plan.run.projection.any() && !plan.asked.keep_start)
    plan.start = slow_start(equations(prepared.system), given, slow_start_options(plan));
}

// where there are no slow motions, the start has failed
void plan_slow_motion(Plan& plan, Problems& problems) {
  const PreparedModel& prepared = plan.prepared;
  const CompiledRun& run = prepared.compiled.run;
  SlowStartOptions options = slow_start_options(plan);
  options.tol = run.tol.value_or(plan.method_options.tol);
  if (plan.asked.keep_start)
    problems.add({}, "<<keep start>>", "the slow reading moves the start onto its manifold",
                 "leave it out, or run the model as written");
  std::string name = run.method;
  if (name.empty()) {
    name = run.step ? "rk4" : "dop853";
    plan.reason = note<notes::slow_not_stiff>();
  }
  plan.method = claims_of(name);
  const System system = equations(prepared.system);
  plan.system = system;
  SlowStart start = slow_start(system, prepared.compiled.given, options);
  if (start.status == Status::ok) {
    SlowReading reading = slow(system, start.state, options);
    start.status = reading.status;
    if (reading.status == Status::ok) {
      plan.system = std::move(reading.system);
      plan.notes.push_back(std::move(reading.note));
      note_what_is_not_watched(plan);
    } else {
      start.reason = std::move(reading.reason);
    }
  }
  plan.start = std::move(static_cast<Start&>(start));
}

void plan_averaged_motion(Plan& plan) {
  const PreparedModel& prepared = plan.prepared;
  const CompiledRun& run = prepared.compiled.run;
  plan.system = springs(prepared.system);
  plan.start = consistent_start(plan.system, prepared.compiled.given);
  std::string name = run.method;
  if (name.empty() && !run.step) {
    name = "dop853";
    plan.reason = note<notes::averaged_not_stiff>();
  }
  if (plan.start.status == Status::ok) {
    AveragedReading reading = averaged(
        plan.system, plan.start.state,
        averaged_options(averaging_options(plan), run.tol.value_or(plan.method_options.tol)));
    plan.start.status = reading.status;
    if (reading.status == Status::ok) {
      plan.system = std::move(reading.system);
      plan.notes.push_back(note<notes::averaged_motion>(
          reading.steps, reading.amplitude, reading.velocity_amplitude, reading.force_error));
      for (Note& told : reading.notes) plan.notes.push_back(std::move(told));
      note_what_is_not_watched(plan);
    } else {
      plan.start.reason = std::move(reading.reason);
    }
  }
  if (name.empty()) {
    MethodChoice choice =
        choose_method(plan.system, plan.start.state, run.until.value_or(0.0), run.step.has_value());
    name = std::move(choice.name);
    plan.reason = std::move(choice.reason);
  }
  plan.method = claims_of(name);
}

ReadSystem read_system(const Plan& plan, const PreparedModel& prepared, const State& at) {
  const Reading::Kind kind = prepared.reading.kind();
  if (kind == Reading::Kind::slow) {
    SlowStartOptions options = slow_start_options(plan);
    options.tol = plan.method_options.tol;
    SlowReading reading = slow(equations(prepared.system), at, options);
    return {reading.status, std::move(reading.reason), std::move(reading.system)};
  }
  if (kind == Reading::Kind::averaged) {
    AveragedReading reading =
        averaged(springs(prepared.system), at,
                 averaged_options(averaging_options(plan), plan.method_options.tol));
    return {reading.status, std::move(reading.reason), std::move(reading.system)};
  }
  return {Status::ok,
          {},
          plan.method.compliance ? equations(prepared.system) : springs(prepared.system)};
}

std::shared_ptr<const ActingModel> plan_acting(const Plan& plan) {
  const CompiledModel& compiled = plan.prepared.compiled;
  if (compiled.actions.empty()) return nullptr;
  const Reading::Kind kind = plan.prepared.reading.kind();
  const bool compliance = plan.method.compliance;
  auto acting = std::make_shared<ActingModel>();
  acting->model = compiled;
  // as read_system() reads it
  acting->read = [kind, compliance](const CompiledModel& model) {
    System system = model.system;
    if (kind == Reading::Kind::rigid) system = rigid(system);
    if (kind == Reading::Kind::penalized) system = penalized(system, model.run.omega.value());
    return compliance ? equations(system) : springs(system);
  };
  return acting;
}

void check_acting(const Plan& plan, Problems& problems) {
  const PreparedModel& prepared = plan.prepared;
  if (prepared.compiled.actions.empty()) return;
  const std::string event =
      prepared.compiled.system.structure()
          .observables[static_cast<std::size_t>(prepared.compiled.actions.front().event)]
          .name;
  const auto refuse = [&](const std::string& what, const char* remedy) {
    problems.add({}, event + ": then", what, remedy);
  };
  if (!std::dynamic_pointer_cast<const CompiledSystem>(formulas_of(prepared.compiled).shared()))
    return refuse("a system that a program brings has no events that change the motion",
                  "give a model of formulas; with_force(model, ...) adds forces to it");
  if (prepared.reading.made())
    refuse(
        fmt::format("the {} reading has no events that change the motion", prepared.reading.name()),
        "run the model as written");
  if (plan.run.projection.any())
    refuse("a run that is projected onto slow motion has no events that change it",
           "leave out <<project every>> and <<project above>>");
  if (!prepared.compiled.statistics.empty())
    refuse("statistics need steps of one length, and events cut them",
           "leave out the statistics, or take them from the rows of the motion");
}

SlowProjection plan_projection(const Plan& plan, Problems& problems) {
  SlowProjection projection{
      .every = plan.asked.project_every, .vibration = plan.asked.project_above, .onto = {}};
  if (projection.every <= 0.0 && projection.vibration <= 0.0) return projection;
  const SlowStartOptions options = slow_start_options(plan);
  const System system = equations(plan.prepared.system);
  const Structure& structure = system.structure();
  const char* const option = projection.every > 0.0 ? "<<project every>>" : "<<project above>>";
  if (structure.nc > 0 && !(structure.C.array() > 0.0).any())
    problems.add({}, option, "no constraint is compliant: there is nothing to be projected",
                 "leave it out, or give <<reading: penalized>>");
  const CompiledRun& run = plan.prepared.compiled.run;
  constexpr double most = 1e12;
  if (run.until && projection.every > 0.0 && !((*run.until - run.from) / projection.every < most))
    problems.add({}, option, fmt::format("{:.3g} s are too short for the run", projection.every),
                 "give a longer time");
  if (plan.prepared.reading.kind() == Reading::Kind::slow)
    problems.add({}, option, "the slow reading stays on its manifold by itself", "leave it out");
  if (structure.nc == 0 && projection.vibration > 0.0)
    problems.add({}, "<<project above>>", "the energy of vibration is known of constraints only",
                 "give <<project every>>");
  projection.onto = [system, options](State& state, std::int64_t& evaluations) {
    SlowStart start = slow_start(system, state, options);
    evaluations += start.force_evaluations;
    if (start.status == Status::ok) state = std::move(start.state);
    return start.status;
  };
  return projection;
}

}  // namespace taut
