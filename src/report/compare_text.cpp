// SPDX-License-Identifier: BSD-3-Clause
// JSON and CSV of a comparison.
#include <fmt/format.h>

#include <cmath>

#include "report/json.hpp"
#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/compare.hpp"

namespace taut {
namespace {

Json known(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

std::string_view name(Comparison::Ending ending) {
  switch (ending) {
    case Comparison::Ending::done:
      return "done";
    case Comparison::Ending::cancelled:
      return "cancelled";
    case Comparison::Ending::no_reference:
      break;
  }
  return "no_reference";
}

Json point_json(const ComparePoint& p) {
  Json j;
  if (p.step > 0.0)
    j["step"] = p.step;
  else
    j["tol"] = p.tol;
  j["status"] = name(p.status);
  j["message"] = p.message;
  j["error"] = known(p.error.q);
  j["velocity_error"] = known(p.error.v);
  j["multiplier_error"] = known(p.error.lambda);
  j["below_uncertainty"] = p.below_uncertainty;
  j["force_evaluations"] = p.force_evaluations;
  j["jacobian_evaluations"] = p.counters.jacobian_evaluations;
  j["factorisations"] = p.counters.factorisations;
  j["newton_iterations"] = p.counters.newton_iterations;
  j["steps"] = p.counters.steps;
  j["rejected"] = p.counters.rejected;
  j["seconds"] = p.seconds;
  return j;
}

Json method_json(const ComparedMethod& m) {
  Json j;
  j["name"] = m.info.name;
  j["about"] = m.info.about;
  j["order"] = m.info.order;
  j["adaptive"] = m.info.adaptive;
  j["implicit"] = m.info.derivatives;
  j["symmetric"] = m.info.symmetric;
  j["symplectic"] = m.info.symplectic;
  j["order_seen"] = m.order ? Json(*m.order) : Json{};
  j["best_error"] = m.best_error() ? Json(*m.best_error()) : Json{};
  j["reaches"] = Json::array();
  for (std::size_t level = 0; level < compare_levels.size(); ++level) {
    const std::optional<CompareReach>& cost = m.reaches[level];
    j["reaches"].push_back({{"error", compare_levels[level]},
                            {"seconds", cost ? Json(cost->seconds) : Json{}},
                            {"force_evaluations", cost ? Json(cost->force_evaluations) : Json{}}});
  }
  j["note"] = m.note.text();
  j["cut"] = m.cut;
  j["points"] = Json::array();
  for (const ComparePoint& point : m.points) j["points"].push_back(point_json(point));
  return j;
}

Json fastest_json(const CompareFastest& f) {
  const bool found = !f.method.empty(), second = !f.next.empty();
  return {{"error", f.error},
          {"method", found ? Json(f.method) : Json{}},
          {"seconds", found ? Json(f.cost.seconds) : Json{}},
          {"force_evaluations", found ? Json(f.cost.force_evaluations) : Json{}},
          {"next", second ? Json(f.next) : Json{}},
          {"next_seconds", second ? Json(f.next_cost.seconds) : Json{}},
          {"reason", f.reason}};
}

Json reference_json(const CompareReference& r) {
  return {{"methods", r.methods},
          {"tols", r.tols},
          {"uncertainty", known(r.uncertainty.q)},
          {"velocity_uncertainty", known(r.uncertainty.v)},
          {"multiplier_uncertainty", known(r.uncertainty.lambda)},
          {"converged", r.converged},
          {"note", r.note.text()}};
}

// empty where it is not known
std::string field(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

}  // namespace

std::string compare_json(const Comparison& c, const CompareSubject& subject) {
  Json j;
  j["kind"] = "compare";
  j["version"] = subject.version;
  j["file"] = subject.file;
  j["status"] = name(c.ending);
  if (c.ending != Comparison::Ending::done) {
    j["reason"] = c.reason;
    j["hint"] = c.hint;
  }
  j["model"] = subject.model;
  j["reading"] = subject.reading;
  j["from"] = c.from;
  j["until"] = c.until;
  j["times"] = c.times;
  j["start"] = subject.start;
  j["error"] = {{"about",
                 "largest difference from the reference at these times in the mass metric, divided "
                 "by the largest distance of the motion from its start; of velocities by the "
                 "largest speed; of multipliers by their largest norm"},
                {"size", known(c.size)},
                {"speed", known(c.speed)},
                {"multiplier", known(c.load)}};
  j["reference"] = reference_json(c.reference);
  j["methods"] = Json::array();
  for (const ComparedMethod& method : c.methods) j["methods"].push_back(method_json(method));
  j["left_out"] = Json::array();
  for (const auto& [method, reason] : c.left_out)
    j["left_out"].push_back({{"name", method}, {"reason", reason.text()}});
  j["fastest"] = Json::array();
  for (const CompareFastest& fastest : c.fastest) j["fastest"].push_back(fastest_json(fastest));
  j["automatic"] = c.automatic;
  j["advice"] = c.advice;
  add_notes(c.notes, j);
  return text(j);
}

std::string compare_csv(const Comparison& c) {
  std::string text =
      "method,tol,step,status,error,velocity_error,multiplier_error,below_uncertainty,"
      "force_evaluations,jacobian_evaluations,factorisations,newton_iterations,steps,rejected,"
      "seconds\n";
  for (const ComparedMethod& method : c.methods)
    for (const ComparePoint& p : method.points)
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", method.info.name,
          p.step > 0.0 ? "" : field(p.tol), p.step > 0.0 ? field(p.step) : "", name(p.status),
          field(p.error.q), field(p.error.v), field(p.error.lambda), p.below_uncertainty ? 1 : 0,
          p.force_evaluations, p.counters.jacobian_evaluations, p.counters.factorisations,
          p.counters.newton_iterations, p.counters.steps, p.counters.rejected, p.seconds);
  return text;
}

std::string write_compare_html(const Comparison& comparison, const CompareSubject& subject,
                               const std::string& file) {
  return write_file(file, page_html(Page::compare, subject.model + ": methods compared",
                                    compare_json(comparison, subject)));
}

std::string write_compare_json(const Comparison& comparison, const CompareSubject& subject,
                               const std::string& file) {
  return write_file(file, compare_json(comparison, subject));
}

std::string write_compare_csv(const Comparison& comparison, const std::string& file) {
  return write_file(file, compare_csv(comparison));
}

}  // namespace taut
