// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../shown.hpp"

/// The items of `taut paper slow-manifolds`: Ariel, Sanz-Serna and Tsai, A multiscale technique for
/// finding slow manifolds of stiff mechanical systems (ariel2012). Its figures carry no numbers:
/// rows about them are decided by what the text says.
namespace taut::papers::slow_manifolds {

[[nodiscard]] Shown table1();
[[nodiscard]] Shown points();
[[nodiscard]] Shown multipliers();
[[nodiscard]] Shown figure2();
[[nodiscard]] Shown figure3();
[[nodiscard]] Shown figure4();
[[nodiscard]] Shown figure5();
[[nodiscard]] Shown figure6();
[[nodiscard]] Shown linear();
[[nodiscard]] Shown analysis();
[[nodiscard]] Shown kernels();

}  // namespace taut::papers::slow_manifolds
