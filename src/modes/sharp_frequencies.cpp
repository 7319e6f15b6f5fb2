// SPDX-License-Identifier: BSD-3-Clause
#include "modes/sharp_frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "modes/derived_systems.hpp"

namespace taut {

void sharpen_frequencies(const LinearPoint& point, const LinearTerms& terms, Modes& found) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  ElementForms forms{point.system};
  if (!forms.any()) return;
  const std::vector<Row>& rows = point.system.structure().rows;
  const Sparse size = terms.K.cwiseAbs();
  std::vector<std::pair<Mode*, double>> better;
  Vec values;
  for (Mode& mode : found.modes) {
    if (mode.kind != ModeKind::vibration || mode.s.real() != 0.0) continue;
    const Vec x = mode.shape.real();
    if (forms(point.state, x, point.all_rows, values) != Status::ok) return;
    double elastic = 0.0;
    for (std::size_t k = 0; k < forms.forms().size(); ++k) {
      const ElementForms::Form& form = forms.forms()[k];
      const double value = values[static_cast<Index>(k)];
      if (form.kind == ElementForms::Kind::elastic) {
        elastic += 2 * value;
      } else if (form.kind == ElementForms::Kind::stretch) {
        const Row& row = rows[static_cast<std::size_t>(form.row)];
        if (row.equation < 0) elastic += value * value / row.compliance;
      }
    }
    // both are the same but for rounding of K
    const double plain = x.dot(terms.K * x);
    const double rounding = epsilon * x.cwiseAbs().dot(size * x.cwiseAbs());
    constexpr double terms_of_a_row = 1e3;
    if (std::abs(elastic - plain) > terms_of_a_row * rounding) return;
    constexpr double fine = 1e-12;
    if (rounding > fine * plain && elastic > 0.0)
      better.emplace_back(&mode, std::sqrt(elastic / x.dot(terms.M * x)));
  }
  for (const auto& [mode, omega] : better) mode->s = {0.0, omega};
}

}  // namespace taut
