// SPDX-License-Identifier: BSD-3-Clause
#include "curve_arguments.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace taut::cli {
namespace {

template <class Choice>
using Names = std::vector<std::pair<std::string, Choice>>;

const Names<CurveTableau> tableaux{{"dopri54", CurveTableau::dopri54},
                                   {"dop853", CurveTableau::dop853},
                                   {"rk4", CurveTableau::rk4},
                                   {"euler", CurveTableau::euler}};
const Names<ProjectionMethod> projections{{"identity", ProjectionMethod::identity},
                                          {"exact", ProjectionMethod::exact},
                                          {"gauss-newton", ProjectionMethod::gauss_newton},
                                          {"inexact", ProjectionMethod::inexact}};
const Names<FormKind> forms{{"general", FormKind::general},
                            {"invariants", FormKind::invariants},
                            {"completed", FormKind::completed}};
const Names<DistributionMethod> distributions{{"automatic", DistributionMethod::automatic},
                                              {"explicit", DistributionMethod::explicit_solution},
                                              {"square", DistributionMethod::square},
                                              {"svd", DistributionMethod::svd},
                                              {"qr", DistributionMethod::qr},
                                              {"sphere", DistributionMethod::sphere},
                                              {"block", DistributionMethod::block},
                                              {"sparse", DistributionMethod::sparse}};

template <class Choice>
std::vector<std::string> names(const Names<Choice>& choices) {
  std::vector<std::string> list;
  for (const auto& [text, choice] : choices) list.push_back(text);
  return list;
}

// names were checked when they were read
template <class Choice>
Choice chosen(const Names<Choice>& choices, const std::string& name, Choice otherwise) {
  for (const auto& [text, choice] : choices)
    if (text == name) return choice;
  return otherwise;
}

// a check of CLI11 of its own prints the largest double in full
const CLI::Validator length{[](std::string& text) {
                              double number = 0.0;
                              const char* end = text.data() + text.size();
                              const auto [rest, error] = std::from_chars(text.data(), end, number);
                              const bool good = error == std::errc{} && rest == end &&
                                                number > 0.0 && std::isfinite(number);
                              return good ? std::string{}
                                          : fmt::format("'{}' is not a number > 0", text);
                            },
                            "NUMBER > 0"};

std::string or_own(const std::string& text) { return text.empty() ? "own" : text; }

}  // namespace

std::string_view name(DistributionMethod method) {
  for (const auto& [text, choice] : distributions)
    if (choice == method) return text;
  return "";
}

void CurveArguments::add_to(CLI::App& app) {
  app.add_flag("--keep-energy", keep_energy,
               "projected-rk keeps T + U as it keeps the constraints");
  app.add_option("--parameter", parameter,
                 "of projected-rk: what its steps are measured in, arc (length of the curve) or "
                 "time")
      ->check(CLI::IsMember({"arc", "time"}));
  app.add_option("--tableau", tableau, "of projected-rk: dopri54 (default), dop853, rk4, euler")
      ->check(CLI::IsMember(names(tableaux)));
  app.add_option("--project", project,
                 "of projected-rk: accepted points alone (default), or all stages")
      ->check(CLI::IsMember({"accepted", "stages"}));
  app.add_option("--newton", newton,
                 "of projected-rk: identity (default), exact, gauss-newton or inexact projections")
      ->check(CLI::IsMember(names(projections)));
  app.add_option("--distribution", distribution,
                 "of projected-rk: how its direction is found; from the structure when absent")
      ->check(CLI::IsMember(names(distributions)));
  app.add_option("--form", form,
                 "of a model with [jets]: general, invariants or completed; chosen when absent")
      ->check(CLI::IsMember(names(forms)));
  app.add_option("--at-impasse", at_impasse,
                 "of a model with [jets]: continue (default) or stop where dx/ds = 0")
      ->check(CLI::IsMember({"continue", "stop"}));
  app.add_option("--arc", arc, "of a model with [jets]: end after this length of the curve")
      ->check(length);
  app.add_option("--every-arc", every_arc,
                 "of a model with [jets]: rows at these distances of arc length")
      ->check(length);
}

void CurveArguments::check(const MethodInfo& method, const Structure& structure,
                           Problems& problems) const {
  const auto unread = [&](bool given, const char* option, const std::string& what,
                          const char* remedy) {
    if (given) problems.add({}, option, what, remedy);
  };
  for (const auto& [given, option] : std::array{
           std::pair{!form.empty(), "--form"}, std::pair{!at_impasse.empty(), "--at-impasse"},
           std::pair{arc > 0.0, "--arc"}, std::pair{every_arc > 0.0, "--every-arc"}})
    unread(given, option, "is for models with [jets]", "leave it out");
  if (method.name != ProjectedRk::info.name) {
    const std::string what = fmt::format("{} has no such option", method.name);
    const char* const remedy = "leave it out, or give --method projected-rk";
    unread(keep_energy, "--keep-energy", what, remedy);
    unread(!parameter.empty(), "--parameter", what, remedy);
    unread(!tableau.empty(), "--tableau", what, remedy);
    unread(!project.empty(), "--project", what, remedy);
    unread(!newton.empty(), "--newton", what, remedy);
    unread(!distribution.empty(), "--distribution", what, remedy);
    return;
  }
  const DistributionMethod found = options().distribution;
  if (found != DistributionMethod::automatic && found != DistributionMethod::sparse &&
      found != DistributionMethod::block)
    problems.add({}, fmt::format("--distribution {}", distribution),
                 "accelerations of a mechanical model are found by sparse or block solutions",
                 "leave it out, or give sparse or block");
  if (keep_energy && !structure.conservative)
    problems.add({}, "--keep-energy",
                 "T + U of this model is not kept: a force is applied, a row is damped, or "
                 "something depends on t",
                 "leave it out; what is kept can be given as [[invariant]]");
}

ProjectedRkOptions CurveArguments::options() const {
  ProjectedRkOptions all;
  all.keep_energy = keep_energy;
  all.tableau = chosen(tableaux, tableau, all.tableau);
  if (!parameter.empty())
    all.parameter = parameter == "arc" ? Parametrisation::arc : Parametrisation::time;
  all.project_stages = project == "stages";
  all.projection = chosen(projections, newton, all.projection);
  all.distribution = chosen(distributions, distribution, all.distribution);
  return all;
}

CurveIntegratorOptions CurveArguments::integrator() const {
  CurveIntegratorOptions all;
  all.tableau = chosen(tableaux, tableau, all.tableau);
  if (parameter == "time") all.parameter = Parametrisation::time;
  all.project_stages = project == "stages";
  all.projection.method = chosen(projections, newton, all.projection.method);
  return all;
}

FormKind CurveArguments::form_kind() const { return chosen(forms, form, FormKind::automatic); }

std::string CurveArguments::identity() const {
  return fmt::format(
      "energy {}, parameter {}, tableau {}, project {}, newton {}, distribution {}, form {}, "
      "at impasse {}, arc {}, every arc {}",
      keep_energy ? "kept" : "not kept", or_own(parameter), or_own(tableau), or_own(project),
      or_own(newton), or_own(distribution), or_own(form), or_own(at_impasse), arc, every_arc);
}

}  // namespace taut::cli
