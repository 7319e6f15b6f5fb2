// SPDX-License-Identifier: BSD-3-Clause
#include "taut/report/sensitivity.hpp"

#include <cmath>

#include "report/json.hpp"
#include "run/atomic_file.hpp"

namespace taut {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

/// Row i of a matrix of derivatives, by what the motion is differentiated by.
Json by_names(const Mat& of, Index i, const std::vector<std::string>& names) {
  Json json = Json::object();
  for (std::size_t j = 0; j < names.size(); ++j)
    add_entry(json, names[j], number(of(i, static_cast<Index>(j))));
  return json;
}

Json rows(const std::vector<std::string>& what, const Mat& of, const std::vector<std::string>& by) {
  Json json = Json::object();
  for (std::size_t i = 0; i < what.size() && static_cast<Index>(i) < of.rows(); ++i)
    add_entry(json, what[i], by_names(of, static_cast<Index>(i), by));
  return json;
}

}  // namespace

std::string sensitivity_json(const DifferentiatedRun& run) {
  const Sensitivities& s = run.sensitivities;
  const Motion& motion = run.result.motion;
  Json json;
  json["status"] = name(s.status);
  json["message"] = s.message;
  json["method"] = s.method;
  json["by"] = s.names;
  json["t"] = number(run.result.summary.state.t);
  json["q"] = rows(motion.coordinates, s.end.q, s.names);
  json["v"] = rows(motion.velocities, s.end.v, s.names);
  json["lambda"] = rows(motion.constraints, s.end.lambda, s.names);
  std::vector<std::string> shown;  // outputs of the model, then quantities
  for (const std::string& output : motion.outputs)
    if (shown.size() + motion.quantities.size() < static_cast<std::size_t>(s.end.quantity.rows()))
      shown.push_back(output);
  shown.insert(shown.end(), motion.quantities.begin(), motion.quantities.end());
  json["outputs"] = rows(shown, s.end.quantity, s.names);
  Json events = Json::array();
  for (const EventSensitivity& event : s.events) {
    Json one;
    one["name"] = event.name;
    one["t"] = event.t;
    Json time = Json::object();
    for (std::size_t j = 0; j < s.names.size(); ++j)
      add_entry(time, s.names[j], number(event.time[static_cast<Index>(j)]));
    one["d(t)"] = std::move(time);
    one["q"] = rows(motion.coordinates, event.q, s.names);
    one["v"] = rows(motion.velocities, event.v, s.names);
    events.push_back(std::move(one));
  }
  json["events"] = std::move(events);
  return text(json);
}

std::string write_sensitivity_json(const DifferentiatedRun& run, const std::string& file) {
  return write_file(file, sensitivity_json(run));
}

}  // namespace taut
