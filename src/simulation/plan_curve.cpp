// SPDX-License-Identifier: BSD-3-Clause
// Runs of models with [jets], and the options of projected-rk that they share with others.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/notes.hpp"
#include "methods/projected_rk.hpp"
#include "simulation/plan_steps.hpp"

namespace taut {
namespace {

constexpr std::array<std::pair<std::string_view, CurveTableau>, 4> tableaux{
    {{"dopri54", CurveTableau::dopri54},
     {"dop853", CurveTableau::dop853},
     {"rk4", CurveTableau::rk4},
     {"euler", CurveTableau::euler}}};
constexpr std::array<std::pair<std::string_view, ProjectionMethod>, 4> projections{
    {{"identity", ProjectionMethod::identity},
     {"exact", ProjectionMethod::exact},
     {"gauss-newton", ProjectionMethod::gauss_newton},
     {"inexact", ProjectionMethod::inexact}}};
constexpr std::array<std::pair<std::string_view, DistributionMethod>, 8> distributions{
    {{"automatic", DistributionMethod::automatic},
     {"explicit", DistributionMethod::explicit_solution},
     {"square", DistributionMethod::square},
     {"svd", DistributionMethod::svd},
     {"qr", DistributionMethod::qr},
     {"sphere", DistributionMethod::sphere},
     {"block", DistributionMethod::block},
     {"sparse", DistributionMethod::sparse}}};
constexpr std::array<std::pair<std::string_view, FormKind>, 3> forms{
    {{"general", FormKind::general},
     {"invariants", FormKind::invariants},
     {"completed", FormKind::completed}}};

/// The name of a choice; `absent` where none was made.
template <class Choice>
std::string named(const std::optional<Choice>& chosen, Choices<Choice> all) {
  for (const auto& [text, choice] : all)
    if (chosen == choice) return std::string{text};
  return "own";
}

std::string named(const std::optional<bool>& chosen, const char* yes, const char* no) {
  return !chosen ? "own" : *chosen ? yes : no;
}

CurveIntegratorOptions integrator_options(const CurveOptions& asked) {
  CurveIntegratorOptions all;
  all.tableau = asked.tableau.value_or(all.tableau);
  if (asked.parameter == Parametrisation::time) all.parameter = Parametrisation::time;
  all.project_stages = asked.project_stages.value_or(false);
  all.projection.method = asked.newton.value_or(all.projection.method);
  return all;
}

// options that only mechanical models have, in the order in which people are shown them
void refuse_mechanical(const Plan& plan, Problems& problems) {
  const SimulationOptions& asked = plan.asked;
  const ThermalOptions& thermal = asked.thermal;
  const AveragingOptions& averaging = asked.averaging;
  const bool reads =
      asked.reading && asked.reading->kind() != Reading::Kind::as_written;  // which may be said
  const std::array all{std::pair{reads, "<<reading>>"},
                       std::pair{asked.omega.has_value(), "<<omega>>"},
                       std::pair{asked.beta.has_value(), "<<beta>>"},
                       std::pair{asked.gamma.has_value(), "<<gamma>>"},
                       std::pair{asked.keep_start, "<<keep start>>"},
                       std::pair{asked.slow_start, "<<slow start>>"},
                       std::pair{asked.slow.via != SlowVia::automatic, "<<via>>"},
                       std::pair{asked.slow.band.has_value(), "<<band>>"},
                       std::pair{averaging.micro_steps > 0, "<<micro steps>>"},
                       std::pair{averaging.averaging.has_value(), "<<averaging>>"},
                       std::pair{thermal.temperature.has_value(), "<<temperature>>"},
                       std::pair{thermal.friction.has_value(), "<<friction>>"},
                       std::pair{thermal.drag.has_value(), "<<drag>>"},
                       std::pair{thermal.seed.has_value(), "<<seed>>"},
                       std::pair{thermal.multiplier_window > 0.0, "<<multiplier window>>"},
                       std::pair{asked.curve.keep_energy, "<<keep energy>>"},
                       std::pair{plan.error_estimate.value_or(false), "<<error estimate>>"},
                       std::pair{asked.project_every > 0.0, "<<project every>>"},
                       std::pair{asked.project_above > 0.0, "<<project above>>"},
                       std::pair{!asked.times.empty(), "<<times>>"}};
  for (const auto& [given, option] : all)
    if (given)
      problems.add({}, option, "is for mechanical models, and this one has [jets]", "leave it out");
}

void check_curve_run(const Plan& plan, Problems& problems) {
  const CompiledRun& run = plan.prepared.compiled.run;
  const CurveOptions& asked = plan.asked.curve;
  if (run.step && run.tol)
    problems.add({}, "run: step", "steps are constant or follow from tol, not both",
                 "remove step or tol below [run], or give <<step>> or <<tol>>");
  check_max_step(run, problems);
  if (!run.until && asked.arc <= 0.0)
    problems.add({}, "until", "there is no end",
                 "give <<until: X>>, until in [run], or a length of the curve with <<arc: S>>");
  if (asked.every_arc > 0.0 && run.every)
    problems.add({}, "<<every arc>>", "rows are at given x or at given lengths, not at both",
                 "leave out one of <<every>> and <<every arc>>");
  constexpr double most_rows = 1e8;
  if (run.every && run.until && std::abs(*run.until - run.from) / *run.every > most_rows)
    problems.add({}, "every", fmt::format("{} asks for too many rows to be kept", *run.every),
                 "choose rows farther apart");
  if (asked.every_arc > 0.0 && asked.arc / asked.every_arc > most_rows)
    problems.add({}, "<<every arc>>", "asks for too many rows to be kept",
                 "choose rows farther apart");
}

void plan_curve_run(const Plan& plan, FollowOptions& options) {
  const CompiledRun& run = plan.prepared.compiled.run;
  const SimulationOptions& asked = plan.asked;
  options.until = run.until;
  options.arc = asked.curve.arc;
  options.integrator = integrator_options(asked.curve);
  if (run.tol) options.integrator.tol = *run.tol;
  if (run.step) options.integrator.step = *run.step;
  options.integrator.max_step = run.max_step.value_or(0.0);
  options.at_impasse = asked.curve.at_impasse.value_or(run.at_impasse == "stop" ? AtImpasse::stop
                                                                                : AtImpasse::go_on);
  options.every = run.every.value_or(0.0);
  options.every_arc = asked.curve.every_arc;
  options.rows = asked.rows;
  options.extremes = asked.extremes;
  options.max_steps = asked.max_steps;
  options.max_seconds = asked.max_seconds;
  options.cancel = asked.cancel;
  options.progress = asked.progress;
}

}  // namespace

void check_determined(const PreparedModel& prepared, Problems& problems) {
  const JetSystem& system = *prepared.compiled.jets;
  const std::size_t count = system.equations.size();
  if (count < system.unknowns.size())
    problems.add(prepared.model.jets->position, "jets",
                 fmt::format("has {} equation{} for {} unknowns: {}", count, count == 1 ? "" : "s",
                             system.unknowns.size(), fmt::join(system.unknowns, ", ")),
                 "add [[equation]]s, at least as many as there are unknowns; 'taut complete' says "
                 "what is not determined");
}

Choices<CurveTableau> tableau_choices() { return tableaux; }
Choices<ProjectionMethod> newton_choices() { return projections; }
Choices<DistributionMethod> distribution_choices() { return distributions; }
Choices<FormKind> form_choices() { return forms; }

std::string_view name(DistributionMethod method) {
  for (const auto& [text, choice] : distributions)
    if (choice == method) return text;
  return "";
}

ProjectedRkOptions projected_options(const CurveOptions& asked) {
  ProjectedRkOptions all;
  all.keep_energy = asked.keep_energy;
  all.tableau = asked.tableau.value_or(all.tableau);
  all.parameter = asked.parameter;
  all.project_stages = asked.project_stages.value_or(false);
  all.projection = asked.newton.value_or(all.projection);
  all.distribution = asked.distribution.value_or(all.distribution);
  return all;
}

std::string identity(const CurveOptions& asked) {
  return fmt::format(
      "energy {}, parameter {}, tableau {}, project {}, newton {}, distribution {}, form {}, "
      "at impasse {}, arc {}, every arc {}",
      asked.keep_energy ? "kept" : "not kept",
      !asked.parameter                          ? "own"
      : asked.parameter == Parametrisation::arc ? "arc"
                                                : "time",
      named(asked.tableau, tableau_choices()), named(asked.project_stages, "stages", "accepted"),
      named(asked.newton, newton_choices()), named(asked.distribution, distribution_choices()),
      named(asked.form, form_choices()),
      !asked.at_impasse                     ? "own"
      : asked.at_impasse == AtImpasse::stop ? "stop"
                                            : "continue",
      asked.arc, asked.every_arc);
}

void check_curve_options(const Plan& plan, Problems& problems) {
  const CurveOptions& asked = plan.asked.curve;
  const auto refuse = [&](bool given, const char* option, const std::string& what,
                          const char* remedy) {
    if (given) problems.add({}, option, what, remedy);
  };
  for (const auto& [given, option] :
       std::array{std::pair{asked.form.has_value(), "<<form>>"},
                  std::pair{asked.at_impasse.has_value(), "<<at impasse>>"},
                  std::pair{asked.arc > 0.0, "<<arc>>"},
                  std::pair{asked.every_arc > 0.0, "<<every arc>>"}})
    refuse(given, option, "is for models with [jets]", "leave it out");
  if (plan.method.name != ProjectedRk::info.name) {
    const std::string what = fmt::format("{} has no such option", plan.method.name);
    const char* const remedy = "leave it out, or give <<method: projected-rk>>";
    refuse(asked.keep_energy, "<<keep energy>>", what, remedy);
    refuse(asked.parameter.has_value(), "<<parameter>>", what, remedy);
    refuse(asked.tableau.has_value(), "<<tableau>>", what, remedy);
    refuse(asked.project_stages.has_value(), "<<project>>", what, remedy);
    refuse(asked.newton.has_value(), "<<newton>>", what, remedy);
    refuse(asked.distribution.has_value(), "<<distribution>>", what, remedy);
    return;
  }
  const DistributionMethod found = projected_options(asked).distribution;
  if (found != DistributionMethod::automatic && found != DistributionMethod::sparse &&
      found != DistributionMethod::block)
    problems.add({}, fmt::format("<<distribution: {}>>", name(found)),
                 "accelerations of a mechanical model are found by sparse or block solutions",
                 "leave it out, or give sparse or block");
  if (asked.keep_energy && !plan.system.structure().conservative)
    problems.add({}, "<<keep energy>>",
                 "T + U of this model is not kept: a force is applied, a row is damped, or "
                 "something depends on t",
                 "leave it out; what is kept can be given as [[invariant]]");
}

void plan_curve(Plan& plan, Problems& problems) {
  const SimulationOptions& asked = plan.asked;
  check_determined(plan.prepared, problems);
  if (!problems.empty()) return;
  refuse_mechanical(plan, problems);
  check_curve_run(plan, problems);
  if (!problems.empty()) return;
  CurvePlan& curve = plan.curve.emplace();
  plan_curve_run(plan, curve.options);

  CurveIntegratorOptions& integrator = curve.options.integrator;
  if (integrator.step <= 0.0) integrator.tol = reachable(integrator.tol, plan);

  const JetSystem& system = *plan.prepared.compiled.jets;
  curve.choice = choose_form(system, asked.curve.form.value_or(FormKind::automatic),
                             projected_options(asked.curve).distribution);
  const FormChoice& choice = curve.choice;
  // what there is no form for is settled before anything is computed
  if (choice.status == Status::not_supported)
    problems.add({}, "jets", choice.message, choice.remedy);
  if (choice.status != Status::ok) return;
  const CurveStructure& structure = choice.form.curve.structure();
  const ProjectionMethod newton = integrator.projection.method;
  if ((newton == ProjectionMethod::exact || newton == ProjectionMethod::inexact) &&
      structure.k > 0 && !structure.second_derivatives)
    problems.add({}, fmt::format("<<newton: {}>>", named(asked.curve.newton, newton_choices())),
                 fmt::format("the second derivatives that it needs are not known of the form {}",
                             name(choice.kind)),
                 "leave it out, or give another <<form>>");
  const bool completed = choice.kind == FormKind::completed;
  curve.events = curve_events(system, choice.form.curve, completed ? &*choice.completion : nullptr);
  curve.options.outputs = curve.events.outputs;
  if (!curve.events.reason.empty())
    problems.add({}, "jets", curve.events.reason,
                 "let it read what the form has, or choose another with <<form>>");
}

}  // namespace taut
