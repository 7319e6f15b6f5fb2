// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace taut {

Json NamedNumbers::operator()(const std::string& where, double value) {
  if (std::isfinite(value)) return value;
  notes_.push_back(fmt::format("{} is not finite ({})", where, value));
  return nullptr;
}

Json NamedNumbers::operator()(const std::string& where, const std::vector<std::string>& names,
                              const Vec& values) {
  Json object = Json::object();
  Index bad = 0;
  for (Index i = 0; i < values.size(); ++i) {
    const bool good = std::isfinite(values[i]);
    bad += good ? 0 : 1;
    add_entry(object, names[static_cast<std::size_t>(i)], good ? Json(values[i]) : Json{});
  }
  if (bad > 0)
    notes_.push_back(fmt::format("{}: {} of {} values are not finite", where, bad, values.size()));
  return object;
}

Json NamedNumbers::operator()(const std::string& where,
                              const std::vector<std::pair<std::string, double>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values)
    add_entry(object, name, (*this)(where + " of " + name, value));
  return object;
}

Json moved_json(const Moved& moved, NamedNumbers& number) {
  Json j;
  j["q"] = number("change of q", moved.q);
  j["v"] = number("change of v", moved.v);
  j["distance"] = number("distance", moved.distance);
  j["velocity_distance"] = number("velocity_distance", moved.velocity_distance);
  return j;
}

}  // namespace taut
