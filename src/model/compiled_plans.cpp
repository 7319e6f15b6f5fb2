// SPDX-License-Identifier: BSD-3-Clause
// Plans of a compiled model: kernels for a set of targets, and their constants for one system.
#include <algorithm>
#include <utility>

#include "model/compiled_system.hpp"
#include "model/evaluation_fields.hpp"
#include "model/pattern.hpp"

namespace taut {
namespace {

using formula::Slot;

template <class T>
bool all_equal(const T* first, int count) {
  return std::all_of(first, first + count, [&](const T& x) { return x == *first; });
}

}  // namespace

const CompiledSystem::BoundPlan* CompiledSystem::find_plan(Needs wanted, bool series) const {
  for (const BoundPlan* p = plans_.load(std::memory_order_acquire); p != nullptr; p = p->next)
    if (p->needs == wanted && p->series == series) return p;
  return nullptr;
}

const CompiledSystem::BoundPlan& CompiledSystem::plan(Needs wanted, bool series) const {
  if (const BoundPlan* const known = find_plan(wanted, series); known != nullptr) return *known;
  const std::lock_guard lock{building_};
  if (const BoundPlan* const known = find_plan(wanted, series); known != nullptr) return *known;
  auto made = std::make_unique<BoundPlan>();
  made->needs = wanted;
  made->series = series;
  const Plan* plan = &shared_plan(wanted, series);
  std::vector<double> values;
  if (point_) {
    values = point_->values;
    if (!plan->tape->run(point_->parameters, point_->changed, values)) {
      const formula::Recording none{nullptr};
      made->plan = make_plan(batches(), wanted, series);
      plan = made->plan.get();
    }
  }
  made->scratch = plan->scratch;
  bind(plan->bundles, values, *made);
  made->next = plans_.load(std::memory_order_relaxed);
  const BoundPlan* const result = made.release();
  plans_.store(result, std::memory_order_release);
  return *result;
}

void CompiledSystem::bind(const std::vector<Bundle>& bundles, std::span<const double> value_of,
                          BoundPlan& to) const {
  std::size_t count = 0;
  const auto has_own = [&](const formula::Program& program) {
    return !value_of.empty() && !program.origins.empty();
  };
  for (const Bundle& bundle : bundles)
    if (has_own(bundle.kernel->program())) count += bundle.kernel->program().constants.size();
  to.constants.reserve(count);
  for (const Bundle& bundle : bundles) {
    const formula::Program& program = bundle.kernel->program();
    Bound bound{.bundle = &bundle, .constants = program.constants};
    if (has_own(program)) {
      const std::size_t first = to.constants.size();
      for (std::size_t k = 0; k < program.constants.size(); ++k)
        to.constants.push_back(program.origins[k] < 0
                                   ? program.constants[k]
                                   : value_of[static_cast<std::size_t>(program.origins[k])]);
      bound.constants = std::span{to.constants}.subspan(first);
    }
    to.bundles.push_back(bound);
  }
}

const CompiledSystem::Plan& CompiledSystem::shared_plan(Needs wanted, bool series) const {
  const auto find = [&]() -> const Plan* {
    for (const Plan* p = shape_->plans.load(std::memory_order_acquire); p != nullptr; p = p->next)
      if (p->needs == wanted && p->series == series) return p;
    return nullptr;
  };
  if (const Plan* const known = find(); known != nullptr) return *known;
  const std::lock_guard lock{shape_->building};
  if (const Plan* const known = find(); known != nullptr) return *known;
  std::unique_ptr<formula::Origins> tape;
  if (shape_->tape) tape = std::make_unique<formula::Origins>(shape_->tape);
  const formula::Recording recording{tape.get()};
  std::unique_ptr<Plan> made = make_plan(shape_->batches, wanted, series);
  made->tape = std::move(tape);
  made->next = shape_->plans.load(std::memory_order_relaxed);
  const Plan* const result = made.release();
  shape_->plans.store(result, std::memory_order_release);
  return *result;
}

std::unique_ptr<CompiledSystem::Plan> CompiledSystem::make_plan(const std::vector<Batch>& batches,
                                                                Needs wanted, bool series) const {
  auto made = std::make_unique<Plan>();
  made->needs = wanted;
  made->series = series;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const Needs varying = wanted & ~shape_->constant_targets[b];
    if (varying == 0) continue;
    formula::Program program = formula::derive(batches[b].formula, varying);
    if (program.outputs.empty()) continue;
    made->bundles.push_back(bundle(b, std::move(program)));
    Bundle& last = made->bundles.back();
    if (series)
      last.series =
          std::make_unique<const formula::SeriesProgram>(last.kernel->program(), last.instances);
    made->scratch = std::max(made->scratch, last.scratch());
  }
  return made;
}

CompiledSystem::Column CompiledSystem::column(const int* table, int instances) {
  Column result{.table = table, .first = table[0]};
  const int stride = instances > 1 ? table[1] - table[0] : 1;
  for (int i = 1; i < instances; ++i)
    if (table[i] - table[i - 1] != stride) return result;
  result.stride = stride;
  return result;
}

CompiledSystem::Bundle CompiledSystem::bundle(std::size_t number, formula::Program program) const {
  const Batch& batch = shape_->batches[number];
  Bundle made;
  const int n = batch.instances;
  made.instances = n;
  for (const formula::Input& input : program.inputs) {
    Gather gather{.slot = input.slot};
    const std::size_t at = static_cast<std::size_t>(input.index) * static_cast<std::size_t>(n);
    switch (input.slot) {
      case Slot::q:
      case Slot::v:
      case Slot::a:
        gather.index = column(&batch.coordinates[at], n);
        break;
      case Slot::lambda:
        gather.index = column(&batch.rows[at], n);
        break;
      case Slot::parameter:
        gather.parameters = shape_->first_parameter[number] + at;
        gather.same_value = all_equal(&batch.parameters[at], n) &&
                            (batch.origins.empty() || all_equal(&batch.origins[at], n));
        break;
      case Slot::mode:
        gather.index = column(&batch.modes[at], n);
        break;
      case Slot::input:
      case Slot::mu:
        gather.index.first = input.index;
        break;
      case Slot::t:
      case Slot::theta:
        break;
    }
    made.gathers.push_back(gather);
  }
  // outputs of one field stand together; turned signs after the others
  std::vector<formula::Output> outputs = program.outputs;
  std::stable_sort(outputs.begin(), outputs.end(), [](const auto& a, const auto& b) {
    return std::pair{a.target, a.negate} < std::pair{b.target, b.negate};
  });
  for (const formula::Output& output : outputs) {
    std::vector<int> table(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) table[static_cast<std::size_t>(i)] = slot(batch, i, output);
    Column slots = column(table.data(), n);
    if (slots.stride == 0) {
      made.slots.push_back(std::move(table));
      slots.table = made.slots.back().data();
    }
    if (made.groups.empty() || made.groups.back().target != output.target ||
        made.groups.back().negate != output.negate)
      made.groups.push_back(
          {output.target, output.negate, made.scatters.size(), made.scatters.size()});
    made.scatters.push_back({output.reg, slots});
    ++made.groups.back().end;
  }
  made.kernel = formula::make_kernel(std::move(program), n);
  // rows belong to one element each: threads do not meet there, and the bits are the same
  constexpr int many = 1 << 14;
  if (n >= many && std::all_of(outputs.begin(), outputs.end(), [](const formula::Output& output) {
        return is_row_target(output.target);
      }))
    made.parts = 8;
  return made;
}

int CompiledSystem::slot(const Batch& batch, int instance, const formula::Output& output) const {
  const auto entry = [&](const std::vector<int>& table, int local) {
    return table[static_cast<std::size_t>(local) * batch.instances + instance];
  };
  const auto pair = [&](const std::vector<int>& row_table, const Sparse& pattern) {
    return value_slot(pattern, entry(row_table, output.row),
                      entry(batch.coordinates, output.column));
  };
  switch (output.target) {
    case Target::mass:
      return pair(batch.coordinates, structure_->M);
    case Target::stiffness:
      return pair(batch.coordinates, structure_->K);
    case Target::damping:
      return pair(batch.coordinates, structure_->D);
    case Target::constraint_stiffness:
      return pair(batch.coordinates, structure_->H);
    case Target::constraint_jacobian:
      return pair(batch.rows, structure_->G);
    case Target::velocity_jacobian:
      return pair(batch.rows, structure_->N);
    case Target::observable_q:
      return pair(batch.observables, structure_->observable_q);
    case Target::observable_v:
      return pair(batch.observables, structure_->observable_v);
    case Target::force_multiplier:
      return value_slot(structure_->force_multiplier, entry(batch.coordinates, output.row),
                        output.column);
    case Target::observable_multiplier:
      return value_slot(structure_->observable_multiplier, entry(batch.observables, output.row),
                        output.column);
    case Target::force:
    case Target::momentum_force:
    case Target::momentum:
    case Target::third:
    case Target::acceleration_q:
    case Target::acceleration_v:
      return entry(batch.coordinates, output.row);
    case Target::constraint:
    case Target::constraint_rate:
    case Target::constraint_curvature:
      return entry(batch.rows, output.row);
    case Target::observable:
    case Target::observable_t:
      return entry(batch.observables, output.row);
    case Target::kinetic_energy:
    case Target::potential_energy:
      return 0;
  }
  return 0;
}

}  // namespace taut
