// SPDX-License-Identifier: BSD-3-Clause
#include "taut/report/gradient.hpp"

#include <cmath>

#include "report/json.hpp"
#include "run/atomic_file.hpp"

namespace taut {
namespace {

Json known(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

}  // namespace

std::string gradient_json(const Gradient& gradient) {
  Json json;
  json["status"] = name(gradient.status);
  json["message"] = gradient.message;
  json["method"] = gradient.method;
  json["by"] = gradient.names;
  Json measures = Json::object();
  const bool any = gradient.by.rows() == static_cast<Index>(gradient.measures.size());
  for (std::size_t k = 0; any && k < gradient.measures.size(); ++k) {
    const auto row = static_cast<Index>(k);
    Json by = Json::object();
    for (std::size_t j = 0; j < gradient.names.size(); ++j)
      add_entry(by, gradient.names[j], known(gradient.by(row, static_cast<Index>(j))));
    Json one;
    one["value"] = known(gradient.value[row]);
    one["gradient"] = std::move(by);
    one["until"] = known(gradient.by_until[row]);
    if (k < gradient.curve.size()) {
      Json curves = Json::object();
      for (std::size_t j = 0; j < gradient.names.size(); ++j) {
        const Vec curve = gradient.curve[k].col(static_cast<Index>(j));
        Json numbers = Json::array();
        for (const double value : curve) numbers.push_back(known(value));
        add_entry(curves, gradient.names[j], std::move(numbers));
      }
      one["curve"] = std::move(curves);
    }
    add_entry(measures, gradient.measures[k], std::move(one));
  }
  json["measures"] = std::move(measures);
  if (!gradient.curve.empty()) json["t"] = gradient.t;
  json["steps"] = gradient.steps;
  json["steps_back"] = gradient.steps_back;
  json["repeated"] = gradient.repeated;
  return text(json);
}

std::string write_gradient_json(const Gradient& gradient, const std::string& file) {
  return write_file(file, gradient_json(gradient));
}

}  // namespace taut
