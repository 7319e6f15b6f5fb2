// SPDX-License-Identifier: BSD-3-Clause
#include "core/random.hpp"

#include <Random123/philox.h>

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

namespace taut {
namespace {

// c[0] + c[1] x + ...
template <std::size_t n>
double polynomial(const std::array<double, n>& c, double x) {
  double sum = c[n - 1];
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

// log x for 0 < x < 1/2, normal. The library's differs between processors with and without fused
// operations.
double logarithm(double x) {
  constexpr std::uint64_t fraction = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  auto exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & fraction) | std::uint64_t{1023} << 52);
  if (m > std::numbers::sqrt2) {
    m /= 2;
    ++exponent;
  }
  // log m = 2 artanh s, |s| < 0.172
  const double s = (m - 1) / (m + 1);
  constexpr std::array series{1.0,      1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9, 1.0 / 11,
                              1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
  return exponent * std::numbers::ln2 + 2 * s * polynomial(series, s * s);
}

// of 64 random bits, in (0, 1) and symmetric about 1/2
double fraction_of(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = std::uint64_t{high} << 32 | low;
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

}  // namespace

std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4>& counter,
                                    const std::array<std::uint32_t, 2>& key) {
  const r123::Philox4x32::ctr_type c{{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k{{key[0], key[1]}};
  const r123::Philox4x32::ctr_type words = r123::Philox4x32{}(c, k);
  return {words[0], words[1], words[2], words[3]};
}

double normal_quantile(double p) {
  assert(p > 0.0 && p < 1.0);
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    constexpr std::array a{3.3871328727963666080e0, 1.3314166789178437745e2,
                           1.9715909503065514427e3, 1.3731693765509461125e4,
                           4.5921953931549871457e4, 6.7265770927008700853e4,
                           3.3430575583588128105e4, 2.5090809287301226727e3};
    constexpr std::array b{1.0,
                           4.2313330701600911252e1,
                           6.8718700749205790830e2,
                           5.3941960214247511077e3,
                           2.1213794301586595867e4,
                           3.9307895800092710610e4,
                           2.8729085735721942674e4,
                           5.2264952788528545610e3};
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-logarithm(q < 0.0 ? p : 1.0 - p));
  double x = 0.0;
  if (r <= 5.0) {
    constexpr std::array c{1.42343711074968357734e0,  4.63033784615654529590e0,
                           5.76949722146069140550e0,  3.64784832476320460504e0,
                           1.27045825245236838258e0,  2.41780725177450611770e-1,
                           2.27238449892691845833e-2, 7.74545014278341407640e-4};
    constexpr std::array d{1.0,
                           2.05319162663775882187e0,
                           1.67638483018380384940e0,
                           6.89767334985100004550e-1,
                           1.48103976427480074590e-1,
                           1.51986665636164571966e-2,
                           5.47593808499534494600e-4,
                           1.05075007164441684324e-9};
    x = polynomial(c, r - 1.6) / polynomial(d, r - 1.6);
  } else {
    constexpr std::array e{6.65790464350110377720e0,  5.46378491116411436990e0,
                           1.78482653991729133580e0,  2.96560571828504891230e-1,
                           2.65321895265761230930e-2, 1.24266094738807843860e-3,
                           2.71155556874348757815e-5, 2.01033439929228813265e-7};
    constexpr std::array f{1.0,
                           5.99832206555887937690e-1,
                           1.36929880922735805310e-1,
                           1.48753612908506148525e-2,
                           7.86869131145613259100e-4,
                           1.84631831751005468180e-5,
                           1.42151175831644588870e-7,
                           2.04426310338993978564e-15};
    x = polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
  }
  return q < 0.0 ? -x : x;
}

std::array<double, 2> NormalNumbers::pair(std::int64_t step, std::int64_t number) const {
  assert(step >= 0 && number >= 0 && number >> 32 == 0);
  const auto word = [](std::int64_t value, int shift) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) >> shift);
  };
  const auto w = philox({word(number, 0), stream_, word(step, 0), word(step, 32)}, key_);
  return {normal_quantile(fraction_of(w[0], w[1])), normal_quantile(fraction_of(w[2], w[3]))};
}

double NormalNumbers::operator()(std::int64_t step, std::int64_t index) const {
  return pair(step, index / 2)[static_cast<std::size_t>(index % 2)];
}

void NormalNumbers::fill(std::int64_t step, Vec& x) const {
  for (Index i = 0; i < x.size(); i += 2) {
    const std::array<double, 2> two = pair(step, i / 2);
    x[i] = two[0];
    if (i + 1 < x.size()) x[i + 1] = two[1];
  }
}

}  // namespace taut
