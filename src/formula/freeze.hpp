// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "taut/formula/formula.hpp"

namespace taut::formula {

/// What a switch looks at, and how its mode follows from that value g.
struct Guard {
  enum class Kind : std::uint8_t {
    positive,  ///< mode 1 where g > 0, else 0
    sign,      ///< mode sign(g)
    floor,     ///< mode floor(g)
  };
  Kind kind = Kind::positive;
  NodeId node = no_node;  ///< g, in the graph of the frozen formula
  std::size_t root = 0;   ///< first root that reads the switch
};

/// A formula whose switches keep their sides. With the modes m_k of its guards g_k given,
///
///   less(a, b) = m,  g = b - a        sign(u) = m,   g = u        floor(u) = m,  g = u        (1)
///   max(a, b) = m ? a : b,  g = a - b      min(a, b) = m ? a : b,  g = b - a                  (2)
///   abs(u) = m ? u : -u,  g = u                                                               (3)
///
/// it is smooth where the formula is smooth between its switches, and equal to the formula where
/// every mode is what its guard says. Guards are made of frozen parts, too. Mode k of an instance
/// is its input {Slot::mode, k}; roots of role observable are left as they are, and so are max, min
/// and abs of what reads multipliers.
struct Frozen {
  Formula formula;
  std::vector<Guard> guards;
};

/// Whether a root that moves the system reads a switch.
[[nodiscard]] bool has_switches(const Formula& formula);
[[nodiscard]] Frozen freeze(const Formula& formula);

}  // namespace taut::formula
