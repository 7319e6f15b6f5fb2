// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "taut/studies/fit.hpp"

namespace taut {
namespace {

/// Fields of a line: separated by commas, some in double quotes, as motions are written.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        fields.back() += line[++i];
      else
        quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) {
    while (!field.empty() && field.back() == ' ') field.pop_back();
    field.erase(0, field.find_first_not_of(' '));
  }
  return fields;
}

}  // namespace

FitSeries read_series(const std::string& file, Problems& problems) {
  FitSeries series{.name = file};
  if (const std::size_t slash = file.find_last_of('/'); slash != std::string::npos)
    series.name = file.substr(slash + 1);
  std::ifstream in{file, std::ios::binary};
  std::string line;
  if (!in || !std::getline(in, line)) {
    problems.add({}, file, "cannot be read", "give a file whose first line names its columns");
    return series;
  }
  std::vector<std::string> header = fields_of(line);
  if (header.front() != "t" || header.size() < 2) {
    problems.add({}, file, "its first line does not name columns, the time t first",
                 "write t,bob.x,bob.y and so on");
    return series;
  }
  series.columns.assign(header.begin() + 1, header.end());
  for (int number = 2; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != header.size()) {
      problems.add(
          {}, fmt::format("{}:{}", file, number),
          fmt::format("has {} fields, and its first line {}", fields.size(), header.size()),
          "leave a field empty where there is no value");
      return series;
    }
    for (std::size_t k = 0; k < fields.size(); ++k) {
      double value = std::numeric_limits<double>::quiet_NaN();
      const char* const end = fields[k].data() + fields[k].size();
      if (!fields[k].empty() && fields[k] != "nan") {
        const auto [stopped, error] = std::from_chars(fields[k].data(), end, value);
        if (error != std::errc{} || stopped != end) {
          problems.add({}, fmt::format("{}:{}", file, number),
                       fmt::format("'{}' is no number", fields[k]), "write 0.25, or nothing");
          return series;
        }
      }
      if (k == 0)
        series.t.push_back(value);
      else
        series.values.push_back(value);
    }
  }
  return series;
}

}  // namespace taut
