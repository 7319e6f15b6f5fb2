// SPDX-License-Identifier: BSD-3-Clause
#include "modes/derived_systems.hpp"

#include <array>
#include <memory>
#include <utility>

#include "formula/derivative.hpp"
#include "formula/origins.hpp"
#include "model/compiled_system.hpp"
#include "taut/formula/sym.hpp"

namespace taut {
namespace {

using formula::Derivatives;
using formula::NodeId;
using formula::Role;
using formula::Root;
using formula::Seed;
using formula::Slot;

const CompiledSystem* model_behind(const System& system) {
  return dynamic_cast<const CompiledSystem*>(system.implementation().model());
}

bool vanishes(const formula::Graph& graph, NodeId node) {
  return graph.is_constant(node) && graph.number(node) == 0.0;
}

Batch batch_like(const Batch& batch) {
  Batch copy = batch;
  copy.formula.roots.clear();
  return copy;
}

System assembled(const CompiledSystem& from, std::vector<Batch> batches, Structure structure) {
  const auto made = std::make_shared<CompiledSystem>(std::move(batches), std::move(structure),
                                                     std::vector<PairField>{}, from.theta_rate(),
                                                     from.theta(0.0));
  return System{std::make_shared<const CompiledSystem>(
      *made, std::make_shared<const std::vector<double>>(from.inputs()))};
}

/// A system of observables alone over the coordinates of another one.
struct Observed {
  std::vector<Batch> batches;
  int count = 0;

  /// Observables of one batch are appended; `number` gives that of (local number, instance).
  void finish(Batch batch, std::size_t locals) {
    if (locals == 0) return;
    batch.formula.observables = static_cast<int>(locals);
    batch.observables.clear();
    for (std::size_t k = 0; k < locals; ++k)
      for (int i = 0; i < batch.instances; ++i) batch.observables.push_back(count++);
    batch.drawn = true;
    batches.push_back(std::move(batch));
  }
  [[nodiscard]] System system(const CompiledSystem& from) {
    Structure structure;
    structure.inputs = from.structure().inputs;
    structure.observables.resize(static_cast<std::size_t>(count));
    return assembled(from, std::move(batches), std::move(structure));
  }
};

}  // namespace

std::optional<System> derived_by_input(const System& system, int input) {
  const CompiledSystem* const model = model_behind(system);
  if (model == nullptr) return std::nullopt;
  const formula::Recording none{nullptr};
  std::vector<Batch> batches;
  for (const Batch& batch : model->batches()) {
    if (batch.drawn) continue;
    Batch one = batch_like(batch);
    formula::Graph& graph = one.formula.graph;
    Derivatives derivatives{graph};
    const std::array seeds{Seed{graph.input({Slot::input, input}), graph.constant(1.0)}};
    derivatives.direction(seeds);
    for (const Root& root : batch.formula.roots) {
      if (root.role == Role::observable) continue;
      const NodeId node = derivatives.along(root.node);
      if (!vanishes(graph, node)) one.formula.roots.push_back({root.role, node, root.target});
    }
    one.formula.observables = 0;
    one.observables.clear();
    one.merged = false;
    one.labels.assign(static_cast<std::size_t>(one.instances), "input");
    if (!one.formula.roots.empty()) batches.push_back(std::move(one));
  }
  Structure structure = model->structure();
  structure.observables.clear();
  return assembled(*model, std::move(batches), std::move(structure));
}

Status quantity_derivatives(const System& quantities, const std::vector<bool>& wanted,
                            const Arguments& at, std::vector<QuantityDerivative>& found) {
  using By = QuantityDerivative::By;
  const CompiledSystem* const model = model_behind(quantities);
  if (model == nullptr) return Status::not_supported;
  const formula::Recording none{nullptr};
  Observed observed;
  for (const Batch& batch : model->batches()) {
    const auto n = static_cast<std::size_t>(batch.instances);
    Batch one = batch_like(batch);
    formula::Graph& graph = one.formula.graph;
    Derivatives derivatives{graph};
    std::size_t locals = 0;
    for (const Root& root : batch.formula.roots) {
      const auto first = static_cast<std::size_t>(root.target) * n;
      bool any = false;
      for (std::size_t i = 0; i < n; ++i)
        any |= wanted[static_cast<std::size_t>(batch.observables[first + i])];
      if (!any) continue;
      for (const auto& [slot, by] :
           {std::pair{Slot::q, By::q}, std::pair{Slot::v, By::v}, std::pair{Slot::a, By::a},
            std::pair{Slot::lambda, By::lambda}, std::pair{Slot::input, By::input}})
        for (const formula::Partial& partial : derivatives.gradient(root.node, slot)) {
          one.formula.roots.push_back({Role::observable, partial.node, static_cast<int>(locals++)});
          const auto column = static_cast<std::size_t>(partial.index) * n;
          for (std::size_t i = 0; i < n; ++i) {
            const int index = by == By::input    ? partial.index
                              : by == By::lambda ? batch.rows[column + i]
                                                 : batch.coordinates[column + i];
            found.push_back({.quantity = batch.observables[first + i], .by = by, .index = index});
          }
        }
    }
    observed.finish(std::move(one), locals);
  }
  if (found.empty()) return Status::ok;
  const System derived = observed.system(*model);
  Evaluation ev;
  derived.prepare(ev);
  const Status status = derived.evaluate(need(Target::observable), at, ev);
  for (std::size_t k = 0; k < found.size(); ++k)
    found[k].value = ev.observable[static_cast<Index>(k)];
  return status;
}

ElementForms::ElementForms(const System& system) {
  const CompiledSystem* const model = model_behind(system);
  if (model == nullptr) return;
  read_multipliers_ = model->structure().read_multipliers;
  const formula::Recording none{nullptr};
  Observed observed;
  for (const Batch& batch : model->batches()) {
    if (batch.drawn) continue;
    const auto n = static_cast<std::size_t>(batch.instances);
    Batch one = batch_like(batch);
    formula::Graph& graph = one.formula.graph;
    std::vector<Seed> along_q, along_v;
    for (int k = 0; k < batch.formula.coordinates; ++k) {
      const NodeId x = graph.input({Slot::a, k});
      along_q.push_back({graph.input({Slot::q, k}), x});
      along_v.push_back({graph.input({Slot::v, k}), x});
    }
    Derivatives in_q{graph}, in_v{graph};
    in_q.direction(along_q);
    in_v.direction(along_v);
    const auto node_times = [&](double factor, NodeId a, NodeId b) {
      return (formula::Sym{factor} * formula::Sym{graph, a} * formula::Sym{graph, b}).node(graph);
    };
    std::size_t locals = 0;
    for (std::size_t r = 0; r < batch.formula.roots.size(); ++r) {
      const Root root = batch.formula.roots[r];
      const auto add = [&](NodeId node, Kind kind) {
        if (vanishes(graph, node)) return;
        one.formula.roots.push_back({Role::observable, node, static_cast<int>(locals++)});
        const bool of_row = root.role == Role::constraint;
        for (std::size_t i = 0; i < n; ++i)
          forms_.push_back(
              {.element = batch.labels[batch.merged ? r : i],
               .kind = kind,
               .row = of_row ? batch.rows[static_cast<std::size_t>(root.target) * n + i] : -1});
      };
      if (root.role == Role::potential) {
        add(node_times(0.5, graph.constant(1.0), in_q.along(in_q.along(root.node))), Kind::elastic);
      } else if (root.role == Role::constraint) {
        const NodeId stretch = in_q.along(root.node);
        add(stretch, Kind::stretch);
        add(node_times(0.5, graph.input({Slot::lambda, root.target}), in_q.along(stretch)),
            Kind::elastic);
      } else if (root.role == Role::force) {
        const NodeId x = graph.input({Slot::a, root.target});
        add(node_times(-0.5, x, in_q.along(root.node)), Kind::elastic);
        add(node_times(-1.0, x, in_v.along(root.node)), Kind::dissipated);
      }
    }
    observed.finish(std::move(one), locals);
  }
  if (forms_.empty()) return;
  system_ = observed.system(*model);
  system_.prepare(ev_);
}

Status ElementForms::operator()(const State& at, const Vec& x, const Vec& all_rows, Vec& values) {
  const std::vector<int>& read = read_multipliers_;
  Vec mu(static_cast<Index>(read.size()));
  for (std::size_t k = 0; k < read.size(); ++k) mu[static_cast<Index>(k)] = all_rows[read[k]];
  const Status status = system_.evaluate(
      need(Target::observable),
      {.t = at.t, .q = at.q, .v = at.v, .a = &x, .lambda = &all_rows, .mu = &mu}, ev_);
  values = ev_.observable;
  return status;
}

}  // namespace taut
