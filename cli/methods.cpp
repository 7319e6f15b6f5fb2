// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "taut/methods/registry.hpp"

namespace taut::cli {
namespace {

nlohmann::ordered_json options_json(std::string_view method) {
  auto list = nlohmann::ordered_json::array();
  for (const OptionInfo& option : options_of(method)) {
    nlohmann::ordered_json one{{"name", option.name}, {"about", option.about}};
    if (option.choices.empty()) {
      one["default"] = option.otherwise;
      one[option.least_allowed ? "least" : "above"] = option.least;
      if (std::isfinite(option.most)) one["most"] = option.most;
    } else {
      one["default"] = option.choices[static_cast<std::size_t>(option.otherwise)];
      one["choices"] = std::vector<std::string_view>(option.choices.begin(), option.choices.end());
    }
    list.push_back(std::move(one));
  }
  return list;
}

void print_json(const std::vector<MethodInfo>& methods) {
  auto list = nlohmann::ordered_json::array();
  for (const MethodInfo& m : methods)
    list.push_back({{"name", m.name},
                    {"order", m.order},
                    {"symmetric", m.symmetric},
                    {"symplectic", m.symplectic},
                    {"adaptive", m.adaptive},
                    {"constraints", m.constraints},
                    {"compliance", m.compliance},
                    {"variable_mass", m.variable_mass},
                    {"velocity_forces", m.velocity_forces},
                    {"resumable", m.resumable},
                    {"options", options_json(m.name)},
                    {"about", m.about},
                    {"cite", m.cite}});
  fmt::print("{}\n", list.dump(2));
}

void print_table(const std::vector<MethodInfo>& methods) {
  const auto mark = [](bool claim) { return claim ? "yes" : "-"; };
  fmt::print("{:<22} {:>5} {:>8} {:>9} {:>10} {:>11} {:>5} {:>5}  {}\n", "method", "order",
             "adaptive", "symmetric", "symplectic", "constraints", "M(q)", "f(v)", "about");
  for (const MethodInfo& m : methods)
    fmt::print("{:<22} {:>5} {:>8} {:>9} {:>10} {:>11} {:>5} {:>5}  {}\n", m.name, m.order,
               mark(m.adaptive), mark(m.symmetric), mark(m.symplectic), mark(m.constraints),
               mark(m.variable_mass), mark(m.velocity_forces), m.about);
}

class Methods final : public Command {
 public:
  explicit Methods(CLI::App& program)
      : Command{program, "methods", "every method with its properties",
                "Example: taut methods --json"} {
    app().add_flag("--json", json_, "print the result as JSON");
  }

  int run() override {
    if (json_)
      print_json(all_methods());
    else
      print_table(all_methods());
    return done;
  }

 private:
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> methods_command(CLI::App& program) {
  return std::make_unique<Methods>(program);
}

}  // namespace taut::cli
