// SPDX-License-Identifier: BSD-3-Clause
#include "run/sampling.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/notes.hpp"

namespace taut {

std::string Sampling::start(const System& system, const State& state,
                            const std::vector<std::shared_ptr<Sampler>>& samplers, double h) {
  entries_.clear();
  needs_ = 0;
  if (samplers.empty()) return {};
  if (!(h > 0.0)) return "statistics need a method of constant steps: take verlet or rattle";
  resolution_ = 1e-6 * h;
  system.prepare(ev_);
  for (const auto& sampler : samplers) {
    // no run has more steps than an int64 can count, whatever `every` says
    const double steps = std::clamp(std::round(sampler->times().every / h), 1.0, 1e15);
    if (std::string why = sampler->start(system, state, steps * h); !why.empty()) return why;
    entries_.push_back({sampler, static_cast<std::int64_t>(steps)});
    needs_ |= sampler->needs();
  }
  // so that nothing is derived or allocated later; where it fails, the first sample says so
  if (needs_ != 0) (void)system.evaluate(needs_, {state.t, state.q, state.v}, ev_);
  return {};
}

Status Sampling::operator()(const System& system, std::int64_t n, const State& state) {
  const auto due = [&](const Entry& entry) {
    return n % entry.stride == 0 && state.t >= entry.sampler->times().after - resolution_;
  };
  const auto evaluates = [&](const Entry& entry) {
    return entry.sampler->needs() != 0 && due(entry);
  };
  if (std::any_of(entries_.begin(), entries_.end(), evaluates))
    if (const Status st = system.evaluate(needs_, {state.t, state.q, state.v}, ev_);
        st != Status::ok)
      return st;
  for (const Entry& entry : entries_)
    if (due(entry))
      if (const Status st = entry.sampler->add(system, state, ev_); st != Status::ok) return st;
  return Status::ok;
}

void Sampling::archive(Archive& archive) {
  for (const Entry& entry : entries_) {
    archive.tag(entry.sampler->name());
    entry.sampler->archive(archive);
  }
}

std::vector<StatisticResult> Sampling::results() const {
  std::vector<StatisticResult> results;
  for (const Entry& entry : entries_) {
    StatisticResult& result = results.emplace_back(entry.sampler->result());
    if (result.samples == 0 && result.note.empty())
      result.note = note<notes::no_samples>(entry.sampler->times().after);
  }
  return results;
}

}  // namespace taut
