// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/simulate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <utility>

#include "methods/langevin.hpp"
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
  finish_summary(plan, result.summary);
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
  if (choice.status == Status::ok) {
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

void finish_summary(const Plan& plan, Summary& summary) {
  summary.model = plan.prepared.model.name;
  summary.reading = plan.prepared.reading.kind();
  summary.reason = plan.reason;
  // what was said at the start was not the last word
  if (!summary.reason.empty() && summary.method.find(" and ") != std::string::npos)
    summary.reason = "at the start: " + summary.reason;
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
  if (Note left = slow_flow_note(plan.system); !left.empty())
    summary.notes.push_back(std::move(left));
}

Model load(const std::filesystem::path& file, Problems& problems) {
  Model model = read_model_file(file, problems);
  if (!model.text.empty() && model.name.empty()) model.name = file.stem().string();
  return model;
}

Model load(const std::filesystem::path& file) {
  Problems problems{file.string()};
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
  for (Vec* moved : {&plan.start.q_moved, &plan.start.v_moved}) moved->setZero();
  plan.start.distance = plan.start.velocity_distance = 0.0;
  plan.run.until = until;
  plan.run.times.clear();
  plan.run.checkpoint = {};
  plan.run.samplers = plan_samplers(plan);
  if (plan.bath) ++plan.bath->seed;
  return simulate(std::move(plan));
}

Instant Result::at(double t) const {
  if (replay) return replay->at(t);
  return {Status::invalid_argument,
          "a curve is no function of the time",
          {},
          std::make_shared<const FrameNames>(Structure{})};
}

Result simulate(const Model& model, const SimulationOptions& options) {
  return simulate(plan(model, options));
}

}  // namespace taut
