// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "taut/methods/fits.hpp"  // IWYU pragma: export
#include "taut/methods/method.hpp"
#include "taut/methods/projected_rk_options.hpp"

namespace taut {

/// What a user may say about a method beyond its name.
struct MethodOptions {
  double tol = 1e-8;               ///< of methods that choose their steps
  std::optional<double> beta{};    ///< of linearly implicit and Newmark methods; else their own
  std::optional<double> gamma{};   ///< of newmark and newmark-linear
  ProjectedRkOptions projected{};  ///< of projected-rk; its tolerance is `tol`
};

/// The claims of every method, in the order in which they are listed for people.
[[nodiscard]] std::vector<MethodInfo> all_methods();

/// The method of this name; none when there is no such method.
[[nodiscard]] std::optional<Method> make_method(std::string_view name,
                                                const MethodOptions& options = {});

/// Whether the method of this name reads MethodOptions::beta, or gamma.
[[nodiscard]] bool reads_beta(std::string_view name);
[[nodiscard]] bool reads_gamma(std::string_view name);

}  // namespace taut
