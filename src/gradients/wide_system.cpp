// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/wide_system.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "formula/derivative.hpp"
#include "formula/origins.hpp"

namespace taut {
namespace {

using formula::Copier;
using formula::Formula;
using formula::Graph;
using formula::Input;
using formula::NodeId;
using formula::Op;
using formula::Role;
using formula::Slot;

/// c_j of (1) by origin, as far as they are not 0.
class Slopes {
 public:
  explicit Slopes(const ParameterDirections& directions) {
    for (std::size_t j = 0; j < directions.derivatives.size(); ++j)
      for (const auto& [origin, slope] : directions.derivatives[j])
        slopes_[origin].emplace_back(static_cast<int>(j), slope);
  }
  /// (j, c_j) of the number with this origin.
  [[nodiscard]] const std::vector<std::pair<int, double>>& operator[](int origin) const {
    static const std::vector<std::pair<int, double>> none;
    const auto found = slopes_.find(origin);
    return found == slopes_.end() ? none : found->second;
  }

 private:
  std::map<int, std::vector<std::pair<int, double>>> slopes_;
};

/// One batch with e, and where asked a and λ, among its coordinates.
class Widening {
 public:
  Widening(const CompiledSystem& compiled, const ParameterDirections& directions,
           const Slopes& slopes, std::span<const int> inputs, Index nq, bool with_loads)
      : compiled_{compiled},
        directions_{directions},
        slopes_{slopes},
        inputs_{inputs},
        nq_{static_cast<int>(nq)},
        with_loads_{with_loads} {}

  Batch operator()(const Batch& batch) {
    from_ = &batch;
    to_ = batch;
    to_.origins.clear();
    to_.drawn = false;
    n_ = static_cast<std::size_t>(batch.instances);
    for (std::size_t i = 0; i < batch.parameters.size(); ++i)
      to_.parameters[i] =
          directions_.value(batch.parameters[i], batch.origins.empty() ? -1 : batch.origins[i]);
    find_coordinates();
    write();
    return std::move(to_);
  }

 private:
  [[nodiscard]] const std::vector<std::pair<int, double>>& slopes_of_parameter(
      std::size_t k, std::size_t i) const {
    return slopes_[from_->origins.empty() ? -1 : from_->origins[k * n_ + i]];
  }

  /// Local coordinates of e: those of all instances first, then those of each.
  void find_coordinates() {
    std::set<int> common;
    const Graph& graph = from_->formula.graph;
    for (NodeId id = 0; id < graph.size(); ++id) {
      const formula::Node& node = graph[id];
      if (node.op == Op::constant)
        for (const auto& [j, slope] : slopes_[node.origin]) common.insert(j);
      if (node.op == Op::input && node.input.slot == Slot::input)
        if (const int e = input_number(node.input.index); e >= 0) common.insert(e);
      if (node.op == Op::input && node.input.slot == Slot::theta)
        for (const formula::Number* number :
             {&compiled_.stated_theta_rate(), &compiled_.stated_theta_phase()})
          for (const auto& [j, slope] : slopes_[number->origin()]) common.insert(j);
    }
    common_.assign(common.begin(), common.end());
    own_.assign(n_, {});
    std::size_t most = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      std::set<int> own;
      for (int k = 0; k < from_->formula.parameters; ++k)
        for (const auto& [j, slope] : slopes_of_parameter(static_cast<std::size_t>(k), i))
          if (!common.contains(j)) own.insert(j);
      own_[i].assign(own.begin(), own.end());
      most = std::max(most, own.size());
    }
    slots_ = common_.size() + most;
  }

  /// Number of e that stands at a slot of an instance; -1: none.
  [[nodiscard]] int at_slot(std::size_t slot, std::size_t i) const {
    if (slot < common_.size()) return common_[slot];
    const std::size_t k = slot - common_.size();
    return k < own_[i].size() ? own_[i][k] : -1;
  }

  [[nodiscard]] int input_number(int input) const {
    const auto found = std::find(inputs_.begin(), inputs_.end(), input);
    return found == inputs_.end()
               ? -1
               : static_cast<int>(directions_.derivatives.size() + (found - inputs_.begin()));
  }

  int add_coordinate(const auto& place_of) {
    for (std::size_t i = 0; i < n_; ++i) to_.coordinates.push_back(place_of(i));
    return to_.formula.coordinates++;
  }

  void write() {
    Formula& formula = to_.formula;
    formula.graph = Graph{};
    formula.theta_rate = directions_.value(compiled_.stated_theta_rate().value(),
                                           compiled_.stated_theta_rate().origin());
    Graph& graph = formula.graph;
    first_e_ = formula.coordinates;
    // a slot that an instance has no use for stands for any e, with slopes 0
    for (std::size_t slot = 0; slot < slots_; ++slot)
      add_coordinate([&](std::size_t i) { return nq_ + std::max(at_slot(slot, i), 0); });
    Copier copy{from_->formula.graph, graph,
                [this](Input input, Graph& to) { return substitute(input, to); }};
    const Graph& before = from_->formula.graph;
    for (NodeId id = 0; id < before.size(); ++id) {
      const formula::Node& node = before[id];
      if (node.op == Op::constant && node.origin >= 0)
        copy.assign(id, moving(graph, graph.constant(directions_.value(node.value, node.origin)),
                               slopes_[node.origin]));
    }
    for (formula::Root& root : formula.roots) root.node = copy(root.node);
  }

  [[nodiscard]] NodeId e(Graph& graph, std::size_t slot) const {
    return graph.input({Slot::q, first_e_ + static_cast<int>(slot)});
  }

  /// number + Σ_j slope_j e_j, of all instances alike
  [[nodiscard]] NodeId moving(Graph& graph, NodeId number,
                              const std::vector<std::pair<int, double>>& slopes) const {
    for (const auto& [j, slope] : slopes) {
      const auto slot =
          static_cast<std::size_t>(std::find(common_.begin(), common_.end(), j) - common_.begin());
      number =
          graph.make(Op::add, number, graph.make(Op::mul, graph.constant(slope), e(graph, slot)));
    }
    return number;
  }

  NodeId substitute(Input input, Graph& graph) {
    const NodeId plain = graph.input(input);
    switch (input.slot) {
      case Slot::parameter:
        return moving_parameter(graph, plain, static_cast<std::size_t>(input.index));
      case Slot::input: {
        const int number = input_number(input.index);
        if (number < 0) return plain;
        const std::vector<std::pair<int, double>> one{{number, 1.0}};
        return moving(graph, plain, one);
      }
      case Slot::theta: {
        const NodeId turned =
            moving(graph, plain, slopes_[compiled_.stated_theta_phase().origin()]);
        const NodeId rate =
            moving(graph, graph.constant(0.0), slopes_[compiled_.stated_theta_rate().origin()]);
        return graph.make(Op::add, turned, graph.make(Op::mul, rate, graph.input({Slot::t, 0})));
      }
      case Slot::a:
      case Slot::lambda:
        return with_loads_ ? load(graph, input) : plain;
      default:
        return plain;
    }
  }

  NodeId moving_parameter(Graph& graph, NodeId sum, std::size_t k) {
    for (std::size_t slot = 0; slot < slots_; ++slot) {
      std::vector<double> slopes(n_, 0.0);
      bool any = false;
      for (std::size_t i = 0; i < n_; ++i)
        for (const auto& [j, slope] : slopes_of_parameter(k, i))
          if (at_slot(slot, i) == j) {
            slopes[i] = slope;
            any = true;
          }
      if (!any) continue;
      to_.parameters.insert(to_.parameters.end(), slopes.begin(), slopes.end());
      const NodeId slope = graph.input({Slot::parameter, to_.formula.parameters++});
      sum = graph.make(Op::add, sum, graph.make(Op::mul, slope, e(graph, slot)));
    }
    return sum;
  }

  /// Accelerations and multipliers as coordinates behind q and e.
  NodeId load(Graph& graph, Input input) {
    const auto known = loads_.find({from_, input.slot, input.index});
    if (known != loads_.end()) return graph.input({Slot::q, known->second});
    const std::size_t at = static_cast<std::size_t>(input.index) * n_;
    const int behind = nq_ + static_cast<int>(directions_.derivatives.size() + inputs_.size());
    const int local = add_coordinate([&](std::size_t i) {
      return input.slot == Slot::a ? behind + from_->coordinates[at + i]
                                   : behind + nq_ + from_->rows[at + i];
    });
    loads_[{from_, input.slot, input.index}] = local;
    return graph.input({Slot::q, local});
  }

  const CompiledSystem& compiled_;
  const ParameterDirections& directions_;
  const Slopes& slopes_;
  std::span<const int> inputs_;
  int nq_;
  bool with_loads_;

  const Batch* from_ = nullptr;
  Batch to_;
  std::size_t n_ = 0, slots_ = 0;
  std::vector<int> common_;
  std::vector<std::vector<int>> own_;
  int first_e_ = 0;
  std::map<std::tuple<const Batch*, Slot, int>, int> loads_;
};

/// The second time derivative of each constraint along (v, a), of rows of velocities the first, as
/// an observable.
void add_second_rates(Batch& batch, int coordinates_that_move, int first_observable) {
  Formula& formula = batch.formula;
  Graph& graph = formula.graph;
  formula::Derivatives derivatives{graph};
  const auto direct = [&](bool of_velocities) {
    std::vector<formula::Seed> seeds;
    const NodeId count = graph.size();
    for (NodeId id = 0; id < count; ++id) {
      const formula::Node node = graph[id];
      if (node.op != Op::input) continue;
      const Input input = node.input;
      if (input.slot == Slot::q && input.index < coordinates_that_move)
        seeds.push_back({id, graph.input({Slot::v, input.index})});
      if (input.slot == Slot::v && of_velocities && input.index < coordinates_that_move)
        seeds.push_back({id, graph.input({Slot::a, input.index})});
      if (input.slot == Slot::t) seeds.push_back({id, graph.constant(1.0)});
      if (input.slot == Slot::theta) seeds.push_back({id, graph.constant(formula.theta_rate)});
    }
    derivatives.direction(seeds);
  };
  const std::vector<formula::Root> roots = formula.roots;
  std::vector<std::pair<int, NodeId>> rates;
  direct(false);
  for (const formula::Root& root : roots)
    if (root.role == Role::constraint)
      rates.emplace_back(root.target, derivatives.along(root.node));
    else if (root.role == Role::rolling)
      rates.emplace_back(root.target, root.node);
  if (rates.empty()) return;
  direct(true);
  std::map<int, NodeId> second;  // an element may state one row in parts
  for (const auto& [row, node] : rates) {
    const NodeId rate = derivatives.along(node);
    const auto [at, is_new] = second.try_emplace(row, rate);
    if (!is_new) at->second = graph.make(Op::add, at->second, rate);
  }
  const auto n = static_cast<std::size_t>(batch.instances);
  for (const auto& [row, node] : second) {
    formula.roots.push_back({Role::observable, node, formula.observables++});
    if (batch.merged) batch.labels.push_back(batch.labels.front());
    for (std::size_t i = 0; i < n; ++i)
      batch.observables.push_back(first_observable +
                                  batch.rows[static_cast<std::size_t>(row) * n + i]);
  }
}

}  // namespace

WideSystem::WideSystem(const CompiledModel& model, std::span<const int> parameters,
                       std::span<const int> inputs, Problems& problems)
    : directions_{parameter_directions(model, parameters, problems)} {
  if (!problems.empty()) return;
  const formula::Recording none{nullptr};
  const CompiledSystem& compiled = *directions_.system;
  const Slopes slopes{directions_};
  Structure structure = model.system.structure();
  nq_ = structure.nq;
  ne_ = static_cast<Index>(parameters.size() + inputs.size());
  if (compiled.has_pairs() && !structure.differentiable) {
    problems.add({}, "sensitivity",
                 "forces of [[pair]]s that are summed otherwise than directly "
                 "have no derivatives",
                 "leave the option out");
    return;
  }
  structure.nz = 0;
  const auto widen_structure = [](Structure& wide, Index more, const char* what) {
    for (Index k = 0; k < more; ++k) {
      wide.coordinates.push_back(fmt::format("{} {}", what, k));
      wide.velocities.push_back(fmt::format("rate of {} {}", what, k));
    }
  };
  widen_structure(structure, ne_, "e");
  first_of_rows_ = static_cast<Index>(structure.observables.size());
  for (const Row& row : structure.rows)
    structure.observables.push_back({.name = row.name, .kind = Observable::Kind::event});

  Widening widen{compiled, directions_, slopes, inputs, nq_, false};
  std::vector<Batch> batches;
  for (const Batch& batch : compiled.compiled_batches()) {
    if (batch.drawn) continue;
    const int moving = batch.formula.coordinates;
    Batch wide = widen(batch);
    if (formula::has_switches(wide.formula)) {
      formula::Frozen frozen = formula::freeze(wide.formula);
      wide.formula = std::move(frozen.formula);
      for (const formula::Guard& guard : frozen.guards) {
        wide.formula.roots.push_back({Role::observable, guard.node, wide.formula.observables++});
        for (int i = 0; i < wide.instances; ++i) {
          const auto observable = static_cast<int>(structure.observables.size());
          const std::string& label =
              batch.labels[batch.merged ? guard.root : static_cast<std::size_t>(i)];
          wide.observables.push_back(observable);
          wide.modes.push_back(static_cast<int>(switches_.size()));
          switches_.push_back({.kind = guard.kind, .observable = observable, .label = label});
          structure.observables.push_back({.name = label, .kind = Observable::Kind::event});
        }
        if (wide.merged) wide.labels.push_back(wide.labels[guard.root]);
      }
    }
    add_second_rates(wide, moving, static_cast<int>(first_of_rows_));
    batches.push_back(std::move(wide));
  }
  modes_->resize(switches_.size());
  const double rate = directions_.value(compiled.stated_theta_rate().value(),
                                        compiled.stated_theta_rate().origin());
  const double phase = directions_.value(compiled.stated_theta_phase().value(),
                                         compiled.stated_theta_phase().origin());
  const auto values = std::make_shared<const std::vector<double>>(
      static_cast<const CompiledSystem&>(model.system.implementation()).inputs());
  const CompiledSystem empty{{}, structure, compiled.pairs(), rate, phase};
  if (const auto angles = compiled.turns())
    turns_->resize(angles->structure().observables.size() / 2, 0.0);
  const CompiledSystem with_inputs{empty, values};
  system_ = System{std::make_shared<const CompiledSystem>(*with_inputs.with_turns(turns_),
                                                          std::move(batches), modes_)};

  const auto widen_shown = [&](const CompiledSystem& shown) {
    Structure of_shown = shown.structure();
    of_shown.coordinates = structure.coordinates;
    of_shown.velocities = structure.velocities;
    widen_structure(of_shown, nq_, "a");
    widen_structure(of_shown, static_cast<Index>(model.system.structure().rows.size()), "load");
    Widening widen_batch{compiled, directions_, slopes, inputs, nq_, true};
    std::vector<Batch> shown_batches;
    for (const Batch& batch : shown.compiled_batches()) shown_batches.push_back(widen_batch(batch));
    const CompiledSystem all{std::move(shown_batches), of_shown, {}, rate, phase};
    return System{CompiledSystem{all, values}.with_turns(turns_)};
  };
  if (const auto shown = compiled.compiled_quantities()) quantities_ = widen_shown(*shown);
  if (directions_.actions) actions_ = widen_shown(*directions_.actions);
}

}  // namespace taut
