// SPDX-License-Identifier: BSD-3-Clause
// taut start and taut check for models with [jets].
#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "jets.hpp"
#include "taut/report/diagnosis.hpp"
#include "taut/report/writers.hpp"
#include "taut/simulation/options.hpp"

namespace taut::cli {
namespace {

const std::vector<std::string> options_of_diagnosis{"--help", "MODEL", "--set", "--json"};

// options given that are none of these
void refuse_others(const CLI::App& app, Problems& problems) {
  const std::vector<std::string>& known = options_of_diagnosis;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const std::string given = option->get_name();
    // with [jets] a model is read as it is written, which may be said
    if (given == "--reading" && option->as<std::string>() == "as-written") continue;
    if (std::find(known.begin(), known.end(), given) == known.end())
      problems.add({}, given, "is for mechanical models, and this one has [jets]", "leave it out");
  }
}

int report_failure(const FormChoice& choice) {
  fmt::print(stderr, "taut: {}: {}\n    {}\n", name(choice.status), choice.message, choice.remedy);
  return failed;
}

void print_jets_text(const PreparedModel& prepared, const FormChoice& choice) {
  const JetSystem& system = *prepared.compiled.jets;
  const CurveStructure& structure = choice.form.curve.structure();
  fmt::print("{}\n", prepared.model.name);
  fmt::print("unknowns       {} of {}: {}\n", system.unknowns.size(), system.independent,
             fmt::join(system.unknowns, ", "));
  fmt::print("equations      {} of order {}\n", system.equations.size(), system.order);
  if (const auto& completion = choice.completion; completion && completion->completed()) {
    fmt::print("index          {}\n", completion->index);
    fmt::print("freedom        {} of the start at one {}\n", completion->dimension,
               system.independent);
  }
  fmt::print("form           {}\n", name(choice.kind));
  if (!choice.reason.empty()) fmt::print("               {}\n", choice.reason.text());
  fmt::print("distribution   {}\n", name(choice.form.distribution));
  fmt::print("curve          {} coordinates, {} equations", structure.m, structure.k);
  if (choice.start.rank >= 0) fmt::print(" of rank {}", choice.start.rank);
  fmt::print("\n\n    {:<18} {:>24} {:>24}\n", "coordinate", "start", "direction");
  for (Index i = 0; i < structure.m; ++i)
    fmt::print("    {:<18} {:>24} {:>24}\n", structure.coordinates[static_cast<std::size_t>(i)],
               choice.start.p[i], choice.start.V[i]);
  fmt::print("\nIt is computed by projected-rk; 'taut complete' shows what its equations imply.\n");
}

}  // namespace

void report_start(const CurveStart& start) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(start.moved.size(), most); ++k)
    text += fmt::format("{}{} by {:.6g}", k == 0 ? "" : ", ", start.moved[k].first,
                        start.moved[k].second);
  if (start.moved.size() > most) text += fmt::format(" and {} more", start.moved.size() - most);
  if (!text.empty()) fmt::print(stderr, "start: changed {}\n", text);
  if (!start.found.empty()) {
    const auto end =
        start.found.begin() + static_cast<std::ptrdiff_t>(std::min(start.found.size(), most));
    fmt::print(
        stderr, "start: found {}{}\n", fmt::join(start.found.begin(), end, ", "),
        start.found.size() > most ? fmt::format(" and {} more", start.found.size() - most) : "");
  }
  text.clear();
  for (std::size_t k = 0; k < std::min(start.taken.size(), most); ++k)
    text += fmt::format("{}{} = {:.6g}", k == 0 ? "" : ", ", start.taken[k].first,
                        start.taken[k].second);
  if (start.taken.size() > most) text += fmt::format(" and {} more", start.taken.size() - most);
  if (!text.empty()) fmt::print(stderr, "start: not stated, and free: taken as {}\n", text);
}

int start_jets(const CLI::App& app, const PreparedModel& prepared,
               const ModelArguments& arguments) {
  Problems problems{arguments.file.string()};
  refuse_others(app, problems);
  if (!problems.empty()) return report_bad_input(problems, arguments.json);
  const FormChoice choice = choose_form(*prepared.compiled.jets);
  if (choice.status != Status::ok) {
    if (arguments.json) fmt::print("{}", check_json(prepared, choice));
    return report_failure(choice);
  }
  const CurveStructure& structure = choice.form.curve.structure();
  if (arguments.json) {
    fmt::print("{}", start_json(structure, choice.start));
    return done;
  }
  fmt::print("{:<20} {:>24} {:>24}\n", "coordinate", "p", "dp/ds");
  for (Index i = 0; i < structure.m; ++i)
    fmt::print("{:<20} {:>24} {:>24}\n", structure.coordinates[static_cast<std::size_t>(i)],
               choice.start.p[i], choice.start.V[i]);
  for (const auto& [name, value] : choice.start.unknowns)
    fmt::print("{:<20} {:>24}\n", name, value);
  if (choice.start.moved.empty()) fmt::print("\nThe start is consistent as given.\n");
  report_start(choice.start);
  return done;
}

int check_jets(const CLI::App& app, const PreparedModel& prepared,
               const ModelArguments& arguments) {
  Problems problems{arguments.file.string()};
  refuse_others(app, problems);
  if (!problems.empty()) return report_bad_input(problems, arguments.json);
  const FormChoice choice = choose_form(*prepared.compiled.jets);
  if (choice.status != Status::ok) {
    if (arguments.json) fmt::print("{}", check_json(prepared, choice));
    return report_failure(choice);
  }
  if (arguments.json)
    fmt::print("{}", check_json(prepared, choice));
  else
    print_jets_text(prepared, choice);
  return done;
}

}  // namespace taut::cli
