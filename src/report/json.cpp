// SPDX-License-Identifier: BSD-3-Clause
#include "report/json.hpp"

#include <cmath>

#include "core/notes.hpp"

namespace taut {

Json NamedNumbers::operator()(const std::string& where, double value) {
  if (std::isfinite(value)) return value;
  notes_.push_back(note<notes::not_finite>(where, value));
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
  if (bad > 0) notes_.push_back(note<notes::values_not_finite>(where, bad, values.size()));
  return object;
}

Json NamedNumbers::operator()(const std::string& where,
                              const std::vector<std::pair<std::string, double>>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values)
    add_entry(object, name, (*this)(where + " of " + name, value));
  return object;
}

void add_notes(const std::vector<Note>& notes, Json& j) {
  Json codes = Json::array();
  for (const Note& note : notes) {
    Json& one = codes.emplace_back(Json{{"code", note.code()}});
    for (const auto& [key, value] : note.values())
      one[key] = std::visit(
          [](const auto& plain) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(plain)>, Status>)
              return name(plain);
            else
              return plain;
          },
          value);
  }
  j["note_codes"] = std::move(codes);
  j["notes"] = texts(notes);
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
