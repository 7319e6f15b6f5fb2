// SPDX-License-Identifier: BSD-3-Clause
// The report of a run along a curve.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/report_page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

constexpr double good_equation = 1e-9, fair_equation = 1e-5;  // marks; see report.hpp
constexpr std::size_t most_happenings = 1000;
constexpr std::size_t most_summary = 300'000;  // bytes

// p, unknowns, residuals and steps
void fill(const CurveMotion& motion, const CurveSummary& summary, PageTable& table) {
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
  if (summary.equations > 0) {
    table.groups.push_back({"residuals", "How well the equations are kept", "log", "", {}});
    table.add({.name = "max |f|", .data = {motion.max_equation.data()}});
  }
  if (summary.step > 0.0 || table.rows < 2) return;
  table.groups.push_back({"step", "Step size", "log", "", {}});
  table.add(column("step", {motion.step.data()}, m));
}

Json happenings(const CurveSummary& summary) {
  Json list = Json::array();
  for (const ImpassePoint& point : summary.impasse_points) {
    if (list.size() == most_happenings) break;
    list.push_back(
        {{"name", fmt::format("impasse point, {} = {:.6g}: {}", summary.coordinates.front(),
                              point.p[0], name(point.kind))},
         {"at", point.s},
         {"kind", "impasse"}});
  }
  for (const CurveEventRecord& event : summary.events) {
    if (list.size() >= most_happenings && !event.stops) continue;
    list.push_back(
        {{"name", event.name}, {"at", event.s}, {"kind", event.stops ? "stop" : "event"}});
  }
  return list;
}

std::string summary_text(const CurveSummary& summary) {
  std::string text = summary_json(summary);
  if (text.size() <= most_summary) return text;
  CurveSummary brief = summary;
  brief.coordinates.clear();
  brief.p.resize(0);
  brief.V.resize(0);
  brief.unknowns.clear();
  brief.events.clear();
  brief.impasse_points.clear();
  brief.moved.clear();
  brief.taken.clear();
  brief.found.clear();
  brief.notes.emplace_back("lists of names are left out here: they are in summary.json");
  return summary_json(brief);
}

}  // namespace

ReportWords report_words(const CurveMotion& motion, const CurveSummary& summary,
                         const ReportSubject& subject) {
  ReportWords words;
  const std::string x = summary.coordinates.empty() ? "x" : isolated(summary.coordinates.front());
  words.what.push_back(fmt::format(
      "{}: equations between unknowns and their derivatives{}.",
      summary.model.empty() ? "The model" : fmt::format("\"{}\"", isolated(summary.model)),
      summary.index ? fmt::format(", of index {}", *summary.index) : std::string{}));
  if (const std::size_t m = motion.coordinates.size(); motion.rows() > 0)
    words.what.push_back(
        fmt::format("Their solution was followed as a curve of {} from {} = {:.6g} to {} = {:.6g}, "
                    "over an arc length of {:.6g}.",
                    counted(m, "coordinate"), x, motion.p.front(), x,
                    motion.p[(motion.rows() - 1) * m], motion.s.back()));

  const CurveCounters& cost = summary.counters;
  std::string text = fmt::format("Method projected-rk, form {}", summary.form);
  if (summary.step > 0.0)
    text += fmt::format(", with constant steps of {:.6g}", summary.step);
  else if (subject.tolerance > 0.0)
    text += fmt::format(", with steps chosen for a tolerance of {:.2g}", subject.tolerance);
  if (!summary.reason.empty()) text += fmt::format(" ({})", summary.reason);
  words.how.push_back(text + ".");
  text = counted(static_cast<std::size_t>(cost.steps), "step");
  if (cost.rejected > 0) text += fmt::format(", {} of them rejected", cost.rejected);
  words.how.push_back(text +
                      fmt::format("; {} in {:.2g} s of computing time.",
                                  counted(static_cast<std::size_t>(cost.directions), "direction"),
                                  summary.wall_seconds));
  for (const std::string& note : summary.notes)
    if (!note.starts_with("the motion has one row for"))
      words.how.push_back(as_sentence(without_turns(note)));

  if (summary.equations > 0 && motion.rows() > 0)
    words.well.push_back(
        fmt::format("The equations hold to {:.2g}, which is {:.2g} of their terms.",
                    summary.max_equation, summary.max_relative));
  if (!summary.impasse_points.empty())
    words.well.push_back(
        fmt::format("{} found, where the solution is no function of {}; the first at {} = {:.6g}.",
                    summary.impasse_points.size() == 1
                        ? std::string{"1 impasse point was"}
                        : counted(summary.impasse_points.size(), "impasse point") + " were",
                    x, x, summary.impasse_points.front().p[0]));

  if (summary.max_relative > good_equation)
    words.doubt.push_back(
        fmt::format("Equations hold only to {:.2g} of their terms{}.", summary.max_relative,
                    summary.worst_equation.empty()
                        ? std::string{}
                        : fmt::format(" (worst: {})", isolated(summary.worst_equation))));
  if (summary.step > 0.0)
    words.doubt.push_back(
        fmt::format("With constant steps nothing watches over the error: compare "
                    "with a run of half the step, --step {:.6g}.",
                    summary.step / 2));
  std::vector<std::string> moved;
  for (const auto& [name, by] : summary.moved) moved.push_back(name);
  if (!moved.empty())
    words.doubt.push_back(fmt::format(
        "The start that was given does not satisfy the equations: {} moved.", listed(moved)));
  if (std::any_of(motion.unknown.begin(), motion.unknown.end(),
                  [](double value) { return !std::isfinite(value); }))
    words.doubt.push_back("Some unknowns have no bound at places: they are missing there.");
  return words;
}

std::vector<ReportVerdict> report_verdicts(const CurveSummary& summary) {
  std::vector<ReportVerdict> verdicts{ending_verdict(summary.status)};
  if (summary.equations > 0 && summary.p.size() > 0)
    verdicts.push_back({"equations", judged(summary.max_relative, good_equation, fair_equation),
                        fmt::format("kept to {:.1e} of their terms", summary.max_relative)});
  if (!summary.impasse_points.empty())
    verdicts.push_back(
        {"impasse points", "none", fmt::format("{}", summary.impasse_points.size())});
  return verdicts;
}

std::string report_html(const CurveMotion& motion, const CurveSummary& summary,
                        const ReportSubject& subject) {
  PageTable table;
  fill(motion, summary, table);
  ReportParts parts;
  parts.title = summary.model;
  parts.summary = summary_text(summary);
  parts.words = report_words(motion, summary, subject);
  parts.verdicts = report_verdicts(summary);
  parts.events = happenings(summary);
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
  return report_page(parts, subject, table, [&] {
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

std::string write_report(const CurveMotion& motion, const CurveSummary& summary,
                         const ReportSubject& subject, const std::filesystem::path& file) {
  return write_file(file, report_html(motion, summary, subject));
}

}  // namespace taut
