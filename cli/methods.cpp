// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command.hpp"
#include "taut/methods/registry.hpp"
#include "taut/report/diagnosis.hpp"

namespace taut::cli {
namespace {

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
      fmt::print("{}", methods_json());
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
