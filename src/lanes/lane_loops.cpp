// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/lane_loops.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

// one body, compiled for each instruction set, chosen when the program starts
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define TAUT_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define TAUT_CLONES
#endif

namespace taut::lanes {
namespace {

const double* aligned(const double* x) {
  return static_cast<const double*>(__builtin_assume_aligned(x, 64));
}
double* aligned(double* x) { return static_cast<double*>(__builtin_assume_aligned(x, 64)); }

constexpr int packet = Eigen::internal::packet_traits<double>::size;

}  // namespace

// Some rows of some lanes stay in registers while the terms go by: a weight is read once for them.
template <int rows>
[[gnu::always_inline]] inline void add_terms_of(const double* from, std::span<const Term> terms,
                                                double* to) {
  constexpr int chunk = 8;
  static_assert(width % chunk == 0);
  double* const out = aligned(to);
  for (int first = 0; first < width; first += chunk) {
    double sum[rows][chunk];
    for (int r = 0; r < rows; ++r)
      for (int l = 0; l < chunk; ++l)
        sum[r][l] = from != nullptr ? aligned(from)[r * width + first + l] : 0.0;
    for (const Term& term : terms) {
      const double* const w = aligned(term.w) + first;
      const double* const k = aligned(term.k) + first;
      for (int r = 0; r < rows; ++r)
        for (int l = 0; l < chunk; ++l) sum[r][l] += w[l] * k[r * width + l];
    }
    for (int r = 0; r < rows; ++r)
      for (int l = 0; l < chunk; ++l) out[r * width + first + l] = sum[r][l];
  }
}

TAUT_CLONES void add_terms(const double* from, std::span<const Term> terms, Index rows,
                           double* to) {
  constexpr std::size_t most = 16;  // stages of all tables, dense output included
  std::array<Term, most> moved;
  Index r = 0;
  const auto at = [&](Index row) {
    for (std::size_t j = 0; j < terms.size(); ++j)
      moved[j] = {terms[j].w, terms[j].k + row * width};
    return std::span<const Term>{moved.data(), terms.size()};
  };
  const auto from_row = [&] { return from != nullptr ? from + r * width : nullptr; };
  for (; r + 4 <= rows; r += 4) add_terms_of<4>(from_row(), at(r), to + r * width);
  for (; r + 2 <= rows; r += 2) add_terms_of<2>(from_row(), at(r), to + r * width);
  for (; r < rows; ++r) add_terms_of<1>(from_row(), at(r), to + r * width);
}

TAUT_CLONES void scale(double factor, const double* x, double* to) {
  for (int l = 0; l < width; ++l) to[l] = x[l] * factor;
}

TAUT_CLONES void take_where(const double* chosen, const double* from, double* to) {
  for (int l = 0; l < width; ++l) to[l] = chosen[l] != 0.0 ? from[l] : to[l];
}

TAUT_CLONES void add_weighted_square(const Weighed* q, const Weighed& v, double* sum) {
  const auto square = [](const Weighed& x, int l) {
    const double a = std::abs(x.from[l]), b = std::abs(x.to[l]);
    const double part = x.d[l] / (1.0 + (a < b ? b : a));
    return part * part;
  };
  if (q == nullptr) {
    for (int l = 0; l < width; ++l) sum[l] += square(v, l);
    return;
  }
  for (int l = 0; l < width; ++l) sum[l] += square(*q, l) + square(v, l);
}

// Eigen adds up packets, two at a time, then their numbers, then what is left over.
TAUT_CLONES void squared_distance(std::span<const double* const> x,
                                  std::span<const double* const> y, double* to) {
  constexpr std::size_t one = packet, two = 2 * packet;
  const std::size_t n = x.size(), by_two = n / two * two, by_one = n / one * one;
  alignas(64) double sums[two][width];
  const auto square = [&](std::size_t i, int l) {
    const double d = x[i][l] - y[i][l];
    return d * d;
  };
  if (by_one == 0) {
    for (int l = 0; l < width; ++l) to[l] = n > 0 ? square(0, l) : 0.0;
    for (std::size_t i = 1; i < n; ++i)
      for (int l = 0; l < width; ++l) to[l] += square(i, l);
    return;
  }
  const std::size_t begun = by_one > one ? two : one;
  for (std::size_t i = 0; i < begun; ++i)
    for (int l = 0; l < width; ++l) sums[i][l] = square(i, l);
  for (std::size_t i = two; i < by_two; ++i)
    for (int l = 0; l < width; ++l) sums[i % two][l] += square(i, l);
  if (begun == two)
    for (std::size_t p = 0; p < one; ++p)
      for (int l = 0; l < width; ++l) sums[p][l] += sums[p + one][l];
  if (by_one > by_two && by_one > one)
    for (std::size_t p = 0; p < one; ++p)
      for (int l = 0; l < width; ++l) sums[p][l] += square(by_two + p, l);
  // the numbers of a packet: halves upon each other
  for (std::size_t half = one / 2; half > 0; half /= 2)
    for (std::size_t p = 0; p < half; ++p)
      for (int l = 0; l < width; ++l) sums[p][l] += sums[p + half][l];
  for (int l = 0; l < width; ++l) to[l] = sums[0][l];
  for (std::size_t i = by_one; i < n; ++i)
    for (int l = 0; l < width; ++l) to[l] += square(i, l);
}

TAUT_CLONES void track_least_ratio(const double* dependence, double* best, double* least) {
  for (int l = 0; l < width; ++l) {
    const double here = 1.0 / dependence[l];
    best[l] = best[l] < here ? here : best[l];
    const double ratio = here / best[l];
    least[l] = ratio < least[l] ? ratio : least[l];
  }
}

TAUT_CLONES void scaled_residual(std::span<const double* const> g, const RowBlock& scale,
                                 const RowBlock& s, double* now) {
  for (int l = 0; l < width; ++l) now[l] = 0.0;
  for (std::size_t r = 0; r < g.size(); ++r) {
    const double* const x = g[r];
    const double* const factor = scale.begin + static_cast<std::ptrdiff_t>(r) * width;
    double* const right = s.begin + static_cast<std::ptrdiff_t>(r) * width;
    for (int l = 0; l < width; ++l) {
      const double size = std::abs(x[l]) * factor[l];
      // NaN stays
      now[l] = ((size > now[l]) | (size != size)) ? size : now[l];
      right[l] = -x[l];
    }
  }
}

TAUT_CLONES void largest(const RowBlock& x, Index count, double* to) {
  for (int l = 0; l < width; ++l) to[l] = 0.0;
  for (Index i = 0; i < count; ++i)
    for (int l = 0; l < width; ++l) {
      const double size = std::abs(x.begin[i * width + l]);
      to[l] = to[l] < size ? size : to[l];
    }
}

TAUT_CLONES void velocity_residual(const VelocityRows& rows, const double* v_most,
                                   const RowBlock& s, double* now) {
  for (int l = 0; l < width; ++l) now[l] = 0.0;
  for (Index r = 0; r < rows.count; ++r) {
    const double* const rate = rows.g_t.begin + r * width;
    alignas(64) double sum[width], size[width];
    for (int l = 0; l < width; ++l) {
      sum[l] = rate[l];
      size[l] = 0.0;
    }
    for (int p = rows.outer[r]; p < rows.outer[r + 1]; ++p) {
      const double* const entry = rows.G.begin + static_cast<std::ptrdiff_t>(p) * width;
      const double* const v = rows.v.begin + static_cast<std::ptrdiff_t>(rows.inner[p]) * width;
      for (int l = 0; l < width; ++l) {
        sum[l] += entry[l] * v[l];
        size[l] += std::abs(entry[l]);
      }
    }
    double* const right = s.begin + r * width;
    for (int l = 0; l < width; ++l) {
      const double terms = size[l] * v_most[l] + std::abs(rate[l]);
      const double left = std::abs(sum[l]);
      right[l] = -sum[l];
      const double ratio = left / terms;
      now[l] = left <= now[l] * terms ? now[l] : ratio;
    }
  }
}

TAUT_CLONES void add_where(const double* chosen, const double* x, double* to) {
  for (int l = 0; l < width; ++l) to[l] = chosen[l] != 0.0 ? to[l] + x[l] : to[l];
}

TAUT_CLONES void dense_coefficients(const DenseEnds& ends, double* r0, double* r1, double* r2) {
  const double *const h = ends.h, *const k0 = ends.k0, *const ks = ends.ks;
  for (int l = 0; l < width; ++l) {
    r0[l] = ends.y1[l] - ends.y0[l];
    r1[l] = h[l] * k0[l] - r0[l];
    r2[l] = r0[l] - h[l] * ks[l] - r1[l];
  }
}

TAUT_CLONES void dense_value(std::span<const double* const> r, const DensePlace& at,
                             const double* from, double* to) {
  constexpr int chunk = 32;
  static_assert(width % chunk == 0);
  for (int first = 0; first < width; first += chunk) {
    double x[chunk] = {};
    for (std::size_t m = r.size(); m-- > 0;) {
      const double* const factor = (m % 2 == 0 ? at.theta : at.rest) + first;
      const double* const r_m = r[m] + first;
      for (int l = 0; l < chunk; ++l) x[l] = factor[l] * (x[l] + r_m[l]);
    }
    for (int l = 0; l < chunk; ++l) to[first + l] = x[l] + from[first + l];
  }
}

TAUT_CLONES void dense_rate(std::span<const double* const> r, const DensePlace& at, double* to) {
  constexpr int chunk = 32;
  for (int first = 0; first < width; first += chunk) {
    double value[chunk] = {}, slope[chunk] = {};
    for (std::size_t m = r.size(); m-- > 0;) {
      const bool even = m % 2 == 0;
      const double* const factor = (even ? at.theta : at.rest) + first;
      const double* const r_m = r[m] + first;
      for (int l = 0; l < chunk; ++l) {
        value[l] += r_m[l];
        slope[l] = factor[l] * slope[l] + (even ? value[l] : -value[l]);
        value[l] *= factor[l];
      }
    }
    for (int l = 0; l < chunk; ++l) to[first + l] = slope[l] / at.h[first + l];
  }
}

TAUT_CLONES void track_defect(const double* rate, const double* x, const double* y, double* most) {
  for (int l = 0; l < width; ++l) {
    const double e = std::abs(rate[l] - x[l]) / (1.0 + std::abs(y[l]));
    most[l] = e <= most[l] ? most[l] : e;
  }
}

}  // namespace taut::lanes
