// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "command.hpp"
#include "common.hpp"
#include "jets.hpp"
#include "taut/methods/registry.hpp"
#include "taut/simulation/diagnosis.hpp"

namespace taut::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_frequencies = 10;

/// What `taut run` would do; or why it cannot be said.
struct PlannedRun {
  std::optional<Plan> plan;
  std::string why_not;
};

PlannedRun plan_run(const PreparedModel& prepared, const SimulationOptions& options) {
  Problems problems;
  PlannedRun planned{.plan = plan(prepared, options, problems), .why_not = {}};
  if (problems.empty()) return planned;
  const Problem first = problems.sorted().front();
  return {.plan = {}, .why_not = fmt::format("{}: {}", first.where, first.what)};
}

Json plan_json(const PlannedRun& planned) {
  if (!planned.plan) return {{"why_not", planned.why_not}};
  const Plan& plan = *planned.plan;
  Json j{{"method", plan.method.name}, {"reason", plan.reason.text()}};
  if (plan.method.adaptive)
    j["tol"] = plan.tolerance();
  else
    j["step"] = plan.run.step;
  if (plan.run.max_step > 0.0) j["max_step"] = plan.run.max_step;
  j["from"] = plan.start.state.t;
  j["until"] = plan.run.until;
  j["start_moved"] = plan.start.distance;
  j["notes"] = texts(plan.notes);
  return j;
}

void print_plan(const PlannedRun& planned) {
  if (!planned.plan) {
    fmt::print("plan           none: {}\n", planned.why_not);
    return;
  }
  const Plan& plan = *planned.plan;
  fmt::print("plan           {} with {} {:.6g}, from t = {:.6g} to {:.6g}\n", plan.method.name,
             plan.method.adaptive ? "tolerance" : "step",
             plan.method.adaptive ? plan.tolerance() : plan.run.step, plan.start.state.t,
             plan.run.until);
  if (plan.method.adaptive && plan.run.max_step > 0.0)
    fmt::print("               no step is longer than {:.6g} s\n", plan.run.max_step);
  if (!plan.reason.empty()) fmt::print("               {}\n", plan.reason.text());
  for (const Note& note : plan.notes) fmt::print("               {}\n", note.text());
}

void print_json(const PreparedModel& prepared, const Diagnosis& d, const PlannedRun& planned) {
  Json j;
  j["status"] = name(d.start.status);
  if (d.start.status != Status::ok) j["reason"] = d.start.reason;
  j["model"] = prepared.model.name;
  j["reading"] = prepared.reading.name();
  j["coordinates"] = d.coordinates;
  j["rigid_constraints"] = d.rigid;
  j["compliant_constraints"] = d.compliant;
  j["rank"] = d.rank;
  j["degrees_of_freedom"] = d.freedom;
  j["redundant"] = Json::array();
  for (const Redundancy& r : d.redundant)
    j["redundant"].push_back({{"constraint", r.constraint}, {"follows_from", r.follows_from}});
  j["mass_constant"] = d.mass_constant;
  j["mass_diagonal"] = d.mass_diagonal;
  j["conservative"] = d.conservative && !prepared.compiled.bath;
  j["heat_bath"] = Json{};
  if (const auto& bath = prepared.compiled.bath) {
    j["heat_bath"] = {{"temperature", bath->temperature}};
    j["heat_bath"][bath->drag > 0.0 ? "drag" : "friction"] =
        bath->drag > 0.0 ? bath->drag : bath->friction;
  }
  j["statistics"] = Json::array();
  for (const CompiledStatistic& statistic : prepared.compiled.statistics)
    j["statistics"].push_back(statistic.name);
  j["force_uses_velocity"] = d.force_uses_velocity;
  j["force_uses_time"] = d.force_uses_time;
  j["constraint_uses_time"] = d.constraint_uses_time;
  const auto& omega = d.frequencies;
  j["frequencies"] = std::vector<double>(
      omega.begin(),
      omega.begin() + static_cast<std::ptrdiff_t>(std::min(omega.size(), most_frequencies)));
  j["slowest_frequency"] = omega.empty() ? Json{} : Json(omega.back());
  j["growth"] = d.growth;
  j["plan"] = plan_json(planned);
  j["methods"] = Json::array();
  for (const MethodInfo& info : all_methods()) {
    const Note why = why_not(info, prepared);
    j["methods"].push_back({{"name", info.name}, {"fits", why.empty()}, {"why_not", why.text()}});
  }
  fmt::print("{}\n", j.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_motion_kind(const PreparedModel& prepared, const Diagnosis& d) {
  if (const auto& bath = prepared.compiled.bath)
    fmt::print("energy         is not conserved: a heat bath has k T = {} and {} {}\n",
               bath->temperature, bath->drag > 0.0 ? "drag" : "friction",
               bath->drag > 0.0 ? bath->drag : bath->friction);
  else
    fmt::print("energy         {}\n", d.conservative ? "is conserved" : "is not conserved");
  if (const auto& all = prepared.compiled.statistics; !all.empty()) {
    std::vector<std::string_view> names;
    for (const CompiledStatistic& statistic : all) names.push_back(statistic.name);
    fmt::print("statistics     {}\n", fmt::join(names, ", "));
  }
  fmt::print("time           {}\n", d.force_uses_time && d.constraint_uses_time
                                        ? "in forces and constraints"
                                    : d.force_uses_time      ? "in forces"
                                    : d.constraint_uses_time ? "in constraints"
                                                             : "does not appear");
  const auto& omega = d.frequencies;
  if (omega.empty())
    fmt::print("vibrations     none about the start\n");
  else if (omega.size() == 1)
    fmt::print("vibrations     omega = {:.4g} rad/s about the start\n", omega.front());
  else
    fmt::print("vibrations     omega = {:.4g} to {:.4g} rad/s about the start: a ratio of {:.2g}\n",
               omega.back(), omega.front(), omega.front() / omega.back());
  if (d.growth > 0.0) fmt::print("               small changes grow at {:.4g} 1/s\n", d.growth);
}

void print_text(const PreparedModel& prepared, const Diagnosis& d, const PlannedRun& planned) {
  fmt::print("{}\n", prepared.model.name);
  fmt::print("reading        {}\n", prepared.reading.name());
  fmt::print("coordinates    {}\n", d.coordinates);
  fmt::print("constraints    {} rigid, {} compliant\n", d.rigid, d.compliant);
  fmt::print("freedom        {} degrees (rank {})\n", d.freedom, d.rank);
  for (const Redundancy& r : d.redundant)
    fmt::print("redundant      {} follows from {}\n", r.constraint,
               fmt::join(r.follows_from, ", "));
  fmt::print("mass           {}, {}\n", d.mass_constant ? "constant" : "depends on q",
             d.mass_diagonal ? "diagonal" : "coupled");
  print_motion_kind(prepared, d);
  print_plan(planned);
  fmt::print("methods\n");
  for (const MethodInfo& info : all_methods()) {
    const Note why = why_not(info, prepared);
    fmt::print("    {:<16} {}\n", info.name, why.empty() ? "fits" : "no: " + why.text());
  }
}

class Check final : public Command {
 public:
  explicit Check(CLI::App& program)
      : Command{program, "check",
                "what a model is: sizes, rank, frequencies, what a run of it would do, which "
                "methods fit",
                "Example: taut check models/redundant.toml"} {
    arguments_.add_to(app());
    arguments_.jets = true;
  }

  int run() override {
    Problems problems{arguments_.file.string()};
    const PreparedModel prepared = prepare(arguments_, problems);
    if (!problems.empty()) return report_bad_input(problems, arguments_.json);

    if (prepared.compiled.jets) return check_jets(app(), prepared, arguments_);
    const Diagnosis diagnosis = diagnose(prepared);
    const PlannedRun planned = plan_run(prepared, arguments_.options(problems));
    if (arguments_.json)
      print_json(prepared, diagnosis, planned);
    else
      print_text(prepared, diagnosis, planned);
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
