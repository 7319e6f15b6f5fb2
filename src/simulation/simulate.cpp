// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/notes.hpp"
#include "methods/langevin.hpp"
#include "model/branch_cuts.hpp"
#include "simulation/carry_out.hpp"
#include "simulation/plan_steps.hpp"
#include "simulation/replay.hpp"
#include "slow/slow_flow.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/model/model_file.hpp"
#include "taut/run/follow.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

void integrate_plan(const Plan& plan, Result& result) {
  result.summary = integrate(plan.system, plan.start, method_of(plan), plan.run, result.motion);
  finish_summary(plan, result.motion, result.summary);
}

// A motion as small as the errors that are allowed may lose its energy: nobody would see it.
bool is_seen(const Plan& plan, const Motion& motion) {
  constexpr double many = 1e3, of_constant_steps = 1e-12;
  const double tol = std::max(plan.tolerance(), of_constant_steps);
  for (std::size_t i = 0; i < motion.coordinates.size() && motion.rows() > 0; ++i) {
    const Column q{motion.q.data() + i, motion.rows(), motion.coordinates.size()};
    const auto [least, most] = std::minmax_element(q.begin(), q.end());
    const double size = std::max(std::abs(*least), std::abs(*most));
    if (*most - *least > many * tol * (1 + size)) return true;
  }
  return false;
}

// Projections onto the slow manifold take energy away, and are meant to.
void judge_energy(const Plan& plan, const Motion& motion, Summary& summary) {
  constexpr double bound = 0.5;
  if (!summary.good() || plan.run.projection.any() || plan.prepared.reading.made()) return;
  if (!(summary.energy_error.value_or(0.0) > bound) || !is_seen(plan, motion)) return;
  summary.status = Status::energy_not_kept;
  summary.message = fmt::format(
      "{}: its energy, which the model keeps, changed by {:.2g} of the largest {} energy",
      sentence(summary.status), *summary.energy_error,
      summary.energy_scale_is == EnergyScale::potential ? "change of the potential" : "kinetic");
  summary.hint = hint(summary.status);
}

// unknowns that are no coordinates of the curve, such as multipliers
void find_unknowns(const Plan& plan, CurveResult& result) {
  CompletedUnknowns others{*plan.prepared.compiled.jets, *plan.curve->choice.completion};
  result.motion.find(others);
  Vec last;
  if (result.summary.p.size() == 0 || others(result.summary.p, last) != Status::ok) return;
  for (std::size_t i = 0; i < others.names().size(); ++i)
    result.summary.unknowns.emplace_back(others.names()[i], last[static_cast<Index>(i)]);
}

void follow_plan(const Plan& plan, CurveResult& result) {
  const FormChoice& choice = plan.curve->choice;
  CurveSummary& summary = result.summary;
  if (!plan.run.event_functions.empty()) {
    summary.status = Status::not_supported;
    summary.message = "events of a model with [jets] are formulas, no functions";
  } else if (choice.status == Status::ok) {
    summary = follow(choice.form.curve, plan.curve->events.events, choice.start,
                     plan.curve->options, result.motion);
  } else {
    // a form that is not to be had is the failure of the run
    summary.status = choice.status;
    summary.message = choice.message;
    summary.hint = choice.remedy;
  }
  if (choice.kind == FormKind::completed) find_unknowns(plan, result);
  summary.model = plan.prepared.model.name;
  summary.form = name(choice.kind);
  summary.distribution = name(choice.form.distribution);
  summary.reason = choice.reason;
  if (const auto& completion = choice.completion; completion && completion->index >= 0)
    summary.index = completion->index;
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
}

}  // namespace

Method method_of(const Plan& plan) {
  Method method = make_method(plan.method.name, plan.method_options).value();
  if (plan.bath) method = Langevin{std::move(method), *plan.bath};
  return method;
}

namespace {

bool is_set_by_events(const CompiledModel& model, int parameter) {
  return std::any_of(model.actions.begin(), model.actions.end(), [&](const CompiledAction& action) {
    return action.target == CompiledAction::Target::parameter && action.index == parameter;
  });
}

bool has_failed(Status status) {
  return status != Status::ok && status != Status::stopped_by_event && !may_continue(status) &&
         status != Status::invalid_argument && status != Status::not_supported;
}

// a function that jumps where the run ended is the reason more often than not
void name_branch_cut(const Plan& plan, Summary& summary) {
  const PreparedModel& prepared = plan.prepared;
  if (!has_failed(summary.status) || summary.state.q.size() == 0) return;
  const std::optional<BranchCut> cut =
      branch_cut(prepared.compiled.system, summary.state, summary.step);
  if (!cut) return;
  std::string where = fmt::format("'{}'", cut->label);
  for (const Element& element : prepared.model.elements)
    if (element.name == cut->label && element.position.line > 0)
      where += fmt::format(" (line {})", element.position.line);
  if (cut->function == formula::Op::knot) {
    summary.message +=
        fmt::format("; the table '{}', which {} reads, ends at {}", cut->table, where, cut->end);
    summary.hint =
        "give the table points as far as the motion gets, or say what it is beyond its ends: "
        "outside = \"hold\" or \"extend\"";
  } else if (cut->function == formula::Op::atan2) {
    summary.message += fmt::format("; atan2 in {} jumps there, from pi to -pi", where);
    summary.hint =
        "take the sine of the angle's difference: sin(atan2(y, x) - a) has no jump, atan2(y, x) - "
        "a has";
  } else {
    const char* const name = cut->function == formula::Op::acos ? "acos" : "asin";
    summary.message += fmt::format(
        "; {} in {} is at the end of its range there, where it has no derivative", name, where);
    summary.hint = "take atan2(sine, cosine) instead: it has a derivative there";
  }
}

}  // namespace

void finish_summary(const Plan& plan, const Motion& motion, Summary& summary) {
  name_branch_cut(plan, summary);
  judge_energy(plan, motion, summary);
  summary.model = plan.prepared.model.name;
  summary.reading = plan.prepared.reading.kind();
  summary.reason = plan.reason;
  // what was said at the start was not the last word
  if (!summary.reason.empty() && summary.method.find(" and ") != std::string::npos)
    summary.reason = note<notes::reason_at_start>(summary.reason.text());
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
  if (Note left = slow_flow_note(plan.system); !left.empty())
    summary.notes.push_back(std::move(left));
}

Model load(const std::string& file, Problems& problems) {
  Model model = read_model_file(file, problems);
  if (!model.text.empty() && model.name.empty())
    model.name = std::filesystem::path{file}.stem().string();
  return model;
}

Model load(const std::string& file) {
  Problems problems{file};
  Model model = load(file, problems);
  static_cast<void>(compile(model, problems));
  problems.throw_if_any();
  return model;
}

Result simulate(Plan plan) {
  Result result;
  result.plan = std::make_shared<const Plan>(std::move(plan));
  if (result.plan->curve) {
    follow_plan(*result.plan, result.curve.emplace());
    return result;
  }
  integrate_plan(*result.plan, result);
  result.replay = std::make_shared<Replay>(result.plan, result.summary.state.t);
  if (result.plan->error_estimate.value_or(false)) estimate_errors(result);
  return result;
}

Result go_on(const Result& run, double until) {
  const State& end = run.summary.state;
  Problems problems{run.plan->prepared.model.file};
  if (run.curve)
    problems.add({}, "jets", "a run along a curve cannot go on from its end", "run it farther");
  else if (!(until > end.t) || !std::isfinite(until))
    problems.add({}, "until", fmt::format("{} is not behind the end of the run, {}", until, end.t),
                 "give a later end");
  problems.throw_if_any();
  Plan plan = *run.plan;
  plan.start.state = end;
  // integrals of first-order states, which nothing reads, are not kept
  const Index places = end.q.size();
  plan.start.state.q.conservativeResize(plan.system.nq());
  plan.start.state.q.tail(plan.system.nq() - places).setZero();
  for (Vec* moved : {&plan.start.q_moved, &plan.start.v_moved}) moved->setZero();
  plan.start.distance = plan.start.velocity_distance = 0.0;
  plan.run.until = until;
  plan.run.times.clear();
  plan.run.checkpoint = {};
  if (plan.run.acting) {
    // with what events have made of the model
    auto acting = std::make_shared<ActingModel>(*plan.run.acting);
    const CompiledModel first = acting->model;
    acting->inputs = nullptr;
    const auto inputs = std::make_shared<std::vector<double>>();
    for (const SystemInput& input : first.system.structure().inputs)
      inputs->push_back(input.initial);
    std::vector<ParameterValue> parameters;
    for (const auto& [name, value] : run.summary.changed) {
      const std::vector<SystemInput>& known = first.system.structure().inputs;
      const auto input = std::find_if(known.begin(), known.end(), [name = &name](const auto& one) {
        return one.name == *name;
      });
      if (input != known.end())
        (*inputs)[static_cast<std::size_t>(input - known.begin())] = value;
      else if (is_set_by_events(first, first.parameter_index(name)))
        parameters.push_back({.index = first.parameter_index(name), .value = value});
    }
    acting->model = first.with_parameters(parameters).with_inputs(inputs);
    plan.run.acting = std::move(acting);
  }
  plan.run.samplers = plan_samplers(plan);
  if (plan.bath) ++plan.bath->seed;
  return simulate(std::move(plan));
}

Instant Result::at(double t) const {
  if (replay) return replay->at(t);
  return {Status::invalid_argument,
          curve ? "a curve is no function of the time"
                : "a run that was held in the hand is not taken again: its rows are all there is",
          {},
          std::make_shared<const FrameNames>(Structure{})};
}

Result simulate(const Model& model, const SimulationOptions& options) {
  return simulate(plan(model, options));
}

}  // namespace taut
