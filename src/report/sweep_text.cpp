// SPDX-License-Identifier: BSD-3-Clause
// CSV, JSON and HDF5 of a sweep of runs.
#include <fmt/format.h>

#include <cmath>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/page.hpp"
#include "report/sweep_fields.hpp"
#include "run/atomic_file.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/sweep.hpp"

namespace taut {
namespace {

Json failure_json(const RunSweep& sweep, std::size_t k) {
  const SweptRun& run = sweep.runs[k];
  return {
      {"index", k}, {"values", sweep.values(k)}, {"status", run.status}, {"reason", run.reason}};
}

}  // namespace

std::string sweep_json(const RunSweep& sweep, const SweepOrigin& origin) {
  Json j = sweep_head(origin);
  j["status"] = name(sweep.status);
  if (sweep.status != Status::ok) {
    j["reason"] = sentence(sweep.status);
    j["hint"] = hint(sweep.status);
  }
  j["model"] = origin.model;
  j["reading"] = origin.reading;
  j["method"] = sweep.method();
  j["axes"] = axes_json(axes_of(sweep));
  if (!sweep.points.empty()) j["points"] = sweep.points;
  j["measures"] = Json::array();
  for (std::size_t m = 0; m < sweep.measures.size(); ++m) {
    Json values = Json::array();
    for (const SweptRun& run : sweep.runs)
      values.push_back(m < run.measures.size() ? number_or_null(run.measures[m]) : Json{});
    j["measures"].push_back({{"name", sweep.measures[m]}, {"values", std::move(values)}});
  }
  j["statuses"] = Json::array();
  j["failures"] = Json::array();
  for (std::size_t k = 0; k < sweep.runs.size(); ++k) {
    const SweptRun& run = sweep.runs[k];
    j["statuses"].push_back(run.finished() ? Json(run.status) : Json{});
    if (run.finished() && run.failed()) j["failures"].push_back(failure_json(sweep, k));
  }
  FailureGroups groups;
  for (std::size_t k = 0; k < sweep.runs.size(); ++k)
    if (sweep.runs[k].finished() && sweep.runs[k].failed())
      groups.add(k, sweep.runs[k].status, sweep.runs[k].reason);
  j["failure_groups"] =
      failure_groups_json(groups.groups(), [&](std::size_t k) { return sweep.values(k); });
  j["runs"] = sweep.runs.size();
  j["finished"] = sweep.finished;
  j["failed"] = sweep.failed;
  j["resumed"] = sweep.resumed;
  j["seconds"] = sweep.seconds;
  j["threads"] = sweep.threads;
  if (!sweep.device.empty()) {
    j["device"] = sweep.device;
    j["left_by_device"] = sweep.left_by_device;
  }
  if (!sweep.note.empty()) j["note"] = worded(sweep.note);
  return text(j, -1);
}

std::string write_sweep_csv(const RunSweep& sweep, const std::string& file) {
  std::string text;
  for (const SweepAxis& axis : sweep.axes) text += csv_field(axis.parameter) + ',';
  text += "status";
  for (const std::string& measure : sweep.measures) text += ',' + csv_field(measure);
  text += ",reason\n";
  for (std::size_t k = 0; k < sweep.runs.size(); ++k) {
    const SweptRun& run = sweep.runs[k];
    if (!run.finished()) continue;
    text += fmt::format("{},{},{},{}\n", fmt::join(sweep.values(k), ","), run.status,
                        fmt::join(run.measures, ","),
                        run.failed() ? csv_field(run.reason) : std::string{});
  }
  return write_file(file, text);
}

std::string write_sweep_html(const RunSweep& sweep, const SweepOrigin& origin,
                             const std::string& file) {
  return write_file(file, page_html(Page::sweep, origin.model, sweep_json(sweep, origin)));
}

}  // namespace taut
