// SPDX-License-Identifier: BSD-3-Clause
// CSV and JSON of a sweep.
#include <fmt/format.h>

#include <cmath>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/sweep_fields.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/stability.hpp"

namespace taut {
namespace {

std::string_view verdict(const SweepPoint& point) {
  return point.exists ? name(point.equilibrium.stability) : "none";
}

// a parameter may change how many coordinates there are
bool has_all(const StabilitySweep& sweep, const Equilibrium& e) {
  return static_cast<std::size_t>(e.q.size()) == sweep.coordinates.size();
}

Json border_json(const SweepBorder& border, const std::vector<SweepAxis>& axes) {
  Json j;
  for (std::size_t i = 0; i < axes.size(); ++i) j[axes[i].parameter] = border.values[i];
  j["uncertainty"] = border.uncertainty;
  j["along"] = axes[static_cast<std::size_t>(border.axis)].parameter;
  j["stable"] = border.stable_above ? "above" : "below";
  return j;
}

Json point_json(const SweepPoint& point, const StabilitySweep& sweep, NamedNumbers& number) {
  Json j, values = Json::object();
  for (std::size_t i = 0; i < sweep.axes.size(); ++i)
    values[sweep.axes[i].parameter] = point.values[i];
  j["parameters"] = std::move(values);
  j["stability"] = verdict(point);
  if (!point.exists) {
    j["reason"] = point.reason;
    return j;
  }
  const Equilibrium& e = point.equilibrium;
  j["q"] = has_all(sweep, e) ? number("q", sweep.coordinates, e.q) : Json{};
  j["frequencies"] = e.omega;
  j["growth"] = number("growth", e.growth);
  j["softest"] = std::isinf(e.softest) ? Json{} : number("softest", e.softest);
  j["softest_error"] = number("softest_error", e.softest_error);
  j["jumped"] = point.jumped;
  return j;
}

// what a page draws, as it does measures of runs
Json measures_json(const StabilitySweep& sweep) {
  Json stable = Json::array(), lowest = Json::array(), growth = Json::array();
  for (const SweepPoint& point : sweep.points) {
    const Equilibrium& e = point.equilibrium;
    const bool decided = point.exists && e.stability != Stability::undecided;
    stable.push_back(decided ? Json(e.stability == Stability::stable ? 1 : 0) : Json{});
    lowest.push_back(point.exists ? number_or_null(e.omega.empty() ? 0.0 : e.omega.back())
                                  : Json{});
    growth.push_back(point.exists ? number_or_null(e.growth) : Json{});
  }
  return {{{"name", "stable"}, {"values", std::move(stable)}},
          {{"name", "lowest omega"}, {"values", std::move(lowest)}},
          {{"name", "growth"}, {"values", std::move(growth)}}};
}

void add_failures(const StabilitySweep& sweep, Json& j) {
  j["statuses"] = Json::array();
  j["failures"] = Json::array();
  for (std::size_t k = 0; k < sweep.points.size(); ++k) {
    const SweepPoint& point = sweep.points[k];
    j["statuses"].push_back(verdict(point));
    if (!point.exists)
      j["failures"].push_back({{"index", k},
                               {"values", point.values},
                               {"status", verdict(point)},
                               {"reason", point.reason}});
  }
  j["runs"] = j["finished"] = sweep.points.size();
  j["failed"] = sweep.without;
}

}  // namespace

std::string sweep_json(const StabilitySweep& sweep, const SweepOrigin& origin) {
  std::vector<Note> notes;
  NamedNumbers number{notes};
  Json j = sweep_head(origin);
  j["status"] = name(sweep.status);
  if (sweep.status != Status::ok) {
    j["reason"] = sweep.reason;
    j["hint"] = "look near another state, farther away, or at other values";
  }
  j["model"] = origin.model;
  j["reading"] = origin.reading;
  j["method"] = "";
  j["axes"] = axes_json(sweep.axes);
  j["measures"] = measures_json(sweep);
  add_failures(sweep, j);
  j["measure"] = "stable";
  j["vary"] = Json::array();
  for (const SweepAxis& axis : sweep.axes)
    j["vary"].push_back({{"parameter", axis.parameter},
                         {"first", axis.first},
                         {"last", axis.last},
                         {"points", axis.points}});
  j["border"] = Json::array();
  for (const SweepBorder& border : sweep.borders)
    j["border"].push_back(border_json(border, sweep.axes));
  j["without_equilibrium"] = sweep.without;
  j["jumps"] = sweep.jumps;
  j["points"] = Json::array();
  for (const SweepPoint& point : sweep.points)
    j["points"].push_back(point_json(point, sweep, number));
  add_notes(notes, j);
  return text(j);
}

std::string write_sweep_csv(const StabilitySweep& sweep, const std::string& file) {
  std::string text;
  for (const SweepAxis& axis : sweep.axes) text += csv_field(axis.parameter) + ',';
  text += "stability,softest,softest_error,slowest,growth";
  for (const std::string& coordinate : sweep.coordinates) text += ',' + csv_field(coordinate);
  text += '\n';
  for (const SweepPoint& point : sweep.points) {
    const Equilibrium& e = point.equilibrium;
    text += fmt::format("{},{}", fmt::join(point.values, ","), verdict(point));
    if (point.exists)
      text += fmt::format(",{},{},{},{}", e.softest, e.softest_error,
                          e.omega.empty() ? 0.0 : e.omega.back(), e.growth);
    else
      text.append(4, ',');
    if (point.exists && has_all(sweep, e))
      for (const double q : e.q) text += fmt::format(",{}", q);
    else
      text.append(sweep.coordinates.size(), ',');
    text += '\n';
  }
  for (const SweepBorder& border : sweep.borders) {
    text += fmt::format("{},border", fmt::join(border.values, ","));
    text.append(4 + sweep.coordinates.size(), ',');
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_sweep_html(const StabilitySweep& sweep, const SweepOrigin& origin,
                             const std::string& file) {
  return write_file(file, page_html(Page::sweep, origin.model, sweep_json(sweep, origin)));
}

}  // namespace taut
