// SPDX-License-Identifier: BSD-3-Clause
// JSON, CSV and the page of sections.
#include <fmt/format.h>

#include "report/csv.hpp"
#include "report/json_numbers.hpp"
#include "report/page.hpp"
#include "run/atomic_file.hpp"
#include "taut/report/section.hpp"
#include "taut/version.hpp"

namespace taut {

std::string section_json(const Section& section, const Result& result) {
  Json columns = Json::object();
  const auto add = [&](const std::vector<std::string>& names, const Mat& values) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      Json column = Json::array();
      for (const double x : values.col(static_cast<Index>(k))) column.push_back(number_of(x));
      add_entry(columns, names[k], std::move(column));
    }
  };
  add(section.coordinates, section.q);
  add(section.velocities, section.v);
  Json j;
  j["model"] = result.plan->prepared.model.name;
  j["reading"] = result.plan->prepared.reading.name();
  j["method"] = result.summary.method;
  j["version"] = version();
  j["section"] = {{"zero", section.zero}, {"t", section.t}, {"columns", std::move(columns)}};
  return text(j, -1);
}

std::string write_section_csv(const Section& section, const std::string& file) {
  std::string text = "t";
  for (const auto* names : {&section.coordinates, &section.velocities})
    for (const std::string& one : *names) text += ',' + csv_field(one);
  text += '\n';
  for (std::size_t k = 0; k < section.t.size(); ++k) {
    const auto row = static_cast<Index>(k);
    text += fmt::format("{}", section.t[k]);
    for (const double x : section.q.row(row)) text += fmt::format(",{}", x);
    for (const double x : section.v.row(row)) text += fmt::format(",{}", x);
    text += '\n';
  }
  return write_file(file, text);
}

std::string write_section_html(const Section& section, const Result& result,
                               const std::string& file) {
  return write_file(file, page_html(Page::signals, result.plan->prepared.model.name + ": section",
                                    section_json(section, result)));
}

}  // namespace taut
