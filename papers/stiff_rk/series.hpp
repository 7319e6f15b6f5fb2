// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace taut::papers::stiff_rk {

/// A power series in t, known up to t^degree:  x(t) = Σ c_k t^k + O(t^(degree+1)).
///
/// A number is a series known to any degree. Results are known as far as both operands are.
template <class Real>
class Series {
 public:
  static constexpr int most = 26;

  Series() = default;
  explicit Series(long double x) { c_[0] = static_cast<Real>(x); }

  [[nodiscard]] int degree() const { return degree_; }
  [[nodiscard]] Real operator[](int k) const { return c_[static_cast<std::size_t>(k)]; }
  Real& operator[](int k) { return c_[static_cast<std::size_t>(k)]; }

  /// Forgets what lies above `degree`, or declares the coefficients up to it (zero) as known.
  void set_degree(int degree) {
    degree_ = std::min(degree, most);
    for (int k = degree_ + 1; k <= most; ++k) (*this)[k] = 0;
  }
  [[nodiscard]] Real at(Real t) const {
    Real sum = 0;
    for (int k = degree_; k >= 0; --k) sum = sum * t + (*this)[k];
    return sum;
  }
  [[nodiscard]] Series derivative() const {
    Series result = zero(std::max(degree_ - 1, 0));
    for (int k = 1; k <= degree_; ++k) result[k - 1] = static_cast<Real>(k) * (*this)[k];
    return result;
  }
  [[nodiscard]] Series integral(Real from) const {
    Series result = zero(degree_ + 1);
    result[0] = from;
    for (int k = 1; k <= result.degree_; ++k) result[k] = (*this)[k - 1] / static_cast<Real>(k);
    return result;
  }

  friend Series operator+(const Series& a, const Series& b) {
    Series result = common(a, b);
    for (int k = 0; k <= result.degree_; ++k) result[k] = a[k] + b[k];
    return result;
  }
  friend Series operator-(const Series& a, const Series& b) {
    Series result = common(a, b);
    for (int k = 0; k <= result.degree_; ++k) result[k] = a[k] - b[k];
    return result;
  }
  friend Series operator*(const Series& a, const Series& b) {
    Series result = common(a, b);
    for (int k = 0; k <= result.degree_; ++k)
      for (int j = 0; j <= k; ++j) result[k] += a[j] * b[k - j];
    return result;
  }
  // x b = a
  friend Series operator/(const Series& a, const Series& b) {
    Series x = common(a, b);
    for (int k = 0; k <= x.degree_; ++k) {
      Real sum = a[k];
      for (int j = 0; j < k; ++j) sum -= x[j] * b[k - j];
      x[k] = sum / b[0];
    }
    return x;
  }
  // x x = a
  friend Series sqrt(const Series& a) {
    Series x = zero(a.degree_);
    x[0] = std::sqrt(a[0]);
    for (int k = 1; k <= x.degree_; ++k) {
      Real sum = a[k];
      for (int j = 1; j < k; ++j) sum -= x[j] * x[k - j];
      x[k] = sum / (2 * x[0]);
    }
    return x;
  }
  friend Series sin(const Series& a) { return sin_cos(a)[0]; }
  friend Series cos(const Series& a) { return sin_cos(a)[1]; }

 private:
  static Series zero(int degree) {
    Series result;
    result.degree_ = std::min(degree, most);
    return result;
  }
  static Series common(const Series& a, const Series& b) {
    return zero(std::min(a.degree_, b.degree_));
  }
  // s' = c a',  c' = -s a'
  static std::array<Series, 2> sin_cos(const Series& a) {
    Series s = zero(a.degree_), c = zero(a.degree_);
    s[0] = std::sin(a[0]);
    c[0] = std::cos(a[0]);
    for (int k = 1; k <= a.degree_; ++k) {
      for (int j = 1; j <= k; ++j) {
        const Real weight = static_cast<Real>(j) / static_cast<Real>(k) * a[j];
        s[k] += weight * c[k - j];
        c[k] -= weight * s[k - j];
      }
    }
    return {s, c};
  }

  int degree_ = most;
  std::array<Real, most + 1> c_{};
};

}  // namespace taut::papers::stiff_rk
