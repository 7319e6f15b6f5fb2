// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "report/statistics_text.hpp"
#include "report/summary_json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

Json events_json(const Summary& s, NamedNumbers& number) {
  Json list = Json::array();
  for (const EventRecord& event : s.events)
    list.push_back({{"name", event.name},
                    {"t", event.state.t},
                    {"q", number("q at event " + event.name, s.coordinates, event.state.q)},
                    {"v", number("v at event " + event.name, s.velocities, event.state.v)}});
  return list;
}

Json statistics_json(const Summary& s) {
  Json all = Json::object();
  for (const StatisticResult& statistic : s.statistics) {
    Json j = statistic_json(statistic);
    if (!statistic.columns.empty()) j["file"] = statistic_file(statistic);
    add_entry(all, statistic.name, std::move(j));
  }
  return all;
}

Json sizes_json(const std::string& where, const ErrorEstimate::Sizes& sizes, NamedNumbers& number) {
  return {{"q", number("error of q " + where, sizes.q)},
          {"v", number("error of v " + where, sizes.v)},
          {"lambda", number("error of lambda " + where, sizes.lambda)}};
}

Json errors_json(const Summary& s, NamedNumbers& number) {
  if (!s.error_estimate) return {};
  const ErrorEstimate& errors = *s.error_estimate;
  return {{"companion", errors.companion},
          {"at_end", sizes_json("at the end", errors.at_end(), number)},
          {"along_run", sizes_json("along the run", errors.along_run(), number)},
          {"q", number("error of q", s.coordinates, errors.q)},
          {"v", number("error of v", s.velocities, errors.v)},
          {"lambda", number("error of lambda", s.constraints, errors.lambda)},
          {"wall_seconds", errors.wall_seconds}};
}

}  // namespace

Json summary_head(const SummaryCore& s) {
  Json j;
  j["status"] = name(s.status);
  j["message"] = s.message;
  j["hint"] = s.hint;
  j["model"] = s.model;
  return j;
}

std::string summary_text(Json j, const SummaryCore& s, const std::vector<Note>& notes) {
  j["wall_seconds"] = s.wall_seconds;
  add_notes(notes, j);
  return text(j);
}

std::string summary_json(const Summary& s) {
  std::vector<Note> notes = s.notes;
  NamedNumbers number{notes};
  Json j = summary_head(s);
  j["reading"] = s.reading ? name(*s.reading) : "";
  j["method"] = s.method;
  j["reason"] = s.reason.text();
  j["t"] = number("t", s.state.t);
  j["q"] = number("q", s.coordinates, s.state.q);
  j["v"] = number("v", s.velocities, s.state.v);
  j["lambda"] = number("lambda", s.constraints, s.lambda);
  add_steps(s, s.counters, number, j);
  j["force_evaluations"] = s.counters.force_evaluations;
  j["constraint_evaluations"] = s.counters.constraint_evaluations;
  j["jacobian_evaluations"] = s.counters.jacobian_evaluations;
  j["factorisations"] = s.counters.factorisations;
  j["newton_iterations"] = s.counters.newton_iterations;
  j["output_evaluations"] = s.output_evaluations;
  j["reading_evaluations"] = s.reading_evaluations;
  j["projections"] = s.projections;
  j["projection_evaluations"] = s.projection_evaluations;
  j["max_constraint"] = number("max_constraint", s.max_constraint);
  j["max_velocity_constraint"] = number("max_velocity_constraint", s.max_velocity_constraint);
  j["max_stretch"] = number("max_stretch", s.max_stretch);
  // some readings know no potential energy
  j["energy_start"] = std::isnan(s.energy_start) ? Json{} : number("energy_start", s.energy_start);
  j["energy_end"] = std::isnan(s.energy_end) ? Json{} : number("energy_end", s.energy_end);
  j["energy_error"] = s.energy_error ? number("energy_error", *s.energy_error) : Json{};
  j["invariant_errors"] = number("change", s.invariant_errors);
  j["error_estimate"] = errors_json(s, number);
  j["no_error_estimate"] = s.no_error_estimate;
  j["statistics"] = statistics_json(s);
  j["redundant"] = s.redundant;
  j["start"]["moved"] = moved_json(s.moved, number);
  j["events"] = events_json(s, number);
  return summary_text(std::move(j), s, notes);
}

std::string write_summary_json(const Summary& summary, const std::filesystem::path& file) {
  return write_file(file, summary_json(summary));
}

}  // namespace taut
