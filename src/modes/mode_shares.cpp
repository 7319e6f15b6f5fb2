// SPDX-License-Identifier: BSD-3-Clause
#include "modes/mode_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace taut {
namespace {

using Sums = std::map<std::string, double>;

/// Parts of the sum of their sizes, the largest first; none where there is nothing. Energies of
/// prestress may be below zero: such a part has its sign, and sizes add to 1 all the same.
std::vector<ModeShare> shares_of(const Sums& given) {
  double total = 0.0, size = 0.0;
  // the rows that keep the axes of a body are the body's
  Sums merged;
  for (const auto& [name, value] : given) merged[name.substr(0, name.rfind(" axes "))] += value;
  const Sums& sums = merged;
  for (const auto& [name, value] : sums) {
    total += value;
    size += std::abs(value);
  }
  std::vector<ModeShare> list;
  if (!(std::abs(total) > 1e-9 * size)) return list;
  constexpr double least = 1e-4;
  for (const auto& [name, value] : sums)
    if (std::abs(value) > least * size) list.push_back({name, value / size});
  std::stable_sort(list.begin(), list.end(), [](const ModeShare& a, const ModeShare& b) {
    return std::abs(a.share) > std::abs(b.share);
  });
  return list;
}

/// "bob" of bob.x; a coordinate without a point is one by itself.
std::string part_of(const std::string& coordinate) {
  const std::size_t dot = coordinate.rfind('.');
  return dot == std::string::npos ? coordinate : coordinate.substr(0, dot);
}

std::string label_of(const Mode& mode) {
  const auto named = [](const std::vector<ModeShare>& list, std::string_view what) {
    std::string text;
    double told = 0.0;
    for (const ModeShare& one : list) {
      if (text.size() > 60 || told > 0.75 || std::abs(one.share) < 0.1) break;
      text += fmt::format("{}{:.0f} % {} {}", text.empty() ? "" : ", ", 100 * std::abs(one.share),
                          what, one.name);
      told += std::abs(one.share);
    }
    return text;
  };
  std::string text = mode.kind == ModeKind::drift ? std::string{} : named(mode.elements, "in");
  if (text.empty()) text = named(mode.parts, "of the motion:");
  return text;
}

}  // namespace

void ModeShares::operator()(Mode& mode) {
  const Structure& structure = point_.system.structure();
  Sums elastic, dissipated, kinetic;
  for (const Vec& x : {Vec{mode.shape.real()}, Vec{mode.shape.imag()}}) {
    if (x.isZero(0.0)) continue;
    const Vec Mx = M_ * x;
    for (Index i = 0; i < structure.places(); ++i)
      kinetic[part_of(structure.coordinates[static_cast<std::size_t>(i)])] += x[i] * Mx[i];
    Vec values;
    // of a motion, elastic energies are none of the mode alone
    if (!point_.rest || !forms_.any() ||
        forms_(point_.state, x, point_.all_rows, values) != Status::ok)
      continue;
    for (std::size_t k = 0; k < forms_.forms().size(); ++k) {
      const ElementForms::Form& form = forms_.forms()[k];
      const double value = values[static_cast<Index>(k)];
      if (form.kind == ElementForms::Kind::elastic) {
        elastic[form.element] += value;
      } else if (form.kind == ElementForms::Kind::dissipated) {
        dissipated[form.element] += value;
      } else {
        // a compliant row is a spring, and a damper beside it
        const Row& row = structure.rows[static_cast<std::size_t>(form.row)];
        if (row.equation >= 0 || !(row.compliance > 0.0)) continue;
        elastic[form.element] += value * value / (2 * row.compliance);
        dissipated[form.element] += row.damping * value * value / row.compliance;
      }
    }
  }
  mode.elements = shares_of(elastic);
  mode.dissipation = shares_of(dissipated);
  mode.parts = shares_of(kinetic);
  mode.label = label_of(mode);
}

}  // namespace taut
