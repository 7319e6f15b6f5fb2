// SPDX-License-Identifier: BSD-3-Clause
#include "formula/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "formula/arithmetic.hpp"
#include "formula/machine_code.hpp"
#include "formula/table.hpp"

namespace taut::formula {
namespace {

// ---- machine code -------------------------------------------------------------------------------

class MachineKernel final : public Kernel {
 public:
  MachineKernel(Program given, int width, std::unique_ptr<const MachineCode> code)
      : Kernel{std::move(given), width}, code_{std::move(code)} {}
  void run(double* registers) const override { (*code_)(registers); }

 private:
  std::unique_ptr<const MachineCode> code_;
};

// ---- one instance -------------------------------------------------------------------------------

/// An instruction with registers as offsets; the list ends with `halt`.
struct Step {
  std::int32_t code, to, a, b, c, lookup;
};
constexpr std::int32_t halt = static_cast<std::int32_t>(Code::sincos) + 1;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // computed goto: each operation learns its successor

void run_scalar(const Step* step, const TableLookup* tables, double* r) {
  static const void* const labels[] = {
      &&do_add,   &&do_sub,     &&do_mul,     &&do_div,     &&do_neg,    &&do_pow,  &&do_sqrt,
      &&do_exp,   &&do_log,     &&do_sin,     &&do_cos,     &&do_tan,    &&do_asin, &&do_acos,
      &&do_atan,  &&do_atan2,   &&do_sinh,    &&do_cosh,    &&do_tanh,   &&do_abs,  &&do_sign,
      &&do_min,   &&do_max,     &&do_floor,   &&do_less,    &&do_select, &&do_cell, &&do_knot,
      &&do_piece, &&do_mul_add, &&do_mul_sub, &&do_sub_mul, &&do_sincos, &&do_halt};
  static_assert(std::size(labels) == halt + 1);

#define TAUT_NEXT goto* labels[(++step)->code]
#define TAUT_A r[step->a]
#define TAUT_B r[step->b]
#define TAUT_C r[step->c]
#define TAUT_DO(name, value)         \
  do_##name : r[step->to] = (value); \
  TAUT_NEXT;

  goto* labels[step->code];
  TAUT_DO(add, TAUT_A + TAUT_B)
  TAUT_DO(sub, TAUT_A - TAUT_B)
  TAUT_DO(mul, TAUT_A * TAUT_B)
  TAUT_DO(div, TAUT_A / TAUT_B)
  TAUT_DO(neg, -TAUT_A)
  TAUT_DO(pow, std::pow(TAUT_A, TAUT_B))
  TAUT_DO(sqrt, std::sqrt(TAUT_A))
  TAUT_DO(exp, std::exp(TAUT_A))
  TAUT_DO(log, std::log(TAUT_A))
  TAUT_DO(sin, std::sin(TAUT_A))
  TAUT_DO(cos, std::cos(TAUT_A))
  TAUT_DO(tan, std::tan(TAUT_A))
  TAUT_DO(asin, std::asin(TAUT_A))
  TAUT_DO(acos, std::acos(TAUT_A))
  TAUT_DO(atan, std::atan(TAUT_A))
  TAUT_DO(atan2, std::atan2(TAUT_A, TAUT_B))
  TAUT_DO(sinh, std::sinh(TAUT_A))
  TAUT_DO(cosh, std::cosh(TAUT_A))
  TAUT_DO(tanh, std::tanh(TAUT_A))
  TAUT_DO(abs, std::fabs(TAUT_A))
  TAUT_DO(sign, sign_of(TAUT_A))
  TAUT_DO(min, minimum(TAUT_A, TAUT_B))
  TAUT_DO(max, maximum(TAUT_A, TAUT_B))
  TAUT_DO(floor, std::floor(TAUT_A))
  TAUT_DO(less, less_than(TAUT_A, TAUT_B))
  TAUT_DO(select, choice(TAUT_A, TAUT_B, TAUT_C))
  TAUT_DO(cell, cell_of(TAUT_A, TAUT_B))
  TAUT_DO(knot, looked_up(tables[step->lookup], Op::knot, TAUT_A, 0.0, 0.0))
  TAUT_DO(piece, looked_up(tables[step->lookup], Op::piece, TAUT_A, TAUT_B, TAUT_C))
  TAUT_DO(mul_add, TAUT_A * TAUT_B + TAUT_C)
  TAUT_DO(mul_sub, TAUT_A * TAUT_B - TAUT_C)
  TAUT_DO(sub_mul, TAUT_C - TAUT_A * TAUT_B)
do_sincos : {
  const double x = TAUT_A;
  r[step->to] = std::sin(x);
  r[step->b] = std::cos(x);
}
  TAUT_NEXT;
do_halt:
  return;

#undef TAUT_NEXT
#undef TAUT_A
#undef TAUT_B
#undef TAUT_C
#undef TAUT_DO
}

#pragma GCC diagnostic pop

class ScalarKernel final : public Kernel {
 public:
  explicit ScalarKernel(Program given) : Kernel{std::move(given), 1} {
    for (const Instruction& i : program().code) {
      steps_.push_back({static_cast<std::int32_t>(i.code), i.to, i.a, i.b, i.c, i.lookup});
    }
    steps_.push_back({halt, 0, 0, 0, 0, -1});
  }
  void run(double* registers) const override {
    run_scalar(steps_.data(), program().lookups.data(), registers);
  }

 private:
  std::vector<Step> steps_;
};

// ---- lanes --------------------------------------------------------------------------------------

using RunLanes = void (*)(const Program& program, double* registers);

// registers are either the same or apart, so that lanes never depend on one another
#if defined(__clang__)
#define TAUT_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TAUT_INDEPENDENT _Pragma("GCC ivdep")
#endif
#define TAUT_REGISTER(number) \
  static_cast<double*>(       \
      __builtin_assume_aligned(registers + static_cast<std::size_t>(number) * lanes, 64))
#define TAUT_DO(name, value)                                 \
  case Code::name:                                           \
    TAUT_INDEPENDENT                                         \
    for (std::size_t l = 0; l < lanes; ++l) to[l] = (value); \
    break;

/// The lane interpreter, compiled into each of the functions below for its own instruction set.
/// Contraction is off and vector mathematics is not used, so that all of them give the same bits.
template <std::size_t lanes>
[[gnu::always_inline]] inline void interpret_lanes(const Program& program, double* registers) {
  const Instruction* const end = program.code.data() + program.code.size();
  for (const Instruction* i = program.code.data(); i != end; ++i) {
    double* to = TAUT_REGISTER(i->to);
    const double* a = TAUT_REGISTER(i->a);
    const double* b = TAUT_REGISTER(i->b);
    const double* c = TAUT_REGISTER(i->c);
    switch (i->code) {
      TAUT_DO(add, a[l] + b[l])
      TAUT_DO(sub, a[l] - b[l])
      TAUT_DO(mul, a[l] * b[l])
      TAUT_DO(div, a[l] / b[l])
      TAUT_DO(neg, -a[l])
      TAUT_DO(pow, std::pow(a[l], b[l]))
      TAUT_DO(sqrt, std::sqrt(a[l]))
      TAUT_DO(exp, std::exp(a[l]))
      TAUT_DO(log, std::log(a[l]))
      TAUT_DO(sin, std::sin(a[l]))
      TAUT_DO(cos, std::cos(a[l]))
      TAUT_DO(tan, std::tan(a[l]))
      TAUT_DO(asin, std::asin(a[l]))
      TAUT_DO(acos, std::acos(a[l]))
      TAUT_DO(atan, std::atan(a[l]))
      TAUT_DO(atan2, std::atan2(a[l], b[l]))
      TAUT_DO(sinh, std::sinh(a[l]))
      TAUT_DO(cosh, std::cosh(a[l]))
      TAUT_DO(tanh, std::tanh(a[l]))
      TAUT_DO(abs, std::fabs(a[l]))
      TAUT_DO(sign, sign_of(a[l]))
      TAUT_DO(min, minimum(a[l], b[l]))
      TAUT_DO(max, maximum(a[l], b[l]))
      TAUT_DO(floor, std::floor(a[l]))
      TAUT_DO(less, less_than(a[l], b[l]))
      TAUT_DO(select, choice(a[l], b[l], c[l]))
      TAUT_DO(cell, cell_of(a[l], b[l]))
      case Code::knot:
      case Code::piece: {
        const TableLookup& table = program.lookups[static_cast<std::size_t>(i->lookup)];
        const Op op = i->code == Code::knot ? Op::knot : Op::piece;
        for (std::size_t l = 0; l < lanes; ++l) to[l] = looked_up(table, op, a[l], b[l], c[l]);
        break;
      }
        TAUT_DO(mul_add, a[l] * b[l] + c[l])
        TAUT_DO(mul_sub, a[l] * b[l] - c[l])
        TAUT_DO(sub_mul, c[l] - a[l] * b[l])
      case Code::sincos: {
        double* cosine = TAUT_REGISTER(i->b);
        for (std::size_t l = 0; l < lanes; ++l) {
          const double x = a[l];
          to[l] = std::sin(x);
          cosine[l] = std::cos(x);
        }
        break;
      }
    }
  }
}

#undef TAUT_DO
#undef TAUT_REGISTER
#undef TAUT_INDEPENDENT

template <std::size_t lanes>
void run_lanes(const Program& program, double* registers) {
  interpret_lanes<lanes>(program, registers);
}

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)

template <std::size_t lanes>
[[gnu::target("arch=x86-64-v3")]] void run_lanes_v3(const Program& program, double* registers) {
  interpret_lanes<lanes>(program, registers);
}

template <std::size_t lanes>
[[gnu::target("arch=x86-64-v4")]] void run_lanes_v4(const Program& program, double* registers) {
  interpret_lanes<lanes>(program, registers);
}

/// The lane interpreters this machine can run, the best last.
template <std::size_t lanes>
std::vector<RunLanes> lane_interpreters() {
  std::vector<RunLanes> found{run_lanes<lanes>};
  if (__builtin_cpu_supports("x86-64-v3")) found.push_back(run_lanes_v3<lanes>);
  if (__builtin_cpu_supports("x86-64-v4")) found.push_back(run_lanes_v4<lanes>);
  return found;
}

#else

template <std::size_t lanes>
std::vector<RunLanes> lane_interpreters() {
  return {run_lanes<lanes>};
}

#endif

class LaneKernel final : public Kernel {
 public:
  LaneKernel(Program given, RunLanes interpreter, int width = lanes)
      : Kernel{std::move(given), width}, run_{interpreter} {}
  void run(double* registers) const override { run_(program(), registers); }

 private:
  RunLanes run_;
};

}  // namespace

void Kernel::load_constants(double* registers, std::span<const double> constants) const {
  double* to = registers + static_cast<std::size_t>(width_) * program_.inputs.size();
  for (const double value : constants) to = std::fill_n(to, width_, value);
}

std::unique_ptr<const Kernel> make_kernel(Program program, int instances) {
  static const RunLanes best = lane_interpreters<lanes>().back();
  // one block of lanes costs as much as three to four single runs
  constexpr int few = 4;
  if (instances < few) return std::make_unique<const ScalarKernel>(std::move(program));
  return std::make_unique<const LaneKernel>(std::move(program), best);
}

std::unique_ptr<const Kernel> make_busy_kernel(Program program, int width) {
  if (std::unique_ptr<const MachineCode> code = MachineCode::make(program, width))
    return std::make_unique<const MachineKernel>(std::move(program), width, std::move(code));
  if (width == 1) return std::make_unique<const ScalarKernel>(std::move(program));
  static const RunLanes best = lane_interpreters<narrow_lanes>().back();
  return std::make_unique<const LaneKernel>(std::move(program), best, narrow_lanes);
}

std::vector<std::unique_ptr<const Kernel>> make_every_kernel(const Program& program) {
  std::vector<std::unique_ptr<const Kernel>> kernels;
  kernels.push_back(std::make_unique<const ScalarKernel>(program));
  for (const RunLanes run : lane_interpreters<lanes>()) {
    kernels.push_back(std::make_unique<const LaneKernel>(program, run));
  }
  for (const RunLanes run : lane_interpreters<narrow_lanes>()) {
    kernels.push_back(std::make_unique<const LaneKernel>(program, run, narrow_lanes));
  }
  for (const int width : {1, narrow_lanes, lanes})
    if (std::unique_ptr<const MachineCode> code = MachineCode::make(program, width))
      kernels.push_back(std::make_unique<const MachineKernel>(program, width, std::move(code)));
  return kernels;
}

}  // namespace taut::formula
