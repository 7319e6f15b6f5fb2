// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../row.hpp"

/// The items of `taut paper variational`: Tao and Owhadi, Variational and linearly-implicit
/// integrators, with applications (tao2016). The paper prints running times and parameters; its
/// figures carry no numbers. `reference` are the numbers of an earlier study with other code.
namespace taut::papers::variational {

[[nodiscard]] std::vector<Row> figure1();
[[nodiscard]] std::vector<Row> figure2();
[[nodiscard]] std::vector<Row> chain();
[[nodiscard]] std::vector<Row> water_rdf();
[[nodiscard]] std::vector<Row> water_conservation();
[[nodiscard]] std::vector<Row> water_multipliers();
[[nodiscard]] std::vector<Row> dna();
[[nodiscard]] std::vector<Row> so3();
[[nodiscard]] std::vector<Row> structure();
[[nodiscard]] std::vector<Row> cost();

}  // namespace taut::papers::variational
