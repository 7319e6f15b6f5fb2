// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "taut/run/summary.hpp"

namespace taut {

using Json = nlohmann::ordered_json;

/// Adds an entry that is known to be new. Json's own operator[] looks through all entries before,
/// which is quadratic in the number of coordinates.
inline void add_entry(Json& object, std::string key, Json value) {
  using Entries = Json::object_t::Container;
  static_cast<Entries&>(object.get_ref<Json::object_t&>())
      .emplace_back(std::move(key), std::move(value));
}

/// Numbers by name; those that are not finite are null and said in the notes.
class NamedNumbers {
 public:
  explicit NamedNumbers(std::vector<Note>& notes) : notes_{notes} {}

  Json operator()(const std::string& where, double value);
  Json operator()(const std::string& where, const std::vector<std::string>& names,
                  const Vec& values);
  Json operator()(const std::string& where,
                  const std::vector<std::pair<std::string, double>>& values);

 private:
  std::vector<Note>& notes_;
};

/// `note_codes`, what there is to say as codes with their values, and `notes`, in sentences.
void add_notes(const std::vector<Note>& notes, Json& j);

/// {q, v, distance, velocity_distance}
Json moved_json(const Moved& moved, NamedNumbers& number);

/// As text; a name that is not UTF-8 gets replacement characters instead of an exception.
inline std::string text(const Json& json, int indent = 2) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace taut
