// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace taut {

/// Coefficients γ_i of symmetric compositions of a symmetric method of order 2. A composition is of
/// order 4 when (1), (2) hold, of order 6 when all four do (hairer2006, V.3; γ_i = γ_{s+1-i}):
///
///   Σ γ_i = 1                                                                                (1)
///   Σ γ_i³ = 0                                                                               (2)
///   Σ γ_i⁵ = 0                                                                               (3)
///   Σ γ_i³ (γ_1 + ... + γ_{i-1} + γ_i / 2)² = 0                                              (4)

/// Triple jump: γ = 1 / (2 - 2^{1/3}). Few stages, large error constant.
struct Yoshida4 {
  static constexpr std::string_view name = "yoshida4";
  static constexpr std::string_view about = "order 4 from 3";
  static constexpr std::string_view cite = "yoshida1990";
  static constexpr int order = 4;
  static constexpr std::array gamma{1.351207191959657634, -1.702414383919315268,
                                    1.351207191959657634};
};

/// Seven stages, solution A; the digits beyond those printed by Yoshida solve (1)-(4).
struct Yoshida6 {
  static constexpr std::string_view name = "yoshida6";
  static constexpr std::string_view about = "order 6 from 7";
  static constexpr std::string_view cite = "yoshida1990";
  static constexpr int order = 6;
  static constexpr std::array gamma{
      0.7845136104775572638, 0.2355732133593581337, -1.177679984178871007, 1.315186320683911219,
      -1.177679984178871007, 0.2355732133593581337, 0.7845136104775572638};
};

/// Five stages: γ = 1 / (4 - 4^{1/3}). All inner steps are shorter than h, the error constant is
/// some fifty times smaller than that of Yoshida4.
struct Suzuki4 {
  static constexpr std::string_view name = "suzuki4";
  static constexpr std::string_view about = "order 4 from 5";
  static constexpr std::string_view cite = "suzuki1990";
  static constexpr int order = 4;
  static constexpr double p = 0.4144907717943757371;
  static constexpr std::array gamma{p, p, -0.6579630871775029486, p, p};
};

/// Suzuki's five stages once more, over Suzuki4: γ = 1 / (4 - 4^{1/5}) outside.
struct Suzuki6 {
  static constexpr std::string_view name = "suzuki6";
  static constexpr std::string_view about = "order 6 from 25";
  static constexpr std::string_view cite = "suzuki1990";
  static constexpr int order = 6;
  static constexpr double p = 0.3730658277332728248;
  static constexpr std::array outer{p, p, -0.4922633109330912991, p, p};
  static constexpr auto gamma = [] {
    std::array<double, 25> product{};
    for (std::size_t i = 0; i < 25; ++i) product[i] = outer[i / 5] * Suzuki4::gamma[i % 5];
    return product;
  }();
};

}  // namespace taut
