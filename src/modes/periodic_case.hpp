// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "modes/shooting.hpp"
#include "taut/modes/periodic.hpp"

namespace taut {

/// A model with the values of its parameters, as its motions are looked for: rows that give way are
/// springs, and what drives it has a period.
struct PeriodicCase {
  Status status = Status::ok;
  std::string reason = {}, hint = {};
  System system = {};
  State given = {};
  bool free = false;    ///< nothing drives it
  bool keeps = false;   ///< free, and its energy is kept: motions come in families
  double period = 0.0;  ///< of the drive; of a free motion a guess, 0 where there is none
  double until = 0.0;   ///< end of the run that the model states, from its start; 0: none

  std::shared_ptr<const SearchLimits> limits = {};

  [[nodiscard]] bool good() const { return status == Status::ok; }
  /// Flows of it, which heed its limits.
  [[nodiscard]] LinearFlow flow(double tol) const {
    LinearFlow one{system, tol};
    one.heed(limits);
    return one;
  }
};

/// At a value of a parameter.
using MakePeriodicCase = std::function<PeriodicCase(double parameter)>;

/// Of a prepared model. Mistakes of the options go to `problems`.
[[nodiscard]] PeriodicCase periodic_case(const PreparedModel& prepared,
                                         const SimulationOptions& options,
                                         const PeriodicOptions& periodic,
                                         std::shared_ptr<const SearchLimits> limits,
                                         Problems& problems);

/// Why a flow or a start ended before, and what helps.
struct Failure {
  Status status = Status::ok;
  std::string reason = {}, hint = {};
};
[[nodiscard]] Failure failure_of(Status status);

/// The motion that a case has, from its start.
[[nodiscard]] PeriodicMotion find_periodic(const PeriodicCase& made,
                                           const PeriodicOptions& periodic);

/// What there is to say of a motion that was found.
void describe(const PeriodicCase& made, const ShotChain& chain, double period,
              PeriodicMotion& motion);

/// A model that has been prepared for this: mistakes go to `problems`.
[[nodiscard]] PreparedModel prepared_for_periods(const Model& model,
                                                 const SimulationOptions& options,
                                                 Problems& problems);

/// Whether a motion may pass switches that change its multipliers, in words; empty where not.
[[nodiscard]] std::string why_doubtful(LinearFlow& flow, const ShotChain& chain, double period);

}  // namespace taut
