// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

namespace taut {

/// Multiplies the Fourier coefficients of real numbers on a periodic mesh of n1 n2 n3 places:
///
///   Q^(k) = Σ_m Q(m) exp(-2 pi i (k1 m1/n1 + k2 m2/n2 + k3 m3/n3)) (1) Q(m) <- Σ_k G(k) Q^(k)
///   exp(+2 pi i ...),   G(-k) = G(k) real                                 (2)
///
/// without a factor 1/(n1 n2 n3). Transforms are those of Stockham with factors 4, 2 and 3; two
/// planes of the mesh are the real and imaginary part of one. Each pass goes along whole rows, so
/// that eight or four numbers are computed at a time; nothing is contracted, and lines are
/// transformed apart: the same bits for every instruction set and every number of threads. Cost
/// 5/2 n log2(n) operations each way for n places.
class MeshFilter {
 public:
  /// The least number >= n of places that an edge can have: 2^a 3^b, a > 0.
  [[nodiscard]] static int at_least(int n);

  explicit MeshFilter(std::array<int, 3> places);

  struct Scratch {
    std::vector<double> planes[2], work[2], second[2];  // real and imaginary parts
  };
  [[nodiscard]] Scratch scratch() const;

  /// How many coefficients there are: k1 = 0 .. n1/2.
  [[nodiscard]] std::size_t coefficients() const;
  /// The place of G(k1, k2, k3), k1 = 0 .. n1/2.
  [[nodiscard]] std::size_t place(int k1, int k2, int k3) const;

  /// (1) and (2) for Q(m1, m2, m3) at mesh[(m1 n2 + m2) row + m3].
  void apply(const std::vector<double>& G, double* mesh, int row, Scratch& scratch) const;

 private:
  struct Complex {
    double *re, *im;
  };
  struct Pass {
    int factor, rows;              // rows: of each of the parts that are combined
    std::vector<double> twiddles;  // cos and sin of -2 pi k p / n, k = 1 .. factor - 1, each row p
  };
  struct Line {
    int n = 1;
    std::vector<Pass> passes;
  };
  [[nodiscard]] static Line line_of(int n);
  /// Transforms n rows of `inner` columns from `x`; the result stands in what is returned, x or y.
  static Complex transform(const Line& line, int inner, Complex x, Complex y);

  void along_first(const double* mesh, int row, int m2, Scratch& scratch) const;
  void within_plane(const std::vector<double>& G, int k1, Scratch& scratch) const;
  void back_along_first(double* mesh, int row, int m2, Scratch& scratch) const;
  [[nodiscard]] std::size_t plane() const;

  std::array<int, 3> n_;
  Line half_, second_, third_;         // of n1/2, n2 and n3
  std::vector<double> cosine_, sine_;  // of 2 pi k / n1
};

}  // namespace taut
