// SPDX-License-Identifier: BSD-3-Clause
// Models, and what the commands of the program say of them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>

#include "bound.hpp"
#include "options.hpp"
#include "taut/model/model_file.hpp"
#include "taut/report/diagnosis.hpp"
#include "taut/report/writers.hpp"

namespace taut::python {
namespace {

constexpr std::size_t most_compilations = 16;

/// `added`: parameters and [[event]]s of a call, which join those of the model however these are
/// written.
Model read(const std::string& text, const std::string& file, const std::string& added) {
  Problems problems{file};
  Model model = read_model(text, problems);
  model.file = file;
  model.text = text;
  if (!added.empty()) {
    Model more = read_model(added, problems);
    std::move(more.elements.begin(), more.elements.end(), std::back_inserter(model.elements));
    std::move(more.parameters.begin(), more.parameters.end(), std::back_inserter(model.parameters));
    model.text += "\n# of a call\n" + added;
  }
  static_cast<void>(compile(model, problems));
  problems.throw_if_any();
  return model;
}

BoundResult run(BoundModel& bound, const nb::dict& given, const nb::list& forces,
                const nb::list& events, nb::object progress,
                const std::vector<std::string>& sensitivity, const std::string& checkpoint,
                double checkpoint_every, bool resume, std::optional<int> exponents,
                const std::string& section) {
  SimulationOptions options;
  Model cut = bound.model();
  if (!section.empty()) add_section(section, cut);
  BoundModel with_section{std::move(cut)};
  PreparedModel prepared = prepared_for(section.empty() ? bound : with_section, given, options);
  std::shared_ptr<Callables> callables;
  if (nb::len(forces) + nb::len(events) > 0) callables = std::make_shared<Callables>();
  add_forces(forces, prepared, callables);
  Problems problems{bound.model().file};
  std::optional<Plan> made;
  {
    nb::gil_scoped_release released;
    made.emplace(plan(std::move(prepared), options, problems));
  }
  if (callables) callables->rethrow();
  problems.throw_if_any();
  add_events(events, *made, callables);
  if (!checkpoint.empty())
    if (const std::string problem = made->keep_checkpoints(checkpoint, checkpoint_every, resume);
        !problem.empty())
      throw nb::value_error(problem.c_str());
  if (section.empty())
    return carry_out(std::move(*made), std::move(progress), std::move(callables), sensitivity,
                     exponents);
  if (made->curve) throw nb::value_error("section= is for mechanical models");
  make_room_for_section(*made);
  BoundResult result = carry_out(std::move(*made), std::move(progress), std::move(callables),
                                 sensitivity, exponents);
  if (!result.result.curve) result.section = take_section(section, result.result);
  return result;
}

BoundResult solve(BoundModel& bound, const nb::dict& given, nb::object functions,
                  bool mass_constant, Index constraints, const nb::list& events,
                  nb::object progress) {
  SimulationOptions options;
  PreparedModel prepared = prepared_for(bound, given, options);
  auto callables = std::make_shared<Callables>();
  prepared.compiled.system = system_of(std::move(functions), prepared.system.structure(),
                                       mass_constant, constraints, callables);
  prepared.system = prepared.compiled.system;
  Problems problems;
  std::optional<Plan> made;
  {
    nb::gil_scoped_release released;
    made.emplace(plan(std::move(prepared), options, problems));
  }
  callables->rethrow();
  problems.throw_if_any();
  add_events(events, *made, callables);
  return carry_out(std::move(*made), std::move(progress), std::move(callables));
}

std::string check(BoundModel& bound, const nb::dict& given) {
  SimulationOptions options;
  const PreparedModel prepared = prepared_for(bound, given, options);
  nb::gil_scoped_release released;
  if (prepared.compiled.jets) {
    Problems problems{bound.model().file};
    check_determined(prepared, problems);
    problems.throw_if_any();
    return check_json(prepared, choose_form(*prepared.compiled.jets));
  }
  return check_json(prepared, diagnose(prepared), plan_run(prepared, options));
}

std::string start(BoundModel& bound, const nb::dict& given, bool slow) {
  SimulationOptions options;
  const PreparedModel prepared = prepared_for(bound, given, options);
  nb::gil_scoped_release released;
  if (prepared.compiled.jets) {
    const FormChoice choice = choose_form(*prepared.compiled.jets);
    if (choice.status != Status::ok) return check_json(prepared, choice);
    return start_json(choice.form.curve.structure(), choice.start);
  }
  const Structure& structure = prepared.system.structure();
  if (!slow && prepared.reading.kind() != Reading::Kind::slow)
    return start_json(structure, consistent_start(prepared));
  return start_json(structure, slow_start(prepared, options.slow));
}

std::string completion(BoundModel& bound, const nb::dict& given) {
  SimulationOptions options;
  const PreparedModel prepared = prepared_for(bound, given, options);
  nb::gil_scoped_release released;
  if (!prepared.compiled.jets) return completion_json(prepared, diagnose(prepared));
  return completion_json(prepared, complete(*prepared.compiled.jets));
}

}  // namespace

PreparedModel prepared_for(BoundModel& bound, const nb::dict& given, SimulationOptions& options) {
  Problems problems{bound.model().file};
  options = read_options(given, bound.model(), problems);
  nb::gil_scoped_release released;
  refuse_misspelled(options, bound.model(), problems);
  PreparedModel prepared = bound.prepare(options, problems);
  problems.throw_if_any();
  return prepared;
}

PreparedModel BoundModel::prepare(const SimulationOptions& options, Problems& problems) {
  std::vector<std::pair<std::string, double>> numbers;
  SimulationOptions others = options;
  others.set.clear();
  for (const auto& [name, value] : options.set)
    if (value.is_number())
      numbers.emplace_back(name, value.number());
    else
      others.set.emplace_back(name, value);
  const std::string key = fixed_part(options);
  std::shared_ptr<const PreparedModel> base;
  {
    const std::lock_guard lock{mutex_};
    if (const auto found = compiled_.find(key); found != compiled_.end()) base = found->second;
  }
  if (!base) {
    Problems alone;
    auto made = std::make_shared<const PreparedModel>(taut::prepare(model_, others, alone));
    // with its parameters set it may be a model all the same
    if (!alone.empty()) return taut::prepare(model_, options, problems);
    base = std::move(made);
    const std::lock_guard lock{mutex_};
    if (compiled_.size() >= most_compilations) compiled_.clear();
    compiled_[key] = base;
  }
  for (const auto& number : numbers)
    if (base->compiled.parameter_index(number.first) < 0)
      return taut::prepare(model_, options, problems);  // an input, or a mistake
  if (!problems.empty()) return {};
  return numbers.empty() ? *base : with_values(*base, numbers, problems);
}

void bind_model(nb::module_& m) {
  nb::class_<BoundModel> model{m, "Model"};
  model
      .def("__init__",
           [](BoundModel* self, const std::string& text, const std::string& file,
              const std::string& added) { new (self) BoundModel{read(text, file, added)}; })
      .def_static("load", [](const std::string& file) { return new BoundModel{load(file)}; })
      .def_prop_ro("name", [](const BoundModel& b) { return b.model().name; })
      .def_prop_ro("file", [](const BoundModel& b) { return b.model().file; })
      .def_prop_ro("text", [](const BoundModel& b) { return b.model().text; })
      .def_prop_ro("has_jets", [](const BoundModel& b) { return b.model().jets.has_value(); })
      .def_prop_ro("inputs",
                   [](const BoundModel& b) {
                     std::vector<std::string> names;
                     for (const Parameter& p : b.model().inputs) names.push_back(p.name);
                     return names;
                   })
      .def("parameters",
           [](BoundModel& b) {
             SimulationOptions none;
             const PreparedModel prepared = prepared_for(b, nb::dict{}, none);
             nb::dict all;
             const auto names = prepared.compiled.parameter_names();
             for (std::size_t k = 0; k < names.size(); ++k)
               all[names[k].c_str()] = prepared.compiled.parameter_values()[k];
             return all;
           })
      .def("structure",
           [](BoundModel& b) {
             SimulationOptions none;
             const PreparedModel prepared = prepared_for(b, nb::dict{}, none);
             nb::dict all;
             std::vector<std::string> rows, unknowns;
             if (prepared.compiled.jets) {
               all["unknowns"] = prepared.compiled.jets->unknowns;
               return all;
             }
             const Structure& s = prepared.system.structure();
             for (const Row& row : s.rows) rows.push_back(row.name);
             all["coordinates"] = s.place_names();
             all["velocities"] = s.velocities;
             all["constraints"] = rows;
             return all;
           })
      .def_prop_ro("has_end", [](const BoundModel& b) { return b.model().run.until.has_value(); })
      .def("span",
           [](BoundModel& b, const nb::dict& given) {
             SimulationOptions options;
             const CompiledRun run = prepared_for(b, given, options).compiled.run;
             return std::pair{run.from, run.until};
           })
      .def("run", run, nb::arg("options"), nb::arg("forces"), nb::arg("events"),
           nb::arg("progress").none(), nb::arg("sensitivity"), nb::arg("checkpoint"),
           nb::arg("checkpoint_every"), nb::arg("resume"), nb::arg("lyapunov").none(),
           nb::arg("section"))
      .def("solve", solve, nb::arg("options"), nb::arg("functions"), nb::arg("mass_constant"),
           nb::arg("constraints"), nb::arg("events"), nb::arg("progress").none())
      .def("check", check)
      .def("start", start)
      .def("complete", completion);
  bind_studies(model);
  bind_gradients(model);
}

}  // namespace taut::python
