// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "taut/formula/program.hpp"

namespace taut {

/// What System::evaluate() of a compiled model does for one set of targets, as a list: programs of
/// elements, and where their results are written or added, in this order. The same for all systems
/// that share it; what differs between them are its numbers.
struct EvaluationTrace {
  struct Read {
    formula::Slot slot = formula::Slot::q;
    int place = 0;  ///< of q, v, a, lambda; of a parameter or an input: which of the numbers
  };
  struct Write {
    formula::Target target = formula::Target::force;
    int place = 0;     ///< among the numbers of the target
    int instance = 0;  ///< whose program
    int reg = 0;
    bool negate = false;
    bool add = false;  ///< to what stands there; else it is written
  };
  /// Instances whose programs run before any result is written.
  struct Block {
    const formula::Program* program = nullptr;  ///< lives as long as the system that was traced
    int constants = 0;                          ///< number of the first; the others follow
    std::vector<std::vector<Read>> instances;   ///< what the inputs of each are
    std::vector<Write> writes;
  };
  std::vector<Block> blocks;

  // which of the numbers these are, or begin
  int mass = 0;   ///< values of M before anything is added; all of it where M is constant
  int force = 0;  ///< likewise of f
  int theta_rate = 0, theta_phase = 0;
  int count = 0;  ///< of all numbers
};

}  // namespace taut
