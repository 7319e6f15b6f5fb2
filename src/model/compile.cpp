// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/compile.hpp"

#include <fmt/format.h>

#include "model/compiled_system.hpp"
#include "model/compiler.hpp"
#include "model/element_context.hpp"
#include "model/inertia.hpp"
#include "model/parameter_binding.hpp"

namespace taut {

void Compiler::compile_names() {
  compile_definitions();
  compile_anchors();
  compile_points();
  compile_coordinates();
  compile_box();
  declare_elements();
  compile_states();
  compile_start_values();
  relate_elements();
}

System Compiler::compile_expression(std::string_view text) {
  compile_tables();
  compile_parameters();
  compile_inputs();
  compile_vibration();
  batches_.emplace(symbols_.theta_rate);
  static_cast<void>(compile_run());
  compile_names();
  static_cast<void>(
      compile_sample({.name = "expression", .value = std::string{text}, .column = false}));
  for (const Symbols::ReadMultipliers::Use& use : symbols_.multipliers->all)
    problems_.add(use.at, use.where,
                  fmt::format("reads lambda({}), which belongs to a motion", use.name),
                  "state it in [outputs], and read that column");
  if (!problems_.empty()) return {};
  return System{std::make_shared<const CompiledSystem>(batches_->finish(), std::move(structure_),
                                                       std::vector<PairField>{},
                                                       symbols_.theta_rate, theta_phase_)};
}

CompiledModel Compiler::compile() {
  compile_tables();
  compile_parameters();
  if (model_.jets) {
    if (!model_.inputs.empty())
      problems_.add(model_.inputs.front().value.at(), "inputs", "belong to a motion in time",
                    "a model with [jets] has parameters");
    const formula::Recording none{nullptr};  // its system is computed with plain numbers
    return compile_jets();
  }
  compile_inputs();
  compile_vibration();
  batches_.emplace(symbols_.theta_rate);
  drawn_.emplace(symbols_.theta_rate);
  plan_quantities();
  action_values_.emplace(symbols_.theta_rate);
  CompiledRun run = compile_run();
  compile_names();
  if (q_.empty() && problems_.empty())
    problems_.add(
        {}, "model", "has nothing that can move",
        "give at least one point in [points], coordinate in [coordinates] or state in [states]");
  compile_masses();
  compile_rates();
  compile_elements();
  give_inertia_to_determined();
  std::vector<PairField> pairs = finish_pairs();
  CompiledModel result;
  compile_thermostat(result);
  result.statistics = compile_statistics();
  compile_outputs();
  compile_accelerations();
  bound_quantities();
  for (const Output& output : model_.outputs)
    if (!output.column) result.outputs.push_back(compile_sample(output));
  find_multipliers();
  result.scene = compile_scene();

  keep_start();
  result.given = given_;
  result.run = std::move(run);
  if (!problems_.empty()) return result;
  // what is only shown stands apart: it changes nothing of what is computed
  std::vector<Batch> batches = batches_->finish();
  for (Batch& batch : drawn_->finish()) {
    batch.drawn = true;
    batches.push_back(std::move(batch));
  }
  std::shared_ptr<const CompiledSystem> turns = compile_turns();
  std::shared_ptr<const CompiledSystem> shown = finish_quantities();
  finish_actions(result);
  result.system = System{std::make_shared<const CompiledSystem>(
      std::move(batches), std::move(structure_), std::move(pairs), symbols_.theta_rate,
      theta_phase_, tape_, std::move(shown), std::move(turns))};
  check_masses(result.system);
  return result;
}

void Compiler::keep_start() {
  const auto take = [&](const std::vector<Number>& numbers, Vec State::*to) {
    (given_.*to).resize(static_cast<Index>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      (given_.*to)[static_cast<Index>(i)] = numbers[i].value();
      keep(numbers[i], [to, i](CompiledModel& model) -> double& {
        return (model.given.*to)[static_cast<Index>(i)];
      });
    }
  };
  take(q_, &State::q);
  take(v_, &State::v);
  given_.t = start_time_.value();
  keep(start_time_, [](CompiledModel& model) -> double& { return model.given.t; });
}

void Compiler::check_masses(const System& system) {
  Index defect = -1;
  if (has_inertia(system, given_, &defect)) return;
  if (defect < 0) {
    problems_.add({}, system.culprit({.t = given_.t, .q = given_.q, .v = given_.v}),
                  "gives no finite mass at the start", "start where the kinetic energy is defined");
    return;
  }
  problems_.add(position_of_coordinate_[static_cast<std::size_t>(defect)],
                system.structure().coordinates[static_cast<std::size_t>(defect)],
                "has no inertia, and no rigid constraint determines it: the mass matrix is not "
                "positive definite at the start",
                "give it a mass, a kinetic energy that contains its velocity, or a constraint from "
                "which it follows");
}

Compilation compile_with_tape(const Model& model, Problems& problems) {
  Compilation result;
  const auto tape = std::make_shared<formula::Origins>();
  const formula::Recording recording{tape.get()};
  Compiler compiler{model, problems, tape};
  result.model = compiler.compile();
  result.kept = compiler.take_kept();
  for (const Parameter& parameter : model.parameters) {
    result.parameters.push_back(compiler.parameter(parameter.name));
    result.is_number.push_back(parameter.value.is_number());
  }
  if (!model.jets) result.tape = tape;
  return result;
}

System compile_expression(const Model& model, std::string_view text, Problems& problems) {
  if (model.jets) {
    problems.add({}, "expression", "cannot be asked of a model with [jets]",
                 "read its unknowns from the run");
    return {};
  }
  const formula::Recording none{nullptr};
  return Compiler{model, problems, std::make_shared<formula::Origins>()}.compile_expression(text);
}

CompiledModel compile(const Model& model, Problems& problems) {
  Compilation made = compile_with_tape(model, problems);
  if (!problems.empty()) return std::move(made.model);
  return std::make_shared<const ModelFamily>(model,
                                             std::make_shared<const Compilation>(std::move(made)))
      ->first();
}

CompiledModel compile(const Model& model) {
  Problems problems{model.file};
  CompiledModel result = compile(model, problems);
  problems.throw_if_any();
  return result;
}

}  // namespace taut
