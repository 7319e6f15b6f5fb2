// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

namespace taut {

template <class Scalar>
inline constexpr bool is_complex = !std::is_floating_point_v<Scalar>;

/// A complex number in one register: products without the search for infinities that std::complex
/// is bound to, and stored whole, so that it can be loaded again at once.
class PackedComplex {
 public:
  PackedComplex() = default;
  // NOLINTBEGIN(google-explicit-constructor): the same number, as double and double are
  PackedComplex(std::complex<double> x) : x_{x.real(), x.imag()} {}
  operator std::complex<double>() const { return {x_[0], x_[1]}; }
  // NOLINTEND(google-explicit-constructor)

  [[gnu::always_inline]] friend PackedComplex operator*(PackedComplex a, PackedComplex b) {
    const Pair real = __builtin_shufflevector(a.x_, a.x_, 0, 0);
    const Pair imag = __builtin_shufflevector(-a.x_, a.x_, 1, 3);
    return PackedComplex{real * b.x_ + imag * __builtin_shufflevector(b.x_, b.x_, 1, 0)};
  }
  [[gnu::always_inline]] friend PackedComplex operator+(PackedComplex a, PackedComplex b) {
    return PackedComplex{a.x_ + b.x_};
  }
  [[gnu::always_inline]] PackedComplex& operator-=(PackedComplex b) {
    x_ -= b.x_;
    return *this;
  }
  /// |a|²
  [[gnu::always_inline]] friend double squared(PackedComplex a) {
    const Pair squares = a.x_ * a.x_;
    return squares[0] + squares[1];
  }
  /// 1 / a
  [[gnu::always_inline]] friend PackedComplex reciprocal(PackedComplex a) {
    const double scale = 1.0 / squared(a);
    return PackedComplex{a.x_ * Pair{scale, -scale}};
  }

 private:
  using Pair [[gnu::vector_size(16)]] = double;
  explicit PackedComplex(Pair x) : x_{x} {}

  Pair x_{0.0, 0.0};
};

[[gnu::always_inline]] inline double squared(double a) { return a * a; }
[[gnu::always_inline]] inline double reciprocal(double a) { return 1.0 / a; }

/// How a number is kept inside a factorisation.
template <class Scalar>
using Packed = std::conditional_t<is_complex<Scalar>, PackedComplex, Scalar>;

/// |a| within a factor sqrt(2).
inline double size_of(double a) { return std::abs(a); }
inline double size_of(std::complex<double> a) { return std::abs(a.real()) + std::abs(a.imag()); }

}  // namespace taut
