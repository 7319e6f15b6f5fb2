// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/curve_motion.hpp"

#include <algorithm>
#include <cmath>

#include "halve.hpp"

namespace taut {

void CurveMotion::start(const CurveStructure& structure) {
  *this = {};
  coordinates = structure.coordinates;
}

void CurveMotion::reserve(std::size_t rows) {
  for (auto* column : {&s, &max_equation, &step}) column->reserve(rows);
  p.reserve(rows * coordinates.size());
}

void CurveMotion::append(double s_row, const Vec& p_row, double max_equation_row, double step_row) {
  s.push_back(s_row);
  p.insert(p.end(), p_row.data(), p_row.data() + p_row.size());
  max_equation.push_back(max_equation_row);
  step.push_back(step_row);
}

void CurveMotion::drop_every_second() {
  for (auto* column : {&s, &max_equation, &step}) halve(*column, 1);
  halve(p, coordinates.size());
}

void CurveMotion::find(CompletedUnknowns& others) {
  unknowns = others.names();
  unknown.clear();
  if (unknowns.empty()) return;
  unknown.reserve(rows() * unknowns.size());
  const auto width = static_cast<Index>(coordinates.size());
  Vec values;
  for (std::size_t row = 0; row < rows(); ++row) {
    const Vec at = Eigen::Map<const Vec>(p.data() + row * coordinates.size(), width);
    if (others(at, values) != Status::ok)
      values.setConstant(static_cast<Index>(unknowns.size()), std::nan(""));
    unknown.insert(unknown.end(), values.data(), values.data() + values.size());
  }
}

void CurveMotion::archive(Archive& archive) {
  archive.tag("curve motion");
  archive(s, p, max_equation, step);
}

}  // namespace taut
