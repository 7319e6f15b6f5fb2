// SPDX-License-Identifier: BSD-3-Clause
#include "curve_arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace taut::cli {
namespace {

template <class Choice>
std::vector<std::string> names(Choices<Choice> choices) {
  std::vector<std::string> list;
  for (const auto& [text, choice] : choices) list.emplace_back(text);
  return list;
}

// names were checked when they were read
template <class Choice>
std::optional<Choice> chosen(Choices<Choice> choices, const std::string& name) {
  for (const auto& [text, choice] : choices)
    if (text == name) return choice;
  return {};
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

}  // namespace

void CurveArguments::add_to(CLI::App& app) {
  app.add_flag("--keep-energy", keep_energy,
               "projected-rk keeps T + U as it keeps the constraints");
  app.add_option("--parameter", parameter,
                 "of projected-rk: what its steps are measured in, arc (length of the curve) or "
                 "time")
      ->check(CLI::IsMember({"arc", "time"}));
  app.add_option("--tableau", tableau, "of projected-rk: dopri54 (default), dop853, rk4, euler")
      ->check(CLI::IsMember(names(tableau_choices())));
  app.add_option("--project", project,
                 "of projected-rk: accepted points alone (default), or all stages")
      ->check(CLI::IsMember({"accepted", "stages"}));
  app.add_option("--newton", newton,
                 "of projected-rk: identity (default), exact, gauss-newton or inexact projections")
      ->check(CLI::IsMember(names(newton_choices())));
  app.add_option("--distribution", distribution,
                 "of projected-rk: how its direction is found; from the structure when absent")
      ->check(CLI::IsMember(names(distribution_choices())));
  app.add_option("--form", form,
                 "of a model with [jets]: general, invariants or completed; chosen when absent")
      ->check(CLI::IsMember(names(form_choices())));
  app.add_option("--at-impasse", at_impasse,
                 "of a model with [jets]: continue (default) or stop where dx/ds = 0")
      ->check(CLI::IsMember({"continue", "stop"}));
  app.add_option("--arc", arc, "of a model with [jets]: end after this length of the curve")
      ->check(length);
  app.add_option("--every-arc", every_arc,
                 "of a model with [jets]: rows at these distances of arc length")
      ->check(length);
}

CurveOptions CurveArguments::options() const {
  CurveOptions options{.keep_energy = keep_energy,
                       .tableau = chosen(tableau_choices(), tableau),
                       .newton = chosen(newton_choices(), newton),
                       .distribution = chosen(distribution_choices(), distribution),
                       .form = chosen(form_choices(), form),
                       .arc = arc,
                       .every_arc = every_arc};
  if (!parameter.empty())
    options.parameter = parameter == "arc" ? Parametrisation::arc : Parametrisation::time;
  if (!project.empty()) options.project_stages = project == "stages";
  if (!at_impasse.empty())
    options.at_impasse = at_impasse == "stop" ? AtImpasse::stop : AtImpasse::go_on;
  return options;
}

}  // namespace taut::cli
