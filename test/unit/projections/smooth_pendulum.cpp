// SPDX-License-Identifier: BSD-3-Clause
#include "smooth_pendulum.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace taut::test {
namespace {

constexpr std::size_t terms = 48;  // each iteration spoils the last two
constexpr int iterations = 12;

using Series = std::array<long double, terms>;

Series product(const Series& a, const Series& b) {
  Series c{};
  for (std::size_t i = 0; i < terms; ++i)
    for (std::size_t j = 0; i + j < terms; ++j) c[i + j] += a[i] * b[j];
  return c;
}

Series derivative(const Series& a) {
  Series c{};
  for (std::size_t i = 1; i < terms; ++i) c[i - 1] = static_cast<long double>(i) * a[i];
  return c;
}

/// Polar motion around a given r(t): θ and its sine and cosine, term by term.
struct Angle {
  Series theta{}, rate{}, sine{}, cosine{};

  Angle(const Series& r, const SpringPendulum& p) {
    const Series dr = derivative(r);
    theta[0] = p.th;
    sine[0] = std::sin(theta[0]);
    cosine[0] = std::cos(theta[0]);
    rate[0] = p.w / r[0];
    for (std::size_t k = 0; k + 1 < terms; ++k) {
      const auto n = static_cast<long double>(k + 1);
      theta[k + 1] = rate[k] / n;
      // (sin θ)' = θ' cos θ, (cos θ)' = -θ' sin θ, r (θ')' = -2 r' θ' - sin θ
      long double s = 0, c = 0, accelerating = -sine[k];
      for (std::size_t i = 0; i <= k; ++i) {
        s += rate[i] * cosine[k - i];
        c -= rate[i] * sine[k - i];
        accelerating -= 2 * dr[k - i] * rate[i];
        if (i > 0) accelerating -= r[i] * static_cast<long double>(k - i + 1) * rate[k - i + 1];
      }
      sine[k + 1] = s / n;
      cosine[k + 1] = c / n;
      rate[k + 1] = accelerating / (r[0] * n);
    }
  }
};

}  // namespace

State smooth_pendulum(const SpringPendulum& p) {
  Series r{1.0L};
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const Angle angle{r, p};
    const Series turning = product(r, product(angle.rate, angle.rate));
    const Series dr = derivative(r), ddr = derivative(dr);
    for (std::size_t k = 0; k < terms; ++k)
      r[k] = (k == 0 ? 1.0L : 0.0L) + p.C * (turning[k] + angle.cosine[k] - ddr[k]) - p.d * dr[k];
  }
  const long double s = std::sin(static_cast<long double>(p.th));
  const long double c = std::cos(static_cast<long double>(p.th));
  const auto number = [](long double x) { return static_cast<double>(x); };
  return {0.0, Vec{{number(r[0] * s), number(-r[0] * c)}},
          Vec{{number(r[1] * s + p.w * c), number(-r[1] * c + p.w * s)}}};
}

}  // namespace taut::test
