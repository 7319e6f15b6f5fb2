// SPDX-License-Identifier: BSD-3-Clause
#include "studies/fourier.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace taut {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

/// exp(-2 pi i k / n) for k < n / 2.
Values turns(std::size_t n) {
  Values list(n / 2);
  for (std::size_t k = 0; k < list.size(); ++k)
    list[k] =
        std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  return list;
}

void by_halves(Values& x, const Values& turn) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const std::size_t half = length / 2, stride = n / length;
    for (std::size_t first = 0; first < n; first += length)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex odd = x[first + k + half] * turn[k * stride];
        const Complex even = x[first + k];
        x[first + k] = even + odd;
        x[first + k + half] = even - odd;
      }
  }
}

}  // namespace

void fourier(Values& x) {
  const std::size_t n = x.size();
  if (n < 2) return;
  if (std::has_single_bit(n)) {
    by_halves(x, turns(n));
    return;
  }
  // j k = (j^2 + k^2 - (k - j)^2) / 2
  const std::size_t wide = std::bit_ceil(2 * n - 1);
  const Values turn = turns(wide);
  Values chirp(n), kernel(wide), product(wide);
  for (std::size_t j = 0; j < n; ++j) {
    const auto square = static_cast<std::uint64_t>(j) * j % (2 * n);
    chirp[j] =
        std::polar(1.0, -std::numbers::pi * static_cast<double>(square) / static_cast<double>(n));
    product[j] = x[j] * chirp[j];
    kernel[j] = std::conj(chirp[j]);
    if (j > 0) kernel[wide - j] = kernel[j];
  }
  by_halves(product, turn);
  by_halves(kernel, turn);
  for (std::size_t k = 0; k < wide; ++k) product[k] = std::conj(product[k] * kernel[k]);
  by_halves(product, turn);
  for (std::size_t k = 0; k < n; ++k)
    x[k] = std::conj(product[k]) / static_cast<double>(wide) * chirp[k];
}

}  // namespace taut
