// SPDX-License-Identifier: BSD-3-Clause
#include "model/batch.hpp"

#include <algorithm>
#include <utility>

#include "formula/kernel.hpp"

namespace taut {
namespace {

// from this many instances on a block of lanes is cheaper than scalar runs
constexpr std::size_t least_instances_of_a_batch = 4;

/// Index of `value` in `list`, appended when it is new.
int local_index(int value, std::vector<int>& list, std::unordered_map<int, int>& index_of) {
  const auto [it, is_new] = index_of.try_emplace(value, static_cast<int>(list.size()));
  if (is_new) list.push_back(value);
  return it->second;
}

/// Computes once per instance what depends on its parameters alone, as further parameters.
void hoist_parameters(Batch& batch) {
  formula::Hoisted hoisted = formula::hoist(batch.formula);
  const auto old_count = static_cast<std::size_t>(batch.formula.parameters);
  const auto n = static_cast<std::size_t>(batch.instances);
  batch.formula = std::move(hoisted.formula);
  batch.parameters.resize(static_cast<std::size_t>(batch.formula.parameters) * n);
  const auto kernel = formula::make_kernel(std::move(hoisted.prelude), 1);
  const formula::Program& prelude = kernel->program();
  std::vector<double> registers(static_cast<std::size_t>(prelude.registers));
  kernel->load_constants(registers.data());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < prelude.inputs.size(); ++k)
      registers[k] = batch.parameters[static_cast<std::size_t>(prelude.inputs[k].index) * n + i];
    kernel->run(registers.data());
    for (const formula::Output& output : prelude.outputs) {
      const double value = registers[static_cast<std::size_t>(output.reg)];
      const std::size_t column = old_count + static_cast<std::size_t>(output.row);
      batch.parameters[column * n + i] = output.negate ? -value : value;
    }
  }
}

}  // namespace

void BatchBuilder::add(formula::Formula formula, Instance instance) {
  formula.theta_rate = theta_rate_;
  const auto [it, is_new] = group_of_key_.try_emplace(formula::key(formula), groups_.size());
  if (is_new) groups_.push_back({std::move(formula), {}});
  groups_[it->second].instances.push_back(std::move(instance));
}

std::vector<Batch> BatchBuilder::finish() {
  std::vector<Batch> batches;
  std::vector<Group> few;
  for (Group& group : groups_) {
    if (group.instances.size() < least_instances_of_a_batch)
      few.push_back(std::move(group));
    else
      batches.push_back(transpose(std::move(group)));
  }
  if (!few.empty()) batches.push_back(merge(std::move(few)));
  groups_.clear();
  group_of_key_.clear();
  return batches;
}

Batch BatchBuilder::transpose(Group group) {
  Batch batch;
  batch.instances = static_cast<int>(group.instances.size());
  const auto columns = [&](auto member, auto& table) {
    const std::size_t n = group.instances.size();
    const std::size_t width = (group.instances.front().*member).size();
    table.resize(width * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < width; ++k) table[k * n + i] = (group.instances[i].*member)[k];
  };
  columns(&Instance::coordinates, batch.coordinates);
  columns(&Instance::parameters, batch.parameters);
  columns(&Instance::rows, batch.rows);
  columns(&Instance::observables, batch.observables);
  batch.labels.reserve(group.instances.size());
  for (Instance& instance : group.instances) batch.labels.push_back(std::move(instance.label));
  batch.formula = std::move(group.formula);
  hoist_parameters(batch);
  return batch;
}

Batch BatchBuilder::merge(std::vector<Group> groups) const {
  Batch merged;
  merged.instances = 1;
  merged.merged = true;
  merged.formula.theta_rate = theta_rate_;
  formula::Graph& graph = merged.formula.graph;
  std::unordered_map<int, int> local_coordinate;
  for (Group& group : groups) {
    for (Instance& instance : group.instances) {
      // local slots of the element become slots of the merged formula, its parameters constants
      const auto substitute = [&](formula::Input input, formula::Graph& to) {
        const auto index = static_cast<std::size_t>(input.index);
        switch (input.slot) {
          case formula::Slot::parameter:
            return to.constant(instance.parameters[index]);
          case formula::Slot::q:
          case formula::Slot::v:
          case formula::Slot::a:
            return to.input({input.slot, local_index(instance.coordinates[index],
                                                     merged.coordinates, local_coordinate)});
          default:
            return to.input(input);
        }
      };
      formula::Copier copy{group.formula.graph, graph, substitute};
      const int first_row = static_cast<int>(merged.rows.size());
      const int first_observable = static_cast<int>(merged.observables.size());
      merged.rows.insert(merged.rows.end(), instance.rows.begin(), instance.rows.end());
      merged.observables.insert(merged.observables.end(), instance.observables.begin(),
                                instance.observables.end());
      for (const formula::Root& root : group.formula.roots) {
        int target = root.target;
        if (root.role == formula::Role::force)
          target = local_index(instance.coordinates[static_cast<std::size_t>(target)],
                               merged.coordinates, local_coordinate);
        if (root.role == formula::Role::constraint) target += first_row;
        if (root.role == formula::Role::observable) target += first_observable;
        merged.formula.roots.push_back({root.role, copy(root.node), target});
        merged.labels.push_back(instance.label);
      }
    }
  }
  merged.formula.coordinates = static_cast<int>(merged.coordinates.size());
  merged.formula.rows = static_cast<int>(merged.rows.size());
  merged.formula.observables = static_cast<int>(merged.observables.size());
  return merged;
}

}  // namespace taut
