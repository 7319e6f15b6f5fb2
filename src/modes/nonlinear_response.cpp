// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/nonlinear_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "modes/drive_period.hpp"
#include "modes/periodic_case.hpp"
#include "run/frame_measure.hpp"
#include "taut/core/wording.hpp"
#include "taut/simulation/instant.hpp"

namespace taut {
namespace {

constexpr const char* frequency_name = "response_omega";

std::string text_of(const Value& value) {
  return value.is_number() ? fmt::format("{:.17g}", value.number()) : value.text();
}

/// The model with a vibration in the place of an input.
Model shaken(Model model, const NonlinearResponseOptions& which, Problems& problems) {
  const std::string wave = fmt::format("({})*sin({}*t)", text_of(which.amplitude), frequency_name);
  const auto take = [&](std::vector<Parameter>& from) {
    const auto found = std::find_if(from.begin(), from.end(),
                                    [&](const Parameter& p) { return p.name == which.input; });
    if (found == from.end()) return false;
    model.definitions.push_back(
        {.name = which.input, .value = fmt::format("({}) + {}", text_of(found->value), wave)});
    from.erase(found);
    return true;
  };
  model.parameters.push_back({.name = frequency_name, .value = which.from});
  if (take(model.inputs) || take(model.parameters)) return model;
  Problems ignored{model.file};
  const CompiledModel plain = compile(model, ignored);
  const std::vector<std::string> places =
      ignored.empty() ? plain.system.structure().place_names() : std::vector<std::string>{};
  if (ignored.empty() && std::find(places.begin(), places.end(), which.input) == places.end()) {
    std::vector<std::string> known = places;
    for (const auto* list : {&model.inputs, &model.parameters})
      for (const Parameter& one : *list) known.push_back(one.name);
    const std::string near = nearest_name(which.input, known);
    problems.add(
        {}, "input " + which.input, "neither an input or parameter of the model nor a coordinate",
        near.empty() ? "name an input, a parameter, or the coordinate on which a force acts"
                     : fmt::format("did you mean '{}'?", near));
    return model;
  }
  Element element;
  element.name = worded("<<input>> ") + which.input;
  element.what = Force{.on = {which.input, {}}, .value = {Value{wave}}};
  model.elements.push_back(std::move(element));
  return model;
}

/// A model that something drives already has no period under a vibration of any frequency.
void refuse_other_drives(const Model& model, const SimulationOptions& options, Problems& problems) {
  const PreparedModel alone = prepare(model, options, problems);
  if (!problems.empty() || alone.reading.kind() == Reading::Kind::averaged) return;
  const Structure& structure = alone.system.structure();
  if (!structure.force_uses_time && !structure.constraint_uses_time) return;
  // a drive of amplitude 0 is none
  const State& at = alone.compiled.given;
  if (repeats(alone.system, at, 1.0) && repeats(alone.system, at, std::numbers::phi)) return;
  problems.add(
      {}, "<<amplitude>>",
      "time stands in the formulas of the model: of two drives of different frequencies "
      "no motion is periodic",
      "take its own drive away, by an amplitude of 0, or follow that over its frequency, as "
      "taut periodic MODEL <<vary>> w=0.5:2 does");
}

/// What is in one period of a motion.
NonlinearResponse::At measured(const PeriodicCase& made, const PeriodicMotion& motion,
                               const std::vector<std::string>& outputs, double tol) {
  constexpr int rows = 128;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto count = static_cast<Index>(outputs.size());
  NonlinearResponse::At at{.mean = Vec::Zero(count),
                           .lowest = Vec::Constant(count, nan),
                           .highest = Vec::Constant(count, nan),
                           .first = Eigen::VectorXcd::Zero(count)};
  LinearFlow flow = made.flow(tol);
  LinearFlow::Columns none{Mat(made.system.nq(), 0), Mat(made.system.nq(), 0)};
  Measure measure;
  const FrameNames names{made.system};
  Frame frame;
  State state = motion.state;
  bool good = measure.start(made.system) == Status::ok;
  const double omega = 2 * std::numbers::pi / motion.period;
  for (int k = 0; k < rows && good; ++k) {
    if (k > 0) good = flow(state, motion.state.t + motion.period * k / rows, none) == Status::ok;
    frame.state = state;
    good = good && measure(made.system, frame) == Status::ok && measure.show(frame) == Status::ok;
    if (!good) break;
    for (Index i = 0; i < count; ++i) {
      const double y = names(frame, outputs[static_cast<std::size_t>(i)]);
      at.mean[i] += y / rows;
      at.first[i] +=
          2.0 / rows * y * std::complex<double>{0.0, 1.0} * std::polar(1.0, -omega * state.t);
      at.lowest[i] = k == 0 ? y : std::min(at.lowest[i], y);
      at.highest[i] = k == 0 ? y : std::max(at.highest[i], y);
    }
  }
  if (good) return at;
  at.mean.setConstant(nan);
  at.first.setConstant(nan);
  return at;
}

std::vector<std::string> usual(const CompiledModel& compiled) {
  std::vector<std::string> names;
  if (const std::optional<System> shown = compiled.system.quantities())
    for (const Observable& one : shown->structure().observables)
      if (one.kind == Observable::Kind::output) names.push_back(one.name);
  return names.empty() ? compiled.system.structure().names_at_rest() : names;
}

}  // namespace

NonlinearResponse nonlinear_response(const Model& model, const SimulationOptions& options,
                                     const NonlinearResponseOptions& which, Problems& problems) {
  NonlinearResponse made{.input = which.input};
  if (!(which.from > 0.0 && which.to > 0.0 && which.from != which.to &&
        std::isfinite(which.from + which.to)))
    problems.add({}, "<<range>>", "is no range of frequencies above 0",
                 "give the first and the last, which may be the smaller one");
  if (which.input.empty())
    problems.add({}, "<<input>>", "is missing", "name an input, a parameter or a coordinate");
  if (!problems.empty()) return made;
  const Model driven = shaken(model, which, problems);
  if (!problems.empty()) return made;
  refuse_other_drives(model, options, problems);
  if (!problems.empty()) return made;
  const PreparedModel prepared = prepared_for_periods(driven, options, problems);
  if (!problems.empty()) return made;
  made.outputs = which.outputs.empty() ? usual(prepared.compiled) : which.outputs;
  const FrameNames known{prepared.compiled.system};
  for (const std::string& name : made.outputs)
    if (!known.has(name))
      problems.add({}, "output " + name, "the motion has no number of this name",
                   "name a coordinate, a velocity, an output, a(x), lambda(rod 1), spring 1.force");
  try {
    made.amplitude =
        which.amplitude.is_number()
            ? which.amplitude.number()
            : prepared.compiled.expression(which.amplitude.text())(prepared.compiled.given);
  } catch (const ModelError& error) {
    for (const Problem& one : error.problems().sorted())
      problems.add({}, "<<amplitude>>", one.what, one.remedy);
  }
  if (!problems.empty()) return made;
  const BranchOptions branch =
      BranchOptions::over(frequency_name, which.from, which.to, which.parts);
  made.branch = periodic_branch(driven, options, which.periodic, branch, problems);
  if (!problems.empty()) return made;
  made.branch.parameter = "omega";
  const auto limits = std::make_shared<const SearchLimits>(0.0, options.cancel);
  for (BranchPoint& point : made.branch.points) {
    Problems here;
    const PeriodicCase at =
        periodic_case(with_values(prepared, {{frequency_name, point.parameter}}, here), options,
                      which.periodic, limits, here);
    made.points.push_back(measured(at, point.motion, made.outputs, which.periodic.tol));
  }
  return made;
}

NonlinearResponse nonlinear_response(const Model& model, const SimulationOptions& options,
                                     const NonlinearResponseOptions& which) {
  Problems problems{model.file};
  NonlinearResponse made = nonlinear_response(model, options, which, problems);
  problems.throw_if_any();
  return made;
}

}  // namespace taut
