// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../shown.hpp"

/// The items of `taut paper variational`: Tao and Owhadi, Variational and linearly-implicit
/// integrators, with applications (tao2016). The paper prints running times and parameters; its
/// figures carry no numbers: rows about them are decided by what the text says.
namespace taut::papers::variational {

[[nodiscard]] Shown figure1();
[[nodiscard]] Shown stability();
[[nodiscard]] Shown figure2();
[[nodiscard]] Shown chain();
[[nodiscard]] Shown water_rdf();
[[nodiscard]] Shown water_100();
[[nodiscard]] Shown water_conservation();
[[nodiscard]] Shown water_multipliers();
[[nodiscard]] Shown dna();
[[nodiscard]] Shown so3();
[[nodiscard]] Shown structure();
[[nodiscard]] Shown cost();

}  // namespace taut::papers::variational
