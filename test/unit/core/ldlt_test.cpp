// SPDX-License-Identifier: BSD-3-Clause
#include "core/ldlt.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <Eigen/SparseCholesky>

#include "kkt_problems.hpp"
#include "ordering.hpp"

namespace taut {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

Pairs grid(int width) {
  Pairs pairs;
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      if (j + 1 < width) pairs.emplace_back(i * width + j, i * width + j + 1);
      if (i + 1 < width) pairs.emplace_back((i + 1) * width + j, i * width + j);
    }
  return pairs;
}

Pairs path(int size) {
  Pairs pairs;
  for (int i = 1; i < size; ++i) pairs.emplace_back(i - 1, i);
  return pairs;
}

Pairs complete(int size) {
  Pairs pairs;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < i; ++j) pairs.emplace_back(i, j);
  return pairs;
}

/// Random values on a pattern, diagonally dominant with the given signs.
Sparse matrix(const Adjacency& graph, const std::vector<signed char>& sign) {
  const int n = graph.size();
  test::Triplets entries;
  for (int i = 0; i < n; ++i) {
    double sum = 0.5;
    for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p) {
      const int j = graph.index[p];
      const double value = std::sin(1.0 + std::min(i, j) * 3.7 + std::max(i, j) * 1.3);
      entries.emplace_back(i, j, value);
      sum += std::abs(value);
    }
    entries.emplace_back(i, i, sign.empty() ? sum : sign[i] * sum);
  }
  return test::sparse(n, n, entries);
}

void fill(Ldlt& ldlt, const Sparse& A) {
  ldlt.set_zero();
  for (int i = 0; i < A.rows(); ++i)
    for (Sparse::InnerIterator entry(A, i); entry; ++entry)
      ldlt.values()[ldlt.slot(i, static_cast<int>(entry.col()))] = entry.value();
}

double residual(Ldlt& ldlt, const Sparse& A) {
  const Vec b = test::random_vec(A.rows(), 40);
  Vec x(A.rows());
  ldlt.solve(b.data(), x.data());
  return (A * x - b).norm() / b.norm();
}

TEST(Ldlt, SolvesDefiniteAndQuasiDefiniteMatricesInEveryLayout) {
  struct Case {
    int size;
    Pairs pairs;
    double at_least;  // updates: the table of targets ends at 3e6, packed columns begin at 2e3
  };
  const std::vector<Case> cases{
      {1, {}, 0},         {50, path(50), 0},       {7, complete(7), 0},
      {100, grid(10), 0}, {80, complete(80), 1e4}, {150 * 150, grid(150), 3.1e6}};
  for (const Case& c : cases)
    for (const bool definite : {true, false}) {
      SCOPED_TRACE(testing::Message() << c.size << " rows, definite " << definite);
      std::vector<signed char> sign;
      if (!definite)
        for (int i = 0; i < c.size; ++i) sign.push_back(i % 3 == 1 ? -1 : 1);
      const Adjacency graph = adjacency(c.size, c.pairs);
      const Sparse A = matrix(graph, sign);
      Ldlt ldlt;
      ldlt.analyse(graph, minimum_degree_order(graph), sign);
      EXPECT_GE(ldlt.updates(), c.at_least);
      fill(ldlt, A);
      ASSERT_TRUE(ldlt.factor({1e-14, 1e-14}));
      EXPECT_TRUE(ldlt.replaced().empty());
      EXPECT_LE(residual(ldlt, A), 1e-12);
    }
}

TEST(Ldlt, ReplacesVanishedPivotsInEveryLayout) {
  // the Laplacian of a connected graph has exactly one null vector
  for (const auto& [size, pairs] :
       {std::pair{50, path(50)}, {80, complete(80)}, {150 * 150, grid(150)}}) {
    SCOPED_TRACE(size);
    const Adjacency graph = adjacency(size, pairs);
    Ldlt ldlt;
    ldlt.analyse(graph, minimum_degree_order(graph));
    ldlt.set_zero();
    for (int i = 0; i < size; ++i) {
      ldlt.values()[ldlt.slot(i, i)] = graph.begin[i + 1] - graph.begin[i];
      for (int p = graph.begin[i]; p < graph.begin[i + 1]; ++p)
        ldlt.values()[ldlt.slot(i, graph.index[p])] = -1.0;
    }
    ASSERT_TRUE(ldlt.factor({1e-11, 1e-11}));
    ASSERT_EQ(ldlt.replaced().size(), 1u);
    Vec n = Vec::Zero(size);
    n[ldlt.replaced()[0].row] = ldlt.replaced()[0].pivot;
    ldlt.solve(n.data(), n.data());
    EXPECT_LE((n - Vec::Ones(size)).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(Ldlt, APivotIsNeverSmallerThanItsShift) {
  // [[1, 1], [1, 1]] + diag(shift): the second pivot is 2 shift, which rounding may swallow
  const Adjacency graph = adjacency(2, {{0, 1}});
  for (const double shift : {0.5, 1e-13, 1e-20}) {
    Ldlt ldlt;
    ldlt.analyse(graph, {0, 1});
    for (const auto& [i, j] : Pairs{{0, 0}, {1, 1}, {0, 1}}) ldlt.values()[ldlt.slot(i, j)] = 1.0;
    const std::vector<double> shifts{shift, shift};
    ASSERT_TRUE(ldlt.factor({1e-11, 1e-11}, shifts));
    EXPECT_TRUE(ldlt.replaced().empty());
    Vec x(2);
    ldlt.solve(Vec::Unit(2, 1).eval().data(), x.data());
    EXPECT_LE(x[1], 1.0001 / shift);
    if (shift > 0.1) {
      EXPECT_NEAR(x[1], 1.5 / 1.25, 1e-15);
    }
  }
}

TEST(Ldlt, APivotAboveItsShiftStaysAsSmallAsItIs) {
  // 1 - c² = 1e-12 is below the tolerance, and what it is
  const double c = 1.0 - 5e-13;
  Ldlt ldlt;
  ldlt.analyse(adjacency(2, {{0, 1}}), {0, 1});
  for (const int i : {0, 1}) ldlt.values()[ldlt.slot(i, i)] = 1.0;
  ldlt.values()[ldlt.slot(0, 1)] = c;
  const std::vector<double> shifts{1e-20, 1e-20};
  ASSERT_TRUE(ldlt.factor({1e-11, 1e-11}, shifts));
  Vec x(2);
  ldlt.solve(Vec::Unit(2, 1).eval().data(), x.data());
  EXPECT_NEAR(x[1] * (1 - c) * (1 + c), 1.0, 1e-3);
}

// rows with the cosine c between each other: each pivot is what is left of 1
TEST(Ldlt, SmallestPivotIsTheSineOfTheAngleBetweenRows) {
  const double c = 0.8;
  for (const int size : {2, 3}) {
    SCOPED_TRACE(size);
    const Adjacency graph = adjacency(2 * size, [&] {
      Pairs pairs = complete(size);
      for (const auto& [i, j] : complete(size)) pairs.emplace_back(size + i, size + j);
      return pairs;
    }());
    const double last = (1 - c) * (1 + (size - 1) * c) / (1 + (size - 2) * c);
    // a definite matrix: of 1; else of half of all terms of a pivot, 1 + (1 - last)
    for (const bool definite : {true, false}) {
      std::vector<signed char> sign;
      if (!definite)
        for (int i = 0; i < 2 * size; ++i) sign.push_back(i < size ? 1 : -1);
      Ldlt ldlt;
      ldlt.analyse(graph, natural_order(2 * size), sign);
      // the second block has smaller cosines, and a size that must not matter
      for (int i = 0; i < 2 * size; ++i)
        for (int j = 0; j <= i; ++j)
          if (i / size == j / size) {
            const double value = i == j ? 1.0 : i < size ? c : 0.0;
            ldlt.values()[ldlt.slot(i, j)] = i < size ? value : (definite ? 7.0 : -7.0) * value;
          }
      ASSERT_TRUE(ldlt.factor({1e-14, 1e-14}));
      const double expected = definite ? last : 2 * last / (2 - last);
      EXPECT_NEAR(ldlt.smallest_pivot(1), expected, 1e-14);
      EXPECT_EQ(ldlt.smallest_pivot(-1), 1.0);
    }
  }
}

void expect_permutation(Order order, int size) {
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, natural_order(size));
}

TEST(Ordering, MinimumDegreeFillsAsLittleAsThePeer) {
  const Adjacency graph = adjacency(400, grid(20));
  const Order order = minimum_degree_order(graph);
  expect_permutation(order, 400);
  Ldlt own;
  own.analyse(graph, order);
  EXPECT_EQ(own.updates(), count_updates(graph, order));
  EXPECT_LT(own.updates(), 0.7 * count_updates(graph, natural_order(400)));

  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> peer(
      Eigen::SparseMatrix<double>(matrix(graph, {})));
  const Index peer_entries = Eigen::SparseMatrix<double>(peer.matrixL()).nonZeros();
  EXPECT_LE(static_cast<double>(own.entries()), 1.02 * static_cast<double>(peer_entries));
}

TEST(Ordering, CountsStopAtTheirLimit) {
  const Adjacency graph = adjacency(400, grid(20));
  const double all = count_updates(graph, natural_order(400));
  EXPECT_EQ(count_updates(graph, natural_order(400), all), all);
  const double stopped = count_updates(graph, natural_order(400), all / 10);
  EXPECT_GT(stopped, all / 10);
  EXPECT_LT(stopped, all);
}

TEST(Ordering, TheBestOfSeveralOrdersIsTaken) {
  const Adjacency graph = adjacency(21, [] {
    Pairs star;
    for (int i = 1; i < 21; ++i) star.emplace_back(0, i);
    return star;
  }());
  Order hub_last = natural_order(21);
  std::reverse(hub_last.begin(), hub_last.end());
  EXPECT_EQ(best_order(graph, {natural_order(21), hub_last}), hub_last);
  EXPECT_EQ(best_order(graph, {hub_last, natural_order(21)}), hub_last);
}

int height(const Adjacency& graph, const Order& order) {
  const std::vector<int> parent = elimination_tree(graph, order);
  std::vector<int> below(order.size(), 1);
  for (std::size_t k = 0; k < order.size(); ++k)
    if (parent[k] >= 0) below[parent[k]] = std::max(below[parent[k]], below[k] + 1);
  return *std::max_element(below.begin(), below.end());
}

TEST(Ordering, ShortestOrderKeepsTheFillAndLowersTheTree) {
  for (const Adjacency& graph : {adjacency(100, grid(10)), adjacency(51, path(51)),
                                 adjacency(9, complete(9)), adjacency(5, {})}) {
    const Order order = minimum_degree_order(graph);
    const Order shortest = shortest_order(graph, order);
    expect_permutation(shortest, graph.size());
    EXPECT_EQ(count_updates(graph, shortest), count_updates(graph, order));
    EXPECT_LE(height(graph, shortest), height(graph, order));
  }
  const Adjacency chain = adjacency(51, path(51));
  EXPECT_EQ(height(chain, shortest_order(chain, natural_order(51))), 26);  // from both ends
}

TEST(Ordering, LateRowsComeAfterTheirNeighbours) {
  // points 0 .. 19, and a row between every two of them
  Pairs pairs;
  for (int i = 0; i < 19; ++i) {
    pairs.emplace_back(20 + i, i);
    pairs.emplace_back(20 + i, i + 1);
  }
  const Adjacency graph = adjacency(39, pairs);
  std::vector<bool> late(39, false);
  std::fill(late.begin() + 20, late.end(), true);
  Order order{0};
  for (int i = 1; i < 20; ++i) {
    order.push_back(i);
    order.push_back(19 + i);
  }
  const Order shortest = shortest_order(graph, order, late);
  expect_permutation(shortest, 39);
  EXPECT_EQ(count_updates(graph, shortest), count_updates(graph, order));
  const auto place = [&](int row) { return std::find(shortest.begin(), shortest.end(), row); };
  for (int i = 0; i < 19; ++i) {
    EXPECT_GT(place(20 + i), place(i));
    EXPECT_GT(place(20 + i), place(i + 1));
  }
}

}  // namespace
}  // namespace taut
