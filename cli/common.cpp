// SPDX-License-Identifier: BSD-3-Clause
#include "common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "readings/readings.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/model_file.hpp"

namespace taut::cli {
namespace {

const std::vector<std::string> readings{"as-written", "rigid", "penalized", "slow", "averaged"};

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// what to do about a name that does not exist
std::string remedy(const std::string& name, const std::vector<std::string>& known,
                   const std::string& kind) {
  if (const std::string near = nearest_name(name, known); !near.empty())
    return fmt::format("did you mean '{}'?", near);
  if (known.empty()) return fmt::format("there are no {}", kind);
  return fmt::format("{} are: {}", kind, listed(known));
}

void apply_setting(const std::string& setting, Model& model, Problems& problems) {
  const std::size_t equal = setting.find('=');
  if (equal == std::string::npos || equal == 0) {
    problems.add({}, "--set " + setting, "is not of the form name=value", "write --set name=value");
    return;
  }
  const std::string name = setting.substr(0, equal);
  if (model.set(name, parse_value(setting.substr(equal + 1)))) return;
  std::vector<std::string> known;
  for (const Parameter& parameter : model.parameters) known.push_back(parameter.name);
  problems.add({}, "--set " + name, fmt::format("there is no parameter '{}'", name),
               remedy(name, known, "parameters"));
}

void check_names(const Model& model, Problems& problems) {
  const RunSettings& run = model.run;
  if (run.reading &&
      std::find(readings.begin(), readings.end(), run.reading->text) == readings.end())
    problems.add(run.reading->at, "reading",
                 fmt::format("there is no reading '{}'", run.reading->text),
                 remedy(run.reading->text, readings, "readings"));
  // of [jets] there is one method: compile() says so
  if (!run.method || model.jets) return;
  std::vector<std::string> methods;
  for (const MethodInfo& info : all_methods()) methods.emplace_back(info.name);
  if (std::find(methods.begin(), methods.end(), run.method->text) == methods.end())
    problems.add(run.method->at, "method", fmt::format("there is no method '{}'", run.method->text),
                 remedy(run.method->text, methods, "methods"));
}

bool has_parameter(const Model& model, std::string_view name) {
  return std::any_of(model.parameters.begin(), model.parameters.end(),
                     [&](const Parameter& parameter) { return parameter.name == name; });
}

// slow motions are those of the model as written, or of the penalized one where an omega is given
System read_as(const std::string& reading, const CompiledModel& compiled, bool omega_given,
               Problems& problems) {
  if (reading == "rigid") return rigid(compiled.system);
  if (reading != "penalized" && !(reading == "slow" && omega_given)) return compiled.system;
  if (compiled.run.omega) return penalized(compiled.system, *compiled.run.omega);
  problems.add({}, "reading", "penalized needs a frequency",
               "give --omega W, omega in [run], or a parameter omega");
  return compiled.system;
}

// a model with [jets] is no mechanical one: not for all commands, and without readings
void check_jets_apply(const ModelArguments& arguments, const Model& model, const JetSystem& system,
                      Problems& problems) {
  if (!arguments.jets)
    problems.add(model.jets->position, "jets", "this command is for mechanical models",
                 "with [jets] there are taut run, start, check and complete");
  const std::size_t count = system.equations.size();
  if (arguments.jets && !arguments.any_equations && count < system.unknowns.size())
    problems.add(model.jets->position, "jets",
                 fmt::format("has {} equation{} for {} unknowns: {}", count, count == 1 ? "" : "s",
                             system.unknowns.size(), fmt::join(system.unknowns, ", ")),
                 "add [[equation]]s, at least as many as there are unknowns; 'taut complete' says "
                 "what is not determined");
}

// the system of a compiled mechanical model in its reading
void read(Loaded& loaded, Problems& problems) {
  loaded.reading = loaded.compiled.run.reading.empty() ? "as-written" : loaded.compiled.run.reading;
  loaded.system = read_as(loaded.reading, loaded.compiled, loaded.omega_given, problems);
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

Loaded load(const ModelArguments& arguments, Problems& problems,
            const std::function<void(Model&)>& edit) {
  Loaded loaded;
  std::ifstream in{arguments.file, std::ios::binary};
  std::error_code ignored;
  if (in && !std::filesystem::is_directory(arguments.file, ignored)) {
    loaded.text.assign(std::istreambuf_iterator<char>{in}, {});
    loaded.model = read_model(loaded.text, problems);
    loaded.model.file = arguments.file.string();
    if (loaded.model.name.empty()) loaded.model.name = arguments.file.stem().string();
  } else {
    loaded.model = read_model_file(arguments.file, problems);  // says why it cannot be read
    return loaded;
  }

  // the command line edits the model: its mistakes are found with all others
  Model& model = loaded.model;
  for (const std::string& setting : arguments.settings) apply_setting(setting, model, problems);
  if (!arguments.reading.empty()) model.run.reading = Name{arguments.reading, {}};
  loaded.omega_given = !arguments.omega.empty() || model.run.omega;
  if (!arguments.omega.empty())
    model.run.omega = parse_value(arguments.omega);
  else if (!model.run.omega && !model.jets && has_parameter(model, "omega"))
    model.run.omega = Value{"omega"};
  if (edit) edit(model);
  check_names(model, problems);
  loaded.compiled = compile(model, problems);
  if (!problems.empty()) return loaded;
  if (loaded.compiled.jets) {
    check_jets_apply(arguments, model, *loaded.compiled.jets, problems);
    return loaded;
  }
  read(loaded, problems);
  return loaded;
}

Loaded with_values(const Loaded& loaded, const std::vector<std::pair<std::string, double>>& values,
                   Problems& problems) {
  Loaded changed;
  changed.model = loaded.model;
  changed.omega_given = loaded.omega_given;
  for (const auto& [parameter, value] : values) changed.model.set(parameter, value);
  changed.compiled = compile(changed.model, problems);
  if (problems.empty()) read(changed, problems);
  return changed;
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

void report_start(const Moved& moved, const std::vector<std::string>& redundant) {
  const auto say = [](const char* what, const auto& changes) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t k = 0; k < std::min(changes.size(), most); ++k)
      text +=
          fmt::format("{}{} by {:.6g}", k == 0 ? "" : ", ", changes[k].first, changes[k].second);
    if (changes.size() > most) text += fmt::format(" and {} more", changes.size() - most);
    if (!changes.empty()) fmt::print(stderr, "start: changed the {} {}\n", what, text);
  };
  say("positions", moved.q);
  say("velocities", moved.v);
  if (!redundant.empty())
    fmt::print(stderr, "redundant: {} {} from the other constraints\n", listed(redundant),
               redundant.size() == 1 ? "follows" : "follow");
}

}  // namespace taut::cli
