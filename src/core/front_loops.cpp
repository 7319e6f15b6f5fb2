// SPDX-License-Identifier: BSD-3-Clause
#include "core/front_loops.hpp"

// one body, compiled for each instruction set, chosen when the program starts
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define TAUT_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define TAUT_CLONES
#endif

namespace taut::front_loops {
namespace {

using Eight [[gnu::vector_size(64)]] = double;

constexpr int eight = 8;

#define TAUT_AT(x) (*reinterpret_cast<const Eight*>(x))
#define TAUT_TO(x) (*reinterpret_cast<Eight*>(x))
#define TAUT_SUM(s) (((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])))

}  // namespace

TAUT_CLONES void subtract_products(int first, int last, int rows, int depth, const Columns& a,
                                   const Weights& w, const Columns& c) {
  static_assert(tile_real == 6);
  for (int j = first; j < last; j += tile_real) {
    const double* const w0 = w.x + j * w.stride;
    const double* const w1 = w0 + w.stride;
    const double* const w2 = w1 + w.stride;
    const double* const w3 = w2 + w.stride;
    const double* const w4 = w3 + w.stride;
    const double* const w5 = w4 + w.stride;
    double* const to = c.x + j * c.ld;
    for (int i = j / eight * eight; i < rows; i += eight) {
      Eight s0{}, s1{}, s2{}, s3{}, s4{}, s5{};
      const double* l = a.x + i;
      for (int k = 0; k < depth; ++k, l += a.ld) {
        const Eight x = TAUT_AT(l);
        s0 += x * w0[k];
        s1 += x * w1[k];
        s2 += x * w2[k];
        s3 += x * w3[k];
        s4 += x * w4[k];
        s5 += x * w5[k];
      }
      double* y = to + i;
      TAUT_TO(y) -= s0;
      TAUT_TO(y += c.ld) -= s1;
      TAUT_TO(y += c.ld) -= s2;
      TAUT_TO(y += c.ld) -= s3;
      TAUT_TO(y += c.ld) -= s4;
      TAUT_TO(y += c.ld) -= s5;
    }
  }
}

TAUT_CLONES void subtract_products_complex(int first, int last, int rows, int depth,
                                           const Columns& a, const Weights& w, const Columns& c) {
  static_assert(tile_complex == 3);
  for (int j = first; j < last; j += tile_complex) {
    const double* const w0 = w.x + j * w.stride;
    const double* const w1 = w0 + w.stride;
    const double* const w2 = w1 + w.stride;
    double* const to = c.x + j * c.ld;
    for (int i = j / eight * eight; i < rows; i += eight) {
      Eight r0{}, r1{}, r2{}, i0{}, i1{}, i2{};
      const double* l = a.x + i;
      for (int k = 0; k < depth; ++k, l += a.ld) {
        const Eight re = TAUT_AT(l), im = TAUT_AT(l + a.plane);
        r0 += re * w0[k];
        i0 += im * w0[k];
        r1 += re * w1[k];
        i1 += im * w1[k];
        r2 += re * w2[k];
        i2 += im * w2[k];
        r0 -= im * w0[k + w.plane];
        i0 += re * w0[k + w.plane];
        r1 -= im * w1[k + w.plane];
        i1 += re * w1[k + w.plane];
        r2 -= im * w2[k + w.plane];
        i2 += re * w2[k + w.plane];
      }
      double* y = to + i;
      TAUT_TO(y) -= r0;
      TAUT_TO(y + c.plane) -= i0;
      y += c.ld;
      TAUT_TO(y) -= r1;
      TAUT_TO(y + c.plane) -= i1;
      y += c.ld;
      TAUT_TO(y) -= r2;
      TAUT_TO(y + c.plane) -= i2;
    }
  }
}

TAUT_CLONES void subtract_column(int from, int rows, int depth, const Columns& a, const Weights& w,
                                 const Columns& y) {
  int i = from / eight * eight;
  for (; i + 4 * eight <= rows; i += 4 * eight) {
    Eight s0{}, s1{}, s2{}, s3{};
    const double* l = a.x + i;
    for (int k = 0; k < depth; ++k, l += a.ld) {
      s0 += TAUT_AT(l) * w.x[k];
      s1 += TAUT_AT(l + eight) * w.x[k];
      s2 += TAUT_AT(l + 2 * eight) * w.x[k];
      s3 += TAUT_AT(l + 3 * eight) * w.x[k];
    }
    TAUT_TO(y.x + i) -= s0;
    TAUT_TO(y.x + i + eight) -= s1;
    TAUT_TO(y.x + i + 2 * eight) -= s2;
    TAUT_TO(y.x + i + 3 * eight) -= s3;
  }
  for (; i < rows; i += eight) {
    Eight s{};
    const double* l = a.x + i;
    for (int k = 0; k < depth; ++k, l += a.ld) s += TAUT_AT(l) * w.x[k];
    TAUT_TO(y.x + i) -= s;
  }
}

TAUT_CLONES void subtract_column_complex(int from, int rows, int depth, const Columns& a,
                                         const Weights& w, const Columns& y) {
  const double* const wr = w.x;
  const double* const wi = w.x + w.plane;
  int i = from / eight * eight;
  for (; i + 2 * eight <= rows; i += 2 * eight) {
    Eight r0{}, r1{}, i0{}, i1{};
    const double* l = a.x + i;
    for (int k = 0; k < depth; ++k, l += a.ld) {
      const Eight a0 = TAUT_AT(l), a1 = TAUT_AT(l + eight);
      const Eight b0 = TAUT_AT(l + a.plane), b1 = TAUT_AT(l + a.plane + eight);
      r0 += a0 * wr[k];
      i0 += b0 * wr[k];
      r1 += a1 * wr[k];
      i1 += b1 * wr[k];
      r0 -= b0 * wi[k];
      i0 += a0 * wi[k];
      r1 -= b1 * wi[k];
      i1 += a1 * wi[k];
    }
    TAUT_TO(y.x + i) -= r0;
    TAUT_TO(y.x + i + eight) -= r1;
    TAUT_TO(y.x + y.plane + i) -= i0;
    TAUT_TO(y.x + y.plane + i + eight) -= i1;
  }
  for (; i < rows; i += eight) {
    Eight r{}, im{};
    const double* l = a.x + i;
    for (int k = 0; k < depth; ++k, l += a.ld) {
      r += TAUT_AT(l) * wr[k];
      im += TAUT_AT(l + a.plane) * wr[k];
      r -= TAUT_AT(l + a.plane) * wi[k];
      im += TAUT_AT(l) * wi[k];
    }
    TAUT_TO(y.x + i) -= r;
    TAUT_TO(y.x + y.plane + i) -= im;
  }
}

TAUT_CLONES void solve_lower(int pivots, int rows, const Columns& l, double* y) {
  for (int k = 0; k < pivots; ++k) {
    const double* const column = l.column(k);
    const double x = y[k];
    for (int i = (k + 1) / eight * eight; i < rows; i += eight)
      TAUT_TO(y + i) -= TAUT_AT(column + i) * x;
  }
}

TAUT_CLONES void solve_lower_complex(int pivots, int rows, const Columns& l, double* y, double* z) {
  for (int k = 0; k < pivots; ++k) {
    const double* const column = l.column(k);
    const double re = y[k], im = z[k];
    for (int i = (k + 1) / eight * eight; i < rows; i += eight) {
      const Eight a = TAUT_AT(column + i), b = TAUT_AT(column + l.plane + i);
      TAUT_TO(y + i) -= a * re - b * im;
      TAUT_TO(z + i) -= a * im + b * re;
    }
  }
}

TAUT_CLONES void solve_upper(int pivots, int rows, const Columns& u, double* y) {
  for (int k = pivots - 1; k >= 0; --k) {
    const double* const column = u.column(k);
    Eight s{};
    for (int i = (k + 1) / eight * eight; i < rows; i += eight)
      s += TAUT_AT(column + i) * TAUT_AT(y + i);
    y[k] -= TAUT_SUM(s);
  }
}

TAUT_CLONES void solve_upper_complex(int pivots, int rows, const Columns& u, double* y, double* z) {
  for (int k = pivots - 1; k >= 0; --k) {
    const double* const column = u.column(k);
    Eight re{}, im{};
    for (int i = (k + 1) / eight * eight; i < rows; i += eight) {
      const Eight a = TAUT_AT(column + i), b = TAUT_AT(column + u.plane + i);
      const Eight c = TAUT_AT(y + i), d = TAUT_AT(z + i);
      re += a * c - b * d;
      im += a * d + b * c;
    }
    y[k] -= TAUT_SUM(re);
    z[k] -= TAUT_SUM(im);
  }
}

}  // namespace taut::front_loops
