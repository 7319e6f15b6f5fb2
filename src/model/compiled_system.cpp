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

/// Whether the forces of a formula are, each, a + b.mu with a and b that do not read mu.
bool is_affine_in_multipliers(const formula::Formula& formula) {
  const formula::Graph& graph = formula.graph;
  const auto reads_mu = [&](formula::NodeId id) {
    return id != formula::no_node && graph.depends_on(id, Slot::mu);
  };
  for (formula::NodeId id = 0; id < graph.size(); ++id)
    switch (const formula::Node& node = graph[id]; node.op) {
      case formula::Op::add:
      case formula::Op::sub:
      case formula::Op::neg:
      case formula::Op::input:
      case formula::Op::constant:
        break;
      case formula::Op::mul:
        if (reads_mu(node.a) && reads_mu(node.b)) return false;
        break;
      case formula::Op::div:
        if (reads_mu(node.b)) return false;
        break;
      case formula::Op::select:
        if (reads_mu(node.a)) return false;
        break;
      default:
        if (reads_mu(id)) return false;
        break;
    }
  return true;
}

/// C and d of the equations from the rows.
void take_rows(Structure& structure) {
  structure.C.resize(structure.nc);
  structure.d.resize(structure.nc);
  for (Index r = 0; r < structure.nc; ++r) {
    structure.C[r] = structure.rows[static_cast<std::size_t>(r)].compliance;
    const Row& row = structure.rows[static_cast<std::size_t>(r)];
    structure.d[r] = row.of_velocities ? 1.0 : row.damping;  // of g + d g' = C λ with g = 0, C = 0
  }
}

std::shared_ptr<const std::vector<double>> initial_inputs(const Structure& structure) {
  auto values = std::make_shared<std::vector<double>>();
  for (const SystemInput& input : structure.inputs) values->push_back(input.initial);
  return values;
}

}  // namespace

CompiledSystem::CompiledSystem(std::vector<Batch> batches, Structure structure,
                               std::vector<PairField> pairs, const formula::Number& theta_rate,
                               const formula::Number& theta_phase,
                               std::shared_ptr<const formula::Origins> tape,
                               std::shared_ptr<const CompiledSystem> quantities,
                               std::shared_ptr<const CompiledSystem> turns)
    : shape_{std::make_shared<Shape>()},
      parameters_{std::make_shared<std::vector<double>>()},
      theta_rate_{theta_rate.value()},
      theta_phase_{theta_phase.value()} {
  shape_->tape = std::move(tape);
  shape_->quantities = std::move(quantities);
  shape_->turns = std::move(turns);
  shape_->batches = std::move(batches);
  shape_->pairs = std::move(pairs);
  shape_->theta_rate = theta_rate;
  shape_->theta_phase = theta_phase;
  for (const Batch& batch : shape_->batches) {
    shape_->first_parameter.push_back(parameters_->size());
    parameters_->insert(parameters_->end(), batch.parameters.begin(), batch.parameters.end());
  }
  structure.nq = static_cast<Index>(structure.coordinates.size());
  structure.nc = static_cast<Index>(structure.rows.size());
  for (std::size_t r = 0; r < structure.rows.size(); ++r)
    structure.rows[r].equation = static_cast<int>(r);
  take_rows(structure);
  find_patterns(structure);
  inputs_ = initial_inputs(structure);
  const auto whole = std::make_shared<Structure>(std::move(structure));
  structure_ = whole;
  find_constants(*whole);
  sum_constants(whole.get());
  find_flags(*whole);
}

CompiledSystem::CompiledSystem(const CompiledSystem& compiled,
                               std::shared_ptr<const ParameterPoint> point,
                               const std::vector<KeptNumber<Structure>>& kept)
    : shape_{compiled.shape_},
      structure_{compiled.structure_},
      point_{std::move(point)},
      parameters_{compiled.parameters_},
      inputs_{compiled.inputs_},
      turns_{compiled.turns_},
      bases_{compiled.bases_} {
  const std::vector<double>& values = point_->values;
  const auto now = [&](const formula::Number& number) {
    return number.has_origin() ? values[static_cast<std::size_t>(number.origin())] : number.value();
  };
  theta_rate_ = now(shape_->theta_rate);
  theta_phase_ = now(shape_->theta_phase);

  std::shared_ptr<std::vector<double>> parameters;
  for (std::size_t b = 0; b < shape_->batches.size(); ++b) {
    const std::vector<int>& origins = shape_->batches[b].origins;
    for (std::size_t i = 0; i < origins.size(); ++i) {
      if (origins[i] < 0 || (shape_->tape->mask(origins[i]) & point_->changed) == 0) continue;
      if (!parameters) parameters = std::make_shared<std::vector<double>>(*parameters_);
      (*parameters)[shape_->first_parameter[b] + i] = values[static_cast<std::size_t>(origins[i])];
    }
  }
  if (parameters) parameters_ = std::move(parameters);

  const auto has_changed = [&](int origin) {
    return (shape_->tape->mask(origin) & point_->changed) != 0;
  };
  const bool sums = (shape_->read_by_constants & point_->changed) != 0;
  const bool vibration =
      has_changed(shape_->theta_rate.origin()) || has_changed(shape_->theta_phase.origin());
  const bool rows = std::any_of(kept.begin(), kept.end(),
                                [&](const auto& number) { return has_changed(number.origin); });
  // the structure is copied where a number of it changes
  std::shared_ptr<Structure> own;
  if (rows || vibration ||
      (structure_->mass_constant && (shape_->read_by_mass & point_->changed) != 0))
    structure_ = own = std::make_shared<Structure>(*structure_);
  if (rows) {
    for (const KeptNumber<Structure>& number : kept)
      number.place(*own) = values[static_cast<std::size_t>(number.origin)];
    take_rows(*own);
    inputs_ = initial_inputs(*own);
  }
  if (vibration) {
    own->vibration.omega = theta_rate_;
    own->vibration.phase = theta_phase_;
  }
  if (sums) sum_constants(own.get());
}

CompiledSystem::CompiledSystem(const CompiledSystem& compiled, std::vector<Batch> batches,
                               std::shared_ptr<const std::vector<double>> modes)
    : CompiledSystem{std::move(batches), compiled.structure(), compiled.shape_->pairs,
                     compiled.theta_rate_, compiled.theta_phase_} {
  inputs_ = compiled.inputs_;
  turns_ = compiled.turns_;
  modes_ = std::move(modes);
}

CompiledSystem::CompiledSystem(const CompiledSystem& compiled,
                               std::shared_ptr<const std::vector<double>> inputs)
    : shape_{compiled.shape_},
      structure_{compiled.structure_},
      point_{compiled.point_},
      parameters_{compiled.parameters_},
      inputs_{std::move(inputs)},
      modes_{compiled.modes_},
      turns_{compiled.turns_},
      theta_rate_{compiled.theta_rate_},
      theta_phase_{compiled.theta_phase_},
      bases_{compiled.bases_} {}

std::shared_ptr<const CompiledSystem> CompiledSystem::with_turns(
    std::shared_ptr<const std::vector<double>> turns) const {
  const auto result = std::make_shared<CompiledSystem>(*this, inputs_);
  result->turns_ = std::move(turns);
  return result;
}

std::shared_ptr<const CompiledSystem> CompiledSystem::turns() const {
  std::shared_ptr<const CompiledSystem> shown = shape_->turns;
  if (!shown) return nullptr;
  if (point_)
    shown = std::make_shared<const CompiledSystem>(*shown, point_,
                                                   std::vector<KeptNumber<Structure>>{});
  return shown->with_turns(turns_);
}

namespace {

/// Whether a formula reads an input from this number on: the angles that joints remember.
bool reads_input_from(int first, const Batch& batch) {
  const formula::Graph& graph = batch.formula.graph;
  for (formula::NodeId id = 0; id < graph.size(); ++id)
    if (graph[id].op == formula::Op::input && graph[id].input.slot == Slot::input &&
        graph[id].input.index >= first)
      return true;
  return false;
}

}  // namespace

bool CompiledSystem::reads_turns() const {
  const auto inputs = static_cast<int>(structure_->inputs.size());
  return std::any_of(shape_->batches.begin(), shape_->batches.end(),
                     [=](const Batch& batch) { return reads_input_from(inputs, batch); });
}

CompiledSystem::~CompiledSystem() {
  for (const BoundPlan* plan = plans_.load(); plan != nullptr;)
    delete std::exchange(plan, plan->next);
}

CompiledSystem::Shape::~Shape() {
  for (const Plan* plan = plans.load(); plan != nullptr;) delete std::exchange(plan, plan->next);
}

std::vector<Batch> CompiledSystem::batches() const {
  std::vector<Batch> result = shape_->batches;
  for (std::size_t b = 0; b < result.size(); ++b) {
    const auto first =
        parameters_->begin() + static_cast<std::ptrdiff_t>(shape_->first_parameter[b]);
    std::copy_n(first, result[b].parameters.size(), result[b].parameters.begin());
    result[b].origins.clear();
    result[b].formula.theta_rate = theta_rate_;
    if (point_) result[b].formula.graph = result[b].formula.graph.revalued(point_->values);
  }
  return result;
}

void CompiledSystem::find_patterns(Structure& structure) {
  Pattern mass, jacobian, velocity_jacobian, stiffness, damping, curvature, observable_q,
      observable_v, force_mu, observable_mu;
  for (int i = 0; i < structure.nq; ++i) mass.add(i, i);
  for (const Batch& batch : shape_->batches) {
    if (batch.drawn) continue;
    const formula::Program program = formula::derive(
        batch.formula, needs(Target::mass, Target::constraint_jacobian, Target::velocity_jacobian,
                             Target::stiffness, Target::damping, Target::constraint_stiffness,
                             Target::observable_q, Target::observable_v, Target::force_multiplier,
                             Target::observable_multiplier));
    const int n = batch.instances;
    for (const formula::Output& output : program.outputs) {
      const auto of_multiplier = [&](const std::vector<int>& row_table, Pattern& pattern) {
        for (int i = 0; i < n; ++i)
          pattern.add(row_table[static_cast<std::size_t>(output.row) * n + i], output.column);
      };
      if (output.target == Target::force_multiplier) {
        of_multiplier(batch.coordinates, force_mu);
        continue;
      }
      if (output.target == Target::observable_multiplier) {
        of_multiplier(batch.observables, observable_mu);
        continue;
      }
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
  const Index nq = structure.nq;
  const Index nc = structure.nc;
  const auto no = static_cast<Index>(structure.observables.size());
  structure.M = mass.matrix(nq, nq);
  structure.G = jacobian.matrix(nc, nq);
  structure.N = velocity_jacobian.matrix(nc, nq);
  for (const PairField& field : shape_->pairs) {
    field.add_to_pattern(stiffness);
    structure.differentiable &= field.differentiable();
  }
  structure.K = stiffness.matrix(nq, nq);
  for (PairField& field : shape_->pairs) field.find_slots(structure.K);
  structure.D = damping.matrix(nq, nq);
  structure.H = curvature.matrix(nq, nq);
  structure.observable_q = observable_q.matrix(no, nq);
  structure.observable_v = observable_v.matrix(no, nq);
  const auto k = static_cast<Index>(structure.read_multipliers.size());
  structure.force_multiplier = force_mu.matrix(nq, k);
  structure.observable_multiplier = observable_mu.matrix(no, k);
}

/// What of M and of the forces does not change, and which parameters it is made of.
void CompiledSystem::find_constants(Structure& structure) {
  Shape& shape = *shape_;
  for (std::size_t b = 0; b < shape.batches.size(); ++b) {
    const Batch& batch = shape.batches[b];
    if (batch.drawn) {
      shape.constant_targets.push_back(~need(Target::observable));
      continue;
    }
    Needs constant = 0;
    for (const Target target : {Target::mass, Target::force, Target::momentum_force}) {
      formula::Program program = formula::derive(batch.formula, need(target));
      const formula::Origins::Mask read = read_by(batch, program);
      if (target == Target::mass) shape.read_by_mass |= read;
      if (!reads_parameters_only(program)) {
        if (target == Target::mass) structure.mass_constant = false;
        continue;
      }
      constant |= need(target);
      if (program.outputs.empty()) continue;
      shape.read_by_constants |= read;
      shape.constant_bundles.push_back(bundle(b, std::move(program)));
    }
    shape.constant_targets.push_back(constant);
  }
}

formula::Origins::Mask CompiledSystem::read_by(const Batch& batch,
                                               const formula::Program& program) const {
  formula::Origins::Mask read = 0;
  if (!shape_->tape) return read;
  for (const int origin : program.origins) read |= shape_->tape->mask(origin);
  if (batch.origins.empty()) return read;
  const auto n = static_cast<std::size_t>(batch.instances);
  for (const formula::Input& input : program.inputs)
    if (input.slot == Slot::parameter)
      for (std::size_t i = 0; i < n; ++i)
        read |= shape_->tape->mask(batch.origins[static_cast<std::size_t>(input.index) * n + i]);
  return read;
}

/// Adds up what does not change; the values of a constant M go to `structure`, where it is given.
void CompiledSystem::sum_constants(Structure* structure) {
  Evaluation base;
  base.M = structure_->M;
  std::fill_n(base.M.valuePtr(), base.M.nonZeros(), 0.0);
  base.f = base.momentum_force = Vec::Zero(structure_->nq);
  const Vec nothing = Vec::Zero(structure_->nq);
  const Arguments nowhere{.t = 0.0, .q = nothing, .v = nothing};
  BoundPlan bound;
  bind(shape_->constant_bundles, point_ ? std::span{point_->values} : std::span<const double>{},
       bound);
  for (const Bound& one : bound.bundles) run(one, nowhere, base);
  auto bases = std::make_shared<Bases>();
  bases->mass = Eigen::Map<const Vec>(base.M.valuePtr(), base.M.nonZeros());
  bases->force = std::move(base.f);
  bases->momentum_force = std::move(base.momentum_force);
  if (structure != nullptr && structure->mass_constant)
    Eigen::Map<Vec>(structure->M.valuePtr(), structure->M.nonZeros()) = bases->mass;
  bases_ = std::move(bases);
}

void CompiledSystem::find_flags(Structure& structure) {
  structure.mass_diagonal = structure.M.nonZeros() == structure.nq;
  VibrationUse& vibration = structure.vibration;
  vibration.omega = theta_rate_;
  vibration.phase = theta_phase_;
  structure.force_constant =
      shape_->pairs.empty() &&
      std::all_of(shape_->constant_targets.begin(), shape_->constant_targets.end(),
                  [](Needs constant) { return (constant & need(Target::force)) != 0; });
  for (const PairField& field : shape_->pairs)
    if (field.contacts() != nullptr && field.contacts()->loses()) {
      structure.force_uses_velocity = true;
      shape_->conservative_but_for_rows = false;
    }
  for (const Batch& batch : shape_->batches) {
    for (const formula::Root& root : batch.formula.roots)
      if (batch.formula.graph.depends_on(root.node, Slot::mu))
        (root.role == formula::Role::observable ? structure.multipliers_in_observables
                                                : structure.multipliers_in_forces) = true;
    structure.affine_in_multipliers &= is_affine_in_multipliers(batch.formula);
    structure.takes_multipliers =
        structure.multipliers_in_forces || structure.multipliers_in_observables;
    if (batch.drawn) continue;
    const formula::Program force = formula::derive(batch.formula, need(Target::force));
    structure.force_uses_velocity |= reads(force, Slot::v);
    structure.force_uses_time |= reads(force, Slot::t) || reads(force, Slot::theta);
    structure.constraint_uses_time |=
        !formula::derive(batch.formula, need(Target::constraint_rate)).outputs.empty();
    for (const formula::Root& root : batch.formula.roots) {
      const formula::Graph& graph = batch.formula.graph;
      const bool uses_theta = graph.depends_on(root.node, Slot::theta);
      const bool uses_time = graph.depends_on(root.node, Slot::t) || uses_theta;
      vibration.slow_time |= graph.depends_on(root.node, Slot::t);
      vibration.in_force |= uses_theta && (root.role == formula::Role::force ||
                                           root.role == formula::Role::potential);
      vibration.in_constraint |= uses_theta && (root.role == formula::Role::constraint ||
                                                root.role == formula::Role::rolling);
      vibration.in_mass |= uses_theta && root.role == formula::Role::kinetic;
      const bool moves_by_itself =
          root.role == formula::Role::rolling &&
          !formula::derive(batch.formula, need(Target::constraint_rate)).outputs.empty();
      if (root.role == formula::Role::force || moves_by_itself ||
          (root.role != formula::Role::observable && uses_time))
        shape_->conservative_but_for_rows = false;
    }
  }
  structure.conservative = shape_->conservative_but_for_rows &&
                           std::none_of(structure.rows.begin(), structure.rows.end(),
                                        [](const Row& row) { return row.damping > 0.0; });
}

void CompiledSystem::prepare(Evaluation& out) const {
  const Structure& s = *structure_;
  out.M = s.M;
  out.G = s.G;
  out.N = s.N;
  out.K = s.K;
  out.D = s.D;
  out.H = s.H;
  out.observable_q = s.observable_q;
  out.observable_v = s.observable_v;
  out.force_multiplier = s.force_multiplier;
  out.observable_multiplier = s.observable_multiplier;
  for (Vec* x : {&out.f, &out.momentum_force, &out.momentum, &out.third, &out.acceleration_q,
                 &out.acceleration_v})
    x->setZero(s.nq);
  for (Vec* x : {&out.g, &out.g_t, &out.curvature}) x->setZero(s.nc);
  for (Vec* x : {&out.observable, &out.observable_t})
    x->setZero(static_cast<Index>(s.observables.size()));
  out.kinetic_energy = 0.0;
  out.potential_energy = 0.0;
  out.own.reset(std::make_unique<SeriesScratch>());
  if (shape_->pairs.empty()) return;
  auto pairs = std::make_unique<PairScratch>();
  for (const PairField& field : shape_->pairs) pairs->fields.push_back(field.scratch());
  out.pairs.reset(std::move(pairs));
}

}  // namespace taut
