// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../row.hpp"

/// The items of `taut paper vibrations`: Calvo and Sanz-Serna, Heterogeneous multiscale methods for
/// mechanical systems with vibrations (calvo2010). `published` is what the paper prints in tables
/// and text (its figures carry no numbers), `reference` the numbers of an earlier study with other
/// code.
namespace taut::papers::vibrations {

[[nodiscard]] std::vector<Row> table2_1();
[[nodiscard]] std::vector<Row> table2_2();
[[nodiscard]] std::vector<Row> table2_3();
[[nodiscard]] std::vector<Row> averaged_equation();
[[nodiscard]] std::vector<Row> figure2_1();
[[nodiscard]] std::vector<Row> figure4_1();
[[nodiscard]] std::vector<Row> improved();

}  // namespace taut::papers::vibrations
