// SPDX-License-Identifier: BSD-3-Clause
#include "model/screening.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace taut {
namespace {

using Wide = long double;
constexpr std::size_t terms = Screening::terms;
using Polynomial = std::array<Wide, terms>;

/// 2 x p - before: the way from two of Chebyshev's polynomials to the next.
Polynomial next(const Polynomial& p, const Polynomial& before) {
  Polynomial result{};
  for (std::size_t k = 0; k < terms; ++k) result[k] = (k > 0 ? 2 * p[k - 1] : 0) - before[k];
  return result;
}

Screening interpolate() {
  constexpr Wide pi = std::numbers::pi_v<Wide>;
  constexpr Wide far = Screening::farthest, pole = Screening::pole;
  constexpr Wide b = 2 * pole * (far + pole) / far, a = b / pole - 1;
  Polynomial at{};
  for (std::size_t j = 0; j < terms; ++j) {
    const Wide x = std::cos(pi * (static_cast<Wide>(j) + Wide{0.5}) / terms);
    const Wide z = b / (a - x) - pole;
    at[j] = std::erfc(z) * std::exp(z * z);
  }
  Polynomial sum{}, before{}, chebyshev{};
  chebyshev[0] = 1;
  for (std::size_t k = 0; k < terms; ++k) {
    Wide c = 0;
    for (std::size_t j = 0; j < terms; ++j)
      c += at[j] * std::cos(pi * static_cast<Wide>(k) * (static_cast<Wide>(j) + Wide{0.5}) / terms);
    c *= Wide{k == 0 ? 1.0 : 2.0} / terms;
    for (std::size_t i = 0; i < terms; ++i) sum[i] += c * chebyshev[i];
    Polynomial following = next(chebyshev, before);
    if (k == 0) following = {0, 1};
    before = chebyshev;
    chebyshev = following;
  }
  Screening result{};
  for (std::size_t k = 0; k < terms; ++k) result.coefficients[k] = static_cast<double>(sum[k]);
  return result;
}

}  // namespace

const Screening& screening() {
  static const Screening found = interpolate();
  return found;
}

}  // namespace taut
