// SPDX-License-Identifier: BSD-3-Clause
#include "taut/gradients/gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "gradients/adjoint.hpp"
#include "gradients/sensitivities.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "model/compiled_system.hpp"
#include "readings/switched_system.hpp"
#include "taut/model/model.hpp"

namespace taut {
namespace {

using Of = MotionMeasure::Of;

constexpr std::array<std::pair<std::string_view, Of>, 9> forms{{{"end", Of::end},
                                                                {"integral", Of::integral},
                                                                {"mean", Of::mean},
                                                                {"rms", Of::rms},
                                                                {"min", Of::min},
                                                                {"max", Of::max},
                                                                {"peak", Of::peak},
                                                                {"range", Of::range},
                                                                {"event", Of::event}}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// abs(X) of a name X, which formulas need not know.
std::string_view without_abs(std::string_view x) {
  if (!x.starts_with("abs(") || !x.ends_with(')')) return {};
  return trimmed(x.substr(4, x.size() - 5));
}

/// What measures read, as numbers of a model that is compiled with what they add to it.
class MeasuredModel {
 public:
  MeasuredModel(Model model, const std::vector<MotionMeasure>& measures)
      : model_{std::move(model)} {
    for (const MotionMeasure& measure : measures) {
      if (measure.of != Of::event && measure.of != Of::squares) names_.push_back(measure.x);
      for (const MotionMeasure::Data& data : measure.data) names_.push_back(data.x);
    }
  }

  /// `number` of each X; expressions become outputs.
  PreparedModel prepare(const SimulationOptions& options, Problems& problems) {
    PreparedModel plain = taut::prepare(model_, options, problems);
    if (!problems.empty() || plain.compiled.jets) return plain;
    bool more = false;
    for (const std::string& name : names_) {
      ReadNumbers::Place place;
      if (find(plain.compiled.system, name, place)) {
        texts_.push_back(name);
        continue;
      }
      std::string output = fmt::format("measured_{}", texts_.size() + 1);
      plain.model.outputs.push_back({.name = output, .value = name});
      texts_.push_back(std::move(output));
      more = true;
    }
    if (!more) return plain;
    // the options are a part of the model now
    Problems of_outputs{problems.file()};
    Model with = model_;
    with.outputs = plain.model.outputs;
    PreparedModel prepared = taut::prepare(std::move(with), options, of_outputs);
    for (const Problem& one : of_outputs.sorted()) {
      std::string where = one.where;
      for (std::size_t k = 0; k < texts_.size(); ++k)
        if (where.ends_with(texts_[k])) where = fmt::format("measure of {}", names_[k]);
      problems.add(one.at, where, one.what, one.remedy);
    }
    return prepared;
  }

  [[nodiscard]] std::vector<ReadNumbers::Place> places(const System& system) const {
    std::vector<ReadNumbers::Place> result;
    for (const std::string& name : texts_) {
      ReadNumbers::Place place;
      static_cast<void>(find(system, name, place));
      result.push_back(place);
    }
    return result;
  }

 private:
  static bool find(const System& system, const std::string& name, ReadNumbers::Place& place) {
    if (ReadNumbers::find(system, name, place)) return true;
    const std::string_view inner = without_abs(name);
    if (inner.empty() || !ReadNumbers::find(system, std::string{inner}, place)) return false;
    place.absolute = true;
    return true;
  }

  Model model_;
  std::vector<std::string> names_, texts_;
};

int event_of(const System& system, const std::string& name) {
  const auto& observables = system.structure().observables;
  for (std::size_t k = 0; k < observables.size(); ++k)
    if (observables[k].kind == Observable::Kind::event && observables[k].name == name)
      return static_cast<int>(k);
  return -1;
}

void check_events(const std::vector<MotionMeasure>& measures, const System& system,
                  Problems& problems) {
  std::vector<std::string> known;
  for (const Observable& one : system.structure().observables)
    if (one.kind == Observable::Kind::event) known.push_back(one.name);
  for (const MotionMeasure& measure : measures) {
    if (measure.of != Of::event || event_of(system, measure.x) >= 0) continue;
    const std::string near = nearest_name(measure.x, known);
    problems.add(
        {}, "<<measure>> " + measure.text, fmt::format("there is no event '{}'", measure.x),
        near.empty() ? "state it as an [[event]]" : fmt::format("did you mean '{}'?", near));
  }
}

void check_data(const std::vector<MotionMeasure>& measures, Problems& problems) {
  for (const MotionMeasure& measure : measures)
    for (const MotionMeasure::Data& data : measure.data) {
      const bool grows = std::adjacent_find(data.t.begin(), data.t.end(), [](double a, double b) {
                           return !(a < b);
                         }) == data.t.end();
      if (data.t.empty() || data.t.size() != data.value.size() || !grows || !(data.sigma > 0.0))
        problems.add({}, fmt::format("data of {}", data.x),
                     "are no values at growing times with a sigma above 0",
                     "give one value for each time, in their order");
    }
}

/// Backwards nobody counts turns.
void check_turns(const Plan& plan, Problems& problems) {
  const auto* const model =
      dynamic_cast<const CompiledSystem*>(&plan.prepared.compiled.system.implementation());
  if (model != nullptr && model->turns() != nullptr && model->reads_turns())
    problems.add(
        {}, "gradient",
        "a motion whose formulas read angles of joints that count turns in space has none",
        "take derivatives of the motion (<<sensitivity>>), state the joint in the plane, or "
        "leave angle(...) out");
}

/// Measures by numbers; `why` where the run has not what they ask for.
std::vector<AdjointMeasure> resolve(const std::vector<MotionMeasure>& measures, const Result& run,
                                    std::string& why) {
  std::vector<AdjointMeasure> result;
  Index number = 0;
  const double begin = run.plan->start.state.t, end = run.summary.state.t;
  for (const MotionMeasure& measure : measures) {
    AdjointMeasure& one = result.emplace_back();
    one.of = measure.of;
    if (measure.of == Of::event) {
      one.event = event_of(run.plan->prepared.compiled.system, measure.x);
      for (const EventRecord& event : run.summary.events)
        if (event.name == measure.x && std::isnan(one.time)) one.time = event.state.t;
      if (std::isnan(one.time))
        why = fmt::format("the event '{}' does not happen: its time has no gradient", measure.x);
      continue;
    }
    if (measure.of != Of::squares) one.number = number++;
    for (const MotionMeasure::Data& data : measure.data) {
      for (std::size_t i = 0; i < data.t.size(); ++i) {
        if (!std::isfinite(data.value[i])) continue;
        if (data.t[i] < begin || data.t[i] > end)
          why = fmt::format("data of {} at t = {:.6g} are not within the run, {:.6g} to {:.6g}",
                            data.x, data.t[i], begin, end);
        one.data.push_back({data.t[i], number, data.value[i], data.sigma});
      }
      ++number;
    }
  }
  return result;
}

/// Whether a run would say nothing that the adjoint does not find itself: no event, no formula that
/// switches, or is short or steep, so that something could be passed over; a method that is known.
bool says_nothing_more(const Plan& plan) {
  if (plan.start.status != Status::ok) return false;
  if (plan.method.name != DormandPrince853::info.name && plan.method.name != Radau::info.name)
    return false;
  const auto& observables = plan.prepared.compiled.system.structure().observables;
  if (std::any_of(observables.begin(), observables.end(),
                  [](const Observable& one) { return one.kind == Observable::Kind::event; }))
    return false;
  std::shared_ptr<Switches> watched;
  static_cast<void>(switched(plan.system, watched));
  return watched && !watched->any();
}

/// As if it had been run.
Result not_run(Plan plan) {
  Result result;
  result.summary.method = plan.method.name;
  result.summary.state = plan.start.state;
  result.summary.state.t = plan.run.until;
  result.plan = std::make_shared<const Plan>(std::move(plan));
  return result;
}

Vec sizes_of(const WideColumns& columns, const CompiledModel& model) {
  Vec sizes = Vec::Ones(static_cast<Index>(columns.parameters.size() + columns.inputs.size()));
  for (std::size_t e = 0; e < columns.parameters.size(); ++e) {
    const double value = model.parameter_values()[static_cast<std::size_t>(columns.parameters[e])];
    if (value != 0.0) sizes[static_cast<Index>(e)] = std::abs(value);
  }
  return sizes;
}

}  // namespace

MotionMeasure read_motion_measure(std::string_view text, Problems& problems) {
  const std::string_view plain = trimmed(text);
  MotionMeasure measure{.text = std::string{plain}};
  for (const auto& [name, of] : forms) {
    if (!plain.starts_with(name)) continue;
    const std::string_view rest = trimmed(plain.substr(name.size()));
    if (!rest.starts_with('(') || !rest.ends_with(')')) continue;
    const std::string_view inner = trimmed(rest.substr(1, rest.size() - 2));
    int depth = 0;
    for (const char c : inner)
      if ((depth += c == '(' ? 1 : c == ')' ? -1 : 0) < 0) break;
    if (depth != 0 || inner.empty()) continue;
    measure.of = of;
    measure.x = inner;
    return measure;
  }
  std::string known;
  for (const auto& [name, of] : forms)
    known +=
        fmt::format("{}{}({})", known.empty() ? "" : ", ", name, of == Of::event ? "NAME" : "X");
  problems.add({}, "<<measure>> " + measure.text, "is no measure that has a gradient",
               fmt::format("these have one: {}", known));
  return measure;
}

Gradient gradient(const Model& model, const SimulationOptions& options,
                  const std::vector<MotionMeasure>& measures, const std::vector<std::string>& names,
                  const GradientOptions& wanted, Problems& problems) {
  Gradient result;
  for (const MotionMeasure& measure : measures) result.measures.push_back(measure.text);
  check_data(measures, problems);
  if (measures.empty())
    problems.add({}, "gradient", "nothing is measured", "name a number, such as end(X)");
  MeasuredModel measured{model, measures};
  SimulationOptions of_run = options;
  of_run.extremes = false;
  of_run.error_estimate = false;
  PreparedModel prepared = measured.prepare(of_run, problems);
  if (!problems.empty()) return result;
  if (!prepared.compiled.jets) check_events(measures, prepared.compiled.system, problems);
  of_run.set.clear();
  Plan plan = taut::plan(std::move(prepared), of_run, problems);
  if (!problems.empty()) return result;
  check_differentiable(plan, problems);
  check_turns(plan, problems);
  if (!problems.empty()) return result;
  const std::vector<Variable> by = variables(names, plan.prepared.compiled, problems);
  check_reading(plan, by, problems);
  if (!problems.empty()) return result;
  for (const Variable& variable : by) result.names.push_back(variable.name);
  const WideColumns columns = wide_columns(by);
  const WideSystem wide{plan.prepared.compiled, columns.parameters, columns.inputs, problems};
  if (problems.empty()) check_rigid(wide, problems);
  if (!problems.empty()) return result;

  std::vector<SideChange> changes;
  plan.run.on_side_change = [&changes](const SideChange& change) { changes.push_back(change); };
  plan.run.rows = Rows::none;
  plan.run.every = 0.0;
  plan.run.times.clear();
  const bool quiet = says_nothing_more(plan);
  const Result run = quiet ? not_run(std::move(plan)) : simulate(std::move(plan));
  if (!run.good()) {
    result.status = run.summary.status;
    result.message = run.summary.message;
    return result;
  }
  check_events(run, problems);
  if (!problems.empty()) return result;
  MotionToDifferentiate motion = motion_to_differentiate(run, changes);
  if (quiet) motion.end = {};
  std::string why;
  AdjointWanted asked{.numbers = measured.places(run.plan->prepared.compiled.system),
                      .measures = resolve(measures, run, why),
                      .memory = wanted.memory,
                      .curves = wanted.curves,
                      .scale_of_e = sizes_of(columns, run.plan->prepared.compiled)};
  if (!why.empty()) {
    result.status = Status::not_supported;
    result.message = why;
    return result;
  }
  if (run.summary.status == Status::stopped_by_event && !run.summary.events.empty())
    asked.ended_by = event_of(run.plan->prepared.compiled.system, run.summary.events.back().name);
  result.method = motion.stiff ? Radau::info.name : DormandPrince853::info.name;
  result.status = find_adjoint(motion, by, wide, columns.column_of, asked, result);
  if (result.status != Status::ok && result.message.empty())
    result.message = sentence(result.status);
  return result;
}

Gradient gradient(const Model& model, const SimulationOptions& options,
                  const std::vector<std::string>& measures, const std::vector<std::string>& names,
                  const GradientOptions& wanted) {
  Problems problems{model.file};
  std::vector<MotionMeasure> read;
  for (const std::string& text : measures) read.push_back(read_motion_measure(text, problems));
  problems.throw_if_any();
  Gradient result = gradient(model, options, read, names, wanted, problems);
  problems.throw_if_any();
  return result;
}

}  // namespace taut
