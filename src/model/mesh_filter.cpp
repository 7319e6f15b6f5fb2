// SPDX-License-Identifier: BSD-3-Clause
#include "model/mesh_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/workers.hpp"

// one body, compiled for each instruction set, chosen when the program starts
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define TAUT_CLONES [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define TAUT_CLONES
#endif
#if defined(__clang__)
#define TAUT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define TAUT_LANES _Pragma("GCC ivdep")
#endif

namespace taut {
namespace {

constexpr std::size_t fewest_coefficients_to_share = 20'000;  // below, waking threads costs more

/// Rows p of two parts:  y0 = a + b,  y1 = (a - b) w.
TAUT_CLONES void by_two(int inner, const double* w, const double* const* x, double* const* y) {
  const double *ar = x[0], *ai = x[1], *br = x[2], *bi = x[3];
  double *re0 = y[0], *im0 = y[1], *re1 = y[2], *im1 = y[3];
  const double c = w[0], s = w[1];
  TAUT_LANES
  for (int q = 0; q < inner; ++q) {
    const double dr = ar[q] - br[q], di = ai[q] - bi[q];
    re0[q] = ar[q] + br[q];
    im0[q] = ai[q] + bi[q];
    re1[q] = dr * c - di * s;
    im1[q] = dr * s + di * c;
  }
}

/// Rows p of three parts, with the roots of 1 between them.
TAUT_CLONES void by_three(int inner, const double* w, const double* const* x, double* const* y) {
  const double *ar = x[0], *ai = x[1], *br = x[2], *bi = x[3], *cr = x[4], *ci = x[5];
  double *re0 = y[0], *im0 = y[1], *re1 = y[2], *im1 = y[3], *re2 = y[4], *im2 = y[5];
  const double c1 = w[0], s1 = w[1], c2 = w[2], s2 = w[3];
  constexpr double sin60 = std::numbers::sqrt3 / 2.0;
  TAUT_LANES
  for (int q = 0; q < inner; ++q) {
    const double tr = br[q] + cr[q], ti = bi[q] + ci[q];
    const double mr = ar[q] - 0.5 * tr, mi = ai[q] - 0.5 * ti;
    const double dr = sin60 * (br[q] - cr[q]), di = sin60 * (bi[q] - ci[q]);
    re0[q] = ar[q] + tr;
    im0[q] = ai[q] + ti;
    const double ur = mr + di, ui = mi - dr;
    const double vr = mr - di, vi = mi + dr;
    re1[q] = ur * c1 - ui * s1;
    im1[q] = ur * s1 + ui * c1;
    re2[q] = vr * c2 - vi * s2;
    im2[q] = vr * s2 + vi * c2;
  }
}

/// Rows p of four parts.
TAUT_CLONES void by_four(int inner, const double* w, const double* const* x, double* const* y) {
  const double *ar = x[0], *ai = x[1], *br = x[2], *bi = x[3];
  const double *cr = x[4], *ci = x[5], *dr = x[6], *di = x[7];
  double *re0 = y[0], *im0 = y[1], *re1 = y[2], *im1 = y[3];
  double *re2 = y[4], *im2 = y[5], *re3 = y[6], *im3 = y[7];
  const double c1 = w[0], s1 = w[1], c2 = w[2], s2 = w[3], c3 = w[4], s3 = w[5];
  TAUT_LANES
  for (int q = 0; q < inner; ++q) {
    const double er = ar[q] + cr[q], ei = ai[q] + ci[q];
    const double fr = ar[q] - cr[q], fi = ai[q] - ci[q];
    const double gr = br[q] + dr[q], gi = bi[q] + di[q];
    const double hr = bi[q] - di[q], hi = dr[q] - br[q];  // -i (b - d)
    re0[q] = er + gr;
    im0[q] = ei + gi;
    const double ur = fr + hr, ui = fi + hi;
    const double vr = er - gr, vi = ei - gi;
    const double zr = fr - hr, zi = fi - hi;
    re1[q] = ur * c1 - ui * s1;
    im1[q] = ur * s1 + ui * c1;
    re2[q] = vr * c2 - vi * s2;
    im2[q] = vr * s2 + vi * c2;
    re3[q] = zr * c3 - zi * s3;
    im3[q] = zr * s3 + zi * c3;
  }
}

void turn(const double* from, int rows, int columns, double* to) {
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
}

std::size_t size(int n) { return static_cast<std::size_t>(n); }

}  // namespace

int MeshFilter::at_least(int n) {
  for (int result = std::max(n, 2);; ++result) {
    int rest = result;
    if (rest % 2 != 0) continue;
    while (rest % 2 == 0) rest /= 2;
    while (rest % 3 == 0) rest /= 3;
    if (rest == 1) return result;
  }
}

MeshFilter::Line MeshFilter::line_of(int n) {
  Line line{.n = n, .passes = {}};
  for (int rest = n; rest > 1;) {
    const int factor = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : 3;
    Pass pass{.factor = factor, .rows = rest / factor, .twiddles = {}};
    for (int p = 0; p < pass.rows; ++p)
      for (int k = 1; k < factor; ++k) {
        const double angle = -2.0 * std::numbers::pi * (k * p % rest) / rest;
        pass.twiddles.push_back(std::cos(angle));
        pass.twiddles.push_back(std::sin(angle));
      }
    rest = pass.rows;
    line.passes.push_back(std::move(pass));
  }
  return line;
}

MeshFilter::MeshFilter(std::array<int, 3> places)
    : n_{places}, half_{line_of(n_[0] / 2)}, second_{line_of(n_[1])}, third_{line_of(n_[2])} {
  for (int k = 0; k <= n_[0] / 2; ++k) {
    cosine_.push_back(std::cos(2.0 * std::numbers::pi * k / n_[0]));
    sine_.push_back(std::sin(2.0 * std::numbers::pi * k / n_[0]));
  }
}

std::size_t MeshFilter::plane() const { return size(n_[1]) * size(n_[2]); }
std::size_t MeshFilter::coefficients() const { return size(n_[0] / 2 + 1) * plane(); }
std::size_t MeshFilter::place(int k1, int k2, int k3) const {
  return size(k1) * plane() + size(k3) * size(n_[1]) + size(k2);
}

MeshFilter::Scratch MeshFilter::scratch() const {
  Scratch made;
  for (auto* part : {&made.planes, &made.work, &made.second})
    for (auto& numbers : *part) numbers.assign(coefficients(), 0.0);
  return made;
}

MeshFilter::Complex MeshFilter::transform(const Line& line, int inner, Complex x, Complex y) {
  for (const Pass& pass : line.passes) {
    const double* w = pass.twiddles.data();
    for (int p = 0; p < pass.rows; ++p, w += 2 * (pass.factor - 1)) {
      const double* from[8];
      double* to[8];
      for (int k = 0; k < pass.factor; ++k) {
        const std::ptrdiff_t a = std::ptrdiff_t{inner} * (p + k * pass.rows);
        const std::ptrdiff_t b = std::ptrdiff_t{inner} * (pass.factor * p + k);
        from[2 * k] = x.re + a;
        from[2 * k + 1] = x.im + a;
        to[2 * k] = y.re + b;
        to[2 * k + 1] = y.im + b;
      }
      if (pass.factor == 4)
        by_four(inner, w, from, to);
      else if (pass.factor == 2)
        by_two(inner, w, from, to);
      else
        by_three(inner, w, from, to);
    }
    std::swap(x, y);
    inner *= pass.factor;
  }
  return x;
}

/// Planes 2 k and 2 k + 1 as one:  Z^ of n1/2 numbers,  then  E = (Z^(k) + Z^(-k)*)/2,
/// O = (Z^(k) - Z^(-k)*)/(2 i),  Q^(k) = E + exp(-2 pi i k/n1) O.
void MeshFilter::along_first(const double* mesh, int row, int m2, Scratch& scratch) const {
  const int h = n_[0] / 2, n3 = n_[2];
  const std::size_t own = size(m2) * size(h * n3);
  const Complex x{scratch.work[0].data() + own, scratch.work[1].data() + own};
  for (int k = 0; k < h; ++k) {
    const double* const even = mesh + (std::ptrdiff_t{2} * k * n_[1] + m2) * row;
    const double* const odd = even + std::ptrdiff_t{row} * n_[1];
    std::copy_n(even, n3, x.re + k * n3);
    std::copy_n(odd, n3, x.im + k * n3);
  }
  const Complex Z =
      transform(half_, n3, x, {scratch.second[0].data() + own, scratch.second[1].data() + own});
  for (int k = 0; k <= h; ++k) {
    const std::ptrdiff_t a = std::ptrdiff_t{k % h} * n3, b = std::ptrdiff_t{(h - k) % h} * n3;
    const std::size_t to = size(k) * plane() + size(m2) * size(n3);
    double* const re = scratch.planes[0].data() + to;
    double* const im = scratch.planes[1].data() + to;
    const double c = cosine_[size(k)], s = -sine_[size(k)];
    TAUT_LANES
    for (int q = 0; q < n3; ++q) {
      const double er = 0.5 * (Z.re[a + q] + Z.re[b + q]), ei = 0.5 * (Z.im[a + q] - Z.im[b + q]);
      const double odd_r = 0.5 * (Z.im[a + q] + Z.im[b + q]);
      const double odd_i = -0.5 * (Z.re[a + q] - Z.re[b + q]);
      re[q] = er + (c * odd_r - s * odd_i);
      im[q] = ei + (c * odd_i + s * odd_r);
    }
  }
}

void MeshFilter::within_plane(const std::vector<double>& G, int k1, Scratch& scratch) const {
  const int n2 = n_[1], n3 = n_[2];
  const std::size_t own = size(k1) * plane();
  const Complex first{scratch.planes[0].data() + own, scratch.planes[1].data() + own};
  const Complex other{scratch.work[0].data() + own, scratch.work[1].data() + own};
  const auto beside = [&](const Complex& x) { return x.re == first.re ? other : first; };
  const auto turned = [&](const Complex& x, int rows, int columns) {
    const Complex to = beside(x);
    turn(x.re, rows, columns, to.re);
    turn(x.im, rows, columns, to.im);
    return to;
  };
  Complex x = transform(second_, n3, first, other);
  x = turned(x, n2, n3);
  x = transform(third_, n2, x, beside(x));
  const double* const g = G.data() + own;
  for (std::size_t k = 0; k < plane(); ++k) {
    x.re[k] *= g[k];
    x.im[k] *= g[k];
  }
  // the inverse is the transform of what has its parts exchanged
  const auto back = [&](const Line& line, int inner, const Complex& from) {
    const Complex to = beside(from);
    const Complex found = transform(line, inner, {from.im, from.re}, {to.im, to.re});
    return Complex{found.im, found.re};
  };
  x = back(third_, n2, x);
  x = turned(x, n3, n2);
  x = back(second_, n3, x);
  if (x.re == first.re) return;
  std::copy_n(x.re, plane(), first.re);
  std::copy_n(x.im, plane(), first.im);
}

/// Z^ = 2 E + 2 i O from the same relations, and back.
void MeshFilter::back_along_first(double* mesh, int row, int m2, Scratch& scratch) const {
  const int h = n_[0] / 2, n3 = n_[2];
  const std::size_t own = size(m2) * size(h * n3);
  const Complex x{scratch.work[0].data() + own, scratch.work[1].data() + own};
  for (int k = 0; k < h; ++k) {
    const std::size_t a = size(k) * plane() + size(m2) * size(n3);
    const std::size_t b = size(h - k) * plane() + size(m2) * size(n3);
    const double* const re_a = scratch.planes[0].data() + a;
    const double* const im_a = scratch.planes[1].data() + a;
    const double* const re_b = scratch.planes[0].data() + b;
    const double* const im_b = scratch.planes[1].data() + b;
    double* const re = x.re + std::ptrdiff_t{k} * n3;
    double* const im = x.im + std::ptrdiff_t{k} * n3;
    const double c = cosine_[size(k)], s = sine_[size(k)];
    TAUT_LANES
    for (int q = 0; q < n3; ++q) {
      const double dr = re_a[q] - re_b[q], di = im_a[q] + im_b[q];
      const double odd_r = c * dr - s * di, odd_i = c * di + s * dr;
      re[q] = re_a[q] + re_b[q] - odd_i;
      im[q] = im_a[q] - im_b[q] + odd_r;
    }
  }
  const Complex back = transform(half_, n3, {x.im, x.re},
                                 {scratch.second[1].data() + own, scratch.second[0].data() + own});
  for (int k = 0; k < h; ++k) {
    double* const even = mesh + (std::ptrdiff_t{2} * k * n_[1] + m2) * row;
    double* const odd = even + std::ptrdiff_t{row} * n_[1];
    std::copy_n(back.im + std::ptrdiff_t{k} * n3, n3, even);
    std::copy_n(back.re + std::ptrdiff_t{k} * n3, n3, odd);
  }
}

void MeshFilter::apply(const std::vector<double>& G, double* mesh, int row,
                       Scratch& scratch) const {
  const auto each = [&](int count, const auto& work) {
    if (coefficients() >= fewest_coefficients_to_share)
      share_work(count, work);
    else
      for (int k = 0; k < count; ++k) work(k);
  };
  each(n_[1], [&](int m2) { along_first(mesh, row, m2, scratch); });
  each(n_[0] / 2 + 1, [&](int k1) { within_plane(G, k1, scratch); });
  each(n_[1], [&](int m2) { back_along_first(mesh, row, m2, scratch); });
}

}  // namespace taut
