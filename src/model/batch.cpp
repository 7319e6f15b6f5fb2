// SPDX-License-Identifier: BSD-3-Clause
#include "model/batch.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "formula/origins.hpp"
#include "formula/table.hpp"
#include "taut/formula/program.hpp"

namespace taut {
namespace {

using formula::Number;

// from this many instances on a block of lanes is cheaper than scalar runs
constexpr std::size_t least_instances_of_a_batch = 4;

/// Index of `value` in `list`, appended when it is new.
int local_index(int value, std::vector<int>& list, std::unordered_map<int, int>& index_of) {
  const auto [it, is_new] = index_of.try_emplace(value, static_cast<int>(list.size()));
  if (is_new) list.push_back(value);
  return it->second;
}

formula::Op operation(formula::Code code) {
  // both enumerations list the operations of the graph in the same order
  return static_cast<formula::Op>(static_cast<int>(code) + static_cast<int>(formula::Op::add));
}

/// Runs a program on numbers with origins: the bits are those of a kernel.
void run(const formula::Program& program, std::vector<Number>& registers) {
  using formula::Code;
  const auto reg = [&](std::int32_t i) -> Number& {
    return registers[static_cast<std::size_t>(i)];
  };
  for (const formula::Instruction& i : program.code) {
    const Number a = reg(i.a), b = reg(i.b), c = reg(i.c);
    switch (i.code) {
      case Code::mul_add:
        reg(i.to) = a * b + c;
        break;
      case Code::mul_sub:
        reg(i.to) = a * b - c;
        break;
      case Code::sub_mul:
        reg(i.to) = c - a * b;
        break;
      case Code::sincos:
        reg(i.to) = record(formula::Op::sin, a, {});
        reg(i.b) = record(formula::Op::cos, a, {});
        break;
      case Code::knot:
      case Code::piece:
        // decided by: a change of it means compiling anew
        reg(i.to) = looked_up(program.lookups[static_cast<std::size_t>(i.lookup)],
                              operation(i.code), a, b, c);
        break;
      default:
        reg(i.to) = record(operation(i.code), a, b, c);
        break;
    }
  }
}

/// Computes once per instance what depends on its parameters alone, as further parameters.
void hoist_parameters(Batch& batch) {
  const formula::Hoisted hoisted = formula::hoist(batch.formula);
  const auto old_count = static_cast<std::size_t>(batch.formula.parameters);
  const auto n = static_cast<std::size_t>(batch.instances);
  batch.formula = hoisted.formula;
  batch.parameters.resize(static_cast<std::size_t>(batch.formula.parameters) * n);
  if (!batch.origins.empty() || !hoisted.prelude.origins.empty())
    batch.origins.resize(batch.parameters.size(), -1);
  const formula::Program& prelude = hoisted.prelude;
  const auto at = [&](std::size_t entry) {
    return Number{batch.parameters[entry], batch.origins.empty() ? -1 : batch.origins[entry]};
  };
  std::vector<Number> registers(static_cast<std::size_t>(prelude.registers));
  for (std::size_t k = 0; k < prelude.constants.size(); ++k)
    registers[prelude.inputs.size() + k] = {prelude.constants[k],
                                            prelude.origins.empty() ? -1 : prelude.origins[k]};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < prelude.inputs.size(); ++k)
      registers[k] = at(static_cast<std::size_t>(prelude.inputs[k].index) * n + i);
    run(prelude, registers);
    for (const formula::Output& output : prelude.outputs) {
      const Number& found = registers[static_cast<std::size_t>(output.reg)];
      const Number value = output.negate ? -found : found;
      const std::size_t entry = (old_count + static_cast<std::size_t>(output.row)) * n + i;
      batch.parameters[entry] = value.value();
      if (!batch.origins.empty()) batch.origins[entry] = value.origin();
    }
  }
}

}  // namespace

void BatchBuilder::add(formula::Formula formula, Instance instance) {
  formula.theta_rate = theta_rate_;
  const formula::Outline outline = formula::outline(formula);
  const auto [it, is_new] = group_of_key_.try_emplace(formula::key(outline), groups_.size());
  const std::size_t group = it->second;
  if (is_new) groups_.push_back({std::move(formula), {}, {}});
  if (formula::Origins::current() != nullptr) guard(outline, group, is_new);
  groups_[group].instances.push_back(std::move(instance));
}

/// Which formulas are equal decides what is computed together.
void BatchBuilder::guard(const formula::Outline& outline, std::size_t group, bool is_new) {
  formula::Origins& tape = *formula::Origins::current();
  const std::vector<Number>& constants = outline.constants;
  if (!is_new) {
    for (std::size_t i = 0; i < constants.size(); ++i)
      tape.guard_same(groups_[group].constants[i], constants[i]);
    return;
  }
  groups_[group].constants = constants;
  Alike& alike = alike_[outline.bytes];
  const bool has_origins = std::any_of(constants.begin(), constants.end(),
                                       [](const Number& x) { return x.has_origin(); });
  constexpr std::size_t many = 256;  // pairs of groups that are told apart grow with the square
  if (has_origins && alike.with_origins.size() + alike.without.size() > many)
    for (const Number& constant : constants) tape.guard_value(constant);
  else {
    const auto tell_apart = [&](std::size_t other) {
      const std::vector<Number>& others = groups_[other].constants;
      std::size_t differs = constants.size();
      for (std::size_t i = 0; i < constants.size(); ++i) {
        if (std::bit_cast<std::uint64_t>(constants[i].value()) ==
            std::bit_cast<std::uint64_t>(others[i].value()))
          continue;
        if (!constants[i].has_origin() && !others[i].has_origin()) return;  // for ever
        if (differs == constants.size()) differs = i;
      }
      if (differs < constants.size()) tape.guard_different(constants[differs], others[differs]);
    };
    for (const std::size_t other : alike.with_origins) tell_apart(other);
    if (has_origins)
      for (const std::size_t other : alike.without) tell_apart(other);
  }
  (has_origins ? alike.with_origins : alike.without).push_back(group);
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
  alike_.clear();
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
  std::vector<Number> parameters;
  columns(&Instance::parameters, parameters);
  for (const Number& parameter : parameters) {
    batch.parameters.push_back(parameter.value());
    if (!parameter.has_origin()) continue;
    batch.origins.resize(parameters.size(), -1);
    batch.origins[batch.parameters.size() - 1] = parameter.origin();
  }
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
      const int first_row = static_cast<int>(merged.rows.size());
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
          case formula::Slot::lambda:
            return to.input({input.slot, first_row + input.index});
          default:
            return to.input(input);
        }
      };
      formula::Copier copy{group.formula.graph, graph, substitute};
      const int first_observable = static_cast<int>(merged.observables.size());
      merged.rows.insert(merged.rows.end(), instance.rows.begin(), instance.rows.end());
      merged.observables.insert(merged.observables.end(), instance.observables.begin(),
                                instance.observables.end());
      for (const formula::Root& root : group.formula.roots) {
        int target = root.target;
        if (root.role == formula::Role::force || root.role == formula::Role::inertia)
          target = local_index(instance.coordinates[static_cast<std::size_t>(target)],
                               merged.coordinates, local_coordinate);
        if (root.role == formula::Role::constraint || root.role == formula::Role::rolling)
          target += first_row;
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
