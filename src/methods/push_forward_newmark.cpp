// SPDX-License-Identifier: BSD-3-Clause
#include "methods/push_forward_newmark.hpp"

#include "taut/methods/fits.hpp"

namespace taut {

Status EnvelopeFilter::start(const System& system, const State& state, Counters& counters) {
  refusal_ = refusal(info, system.structure()).text();
  if (!refusal_.empty()) return Status::not_supported;
  return acceleration_.start(system, state, a_, counters);
}

Status EnvelopeFilter::operator()(const System& system, const State& at, double h, Vec& a,
                                  Counters& counters) {
  // from y = x: what is found then depends on x alone, as a symmetric step must
  a.setZero();
  return acceleration_(system, at, h, a, counters);
}

}  // namespace taut
