// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

namespace taut::test {

/// x + d ε with ε² = 0; nested for second derivatives. Shares no code with taut's own derivatives.
template <class T>
struct Dual {
  T x{}, d{};
  Dual() = default;
  Dual(double value) : x{value} {}  // NOLINT(google-explicit-constructor): a number is a Dual
  Dual(T value, T derivative) : x{value}, d{derivative} {}
};

template <class T>
Dual<T> operator+(Dual<T> a, Dual<T> b) {
  return {a.x + b.x, a.d + b.d};
}
template <class T>
Dual<T> operator-(Dual<T> a, Dual<T> b) {
  return {a.x - b.x, a.d - b.d};
}
template <class T>
Dual<T> operator-(Dual<T> a) {
  return {-a.x, -a.d};
}
template <class T>
Dual<T> operator*(Dual<T> a, Dual<T> b) {
  return {a.x * b.x, a.d * b.x + a.x * b.d};
}
template <class T>
Dual<T> operator/(Dual<T> a, Dual<T> b) {
  const T y = a.x / b.x;
  return {y, (a.d - y * b.d) / b.x};
}
template <class T>
Dual<T> operator+(double a, Dual<T> b) {
  return Dual<T>(a) + b;
}
template <class T>
Dual<T> operator+(Dual<T> a, double b) {
  return a + Dual<T>(b);
}
template <class T>
Dual<T> operator-(double a, Dual<T> b) {
  return Dual<T>(a) - b;
}
template <class T>
Dual<T> operator-(Dual<T> a, double b) {
  return a - Dual<T>(b);
}
template <class T>
Dual<T> operator*(double a, Dual<T> b) {
  return Dual<T>(a) * b;
}
template <class T>
Dual<T> operator*(Dual<T> a, double b) {
  return a * Dual<T>(b);
}
template <class T>
Dual<T> operator/(double a, Dual<T> b) {
  return Dual<T>(a) / b;
}
template <class T>
Dual<T> operator/(Dual<T> a, double b) {
  return a / Dual<T>(b);
}

template <class T>
Dual<T> sqrt(Dual<T> a) {
  using std::sqrt;
  const T y = sqrt(a.x);
  return {y, a.d / (y + y)};
}
template <class T>
Dual<T> sin(Dual<T> a) {
  using std::cos, std::sin;
  return {sin(a.x), a.d * cos(a.x)};
}
template <class T>
Dual<T> cos(Dual<T> a) {
  using std::cos, std::sin;
  return {cos(a.x), -(a.d * sin(a.x))};
}

using Dual1 = Dual<double>;
using Dual2 = Dual<Dual1>;

}  // namespace taut::test
