// SPDX-License-Identifier: BSD-3-Clause
// CSV and JSON of what a run along a curve found.
#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

Json finite_numbers(const std::vector<double>& column, std::size_t first, std::size_t stride) {
  Json list = Json::array();
  for (std::size_t i = first; i < column.size(); i += stride)
    list.push_back(std::isfinite(column[i]) ? Json(column[i]) : Json{});
  return list;
}

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

std::string write_motion_csv(const CurveMotion& motion, const std::filesystem::path& file) {
  AtomicFile atomic{file};
  {
    std::ofstream out{atomic.part(), std::ios::binary};
    out << 's';
    for (const std::string& name : motion.coordinates) out << ',' << csv_field(name);
    out << ",max_equation,step";
    for (const std::string& name : motion.unknowns) out << ',' << csv_field(name);
    out << '\n';
    fmt::memory_buffer line;
    const std::size_t width = motion.coordinates.size(), others = motion.unknowns.size();
    for (std::size_t row = 0; row < motion.rows() && out; ++row) {
      line.clear();
      auto end = std::back_inserter(line);
      fmt::format_to(end, FMT_COMPILE("{}"), motion.s[row]);
      for (std::size_t i = 0; i < width; ++i)
        fmt::format_to(end, FMT_COMPILE(",{}"), motion.p[row * width + i]);
      fmt::format_to(end, FMT_COMPILE(",{},{}"), motion.max_equation[row], motion.step[row]);
      for (std::size_t i = 0; i < others; ++i)
        fmt::format_to(end, FMT_COMPILE(",{}"), motion.unknown[row * others + i]);
      line.push_back('\n');
      out.write(line.data(), static_cast<std::streamsize>(line.size()));
    }
    out.close();
    if (!out) return fmt::format("{}: cannot be written", atomic.part().string());
  }
  return atomic.commit();
}

std::string write_motion_json(const CurveMotion& motion, const std::filesystem::path& file) {
  Json j;
  j["s"] = finite_numbers(motion.s, 0, 1);
  j["p"] = Json::object();
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i)
    add_entry(j["p"], motion.coordinates[i],
              finite_numbers(motion.p, i, motion.coordinates.size()));
  j["max_equation"] = finite_numbers(motion.max_equation, 0, 1);
  j["step"] = finite_numbers(motion.step, 0, 1);
  if (!motion.unknowns.empty()) j["unknowns"] = Json::object();
  for (std::size_t i = 0; i < motion.unknowns.size(); ++i)
    add_entry(j["unknowns"], motion.unknowns[i],
              finite_numbers(motion.unknown, i, motion.unknowns.size()));
  return write_file(file, text(j, -1));
}

std::string summary_json(const CurveSummary& s) {
  std::vector<std::string> notes = s.notes;
  NamedNumbers number{notes};
  Json j;
  j["status"] = name(s.status);
  j["message"] = s.message;
  j["hint"] = s.hint;
  j["model"] = s.model;
  j["method"] = "projected-rk";
  j["form"] = s.form;
  j["distribution"] = s.distribution;
  j["reason"] = s.reason;
  j["index"] = s.index ? Json(*s.index) : Json{};
  j["s"] = number("s", s.s);
  j["p"] = number("p", s.coordinates, s.p);
  j["direction"] = number("direction", s.coordinates, s.V);
  j["unknowns"] = number("unknowns", s.unknowns);
  j["step"] = s.step > 0.0 ? number("step", s.step) : Json{};
  j["steps"] = s.counters.steps;
  j["rejected"] = s.counters.rejected;
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
  j["wall_seconds"] = s.wall_seconds;
  j["notes"] = notes;
  return text(j);
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
  std::vector<std::string> notes;
  NamedNumbers number{notes};
  j["p"] = number("p", structure.coordinates, start.p);
  j["direction"] = number("direction", structure.coordinates, start.V);
  j["moved"] = number("moved", start.moved);
  j["distance"] = number("distance", start.distance);
  j["found"] = start.found;
  j["taken"] = number("taken", start.taken);
  j["unknowns"] = number("unknowns", start.unknowns);
  j["iterations"] = start.iterations;
  j["notes"] = notes;
  return text(j);
}

}  // namespace taut
