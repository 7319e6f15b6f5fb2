// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "command.hpp"
#include "common.hpp"
#include "jets.hpp"
#include "taut/methods/registry.hpp"
#include "taut/report/diagnosis.hpp"

namespace taut::cli {
namespace {

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
    fmt::print("vibrations     omega = {:.4g} rad/s about the start, without damping\n",
               omega.front());
  else
    fmt::print(
        "vibrations     omega = {:.4g} to {:.4g} rad/s about the start, without damping: a ratio "
        "of {:.2g}\n",
        omega.back(), omega.front(), omega.front() / omega.back());
  if (d.growth > 0.0) fmt::print("               small changes grow at {:.4g} 1/s\n", d.growth);
}

void print_text(const PreparedModel& prepared, const Diagnosis& d, const PlannedRun& planned) {
  fmt::print("{}\n", prepared.model.name);
  fmt::print("reading        {}\n", prepared.reading.name());
  fmt::print("coordinates    {}\n", d.coordinates);
  if (d.states > 0) fmt::print("states         {} of first order\n", d.states);
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
      fmt::print("{}", check_json(prepared, diagnosis, planned));
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
