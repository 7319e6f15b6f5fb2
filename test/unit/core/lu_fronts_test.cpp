// SPDX-License-Identifier: BSD-3-Clause
#include "core/lu_fronts.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>

#include <Eigen/SparseLU>

#include "core/front_loops.hpp"
#include "core/lu.hpp"
#include "core/lu_plan.hpp"
#include "core/nested_dissection.hpp"
#include "kkt_problems.hpp"

namespace taut {
namespace {

using FrontComplex = std::complex<double>;

template <class Scalar>
using ByRows = Eigen::SparseMatrix<Scalar, Eigen::RowMajor, int>;

Adjacency front_grid(int width, int coordinates) {
  std::vector<std::pair<int, int>> pairs;
  const auto link = [&](int a, int b) {
    for (int i = 0; i < coordinates; ++i)
      for (int j = 0; j < coordinates; ++j)
        pairs.emplace_back(coordinates * a + i, coordinates * b + j);
  };
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      link(i * width + j, i * width + j);
      if (j + 1 < width) link(i * width + j, i * width + j + 1);
      if (i + 1 < width) link((i + 1) * width + j, i * width + j);
    }
  return adjacency(coordinates * width * width, pairs);
}

/// Stage equations of a flat square net of rods in space, whose rods along one line depend on each
/// other for as long as only points between them have been eliminated.
template <class Scalar>
ByRows<Scalar> flat_net(int width, double compliance, double turning) {
  const auto point = [&](int i, int j) { return i * width + j; };
  std::vector<std::array<int, 3>> rods;  // two points, direction
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      if (i + 1 < width) rods.push_back({point(i, j), point(i + 1, j), 0});
      if (j + 1 < width) rods.push_back({point(i, j), point(i, j + 1), 1});
    }
  const int nq = 3 * width * width, n = nq + static_cast<int>(rods.size());
  Scalar kappa{30.0};
  if constexpr (!std::is_same_v<Scalar, double>) kappa = {20.0, 25.0};
  std::vector<Eigen::Triplet<Scalar, int>> entries;
  for (int i = 0; i < nq; ++i) entries.emplace_back(i, i, 1.0 + 0.1 * (i % 7));
  // a force that turns: K is not symmetric
  for (int i = 0; i + 1 < nq; i += 3) {
    entries.emplace_back(i, i + 1, turning / kappa);
    entries.emplace_back(i + 1, i, -turning / kappa);
  }
  for (std::size_t r = 0; r < rods.size(); ++r) {
    const auto [a, b, along] = rods[r];
    const int row = nq + static_cast<int>(r);
    entries.emplace_back(row, row, -compliance * kappa * kappa);
    for (const auto& [p, g] : {std::pair{a, -1.0}, {b, 1.0}}) {
      entries.emplace_back(row, 3 * p + along, g);
      entries.emplace_back(3 * p + along, row, g);
    }
    const double tension = std::sin(static_cast<double>(r));
    for (int i = 0; i < 3; ++i)
      if (i != along)
        for (const int p : {a, b})
          for (const int q : {a, b})
            entries.emplace_back(3 * p + i, 3 * q + i,
                                 (p == q ? tension : -tension) / (kappa * kappa));
  }
  ByRows<Scalar> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

template <class Scalar>
Sparse front_pattern(const ByRows<Scalar>& A) {
  if constexpr (std::is_same_v<Scalar, double>)
    return A;
  else
    return A.cwiseAbs();
}

template <class Scalar>
class LuFrontsOf : public testing::Test {};
using FrontScalars = testing::Types<double, FrontComplex>;
TYPED_TEST_SUITE(LuFrontsOf, FrontScalars);

// a net whose fronts have more than one block of pivots, against Eigen's SparseLU
TYPED_TEST(LuFrontsOf, SolvesNetsRigidAndCompliantSymmetricAndNot) {
  using Vector = Eigen::Matrix<TypeParam, Eigen::Dynamic, 1>;
  constexpr int width = 24, nq = 3 * width * width;
  for (const double compliance : {0.0, 1e-12, 1e-4})
    for (const double turning : {0.0, 0.3}) {
      SCOPED_TRACE(testing::Message() << "C = " << compliance << ", turning " << turning);
      const ByRows<TypeParam> A = flat_net<TypeParam>(width, compliance, turning);
      const Index n = A.rows();
      const Sparse pattern = front_pattern(A);
      const LuPlan plan(pattern, n - nq);
      ASSERT_TRUE(plan.fronts.has_value());
      std::vector<double> scale(static_cast<std::size_t>(n), 1.0);
      LuFronts<TypeParam> fronts;
      fronts.analyse(plan);
      ASSERT_TRUE(fronts.factor(plan, A.valuePtr(), scale.data()));
      EXPECT_EQ(fronts.symmetric(), turning == 0.0);

      Lu<TypeParam> lu;
      lu.analyse(pattern, n - nq);
      std::copy_n(A.valuePtr(), A.nonZeros(), lu.values());
      ASSERT_EQ(lu.factor(), Status::ok);
      EXPECT_FALSE(lu.exchanged());
      const Vector b = test::random_vec(n, 3).template cast<TypeParam>();
      Vector x = b;
      lu.solve(x.data());
      Eigen::SparseMatrix<TypeParam> by_columns = A;
      Eigen::SparseLU<Eigen::SparseMatrix<TypeParam>> reference(by_columns);
      ASSERT_EQ(reference.info(), Eigen::Success);
      const Vector truth = reference.solve(b);
      EXPECT_LE((x - truth).norm(), 1e-12 * truth.norm());
      EXPECT_LE((A * x - b).norm(), 1e-13 * x.norm());
    }
}

TYPED_TEST(LuFrontsOf, ReportsARodThatIsThereTwice) {
  constexpr int width = 12, nq = 3 * width * width;
  ByRows<TypeParam> A = flat_net<TypeParam>(width, 0.0, 0.0);
  // the second rod takes the coefficients of the first
  const Index n = A.rows();
  std::vector<Eigen::Triplet<TypeParam, int>> entries;
  for (int i = 0; i < n; ++i)
    for (typename ByRows<TypeParam>::InnerIterator e(A, i); e; ++e) {
      const int j = static_cast<int>(e.col());
      if (i == nq + 1 || j == nq + 1) continue;
      entries.emplace_back(i, j, e.value());
      if (i == nq && j < nq) entries.emplace_back(nq + 1, j, e.value());
      if (j == nq && i < nq) entries.emplace_back(i, nq + 1, e.value());
    }
  entries.emplace_back(nq + 1, nq + 1, TypeParam{0.0});
  A.setFromTriplets(entries.begin(), entries.end());
  Lu<TypeParam> lu;
  lu.analyse(front_pattern(A), n - nq);
  std::copy_n(A.valuePtr(), A.nonZeros(), lu.values());
  EXPECT_EQ(lu.factor(), Status::singular_matrix);
}

TEST(FrontLoops, HaveTheBitsOfPlainLoops) {
  constexpr int rows = 37, ld = 40, depth = 5, room = ld * (rows + 8);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  struct alignas(64) Lines {
    double x[2 * room];
  };
  const auto a = std::make_unique<Lines>(), c = std::make_unique<Lines>();
  std::vector<double> w(2 * 8 * (rows + 8));
  for (double& x : a->x) x = uniform(random);
  for (double& x : c->x) x = uniform(random);
  for (double& x : w) x = uniform(random);
  const Lines before = *c;
  const std::ptrdiff_t w_plane = 8 * (rows + 8);
  for (const bool complex : {false, true}) {
    *c = before;
    const front_loops::Columns from{a->x, ld, room}, to{c->x, ld, room};
    const front_loops::Weights by{w.data(), 8, w_plane};
    if (complex)
      front_loops::subtract_products_complex(3, rows, ld, depth, from, by, to);
    else
      front_loops::subtract_products(3, rows, ld, depth, from, by, to);
    for (int j = 3; j < rows; ++j)
      for (int i = j; i < rows; ++i) {
        double re = 0.0, im = 0.0;
        for (int k = 0; k < depth; ++k) {
          const double x = a->x[k * ld + i], y = a->x[room + k * ld + i];
          const double u = w[8 * j + k], v = w[w_plane + 8 * j + k];
          re += x * u;
          if (!complex) continue;
          im += y * u;
          re -= y * v;
          im += x * v;
        }
        EXPECT_EQ(c->x[j * ld + i], before.x[j * ld + i] - re);
        if (complex) {
          EXPECT_EQ(c->x[room + j * ld + i], before.x[room + j * ld + i] - im);
        }
      }
  }
}

// every row once; no more multiplications than minimum degree, within a fifth, on a net, and half
// of those of the order by lines
TEST(NestedDissection, DividesNets) {
  for (const int coordinates : {1, 3}) {
    const Adjacency graph = front_grid(60, coordinates);
    const Order order = nested_dissection_order(graph);
    std::vector<bool> seen(static_cast<std::size_t>(graph.size()), false);
    for (const int i : order) seen[static_cast<std::size_t>(i)] = true;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), graph.size());
    ASSERT_EQ(order.size(), seen.size());
    const double updates = count_updates(graph, order);
    EXPECT_LE(updates, 1.2 * count_updates(graph, minimum_degree_order(graph)));
    EXPECT_LE(updates, 0.5 * count_updates(graph, natural_order(graph.size())));
  }
}

TEST(NestedDissection, OrdersWhatIsNotConnectedAndWhatIsFull) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < i; ++j) pairs.emplace_back(i, j);        // full
  for (int i = 101; i < 400; ++i) pairs.emplace_back(i - 1, i);  // a path; the rest alone
  const Adjacency graph = adjacency(1000, pairs);
  Order order = nested_dissection_order(graph);
  EXPECT_LE(count_updates(graph, order),
            1.001 * count_updates(graph, minimum_degree_order(graph)) + 2000.0);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, natural_order(1000));
  EXPECT_TRUE(nested_dissection_order(adjacency(0, {})).empty());
}

}  // namespace
}  // namespace taut
