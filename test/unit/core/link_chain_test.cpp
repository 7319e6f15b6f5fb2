// SPDX-License-Identifier: BSD-3-Clause
// Chains solved in one pass, against the general factorisation.
#include "core/link_chain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/kkt.hpp"
#include "kkt_problems.hpp"

namespace taut::test {
namespace {

/// Points given in some order, linked one after the other; fixed where `ends` says.
Sparse linked(int dimension, const std::vector<int>& order, bool first_fixed, bool last_fixed) {
  Rods pairs;
  if (first_fixed) pairs.emplace_back(-1, order.front());
  for (std::size_t k = 1; k < order.size(); ++k) pairs.emplace_back(order[k - 1], order[k]);
  if (last_fixed) pairs.emplace_back(order.back(), -1);
  return rods(dimension, random_vec(Index{dimension} * static_cast<Index>(order.size()), 11),
              pairs);
}

std::vector<int> counted(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> shuffled(int n) {
  std::vector<int> order = counted(n);
  std::shuffle(order.begin(), order.end(), std::mt19937{5});
  return order;
}

/// Several chains of several lengths, some points not tied at all.
Sparse chains_apart() {
  Rods pairs{{-1, 0}, {0, 1}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, -1}, {9, 10}, {12, -1}};
  return rods(2, random_vec(28, 12), pairs);
}

struct Case {
  std::string name;
  Sparse G;
  bool is_chain;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const int n : {1, 2, 3, 4, 5, 8, 31, 200})
    for (const int dimension : {2, 3}) {
      const std::string name = std::to_string(n) + " points in " + std::to_string(dimension);
      list.push_back({name + ", hanging", linked(dimension, counted(n), true, false), true});
      list.push_back(
          {name + ", held at both ends", linked(dimension, counted(n), true, true), true});
      list.push_back({name + ", in any order", linked(dimension, shuffled(n), true, false), true});
      if (n > 1)
        list.push_back({name + ", free", linked(dimension, counted(n), false, false), true});
    }
  list.push_back({"apart", chains_apart(), true});
  list.push_back({"ring", ring(8), false});
  list.push_back({"tree", tree(12), false});
  list.push_back({"star", star(5), false});
  list.push_back({"pinned", pinned_chain(9), false});
  return list;
}

TEST(LinkChain, GivesWhatTheGeneralSolverGives) {
  for (const Case& c : cases())
    for (const Vec& C : {no_compliance(c.G.rows()), mixed_compliance(c.G.rows())}) {
      SCOPED_TRACE(c.name);
      const Sparse M = point_masses(static_cast<int>(c.G.cols()));
      LinkChain chain;
      EXPECT_EQ(chain.analyse(M, c.G), c.is_chain);
      Kkt kkt;
      kkt.analyse(M, c.G);
      ASSERT_EQ(kkt.factor(M, c.G, C), Status::ok);
      const Vec r = random_vec(c.G.cols(), 21), s = random_vec(c.G.rows(), 22);
      Vec x, lambda, x_one, lambda_one;
      kkt.solve(r, s, x, lambda);
      ASSERT_EQ(kkt.factor_and_solve(c.G, C, r, s, x_one, lambda_one), Status::ok);
      const double size = 1.0 + lambda.lpNorm<Eigen::Infinity>();
      EXPECT_LE((x - x_one).lpNorm<Eigen::Infinity>(), 1e-11 * size);
      EXPECT_LE((lambda - lambda_one).lpNorm<Eigen::Infinity>(), 1e-11 * size);
      // the two are not one and the same
      if (!c.is_chain || c.G.rows() > 30) {
        EXPECT_EQ(x == x_one, !c.is_chain);
      }
    }
}

TEST(LinkChain, IsNotForMassesThatAreCoupled) {
  const Sparse G = linked(2, counted(10), true, false);
  LinkChain chain;
  EXPECT_FALSE(chain.analyse(banded_masses(20, 2), G));
  EXPECT_FALSE(chain.analyse(block_masses(20, 2), G));
}

TEST(LinkChain, LeavesDependentRowsToTheGeneralSolver) {
  Sparse G = linked(2, counted(20), true, false);
  for (Sparse::InnerIterator entry(G, 7); entry; ++entry) entry.valueRef() = 0.0;
  const Sparse M = point_masses(40);
  const Vec C = no_compliance(20), r = random_vec(40, 1), s = random_vec(20, 2);
  Kkt kkt;
  kkt.analyse(M, G);
  ASSERT_EQ(kkt.factor_mass(M), Status::ok);
  Vec x, lambda;
  ASSERT_EQ(kkt.factor_and_solve(G, C, r, s, x, lambda), Status::ok);
  EXPECT_EQ(kkt.rank(), 19);
  EXPECT_EQ(lambda[7], 0.0);
  // and full rank is found again
  const Sparse whole = linked(2, counted(20), true, false);
  ASSERT_EQ(kkt.factor_and_solve(whole, C, r, s, x, lambda), Status::ok);
  EXPECT_EQ(kkt.rank(), 20);
}

TEST(LinkChain, NumbersThatAreNotFiniteAreReported) {
  const Sparse whole = chains_apart();
  const Sparse M = point_masses(28);
  Kkt kkt;
  kkt.analyse(M, whole);
  ASSERT_EQ(kkt.factor_mass(M), Status::ok);
  const Vec C = no_compliance(whole.rows()), r = Vec::Ones(28), s = Vec::Ones(whole.rows());
  Vec x, lambda;
  for (Index k = 0; k < whole.nonZeros(); ++k) {
    Sparse G = whole;
    G.valuePtr()[k] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(kkt.factor_and_solve(G, C, r, s, x, lambda), Status::non_finite) << k;
  }
  EXPECT_EQ(kkt.factor_and_solve(whole, C, r, s, x, lambda), Status::ok);
}

}  // namespace
}  // namespace taut::test
