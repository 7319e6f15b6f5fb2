// SPDX-License-Identifier: BSD-3-Clause
#include "taut/simulation/simulate.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "methods/langevin.hpp"
#include "slow/slow_flow.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/model/model_file.hpp"
#include "taut/run/follow.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

void integrate_plan(const Plan& plan, Result& result) {
  Method method = make_method(plan.method.name, plan.method_options).value();
  if (plan.bath) method = Langevin{std::move(method), *plan.bath};
  Summary& summary = result.summary;
  summary = integrate(plan.system, plan.start, std::move(method), plan.run, result.motion);
  summary.model = plan.prepared.model.name;
  summary.reading = plan.prepared.reading.name();
  summary.reason = plan.reason;
  summary.notes.insert(summary.notes.begin(), plan.notes.begin(), plan.notes.end());
  if (std::string note = slow_flow_note(plan.system); !note.empty())
    summary.notes.push_back(std::move(note));
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

Model load(const std::filesystem::path& file, Problems& problems) {
  std::ifstream in{file, std::ios::binary};
  std::error_code ignored;
  if (!in || std::filesystem::is_directory(file, ignored))
    return read_model_file(file, problems);  // says why it cannot be read
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  Model model = read_model(text, problems);
  model.file = file.string();
  model.text = std::move(text);
  if (model.name.empty()) model.name = file.stem().string();
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
  if (result.plan->curve)
    follow_plan(*result.plan, result.curve.emplace());
  else
    integrate_plan(*result.plan, result);
  return result;
}

Result simulate(const Model& model, const SimulationOptions& options) {
  return simulate(plan(model, options));
}

}  // namespace taut
