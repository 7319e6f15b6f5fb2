// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace taut {

/// Sobol's sequence: every 2^m points that follow each other at a multiple of 2^m have one in each
/// of 2^m equal parts of every number, and in two numbers mostly in each of 2^m equal boxes.
/// Direction numbers of joe2008.
class SobolSequence {
 public:
  static constexpr std::size_t dimensions = 21;

  /// 64 bits of a number of point i.
  [[nodiscard]] static std::uint64_t bits(std::uint64_t i, std::size_t dimension);

 private:
  using Directions = std::array<std::array<std::uint64_t, 64>, dimensions>;
  [[nodiscard]] static const Directions& directions();
};

}  // namespace taut
