// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "row.hpp"

namespace taut::papers {

/// What a program in papers/independent has printed for a row:
///
///   item <tab> name of the row <tab> value <tab> relative accuracy
///
/// in the file TOPIC.NAME.txt beside the program TOPIC.NAME.py or .cpp.
struct IndependentValue {
  std::string topic, item, row;
  double value = 0.0, within = 0.0;
  std::string program;
};

/// All of them, as they were when this was built.
[[nodiscard]] const std::vector<IndependentValue>& independent_values();

/// Puts them beside the rows that they belong to.
void add_independent(std::string_view topic, std::string_view item, std::vector<Row>& rows);

}  // namespace taut::papers
