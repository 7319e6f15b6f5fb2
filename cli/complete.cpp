// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "common.hpp"
#include "taut/curves/completed_form.hpp"
#include "taut/report/diagnosis.hpp"

namespace taut::cli {
namespace {

constexpr std::size_t most_shown = 12;  // of a list; --json has all

std::string joined(const std::vector<std::string>& names, const char* between = ", ") {
  if (names.size() <= most_shown) return fmt::format("{}", fmt::join(names, between));
  return fmt::format("{} and {} more",
                     fmt::join(names.begin(), names.begin() + most_shown, between),
                     names.size() - most_shown);
}

// the table row by row: header and numbers
void print_prolongations(const Completion& c) {
  if (c.table.empty()) return;
  fmt::print("{:>12} {:>10} {:>6} {:>14} {:>9}\n", "derivatives", "equations", "rank",
             "distribution", "freedom");
  for (const Completion::Prolongation& line : c.table)
    fmt::print("{:>12} {:>10} {:>6} {:>14} {:>9}\n", line.r, line.equations, line.rank,
               line.distribution, line.freedom);
}

void print_start_numbers(const Completion& c) {
  if (c.start.empty()) return;
  fmt::print("\n{:<20} {:>24} {:>24}\n", "start", "value", "stated");
  for (const Completion::StartNumber& number : c.start) {
    std::string stated = "-";
    if (std::isfinite(number.given)) stated = fmt::format("{}", number.given);
    fmt::print("{:<20} {:>24} {:>24}\n", number.name, number.value, stated);
  }
}

std::string verdict_in_words(const Completion& c) {
  if (c.completed() && c.index == 0)
    return "the equations determine all highest derivatives: index 0";
  if (c.completed())
    return fmt::format("index {}: complete with {} derivative{} of the equations", c.index,
                       c.prolongations, c.prolongations == 1 ? "" : "s");
  return std::string{name(c.verdict)};
}

void print_completion(const std::string& title, const std::string& file, const JetSystem& system,
                      const Completion& c) {
  fmt::print("{}\n", title.empty() ? file : title);
  fmt::print("given          {} unknown{} of {}: {}; {} equation{} of order {}\n",
             system.unknowns.size(), system.unknowns.size() == 1 ? "" : "s", system.independent,
             joined(system.unknowns), system.equations.size(),
             system.equations.size() == 1 ? "" : "s", c.order);
  fmt::print("verdict        {}\n", verdict_in_words(c));
  if (c.completed()) {
    fmt::print(
        "solutions      fill {} dimension{} at each {}: so many numbers of the start are free\n",
        c.dimension, c.dimension == 1 ? "" : "s", system.independent);
    for (std::size_t h = 0; h < std::min(c.hidden.size(), most_shown); ++h)
      fmt::print("hidden         {}{}\n", c.hidden[h].name,
                 c.hidden[h].formula.empty() ? "" : ":  " + c.hidden[h].formula + " = 0");
    if (c.hidden.size() > most_shown)
      fmt::print("               and {} more\n", c.hidden.size() - most_shown);
    if (c.hidden.empty())
      fmt::print("hidden         nothing: all conditions on the state were stated\n");
    std::vector<std::string> differentiated;
    for (std::size_t e = 0; e < c.c.size(); ++e)
      if (c.c[e] > 0)
        differentiated.push_back(
            fmt::format("{}, {} time{}", system.equations[e].name, c.c[e], c.c[e] == 1 ? "" : "s"));
    if (!differentiated.empty()) fmt::print("differentiated {}\n", joined(differentiated, "; "));
    std::vector<std::string> state;
    for (const Index jet : c.state) state.push_back(system.name_of(jet));
    fmt::print("state          {}\n", joined(state));
    fmt::print("form           {}\n",
               c.structural ? "explicit, from the structure of the equations"
                            : "implicit, from the ranks of the differentiated equations");
  }
  print_prolongations(c);
  print_start_numbers(c);
  if (c.completed())
    fmt::print("\n{}\n'taut run {}' follows the solution{}.\n",
               moved_numbers(c).empty() ? "The start is consistent as stated."
                                        : "The start was changed as little as the equations ask.",
               file, c.hidden.empty() && c.index < 2 ? "" : " on the completed system");
}

/// A mechanical model: its constraints, their first derivatives and the equations of accelerations
/// and multipliers are complete; what is left to say is how many there are.
int report_mechanical(const PreparedModel& prepared, bool json) {
  const Diagnosis d = diagnose(prepared);
  const Start& start = d.start;
  if (start.status != Status::ok) {
    if (json) fmt::print("{}", completion_json(prepared, d));
    fmt::print(stderr, "taut: no consistent start: {}\n    {}\n", start.reason, hint(start.status));
    return failed;
  }
  const int index = d.rigid > 0 ? 3 : 0;
  const Index dimension = 2 * d.freedom;
  if (json) {
    fmt::print("{}", completion_json(prepared, d));
    return done;
  }
  fmt::print("{}\n", prepared.model.name);
  fmt::print("given          a mechanical model: {} coordinates, {} rigid constraints of rank {}\n",
             d.coordinates, d.rigid, d.rank);
  fmt::print("verdict        complete as it stands, index {}: {}\n", index,
             index == 0 ? "accelerations follow from positions and velocities"
                        : "g = 0, its derivative G v + g_t = 0, and its second derivative, from "
                          "which accelerations and multipliers follow, are all known");
  fmt::print("solutions      fill {} dimensions at each t\n", dimension);
  for (const std::string& name : start.redundant)
    fmt::print("redundant      {} follows from other constraints\n", name);
  fmt::print("'taut start' has the consistent start, 'taut check' the methods that fit.\n");
  return done;
}

class CompleteCommand final : public Command {
 public:
  explicit CompleteCommand(CLI::App& program)
      : Command{program, "complete",
                "differentiates equations until they determine their solutions: index, hidden "
                "conditions, consistent start",
                "Example: taut complete models/pendulum_dae.toml"} {
    arguments_.add_to(app());
    arguments_.jets = arguments_.any_equations = true;
  }

  int run() override {
    Problems problems{arguments_.file.string()};
    const PreparedModel prepared = prepare(arguments_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);
    if (!prepared.compiled.jets) return report_mechanical(prepared, arguments_.json);

    const JetSystem& system = *prepared.compiled.jets;
    const Completion completion = complete(system);
    if (arguments_.json)
      fmt::print("{}", completion_json(prepared, completion));
    else
      print_completion(prepared.model.name, arguments_.file.string(), system, completion);
    for (const Note& note : completion.notes) fmt::print(stderr, "note: {}\n", note.text());
    if (completion.completed()) return done;
    fmt::print(stderr, "taut: {}\n    {}\n", completion.reason, completion.remedy);
    return failed;
  }

 private:
  ModelArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> complete_command(CLI::App& program) {
  return std::make_unique<CompleteCommand>(program);
}

}  // namespace taut::cli
