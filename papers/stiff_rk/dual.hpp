// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace taut::papers::stiff_rk {

/// First-order dual number over any scalar S: a value and its gradient in N variables. Nested, it
/// gives Hessians; over Series it gives a Jacobian along a motion.
template <class S, std::size_t N>
struct Dual {
  S value{};
  std::array<S, N> d{};

  Dual() = default;
  explicit Dual(long double x) : value{S(x)} { d.fill(S(0.0L)); }
  Dual(const S& x, std::size_t variable) : Dual(0.0L) {
    value = x;
    d[variable] = S(1.0L);
  }

  // phi(u) for a function of value phi and slope phi1 at u
  friend Dual chain(const Dual& u, const S& phi, const S& phi1) {
    Dual result;
    result.value = phi;
    for (std::size_t k = 0; k < N; ++k) result.d[k] = phi1 * u.d[k];
    return result;
  }
  friend Dual operator+(const Dual& a, const Dual& b) {
    Dual result;
    result.value = a.value + b.value;
    for (std::size_t k = 0; k < N; ++k) result.d[k] = a.d[k] + b.d[k];
    return result;
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    Dual result;
    result.value = a.value - b.value;
    for (std::size_t k = 0; k < N; ++k) result.d[k] = a.d[k] - b.d[k];
    return result;
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    Dual result;
    result.value = a.value * b.value;
    for (std::size_t k = 0; k < N; ++k) result.d[k] = a.value * b.d[k] + a.d[k] * b.value;
    return result;
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    Dual result;
    result.value = a.value / b.value;
    for (std::size_t k = 0; k < N; ++k) result.d[k] = (a.d[k] - result.value * b.d[k]) / b.value;
    return result;
  }
  friend Dual sqrt(const Dual& u) {
    using std::sqrt;
    const S root = sqrt(u.value);
    return chain(u, root, S(0.5L) / root);
  }
  friend Dual sin(const Dual& u) {
    using std::cos, std::sin;
    return chain(u, sin(u.value), cos(u.value));
  }
  friend Dual cos(const Dual& u) {
    using std::cos, std::sin;
    return chain(u, cos(u.value), S(0.0L) - sin(u.value));
  }
};

}  // namespace taut::papers::stiff_rk
