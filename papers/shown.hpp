// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "figure.hpp"
#include "row.hpp"

namespace taut::papers {

/// What an item shows: rows, and where the paper has a figure, the figure made again.
struct Shown {
  Shown() = default;
  Shown(std::vector<Row> only_rows) : rows{std::move(only_rows)} {}  // NOLINT: most are only rows
  Shown(std::vector<Row> all_rows, std::vector<Figure> drawn)
      : rows{std::move(all_rows)}, figures{std::move(drawn)} {}
  std::vector<Row> rows;
  std::vector<Figure> figures;
};

}  // namespace taut::papers
