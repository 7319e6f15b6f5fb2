// SPDX-License-Identifier: BSD-3-Clause
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/version.hpp"

namespace taut::cli {
namespace {

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

CLI::Validator number_that(const char* what, const char* type, bool (*holds)(double)) {
  const auto check = [what, holds](std::string& text) {
    double number = 0.0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    const bool good = error == std::errc{} && rest == end && std::isfinite(number) && holds(number);
    return good ? std::string{} : fmt::format("{}, not '{}'", what, text);
  };
  return {check, type};
}

}  // namespace

void ModelArguments::add_to(CLI::App& app) {
  app.add_option("MODEL", file, "model file (TOML)")->required();
  app.add_option("--set", settings, "set a parameter: name=value, an expression; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--reading", reading, "as-written, rigid, penalized, slow or averaged");
  app.add_option(
      "--omega", omega,
      "frequency of the penalized reading, and of the slow one that is made of it [rad/s]");
  app.add_flag("--json", json, "print the result as JSON");
}

CLI::Validator positive() {
  return number_that("must be a number greater than 0", "POSITIVE",
                     [](double x) { return x > 0.0; });
}

CLI::Validator built_in() {
  const auto check = [](std::string& format) -> std::string {
    if (format != "h5" || parts().hdf5) return {};
    return "this taut was built without HDF5 (taut_HDF5): take csv";
  };
  return {check, ""};
}

CLI::Validator not_negative() {
  return number_that("must be a number, 0 or greater", "NONNEGATIVE",
                     [](double x) { return x >= 0.0; });
}

Value parse_value(const std::string& text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc{} && rest == end) return number;
  return text;
}

std::optional<Value> parse_optional(const std::string& text) {
  if (text.empty()) return {};
  return parse_value(text);
}

SimulationOptions ModelArguments::options(Problems& problems) const {
  SimulationOptions options;
  for (const std::string& setting : settings) {
    const std::size_t equal = setting.find('=');
    if (equal == std::string::npos || equal == 0)
      problems.add({}, "--set " + setting, "is not of the form name=value",
                   "write --set name=value");
    else
      options.set.emplace_back(setting.substr(0, equal), parse_value(setting.substr(equal + 1)));
  }
  if (!reading.empty()) options.reading = Reading::named(reading);
  options.omega = parse_optional(omega);
  return options;
}

Model read_model(const ModelArguments& arguments, Problems& problems) {
  Model model = load(arguments.file, problems);
  if (!arguments.reading.empty() && !Reading::named(arguments.reading))
    model.run.reading = Name{arguments.reading, {}};
  return model;
}

PreparedModel prepare(const ModelArguments& arguments, Problems& problems) {
  Model model = read_model(arguments, problems);
  if (model.text.empty() && !problems.empty()) return {};
  PreparedModel prepared = taut::prepare(std::move(model), arguments.options(problems), problems);
  if (problems.empty()) check_jets_apply(arguments, prepared, problems);
  return prepared;
}

void check_jets_apply(const ModelArguments& arguments, const PreparedModel& prepared,
                      Problems& problems) {
  if (!prepared.compiled.jets) return;
  if (!arguments.jets)
    problems.add(prepared.model.jets->position, "jets", "this command is for mechanical models",
                 "with [jets] there are taut run, start, check and complete");
  else if (!arguments.any_equations)
    check_determined(prepared, problems);
}

int report_bad_input(const Problems& problems, bool json) {
  fmt::print(stderr, "{}\n", problems.message());
  if (!json) return bad_input;
  nlohmann::ordered_json j;
  j["status"] = "bad_input";
  j["reason"] = problems.message();
  j["problems"] = nlohmann::ordered_json::array();
  for (const Problem& p : problems.sorted())
    j["problems"].push_back({{"file", problems.file()},
                             {"line", p.at.line},
                             {"column", p.at.column},
                             {"where", p.where},
                             {"what", p.what},
                             {"remedy", p.remedy}});
  fmt::print("{}\n", j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return bad_input;
}

int report_bad_input(const std::string& what, bool json) {
  fmt::print(stderr, "taut: {}\n", what);
  if (json) {
    const nlohmann::ordered_json j{{"status", "bad_input"}, {"reason", what}};
    fmt::print("{}\n", j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  return bad_input;
}

void report_start(const Moved& all, const std::vector<std::string>& redundant) {
  const Moved moved = all.shown();
  const auto say = [](const char* what, const auto& changes, const char* unit = "") {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t k = 0; k < std::min(changes.size(), most); ++k)
      text += fmt::format("{}{} by {:.6g}{}", k == 0 ? "" : ", ", changes[k].first,
                          changes[k].second, unit);
    if (changes.size() > most) text += fmt::format(" and {} more", changes.size() - most);
    if (!changes.empty()) fmt::print(stderr, "start: changed the {} {}\n", what, text);
  };
  say("positions", moved.q);
  say("angles of", moved.turned, " rad");
  say("velocities", moved.v);
  say("spin of", moved.spun, " rad/s");
  if (!redundant.empty())
    fmt::print(stderr, "redundant: {} {} from the other constraints\n", listed(redundant),
               redundant.size() == 1 ? "follows" : "follow");
}

}  // namespace taut::cli
