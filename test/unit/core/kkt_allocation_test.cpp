// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "allocation_counter.hpp"
#include "core/kkt.hpp"
#include "kkt_problems.hpp"

namespace taut {
namespace {

class KktAllocation : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::allocations()) GTEST_SKIP() << "malloc cannot be counted in this build";
  }
};

TEST_F(KktAllocation, TheCounterCounts) {
  const std::size_t before = *test::allocations();
  const Vec x = Vec::Ones(1000);
  EXPECT_GT(*test::allocations(), before) << x.sum();
}

// everything that runs in a step; the vectors have their sizes
std::size_t allocations_of_a_step(Kkt& kkt, const Sparse& M, const Sparse& G, const Vec& C) {
  Vec r = Vec::Ones(M.rows()), s = Vec::Ones(G.rows()), x = r, lambda = s;
  const std::size_t before = *test::allocations();
  bool ok = kkt.factor(M, G, C) == Status::ok;
  kkt.solve_mass(r, x);
  kkt.solve(r, s, x, lambda);
  kkt.solve_constraint(s, x, lambda);
  ok = ok && kkt.factor_constraints(G, C) == Status::ok;
  const std::size_t made = *test::allocations() - before;
  EXPECT_TRUE(ok);
  return made;
}

TEST_F(KktAllocation, NothingAllocatesAfterAnalyse) {
  for (const Sparse& G : {test::chain(200), test::star(120), test::net(30, 30)}) {
    const int nq = static_cast<int>(G.cols());
    std::vector<Sparse> masses{test::point_masses(nq), test::block_masses(nq, 8),
                               test::banded_masses(nq, 2)};
    if (nq < 500) masses.push_back(test::full_masses(nq));
    for (const Sparse& M : masses) {
      Kkt kkt;
      kkt.analyse(M, G);
      EXPECT_EQ(allocations_of_a_step(kkt, M, G, Vec::Constant(G.rows(), 1e-4)), 0u);
    }
  }
}

TEST_F(KktAllocation, DependentRowsAllocateOnlyWhenTheRankChanges) {
  Sparse G = test::chain(30);
  for (Sparse::InnerIterator entry(G, 7); entry; ++entry) entry.valueRef() = 0.0;
  const Vec C = Vec::Zero(30);
  for (const Sparse& M : {test::point_masses(60), test::banded_masses(60, 2)}) {
    Kkt kkt;
    kkt.analyse(M, G);
    ASSERT_EQ(kkt.factor(M, G, C), Status::ok);
    ASSERT_EQ(kkt.rank(), 29);
    EXPECT_EQ(allocations_of_a_step(kkt, M, G, C), 0u);
  }
}

}  // namespace
}  // namespace taut
