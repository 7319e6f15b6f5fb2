// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "taut/model/system.hpp"

namespace taut {

struct CompiledModel;

/// A number of something compiled that was computed from parameters: where it stands, and its place
/// on the tape.
template <class Owner>
struct KeptNumber {
  std::function<double&(Owner&)> place;
  int origin = -1;
};

struct KeptNumbers {
  std::vector<KeptNumber<CompiledModel>> in_model;
  std::vector<KeptNumber<Structure>> in_structure;
};

}  // namespace taut
