// SPDX-License-Identifier: BSD-3-Clause
// Order conditions of every table, recomputed from rooted trees: a method is of order p when
//
//   Σ b_i Φ_i(t) = 1/γ(t)   for every rooted tree t of at most p nodes
//
// with Φ_i([t1 .. tm]) = Π Σ_j a_ij Φ_j(tk) and γ([t1 .. tm]) = |t| Π γ(tk).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "methods/dormand_prince.hpp"
#include "tableaux/explicit_tableau.hpp"
#include "taut/model/force_only.hpp"

namespace taut {
namespace {

struct Tree {
  std::vector<int> children;  // indices into the list of trees, descending
  int nodes = 1;
  double gamma = 1.0;
};

// all rooted trees of at most `most` nodes: a root with any multiset of smaller trees
std::vector<Tree> trees(int most) {
  std::vector<Tree> list{Tree{}};
  for (int nodes = 2; nodes <= most; ++nodes) {
    const int smaller = static_cast<int>(list.size());
    std::vector<Tree> found;
    const std::function<void(Tree, int, int)> extend = [&](Tree tree, int left, int last) {
      if (left == 0) {
        tree.nodes = nodes;
        tree.gamma *= nodes;
        found.push_back(tree);
        return;
      }
      for (int child = last; child >= 0; --child) {
        if (list[static_cast<std::size_t>(child)].nodes > left) continue;
        Tree more = tree;
        more.children.push_back(child);
        more.gamma *= list[static_cast<std::size_t>(child)].gamma;
        extend(more, left - list[static_cast<std::size_t>(child)].nodes, child);
      }
    };
    extend(Tree{}, nodes - 1, smaller - 1);
    list.insert(list.end(), found.begin(), found.end());
  }
  return list;
}

/// Φ_i of every tree (rows) for every stage of a table, dense stages included.
std::vector<std::vector<double>> elementary_weights(const ExplicitTableau& table,
                                                    const std::vector<Tree>& list) {
  const int n = table.all_stages();
  std::vector<std::vector<double>> phi;
  for (const Tree& tree : list) {
    std::vector<double> row(static_cast<std::size_t>(n), 1.0);
    for (int i = 0; i < n; ++i)
      for (const int child : tree.children) {
        double sum = 0.0;
        const auto a = i > 0 ? table.row(i) : std::span<const double>{};
        for (std::size_t j = 0; j < a.size(); ++j)
          sum += a[j] * phi[static_cast<std::size_t>(child)][j];
        row[static_cast<std::size_t>(i)] *= sum;
      }
    phi.push_back(row);
  }
  return phi;
}

double dot(std::span<const double> w, const std::vector<double>& phi) {
  double sum = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * phi[i];
  return sum;
}

// largest |Σ w_i Φ_i - scale^|t| / γ| over the trees of exactly `nodes` nodes; e = 0: Σ w_i Φ_i = 0
double defect(const ExplicitTableau& table, std::span<const double> w, int nodes, double scale) {
  const std::vector<Tree> list = trees(nodes);
  const auto phi = elementary_weights(table, list);
  double worst = 0.0;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (list[k].nodes == nodes)
      worst = std::max(worst, std::abs(dot(w, phi[k]) - std::pow(scale, nodes) / list[k].gamma));
  return worst;
}

/// Weights of y(θ) on all stages, from (4), (5) of ExplicitTableau.
std::vector<double> dense_weights(const ExplicitTableau& table, double theta) {
  const auto n = static_cast<std::size_t>(table.all_stages());
  const auto s = static_cast<std::size_t>(table.stages);
  std::vector<std::vector<double>> r(3, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < s; ++i) r[0][i] = table.b()[i];
  for (std::size_t i = 0; i < n; ++i) {
    r[1][i] = (i == 0 ? 1.0 : 0.0) - r[0][i];
    r[2][i] = r[0][i] - (i == s ? 1.0 : 0.0) - r[1][i];
  }
  for (int m = 0; m < table.dense_rows(); ++m) {
    const auto d = table.dense_row(m);
    r.emplace_back(d.begin(), d.end());
  }
  std::vector<double> w(n, 0.0);
  for (int m = static_cast<int>(r.size()) - 1; m >= 0; --m)
    for (std::size_t i = 0; i < n; ++i)
      w[i] = (m % 2 == 0 ? theta : 1 - theta) * (w[i] + r[static_cast<std::size_t>(m)][i]);
  return w;
}

constexpr double rounding = 1e-13;  // coefficients up to 400 cancel

TEST(Trees, AreAsManyAsKnown) {
  std::vector<int> count(9, 0);
  for (const Tree& tree : trees(8)) ++count[static_cast<std::size_t>(tree.nodes)];
  EXPECT_EQ(count, (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48, 115}));
}

TEST(Tableau, NodesAreRowSums) {
  for (const ExplicitTableau* table :
       {&rk4_tableau, &dormand_prince54_tableau, &dormand_prince853_tableau})
    for (int i = 0; i < table->all_stages(); ++i) {
      double sum = 0.0;
      if (i > 0)
        for (const double a : table->row(i)) sum += a;
      EXPECT_NEAR(sum, table->c[static_cast<std::size_t>(i)], rounding) << "stage " << i;
    }
}

TEST(Tableau, HasItsOrderAndNotMore) {
  for (const ExplicitTableau* table :
       {&rk4_tableau, &dormand_prince54_tableau, &dormand_prince853_tableau}) {
    for (int nodes = 1; nodes <= table->order; ++nodes)
      EXPECT_LE(defect(*table, table->b(), nodes, 1.0), rounding) << "order " << nodes;
    EXPECT_GE(defect(*table, table->b(), table->order + 1, 1.0), 1e-8);
  }
}

TEST(Tableau, ErrorEstimatesVanishUpToTheirOrder) {
  const auto expect = [](const ExplicitTableau& table, std::span<const double> e, int order) {
    for (int nodes = 1; nodes <= order; ++nodes)
      EXPECT_LE(defect(table, e, nodes, 0.0), rounding) << "order " << nodes;
    EXPECT_GE(defect(table, e, order + 1, 0.0), 1e-6);
  };
  expect(dormand_prince54_tableau, dormand_prince54_tableau.e, 4);
  expect(dormand_prince853_tableau, dormand_prince853_tableau.e, 5);
  expect(dormand_prince853_tableau, dormand_prince853_tableau.e2, 3);
}

TEST(Tableau, DenseOutputHasItsOrderInsideTheStep) {
  const auto expect = [](const ExplicitTableau& table, int order) {
    for (const double theta : {0.2, 0.55, 0.9}) {
      const std::vector<double> w = dense_weights(table, theta);
      for (int nodes = 1; nodes <= order; ++nodes)
        EXPECT_LE(defect(table, w, nodes, theta), rounding) << "order " << nodes;
      EXPECT_GE(defect(table, w, order + 1, theta), 1e-9);
    }
  };
  expect(dormand_prince54_tableau, 4);
  expect(dormand_prince853_tableau, 7);
}

/// The step of q'' = -q from q = 1, v = 0.2 whose estimate is 1, from stages written out here: with
/// y = (q, v), of DOP853 |h| e5² / sqrt(n (e5² + e3²/100)), of DOPRI5 |h| |e| / sqrt(n), n = 2.
double estimate_of(const ExplicitTableau& tableau, double h, double tol) {
  using Pair = std::array<double, 2>;
  const Pair y0{1.0, 0.2};
  std::vector<Pair> k;
  const auto combined = [&](std::span<const double> w) {
    Pair sum{};
    for (std::size_t i = 0; i < w.size() && i < k.size(); ++i)
      for (const std::size_t c : {0, 1}) sum[c] += w[i] * k[i][c];
    return sum;
  };
  Pair y{};
  for (int i = 0; i <= tableau.stages; ++i) {
    const Pair d = combined(tableau.row(i));
    y = {y0[0] + h * d[0], y0[1] + h * d[1]};
    k.push_back({y[1], -y[0]});
  }
  const auto square = [&](std::span<const double> w) {
    const Pair e = combined(w);
    double sum = 0.0;
    for (const std::size_t c : {0, 1})
      sum += std::pow(e[c] / (tol * (1 + std::max(std::abs(y0[c]), std::abs(y[c])))), 2);
    return sum;
  };
  const double fine = square(tableau.e), coarse = tableau.e2.empty() ? 0.0 : square(tableau.e2);
  return h * fine / std::sqrt(2 * (fine + 0.01 * coarse));
}

template <class Method>
void expect_accepted_up_to_the_estimate(const ExplicitTableau& tableau) {
  const System oscillator = force_only(
      {.coordinates = {"q"}, .mass = Vec::Ones(1), .force = [](double, const Vec& q, Vec& f) {
         f[0] = -q[0];
         return Status::ok;
       }});
  constexpr double tol = 1e-6;
  double accepted = 1e-3, rejected = 4.0;
  while (rejected - accepted > 1e-9) {
    const double h = (accepted + rejected) / 2;
    Method method{{.tol = tol, .first_step = h}};
    State s{0.0, Vec::Constant(1, 1.0), Vec::Constant(1, 0.2)};
    ASSERT_EQ(method.start(oscillator, s), Status::ok);
    ASSERT_EQ(method.advance(oscillator, 100.0, s), Status::ok);
    (method.counters.rejected == 0 ? accepted : rejected) = h;
  }
  EXPECT_NEAR(estimate_of(tableau, accepted, tol), 1.0, 1e-6) << accepted;
}

TEST(Tableau, StepsAreAcceptedUpToTheEstimateOfTheCodesOfDormandAndPrince) {
  expect_accepted_up_to_the_estimate<DormandPrince54>(dormand_prince54_tableau);
  expect_accepted_up_to_the_estimate<DormandPrince853>(dormand_prince853_tableau);
}

}  // namespace
}  // namespace taut
