// SPDX-License-Identifier: BSD-3-Clause
#include "taut/methods/projected_rk_options.hpp"

#include "methods/projected_rk.hpp"

namespace taut {
namespace {

// words in the order of the enumerators they stand for
constexpr std::string_view yes_or_no[]{"no", "yes"};
constexpr std::string_view tableaux[]{"euler", "rk4", "dopri54", "dop853"};
constexpr std::string_view parameters[]{"own", "arc", "time"};
constexpr std::string_view projected_points[]{"accepted", "stages"};
constexpr std::string_view projections[]{"identity", "exact", "gauss-newton", "inexact"};
constexpr std::string_view distributions[]{"automatic", "explicit", "square", "svd",
                                           "qr",        "sphere",   "block",  "sparse"};

template <class Choice>
constexpr double number(Choice choice) {
  return static_cast<double>(static_cast<int>(choice));
}

constexpr ProjectedRkOptions defaults{};
constexpr OptionInfo first_step_option{.name = "first-step",
                                       .about = "[s]; 0: found from the motion",
                                       .otherwise = defaults.first_step};
constexpr OptionInfo max_step_option{
    .name = "max-step", .about = "[s]; 0: no bound", .otherwise = defaults.max_step};
constexpr OptionInfo keep_energy_option{.name = "keep-energy",
                                        .about = "T + U is kept as the constraints are",
                                        .otherwise = number(defaults.keep_energy),
                                        .choices = yes_or_no};
constexpr OptionInfo tableau_option{.name = "tableau",
                                    .about = "the Runge-Kutta method",
                                    .otherwise = number(defaults.tableau),
                                    .choices = tableaux};
constexpr OptionInfo parameter_option{
    .name = "parameter",
    .about = "what steps are measured in; own: from the structure",
    .otherwise = 0.0,
    .choices = parameters};
constexpr OptionInfo project_option{.name = "project",
                                    .about = "accepted points alone, or every stage",
                                    .otherwise = number(defaults.project_stages),
                                    .choices = projected_points};
constexpr OptionInfo newton_option{.name = "newton",
                                   .about = "how the nearest point is found",
                                   .otherwise = number(defaults.projection),
                                   .choices = projections};
constexpr OptionInfo distribution_option{.name = "distribution",
                                         .about = "how the direction of the curve is found",
                                         .otherwise = number(defaults.distribution),
                                         .choices = distributions};

}  // namespace

constinit const std::array<OptionInfo, 9> ProjectedRk::reads{
    tolerance_option, first_step_option, max_step_option, keep_energy_option, tableau_option,
    parameter_option, project_option,    newton_option,   distribution_option};

std::vector<NamedValue> ProjectedRkOptions::named() const {
  std::vector<NamedValue> all;
  const auto add = [&](const OptionInfo& option, double value) {
    if (value != option.otherwise) all.push_back({option.name, value});
  };
  add(first_step_option, first_step);
  add(max_step_option, max_step);
  add(keep_energy_option, number(keep_energy));
  add(tableau_option, number(tableau));
  add(parameter_option, parameter ? 1 + number(*parameter) : 0.0);
  add(project_option, number(project_stages));
  add(newton_option, number(projection));
  add(distribution_option, number(distribution));
  return all;
}

ProjectedRk ProjectedRk::made_of(const MethodOptions& given) {
  const auto chosen = [&](const OptionInfo& option) { return static_cast<int>(given[option]); };
  ProjectedRkOptions all;
  all.tol = given[tolerance_option];
  all.first_step = given[first_step_option];
  all.max_step = given[max_step_option];
  all.keep_energy = chosen(keep_energy_option) == 1;
  all.tableau = static_cast<CurveTableau>(chosen(tableau_option));
  if (const int word = chosen(parameter_option); word > 0)
    all.parameter = static_cast<Parametrisation>(word - 1);
  all.project_stages = chosen(project_option) == 1;
  all.projection = static_cast<ProjectionMethod>(chosen(newton_option));
  all.distribution = static_cast<DistributionMethod>(chosen(distribution_option));
  return ProjectedRk{all};
}

}  // namespace taut
