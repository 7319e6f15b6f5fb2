// SPDX-License-Identifier: BSD-3-Clause
// The largest loads of a run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "taut/model/scene.hpp"
#include "taut/run/motion.hpp"

namespace taut {

/// The largest load of a constraint, over rows and what is between them, or of a spring, over rows.
struct ReportLoad {
  enum class Kind : unsigned char {
    rod,
    bar,  ///< with mass: lambda is not its axial force, which varies along it
    constraint,
    spring,
  };
  Kind kind = Kind::constraint;
  std::size_t row = 0;  ///< of a constraint: in Structure::rows
  std::string name{};
  double largest = -1.0;  ///< |lambda|, or the force; -1: not known
  bool negative = false;  ///< it is: pushed, in a rod
  double at = 0.0;        ///< time of the row, or of the one behind [s]
  bool between = false;   ///< it was at a step between that row and the one before

  [[nodiscard]] bool is_force() const { return kind != Kind::constraint; }
};

/// Of all constraints that carry loads of which anything is known, largest first.
[[nodiscard]] std::vector<ReportLoad> loads(const Motion& motion, const Scene& scene);

/// The largest of them; forces are not compared with moments: of the rods, where there are any.
[[nodiscard]] std::optional<ReportLoad> main_load(const Motion& motion, const Scene& scene);

/// The largest force of a spring, stiffness (distance - length), at the rows of the motion.
[[nodiscard]] std::optional<ReportLoad> spring_load(const Motion& motion, const Scene& scene);

/// Rows that keep the axes of a body orthonormal: no load that anything carries.
[[nodiscard]] std::vector<bool> internal_rows(const Motion& motion, const Scene& scene);

/// Whether a row of the model is a rod of its picture: the load is a force in newtons.
[[nodiscard]] std::vector<bool> rods(const Scene& scene, std::size_t rows);

}  // namespace taut
