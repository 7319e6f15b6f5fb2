// SPDX-License-Identifier: BSD-3-Clause
#include "model/compiled_system.hpp"

#include <algorithm>
#include <utility>

#include "model/compiled_series.hpp"
#include "model/evaluation_fields.hpp"
#include "model/pattern.hpp"

namespace taut {
namespace {

using formula::Slot;

bool reads(const formula::Program& program, Slot slot) {
  return std::any_of(program.inputs.begin(), program.inputs.end(),
                     [slot](const formula::Input& input) { return input.slot == slot; });
}

bool reads_parameters_only(const formula::Program& program) {
  return std::all_of(program.inputs.begin(), program.inputs.end(),
                     [](const formula::Input& input) { return input.slot == Slot::parameter; });
}

}  // namespace

CompiledSystem::CompiledSystem(std::vector<Batch> batches, Structure structure,
                               std::vector<PairField> pairs, double theta_rate, double theta_phase)
    : batches_{std::move(batches)},
      structure_{std::move(structure)},
      pairs_{std::move(pairs)},
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
  Pattern mass, jacobian, velocity_jacobian, stiffness, damping, curvature, observable_q,
      observable_v;
  for (int i = 0; i < structure_.nq; ++i) mass.add(i, i);
  for (const Batch& batch : batches_) {
    if (batch.drawn) continue;
    const formula::Program program = formula::derive(
        batch.formula, needs(Target::mass, Target::constraint_jacobian, Target::velocity_jacobian,
                             Target::stiffness, Target::damping, Target::constraint_stiffness,
                             Target::observable_q, Target::observable_v));
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
        case Target::constraint_stiffness:
          collect(batch.coordinates, curvature);
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
  for (const PairField& field : pairs_) {
    field.add_to_pattern(stiffness);
    structure_.differentiable &= field.differentiable();
  }
  structure_.K = stiffness.matrix(nq, nq);
  for (PairField& field : pairs_) field.find_slots(structure_.K);
  structure_.D = damping.matrix(nq, nq);
  structure_.H = curvature.matrix(nq, nq);
  structure_.observable_q = observable_q.matrix(no, nq);
  structure_.observable_v = observable_v.matrix(no, nq);
}

void CompiledSystem::sum_constants() {
  Evaluation base;
  prepare(base);
  const Vec nothing = Vec::Zero(structure_.nq);
  const Arguments nowhere{.t = 0.0, .q = nothing, .v = nothing};
  for (const Batch& batch : batches_) {
    if (batch.drawn) {
      constant_targets_.push_back(~need(Target::observable));
      continue;
    }
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
  VibrationUse& vibration = structure_.vibration;
  vibration.omega = theta_rate_;
  vibration.phase = theta_phase_;
  structure_.force_constant =
      pairs_.empty() &&
      std::all_of(constant_targets_.begin(), constant_targets_.end(),
                  [](Needs constant) { return (constant & need(Target::force)) != 0; });
  for (const Batch& batch : batches_) {
    if (batch.drawn) continue;
    const formula::Program force = formula::derive(batch.formula, need(Target::force));
    structure_.force_uses_velocity |= reads(force, Slot::v);
    structure_.force_uses_time |= reads(force, Slot::t) || reads(force, Slot::theta);
    structure_.constraint_uses_time |=
        !formula::derive(batch.formula, need(Target::constraint_rate)).outputs.empty();
    for (const formula::Root& root : batch.formula.roots) {
      const formula::Graph& graph = batch.formula.graph;
      const bool uses_theta = graph.depends_on(root.node, Slot::theta);
      const bool uses_time = graph.depends_on(root.node, Slot::t) || uses_theta;
      vibration.slow_time |= graph.depends_on(root.node, Slot::t);
      vibration.in_force |= uses_theta && (root.role == formula::Role::force ||
                                           root.role == formula::Role::potential);
      vibration.in_constraint |= uses_theta && root.role == formula::Role::constraint;
      vibration.in_mass |= uses_theta && root.role == formula::Role::kinetic;
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
  out.H = s.H;
  out.observable_q = s.observable_q;
  out.observable_v = s.observable_v;
  for (Vec* x : {&out.f, &out.momentum_force, &out.momentum, &out.third}) x->setZero(s.nq);
  for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(s.nc);
  for (Vec* x : {&out.observable, &out.observable_t})
    x->setZero(static_cast<Index>(s.observables.size()));
  out.kinetic_energy = 0.0;
  out.potential_energy = 0.0;
  out.own.reset(std::make_unique<SeriesScratch>());
  if (pairs_.empty()) return;
  auto pairs = std::make_unique<PairScratch>();
  for (const PairField& field : pairs_) pairs->fields.push_back(field.scratch());
  out.pairs.reset(std::move(pairs));
}

const CompiledSystem::Plan* CompiledSystem::find_plan(Needs wanted, bool series) const {
  for (const Plan* p = plans_.load(std::memory_order_acquire); p != nullptr; p = p->next)
    if (p->needs == wanted && p->series == series) return p;
  return nullptr;
}

const CompiledSystem::Plan& CompiledSystem::plan(Needs wanted, bool series) const {
  if (const Plan* const known = find_plan(wanted, series); known != nullptr) return *known;
  const std::lock_guard lock{building_};
  if (const Plan* const known = find_plan(wanted, series); known != nullptr) return *known;
  auto made = std::make_unique<Plan>();
  made->needs = wanted;
  made->series = series;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    const Needs varying = wanted & ~constant_targets_[b];
    if (varying == 0) continue;
    formula::Program program = formula::derive(batches_[b].formula, varying);
    if (program.outputs.empty()) continue;
    made->bundles.push_back(bundle(batches_[b], std::move(program)));
    Bundle& last = made->bundles.back();
    if (series)
      last.series =
          std::make_unique<const formula::SeriesProgram>(last.kernel->program(), last.instances);
    made->scratch = std::max(made->scratch, last.scratch());
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
      return pair(batch.coordinates, structure_.M);
    case Target::stiffness:
      return pair(batch.coordinates, structure_.K);
    case Target::damping:
      return pair(batch.coordinates, structure_.D);
    case Target::constraint_stiffness:
      return pair(batch.coordinates, structure_.H);
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
    case Target::third:
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
