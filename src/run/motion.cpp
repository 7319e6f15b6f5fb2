// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/motion.hpp"

#include "halve.hpp"

namespace taut {
namespace {

void put(const Vec& row, std::vector<double>& column) {
  column.insert(column.end(), row.data(), row.data() + row.size());
}

}  // namespace

void Motion::start(const Structure& structure) {
  *this = {};
  coordinates = structure.coordinates;
  velocities = structure.velocities;
  for (const Row& row : structure.rows) constraints.push_back(row.name);
}

void Motion::reserve(std::size_t rows) {
  for (auto* column : {&t, &energy, &max_constraint, &max_velocity_constraint, &step})
    column->reserve(rows);
  q.reserve(rows * coordinates.size());
  v.reserve(rows * velocities.size());
  lambda.reserve(rows * constraints.size());
}

void Motion::append(const Frame& frame) {
  t.push_back(frame.state.t);
  put(frame.state.q, q);
  put(frame.state.v, v);
  put(frame.lambda, lambda);
  energy.push_back(frame.energy());
  max_constraint.push_back(frame.max_constraint);
  max_velocity_constraint.push_back(frame.max_velocity_constraint);
  step.push_back(frame.step);
}

void Motion::drop_every_second() {
  for (auto* column : {&t, &energy, &max_constraint, &max_velocity_constraint, &step})
    halve(*column, 1);
  halve(q, coordinates.size());
  halve(v, velocities.size());
  halve(lambda, constraints.size());
}

void Motion::archive(Archive& archive) {
  archive.tag("motion");
  archive(t, q, v, lambda, energy, max_constraint, max_velocity_constraint, step);
}

}  // namespace taut
