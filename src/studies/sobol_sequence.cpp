// SPDX-License-Identifier: BSD-3-Clause
#include "studies/sobol_sequence.hpp"

#include <bit>
#include <cassert>

namespace taut {
namespace {

// x^degree + ... + 1 with the inner coefficients as bits, and the first odd numbers m
struct Polynomial {
  unsigned degree, inner;
  std::array<std::uint64_t, 7> m;
};
constexpr std::array<Polynomial, SobolSequence::dimensions - 1> polynomials{{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
}};

}  // namespace

const SobolSequence::Directions& SobolSequence::directions() {
  static const Directions all = [] {
    Directions v{};
    for (unsigned k = 0; k < 64; ++k) v[0][k] = std::uint64_t{1} << (63 - k);
    for (std::size_t d = 1; d < dimensions; ++d) {
      const Polynomial& p = polynomials[d - 1];
      for (unsigned k = 0; k < 64; ++k) {
        if (k < p.degree) {
          v[d][k] = p.m[k] << (63 - k);
          continue;
        }
        v[d][k] = v[d][k - p.degree] ^ (v[d][k - p.degree] >> p.degree);
        for (unsigned j = 1; j < p.degree; ++j)
          if (((p.inner >> (p.degree - 1 - j)) & 1U) != 0) v[d][k] ^= v[d][k - j];
      }
    }
    return v;
  }();
  return all;
}

std::uint64_t SobolSequence::bits(std::uint64_t i, std::size_t dimension) {
  assert(dimension < dimensions);
  const auto& v = directions()[dimension];
  std::uint64_t x = 0;
  for (; i != 0; i &= i - 1) x ^= v[static_cast<std::size_t>(std::countr_zero(i))];
  return x;
}

}  // namespace taut
