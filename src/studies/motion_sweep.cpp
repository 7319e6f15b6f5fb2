// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/motion_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "model/compiled_system.hpp"
#include "studies/sweep_way.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

// mistakes on one line
std::string in_words(const Problems& problems) {
  std::string line;
  for (const Problem& p : problems.sorted())
    line += fmt::format("{}{}: {} ({})", line.empty() ? "" : "; ", p.where, p.what, p.remedy);
  return line;
}

std::vector<std::string> texts_of(const std::vector<RunMeasure>& measures) {
  std::vector<std::string> texts;
  for (const RunMeasure& measure : measures) texts.push_back(measure.text);
  return texts;
}

/// Angles of joints that nobody asks for need no memory of turns, which costs time and lanes.
bool counts_turns_to_show_them(const CompiledModel& compiled,
                               const std::vector<RunMeasure>& measures) {
  const auto* const model = dynamic_cast<const CompiledSystem*>(&compiled.system.implementation());
  if (model == nullptr || model->reads_turns() || !model->shows_turns()) return false;
  const auto is_asked_for = [&](const Observable& shown) {
    return shown.kind == Observable::Kind::quantity &&
           std::any_of(measures.begin(), measures.end(), [&](const RunMeasure& measure) {
             return measure.text.find(shown.name) != std::string::npos;
           });
  };
  const auto& shown = model->compiled_quantities()->structure().observables;
  return std::none_of(shown.begin(), shown.end(), is_asked_for);
}

}  // namespace

MotionSweep::MotionSweep(Model model, SimulationOptions options, std::vector<RunMeasure> measures,
                         Problems& problems)
    : options_{std::move(options)}, measures_{std::move(measures)} {
  add_measures(measures_, model);
  Model lean = model;
  prepared_ = prepare(std::move(model), options_, problems);
  if (problems.empty() && counts_turns_to_show_them(prepared_.compiled, measures_)) {
    lean.run.columns = Name{"stated", {}};
    prepared_ = prepare(std::move(lean), options_, problems);
  }
  if (problems.empty() && prepared_.compiled.jets)
    problems.add(prepared_.model.jets->position, "jets", "a sweep is of a mechanical model",
                 "with [jets] there are runs, starts and completions");
}

Plan MotionSweep::plan(Problems& problems) const {
  PreparedModel tried = prepared_;
  const RunMeter names{measures_, tried.compiled, problems};
  return taut::plan(std::move(tried), options_, problems);
}

RunIdentity MotionSweep::identity(const Plan& plan, const std::vector<std::string>& axes) const {
  RunIdentity all = plan.identity();
  all.emplace_back("<<max steps>>", fmt::format("{}", options_.max_steps));
  all.emplace_back("<<max seconds>>", fmt::format("{}", options_.max_seconds));
  all.emplace_back("<<vary>>", fmt::format("'{}'", fmt::join(axes, " ")));
  all.emplace_back("<<measure>>", fmt::format("'{}'", fmt::join(texts_of(measures_), " ")));
  return all;
}

RunSweep MotionSweep::operator()(const std::vector<SweepAxis>& axes,
                                 const RunSweepOptions& options) const {
  RunSweep all{.axes = axes, .points = options.points, .measures = texts_of(measures_)};
  const std::size_t runs = options.points.empty() ? grid_size(axes) : options.points.size();
  SweepWay way{*this,
               axes,
               runs,
               [&](std::size_t k) { return all.values(k); },
               {.lanes = options.lanes, .device = options.device, .cancel = options.cancel}};
  if (!way.problem().empty()) {
    all.status = Status::not_supported;
    all.problem = way.problem();
    return all;
  }
  RunSweep sweep = sweep_many(axes, texts_of(measures_), std::ref(way), options);
  way.tell(sweep);
  return sweep;
}

SweptRun MotionSweep::run(const std::vector<std::string>& parameters,
                          const std::vector<double>& values,
                          const std::atomic<bool>* cancel) const {
  std::vector<std::pair<std::string, double>> named;
  for (std::size_t i = 0; i < parameters.size(); ++i) named.emplace_back(parameters[i], values[i]);
  Problems problems;
  PreparedModel changed = with_values(prepared_, named, problems);
  if (!problems.empty()) return failure("bad_input", in_words(problems));
  RunMeter meter{measures_, changed.compiled, problems};
  Plan plan;
  if (problems.empty()) plan = taut::plan(std::move(changed), options_, problems);
  if (!problems.empty()) return failure("bad_input", in_words(problems));

  plan.error_estimate = false;  // measures do not read it
  RunOptions& options = plan.run;
  // rows are looked at by both: the same ones, whichever are asked for
  if (options.every == 0.0 && (needs_close_rows(measures_) || needs_quality(measures_)))
    options.every = distance_of_rows(plan.start.state.t, options.until);
  options.extremes = needs_quality(measures_);  // as in single runs
  options.cancel = cancel;
  options.observers.emplace_back([&meter](const Frame& frame) { meter(frame); });
  const Summary summary = simulate(std::move(plan)).summary;
  if (summary.status == Status::cancelled) return {};
  SweptRun swept;
  if (summary.good()) {
    swept.status = name(summary.status);
    swept.measures = meter.result(summary);
  } else {
    swept = failure(std::string{name(summary.status)}, summary.message);
  }
  swept.method = summary.method;
  return swept;
}

SweptRun MotionSweep::failure(std::string status, const std::string& reason) const {
  return {
      .status = std::move(status),
      .reason = reason,
      .measures = std::vector<double>(measures_.size(), std::numeric_limits<double>::quiet_NaN())};
}

}  // namespace taut
