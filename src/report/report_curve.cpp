// SPDX-License-Identifier: BSD-3-Clause
// The report of a run along a curve.
#include <fmt/format.h>

#include "report/report_page.hpp"

namespace taut {
namespace {

// p, unknowns, residuals and steps
void fill_table(const CurveRecord& run, PageTable& table) {
  const CurveMotion& motion = run.motion;
  const std::size_t m = motion.coordinates.size(), others = motion.unknowns.size();
  const Extremes& extremes = motion.extremes;
  table.rows = motion.rows();
  table.banded = !extremes.empty();
  const auto column = [&](const std::string& name, Strided data, std::size_t extreme) {
    PageColumn made{.name = name, .data = data};
    if (!extremes.empty()) {
      made.low = {extremes.low.data() + extreme, motion.width()};
      made.high = {extremes.high.data() + extreme, motion.width()};
    }
    return made;
  };
  table.add({.name = "s", .data = {motion.s.data()}, .needed = true}, false);
  table.groups.push_back({"coordinates", "Coordinates", "linear", "", {}});
  for (std::size_t i = 0; i < m; ++i)
    table.add(column(motion.coordinates[i], {motion.p.data() + i, m}, i));
  table.groups.push_back({"unknowns", "Other unknowns", "linear", "", {}});
  for (std::size_t i = 0; i < others; ++i)
    table.add({.name = motion.unknowns[i], .data = {motion.unknown.data() + i, others}});
  if (run.summary.equations > 0) {
    table.groups.push_back({"residuals", "How well the equations are kept", "log", "", {}});
    table.add({.name = "max |f|", .data = {motion.max_equation.data()}});
  }
  if (run.summary.step > 0.0 || table.rows < 2) return;
  table.groups.push_back({"step", "Step size", "log", "", {}});
  table.add(column("step", {motion.step.data()}, m));
}

Json events_of(const CurveSummary& summary) {
  Json list = Json::array();
  for (const ImpassePoint& point : summary.impasse_points) {
    if (list.size() == most_events) break;
    list.push_back(
        {{"name", fmt::format("impasse point, {} = {:.6g}: {}", summary.coordinates.front(),
                              point.p[0], name(point.kind))},
         {"at", point.s},
         {"kind", "impasse"}});
  }
  for (const CurveEventRecord& event : summary.events) {
    if (list.size() >= most_events && !event.stops) continue;
    list.push_back(
        {{"name", event.name}, {"at", event.s}, {"kind", event.stops ? "stop" : "event"}});
  }
  return list;
}

void shorten(CurveSummary& summary) {
  summary.coordinates.clear();
  summary.p.resize(0);
  summary.V.resize(0);
  summary.unknowns.clear();
  summary.events.clear();
  summary.impasse_points.clear();
  summary.moved.clear();
  summary.taken.clear();
  summary.found.clear();
}

}  // namespace

PageText report_data(const CurveRecord& run, double share) {
  const CurveMotion& motion = run.motion;
  const CurveSummary& summary = run.summary;
  PageTable table;
  fill_table(run, table);
  const CurveMarks marks = marks_of(run);
  ReportParts parts;
  parts.share = share;
  parts.title = summary.model;
  parts.summary = page_summary(summary, [](CurveSummary& brief) { shorten(brief); });
  parts.words = report_words(run, marks);
  parts.verdicts = report_verdicts(run, marks);
  parts.events = events_of(summary);
  if (const std::size_t all = summary.events.size() + summary.impasse_points.size();
      parts.events.size() < all)
    parts.words.doubt.push_back(fmt::format("The page shows {} of {} events and impasse points.",
                                            parts.events.size(), all));
  parts.axis = {{"name", "s"}, {"unit", ""}};
  parts.steps = summary.counters.steps - summary.counters.rejected;
  if (!motion.extremes.empty())
    parts.between = fmt::format(
        "The run took {} steps; {} points are rows. Bands show the least and the greatest values "
        "at the steps since the row before.",
        parts.steps, motion.rows());
  return report_page(parts, run.subject, table, [&] {
    Json rest;
    rest["loads"] = Json::array();
    rest["scene"] = nullptr;
    // x against the first unknown
    rest["portrait"] = {{"x", motion.coordinates.empty() ? 0 : 1},
                        {"y", motion.coordinates.size() < 2 ? 0 : 2},
                        {"z", nullptr}};
    return rest;
  });
}

}  // namespace taut
