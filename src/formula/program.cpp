// SPDX-License-Identifier: BSD-3-Clause
#include "taut/formula/program.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <utility>

#include "formula/derivative.hpp"
#include "formula/lower.hpp"

namespace taut::formula {
namespace {

/// Everything one call of derive() needs, found when first asked for.
class Bundle {
 public:
  Bundle(const Formula& formula, Needs needs)
      : formula_{formula}, needs_{needs}, derivatives_{graph_} {
    Copier copier{formula.graph, graph_};
    one_ = graph_.constant(1.0);
    // what is left of A v + b at rest
    Copier at_rest{formula.graph, graph_, [](Input input, Graph& to) {
                     return input.slot == Slot::v ? to.constant(0.0) : to.input(input);
                   }};
    for (const Root& root : formula.roots) {
      if (!wanted(root.role)) continue;
      roots_[static_cast<std::size_t>(root.role)].push_back({root.target, copier(root.node)});
      if (root.role == Role::rolling && any({Target::constraint_rate}))
        offset_.push_back({root.target, at_rest(root.node)});
    }
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (graph_[id].op == Op::input) inputs_.push_back(id);
    }
  }

  Program run() {
    collect();
    return lower(graph_, merged());
  }

  Differentiated differentiate() {
    collect();
    Differentiated result;
    result.results = merged();
    result.graph = std::move(graph_);
    return result;
  }

 private:
  using Rows = std::vector<Partial>;

  void collect() {
    kinetic();
    potential();
    constraints();
    velocity_rows();
    observables();
    forces();
    second_derivatives();
    if (any({Target::constraint_stiffness}))
      hessian(Target::constraint_stiffness, weighted_energy(false));
    if (any({Target::third})) third_derivatives();
    rows_in_motion();
  }

  [[nodiscard]] bool any(std::initializer_list<Target> targets) const {
    return std::any_of(targets.begin(), targets.end(),
                       [&](Target target) { return (needs_ & need(target)) != 0; });
  }
  [[nodiscard]] bool wanted(Role role) const {
    using enum Target;
    switch (role) {
      case Role::kinetic:
        return any({mass, force, momentum_force, momentum, kinetic_energy, stiffness, damping});
      case Role::potential:
        return any({force, momentum_force, potential_energy, stiffness, damping, third});
      case Role::force:
        return any({force, momentum_force, stiffness, damping, force_multiplier});
      case Role::constraint:
        return any({constraint, constraint_jacobian, constraint_rate, constraint_curvature,
                    velocity_jacobian, stiffness, damping, constraint_stiffness, third,
                    acceleration_q, acceleration_v});
      case Role::observable:
        return any({observable, observable_q, observable_v, observable_t, observable_multiplier});
      case Role::inertia:
        return any({mass, momentum});
      case Role::rolling:
        return any({constraint_jacobian, constraint_rate, constraint_curvature, velocity_jacobian,
                    stiffness, constraint_stiffness, acceleration_q, acceleration_v});
    }
    return false;
  }
  [[nodiscard]] const Rows& roots(Role role) const {
    return roots_[static_cast<std::size_t>(role)];
  }

  void add(Target target, int row, int column, NodeId node) {
    results_.push_back({target, row, column, node});
  }
  void add(Target target, const Rows& rows, bool negative = false) {
    for (const Partial& p : rows) {
      add(target, p.index, 0, negative ? graph_.make(Op::neg, p.node) : p.node);
    }
  }

  /// Weight 1 for every root of a role: the gradient of their sum.
  Rows gradient(Role role, Slot slot) {
    std::vector<Weighted> terms;
    for (const Partial& root : roots(role)) terms.push_back({root.node, one_});
    return derivatives_.gradient(terms, slot);
  }

  /// Points the forward derivative: q along `q`, v along `v`, t at rate 1 where `time` is set.
  struct Along {
    std::optional<Slot> q, v;
    bool time = false;
  };
  void direction(Along along) {
    std::vector<Seed> seeds;
    for (const NodeId id : inputs_) {
      const Input input = graph_[id].input;
      if (input.slot == Slot::q && along.q) {
        seeds.push_back({id, graph_.input({*along.q, input.index})});
      }
      if (input.slot == Slot::v && along.v) {
        seeds.push_back({id, graph_.input({*along.v, input.index})});
      }
      if (input.slot == Slot::t && along.time) seeds.push_back({id, one_});
      if (input.slot == Slot::theta && along.time) {
        seeds.push_back({id, graph_.constant(formula_.theta_rate)});
      }
    }
    derivatives_.direction(seeds);
  }
  Rows along(const Rows& rows) {
    Rows result;
    for (const Partial& p : rows) result.push_back({p.index, derivatives_.along(p.node)});
    return result;
  }

  /// d rows / d slot_j, forward along each j, for the rows that read it. With `symmetric` only
  /// entries on and above the diagonal are differentiated.
  void jacobian(Target target, const Rows& rows, Slot slot, bool symmetric = false) {
    std::vector<std::pair<int, std::size_t>> readers;  // (j, row that reads it)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const int j : derivatives_.support(rows[i].node, slot)) {
        if (!symmetric || rows[i].index <= j) readers.emplace_back(j, i);
      }
    }
    std::sort(readers.begin(), readers.end());
    int current = -1;
    for (const auto& [j, i] : readers) {
      if (j != current) {
        const Seed seed{graph_.input({slot, j}), one_};
        derivatives_.direction({&seed, 1});
        current = j;
      }
      const NodeId entry = derivatives_.along(rows[i].node);
      add(target, rows[i].index, j, entry);
      if (symmetric && rows[i].index != j) add(target, j, rows[i].index, entry);
    }
  }

  void kinetic() {
    using enum Target;
    for (const Partial& m : roots(Role::inertia)) {
      if (any({mass})) add(mass, m.index, m.index, m.node);
      if (any({momentum}))
        add(momentum, m.index, 0, graph_.make(Op::mul, m.node, graph_.input({Slot::v, m.index})));
    }
    if (roots(Role::kinetic).empty()) return;
    momentum_ = gradient(Role::kinetic, Slot::v);
    if (any({momentum})) add(momentum, momentum_);
    if (any({mass})) jacobian(mass, momentum_, Slot::v, true);
    if (any({force, momentum_force, stiffness, damping})) {
      kinetic_q_ = gradient(Role::kinetic, Slot::q);
    }
    if (any({kinetic_energy})) kinetic_energy_value();
  }

  /// T itself where it is seen to be quadratic in v, else v . T_v - T.
  void kinetic_energy_value() {
    const Rows& T = roots(Role::kinetic);
    const bool quadratic = std::all_of(T.begin(), T.end(), [&](const Partial& root) {
      return degree(graph_, root.node, Slot::v) == 2;
    });
    for (const Partial& root : T) {
      add(Target::kinetic_energy, 0, 0, quadratic ? root.node : graph_.make(Op::neg, root.node));
    }
    if (quadratic) return;
    for (const Partial& p : momentum_) {
      add(Target::kinetic_energy, 0, 0,
          graph_.make(Op::mul, graph_.input({Slot::v, p.index}), p.node));
    }
  }

  void potential() {
    using enum Target;
    if (roots(Role::potential).empty()) return;
    if (any({potential_energy})) {
      for (const Partial& root : roots(Role::potential)) add(potential_energy, 0, 0, root.node);
    }
    if (any({force, momentum_force, damping})) {
      potential_q_ = gradient(Role::potential, Slot::q);
    }
  }

  void constraints() {
    using enum Target;
    const Rows& g = roots(Role::constraint);
    if (g.empty()) return;
    if (any({constraint})) add(constraint, g);
    if (any({constraint_jacobian})) {
      for (const Partial& row : g) {
        for (const Partial& entry : derivatives_.gradient(row.node, Slot::q)) {
          add(constraint_jacobian, row.index, entry.index, entry.node);
        }
      }
    }
    if (any({constraint_rate})) {
      direction({.q = {}, .v = {}, .time = true});
      add(constraint_rate, along(g));
    }
    if (any({constraint_curvature, velocity_jacobian})) {
      // the velocity of g, G v + g_t, and once more along the same direction
      direction({.q = Slot::v, .v = {}, .time = true});
      const Rows rate = along(g);
      if (any({constraint_curvature})) add(constraint_curvature, along(rate));
      if (any({velocity_jacobian})) {
        for (const Partial& row : rate) {
          for (const Partial& entry : derivatives_.gradient(row.node, Slot::q)) {
            add(velocity_jacobian, row.index, entry.index, entry.node);
          }
        }
      }
    }
  }

  /// Of r = A v + b: G = r_v, g_t = b, the rate r' = A a + r_q v + r_t, N = r_q, and in the
  /// residual (3) the reactions Aᵀλ = (λ.r)_v, whose derivative in q is not symmetric.
  void velocity_rows() {
    using enum Target;
    const Rows& r = roots(Role::rolling);
    if (r.empty()) return;
    for (const auto& [target, slot] :
         {std::pair{constraint_jacobian, Slot::v}, std::pair{velocity_jacobian, Slot::q}}) {
      if (!any({target})) continue;
      for (const Partial& row : r)
        for (const Partial& entry : derivatives_.gradient(row.node, slot))
          add(target, row.index, entry.index, entry.node);
    }
    if (any({constraint_rate})) add(constraint_rate, offset_);
    if (any({constraint_curvature})) {
      direction({.q = Slot::v, .v = {}, .time = true});
      add(constraint_curvature, along(r));
    }
    if (!any({stiffness, constraint_stiffness})) return;
    std::vector<Weighted> power;
    for (const Partial& row : r)
      power.push_back({row.node, graph_.input({Slot::lambda, row.index})});
    const Rows reactions = derivatives_.gradient(power, Slot::v);
    if (any({stiffness})) jacobian(stiffness, reactions, Slot::q);
    if (any({constraint_stiffness})) jacobian(constraint_stiffness, reactions, Slot::q);
  }

  void observables() {
    using enum Target;
    const Rows& values = roots(Role::observable);
    if (values.empty()) return;
    if (any({observable})) add(observable, values);
    for (const auto& [target, slot] :
         {std::pair{observable_q, Slot::q}, std::pair{observable_v, Slot::v}}) {
      if (!any({target})) continue;
      for (const Partial& row : values) {
        for (const Partial& entry : derivatives_.gradient(row.node, slot)) {
          add(target, row.index, entry.index, entry.node);
        }
      }
    }
    if (any({observable_t})) {
      direction({.q = {}, .v = {}, .time = true});
      add(observable_t, along(values));
    }
    if (any({observable_multiplier})) jacobian(observable_multiplier, values, Slot::mu);
  }

  /// (1) and (2)
  void forces() {
    using enum Target;
    for (const Target target : {force, momentum_force}) {
      if (!any({target})) continue;
      add(target, kinetic_q_);
      add(target, potential_q_, true);
      add(target, roots(Role::force));
    }
    if (any({force})) {
      direction({.q = Slot::v, .v = {}, .time = true});
      add(force, along(momentum_), true);
    }
    if (any({force_multiplier})) jacobian(force_multiplier, roots(Role::force), Slot::mu);
  }

  /// U + λ.g, or λ.g alone: what has second and third derivatives in q.
  std::vector<Weighted> weighted_energy(bool with_potential) {
    std::vector<Weighted> energy;
    if (with_potential)
      for (const Partial& root : roots(Role::potential)) energy.push_back({root.node, one_});
    for (const Partial& root : roots(Role::constraint))
      energy.push_back({root.node, graph_.input({Slot::lambda, root.index})});
    return energy;
  }

  void hessian(Target target, const std::vector<Weighted>& energy) {
    for (const SecondPartial& h : derivatives_.hessian(energy, Slot::q)) {
      add(target, h.row, h.column, h.node);
      if (h.row != h.column) add(target, h.column, h.row, h.node);
    }
  }

  void third_derivatives() {
    std::vector<Weighted> energy = weighted_energy(true);
    direction({.q = Slot::a, .v = {}});
    for (Weighted& term : energy) term.node = derivatives_.along(derivatives_.along(term.node));
    add(Target::third, derivatives_.gradient(energy, Slot::q));
  }

  /// Derivatives of the residual (3): the part with an energy through its Hessian, the rest
  /// through M a - b - applied, which is the time derivative of T_v with v' = a, less T_q and f.
  void second_derivatives() {
    using enum Target;
    if (!any({stiffness, damping})) return;
    std::vector<Result> terms;
    direction({.q = Slot::v, .v = Slot::a, .time = true});
    for (const Partial& p : along(momentum_)) terms.push_back({stiffness, p.index, 0, p.node});
    for (const Rows* rows : {&std::as_const(kinetic_q_), &roots(Role::force)}) {
      for (const Partial& p : *rows) {
        terms.push_back({stiffness, p.index, 0, graph_.make(Op::neg, p.node)});
      }
    }
    const Rows motion = summed(std::move(terms));

    if (any({damping})) {
      jacobian(damping, motion, Slot::v);
      // nothing unless an energy or a constraint reads a velocity it should not
      jacobian(damping, potential_q_, Slot::v);
    }
    if (!any({stiffness})) return;
    jacobian(stiffness, motion, Slot::q);
    hessian(stiffness, weighted_energy(true));
  }

  /// λ.g'' with g'' = G a + curvature, and of rows of velocities λ.r': once along the motion, whose
  /// velocities change by a, and once more for g.
  void rows_in_motion() {
    using enum Target;
    if (!any({acceleration_q, acceleration_v})) return;
    const Along motion{.q = Slot::v, .v = Slot::a, .time = true};
    std::vector<Weighted> weighted;
    direction(motion);
    for (const Partial& row : roots(Role::constraint))
      weighted.push_back({derivatives_.along(row.node), graph_.input({Slot::lambda, row.index})});
    // the velocity that stands in there is an input, as that of the formula is
    for (NodeId id = 0; id < graph_.size(); ++id)
      if (graph_[id].op == Op::input &&
          std::find(inputs_.begin(), inputs_.end(), id) == inputs_.end())
        inputs_.push_back(id);
    direction(motion);
    for (Weighted& term : weighted) term.node = derivatives_.along(term.node);
    for (const Partial& row : roots(Role::rolling))
      weighted.push_back({derivatives_.along(row.node), graph_.input({Slot::lambda, row.index})});
    if (any({acceleration_q})) add(acceleration_q, derivatives_.gradient(weighted, Slot::q));
    if (any({acceleration_v})) add(acceleration_v, derivatives_.gradient(weighted, Slot::v));
  }

  /// Contributions to one row added up.
  Rows summed(std::vector<Result> terms) {
    results_.swap(terms);
    const std::vector<Result> sums = merged();
    results_.swap(terms);
    Rows rows;
    for (const Result& r : sums) rows.push_back({r.row, r.node});
    return rows;
  }

  /// The results in order, contributions to one place added, zeros left out.
  std::vector<Result> merged() {
    const auto place = [](const Result& r) { return std::tie(r.target, r.row, r.column); };
    std::stable_sort(results_.begin(), results_.end(),
                     [&](const Result& x, const Result& y) { return place(x) < place(y); });
    std::vector<Result> sums;
    for (const Result& r : results_) {
      if (!sums.empty() && place(sums.back()) == place(r)) {
        sums.back().node = graph_.make(Op::add, sums.back().node, r.node);
      } else {
        sums.push_back(r);
      }
    }
    std::erase_if(sums, [&](const Result& r) { return graph_.is_constant(r.node, 0.0); });
    return sums;
  }

  const Formula& formula_;
  Needs needs_;
  Graph graph_;
  Derivatives derivatives_;
  NodeId one_ = no_node;
  std::array<Rows, 7> roots_;     // by role: local number and node
  Rows offset_;                   // b of rows of velocities
  std::vector<NodeId> inputs_;    // of the formula
  Rows momentum_;                 // T_v
  Rows kinetic_q_, potential_q_;  // T_q, U_q
  std::vector<Result> results_;
};

}  // namespace

Program derive(const Formula& formula, Needs needs) { return Bundle{formula, needs}.run(); }

Differentiated differentiate(const Formula& formula, Needs needs) {
  return Bundle{formula, needs}.differentiate();
}

}  // namespace taut::formula
