// SPDX-License-Identifier: BSD-3-Clause
// The report of a run in time.
#include <fmt/format.h>

#include <cmath>

#include "report/report_frequencies.hpp"
#include "report/report_page.hpp"
#include "report/report_run_words.hpp"
#include "report/report_scene.hpp"

namespace taut {
namespace {

constexpr std::size_t most_scene_bytes = 2'000'000;
constexpr std::size_t most_loads = 100;

void shorten(Summary& summary) {
  summary.coordinates.clear();
  summary.velocities.clear();
  summary.constraints.clear();
  summary.state.q.resize(0);
  summary.state.v.resize(0);
  summary.lambda.resize(0);
  summary.moved.q.clear();
  summary.moved.v.clear();
  summary.moved.turned.clear();
  summary.moved.spun.clear();
  summary.redundant.clear();
  summary.events.clear();
  summary.invariant_errors.clear();
  summary.work.clear();
  if (summary.error_estimate) {
    ErrorEstimate& errors = *summary.error_estimate;
    for (Vec* of_each : {&errors.q, &errors.v, &errors.lambda}) of_each->resize(0);
  }
  for (StatisticResult& statistic : summary.statistics) statistic.columns.clear();
}

Json events_of(const Summary& summary, std::vector<std::string>& notes) {
  Json events = Json::array();
  for (const EventRecord& event : summary.events) {
    if (events.size() == most_events && !event.stops) continue;
    events.push_back(
        {{"name", event.name}, {"at", event.state.t}, {"kind", event.stops ? "stop" : "event"}});
  }
  if (events.size() < summary.events.size())
    notes.push_back(fmt::format("The page shows the first {} of {} events.", events.size(),
                                summary.events.size()));
  return events;
}

Json statistics_of(const Summary& summary) {
  Json all = Json::array();
  for (const StatisticResult& statistic : summary.statistics) {
    Json numbers = Json::array(), columns = Json::array();
    numbers.push_back({"samples", statistic.samples});
    for (const auto& [name, value] : statistic.numbers)
      numbers.push_back({name, std::isfinite(value) ? Json(value) : Json{}});
    for (const auto& [name, values] : statistic.columns)
      columns.push_back({{"name", name}, {"data", base64(values)}});
    all.push_back({{"name", statistic.name},
                   {"kind", statistic.kind},
                   {"numbers", std::move(numbers)},
                   {"columns", std::move(columns)}});
  }
  return all;
}

std::string between_rows(const Motion& motion, std::int64_t steps) {
  const Extremes& extremes = motion.extremes;
  if (extremes.empty()) return {};
  return fmt::format(
      "The run took {} steps; {} instants are rows. Bands show the least and the greatest values "
      "since the row before: of coordinates, velocities and step size at every step, of forces, "
      "energy and residuals at {} of the {} steps between rows.",
      steps, motion.rows(), extremes.measured, extremes.steps);
}

Json loads_json(const RunRecord& run, const MotionColumns& columns, const PageTable& table) {
  Json list = Json::array();
  for (const ReportLoad& load : loads(run.motion, run.subject.scene)) {
    if (list.size() == most_loads) break;
    const int place = table.place(columns.lambda[load.row]);
    list.push_back({{"name", load.name},
                    {"column", place >= 0 ? Json(place) : Json{}},
                    {"largest", load.largest},
                    {"at", load.at},
                    {"note", load_note(load, run)}});
  }
  return list;
}

// coordinates against one another; a single one against time
Json portrait(const MotionColumns& columns, const PageTable& table) {
  // first-order states alone have no coordinates
  const auto& all = columns.q.empty() ? columns.v : columns.q;
  const auto place = [&](std::size_t i) {
    return i < all.size() && table.place(all[i]) >= 0 ? Json(table.place(all[i])) : Json{};
  };
  return all.size() < 2 ? Json{{"x", 0}, {"y", place(0)}, {"z", nullptr}}
                        : Json{{"x", place(0)}, {"y", place(1)}, {"z", nullptr}};
}

}  // namespace

PageText report_data(const RunRecord& run, double share) {
  const Summary& summary = run.summary;
  const Scene& scene = run.subject.scene;
  PageTable table;
  const MotionColumns columns = fill_table(run, table);
  SceneText picture{run, columns, table};
  const bool pictured = !scene.empty() && static_cast<double>(picture.bytes()) <=
                                              share * static_cast<double>(most_scene_bytes);
  if (pictured) picture.need();

  const RunMarks marks = marks_of(run);
  ReportParts parts;
  parts.share = share;
  parts.page = pictured && scene.dimension == 3 ? Page::report3d : Page::report;
  parts.title = summary.model;
  parts.summary = page_summary(summary, [](Summary& brief) { shorten(brief); });
  parts.words = report_words(run, marks);
  parts.verdicts = report_verdicts(run, marks);
  parts.events = events_of(summary, parts.words.doubt);
  parts.statistics = statistics_of(summary);
  parts.units = units_of(run.subject);
  parts.axis = {{"name", "t"}, {"unit", parts.units.time}};
  parts.steps = summary.counters.steps - summary.counters.rejected;
  parts.between = between_rows(run.motion, parts.steps);
  parts.later_bytes = pictured ? picture.bytes() : 0;
  if (pictured && !picture.shows_loads())
    parts.words.doubt.push_back(
        "The model is large: its picture has few instants and no colours of loads.");
  if (!scene.empty() && !pictured)
    parts.words.doubt.push_back("The model has too many points for a picture of it in the page.");

  return report_page(parts, run.subject, table, [&] {
    Json rest;
    rest["loads"] = loads_json(run, columns, table);
    rest["frequencies"] = frequencies_of(run.motion);
    rest["scene"] = pictured ? picture() : Json{};
    if (!pictured) rest["portrait"] = portrait(columns, table);
    return rest;
  });
}

}  // namespace taut
