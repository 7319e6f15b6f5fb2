// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/core/note.hpp"
#include "taut/modes/linearize.hpp"

namespace taut {

/// Where equations are linearised: a system of rigid rows alone (compliant ones are springs), a
/// state that fulfils them, with its accelerations and multipliers.
struct LinearPoint {
  Status status = Status::ok;
  std::string reason;
  System system;
  std::string reading;  ///< name of the one in which it rests
  State state;
  Vec a, lambda;  ///< of the equations of the system
  Vec all_rows;   ///< multipliers of all rows of the model
  bool rest = false;
  std::vector<Note> notes;
};

/// As a system of rigid rows alone: compliant ones are springs, and forces that read multipliers
/// have those of the motion.
[[nodiscard]] System without_compliance(const System& system);

/// Those of Structure::read_multipliers, from the multipliers of all rows.
[[nodiscard]] Vec read_multipliers(const System& system, const Vec& all_rows);

/// The point that the options ask for. Readings that have none go to `problems`.
[[nodiscard]] LinearPoint linear_point(const PreparedModel& prepared,
                                       const SimulationOptions& options,
                                       const LinearizeOptions& linear, Problems& problems);

/// What is needed of the equations at a point.
struct LinearTerms {
  Status status = Status::ok;
  Sparse M, D, K, G, N;
};
[[nodiscard]] LinearTerms linear_terms(const System& system, const State& state, const Vec& a,
                                       const Vec& lambda);

}  // namespace taut
