// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../shown.hpp"

/// The items of `taut paper vibrations`: Calvo and Sanz-Serna, Heterogeneous multiscale methods for
/// mechanical systems with vibrations (calvo2010). Its figures carry no numbers: rows about them
/// are decided by what the text says.
namespace taut::papers::vibrations {

[[nodiscard]] Shown table2_1();
[[nodiscard]] Shown table2_2();
[[nodiscard]] Shown table2_3();
[[nodiscard]] Shown averaged_equation();
[[nodiscard]] Shown figure2_1();
[[nodiscard]] Shown figure4_1();
[[nodiscard]] Shown formulas();
[[nodiscard]] Shown improved();
[[nodiscard]] Shown jay();

}  // namespace taut::papers::vibrations
