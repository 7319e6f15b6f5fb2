// SPDX-License-Identifier: BSD-3-Clause
#include "methods/newmark.hpp"

#include "taut/methods/fits.hpp"

namespace taut {

Status Newmark::start(const System& system, const State& state) {
  refusal_ = refusal(info, system.structure()).text();
  if (!refusal_.empty()) return Status::not_supported;
  next_ = state;
  a1_ = Vec::Zero(system.nq());
  return acceleration_.start(system, state, a0_, counters);
}

Status Newmark::step(const System& system, double h, State& s) {
  ++counters.steps;
  const auto& [beta, gamma] = options_;
  // (1), (2); begun at q0, where stiff springs are near their length, and not at c, where they may
  // be compressed and have no positive definite matrix
  next_.t = s.t + h;
  next_.q = s.q + h * s.v + (h * h * (0.5 - beta)) * a0_;
  acceleration_.guess(s.q, next_, h, a1_);
  if (const Status st = acceleration_(system, next_, h, a1_, counters); st != Status::ok) return st;

  // commit with (3)
  s.t = next_.t;
  s.q = acceleration_.position();
  s.v += h * ((1.0 - gamma) * a0_ + gamma * a1_);
  a0_.swap(a1_);
  return Status::ok;
}

void Newmark::archive(Archive& archive) {
  archive.tag(info.name);
  archive(counters, a0_);
}

}  // namespace taut
