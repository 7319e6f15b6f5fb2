// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include <fmt/format.h>

#include "report/csv.hpp"
#include "report/json.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/optimize.hpp"

namespace taut {
namespace {

Json known(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

Json bounds_of(const Optimum& optimum, const DesignPoint& point) {
  Json all = Json::array();
  for (std::size_t i = 0; i < optimum.subject_to.size(); ++i) {
    const DesignBound& bound = optimum.subject_to[i];
    const auto at = static_cast<Index>(i);
    const bool has = point.measured.size() > at;
    all.push_back({{"measure", bound.measure.text},
                   {"below", bound.below},
                   {"bound", bound.bound},
                   {"value", has ? known(point.measured[at]) : Json{}},
                   {"price", has ? known(point.prices[at]) : Json{}}});
  }
  return all;
}

}  // namespace

std::string optimum_json(const Optimum& optimum) {
  Json json;
  const bool any = !optimum.points.empty();
  json["status"] = any ? name(optimum.point().status) : name(Status::not_supported);
  json["message"] = any ? optimum.point().message : "";
  json["objective"] = optimum.objective;
  json["maximize"] = optimum.maximize;
  json["before"] = known(optimum.before);
  json["value"] = any ? known(optimum.point().objective) : Json{};
  Json variables = Json::object();
  for (std::size_t i = 0; any && i < optimum.variables.size(); ++i) {
    const DesignVariable& one = optimum.variables[i];
    const auto at = static_cast<Index>(i);
    const double value = optimum.point().value[at];
    add_entry(variables, one.name,
              {{"start", optimum.points[0].start[at]},
               {"value", value},
               {"lower", known(one.lower)},
               {"upper", known(one.upper)},
               {"at_bound", value <= one.lower || value >= one.upper}});
  }
  json["variables"] = std::move(variables);
  json["subject_to"] = any ? bounds_of(optimum, optimum.point()) : Json::array();
  json["best"] = optimum.best;
  Json starts = Json::array();
  for (const DesignPoint& point : optimum.points) {
    Json one;
    one["status"] = name(point.status);
    one["message"] = point.message;
    one["start"] = std::vector<double>(point.start.begin(), point.start.end());
    one["value"] = std::vector<double>(point.value.begin(), point.value.end());
    one["objective"] = known(point.objective);
    one["violation"] = known(point.violation);
    one["iterations"] = point.iterations;
    one["runs"] = point.runs;
    one["objectives"] = point.objectives;
    one["violations"] = point.violations;
    starts.push_back(std::move(one));
  }
  json["starts"] = std::move(starts);
  return text(json);
}

std::string write_optimum_json(const Optimum& optimum, const std::string& file) {
  return write_file(file, optimum_json(optimum));
}

std::string write_optimum_csv(const Optimum& optimum, const std::string& file) {
  std::string all = "start,status,objective,violation,iterations,runs";
  for (const DesignVariable& one : optimum.variables)
    all += "," + csv_field(one.name + " start") + "," + csv_field(one.name);
  for (const DesignBound& one : optimum.subject_to) all += "," + csv_field(one.measure.text);
  all += '\n';
  for (std::size_t k = 0; k < optimum.points.size(); ++k) {
    const DesignPoint& point = optimum.points[k];
    all += fmt::format("{},{},{},{},{},{}", k, name(point.status), point.objective, point.violation,
                       point.iterations, point.runs);
    for (Index i = 0; i < point.start.size(); ++i)
      all += fmt::format(",{},{}", point.start[i], point.value[i]);
    for (std::size_t i = 0; i < optimum.subject_to.size(); ++i)
      all += point.measured.size() > 0 ? fmt::format(",{}", point.measured[static_cast<Index>(i)])
                                       : std::string{","};
    all += '\n';
  }
  return write_file(file, all);
}

}  // namespace taut
