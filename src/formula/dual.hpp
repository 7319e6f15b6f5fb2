// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "taut/formula/scalar.hpp"

namespace taut::formula {

/// Truncated Taylor arithmetic on plain numbers. These scalars share no code with the graph: tests
/// use them as a second opinion, and a functor that branches or iterates can be differentiated with
/// them where it cannot be recorded.
///
///   D1<N>   value and gradient in N variables
///   D2<N>   value, gradient and Hessian in N variables
///   Tay2    x + x' e + x'' e^2/2 along one direction, so that d2 f(v, v) is one evaluation
///
/// All functions reduce to two rules: the chain rule for phi(u) with phi', phi'' known, and the
/// product. Comparisons look at the value alone.

template <std::size_t N>
struct D1 {
  double value = 0.0;
  std::array<double, N> gradient{};

  D1(double x = 0.0) : value{x} {}  // NOLINT(google-explicit-constructor): numbers are constants
  static D1 variable(double x, std::size_t index) {
    D1 result{x};
    result.gradient[index] = 1.0;
    return result;
  }

  friend D1 chain(const D1& u, double phi, double phi1, double) {
    D1 result{phi};
    for (std::size_t i = 0; i < N; ++i) result.gradient[i] = phi1 * u.gradient[i];
    return result;
  }
  friend D1 operator+(const D1& a, const D1& b) {
    D1 result{a.value + b.value};
    for (std::size_t i = 0; i < N; ++i) result.gradient[i] = a.gradient[i] + b.gradient[i];
    return result;
  }
  friend D1 operator*(const D1& a, const D1& b) {
    D1 result{a.value * b.value};
    for (std::size_t i = 0; i < N; ++i) {
      result.gradient[i] = a.value * b.gradient[i] + b.value * a.gradient[i];
    }
    return result;
  }
};

template <std::size_t N>
struct D2 {
  double value = 0.0;
  std::array<double, N> gradient{};
  std::array<std::array<double, N>, N> hessian{};

  D2(double x = 0.0) : value{x} {}  // NOLINT(google-explicit-constructor): numbers are constants
  static D2 variable(double x, std::size_t index) {
    D2 result{x};
    result.gradient[index] = 1.0;
    return result;
  }

  friend D2 chain(const D2& u, double phi, double phi1, double phi2) {
    D2 result{phi};
    for (std::size_t i = 0; i < N; ++i) {
      result.gradient[i] = phi1 * u.gradient[i];
      for (std::size_t j = 0; j < N; ++j) {
        result.hessian[i][j] = phi1 * u.hessian[i][j] + phi2 * u.gradient[i] * u.gradient[j];
      }
    }
    return result;
  }
  friend D2 operator+(const D2& a, const D2& b) {
    D2 result{a.value + b.value};
    for (std::size_t i = 0; i < N; ++i) {
      result.gradient[i] = a.gradient[i] + b.gradient[i];
      for (std::size_t j = 0; j < N; ++j) {
        result.hessian[i][j] = a.hessian[i][j] + b.hessian[i][j];
      }
    }
    return result;
  }
  friend D2 operator*(const D2& a, const D2& b) {
    D2 result{a.value * b.value};
    for (std::size_t i = 0; i < N; ++i) {
      result.gradient[i] = a.value * b.gradient[i] + b.value * a.gradient[i];
      for (std::size_t j = 0; j < N; ++j) {
        result.hessian[i][j] = a.value * b.hessian[i][j] + b.value * a.hessian[i][j] +
                               a.gradient[i] * b.gradient[j] + b.gradient[i] * a.gradient[j];
      }
    }
    return result;
  }
};

struct Tay2 {
  double value = 0.0;
  double first = 0.0;   ///< x'
  double second = 0.0;  ///< x''

  Tay2(double x = 0.0) : value{x} {}  // NOLINT(google-explicit-constructor): numbers are constants
  Tay2(double x, double x1, double x2) : value{x}, first{x1}, second{x2} {}

  friend Tay2 chain(const Tay2& u, double phi, double phi1, double phi2) {
    return {phi, phi1 * u.first, phi1 * u.second + phi2 * u.first * u.first};
  }
  friend Tay2 operator+(const Tay2& a, const Tay2& b) {
    return {a.value + b.value, a.first + b.first, a.second + b.second};
  }
  friend Tay2 operator*(const Tay2& a, const Tay2& b) {
    return {a.value * b.value, a.value * b.first + b.value * a.first,
            a.value * b.second + 2.0 * a.first * b.first + b.value * a.second};
  }
};

/// True for the scalars of this file.
template <class D>
inline constexpr bool is_dual = false;
template <std::size_t N>
inline constexpr bool is_dual<D1<N>> = true;
template <std::size_t N>
inline constexpr bool is_dual<D2<N>> = true;
template <>
inline constexpr bool is_dual<Tay2> = true;

template <class D>
concept Dual = is_dual<D>;

// mixed operands convert a number to a constant first
#define TAUT_DUAL_BINARY(name)   \
  template <Dual D>              \
  D name(const D& a, double b) { \
    return name(a, D{b});        \
  }                              \
  template <Dual D>              \
  D name(double a, const D& b) { \
    return name(D{a}, b);        \
  }

template <Dual D>
D operator-(const D& a) {
  return a * D{-1.0};
}
template <Dual D>
D operator-(const D& a, const D& b) {
  return a + -b;
}
template <Dual D>
D operator/(const D& a, const D& b) {
  const double r = 1.0 / b.value;
  return a * chain(b, r, -r * r, 2.0 * r * r * r);
}
TAUT_DUAL_BINARY(operator+)
TAUT_DUAL_BINARY(operator-)
TAUT_DUAL_BINARY(operator*)
TAUT_DUAL_BINARY(operator/)

template <Dual D, class B>
D& operator+=(D& a, const B& b) {
  return a = a + b;
}
template <Dual D, class B>
D& operator-=(D& a, const B& b) {
  return a = a - b;
}
template <Dual D, class B>
D& operator*=(D& a, const B& b) {
  return a = a * b;
}
template <Dual D, class B>
D& operator/=(D& a, const B& b) {
  return a = a / b;
}

template <Dual D>
D sqrt(const D& u) {
  const double r = std::sqrt(u.value);
  return chain(u, r, 0.5 / r, -0.25 / (r * u.value));
}
template <Dual D>
D exp(const D& u) {
  const double e = std::exp(u.value);
  return chain(u, e, e, e);
}
template <Dual D>
D log(const D& u) {
  return chain(u, std::log(u.value), 1.0 / u.value, -1.0 / (u.value * u.value));
}
template <Dual D>
D sin(const D& u) {
  return chain(u, std::sin(u.value), std::cos(u.value), -std::sin(u.value));
}
template <Dual D>
D cos(const D& u) {
  return chain(u, std::cos(u.value), -std::sin(u.value), -std::cos(u.value));
}
template <Dual D>
D tan(const D& u) {
  const double x = std::tan(u.value), slope = 1.0 + x * x;
  return chain(u, x, slope, 2.0 * x * slope);
}
template <Dual D>
D asin(const D& u) {
  const double r = 1.0 / std::sqrt(1.0 - u.value * u.value);
  return chain(u, std::asin(u.value), r, u.value * r * r * r);
}
template <Dual D>
D acos(const D& u) {
  const double r = 1.0 / std::sqrt(1.0 - u.value * u.value);
  return chain(u, std::acos(u.value), -r, -u.value * r * r * r);
}
template <Dual D>
D atan(const D& u) {
  const double r = 1.0 / (1.0 + u.value * u.value);
  return chain(u, std::atan(u.value), r, -2.0 * u.value * r * r);
}
template <Dual D>
D sinh(const D& u) {
  return chain(u, std::sinh(u.value), std::cosh(u.value), std::sinh(u.value));
}
template <Dual D>
D cosh(const D& u) {
  return chain(u, std::cosh(u.value), std::sinh(u.value), std::cosh(u.value));
}
template <Dual D>
D tanh(const D& u) {
  const double x = std::tanh(u.value), slope = 1.0 - x * x;
  return chain(u, x, slope, -2.0 * x * slope);
}
template <Dual D>
D abs(const D& u) {
  return u.value < 0.0 ? -u : u;
}
template <Dual D>
D sign(const D& u) {
  return D{functions::sign(u.value)};
}
template <Dual D>
D floor(const D& u) {
  return D{std::floor(u.value)};
}

/// y / x and x / y are each well scaled on their half of the plane.
template <Dual D>
D atan2(const D& y, const D& x) {
  D result = std::fabs(x.value) > std::fabs(y.value) ? atan(y / x) : -atan(x / y);
  result.value = std::atan2(y.value, x.value);
  return result;
}

/// a^b; a constant exponent does not ask for the logarithm of a.
template <Dual D>
D pow(const D& a, double b) {
  return chain(a, std::pow(a.value, b), b * std::pow(a.value, b - 1.0),
               b * (b - 1.0) * std::pow(a.value, b - 2.0));
}
template <Dual D>
D pow(const D& a, const D& b) {
  return exp(b * log(a));
}
template <Dual D>
D pow(double a, const D& b) {
  return exp(b * std::log(a));
}

template <Dual D>
D min(const D& a, const D& b) {
  return a.value < b.value ? a : b;
}
template <Dual D>
D max(const D& a, const D& b) {
  return b.value < a.value ? a : b;
}
template <Dual D>
D less(const D& a, const D& b) {
  return D{functions::less(a.value, b.value)};
}
template <Dual D>
D select(const D& condition, const D& a, const D& b) {
  return condition.value != 0.0 ? a : b;
}
template <Dual D>
D select(const D& condition, const D& a, double b) {
  return select(condition, a, D{b});
}
template <Dual D>
D select(const D& condition, double a, const D& b) {
  return select(condition, D{a}, b);
}
TAUT_DUAL_BINARY(atan2)
TAUT_DUAL_BINARY(min)
TAUT_DUAL_BINARY(max)
TAUT_DUAL_BINARY(less)
#undef TAUT_DUAL_BINARY

static_assert(Scalar<D1<3>> && Scalar<D2<3>> && Scalar<Tay2>);

}  // namespace taut::formula
