// SPDX-License-Identifier: BSD-3-Clause
// One projection solve on a chain of rods, per rod: S = G M^-1 G^T, its factorisation and a solve,
// by taut::Kkt, by a hand-written loop that knows that S is tridiagonal, and by Eigen; and S of a
// square cloth in space, beside CHOLMOD with its own choice of an order, METIS included.
#include <benchmark/benchmark.h>
#include <cholmod.h>

#include <cmath>
#include <vector>

#include <Eigen/SparseCholesky>

#include "core/kkt.hpp"

namespace {

using taut::Index;
using taut::Kkt;
using taut::Sparse;
using taut::Status;
using taut::Vec;

struct Chain {
  Sparse M, G;
  Vec C, s, x, lambda;
};

// n points in the plane, each hung on the one before by a rod; the first on a fixed point
Chain chain(int n) {
  std::vector<Eigen::Triplet<double, int>> m, g;
  for (int i = 0; i < n; ++i) {
    m.emplace_back(2 * i, 2 * i, 1.0 + 0.1 * (i % 7));
    m.emplace_back(2 * i + 1, 2 * i + 1, 1.0 + 0.1 * (i % 7));
    const double angle = 0.3 * i * i;
    for (const int k : {i - 1, i}) {
      if (k < 0) continue;
      const double sign = k == i ? 1.0 : -1.0;
      g.emplace_back(i, 2 * k, sign * std::cos(angle));
      g.emplace_back(i, 2 * k + 1, sign * std::sin(angle));
    }
  }
  Chain c{Sparse(2 * n, 2 * n), Sparse(n, 2 * n), Vec::Zero(n), Vec(n), Vec(2 * n), Vec(n)};
  c.M.setFromTriplets(m.begin(), m.end());
  c.G.setFromTriplets(g.begin(), g.end());
  for (int i = 0; i < n; ++i) c.s[i] = std::sin(i + 1.0);
  return c;
}

double residual(const Chain& c) {
  return (c.G * c.x - c.s).norm() / c.s.norm() +
         (c.M * c.x + c.G.transpose() * c.lambda).norm() / c.lambda.norm();
}

void report(benchmark::State& state, const Chain& c) {
  if (!(residual(c) < 1e-9)) state.SkipWithError("wrong solution");
  const auto rods = static_cast<double>(state.range(0));
  state.counters["s_per_rod"] = benchmark::Counter(
      rods, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// the same, by a loop that knows everything about the chain
struct Thomas {
  std::vector<double> minv, d, l, y;

  explicit Thomas(const Chain& c) : minv(c.G.rows()), d(c.G.rows()), l(c.G.rows()), y(c.G.rows()) {
    for (std::size_t i = 0; i < minv.size(); ++i)
      minv[i] = 1.0 / c.M.valuePtr()[2 * static_cast<Index>(i)];
  }

  // the first row of G has 2 entries, every other one 4: previous point, own point
  void factor(const Chain& c) {
    const auto n = static_cast<Index>(d.size());
    const double* g = c.G.valuePtr();
    d[0] = (g[0] * g[0] + g[1] * g[1]) * minv[0];
    const double* own = g;
    for (Index i = 1; i < n; ++i) {
      const double* row = g + 2 + 4 * (i - 1);
      const double off = (own[0] * row[0] + own[1] * row[1]) * minv[i - 1];
      const double diagonal = (row[0] * row[0] + row[1] * row[1]) * minv[i - 1] +
                              (row[2] * row[2] + row[3] * row[3]) * minv[i];
      l[i] = off / d[i - 1];
      d[i] = diagonal - l[i] * off;
      own = row + 2;
    }
  }

  void solve(Chain& c) {
    const auto n = static_cast<Index>(d.size());
    const double* g = c.G.valuePtr();
    y[0] = -c.s[0];
    for (Index i = 1; i < n; ++i) y[i] = -c.s[i] - l[i] * y[i - 1];
    c.lambda[n - 1] = y[n - 1] / d[n - 1];
    for (Index i = n - 2; i >= 0; --i) c.lambda[i] = y[i] / d[i] - l[i + 1] * c.lambda[i + 1];
    for (Index i = 0; i < n; ++i) {
      const double* own = i == 0 ? g : g + 4 * i;
      double fx = own[0] * c.lambda[i], fy = own[1] * c.lambda[i];
      if (i + 1 < n) {
        fx += own[2] * c.lambda[i + 1];
        fy += own[3] * c.lambda[i + 1];
      }
      c.x[2 * i] = -minv[i] * fx;
      c.x[2 * i + 1] = -minv[i] * fy;
    }
  }
};

void chain_kkt_factor(benchmark::State& state) {
  Chain c = chain(static_cast<int>(state.range(0)));
  Kkt kkt;
  kkt.analyse(c.M, c.G);
  bool ok = kkt.factor_mass(c.M) == Status::ok;
  for (auto _ : state) ok = ok && kkt.factor_constraints(c.G, c.C) == Status::ok;
  kkt.solve_constraint(c.s, c.x, c.lambda);
  if (!ok) state.SkipWithError("not factorised");
  report(state, c);
}

void chain_kkt_solve(benchmark::State& state) {
  Chain c = chain(static_cast<int>(state.range(0)));
  Kkt kkt;
  kkt.analyse(c.M, c.G);
  if (kkt.factor(c.M, c.G, c.C) != Status::ok) state.SkipWithError("not factorised");
  for (auto _ : state) {
    kkt.solve_constraint(c.s, c.x, c.lambda);
    benchmark::DoNotOptimize(c.x.data());
  }
  report(state, c);
}

void chain_kkt(benchmark::State& state) {
  Chain c = chain(static_cast<int>(state.range(0)));
  Kkt kkt;
  kkt.analyse(c.M, c.G);
  bool ok = kkt.factor_mass(c.M) == Status::ok;
  for (auto _ : state) {
    ok = ok && kkt.factor_constraints(c.G, c.C) == Status::ok;
    kkt.solve_constraint(c.s, c.x, c.lambda);
  }
  if (!ok) state.SkipWithError("not factorised");
  report(state, c);
}

void chain_thomas(benchmark::State& state) {
  Chain c = chain(static_cast<int>(state.range(0)));
  Thomas thomas(c);
  for (auto _ : state) {
    thomas.factor(c);
    thomas.solve(c);
    benchmark::DoNotOptimize(c.x.data());
    benchmark::ClobberMemory();
  }
  report(state, c);
}

void chain_eigen(benchmark::State& state) {
  Chain c = chain(static_cast<int>(state.range(0)));
  using Columns = Eigen::SparseMatrix<double>;
  const Vec minv = c.M.diagonal().cwiseInverse();
  Columns S = c.G * minv.asDiagonal() * c.G.transpose();
  Eigen::SimplicialLDLT<Columns> factor;
  factor.analyzePattern(S);
  bool ok = true;
  for (auto _ : state) {
    S = c.G * minv.asDiagonal() * c.G.transpose();
    factor.factorize(S);
    ok = ok && factor.info() == Eigen::Success;
    c.lambda = factor.solve(-c.s);
    c.x = -(minv.asDiagonal() * (c.G.transpose() * c.lambda));
  }
  if (!ok) state.SkipWithError("not factorised");
  report(state, c);
}

// the same without the sparse product: S is there already
void chain_eigen_factor_and_solve(benchmark::State& state) {
  Chain c = chain(static_cast<int>(state.range(0)));
  using Columns = Eigen::SparseMatrix<double>;
  const Vec minv = c.M.diagonal().cwiseInverse();
  const Columns S = c.G * minv.asDiagonal() * c.G.transpose();
  Eigen::SimplicialLDLT<Columns> factor;
  factor.analyzePattern(S);
  bool ok = true;
  for (auto _ : state) {
    factor.factorize(S);
    ok = ok && factor.info() == Eigen::Success;
    c.lambda = factor.solve(-c.s);
  }
  if (!ok) state.SkipWithError("not factorised");
  c.x = -(minv.asDiagonal() * (c.G.transpose() * c.lambda));
  report(state, c);
}

// uniform bars instead of massless rods: M couples all points, so the whole matrix is factorised
Chain bars(int n) {
  Chain c = chain(n);
  std::vector<Eigen::Triplet<double, int>> m;
  for (int i = 0; i < 2 * n; ++i) {
    m.emplace_back(i, i, 4.0 / 6.0);
    if (i + 2 >= 2 * n) continue;
    m.emplace_back(i, i + 2, 1.0 / 6.0);
    m.emplace_back(i + 2, i, 1.0 / 6.0);
  }
  c.M.setFromTriplets(m.begin(), m.end());
  return c;
}

void bars_kkt(benchmark::State& state) {
  Chain c = bars(static_cast<int>(state.range(0)));
  Kkt kkt;
  kkt.analyse(c.M, c.G);
  bool ok = kkt.factor_mass(c.M) == Status::ok;
  for (auto _ : state) {
    ok = ok && kkt.factor_constraints(c.G, c.C) == Status::ok;
    kkt.solve_constraint(c.s, c.x, c.lambda);
  }
  if (!ok) state.SkipWithError("not factorised");
  report(state, c);
}

void bars_eigen(benchmark::State& state) {
  Chain c = bars(static_cast<int>(state.range(0)));
  const auto n = static_cast<int>(c.s.size());
  // points before their rods: 2i, 2i + 1 -> 3i, 3i + 1 and rod i -> 3i + 2
  const auto place = [](int i) { return 3 * (i / 2) + i % 2; };
  std::vector<Eigen::Triplet<double, int>> k;
  for (int i = 0; i < 2 * n; ++i)
    for (Sparse::InnerIterator entry(c.M, i); entry; ++entry)
      k.emplace_back(place(i), place(static_cast<int>(entry.col())), entry.value());
  for (int i = 0; i < n; ++i)
    for (Sparse::InnerIterator entry(c.G, i); entry; ++entry) {
      k.emplace_back(3 * i + 2, place(static_cast<int>(entry.col())), entry.value());
      k.emplace_back(place(static_cast<int>(entry.col())), 3 * i + 2, entry.value());
    }
  Eigen::SparseMatrix<double> K(3 * n, 3 * n);
  K.setFromTriplets(k.begin(), k.end());
  Vec right = Vec::Zero(3 * n), z;
  for (int i = 0; i < n; ++i) right[3 * i + 2] = c.s[i];
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>>
      factor;
  factor.analyzePattern(K);
  bool ok = true;
  for (auto _ : state) {
    factor.factorize(K);
    ok = ok && factor.info() == Eigen::Success;
    z = factor.solve(right);
  }
  if (!ok) state.SkipWithError("not factorised");
  for (int i = 0; i < 2 * n; ++i) c.x[i] = z[place(i)];
  for (int i = 0; i < n; ++i) c.lambda[i] = z[3 * i + 2];
  report(state, c);
}

// width x width points in space, rods along both directions, somewhat bent
Chain cloth(int width) {
  const int points = width * width;
  const auto at = [&](int i, int j) {
    return Eigen::Vector3d{1.0 * i, 1.0 * j, 0.3 * std::sin(0.7 * i) * std::cos(0.4 * j)};
  };
  std::vector<Eigen::Triplet<double, int>> m, g;
  for (int i = 0; i < 3 * points; ++i) m.emplace_back(i, i, 1.0 + 0.1 * (i / 3 % 7));
  int rods = 0;
  const auto rod = [&](int i, int j, int k, int l) {
    const Eigen::Vector3d d = (at(k, l) - at(i, j)).normalized();
    for (int x = 0; x < 3; ++x) {
      g.emplace_back(rods, 3 * (i * width + j) + x, -d[x]);
      g.emplace_back(rods, 3 * (k * width + l) + x, d[x]);
    }
    ++rods;
  };
  for (int i = 0; i < width; ++i)
    for (int j = 0; j < width; ++j) {
      if (i + 1 < width) rod(i, j, i + 1, j);
      if (j + 1 < width) rod(i, j, i, j + 1);
    }
  Chain c{Sparse(3 * points, 3 * points),
          Sparse(rods, 3 * points),
          Vec::Zero(rods),
          Vec(rods),
          Vec(3 * points),
          Vec(rods)};
  c.M.setFromTriplets(m.begin(), m.end());
  c.G.setFromTriplets(g.begin(), g.end());
  for (int i = 0; i < rods; ++i) c.s[i] = std::sin(i + 1.0);
  return c;
}

void cloth_kkt(benchmark::State& state) {
  Chain c = cloth(static_cast<int>(state.range(0)));
  Kkt kkt;
  kkt.analyse(c.M, c.G);
  bool ok = kkt.factor_mass(c.M) == Status::ok;
  for (auto _ : state) ok = ok && kkt.factor_constraints(c.G, c.C) == Status::ok;
  if (!ok) state.SkipWithError("not factorised");
  kkt.solve_constraint(c.s, c.x, c.lambda);
  if (!(residual(c) < 1e-9)) state.SkipWithError("wrong solution");
}

// S is given: its products are not a part of this
void cloth_cholmod(benchmark::State& state) {
  const Chain c = cloth(static_cast<int>(state.range(0)));
  Eigen::SparseMatrix<double> S =
      (c.G * c.M.diagonal().cwiseInverse().asDiagonal() * c.G.transpose()).pruned(0.0, 0.0);
  Eigen::SparseMatrix<double> lower = S.triangularView<Eigen::Lower>();
  lower.makeCompressed();
  cholmod_common common;
  cholmod_start(&common);
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(lower.rows());
  view.nzmax = static_cast<std::size_t>(lower.nonZeros());
  view.p = lower.outerIndexPtr();
  view.i = lower.innerIndexPtr();
  view.x = lower.valuePtr();
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.sorted = view.packed = 1;
  cholmod_factor* factor = cholmod_analyze(&view, &common);
  bool ok = true;
  for (auto _ : state) ok = ok && cholmod_factorize(&view, factor, &common) == 1;
  if (!ok) state.SkipWithError("not factorised");
  cholmod_free_factor(&factor, &common);
  cholmod_finish(&common);
}

BENCHMARK(cloth_kkt)->Arg(20)->Arg(40)->Arg(80)->Arg(120)->Arg(200);
BENCHMARK(cloth_cholmod)->Arg(20)->Arg(40)->Arg(80)->Arg(120)->Arg(200);
BENCHMARK(chain_kkt_factor)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(chain_kkt_solve)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(chain_kkt)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(chain_thomas)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(chain_eigen)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(chain_eigen_factor_and_solve)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(bars_kkt)->Arg(10)->Arg(1000)->Arg(100000);
BENCHMARK(bars_eigen)->Arg(10)->Arg(1000)->Arg(100000);

}  // namespace

BENCHMARK_MAIN();
