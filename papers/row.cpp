// SPDX-License-Identifier: BSD-3-Clause
#include "row.hpp"

#include <cmath>
#include <utility>

namespace taut::papers {

Row order_row(std::string name, std::optional<double> published, std::optional<double> reference,
              double obtained, double allowed) {
  return {std::move(name), published, reference, obtained, Rule::at_least, allowed};
}

Row value_row(std::string name, std::optional<double> published, std::optional<double> reference,
              double obtained, double relative) {
  const double size = std::abs(reference.value_or(published.value_or(0.0)));
  return {std::move(name), published, reference, obtained, Rule::equal, relative * size};
}

std::optional<double> deviation(const Row& row) {
  const auto known = row.reference ? row.reference : row.published;
  if (!known || *known == 0.0 || !std::isfinite(row.obtained)) return {};
  return row.obtained / *known - 1.0;
}

std::string_view verdict(const Row& row) {
  if (!std::isfinite(row.obtained)) return "failed";
  if (!row.published && !row.reference) return "";
  if (row.reference && std::abs(row.obtained - *row.reference) > row.allowed) return "differs";
  if (!row.published) return "agrees";
  const double above = row.obtained - *row.published;
  if (std::abs(above) <= row.allowed) return "agrees";
  const bool within =
      (row.rule == Rule::at_least && above > 0) || (row.rule == Rule::at_most && above < 0);
  return within ? "exceeds" : "differs";
}

}  // namespace taut::papers
