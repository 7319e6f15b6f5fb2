// SPDX-License-Identifier: BSD-3-Clause
// CSV and JSON of statistics.
#include "report/statistics_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/csv.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/writers.hpp"

namespace taut {
namespace {

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json{}; }

}  // namespace

Json statistic_json(const StatisticResult& statistic) {
  Json j;
  j["kind"] = statistic.kind;
  j["samples"] = statistic.samples;
  // an error that too few samples tell nothing of is null
  for (const auto& [name, value] : statistic.numbers) j[name] = number_json(value);
  return j;
}

std::string statistic_file(const StatisticResult& statistic) { return statistic.name + ".csv"; }

std::string write_statistic_csv(const StatisticResult& statistic, const std::string& file) {
  std::string text;
  for (const auto& [name, column] : statistic.columns) {
    if (!text.empty()) text += ',';
    text += csv_field(name);
  }
  text += '\n';
  const std::size_t rows = statistic.columns.empty() ? 0 : statistic.columns[0].second.size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < statistic.columns.size(); ++k)
      text += fmt::format("{}{}", k == 0 ? "" : ",", statistic.columns[k].second[row]);
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_statistics_json(const std::vector<StatisticResult>& statistics,
                                  const std::string& file) {
  Json all = Json::object();
  for (const StatisticResult& statistic : statistics) {
    Json j = statistic_json(statistic);
    for (const auto& [name, column] : statistic.columns) {
      Json list = Json::array();
      for (const double value : column) list.push_back(number_json(value));
      j["columns"][name] = std::move(list);
    }
    add_entry(all, statistic.name, std::move(j));
  }
  return write_file(file, text(all));
}

}  // namespace taut
