// SPDX-License-Identifier: BSD-3-Clause
// What matters to the motion, in units of the tolerance: a part of step_watch.cpp.
#include <algorithm>
#include <cmath>

#include "run/step_watch.hpp"

namespace taut {

using formula::EnclosedGraph;
using formula::Enclosure;
using formula::Guard;
using formula::Interval;
using formula::NodeId;
using formula::Slot;
using formula::Target;

// (3)
bool StepWatch::is_negligible(double effect, double length) { return effect * length <= 0.05; }

// Of an effect: what a unit of it changes the velocities by, per second, in units of the tolerance.
double StepWatch::scale(const WatchedBatch& watched, const WatchedBatch::Effect& effect,
                        int instance, const std::vector<Enclosure>& all) const {
  const Batch& batch = watched.batch;
  const std::size_t at =
      static_cast<std::size_t>(effect.row) * static_cast<std::size_t>(batch.instances) +
      static_cast<std::size_t>(instance);
  if (effect.target == Target::force) {
    const int i = batch.coordinates[at];
    return 1.0 / (mass_[i] * tolerance_ * (1.0 + speed_[i]));
  }
  double gradient = 0.0;
  for (const WatchedBatch::Effect& g : watched.gradients)
    if (g.row == effect.row)
      gradient = std::max(
          gradient, all[static_cast<std::size_t>(watched.whole->place(g.node))].value.magnitude());
  if (!(gradient > 0.0)) return 0.0;
  if (effect.target == Target::constraint_curvature)
    return 1.0 / (gradient * tolerance_ * (1.0 + speed_.maxCoeff()));
  const double compliance =
      moved_.structure().rows[static_cast<std::size_t>(batch.rows[at])].compliance;
  return compliance > 0.0
             ? gradient / (compliance * mass_.minCoeff() * tolerance_ * (1.0 + speed_.maxCoeff()))
             : 0.0;
}

// On the piece where `all` was found.
void StepWatch::weigh(const WatchedBatch& batch, int instance, const std::vector<Enclosure>& all,
                      EnclosedGraph::Weights& of) const {
  const EnclosedGraph& graph = *batch.whole;
  std::vector<double>& weight = of.weight;
  weight.assign(graph.size(), 0.0);
  for (const WatchedBatch::Effect& effect : batch.effects)
    weight[static_cast<std::size_t>(graph.place(effect.node))] +=
        scale(batch, effect, instance, all);
  // a switch that another switch looks at is never small
  for (const WatchedBatch::Decision& guard : batch.guards)
    if (guard.reads_modes)
      weight[static_cast<std::size_t>(graph.place(guard.node))] += 1.0 / tolerance_;
  graph.sensitivities(all, of);
}

// What switches would change has to be known on both of their sides: where it is 0, max(0, x)^1.5
// does not depend on x, nor the product of two windows on either of them.
void StepWatch::weigh_changes(const WatchedBatch& batch, int b, int instance, const Piece& piece) {
  changes_known_ = true;
  const EnclosedGraph& graph = *batch.whole;
  inputs_on(batch, instance, graph, piece.c, piece.r);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const formula::Input& input = graph.inputs()[i];
    if (input.slot != Slot::mode) continue;
    const SwitchId s{b, instance, input.index};
    const NodeId node = switches_->decision(s).node;
    if (node == formula::no_node || is_sliding(s)) continue;
    const Interval g = all_[static_cast<std::size_t>(graph.place(node))].value;
    if (keeps_side(s, g)) continue;
    const Guard::Kind kind = switches_->decision(s).kind;
    Interval sides{kind == Guard::Kind::sign ? -1.0 : 0.0, 1.0};
    if (kind == Guard::Kind::floor) sides = {std::floor(g.lo), std::floor(g.hi)};
    inputs_[i].value = formula::hull(sides, formula::point(switches_->mode(s)));
    inputs_[i].rate = formula::whole_line;
  }
  graph.enclose(inputs_, piece.r * tube_.length() / 2, open_);
  weigh(batch, instance, open_, change_);
}

bool StepWatch::negligible(const WatchedBatch& batch, NodeId node, double length) const {
  return is_negligible(weights_.effect[static_cast<std::size_t>(batch.whole->place(node))], length);
}

// What a change of the mode would do, per second.
double StepWatch::change(const WatchedBatch& batch, SwitchId s) const {
  const int place = batch.whole->place(formula::Input{Slot::mode, s.guard});
  if (place < 0) return 0.0;
  const double jump = switches_->decision(s).kind == Guard::Kind::sign ? 2.0 : 1.0;
  const auto at = static_cast<std::size_t>(place);
  return std::min(jump * change_.weight[at], change_.effect[at]);
}

}  // namespace taut
