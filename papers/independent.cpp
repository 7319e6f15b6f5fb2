// SPDX-License-Identifier: BSD-3-Clause
#include "independent.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

#include "independent_outputs.hpp"

namespace taut::papers {
namespace {

std::array<std::string_view, 4> fields(std::string_view line) {
  std::array<std::string_view, 4> result;
  for (std::string_view& field : result) {
    const std::size_t tab = line.find('\t');
    field = line.substr(0, tab);
    line = tab == std::string_view::npos ? std::string_view{} : line.substr(tab + 1);
  }
  return result;
}

std::vector<IndependentValue> read() {
  std::vector<IndependentValue> values;
  for (const IndependentOutput& output : independent_outputs) {
    const std::string_view topic = output.program.substr(0, output.program.find('.'));
    std::string_view rest = output.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
      if (line.empty() || line.front() == '#') continue;
      const auto [item, row, value, within] = fields(line);
      values.push_back({std::string{topic}, std::string{item}, std::string{row},
                        std::strtod(std::string{value}.c_str(), nullptr),
                        std::strtod(std::string{within}.c_str(), nullptr),
                        std::string{output.program}});
    }
  }
  return values;
}

}  // namespace

const std::vector<IndependentValue>& independent_values() {
  static const std::vector<IndependentValue> values = read();
  return values;
}

void add_independent(std::string_view topic, std::string_view item, std::vector<Row>& rows) {
  for (const IndependentValue& known : independent_values()) {
    if (known.topic != topic || known.item != item) continue;
    for (Row& row : rows) {
      if (row.name != known.row) continue;
      row.reference = known.value;
      row.reference_within = known.within;
      row.independent = "papers/independent/" + known.program;
      if (!row.published) {
        row.tolerance = {Rule::independent, known.within * std::abs(known.value)};
        row.evidence = "not what the independent program has";
      }
    }
  }
}

}  // namespace taut::papers
