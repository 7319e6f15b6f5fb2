// SPDX-License-Identifier: BSD-3-Clause
#include "taut/report/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/json.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

constexpr std::size_t most_frequencies = 10;

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

Json options_json(std::string_view method) {
  Json list = Json::array();
  for (const OptionInfo& option : options_of(method)) {
    Json one{{"name", option.name}, {"about", option.about}};
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

Json failure_json(const FormChoice& choice) {
  return {{"status", name(choice.status)}, {"reason", choice.message}, {"hint", choice.remedy}};
}

}  // namespace

PlannedRun plan_run(const PreparedModel& prepared, const SimulationOptions& options) {
  Problems problems;
  PlannedRun planned{.plan = plan(prepared, options, problems), .why_not = {}};
  if (problems.empty()) return planned;
  const Problem first = problems.sorted().front();
  return {.plan = {}, .why_not = fmt::format("{}: {}", first.where, first.what)};
}

std::string check_json(const PreparedModel& prepared, const Diagnosis& d,
                       const PlannedRun& planned) {
  Json j;
  j["status"] = name(d.start.status);
  if (d.start.status != Status::ok) j["reason"] = d.start.reason;
  j["model"] = prepared.model.name;
  j["reading"] = prepared.reading.name();
  j["coordinates"] = d.coordinates;
  j["states"] = d.states;
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
  return text(j);
}

std::string check_json(const PreparedModel& prepared, const FormChoice& choice) {
  if (choice.status != Status::ok) return text(failure_json(choice));
  const JetSystem& system = *prepared.compiled.jets;
  const CurveStructure& structure = choice.form.curve.structure();
  Json j;
  j["status"] = name(choice.status);
  j["model"] = prepared.model.name;
  j["independent"] = system.independent;
  j["unknowns"] = system.unknowns;
  j["order"] = system.order;
  j["equations"] = system.equations.size();
  j["form"] = name(choice.kind);
  j["reason"] = choice.reason.text();
  j["distribution"] = name(choice.form.distribution);
  j["coordinates"] = structure.coordinates;
  j["rows"] = structure.rows;
  j["rank"] = choice.start.rank >= 0 ? Json(choice.start.rank) : Json{};
  j["index"] =
      choice.completion && choice.completion->index >= 0 ? Json(choice.completion->index) : Json{};
  j["dimension"] = choice.completion && choice.completion->dimension >= 0
                       ? Json(choice.completion->dimension)
                       : Json{};
  j["direction"] = Json::object();
  for (Index i = 0; i < choice.start.V.size(); ++i)
    j["direction"][structure.coordinates[static_cast<std::size_t>(i)]] = choice.start.V[i];
  return text(j);
}

std::vector<const Completion::StartNumber*> moved_numbers(const Completion& c) {
  std::vector<const Completion::StartNumber*> moved;
  for (const Completion::StartNumber& number : c.start)
    if (std::abs(number.value - number.given) >
        1e-10 * std::max({1.0, std::abs(number.value), std::abs(number.given)}))
      moved.push_back(&number);
  return moved;
}

std::string completion_json(const PreparedModel& prepared, const Completion& c) {
  const JetSystem& system = *prepared.compiled.jets;
  Json j;
  j["status"] = name(c.status);
  j["verdict"] = name(c.verdict);
  if (!c.completed()) {
    j["reason"] = c.reason;
    j["hint"] = c.remedy;
  }
  j["model"] = prepared.model.name;
  j["unknowns"] = system.unknowns;
  j["equations"] = system.equations.size();
  j["order"] = c.order;
  j["index"] = c.index >= 0 ? Json(c.index) : Json{};
  j["prolongations"] = c.completed() ? Json(c.prolongations) : Json{};
  j["dimension"] = c.completed() ? Json(c.dimension) : Json{};
  j["table"] = Json::array();
  for (const Completion::Prolongation& line : c.table)
    j["table"].push_back({{"derivatives", line.r},
                          {"equations", line.equations},
                          {"rank", line.rank},
                          {"distribution", line.distribution},
                          {"freedom", line.freedom}});
  j["hidden"] = Json::array();
  for (const Completion::Hidden& hidden : c.hidden)
    j["hidden"].push_back({{"name", hidden.name}, {"zero", hidden.formula}});
  j["undetermined"] = c.free;
  j["form"] = !c.completed() ? Json{} : Json(c.structural ? "explicit" : "implicit");
  j["impasse"] = c.impasse;
  j["differentiated"] = Json::object();
  for (std::size_t e = 0; e < c.c.size(); ++e)
    j["differentiated"][system.equations[e].name] = std::max(c.c[e], 0);
  j["state"] = Json::array();
  for (const Index jet : c.state) j["state"].push_back(system.name_of(jet));
  j["start"] = Json::object();
  for (const Completion::StartNumber& number : c.start) j["start"][number.name] = number.value;
  j["moved"] = Json::object();
  for (const Completion::StartNumber* number : moved_numbers(c))
    j["moved"][number->name] = number->value - number->given;
  j["notes"] = texts(c.notes);
  return text(j);
}

std::string completion_json(const PreparedModel& prepared, const Diagnosis& d) {
  const Start& start = d.start;
  if (start.status != Status::ok)
    return text(Json{{"status", name(start.status)},
                     {"verdict", name(Completion::Verdict::undecided)},
                     {"reason", start.reason}});
  return text(Json{{"status", name(Status::ok)},
                   {"verdict", name(Completion::Verdict::completed)},
                   {"model", prepared.model.name},
                   {"mechanical", true},
                   {"coordinates", d.coordinates},
                   {"constraints", d.rigid},
                   {"rank", d.rank},
                   {"index", d.rigid > 0 ? 3 : 0},
                   {"dimension", 2 * d.freedom},
                   {"redundant", start.redundant}});
}

std::string methods_json() {
  Json list = Json::array();
  for (const MethodInfo& m : all_methods())
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
  return text(list);
}

}  // namespace taut
