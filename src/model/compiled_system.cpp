// SPDX-License-Identifier: BSD-3-Clause
#include "compiled_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "finite.hpp"
#include "pattern.hpp"

namespace taut {
namespace {

using formula::Slot;

/// Targets in which every slot belongs to one element, so that it is written, not summed.
constexpr bool is_row_target(Target target) {
  switch (target) {
    case Target::constraint:
    case Target::constraint_jacobian:
    case Target::constraint_rate:
    case Target::constraint_curvature:
    case Target::velocity_jacobian:
    case Target::observable:
    case Target::observable_q:
    case Target::observable_v:
    case Target::observable_t:
      return true;
    default:
      return false;
  }
}

double* values_of(Target target, Evaluation& out) {
  switch (target) {
    case Target::mass:
      return out.M.valuePtr();
    case Target::force:
      return out.f.data();
    case Target::momentum_force:
      return out.momentum_force.data();
    case Target::momentum:
      return out.momentum.data();
    case Target::kinetic_energy:
      return &out.kinetic_energy;
    case Target::potential_energy:
      return &out.potential_energy;
    case Target::constraint:
      return out.g.data();
    case Target::constraint_jacobian:
      return out.G.valuePtr();
    case Target::constraint_rate:
      return out.g_t.data();
    case Target::constraint_curvature:
      return out.curvature.data();
    case Target::velocity_jacobian:
      return out.N.valuePtr();
    case Target::stiffness:
      return out.K.valuePtr();
    case Target::damping:
      return out.D.valuePtr();
    case Target::potential_third:
      return out.third.data();
    case Target::observable:
      return out.observable.data();
    case Target::observable_q:
      return out.observable_q.valuePtr();
    case Target::observable_v:
      return out.observable_v.valuePtr();
    case Target::observable_t:
      return out.observable_t.data();
  }
  return nullptr;
}

constexpr bool asks(Needs needs, Target target) { return (needs & need(target)) != 0; }

bool reads(const formula::Program& program, Slot slot) {
  return std::any_of(program.inputs.begin(), program.inputs.end(),
                     [slot](const formula::Input& input) { return input.slot == slot; });
}

bool reads_parameters_only(const formula::Program& program) {
  return std::all_of(program.inputs.begin(), program.inputs.end(),
                     [](const formula::Input& input) { return input.slot == Slot::parameter; });
}

/// First 64-byte boundary inside `scratch`: kernels want aligned registers.
double* aligned(std::vector<double>& scratch) {
  constexpr std::uintptr_t line = 64;
  const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
  return scratch.data() + (line - address % line) % line / sizeof(double);
}

std::size_t scratch_of(const formula::Kernel& kernel) {
  return static_cast<std::size_t>(kernel.program().registers) * kernel.width() + 8;
}

}  // namespace

CompiledSystem::CompiledSystem(std::vector<Batch> batches, Structure structure, double theta_rate,
                               double theta_phase)
    : batches_{std::move(batches)},
      structure_{std::move(structure)},
      theta_rate_{theta_rate},
      theta_phase_{theta_phase} {
  structure_.nq = static_cast<Index>(structure_.coordinates.size());
  structure_.nc = static_cast<Index>(structure_.rows.size());
  structure_.C.resize(structure_.nc);
  structure_.d.resize(structure_.nc);
  for (Index r = 0; r < structure_.nc; ++r) {
    Row& row = structure_.rows[static_cast<std::size_t>(r)];
    row.equation = static_cast<int>(r);
    structure_.C[r] = row.compliance;
    structure_.d[r] = row.damping;
  }
  find_patterns();
  sum_constants();
  find_flags();
}

CompiledSystem::~CompiledSystem() {
  for (const Plan* plan = plans_.load(); plan != nullptr;) {
    const Plan* next = plan->next;
    delete plan;
    plan = next;
  }
}

void CompiledSystem::find_patterns() {
  Pattern mass, jacobian, velocity_jacobian, stiffness, damping, observable_q, observable_v;
  for (int i = 0; i < structure_.nq; ++i) mass.add(i, i);
  for (const Batch& batch : batches_) {
    const formula::Program program = formula::derive(
        batch.formula,
        needs(Target::mass, Target::constraint_jacobian, Target::velocity_jacobian,
              Target::stiffness, Target::damping, Target::observable_q, Target::observable_v));
    const int n = batch.instances;
    for (const formula::Output& output : program.outputs) {
      const int* const column = &batch.coordinates[static_cast<std::size_t>(output.column) * n];
      const auto collect = [&](const std::vector<int>& row_table, Pattern& pattern) {
        const int* const row = &row_table[static_cast<std::size_t>(output.row) * n];
        for (int i = 0; i < n; ++i) pattern.add(row[i], column[i]);
      };
      switch (output.target) {
        case Target::mass:
          collect(batch.coordinates, mass);
          break;
        case Target::constraint_jacobian:
          collect(batch.rows, jacobian);
          break;
        case Target::velocity_jacobian:
          collect(batch.rows, velocity_jacobian);
          break;
        case Target::stiffness:
          collect(batch.coordinates, stiffness);
          break;
        case Target::damping:
          collect(batch.coordinates, damping);
          break;
        case Target::observable_q:
          collect(batch.observables, observable_q);
          break;
        case Target::observable_v:
          collect(batch.observables, observable_v);
          break;
        default:
          break;
      }
    }
  }
  const Index nq = structure_.nq;
  const Index nc = structure_.nc;
  const auto no = static_cast<Index>(structure_.observables.size());
  structure_.M = mass.matrix(nq, nq);
  structure_.G = jacobian.matrix(nc, nq);
  structure_.N = velocity_jacobian.matrix(nc, nq);
  structure_.K = stiffness.matrix(nq, nq);
  structure_.D = damping.matrix(nq, nq);
  structure_.observable_q = observable_q.matrix(no, nq);
  structure_.observable_v = observable_v.matrix(no, nq);
}

void CompiledSystem::sum_constants() {
  Evaluation base;
  prepare(base);
  const Vec nothing = Vec::Zero(structure_.nq);
  const Arguments nowhere{.t = 0.0, .q = nothing, .v = nothing};
  for (const Batch& batch : batches_) {
    Needs constant = 0;
    for (const Target target : {Target::mass, Target::force, Target::momentum_force}) {
      formula::Program program = formula::derive(batch.formula, need(target));
      if (!reads_parameters_only(program)) {
        if (target == Target::mass) structure_.mass_constant = false;
        continue;
      }
      constant |= need(target);
      if (program.outputs.empty()) continue;
      run(bundle(batch, std::move(program)), nowhere, base);
    }
    constant_targets_.push_back(constant);
  }
  mass_base_ = Eigen::Map<const Vec>(base.M.valuePtr(), base.M.nonZeros());
  force_base_ = base.f;
  momentum_force_base_ = base.momentum_force;
  if (structure_.mass_constant)
    Eigen::Map<Vec>(structure_.M.valuePtr(), structure_.M.nonZeros()) = mass_base_;
}

void CompiledSystem::find_flags() {
  structure_.mass_diagonal = structure_.M.nonZeros() == structure_.nq;
  for (const Batch& batch : batches_) {
    const formula::Program force = formula::derive(batch.formula, need(Target::force));
    structure_.force_uses_velocity |= reads(force, Slot::v);
    structure_.force_uses_time |= reads(force, Slot::t) || reads(force, Slot::theta);
    structure_.constraint_uses_time |=
        !formula::derive(batch.formula, need(Target::constraint_rate)).outputs.empty();
    for (const formula::Root& root : batch.formula.roots) {
      const formula::Graph& graph = batch.formula.graph;
      const bool uses_time =
          graph.depends_on(root.node, Slot::t) || graph.depends_on(root.node, Slot::theta);
      if (root.role == formula::Role::force ||
          (root.role != formula::Role::observable && uses_time))
        conservative_but_for_rows_ = false;
    }
  }
  structure_.conservative =
      conservative_but_for_rows_ && std::none_of(structure_.rows.begin(), structure_.rows.end(),
                                                 [](const Row& row) { return row.damping > 0.0; });
}

void CompiledSystem::prepare(Evaluation& out) const {
  const Structure& s = structure_;
  out.M = s.M;
  out.G = s.G;
  out.N = s.N;
  out.K = s.K;
  out.D = s.D;
  out.observable_q = s.observable_q;
  out.observable_v = s.observable_v;
  for (Vec* x : {&out.f, &out.momentum_force, &out.momentum, &out.third}) x->setZero(s.nq);
  for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(s.nc);
  for (Vec* x : {&out.observable, &out.observable_t})
    x->setZero(static_cast<Index>(s.observables.size()));
  out.kinetic_energy = 0.0;
  out.potential_energy = 0.0;
}

const CompiledSystem::Plan& CompiledSystem::plan(Needs wanted) const {
  for (const Plan* p = plans_.load(std::memory_order_acquire); p != nullptr; p = p->next)
    if (p->needs == wanted) return *p;
  const std::lock_guard lock{building_};
  for (const Plan* p = plans_.load(std::memory_order_acquire); p != nullptr; p = p->next)
    if (p->needs == wanted) return *p;
  auto made = std::make_unique<Plan>();
  made->needs = wanted;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    const Needs varying = wanted & ~constant_targets_[b];
    if (varying == 0) continue;
    formula::Program program = formula::derive(batches_[b].formula, varying);
    if (program.outputs.empty()) continue;
    made->bundles.push_back(bundle(batches_[b], std::move(program)));
    made->scratch = std::max(made->scratch, scratch_of(*made->bundles.back().kernel));
  }
  made->next = plans_.load(std::memory_order_relaxed);
  const Plan* const result = made.release();
  plans_.store(result, std::memory_order_release);
  return *result;
}

CompiledSystem::Column CompiledSystem::column(const int* table, int instances) {
  Column result{.table = table, .first = table[0]};
  const int stride = instances > 1 ? table[1] - table[0] : 1;
  for (int i = 1; i < instances; ++i)
    if (table[i] - table[i - 1] != stride) return result;
  result.stride = stride;
  return result;
}

CompiledSystem::Bundle CompiledSystem::bundle(const Batch& batch, formula::Program program) const {
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
        gather.value = &batch.parameters[at];
        gather.same_value = std::all_of(gather.value, gather.value + n,
                                        [&](double x) { return x == *gather.value; });
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
      return pair(batch.coordinates, structure_.M);
    case Target::stiffness:
      return pair(batch.coordinates, structure_.K);
    case Target::damping:
      return pair(batch.coordinates, structure_.D);
    case Target::constraint_jacobian:
      return pair(batch.rows, structure_.G);
    case Target::velocity_jacobian:
      return pair(batch.rows, structure_.N);
    case Target::observable_q:
      return pair(batch.observables, structure_.observable_q);
    case Target::observable_v:
      return pair(batch.observables, structure_.observable_v);
    case Target::force:
    case Target::momentum_force:
    case Target::momentum:
    case Target::potential_third:
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

void CompiledSystem::reset(Needs wanted, Evaluation& out) const {
  if (asks(wanted, Target::mass) && !structure_.mass_constant)
    std::copy_n(mass_base_.data(), mass_base_.size(), out.M.valuePtr());
  if (asks(wanted, Target::force)) out.f = force_base_;
  if (asks(wanted, Target::momentum_force)) out.momentum_force = momentum_force_base_;
  if (asks(wanted, Target::momentum)) out.momentum.setZero();
  if (asks(wanted, Target::potential_third)) out.third.setZero();
  if (asks(wanted, Target::kinetic_energy)) out.kinetic_energy = 0.0;
  if (asks(wanted, Target::potential_energy)) out.potential_energy = 0.0;
  if (asks(wanted, Target::stiffness)) std::fill_n(out.K.valuePtr(), out.K.nonZeros(), 0.0);
  if (asks(wanted, Target::damping)) std::fill_n(out.D.valuePtr(), out.D.nonZeros(), 0.0);
}

/// Calls visit(l, place) for the lanes of a block. Strides that points in the plane and in space
/// give are known to the compiler.
template <class Visit>
void CompiledSystem::for_each_place(const Column& column, int first, int count,
                                    const Visit& visit) {
  const int begin = column.first + first * column.stride;
  const auto regular = [&](auto stride) {
    for (int l = 0; l < count; ++l) visit(l, begin + l * stride);
  };
  switch (column.stride) {
    case 0:
      for (int l = 0; l < count; ++l) visit(l, column.table[first + l]);
      break;
    case 1:
      regular(std::integral_constant<int, 1>{});
      break;
    case 2:
      regular(std::integral_constant<int, 2>{});
      break;
    case 3:
      regular(std::integral_constant<int, 3>{});
      break;
    case 4:
      regular(std::integral_constant<int, 4>{});
      break;
    default:
      regular(column.stride);
      break;
  }
}

template <class Visit>
void CompiledSystem::for_each_block(const Bundle& bundle, const Arguments& at,
                                    std::vector<double>& scratch, const Visit& visit) const {
  const formula::Kernel& kernel = *bundle.kernel;
  const int width = kernel.width();
  if (scratch.size() < scratch_of(kernel)) scratch.resize(scratch_of(kernel));
  double* const registers = aligned(scratch);
  kernel.load_constants(registers);
  for (int first = 0; first < bundle.instances; first += width) {
    const int count = std::min(width, bundle.instances - first);
    double* to = registers;
    for (const Gather& gather : bundle.gathers) {
      const auto indexed = [&](const double* from) {
        for_each_place(gather.index, first, count, [&](int l, int place) { to[l] = from[place]; });
      };
      switch (gather.slot) {
        case Slot::q:
          indexed(at.q.data());
          break;
        case Slot::v:
          indexed(at.v.data());
          break;
        case Slot::a:
          indexed(at.a->data());
          break;
        case Slot::lambda:
          indexed(at.lambda->data());
          break;
        case Slot::parameter:
          if (gather.same_value)
            std::fill_n(to, count, *gather.value);
          else
            std::copy_n(gather.value + first, count, to);
          break;
        case Slot::t:
          std::fill_n(to, count, at.t);
          break;
        case Slot::theta:
          std::fill_n(to, count, theta_rate_ * at.t + theta_phase_);
          break;
      }
      std::fill(to + count, to + width, to[0]);  // the tail repeats a valid lane
      to += width;
    }
    kernel.run(registers);
    visit(first, count, registers);
  }
}

void CompiledSystem::run(const Bundle& bundle, const Arguments& at, Evaluation& out) const {
  const int width = bundle.kernel->width();
  for_each_block(bundle, at, out.scratch, [&](int first, int count, const double* registers) {
    for (const ScatterGroup& group : bundle.groups) {
      double* const to = values_of(group.target, out);
      const bool add = !is_row_target(group.target);
      for (std::size_t s = group.begin; s < group.end; ++s) {
        const Scatter& scatter = bundle.scatters[s];
        const double* const from = registers + static_cast<std::ptrdiff_t>(scatter.reg) * width;
        const auto write = [&](const auto& store) {
          for_each_place(scatter.slots, first, count, store);
        };
        if (add && group.negate)
          write([&](int l, int place) { to[place] -= from[l]; });
        else if (add)
          write([&](int l, int place) { to[place] += from[l]; });
        else if (group.negate)
          write([&](int l, int place) { to[place] = -from[l]; });
        else
          write([&](int l, int place) { to[place] = from[l]; });
      }
    }
  });
}

Status CompiledSystem::evaluate(Needs wanted, const Arguments& at, Evaluation& out) const {
  const Plan& p = plan(wanted);
  if (out.scratch.size() < p.scratch) out.scratch.resize(p.scratch);
  reset(wanted, out);
  for (const Bundle& bundle : p.bundles) run(bundle, at, out);
  return all_finite(wanted, out, structure_) ? Status::ok : Status::non_finite;
}

Status CompiledSystem::multipliers(const Arguments& /*at*/, const Vec& lambda, Evaluation& /*out*/,
                                   Vec& all_rows) const {
  all_rows = lambda;
  return Status::ok;
}

std::string CompiledSystem::culprit(const Arguments& at) const {
  const Needs everything =
      needs(Target::mass, Target::force, Target::kinetic_energy, Target::potential_energy,
            Target::constraint, Target::constraint_jacobian, Target::constraint_rate,
            Target::constraint_curvature, Target::observable);
  std::vector<double> scratch;
  for (const Batch& batch : batches_) {
    formula::Formula one = batch.formula;
    for (std::size_t r = 0; r < batch.formula.roots.size(); ++r) {
      one.roots = {batch.formula.roots[r]};
      const Bundle single = bundle(batch, formula::derive(one, everything));
      int bad = -1;
      for_each_block(single, at, scratch, [&](int first, int count, const double* registers) {
        for (const Scatter& scatter : single.scatters)
          for (int l = 0; l < count && bad < 0; ++l)
            if (!std::isfinite(registers[scatter.reg * single.kernel->width() + l]))
              bad = first + l;
      });
      if (bad >= 0) return batch.labels[batch.merged ? r : static_cast<std::size_t>(bad)];
    }
  }
  return {};
}

}  // namespace taut
