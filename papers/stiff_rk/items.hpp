// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../row.hpp"

/// The items of `taut paper stiff-rk`: Lubich, Integration of stiff mechanical systems by
/// Runge-Kutta methods (lubich1993). The paper has no tables: `published` are the exponents and
/// limits of its theorems, `reference` the numbers of an earlier study with other code.
namespace taut::papers::stiff_rk {

[[nodiscard]] std::vector<Row> orders();
[[nodiscard]] std::vector<Row> plateau();
[[nodiscard]] std::vector<Row> damping();
[[nodiscard]] std::vector<Row> start();
[[nodiscard]] std::vector<Row> newton();
[[nodiscard]] std::vector<Row> estimator();
[[nodiscard]] std::vector<Row> general_potential();
[[nodiscard]] std::vector<Row> software();

}  // namespace taut::papers::stiff_rk
