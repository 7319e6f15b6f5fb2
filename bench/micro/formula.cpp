// SPDX-License-Identifier: BSD-3-Clause
// Formulas through derive() and the kernels, beside the same mathematics written by hand.
//
// Rods: 10^4 elements, coordinates gathered through an index table, results left in a block of 64.
// Andrews: one evaluation of M, f, g, G and d2g(v, v) of the mechanism, parameters as constants.
// Each pair is checked for equal results before it is timed; `ns` is time per element.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "andrews.hpp"
#include "formula/kernel.hpp"
#include "taut/formula/sym.hpp"

namespace {

using namespace taut::formula;

constexpr int elements = 10000;
constexpr std::size_t block = lanes;

/// 64 values of each of n columns.
template <std::size_t n>
struct alignas(64) Block {
  std::array<std::array<double, block>, n> column;
};

/// A loose net of rods: each joins two random points.
struct Net {
  std::vector<double> q, v, length, stiffness;
  std::vector<std::array<int, 4>> index;         // coordinates of an element
  std::array<std::vector<int>, 4> index_column;  // the same by column, the last block padded

  Net() {
    std::mt19937 random{1};
    std::uniform_real_distribution<double> any{0.5, 1.5};
    constexpr int points = elements + 1;
    for (int i = 0; i < 2 * points; ++i) {
      q.push_back(any(random) * i);
      v.push_back(any(random));
    }
    for (int e = 0; e < elements; ++e) {
      length.push_back(any(random));
      stiffness.push_back(any(random));
      index.push_back({2 * e, 2 * e + 1, 2 * e + 2, 2 * e + 3});
    }
    for (std::size_t i = 0; i < 4; ++i) {
      for (const auto& element : index) index_column[i].push_back(element[i]);
      index_column[i].resize(elements + block, index.back()[i]);
    }
  }
};

const Net& net() {
  static const Net instance;
  return instance;
}

Formula rod(Role role) {
  Formula f;
  f.coordinates = 4;
  f.parameters = 2;
  f.rows = role == Role::constraint ? 1 : 0;
  const auto q = [&](int i) { return Sym{f.graph, f.graph.input({Slot::q, i})}; };
  const Sym L{f.graph, f.graph.input({Slot::parameter, 0})};
  const Sym k{f.graph, f.graph.input({Slot::parameter, 1})};
  const Sym dx = q(2) - q(0), dy = q(3) - q(1);
  const Sym square = dx * dx + dy * dy;
  const Sym stretch = sqrt(square) - L;
  const Sym root =
      role == Role::constraint ? (square - L * L) / (2.0 * L) : 0.5 * k * stretch * stretch;
  f.roots = {{role, root.node(f.graph), 0}};
  return f;
}

/// A program over all rods, block by block.
class Batch {
 public:
  Batch(const Formula& given, Needs needs) {
    const Hoisted hoisted = hoist(given);
    columns_ = parameters(given, hoisted);
    kernel_ = make_kernel(derive(hoisted.formula, needs), elements);
    const auto size = static_cast<std::size_t>(kernel_->program().registers) * block;
    registers_.reset(static_cast<double*>(std::aligned_alloc(64, size * sizeof(double))));
    kernel_->load_constants(registers_.get());
  }

  template <class Use>
  void run(const Use& use) const {
    const Net& n = net();
    for (int first = 0; first < elements; first += lanes) {
      double* column = registers_.get();
      for (const Input& input : kernel_->program().inputs) {
        const auto i = static_cast<std::size_t>(input.index);
        if (input.slot == Slot::parameter) {
          const double* from = columns_[i].data() + first;
          for (std::size_t l = 0; l < block; ++l) column[l] = from[l];
        } else {
          const double* from = input.slot == Slot::q ? n.q.data() : n.v.data();
          const int* index = n.index_column[i].data() + first;
          for (std::size_t l = 0; l < block; ++l) column[l] = from[index[l]];
        }
        column += block;
      }
      kernel_->run(registers_.get());
      use(first, *this);
    }
  }

  [[nodiscard]] double value(Target target, int row, int column, std::size_t lane) const {
    for (const Output& o : kernel_->program().outputs) {
      if (o.target != target || o.row != row || o.column != column) continue;
      const double x = registers_.get()[static_cast<std::size_t>(o.reg) * block + lane];
      return o.negate ? -x : x;
    }
    return 0.0;
  }
  [[nodiscard]] const Program& program() const { return kernel_->program(); }
  [[nodiscard]] double* registers() const { return registers_.get(); }

 private:
  /// Parameters of every element, those that hoist() adds computed once.
  static std::vector<std::vector<double>> parameters(const Formula& given, const Hoisted& hoisted) {
    const Net& n = net();
    std::vector<std::vector<double>> columns{n.length, n.stiffness};
    columns.resize(static_cast<std::size_t>(hoisted.formula.parameters));
    const auto kernel = make_kernel(hoisted.prelude, 1);
    std::vector<double> r(static_cast<std::size_t>(hoisted.prelude.registers) + 1);
    kernel->load_constants(r.data());
    for (std::size_t e = 0; e < elements; ++e) {
      for (std::size_t i = 0; i < hoisted.prelude.inputs.size(); ++i) {
        r[i] = columns[static_cast<std::size_t>(hoisted.prelude.inputs[i].index)][e];
      }
      kernel->run(r.data());
      for (const Output& o : hoisted.prelude.outputs) {
        const double x = r[static_cast<std::size_t>(o.reg)];
        columns[static_cast<std::size_t>(given.parameters + o.row)].push_back(o.negate ? -x : x);
      }
    }
    for (auto& column : columns) column.resize(elements + block, 1.0);
    return columns;
  }

  std::vector<std::vector<double>> columns_;
  std::unique_ptr<const Kernel> kernel_;
  std::unique_ptr<double, decltype(&std::free)> registers_{nullptr, std::free};
};

// ---- by hand ------------------------------------------------------------------------------------

/// U = k/2 (r - L)^2 and its gradient: U, U_x, U_y (the other end has the opposite sign).
template <bool hessian>
void spring_by_hand(int e, Block<8>& out, std::size_t l) {
  const Net& n = net();
  const auto i = static_cast<std::size_t>(e);
  const std::array<int, 4>& at = n.index[i];
  const double* q = n.q.data();
  const double dx = q[at[2]] - q[at[0]], dy = q[at[3]] - q[at[1]];
  const double r = std::sqrt(dx * dx + dy * dy), inverse = 1.0 / r, k = n.stiffness[i];
  const double stretch = r - n.length[i], tension = k * stretch * inverse;
  out.column[0][l] = 0.5 * k * stretch * stretch;
  out.column[1][l] = tension * dx;
  out.column[2][l] = tension * dy;
  if constexpr (hessian) {
    const double nx = dx * inverse, ny = dy * inverse, bend = k - tension;
    out.column[3][l] = tension + bend * nx * nx;
    out.column[4][l] = bend * nx * ny;
    out.column[5][l] = tension + bend * ny * ny;
  }
}

/// g = (|d|^2 - L^2) / 2L, its row of G, and with `curvature` d2g(v, v).
template <bool curvature>
void rod_by_hand(int e, Block<8>& out, std::size_t l) {
  const Net& n = net();
  const auto i = static_cast<std::size_t>(e);
  const std::array<int, 4>& at = n.index[i];
  const double *q = n.q.data(), *v = n.v.data();
  const double dx = q[at[2]] - q[at[0]], dy = q[at[3]] - q[at[1]];
  const double L = n.length[i], inverse = 1.0 / L;
  out.column[0][l] = 0.5 * inverse * (dx * dx + dy * dy - L * L);
  out.column[1][l] = dx * inverse;
  out.column[2][l] = dy * inverse;
  if constexpr (curvature) {
    const double wx = v[at[2]] - v[at[0]], wy = v[at[3]] - v[at[1]];
    out.column[3][l] = (wx * wx + wy * wy) * inverse;
  }
}

using ByHand = void (*)(int e, Block<8>& out, std::size_t l);

template <ByHand by_hand>
void run_by_hand(benchmark::State& state) {
  auto out = std::make_unique<Block<8>>();
  for (auto _ : state) {
    for (int e = 0; e < elements; ++e) by_hand(e, *out, static_cast<std::size_t>(e) % block);
    benchmark::DoNotOptimize(out.get());
    benchmark::ClobberMemory();
  }
  state.counters["ns"] = benchmark::Counter(
      elements * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

struct Check {
  Target target;
  int row, column, by_hand;
  double sign;
};

template <ByHand by_hand>
void run_lanes(benchmark::State& state, Role role, Needs needs, const std::vector<Check>& checks) {
  const Batch batch{rod(role), needs};
  auto out = std::make_unique<Block<8>>();
  bool equal = true;
  batch.run([&](int first, const Batch& b) {
    for (std::size_t l = 0; l < block && first + static_cast<int>(l) < elements; ++l) {
      by_hand(first + static_cast<int>(l), *out, l);
      for (const Check& c : checks) {
        const double mine = b.value(c.target, c.row, c.column, l);
        const double theirs = c.sign * out->column[static_cast<std::size_t>(c.by_hand)][l];
        equal = equal && std::fabs(mine - theirs) <= 1e-12 * (1.0 + std::fabs(theirs));
      }
    }
  });
  if (!equal) {
    state.SkipWithError("results differ from those computed by hand");
    return;
  }
  for (auto _ : state) {
    batch.run([](int, const Batch& b) { benchmark::DoNotOptimize(b.registers()); });
  }
  state.counters["instructions"] = static_cast<double>(batch.program().code.size());
  state.counters["ns"] = benchmark::Counter(
      elements * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void spring_gradient(benchmark::State& state) {
  using enum Target;
  run_lanes<spring_by_hand<false>>(
      state, Role::potential, needs(potential_energy, force),
      {{potential_energy, 0, 0, 0, 1.0}, {force, 2, 0, 1, -1.0}, {force, 1, 0, 2, 1.0}});
}
void spring_hessian(benchmark::State& state) {
  using enum Target;
  run_lanes<spring_by_hand<true>>(state, Role::potential, needs(potential_energy, force, stiffness),
                                  {{potential_energy, 0, 0, 0, 1.0},
                                   {force, 2, 0, 1, -1.0},
                                   {stiffness, 0, 0, 3, 1.0},
                                   {stiffness, 0, 3, 4, -1.0},
                                   {stiffness, 3, 3, 5, 1.0}});
}
void rod_jacobian(benchmark::State& state) {
  using enum Target;
  run_lanes<rod_by_hand<false>>(state, Role::constraint, needs(constraint, constraint_jacobian),
                                {{constraint, 0, 0, 0, 1.0}, {constraint_jacobian, 0, 0, 1, -1.0}});
}
void rod_curvature(benchmark::State& state) {
  using enum Target;
  run_lanes<rod_by_hand<true>>(state, Role::constraint,
                               needs(constraint, constraint_jacobian, constraint_curvature),
                               {{constraint, 0, 0, 0, 1.0},
                                {constraint_jacobian, 0, 3, 2, 1.0},
                                {constraint_curvature, 0, 0, 3, 1.0}});
}

BENCHMARK(run_by_hand<spring_by_hand<false>>)->Name("spring U, grad/by hand");
BENCHMARK(spring_gradient)->Name("spring U, grad/lanes");
BENCHMARK(run_by_hand<spring_by_hand<true>>)->Name("spring U, grad, Hessian/by hand");
BENCHMARK(spring_hessian)->Name("spring U, grad, Hessian/lanes");
BENCHMARK(run_by_hand<rod_by_hand<false>>)->Name("rod g, G/by hand");
BENCHMARK(rod_jacobian)->Name("rod g, G/lanes");
BENCHMARK(run_by_hand<rod_by_hand<true>>)->Name("rod g, G, d2g(v,v)/by hand");
BENCHMARK(rod_curvature)->Name("rod g, G, d2g(v,v)/lanes");

// ---- Andrews' mechanism -------------------------------------------------------------------------

void andrews_by_hand(benchmark::State& state) {
  andrews::State at = andrews::sample();
  andrews::Evaluation out{};
  for (auto _ : state) {
    benchmark::DoNotOptimize(at);
    andrews::evaluate(at, out);
    benchmark::DoNotOptimize(out);
  }
}

void andrews_program(benchmark::State& state) {
  using enum Target;
  const auto kernel =
      make_kernel(derive(andrews::formula(),
                         needs(mass, force, constraint, constraint_jacobian, constraint_curvature)),
                  1);
  const Program& program = kernel->program();
  std::vector<double> r(static_cast<std::size_t>(program.registers));
  const andrews::State at = andrews::sample();
  kernel->load_constants(r.data());
  const auto fill = [&] {
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
      const auto k = static_cast<std::size_t>(program.inputs[i].index);
      r[i] = program.inputs[i].slot == Slot::q ? at.q[k] : at.v[k];
    }
  };
  fill();
  kernel->run(r.data());
  andrews::Evaluation expected{};
  andrews::evaluate(at, expected);
  for (const Output& o : program.outputs) {
    const double x = r[static_cast<std::size_t>(o.reg)];
    const double theirs = expected.value(o.target, o.row, o.column);
    if (std::fabs((o.negate ? -x : x) - theirs) > 1e-12 * (1.0 + std::fabs(theirs))) {
      state.SkipWithError("results differ from those computed by hand");
      return;
    }
  }
  for (auto _ : state) {
    fill();
    kernel->run(r.data());
    benchmark::DoNotOptimize(r.data());
    benchmark::ClobberMemory();
  }
  state.counters["instructions"] = static_cast<double>(program.code.size());
  state.counters["outputs"] = static_cast<double>(program.outputs.size());
}

void andrews_derive(benchmark::State& state) {
  using enum Target;
  const Formula formula = andrews::formula();
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        derive(formula, needs(mass, force, constraint, constraint_jacobian, constraint_curvature)));
  }
}

BENCHMARK(andrews_by_hand)->Name("Andrews M, f, g, G, d2g/by hand");
BENCHMARK(andrews_program)->Name("Andrews M, f, g, G, d2g/program");
BENCHMARK(andrews_derive)->Name("Andrews M, f, g, G, d2g/derive")->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
