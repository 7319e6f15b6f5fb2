// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/types.hpp"

namespace taut::test {

/// A KKT system with its size and a name for messages.
struct KktProblem {
  std::string name;
  Sparse M, G;
  Vec C;

  [[nodiscard]] Index nq() const { return M.rows(); }
  [[nodiscard]] Index nc() const { return G.rows(); }

  /// The matrix [[M, Gᵀ], [G, -C]].
  [[nodiscard]] Mat dense() const {
    Mat K = Mat::Zero(nq() + nc(), nq() + nc());
    K.topLeftCorner(nq(), nq()) = Mat(M);
    K.topRightCorner(nq(), nc()) = Mat(G).transpose();
    K.bottomLeftCorner(nc(), nq()) = Mat(G);
    K.bottomRightCorner(nc(), nc()).diagonal() = -C;
    return K;
  }
};

using Triplets = std::vector<Eigen::Triplet<double, int>>;
using Rods = std::vector<std::pair<int, int>>;  // pairs of points; -1 is a fixed point

inline Sparse sparse(Index rows, Index columns, const Triplets& entries) {
  Sparse A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

inline Vec random_vec(Index size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Vec x(size);
  for (Index i = 0; i < size; ++i) x[i] = uniform(random);
  return x;
}

// ---- constraints

/// Rods between points with the given coordinates, as unit vectors.
inline Sparse rods(int dimension, const Vec& q, const Rods& pairs) {
  Triplets entries;
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    const auto [a, b] = pairs[c];
    const auto at = [&](int point) -> Vec {
      if (point < 0) return Vec::Constant(dimension, 0.3);
      return q.segment(Index{dimension} * point, dimension);
    };
    const Vec d = (at(a) - at(b)).normalized();
    for (int i = 0; i < dimension; ++i) {
      const int row = static_cast<int>(c);
      if (a >= 0) entries.emplace_back(row, dimension * a + i, d[i]);
      if (b >= 0) entries.emplace_back(row, dimension * b + i, -d[i]);
    }
  }
  return sparse(static_cast<Index>(pairs.size()), q.size(), entries);
}

inline Sparse chain(int points) {
  Rods pairs;
  for (int i = 0; i < points; ++i) pairs.emplace_back(i - 1, i);
  return rods(2, random_vec(2 * points, 1), pairs);
}

inline Sparse ring(int points) {
  Rods pairs;
  for (int i = 0; i < points; ++i) pairs.emplace_back(i, (i + 1) % points);
  return rods(2, random_vec(2 * points, 2), pairs);
}

inline Sparse tree(int points) {
  std::mt19937 random(3);
  Rods pairs;
  for (int i = 1; i < points; ++i) pairs.emplace_back(static_cast<int>(random() % i), i);
  return rods(2, random_vec(2 * points, 3), pairs);
}

/// All rods at one point: S is full.
inline Sparse star(int points) {
  Rods pairs;
  for (int i = 1; i < points; ++i) pairs.emplace_back(0, i);
  return rods(3, random_vec(3 * points, 4), pairs);
}

inline Sparse net(int width, int height) {
  Rods pairs;
  for (int i = 0; i < height; ++i)
    for (int j = 0; j < width; ++j) {
      if (j + 1 < width) pairs.emplace_back(i * width + j, i * width + j + 1);
      if (i + 1 < height) pairs.emplace_back(i * width + j, (i + 1) * width + j);
    }
  return rods(3, random_vec(3 * width * height, 5), pairs);
}

/// Rows with `per_row` entries anywhere.
inline Sparse scattered(int nc, int nq, int per_row) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Mat G = Mat::Zero(nc, nq);
  for (int c = 0; c < nc; ++c)
    for (int k = 0; k < per_row; ++k) G(c, static_cast<Index>(random() % nq)) = uniform(random);
  return G.sparseView();
}

/// Rods of a chain, some of whose coordinates are held: rows with a single entry.
inline Sparse pinned_chain(int points) {
  const Sparse G = chain(points);
  Triplets entries;
  int row = 0;
  for (int c = 0; c < G.rows(); ++c) {
    for (Sparse::InnerIterator entry(G, c); entry; ++entry)
      entries.emplace_back(row, static_cast<int>(entry.col()), entry.value());
    ++row;
    if (c % 4 == 2) entries.emplace_back(row++, 2 * c + 1, 1.0);
  }
  return sparse(row, G.cols(), entries);
}

// ---- masses

inline Sparse point_masses(int nq) {
  Triplets entries;
  for (int i = 0; i < nq; ++i) entries.emplace_back(i, i, 0.5 + (i * 7 % 11));
  return sparse(nq, nq, entries);
}

/// Full blocks of coordinates that do not stand together: i, i + stride, i + 2 stride, ...
inline Sparse block_masses(int nq, int block) {
  Triplets entries;
  const int stride = (nq + block - 1) / block;
  for (int i = 0; i < nq; ++i)
    for (int j = i % stride; j < nq; j += stride)
      entries.emplace_back(i, j, i == j ? 3.0 : 1.0 / (1.0 + std::abs(i - j)));
  return sparse(nq, nq, entries);
}

/// Uniform bars: neighbouring points are coupled all along, one large component per direction.
inline Sparse banded_masses(int nq, int dimension) {
  Triplets entries;
  for (int i = 0; i < nq; ++i) {
    entries.emplace_back(i, i, 4.0 / 6.0);
    if (i + dimension < nq) {
      entries.emplace_back(i, i + dimension, 1.0 / 6.0);
      entries.emplace_back(i + dimension, i, 1.0 / 6.0);
    }
  }
  return sparse(nq, nq, entries);
}

inline Sparse full_masses(int nq) {
  const Mat A = random_vec(Index{nq} * nq, 7).reshaped(nq, nq);
  const Mat M = A * A.transpose() + nq * 0.1 * Mat::Identity(nq, nq);
  return (0.5 * (M + M.transpose())).eval().sparseView();
}

inline Vec no_compliance(Index nc) { return Vec::Zero(nc); }

/// Every third constraint is soft.
inline Vec mixed_compliance(Index nc) {
  Vec C = Vec::Zero(nc);
  for (Index c = 0; c < nc; c += 3) C[c] = 0.01 * static_cast<double>(c + 1);
  return C;
}

}  // namespace taut::test
