// SPDX-License-Identifier: BSD-3-Clause
#include "model/inertia.hpp"

#include <algorithm>

#include "core/kkt.hpp"

namespace taut {

bool has_inertia(const System& system, const State& state, Index* defect) {
  Evaluation out;
  system.prepare(out);
  const Arguments at{.t = state.t, .q = state.q, .v = state.v};
  if (defect != nullptr) *defect = -1;
  if (system.evaluate(need(Target::mass), at, out) != Status::ok) return false;
  Kkt kkt;
  kkt.analyse(out.M, system.structure().G);
  if (kkt.factor_mass(out.M) == Status::ok) return true;
  if (defect != nullptr) *defect = std::max<Index>(kkt.mass_defect(), 0);
  return false;
}

}  // namespace taut
