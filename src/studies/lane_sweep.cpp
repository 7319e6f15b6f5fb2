// SPDX-License-Identifier: BSD-3-Clause
#include "studies/lane_sweep.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "methods/automatic.hpp"
#include "methods/automatic_rules.hpp"
#include "methods/dormand_prince.hpp"
#include "readings/readings.hpp"
#include "readings/switched_system.hpp"
#include "readings/turns.hpp"

namespace taut {
namespace {

using Of = RunMeasure::Of;

// of what a run is where it ends
bool is_of_end(const RunMeasure& measure) {
  switch (measure.of) {
    case Of::end:
    case Of::t:
    case Of::steps:
    case Of::rejected:
    case Of::force_evaluations:
      return true;
    default:
      return false;
  }
}

// or of the course of an expression
bool is_of_course(const RunMeasure& measure) {
  return measure.of != Of::end && measure.of <= Of::frequency;
}

std::string unfit_measure(const std::vector<RunMeasure>& measures, const CompiledModel& model,
                          bool of_courses) {
  for (const RunMeasure& measure : measures) {
    if (is_of_end(measure)) continue;
    if (!of_courses) return "'" + measure.text + "' is not one of the end alone";
    if (!is_of_course(measure) && measure.of != Of::event)
      return "'" + measure.text + "' is not found in lanes";
  }
  if (std::any_of(model.outputs.begin(), model.outputs.end(), [](int k) { return k < 0; }))
    return "an output is the name of a number of rows";
  return {};
}

std::string unfit_run(const Plan& plan) {
  const RunOptions& run = plan.run;
  if (!run.event_functions.empty()) return "its events are functions of a program";
  if (!run.samplers.empty() || plan.bath) return "it has statistics or a heat bath";
  if (run.every > 0.0 || !run.times.empty()) return "rows are asked for at given times";
  if (run.projection.any() || plan.asked.slow_start || plan.prepared.model.slow_start)
    return "it is pulled onto slow motions";
  if (plan.prepared.model.start_at_rest) return "it begins at an equilibrium";
  if (run.max_steps > 0 || run.max_seconds > 0.0) return "its steps or its time are limited";
  return {};
}

bool has_events(const Structure& structure) {
  const auto& observables = structure.observables;
  return std::any_of(observables.begin(), observables.end(),
                     [](const Observable& x) { return x.kind == Observable::Kind::event; });
}

std::string unfit_structure(const Structure& structure, bool of_courses) {
  const auto& observables = structure.observables;
  if (has_events(structure) && !of_courses) return "it has events";
  if (std::any_of(observables.begin(), observables.end(),
                  [](const Observable& x) { return x.acts; }))
    return "its events act";
  if (structure.has_velocity_rows() || structure.nz > 0) return "it has states or rolling";
  if (structure.takes_multipliers || !structure.read_multipliers.empty())
    return "its formulas read multipliers";
  if (structure.has_manifold) return "its states lie on a manifold";
  return {};
}

bool is_rigid(const Structure& structure) {
  return std::all_of(structure.rows.begin(), structure.rows.end(), [](const Row& row) {
    return row.equation >= 0 && row.compliance == 0.0 && row.damping == 0.0;
  });
}

}  // namespace

std::unique_ptr<const LaneSweep> LaneSweep::make(const PreparedModel& prepared,
                                                 const SimulationOptions& options,
                                                 const std::vector<RunMeasure>& measures,
                                                 const std::vector<SweepAxis>& axes,
                                                 std::string& why, Watch watch) {
  std::unique_ptr<LaneSweep> made{new LaneSweep};
  made->watch_ = watch;
  // Most values share a compilation, but not with those that the file states, nor with round ones:
  // a length of 1, say, drops out of its formulas.
  constexpr double somewhere = 0.381966;
  std::vector<ParameterValue> amid;
  for (const SweepAxis& axis : axes) {
    const int index = prepared.compiled.parameter_index(axis.parameter);
    if (index < 0) why = "'" + axis.parameter + "' is none of its parameters";
    made->parameters_.push_back(index);
    amid.push_back({.index = index, .value = axis.first + somewhere * (axis.last - axis.first)});
  }
  if (!why.empty()) return nullptr;
  Problems amiss;
  made->model_ = prepared.compiled.with_parameters(amid, amiss);
  if (!amiss.empty()) made->model_ = prepared.compiled;
  const CompiledModel& model = made->model_;
  // a device reads no rows
  why = unfit_measure(measures, model, watch == Watch::kept);
  if (why.empty() && (prepared.reading.kind() != Reading::Kind::as_written || model.jets))
    why = "it is read in another way than as written";
  if (!why.empty()) return nullptr;

  Problems problems;
  const Plan plan = taut::plan(prepared, options, problems);
  if (!problems.empty()) {
    why = "the model as it stands cannot be run";
    return nullptr;
  }
  const Structure& structure = model.system.structure();
  why = unfit_run(plan);
  if (why.empty()) why = unfit_structure(structure, watch == Watch::kept);
  if (why.empty() && !is_rigid(structure)) why = "it has compliant constraints";
  if (why.empty() && dynamic_cast<const CompiledSystem*>(&model.system.implementation()) == nullptr)
    why = "it is no model of formulas";
  std::shared_ptr<Switches> switches;
  if (why.empty()) static_cast<void>(switched(springs(model.system), switches));
  if (why.empty() && switches->any()) {
    made->watchable_ = true;
    if (switches->any_switch() || switches->has_contacts())
      why = "its forces or constraints switch";
  }
  // of others the work of forces is found inside of steps
  if (why.empty() && watch == Watch::kept && !structure.conservative &&
      std::any_of(measures.begin(), measures.end(),
                  [](const RunMeasure& one) { return one.of == Of::force_evaluations; }))
    why = "its evaluations are not all made in lanes";
  Turns turns;
  if (why.empty()) static_cast<void>(counting_turns(plan.system, turns));
  if (why.empty() && turns.any()) why = "its joints count turns";
  const std::string_view name = plan.method.name;
  const bool automatic = name == Automatic::info.name;
  if (why.empty() && !automatic && name != DormandPrince853::info.name &&
      name != DormandPrince54::info.name)
    why = "there are no lanes of its method";
  if (!why.empty()) return nullptr;

  made->programs_ = fused::MotionPrograms::make(model.system, model.system.quantities(), why);
  if (!made->programs_) return nullptr;
  const bool fifth = name == DormandPrince54::info.name;
  made->method_ = {.tableau = fifth ? &dormand_prince54_tableau : &dormand_prince853_tableau,
                   .control = fifth ? DormandPrince54::control : DormandPrince853::control,
                   .automatic = automatic,
                   .differentiable = structure.differentiable,
                   .conservative = springs(model.system).structure().conservative,
                   .places = structure.places()};
  made->method_name_ = automatic ? DormandPrince853::info.name : name;
  made->measures_ = measures;
  made->reads_rows_ = needs_close_rows(measures);
  made->has_events_ = has_events(structure);
  made->method_.looks_inside =
      made->reads_rows_ || made->has_events_ || (made->watchable_ && watch == Watch::kept);
  return made;
}

std::optional<lanes::LaneStart> LaneSweep::start(const std::vector<double>& list, bool moved,
                                                 std::vector<double>& scratch) const {
  std::vector<ParameterValue> values;
  for (std::size_t i = 0; i < list.size(); ++i)
    values.push_back({.index = parameters_[i], .value = list[i]});
  Problems problems;
  const CompiledModel model = model_.with_parameters(values, problems);
  if (!problems.empty() || !model.run.until || model.run.every) return std::nullopt;
  const Structure& structure = model.system.structure();
  if (!is_rigid(structure)) return std::nullopt;
  lanes::LaneStart start{.state = model.given};
  if (!programs_->given(model.system, model.system.quantities(), scratch, start.given))
    return std::nullopt;
  if (moved) {
    const Start consistent = consistent_start(springs(model.system), model.given);
    if (consistent.status != Status::ok || !consistent.redundant.empty()) return std::nullopt;
    start.state = consistent.state;
    start.is_consistent = true;
  }
  start.until = *model.run.until;
  if (reads_rows_) start.every = distance_of_rows(model.given.t, start.until);
  // as plan() and Automatic have them
  constexpr double least = 1e-14;
  const double tol = std::max(model.run.tol.value_or(MethodOptions{}.tol), least);
  start.tol = method_.automatic ? std::max(automatic_rules::tighter * tol, least) : tol;
  start.read_tol = tol;
  start.watched = watchable_ && watch_ == Watch::kept;
  start.has_events = has_events_;
  if (method_.looks_inside) start.system = model.system;
  const double most = model.run.max_step.value_or(0.0);
  start.most = most > 0.0 ? most : std::numeric_limits<double>::infinity();
  for (const Row& row : structure.rows) start.row_scales.push_back(row.scale);
  return start;
}

/// One thread with its lanes.
class LaneSweep::Worker final : lanes::RowObserver {
 public:
  Worker(const LaneSweep& sweep, std::size_t most, const RunDone& done, const RunAlone& alone)
      : sweep_{sweep},
        most_{std::min<std::size_t>(most, lanes::width)},
        done_{done},
        alone_{alone},
        stepper_{sweep.programs_, sweep.method_, sweep.reads_rows_ ? this : nullptr},
        meters_(sweep.reads_rows_ ? lanes::width : 1,
                RunMeter{sweep.measures_, sweep.model_, problems_}),
        x_(sweep.measures_.size()) {}

  void operator()(const NextRun& next, const std::atomic<bool>* cancel) {
    const auto cancelled = [&] {
      return cancel != nullptr && cancel->load(std::memory_order_relaxed);
    };
    for (bool more = true; more || !loaded_.empty();) {
      if (cancelled()) return;
      while (more && loaded_.size() < most_) {
        std::optional<SweepRun> one = next();
        more = one.has_value();
        if (more && !load(*one, false)) leave(*one);
        if (cancelled()) return;
      }
      if (loaded_.empty()) continue;
      stepper_.step(ended_);
      for (lanes::LaneEnd& end : ended_) take(end);
      ended_.clear();
    }
  }

 private:
  // False where the run does not fit into the lanes.
  bool load(const SweepRun& one, bool moved) {
    std::optional<lanes::LaneStart> start = sweep_.start(one.values, moved, numbers_);
    if (!start) return false;
    start->run = one.number;
    const int lane = stepper_.load(std::move(*start));
    if (sweep_.reads_rows_) meters_[static_cast<std::size_t>(lane)].restart();
    loaded_.emplace(one.number, one);
    return true;
  }

  void row(int lane, double t) override {
    RunMeter& meter = meters_[static_cast<std::size_t>(lane)];
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const auto [observable, row] = meter.place(k);
      if (row >= 0)
        x_[k] = stepper_.multiplier(row, lane);
      else if (observable >= 0)
        x_[k] = stepper_.observable(observable, lane);
    }
    meter.add(t, x_);
  }

  void leave(const SweepRun& one) { done_(one.number, alone_(one.values)); }

  void take(lanes::LaneEnd& end) {
    const SweepRun one = std::move(loaded_.extract(end.run).mapped());
    if (!end.done) {
      // a start that is to be moved is moved once
      if (!end.unsettled || !load(one, true)) leave(one);
      return;
    }
    Summary summary;
    summary.status = end.stopped ? Status::stopped_by_event : Status::ok;
    summary.events = std::move(end.events);
    summary.state = end.frame.state;
    summary.counters.steps = end.steps;
    summary.counters.rejected = end.rejected;
    summary.counters.force_evaluations = end.evaluations;
    RunMeter& meter = meters_[sweep_.reads_rows_ ? static_cast<std::size_t>(end.lane) : 0];
    if (!sweep_.reads_rows_) {
      meter.restart();
      meter(end.frame);
    }
    done_(one.number, {.status = std::string{name(summary.status)},
                       .method = sweep_.method_name_,
                       .measures = meter.result(summary)});
  }

  const LaneSweep& sweep_;
  std::size_t most_;
  const RunDone& done_;
  const RunAlone& alone_;
  Problems problems_;
  lanes::LaneRungeKutta stepper_;
  std::vector<RunMeter> meters_;  // of courses one for each lane
  std::vector<double> x_;         // of a row, by measure
  std::map<std::size_t, SweepRun> loaded_;
  std::vector<lanes::LaneEnd> ended_;
  std::vector<double> numbers_;
};

void LaneSweep::operator()(std::size_t share, const NextRun& next, const RunDone& done,
                           const RunAlone& alone, const std::atomic<bool>* cancel) const {
  Worker{*this, share, done, alone}(next, cancel);
}

}  // namespace taut
