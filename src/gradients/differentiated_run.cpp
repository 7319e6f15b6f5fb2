// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/notes.hpp"
#include "gradients/acting_crossing.hpp"
#include "gradients/sensitivities.hpp"
#include "model/compiled_system.hpp"
#include "readings/base_of.hpp"
#include "readings/readings.hpp"
#include "run/add_outputs.hpp"
#include "simulation/choose_start.hpp"
#include "simulation/plan_steps.hpp"

namespace taut {

void check_differentiable(const Plan& plan, Problems& problems) {
  const auto refuse = [&](const char* what, const char* remedy) {
    problems.add({}, "sensitivity", what, remedy);
  };
  if (plan.curve) {
    refuse("a curve of a model with [jets] has none", "leave it out");
    return;
  }
  if (plan.prepared.reading.made())
    refuse("the slow and the averaged reading have none", "run the model as written");
  const auto is_compiled = [](const System& system) {
    return dynamic_cast<const CompiledSystem*>(&system.implementation()) != nullptr;
  };
  if (!plan.prepared.reading.made() && plan.start.status == Status::ok &&
      !(is_compiled(base_of(plan.system)) && is_compiled(plan.prepared.compiled.system)))
    refuse("forces that are functions of a program have none", "state them in the model");
  const CompiledModel& compiled = plan.prepared.compiled;
  if (const std::string why = ActingCrossing::refusal(compiled); !why.empty())
    refuse(why.c_str(), "leave `then` out of its events");
  if (!compiled.system.structure().read_multipliers.empty())
    refuse("a motion whose formulas read multipliers has none", "leave lambda(...) out of them");
  if (const auto* model = dynamic_cast<const CompiledSystem*>(&compiled.system.implementation())) {
    if (std::any_of(model->pairs().begin(), model->pairs().end(),
                    [](const PairField& pair) { return pair.contacts() != nullptr; }))
      refuse("a motion with a [[contact]] of many has none", "state the few that meet one by one");
  }
  if (plan.prepared.model.start_at_rest)
    refuse("a start at an equilibrium is none of the values that are differentiated",
           "give the values of the start (taut equilibria prints them)");
  if (plan.bath) refuse("a motion in a heat bath has none", "leave [thermostat] out");
  if (plan.run.projection.any())
    refuse("a motion that is pulled onto the slow manifold has none", "leave that out");
  if (plan.run.checkpoint.resume)
    refuse("a run that was interrupted is differentiated from its start", "run it again");
  if (plan.start.status == Status::ok && plan.prepared.model.slow_start)
    if (plan.prepared.system.structure().nc == 0)
      refuse("a slow start without compliant constraints has none", "leave slow_start out");
}

void check_events(const Result& run, Problems& problems) {
  if (run.plan->prepared.compiled.actions.empty()) return;
  if (run.summary.events.size() >= static_cast<std::size_t>(run.plan->run.max_events))
    problems.add({}, "sensitivity", "so many events change the motion that not all are known",
                 "take a shorter run");
  if (run.summary.method.find("radau") != std::string::npos)
    problems.add({}, "sensitivity", "a stiff motion that events change has none",
                 "take dop853, or leave `then` out of its events");
}

// Rows that a reading made compliant by a frequency do not know what that frequency is made of.
void check_reading(const Plan& plan, const std::vector<Variable>& by, Problems& problems) {
  const CompiledModel& compiled = plan.prepared.compiled;
  if (plan.prepared.reading.kind() != Reading::Kind::penalized || !compiled.run.omega) return;
  for (const Variable& variable : by) {
    if (variable.kind != Variable::Kind::parameter) continue;
    const double value = compiled.parameter_values()[static_cast<std::size_t>(variable.index)];
    Problems ignored;
    const ParameterValue other{variable.index, value == 0.0 ? 1e-3 : value * 1.001};
    const CompiledModel near = compiled.with_parameters(std::span{&other, 1}, ignored);
    if (!ignored.empty() || near.run.omega != compiled.run.omega)
      problems.add({}, fmt::format("sensitivity to {}", variable.name),
                   "the frequency of the penalized reading is made of it",
                   "state the constraints with compliance = \"1/omega^2\"");
  }
}

namespace {

/// Whether the start was put onto smooth motion.
bool starts_smoothly(const Plan& plan) {
  return plan.asked.slow_start || plan.prepared.model.slow_start ||
         std::any_of(plan.notes.begin(), plan.notes.end(),
                     [](const Note& told) { return told.is(notes::start_moved); });
}

/// Put onto smooth motion where that of the run was, whatever vibrates there: what was decided for
/// the run is not decided anew.
std::optional<State> start_near(const Plan& plan, std::span<const ParameterValue> values,
                                const Vec& dq, const Vec& dv) {
  std::vector<std::pair<std::string, double>> named;
  for (const ParameterValue& value : values)
    named.emplace_back(
        plan.prepared.compiled.parameter_names()[static_cast<std::size_t>(value.index)],
        value.value);
  Problems problems;
  const PreparedModel near = with_values(plan.prepared, named, problems);
  if (!problems.empty()) return {};
  State given = near.compiled.given;
  given.q += dq;
  given.v += dv;
  const CompiledRun& run = plan.prepared.compiled.run;
  const SlowOptions slow = slow_options(plan);
  StartChoice choice = choose_start(near.system, given, plan.method,
                                    {.until = run.until.value_or(given.t),
                                     .tol = run.tol.value_or(plan.method_options.tol),
                                     .keep = !starts_smoothly(plan),
                                     .slow = starts_smoothly(plan),
                                     .via = {.via = slow.via, .band = slow.band}});
  if (choice.start.status != Status::ok) return {};
  return std::move(choice.start.state);
}

/// Names of what is differentiated, and how many of each kind.
std::vector<std::string> names_of_columns(const Motion& motion) {
  std::vector<std::string> names = motion.coordinates;
  names.insert(names.end(), motion.velocities.begin(), motion.velocities.end());
  for (const std::string& row : motion.constraints) names.push_back(fmt::format("lambda({})", row));
  names.insert(names.end(), motion.outputs.begin(), motion.outputs.end());
  names.insert(names.end(), motion.quantities.begin(), motion.quantities.end());
  return names;
}

/// Of one column of a row, in the same order.
void put(const SensitivityRow& row, const Motion& motion, Index j, std::vector<double>& to) {
  const auto take = [&](const Mat& of, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to.push_back(of(static_cast<Index>(i), j));
  };
  take(row.q, motion.coordinates.size());
  take(row.v, motion.velocities.size());
  take(row.lambda, motion.constraints.size());
  take(row.quantity, static_cast<std::size_t>(row.quantity.rows()));
}

/// Derivatives become outputs, which stand in every file, plot and record.
void add_columns(const Sensitivities& sensitivities, Motion& motion) {
  const std::vector<std::string> of = names_of_columns(motion);
  std::vector<std::vector<double>> rows(motion.rows());
  for (std::size_t r = 0; r < motion.rows(); ++r)
    for (std::size_t j = 0; j < sensitivities.names.size(); ++j)
      put(sensitivities.rows[r], motion, static_cast<Index>(j), rows[r]);
  std::vector<std::string> names;
  for (const std::string& name : sensitivities.names)
    for (const std::string& what : of) names.push_back(fmt::format("d({})/d({})", what, name));
  add_outputs(motion, names, rows);
}

}  // namespace

MotionToDifferentiate motion_to_differentiate(const Result& run,
                                              const std::vector<SideChange>& changes) {
  const Plan& done = *run.plan;
  const Summary& summary = run.summary;
  constexpr double usual = 1e-8;
  const bool compliant = (equations(done.system).structure().C.array() > 0.0).any();
  return {.model = done.prepared.compiled,
          .system = done.system,
          .start = done.start,
          .until = summary.state.t,
          .end = summary.state,
          .tol = done.tolerance() > 0.0 ? done.tolerance() : usual,
          .stiff = summary.method.find("radau") != std::string::npos ||
                   (compliant && done.method.compliance),
          .smooth_start = starts_smoothly(done),
          .rows = run.motion.t,
          .changes = changes,
          .events = summary.events,
          .start_of = [&done](std::span<const ParameterValue> values, const Vec& dq,
                              const Vec& dv) { return start_near(done, values, dq, dv); },
          .cancel = done.run.cancel};
}

std::vector<std::string> names_to_differentiate_by(const CompiledModel& model) {
  const Structure& structure = model.system.structure();
  std::vector<std::string> names{model.parameter_names().begin(), model.parameter_names().end()};
  for (const SystemInput& input : structure.inputs) names.push_back(input.name);
  for (const std::string& name : structure.place_names())
    names.push_back(fmt::format("start({})", name));
  for (const std::string& name : structure.velocities)
    names.push_back(fmt::format("start({})", name));
  return names;
}

DifferentiatedRun differentiate(Plan plan, const std::vector<std::string>& names,
                                Problems& problems) {
  DifferentiatedRun run;
  check_differentiable(plan, problems);
  if (!problems.empty()) return run;
  const std::vector<Variable> by = variables(names, plan.prepared.compiled, problems);
  check_reading(plan, by, problems);
  if (!problems.empty()) return run;
  const auto changes = std::make_shared<std::vector<SideChange>>();
  plan.run.on_side_change = [changes](const SideChange& change) { changes->push_back(change); };
  run.result = simulate(std::move(plan));
  const Plan& done = *run.result.plan;
  if (done.start.status != Status::ok) return run;  // the failure of the run says it all
  check_events(run.result, problems);
  if (!problems.empty()) return run;
  const MotionToDifferentiate motion = motion_to_differentiate(run.result, *changes);
  run.sensitivities = differentiate(motion, by, problems);
  if (problems.empty()) add_columns(run.sensitivities, run.result.motion);
  return run;
}

DifferentiatedRun differentiate(const Model& model, const SimulationOptions& options,
                                const std::vector<std::string>& names) {
  Problems problems{model.file};
  Plan made = plan(model, options, problems);
  problems.throw_if_any();
  DifferentiatedRun run = differentiate(std::move(made), names, problems);
  problems.throw_if_any();
  return run;
}

Column DifferentiatedRun::column(std::string_view what, std::string_view name) const {
  const Motion& motion = result.motion;
  const std::string load = fmt::format("d(lambda({}))/d({})", what, name);
  const auto& outputs = motion.outputs;
  if (std::find(outputs.begin(), outputs.end(), load) != outputs.end()) return motion.column(load);
  return motion.column(fmt::format("d({})/d({})", what, name));
}

}  // namespace taut
