// SPDX-License-Identifier: BSD-3-Clause
// Whole systems from model files, through System::evaluate with assembly into the global arrays,
// beside the same mathematics written by hand.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "andrews.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace {

using namespace taut;

CompiledModel load(const std::string& name, double links = 0.0) {
  Problems problems{name};
  Model model = read_model_file(std::string{TAUT_MODELS} + "/" + name, problems);
  if (links > 0.0) model.set("links", links);
  CompiledModel compiled = compile(model, problems);
  problems.throw_if_any();
  return compiled;
}

void expect_near(double a, double b) {
  if (std::abs(a - b) <= 1e-10 * (1.0 + std::abs(b))) return;
  std::fprintf(stderr, "results differ: %.17g and %.17g\n", a, b);
  std::exit(1);
}

constexpr Needs mechanism = needs(Target::mass, Target::force, Target::constraint,
                                  Target::constraint_jacobian, Target::constraint_curvature);

void andrews_by_hand(benchmark::State& state) {
  const andrews::State at = andrews::sample();
  andrews::Evaluation out{};
  for (auto _ : state) {
    andrews::evaluate(at, out);
    benchmark::DoNotOptimize(out);
  }
}

void andrews_from_file(benchmark::State& state) {
  const CompiledModel model = load("andrews.toml");
  const andrews::State at = andrews::sample();
  const Vec q = Eigen::Map<const Vec>(at.q.data(), 7), v = Eigen::Map<const Vec>(at.v.data(), 7);
  Evaluation out;
  model.system.prepare(out);
  for (auto _ : state)
    benchmark::DoNotOptimize(model.system.evaluate(mechanism, {.t = 0.0, .q = q, .v = v}, out));
  andrews::Evaluation hand{};
  andrews::evaluate(at, hand);
  expect_near(out.M.coeff(0, 1), hand.M12);
  for (Index i = 0; i < 7; ++i) expect_near(out.f[i], hand.f[static_cast<std::size_t>(i)]);
  for (Index r = 0; r < 6; ++r) {
    expect_near(out.g[r], hand.g[static_cast<std::size_t>(r)]);
    expect_near(out.curvature[r], hand.curvature[static_cast<std::size_t>(r)]);
  }
}

/// g, G and, when asked, d2g(v, v) of a chain of unit rods in one fused loop.
template <bool curvature>
void chain_by_hand(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const CompiledModel model = load("chain.toml", static_cast<double>(n));
  const double* q = model.given.q.data();
  const double* v = model.given.v.data();
  std::vector<double> g(n), G(4 * n), d2g(n);
  for (auto _ : state) {
    for (std::size_t i = 1; i < n; ++i) {
      const double dx = q[2 * i] - q[2 * i - 2], dy = q[2 * i + 1] - q[2 * i - 1];
      g[i] = (dx * dx + dy * dy - 1.0) * 0.5;
      G[4 * i] = -dx;
      G[4 * i + 1] = -dy;
      G[4 * i + 2] = dx;
      G[4 * i + 3] = dy;
      if constexpr (curvature) {
        const double ux = v[2 * i] - v[2 * i - 2], uy = v[2 * i + 1] - v[2 * i - 1];
        d2g[i] = ux * ux + uy * uy;
      }
    }
    benchmark::DoNotOptimize(g.data());
    benchmark::DoNotOptimize(G.data());
    benchmark::DoNotOptimize(d2g.data());
    benchmark::ClobberMemory();
  }
  state.counters["ns"] = benchmark::Counter(
      static_cast<double>(n) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <bool curvature>
void chain_from_file(benchmark::State& state) {
  const auto n = static_cast<double>(state.range(0));
  const CompiledModel model = load("chain.toml", n);
  Evaluation out;
  model.system.prepare(out);
  constexpr Needs wanted = needs(Target::constraint, Target::constraint_jacobian) |
                           (curvature ? need(Target::constraint_curvature) : 0);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        model.system.evaluate(wanted, {.t = 0.0, .q = model.given.q, .v = model.given.v}, out));
  state.counters["ns"] = benchmark::Counter(
      n * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(andrews_by_hand);
BENCHMARK(andrews_from_file);
BENCHMARK(chain_by_hand<false>)->Arg(10'000)->Name("chain g, G/by hand");
BENCHMARK(chain_from_file<false>)->Arg(10'000)->Name("chain g, G/from file");
BENCHMARK(chain_by_hand<true>)->Arg(10'000)->Name("chain g, G, d2g/by hand");
BENCHMARK(chain_from_file<true>)->Arg(10'000)->Name("chain g, G, d2g/from file");

}  // namespace

BENCHMARK_MAIN();
