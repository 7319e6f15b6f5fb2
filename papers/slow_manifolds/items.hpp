// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../row.hpp"

/// The items of `taut paper slow-manifolds`: Ariel, Sanz-Serna and Tsai, A multiscale technique for
/// finding slow manifolds of stiff mechanical systems (ariel2012). `published` is what the paper
/// prints in tables and text (its figures carry no numbers), `reference` the numbers of an earlier
/// study with other code.
namespace taut::papers::slow_manifolds {

[[nodiscard]] std::vector<Row> table1();
[[nodiscard]] std::vector<Row> points();
[[nodiscard]] std::vector<Row> multipliers();
[[nodiscard]] std::vector<Row> figure2();
[[nodiscard]] std::vector<Row> figure3();
[[nodiscard]] std::vector<Row> figure4();
[[nodiscard]] std::vector<Row> figure5();
[[nodiscard]] std::vector<Row> figure6();
[[nodiscard]] std::vector<Row> linear();
[[nodiscard]] std::vector<Row> kernels();

}  // namespace taut::papers::slow_manifolds
