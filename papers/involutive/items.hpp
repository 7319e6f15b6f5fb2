// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../shown.hpp"

/// The items of `taut paper involutive`: Tuomela, Arponen, Normi, On the numerical solution of
/// involutive ordinary differential systems: enhanced linear algebra (tuomela2005). The paper
/// leaves step control, Newton's bookkeeping and some constants open; what was fitted to its tables
/// is said in docs/manual/involutive-laboratory.md.
namespace taut::papers::involutive {

[[nodiscard]] Shown tables1_4();
[[nodiscard]] Shown tables5_6();
[[nodiscard]] Shown tables7_10();
[[nodiscard]] Shown tables11_12();
[[nodiscard]] Shown table13();
[[nodiscard]] Shown table14();
[[nodiscard]] Shown table15();
[[nodiscard]] Shown inexact();
[[nodiscard]] Shown curves();
[[nodiscard]] Shown impasse();
[[nodiscard]] Shown energy();
[[nodiscard]] Shown large_chain();
[[nodiscard]] Shown speedups();

}  // namespace taut::papers::involutive
