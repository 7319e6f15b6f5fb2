// SPDX-License-Identifier: BSD-3-Clause
// JSON of a run along a curve: its summary and its start.
#include "report/summary_json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

Json impasses_json(const CurveSummary& s, NamedNumbers& number) {
  Json list = Json::array();
  for (const ImpassePoint& point : s.impasse_points)
    list.push_back({{"name", "impasse point"},
                    {"kind", name(point.kind)},
                    {"s", point.s},
                    {"p", number("p at impasse point", s.coordinates, point.p)},
                    {"slope", number("slope at impasse point", point.slope)},
                    {"unbounded", point.unbounded}});
  return list;
}

Json curve_events_json(const CurveSummary& s, NamedNumbers& number) {
  Json list = Json::array();
  for (const CurveEventRecord& event : s.events)
    list.push_back({{"name", event.name},
                    {"s", event.s},
                    {"p", number("p at event " + event.name, s.coordinates, event.p)}});
  return list;
}

}  // namespace

std::string summary_json(const CurveSummary& s) {
  std::vector<Note> notes = s.notes;
  NamedNumbers number{notes};
  Json j = summary_head(s);
  j["method"] = "projected-rk";
  j["form"] = s.form;
  j["distribution"] = s.distribution;
  j["reason"] = s.reason.text();
  j["index"] = s.index ? Json(*s.index) : Json{};
  j["s"] = number("s", s.s);
  j["p"] = number("p", s.coordinates, s.p);
  j["direction"] = number("direction", s.coordinates, s.V);
  j["unknowns"] = number("unknowns", s.unknowns);
  add_steps(s, s.counters, number, j);
  j["directions"] = s.counters.directions;
  j["projections"] = s.counters.projections;
  j["projection_iterations"] = s.counters.iterations;
  j["most_iterations"] = s.counters.most_iterations;
  j["output_evaluations"] = s.output_evaluations;
  j["equations"] = s.equations;
  j["max_equation"] = number("max_equation", s.max_equation);
  j["max_relative_equation"] = number("max_relative_equation", s.max_relative);
  j["worst_equation"] = s.worst_equation;
  j["start"]["moved"] = number("moved", s.moved);
  j["start"]["found"] = s.found;
  j["start"]["taken"] = number("taken", s.taken);
  j["impasse_points"] = impasses_json(s, number);
  j["events"] = curve_events_json(s, number);
  return summary_text(std::move(j), s, notes);
}

std::string write_summary_json(const CurveSummary& summary, const std::filesystem::path& file) {
  return write_file(file, summary_json(summary));
}

std::string start_json(const CurveStructure& structure, const CurveStart& start) {
  Json j;
  j["status"] = name(start.status);
  if (start.status != Status::ok) {
    j["reason"] = start.reason;
    j["hint"] = hint(start.status);
    return text(j);
  }
  std::vector<Note> notes;
  NamedNumbers number{notes};
  j["p"] = number("p", structure.coordinates, start.p);
  j["direction"] = number("direction", structure.coordinates, start.V);
  j["moved"] = number("moved", start.moved);
  j["distance"] = number("distance", start.distance);
  j["found"] = start.found;
  j["taken"] = number("taken", start.taken);
  j["unknowns"] = number("unknowns", start.unknowns);
  j["iterations"] = start.iterations;
  add_notes(notes, j);
  return text(j);
}

}  // namespace taut
