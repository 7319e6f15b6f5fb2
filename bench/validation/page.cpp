// SPDX-License-Identifier: BSD-3-Clause
#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace taut::bench {
namespace {

constexpr const char* introduction = R"(# Validation

What taut computes beside what is true, on problems whose answer is known to more digits than are asked for.
`./taut bench validation >docs/validation.md` makes this page; nothing in it is typed by hand.

Every row is one run, `taut run MODEL --tol TOL`, with the method taut chooses or with the one named. `q`, `v` and
`lambda` are the errors at the end, the largest of all components: |x - r|/|r| with the true value r, or, where it says
*mixed*, |x - r|/(1 + |r|). The true values of the first four problems were recomputed in quadruple precision in another
formulation (of the multipliers published for Andrews' mechanism five digits are right). Those of the others are
computed with the page, by `dop853` at a tolerance of 1e-13; by how much `radau` at 1e-12 differs is said. Steps include
rejected ones; `f` counts evaluations of the forces, `LU` factorisations. The time is CPU time of one core, with setting
up, and output at the end only.
)";

std::string number(double x) { return x == 0.0 ? "0" : fmt::format("{:.1e}", x); }

void print_section(const Section& section) {
  const Trial& trial = section.trial;
  const bool constrained = trial.problem.system.nc() > 0;
  fmt::print("\n## {}\n\n{}", trial.problem.name, trial.about);
  if (trial.measure == Measure::mixed)
    fmt::print(" Errors are *mixed*. The second opinion differs by {} in q, {} in v, {} in lambda.",
               number(trial.doubt.q), number(trial.doubt.v), number(trial.doubt.lambda));
  if (constrained) {
    double constraint = 0.0, rate = 0.0;
    for (const TrialRun& run : section.runs) {
      constraint = std::max(constraint, run.constraint);
      rate = std::max(rate, run.rate);
    }
    fmt::print(" Over all runs |g| <= {} and |G v + g_t| <= {}.", number(constraint), number(rate));
  }
  fmt::print(
      "\n\n| method | tol | q | v | lambda | steps | rejected | f | LU | time [ms] |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  for (const TrialRun& run : section.runs) {
    fmt::print("| `{}`{} | {:.0e} | ", run.method, run.chosen ? " (chosen)" : "", run.tol);
    if (run.status == Status::ok)
      fmt::print("{} | {} | {}", number(run.errors.q), number(run.errors.v),
                 constrained ? number(run.errors.lambda) : "");
    else
      fmt::print("{} | |", sentence(run.status));
    fmt::print(" | {} | {} | {} | {} | {:.3g} |\n", run.cost.steps, run.cost.rejected,
               run.cost.force_evaluations, run.cost.factorisations, 1e3 * run.seconds);
  }
}

}  // namespace

void print_page(const std::vector<Section>& sections) {
  fmt::print("{}", introduction);
  for (const Section& section : sections) print_section(section);
}

void print_json(const std::vector<Section>& sections) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const auto& [trial, runs] : sections) {
    Json section{
        {"problem", trial.problem.name},
        {"measure", trial.measure == Measure::mixed ? "mixed" : "relative"},
        {"doubt", {{"q", trial.doubt.q}, {"v", trial.doubt.v}, {"lambda", trial.doubt.lambda}}},
        {"runs", Json::array()}};
    for (const TrialRun& run : runs) {
      section["runs"].push_back({{"method", run.method},
                                 {"chosen", run.chosen},
                                 {"tol", run.tol},
                                 {"status", name(run.status)},
                                 {"error_q", run.errors.q},
                                 {"error_v", run.errors.v},
                                 {"error_lambda", run.errors.lambda},
                                 {"max_constraint", run.constraint},
                                 {"max_velocity_constraint", run.rate},
                                 {"steps", run.cost.steps},
                                 {"rejected", run.cost.rejected},
                                 {"force_evaluations", run.cost.force_evaluations},
                                 {"jacobian_evaluations", run.cost.jacobian_evaluations},
                                 {"factorisations", run.cost.factorisations},
                                 {"newton_iterations", run.cost.newton_iterations},
                                 {"seconds", run.seconds}});
    }
    all.push_back(std::move(section));
  }
  fmt::print("{}\n", all.dump(2));
}

}  // namespace taut::bench
