// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/curve_motion.hpp"

#include <algorithm>
#include <cmath>

#include "run/halve.hpp"

namespace taut {

void CurveMotion::start(const CurveStructure& structure, std::vector<std::string> of_outputs) {
  *this = {};
  coordinates = structure.coordinates;
  outputs = std::move(of_outputs);
}

std::vector<ColumnGroup> CurveMotion::groups() const {
  using enum ColumnGroup::Kind;
  return {
      {.name = "s", .values = s},
      {.name = "p", .values = p, .kind = plain, .names = &coordinates},
      {.name = "max_equation", .values = max_equation},
      {.name = "step", .values = step},
      {.name = "unknowns", .values = unknown, .kind = plain, .names = &unknowns, .optional = true},
      {.name = "outputs", .values = output, .kind = plain, .names = &outputs, .optional = true}};
}

void CurveMotion::reserve(std::size_t rows) {
  for (auto* column : {&s, &max_equation, &step}) column->reserve(rows);
  p.reserve(rows * coordinates.size());
  output.reserve(rows * outputs.size());
  if (!extremes.kept) return;
  extremes.low.reserve((rows + 1) * width());
  extremes.high.reserve((rows + 1) * width());
}

void CurveMotion::append(const CurveFrame& frame) {
  s.push_back(frame.s);
  p.insert(p.end(), frame.p.data(), frame.p.data() + frame.p.size());
  max_equation.push_back(frame.max_equation);
  step.push_back(frame.step);
  output.insert(output.end(), frame.output.data(), frame.output.data() + frame.output.size());
  if (extremes.empty()) return;
  pass(frame.p, frame.step);
  extremes.open(width());
}

void CurveMotion::pass(const Vec& p_step, double step_length) {
  extremes.take(width(), 0, p_step.data(), coordinates.size());
  extremes.take(width(), coordinates.size(), &step_length, 1);
}

void CurveMotion::drop_every_second() {
  // until now every step has been a row
  if (extremes.kept && extremes.empty()) {
    for (std::size_t row = 0; row < rows(); ++row) {
      extremes.open(width());
      extremes.take(width(), 0, p.data() + row * coordinates.size(), coordinates.size());
      extremes.take(width(), coordinates.size(), step.data() + row, 1);
    }
    extremes.open(width());
  }
  extremes.halve(width());
  if (!extremes.empty()) extremes.steps += static_cast<std::int64_t>(rows() / 2);
  for (auto* column : {&s, &max_equation, &step}) halve(*column, 1);
  halve(p, coordinates.size());
  halve(output, outputs.size());
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
  archive(s, p, max_equation, step, output, extremes);
}

}  // namespace taut
