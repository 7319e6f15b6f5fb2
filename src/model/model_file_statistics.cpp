// SPDX-License-Identifier: BSD-3-Clause
#include "model/model_file_statistics.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace taut::model_file {
namespace {

constexpr std::array<std::pair<std::string_view, Statistic::Kind>, 3> kinds{
    {{"histogram", Statistic::Kind::histogram},
     {"radial_distribution", Statistic::Kind::radial_distribution},
     {"autocorrelation", Statistic::Kind::autocorrelation}}};

const auto* find_kind(const Section& section) {
  const auto* const found = std::find_if(
      kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == section.name; });
  return found == kinds.end() ? nullptr : found;
}

}  // namespace

Thermostat make_thermostat(const Fields& fields) {
  return {.temperature = fields.number("temperature", 0.0),
          .friction = fields.number("friction"),
          .drag = fields.number("drag"),
          .seed = fields.number("seed", 1.0),
          .after = fields.number("after", 0.0),
          .position = {}};
}

bool is_statistic(const Section& section) { return find_kind(section) != nullptr; }

Statistic make_statistic(const Section& section, const Fields& fields) {
  return {.kind = find_kind(section)->second,
          .name = fields.text("name"),
          .value = fields.number("value", 0.0),
          .among = fields.names("among"),
          .with = fields.names("with"),
          .from = fields.number("from"),
          .to = fields.number("to"),
          .bins = fields.number("bins", 100.0),
          .lag = fields.number("lag"),
          .every = fields.number("every"),
          .after = fields.number("after", 0.0),
          .position = {}};
}

}  // namespace taut::model_file
