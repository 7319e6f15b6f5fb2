// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../row.hpp"

/// The items of `taut paper involutive`: Tuomela, Arponen, Normi, On the numerical solution of
/// involutive ordinary differential systems: enhanced linear algebra (tuomela2005). The paper
/// leaves step control, Newton's bookkeeping and some constants open; `reference` are the numbers
/// of an earlier study with other code that found a recipe for them.
namespace taut::papers::involutive {

[[nodiscard]] std::vector<Row> tables1_4();
[[nodiscard]] std::vector<Row> tables5_6();
[[nodiscard]] std::vector<Row> tables7_10();
[[nodiscard]] std::vector<Row> tables11_12();
[[nodiscard]] std::vector<Row> table13();
[[nodiscard]] std::vector<Row> table14();
[[nodiscard]] std::vector<Row> table15();
[[nodiscard]] std::vector<Row> impasse();
[[nodiscard]] std::vector<Row> energy();

}  // namespace taut::papers::involutive
