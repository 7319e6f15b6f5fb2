// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "common.hpp"
#include "jets.hpp"
#include "model/accelerations.hpp"
#include "model/frequencies.hpp"
#include "readings/readings.hpp"
#include "taut/methods/fits.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/start.hpp"
#include "thermal_arguments.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What a model is.
struct Diagnosis {
  Index coordinates = 0;
  Index rigid = 0, compliant = 0;  ///< constraints of either kind
  Index rank = 0;                  ///< of the rigid ones at the start
  Index freedom = 0;               ///< coordinates less rank
  std::vector<Redundancy> redundant;
  std::string mass;
  Frequencies frequencies;
  Start start;
};

Diagnosis diagnose(const System& system, const State& given) {
  const Structure& structure = system.structure();
  Diagnosis d;
  d.coordinates = structure.nq;
  for (const Row& row : structure.rows) ++(row.equation >= 0 ? d.rigid : d.compliant);
  d.mass = fmt::format("{}, {}", structure.mass_constant ? "constant" : "depends on q",
                       structure.mass_diagonal ? "diagonal" : "coupled");
  d.start = consistent_start(system, given);
  const State& at = d.start.state;

  Accelerations accelerations;
  Vec a(structure.nq), lambda(structure.nc);
  d.freedom = structure.nq;
  if (accelerations.start(system) == Status::ok &&
      accelerations(system, at.t, at.q, at.v, a, lambda) == Status::ok) {
    d.rank = accelerations.kkt().rank();
    d.freedom = structure.nq - d.rank;
    d.redundant = redundancies(accelerations.kkt(), structure);
    d.frequencies = frequencies(system, at);
  }
  return d;
}

constexpr std::size_t most_frequencies = 10;

// why a method does not fit a model with its heat bath and its statistics
std::string why_not(const MethodInfo& info, const Loaded& loaded) {
  std::string why = fits(info, loaded.system.structure());
  return why.empty() ? thermal_misfit(info, loaded.compiled) : why;
}

void print_json(const Loaded& loaded, const Structure& structure, const Diagnosis& d) {
  Json j;
  j["status"] = name(d.start.status);
  if (d.start.status != Status::ok) j["reason"] = d.start.reason;
  j["model"] = loaded.model.name;
  j["reading"] = loaded.reading;
  j["coordinates"] = d.coordinates;
  j["rigid_constraints"] = d.rigid;
  j["compliant_constraints"] = d.compliant;
  j["rank"] = d.rank;
  j["degrees_of_freedom"] = d.freedom;
  j["redundant"] = Json::array();
  for (const Redundancy& r : d.redundant)
    j["redundant"].push_back({{"constraint", r.constraint}, {"follows_from", r.follows_from}});
  j["mass_constant"] = structure.mass_constant;
  j["mass_diagonal"] = structure.mass_diagonal;
  j["conservative"] = structure.conservative && !loaded.compiled.bath;
  j["heat_bath"] = Json{};
  if (const auto& bath = loaded.compiled.bath) {
    j["heat_bath"] = {{"temperature", bath->temperature}};
    j["heat_bath"][bath->drag > 0.0 ? "drag" : "friction"] =
        bath->drag > 0.0 ? bath->drag : bath->friction;
  }
  j["statistics"] = Json::array();
  for (const CompiledStatistic& statistic : loaded.compiled.statistics)
    j["statistics"].push_back(statistic.name);
  j["force_uses_velocity"] = structure.force_uses_velocity;
  j["force_uses_time"] = structure.force_uses_time;
  j["constraint_uses_time"] = structure.constraint_uses_time;
  const auto& omega = d.frequencies.omega;
  j["frequencies"] = std::vector<double>(
      omega.begin(),
      omega.begin() + static_cast<std::ptrdiff_t>(std::min(omega.size(), most_frequencies)));
  j["slowest_frequency"] = omega.empty() ? Json{} : Json(omega.back());
  j["growth"] = d.frequencies.growth;
  j["methods"] = Json::array();
  for (const MethodInfo& info : all_methods()) {
    const std::string why = why_not(info, loaded);
    j["methods"].push_back({{"name", info.name}, {"fits", why.empty()}, {"why_not", why}});
  }
  fmt::print("{}\n", j.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_motion_kind(const Loaded& loaded, const Structure& structure, const Diagnosis& d) {
  if (const auto& bath = loaded.compiled.bath)
    fmt::print("energy         is not conserved: a heat bath has k T = {} and {} {}\n",
               bath->temperature, bath->drag > 0.0 ? "drag" : "friction",
               bath->drag > 0.0 ? bath->drag : bath->friction);
  else
    fmt::print("energy         {}\n", structure.conservative ? "is conserved" : "is not conserved");
  if (const auto& all = loaded.compiled.statistics; !all.empty()) {
    std::vector<std::string_view> names;
    for (const CompiledStatistic& statistic : all) names.push_back(statistic.name);
    fmt::print("statistics     {}\n", fmt::join(names, ", "));
  }
  fmt::print("time           {}\n", structure.force_uses_time && structure.constraint_uses_time
                                        ? "in forces and constraints"
                                    : structure.force_uses_time      ? "in forces"
                                    : structure.constraint_uses_time ? "in constraints"
                                                                     : "does not appear");
  const auto& omega = d.frequencies.omega;
  if (omega.empty())
    fmt::print("vibrations     none about the start\n");
  else if (omega.size() == 1)
    fmt::print("vibrations     omega = {:.4g} rad/s about the start\n", omega.front());
  else
    fmt::print("vibrations     omega = {:.4g} to {:.4g} rad/s about the start: a ratio of {:.2g}\n",
               omega.back(), omega.front(), omega.front() / omega.back());
  if (d.frequencies.growth > 0.0)
    fmt::print("               small changes grow at {:.4g} 1/s\n", d.frequencies.growth);
}

void print_text(const Loaded& loaded, const Structure& structure, const Diagnosis& d) {
  fmt::print("{}\n", loaded.model.name);
  fmt::print("reading        {}\n", loaded.reading);
  fmt::print("coordinates    {}\n", d.coordinates);
  fmt::print("constraints    {} rigid, {} compliant\n", d.rigid, d.compliant);
  fmt::print("freedom        {} degrees (rank {})\n", d.freedom, d.rank);
  for (const Redundancy& r : d.redundant)
    fmt::print("redundant      {} follows from {}\n", r.constraint,
               fmt::join(r.follows_from, ", "));
  fmt::print("mass           {}\n", d.mass);
  print_motion_kind(loaded, structure, d);
  fmt::print("methods\n");
  for (const MethodInfo& info : all_methods()) {
    const std::string why = why_not(info, loaded);
    fmt::print("    {:<16} {}\n", info.name, why.empty() ? "fits" : "no: " + why);
  }
}

class Check final : public Command {
 public:
  explicit Check(CLI::App& program)
      : Command{program, "check",
                "what a model is: sizes, rank, frequencies, which methods fit and why",
                "Example: taut check models/redundant.toml"} {
    arguments_.add_to(app());
    arguments_.jets = true;
  }

  int run() override {
    Problems problems{arguments_.file.string()};
    const Loaded loaded = load(arguments_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);

    if (loaded.compiled.jets) return check_jets(app(), loaded, arguments_);
    const System system = springs(loaded.system);
    const Diagnosis diagnosis = diagnose(system, loaded.compiled.given);
    if (arguments_.json)
      print_json(loaded, system.structure(), diagnosis);
    else
      print_text(loaded, system.structure(), diagnosis);
    if (diagnosis.start.status == Status::ok) return done;
    fmt::print(stderr, "taut: no consistent start: {}\n    {}\n", diagnosis.start.reason,
               hint(diagnosis.start.status));
    return failed;
  }

 private:
  ModelArguments arguments_;
};

}  // namespace

std::unique_ptr<Command> check_command(CLI::App& program) {
  return std::make_unique<Check>(program);
}

}  // namespace taut::cli
