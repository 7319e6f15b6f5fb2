// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formula/enclosure.hpp"
#include "formula/freeze.hpp"
#include "model/batch.hpp"
#include "taut/formula/program.hpp"

namespace taut {

/// A batch of which something may happen between the points where a step looks: its switches are
/// frozen, and the nodes are known that can change a lot within little motion.
struct WatchedBatch {
  struct Decision {
    formula::Guard::Kind kind = formula::Guard::Kind::positive;
    formula::NodeId node = formula::no_node;
    formula::NodeId minus = formula::no_node;  ///< the node of which that is the negative
    std::size_t root = 0;
    bool of_time = false;         ///< reads nothing that moves but the time
    bool of_velocity = false;     ///< a force that it switches can act on its rate
    bool reads_modes = false;     ///< of other switches
    bool of_multipliers = false;  ///< reads multipliers, whose rates are not known
    /// It decides nothing while one of these modes is 0: bit k is mode k.
    std::uint64_t idle_without = 0;
  };
  /// What a result of the batch acts on.
  struct Effect {
    formula::Target target = formula::Target::force;
    int row = 0;
    formula::NodeId node = formula::no_node;
  };

  Batch batch;                         ///< frozen where it has switches
  std::vector<Decision> guards;        ///< number k decides mode k
  std::vector<formula::NodeId> steep;  ///< functions, quotients, high powers of what moves
  std::vector<std::uint64_t> steep_idle_without;  ///< as of decisions: nothing reads them then
  bool steep_in_time = false;                     ///< one of them reads the time
  std::vector<Effect> effects;                    ///< forces, curvatures and values of constraints
  std::vector<Effect> gradients;                  ///< of constraints: (row, any column)

  std::shared_ptr<const formula::EnclosedGraph> features;  ///< what guards and steep nodes read
  std::shared_ptr<const formula::EnclosedGraph> whole;     ///< and everything that effects read

  /// Name of the element that root `root` of instance `i` comes from.
  [[nodiscard]] const std::string& label(std::size_t root, int i) const {
    return batch.labels[batch.merged ? root : static_cast<std::size_t>(i)];
  }
};

/// Whether a node can change a lot within little motion: a function or a quotient of what moves, or
/// a product of high degree.
[[nodiscard]] bool is_steep(const formula::EnclosedGraph& graph, const formula::Graph& of,
                            formula::NodeId id);

/// The batches with their switches frozen; modes are numbered from 0 on, `modes` in all.
struct WatchedBatches {
  std::vector<Batch> frozen;          ///< all of them, in their order
  std::vector<WatchedBatch> watched;  ///< those of which something can happen
  int modes = 0;
};
[[nodiscard]] WatchedBatches watched_batches(const std::vector<Batch>& batches);

}  // namespace taut
