// SPDX-License-Identifier: BSD-3-Clause
#include "slow/slow_reading.hpp"

#include <fmt/format.h>

#include "core/notes.hpp"
#include "readings/readings.hpp"
#include "slow/fast_band.hpp"
#include "slow/filtered_flow.hpp"
#include "slow/iterated_projection.hpp"
#include "slow/slow_flow.hpp"

namespace taut {
namespace {

SlowReading refused(Status status, const std::string& reason) {
  return {.status = status, .reason = reason, .system = {}, .note = {}};
}

SlowReading by_expansion(const System& equations, const State& at, double tol) {
  if (equations.nc() == 0)
    return refused(Status::not_supported, "there are no constraints to expand about: take filter");
  const bool compliant = equations.structure().C.maxCoeff() > 0.0;
  if (const FastBand stiff = fast_band(equations, at); !compliant && stiff.status == Status::ok)
    return refused(Status::not_supported,
                   fmt::format("a potential beside rigid constraints vibrates with {:.4g} to "
                               "{:.4g} rad/s, and the slow reading does not remove that: make it a "
                               "constraint with a compliance",
                               stiff.band.lowest, stiff.band.highest));
  const SweepChoice choice = useful_sweeps(equations, at, tol);
  if (choice.status != Status::ok) return refused(choice.status, choice.reason);
  return {.status = Status::ok,
          .reason = {},
          .system = slow_flow(equations, choice.sweeps),
          .note = note<notes::slow_by_expansion>(choice.sweeps)};
}

SlowReading by_filter(const System& equations, const State& at, const SlowStartOptions& options) {
  FastBand found;
  if (options.band) {
    found.band = *options.band;
    found.reason = band_mistake(equations, at, found.band);
    if (!found.reason.empty()) found.status = Status::not_supported;
  } else {
    found = fast_band(equations, at);
  }
  if (found.status != Status::ok) return refused(found.status, found.reason);
  const FilterChoice filter = choose_filter(found.band);
  if (filter.status != Status::ok) return refused(filter.status, filter.reason);

  // what would be refused is refused here, in words
  const System stiff = springs(equations);
  const bool known = equations.nc() > 0;
  IteratedProjection projection;
  const Status status =
      known ? projection.start(stiff, equations, filter) : projection.start(stiff, filter);
  if (status != Status::ok) return refused(status, projection.reason());
  return {.status = Status::ok,
          .reason = {},
          .system = known ? filtered_flow(stiff, equations, filter) : filtered_flow(stiff, filter),
          .note = note<notes::slow_by_filter>(found.band.lowest, found.band.highest)};
}

}  // namespace

SlowReading slow(const System& equations, const State& at, const SlowStartOptions& options) {
  if (equations.structure().multipliers_in_forces)
    return refused(Status::not_supported,
                   "forces read multipliers, lambda(...), and slow motion is found for forces of "
                   "positions, velocities and t: run the model as written");
  switch (options.via) {
    case SlowVia::filter:
      return by_filter(equations, at, options);
    case SlowVia::newton:
      return {.status = Status::not_supported,
              .reason =
                  "Newton's method finds slow points, not their motion: take expansion or "
                  "filter",
              .system = {},
              .note = {}};
    case SlowVia::expansion:
      return by_expansion(equations, at, options.tol);
    case SlowVia::automatic:
      break;
  }
  return equations.nc() > 0 ? by_expansion(equations, at, options.tol)
                            : by_filter(equations, at, options);
}

}  // namespace taut
