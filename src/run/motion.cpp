// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/motion.hpp"

#include <algorithm>
#include <array>

#include "run/halve.hpp"

namespace taut {
namespace {

void put(const Eigen::Ref<const Vec>& row, std::vector<double>& column) {
  column.insert(column.end(), row.data(), row.data() + row.size());
}

// as many as have a name: integrals of states, which stand last, have none
void put(const Vec& row, std::size_t named, std::vector<double>& column) {
  column.insert(column.end(), row.data(), row.data() + named);
}

// of each of `width` columns, in the last group of the extremes
class Taking {
 public:
  Taking(Extremes& extremes, std::size_t width) : extremes_{extremes}, width_{width} {}

  void operator()(const double* values, std::size_t count) {
    extremes_.take(width_, first_, values, count);
    first_ += count;
  }
  void operator()(const Vec& values) {
    (*this)(values.data(), static_cast<std::size_t>(values.size()));
  }

 private:
  Extremes& extremes_;
  std::size_t width_, first_ = 0;
};

// Rows 0, 2, 4, ..., and those that are alone: where steps become tiny, as before a place that a
// method cannot pass, the rows of the time before would all be dropped in turn. A 16th of the rows
// have gaps of 16 times the mean at the most. Two rows at one time are both sides of a jump: they
// are kept as long as they are few.
std::vector<bool> every_second_and_lonely(const std::vector<double>& t) {
  const std::size_t rows = t.size();
  const double far = 16.0 * (t.back() - t.front()) / static_cast<double>(rows);
  std::vector<bool> kept(rows, true);
  for (std::size_t i = 1; i < rows; i += 2)
    kept[i] = t[i] - t[i - 1] > far || (i + 1 < rows && t[i + 1] - t[i] > far);
  std::size_t jumps = 0;
  for (std::size_t i = 1; i < rows; ++i) jumps += t[i] == t[i - 1] ? 1 : 0;
  if (4 * jumps > rows) return kept;
  for (std::size_t i = 1; i < rows; ++i)
    if (t[i] == t[i - 1]) kept[i - 1] = kept[i] = true;
  return kept;
}

}  // namespace

void Motion::start(const System& system) {
  const std::optional<System> shown = system.quantities();
  start(system.structure(), shown ? &shown->structure() : nullptr);
}

void Motion::start(const Structure& structure, const Structure* of_quantities) {
  *this = {};
  if (of_quantities != nullptr)
    for (const Observable& shown : of_quantities->observables)
      (shown.kind == Observable::Kind::output ? outputs : quantities).push_back(shown.name);
  coordinates = structure.place_names();
  velocities = structure.velocities;
  for (const Row& row : structure.rows) constraints.push_back(row.name);
  for (const auto& [kind, names] : {std::pair{Observable::Kind::drawn, &drawn},
                                    std::pair{Observable::Kind::invariant, &invariants}})
    for (std::size_t k = 0; k < structure.observables.size(); ++k)
      if (structure.observables[k].kind == kind) {
        names->push_back(structure.observables[k].name);
        observables.push_back(static_cast<Index>(k));
      }
}

std::vector<ColumnGroup> Motion::groups() const {
  using enum ColumnGroup::Kind;
  return {{.name = "t", .values = t},
          {.name = "q", .values = q, .kind = plain, .names = &coordinates},
          {.name = "v", .values = v, .kind = plain, .names = &velocities},
          {.name = "lambda", .values = lambda, .kind = wrapped, .names = &constraints},
          {.name = "energy", .values = energy},
          {.name = "max_constraint", .values = max_constraint},
          {.name = "max_velocity_constraint", .values = max_velocity_constraint},
          {.name = "step", .values = step},
          {.name = "outputs", .values = output, .kind = plain, .names = &outputs, .optional = true},
          {.name = "kinetic_energy", .values = kinetic_energy},
          {.name = "potential_energy", .values = potential_energy},
          {.name = "work", .values = work},
          {.name = "quantities",
           .values = quantity,
           .kind = plain,
           .names = &quantities,
           .optional = true},
          {.name = "rejected", .values = rejected, .written = false},
          {.name = "place", .values = place, .kind = plain, .names = &drawn, .written = false},
          {.name = "invariant",
           .values = invariant,
           .kind = plain,
           .names = &invariants,
           .written = false}};
}

std::array<std::vector<double>*, 9> Motion::single_columns() {
  return {&t,    &energy,   &max_constraint, &max_velocity_constraint,
          &step, &rejected, &kinetic_energy, &potential_energy,
          &work};
}

void Motion::reserve(std::size_t rows) {
  for (auto* column : single_columns()) column->reserve(rows);
  q.reserve(rows * coordinates.size());
  v.reserve(rows * velocities.size());
  lambda.reserve(rows * constraints.size());
  place.reserve(rows * drawn.size());
  invariant.reserve(rows * invariants.size());
  output.reserve(rows * outputs.size());
  quantity.reserve(rows * quantities.size());
  if (!extremes.kept) return;
  extremes.low.reserve((rows + 1) * width());
  extremes.high.reserve((rows + 1) * width());
}

void Motion::append(const Frame& frame) {
  t.push_back(frame.state.t);
  put(frame.state.q, coordinates.size(), q);
  put(frame.state.v, v);
  put(frame.lambda, lambda);
  energy.push_back(frame.energy());
  max_constraint.push_back(frame.max_constraint);
  max_velocity_constraint.push_back(frame.max_velocity_constraint);
  step.push_back(frame.step);
  rejected.push_back(static_cast<double>(frame.rejected));
  kinetic_energy.push_back(frame.kinetic_energy);
  potential_energy.push_back(frame.potential_energy);
  work.push_back(frame.work);
  put(frame.quantity.head(static_cast<Index>(outputs.size())), output);
  put(frame.quantity.tail(static_cast<Index>(quantities.size())), quantity);
  for (std::size_t k = 0; k < observables.size(); ++k)
    (k < drawn.size() ? place : invariant).push_back(frame.observable[observables[k]]);
  if (extremes.empty()) return;
  pass(frame);
  extremes.open(width());
}

void Motion::pass(const State& state, double last_step) {
  Taking take{extremes, width()};
  take(state.q.data(), coordinates.size());
  take(state.v);
  extremes.take(width(), width() - 1, &last_step, 1);
}

void Motion::pass(const Frame& frame) {
  Taking take{extremes, width()};
  take(frame.state.q.data(), coordinates.size());
  take(frame.state.v);
  take(frame.lambda);
  take(frame.quantity.data(), outputs.size());
  const std::array others{frame.energy(), frame.max_constraint, frame.max_velocity_constraint,
                          frame.step};
  take(others.data(), others.size());
}

void Motion::drop_every_second() {
  // until now every step has been a row
  if (extremes.kept && extremes.empty()) {
    for (std::size_t row = 0; row < rows(); ++row) {
      extremes.open(width());
      Taking take{extremes, width()};
      take(q.data() + row * coordinates.size(), coordinates.size());
      take(v.data() + row * velocities.size(), velocities.size());
      take(lambda.data() + row * constraints.size(), constraints.size());
      take(output.data() + row * outputs.size(), outputs.size());
      for (const auto* column : {&energy, &max_constraint, &max_velocity_constraint, &step})
        take(column->data() + row, 1);
    }
    extremes.open(width());
  }
  const std::vector<bool> kept = every_second_and_lonely(t);
  const auto dropped = std::count(kept.begin(), kept.end(), false);
  if (!extremes.empty()) {
    extremes.merge(width(), kept);
    extremes.steps += dropped;
    extremes.measured += dropped;
  }
  keep(kept);
}

void Motion::drop_after(double last) {
  const auto end = std::upper_bound(t.begin(), t.end(), last);
  if (end == t.end()) return;
  std::vector<bool> kept(rows(), false);
  std::fill_n(kept.begin(), end - t.begin(), true);
  keep(kept);
  if (extremes.empty()) return;
  extremes.low.resize(rows() * width());
  extremes.high.resize(rows() * width());
  extremes.open(width());
}

void Motion::keep(const std::vector<bool>& kept) {
  for (auto* column : single_columns()) keep_groups(*column, 1, kept);
  keep_groups(q, coordinates.size(), kept);
  keep_groups(v, velocities.size(), kept);
  keep_groups(lambda, constraints.size(), kept);
  keep_groups(place, drawn.size(), kept);
  keep_groups(invariant, invariants.size(), kept);
  keep_groups(output, outputs.size(), kept);
  keep_groups(quantity, quantities.size(), kept);
}

void Motion::archive(Archive& archive) {
  archive.tag("motion");
  archive(t, q, v, lambda, energy, max_constraint, max_velocity_constraint, step);
  archive(rejected, place, invariant, output, quantity, kinetic_energy, potential_energy, work);
  archive(extremes);
}

}  // namespace taut
