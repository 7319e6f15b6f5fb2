// SPDX-License-Identifier: BSD-3-Clause
#include "methods/midpoint.hpp"

#include "taut/methods/fits.hpp"

namespace taut {

Status Midpoint::start(const System& system, const State& state) {
  refusal_ = refusal(info, system.structure()).text();
  if (!refusal_.empty()) return Status::not_supported;
  half_ = state;
  return acceleration_.start(system, state, a_, counters);
}

Status Midpoint::step(const System& system, double h, State& s) {
  ++counters.steps;
  // (1), begun at q½ = q0, where stiff springs are near their length
  half_.t = s.t + h / 2;
  half_.q = s.q + h / 2 * s.v;
  acceleration_.guess(s.q, half_, h, a_);
  if (const Status st = acceleration_(system, half_, h, a_, counters); st != Status::ok) return st;

  // commit with (2), (3)
  s.t += h;
  s.q += h * s.v + (h * h / 2) * a_;
  s.v += h * a_;
  return Status::ok;
}

void Midpoint::archive(Archive& archive) {
  archive.tag(info.name);
  archive(counters);
}

}  // namespace taut
