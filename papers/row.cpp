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

Row size_row(std::string name, std::optional<double> published, std::optional<double> reference,
             double obtained, double factor) {
  return {std::move(name), published, reference, obtained, Rule::factor, factor};
}

std::optional<double> deviation(const Row& row) {
  const auto known = row.reference ? row.reference : row.published;
  if (!known || *known == 0.0 || !std::isfinite(row.obtained)) return {};
  return row.obtained / *known - 1.0;
}

namespace {

bool near(const Row& row, double known) {
  if (row.rule != Rule::factor) return std::abs(row.obtained - known) <= row.allowed;
  const double ratio = row.obtained / known;
  return ratio <= row.allowed && ratio >= 1.0 / row.allowed;
}

}  // namespace

std::string_view verdict(const Row& row) {
  if (!std::isfinite(row.obtained)) return "failed";
  if (row.rule == Rule::none || (!row.published && !row.reference)) return "";
  const std::string_view otherwise = row.open ? "open" : "differs";
  if (row.reference && !near(row, *row.reference)) return otherwise;
  if (!row.published || near(row, *row.published)) return "agrees";
  if (row.misprint && row.reference) return "misprint";
  const double above = row.obtained - *row.published;
  const bool within =
      (row.rule == Rule::at_least && above > 0) || (row.rule == Rule::at_most && above < 0);
  return within ? "exceeds" : otherwise;
}

}  // namespace taut::papers
