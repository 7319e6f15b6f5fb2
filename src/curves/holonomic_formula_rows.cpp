// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "curves/holonomic_rows.hpp"
#include "formula/derivative.hpp"
#include "model/compiled_system.hpp"
#include "model/pattern.hpp"
#include "readings/base_of.hpp"

namespace taut {
namespace {

using formula::Formula;
using formula::Graph;
using formula::Input;
using formula::NodeId;
using formula::Op;
using formula::Role;
using formula::Root;
using formula::Slot;

/// Turns the formulas of a model in (q, v, t) into formulas of rows in the coordinates p alone:
/// a batch with n coordinates becomes one with 1 + 2n, t and q and v.
class RowFormulas {
 public:
  RowFormulas(const Structure& structure, const HolonomicInvariants& kept)
      : structure_{structure},
        kept_{kept},
        places_{structure},
        row_of_observable_(structure.observables.size(), -1),
        in_energy_(static_cast<std::size_t>(1 + 2 * structure.nq), false) {
    for (std::size_t i = 0; i < kept.observables.size(); ++i)
      row_of_observable_[static_cast<std::size_t>(kept.observables[i])] =
          static_cast<int>(places_.size()) + static_cast<int>(i);
  }

  void add(const Batch& all);

  [[nodiscard]] std::vector<Batch> take() { return std::move(batches_); }
  /// Whether T + U reads a coordinate of p.
  [[nodiscard]] const std::vector<bool>& in_energy() const { return in_energy_; }

 private:
  [[nodiscard]] Batch of_interest(const Batch& all) const;
  void add_root(const Batch& batch, const Root& root, NodeId node, Batch& to);
  void add_row(const Batch& batch, const std::vector<int>& table, int local, NodeId node,
               const auto& row_of, Batch& to) const;
  [[nodiscard]] static NodeId energy(const Formula& given, const Root& root, NodeId node,
                                     Graph& graph);

  const Structure& structure_;
  const HolonomicInvariants& kept_;
  ConstraintPlaces places_;
  std::vector<int> row_of_observable_;  // -1: it is not kept
  std::vector<bool> in_energy_;
  std::vector<Batch> batches_;
};

void RowFormulas::add(const Batch& all) {
  const Batch batch = of_interest(all);
  if (batch.instances == 0) return;
  const Formula& given = batch.formula;
  const int n = given.coordinates;
  Batch made;
  made.instances = batch.instances;
  made.parameters = batch.parameters;
  made.merged = batch.merged;
  made.formula.coordinates = 1 + 2 * n;
  made.formula.parameters = given.parameters;

  const auto instances = static_cast<std::size_t>(batch.instances);
  made.coordinates.assign(instances, 0);
  for (const int first : {1, 1 + static_cast<int>(structure_.nq)})
    for (const int coordinate : batch.coordinates) made.coordinates.push_back(first + coordinate);

  formula::Copier copy{given.graph, made.formula.graph, [&](Input input, Graph& to) {
                         const NodeId t = to.input({Slot::q, 0});
                         switch (input.slot) {
                           case Slot::q:
                             return to.input({Slot::q, 1 + input.index});
                           case Slot::v:
                             return to.input({Slot::q, 1 + n + input.index});
                           case Slot::t:
                             return t;
                           case Slot::theta:
                             return to.make(
                                 Op::add, to.constant(structure_.vibration.phase),
                                 to.make(Op::mul, to.constant(structure_.vibration.omega), t));
                           default:
                             return to.input(input);
                         }
                       }};
  for (std::size_t r = 0; r < given.roots.size(); ++r) {
    const std::size_t before = made.formula.roots.size();
    add_root(batch, given.roots[r], copy(given.roots[r].node), made);
    if (batch.merged) made.labels.resize(made.formula.roots.size(), batch.labels[r]);
    if (made.formula.roots.size() > before && !batch.merged) made.labels = batch.labels;
  }
  if (!made.formula.roots.empty()) batches_.push_back(std::move(made));
}

// without the elements that are watched only
Batch RowFormulas::of_interest(const Batch& all) const {
  if (all.merged || all.observables.empty()) return all;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < static_cast<std::size_t>(all.instances); ++i)
    if (row_of_observable_[static_cast<std::size_t>(all.observables[i])] >= 0) chosen.push_back(i);
  const auto select = [&](const auto& from, auto& to) {
    const auto n = static_cast<std::size_t>(all.instances);
    to.clear();
    for (std::size_t first = 0; first < from.size(); first += n)
      for (const std::size_t i : chosen) to.push_back(from[first + i]);
  };
  Batch some = all;
  some.instances = static_cast<int>(chosen.size());
  select(all.coordinates, some.coordinates);
  select(all.parameters, some.parameters);
  select(all.rows, some.rows);
  select(all.observables, some.observables);
  select(all.labels, some.labels);
  return some;
}

void RowFormulas::add_root(const Batch& batch, const Root& root, NodeId node, Batch& to) {
  Graph& graph = to.formula.graph;
  const int n = batch.formula.coordinates;
  switch (root.role) {
    case Role::constraint: {
      // G v + g_t is the derivative of g along (1, v)
      std::vector<formula::Seed> seeds{{graph.input({Slot::q, 0}), graph.constant(1.0)}};
      for (int i = 0; i < n; ++i)
        seeds.push_back({graph.input({Slot::q, 1 + i}), graph.input({Slot::q, 1 + n + i})});
      formula::Derivatives derivatives{graph};
      derivatives.direction(seeds);
      const NodeId rate = derivatives.along(node);
      add_row(
          batch, batch.rows, root.target, rate, [](int row) { return row; }, to);
      add_row(
          batch, batch.rows, root.target, node, [&](int row) { return places_.of_g(row); }, to);
      break;
    }
    case Role::rolling:
      add_row(
          batch, batch.rows, root.target, node, [](int row) { return row; }, to);
      break;
    case Role::observable:
      // those of a merged batch stand apart
      if (row_of_observable_[static_cast<std::size_t>(
              batch.observables[static_cast<std::size_t>(root.target * batch.instances)])] >= 0)
        add_row(
            batch, batch.observables, root.target, node,
            [&](int k) { return row_of_observable_[static_cast<std::size_t>(k)]; }, to);
      break;
    case Role::kinetic:
    case Role::potential: {
      if (!kept_.energy) break;
      const NodeId term = energy(batch.formula, root, node, graph);
      to.formula.roots.push_back({Role::potential, term, 0});
      for (const int k : formula::Derivatives{graph}.support(term, Slot::q))
        for (int i = 0; i < batch.instances; ++i)
          in_energy_[static_cast<std::size_t>(
              to.coordinates[static_cast<std::size_t>(k * batch.instances + i)])] = true;
      break;
    }
    case Role::force:
    case Role::inertia:
      break;
  }
}

void RowFormulas::add_row(const Batch& batch, const std::vector<int>& table, int local, NodeId node,
                          const auto& row_of, Batch& to) const {
  to.formula.roots.push_back({Role::constraint, node, to.formula.rows++});
  for (int i = 0; i < batch.instances; ++i)
    to.rows.push_back(row_of(table[static_cast<std::size_t>(local * batch.instances + i)]));
}

// v . T_v - T of a kinetic energy, which is T where that is seen to be quadratic
NodeId RowFormulas::energy(const Formula& given, const Root& root, NodeId node, Graph& graph) {
  if (root.role == Role::potential || formula::degree(given.graph, root.node, Slot::v) == 2)
    return node;
  formula::Derivatives derivatives{graph};
  NodeId sum = graph.make(Op::neg, node);
  for (const formula::Partial& partial : derivatives.gradient(node, Slot::q)) {
    if (partial.index <= given.coordinates) continue;
    const NodeId v = graph.input({Slot::q, partial.index});
    sum = graph.make(Op::add, sum, graph.make(Op::mul, v, partial.node));
  }
  return sum;
}

/// Rows as constraints of a compiled system in the coordinates p, T + U as its potential energy:
///
///   f = (g, U),   df = (G; U_p),   d2f mu = H(λ) + γ (K - H),   mu = (λ, γ)                   (1)
class FormulaRows final : public HolonomicRows {
 public:
  FormulaRows(std::vector<Batch> batches, Structure structure, const std::vector<bool>& in_energy,
              bool energy)
      : rows_{std::move(batches), std::move(structure), {}, 0.0, 0.0}, energy_{energy} {
    for (std::size_t i = 0; i < in_energy.size(); ++i)
      if (in_energy[i]) energy_columns_.push_back(static_cast<int>(i));
    if (!energy_) return;
    const Sparse& H = rows_.structure().H;
    for (int r = 0; r < H.rows(); ++r)
      for (int i = H.outerIndexPtr()[r]; i < H.outerIndexPtr()[r + 1]; ++i)
        slot_of_H_.push_back(value_slot(rows_.structure().K, r, H.innerIndexPtr()[i]));
  }

  void find_patterns(CurveStructure& structure) const override {
    const Structure& own = rows_.structure();
    Pattern df;
    for (int r = 0; r < own.nc; ++r)
      for (int i = own.G.outerIndexPtr()[r]; i < own.G.outerIndexPtr()[r + 1]; ++i)
        df.add(r, own.G.innerIndexPtr()[i]);
    for (const int column : energy_columns_) df.add(static_cast<int>(own.nc), column);
    structure.df = df.matrix(own.nc + (energy_ ? 1 : 0), own.nq);
    structure.d2f = energy_ ? own.K : own.H;
    structure.second_derivatives = true;
  }

  void prepare(HolonomicScratch& scratch) const override {
    rows_.prepare(scratch.rows);
    scratch.mu.setZero(rows_.structure().nc);
  }

  Status value(const Vec& p, HolonomicScratch& scratch, Vec& f) const override {
    const Needs wanted =
        need(Target::constraint) | (energy_ ? need(Target::potential_energy) : Needs{0});
    if (auto st = evaluate(wanted, p, scratch); st != Status::ok) return st;
    write_values(scratch.rows, f);
    return Status::ok;
  }

  Status jacobian(const Vec& p, HolonomicScratch& scratch, Vec& f, Sparse& df) const override {
    constexpr Needs of_rows = needs(Target::constraint, Target::constraint_jacobian);
    constexpr Needs of_energy = needs(Target::potential_energy, Target::momentum_force);
    if (auto st = evaluate(energy_ ? of_rows | of_energy : of_rows, p, scratch); st != Status::ok)
      return st;
    const Evaluation& ev = scratch.rows;
    write_values(ev, f);
    double* to = std::copy_n(ev.G.valuePtr(), ev.G.nonZeros(), df.valuePtr());
    for (const int column : energy_columns_) *to++ = -ev.momentum_force[column];
    return Status::ok;
  }

  Status hessian(const Vec& p, const Vec& mu, HolonomicScratch& scratch,
                 Sparse& d2f) const override {
    // (1)
    const Index nc = rows_.structure().nc;
    scratch.mu = mu.head(nc);
    Needs wanted = need(Target::constraint_stiffness);
    if (energy_) wanted |= need(Target::stiffness);
    if (auto st = evaluate(wanted, p, scratch); st != Status::ok) return st;
    const Evaluation& ev = scratch.rows;
    if (!energy_) {
      std::copy_n(ev.H.valuePtr(), ev.H.nonZeros(), d2f.valuePtr());
      return Status::ok;
    }
    const double gamma = mu[nc];
    for (int i = 0; i < ev.K.nonZeros(); ++i) d2f.valuePtr()[i] = gamma * ev.K.valuePtr()[i];
    for (std::size_t i = 0; i < slot_of_H_.size(); ++i)
      d2f.valuePtr()[slot_of_H_[i]] += (1.0 - gamma) * ev.H.valuePtr()[i];
    return Status::ok;
  }

 private:
  Status evaluate(Needs wanted, const Vec& p, HolonomicScratch& scratch) const {
    return rows_.evaluate(wanted, {.t = 0.0, .q = p, .v = p, .lambda = &scratch.mu}, scratch.rows);
  }

  void write_values(const Evaluation& ev, Vec& f) const {
    std::copy_n(ev.g.data(), ev.g.size(), f.data());
    if (energy_) f[ev.g.size()] = ev.potential_energy;
  }

  CompiledSystem rows_;
  bool energy_;
  std::vector<int> energy_columns_;  // of p that T + U reads
  std::vector<int> slot_of_H_;       // in K
};

}  // namespace

std::unique_ptr<const HolonomicRows> formula_rows(const System& system,
                                                  const HolonomicInvariants& kept) {
  const System base = base_of(system);
  const auto* const model = dynamic_cast<const CompiledSystem*>(&base.implementation());
  const Structure& structure = system.structure();
  if (model == nullptr || !structure.inputs.empty() || model->structure().nc != structure.nc ||
      (kept.energy && model->has_pairs()) || model->reads_turns())
    return nullptr;

  RowFormulas formulas{structure, kept};
  for (const Batch& batch : model->batches()) formulas.add(batch);
  Structure own;
  own.coordinates.resize(static_cast<std::size_t>(1 + 2 * structure.nq));
  own.rows.resize(static_cast<std::size_t>(ConstraintPlaces{structure}.size()) +
                  kept.observables.size());
  return std::make_unique<const FormulaRows>(formulas.take(), std::move(own), formulas.in_energy(),
                                             kept.energy);
}

}  // namespace taut
