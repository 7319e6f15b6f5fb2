// SPDX-License-Identifier: BSD-3-Clause
#include "formula/machine_code.hpp"

#if defined(__x86_64__) && defined(__unix__) && (defined(__GNUC__) || defined(__clang__))

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "formula/arithmetic.hpp"
#include "formula/assembler.hpp"
#include "formula/operands.hpp"
#include "formula/table.hpp"

namespace taut::formula {
namespace {

// beyond, the time to write them and the cache they fill are worth more than what they save
constexpr std::size_t most_instructions = 20000;

constexpr int vectors = 16;
constexpr int never = std::numeric_limits<int>::max();

// ---- functions ----------------------------------------------------------------------------------

/// What one instruction looks up, in how many lanes.
struct Looking {
  TableLookup table;
  Op op;
  std::size_t lanes;
};

// of a row each: what is called is the same as in the interpreters. The last argument is the number
// of lanes, or the address of Looking
using Row = void (*)(double* to, double* a, double* b, double* c, std::uint64_t lanes);

#define TAUT_ROW(name, value)                                                       \
  void row_##name(double* to, double* a, [[maybe_unused]] double* b, double* /*c*/, \
                  std::uint64_t lanes) {                                            \
    for (std::size_t l = 0; l < lanes; ++l) to[l] = (value);                        \
  }
TAUT_ROW(pow, std::pow(a[l], b[l]))
TAUT_ROW(exp, std::exp(a[l]))
TAUT_ROW(log, std::log(a[l]))
TAUT_ROW(sin, std::sin(a[l]))
TAUT_ROW(cos, std::cos(a[l]))
TAUT_ROW(tan, std::tan(a[l]))
TAUT_ROW(asin, std::asin(a[l]))
TAUT_ROW(acos, std::acos(a[l]))
TAUT_ROW(atan, std::atan(a[l]))
TAUT_ROW(atan2, std::atan2(a[l], b[l]))
TAUT_ROW(sinh, std::sinh(a[l]))
TAUT_ROW(cosh, std::cosh(a[l]))
TAUT_ROW(tanh, std::tanh(a[l]))
#undef TAUT_ROW

void row_sincos(double* sine, double* a, double* cosine, double* /*c*/, std::uint64_t lanes) {
  for (std::size_t l = 0; l < lanes; ++l) {
    const double x = a[l];
    sine[l] = std::sin(x);
    cosine[l] = std::cos(x);
  }
}

void row_looked_up(double* to, double* a, double* b, double* c, std::uint64_t looking) {
  const Looking& what = *reinterpret_cast<const Looking*>(looking);
  for (std::size_t l = 0; l < what.lanes; ++l)
    to[l] = looked_up(what.table, what.op, a[l], b[l], c[l]);
}

/// The function behind an operation that is no instruction of the machine.
Row function_of(Code code) {
  switch (code) {
    case Code::pow:
      return row_pow;
    case Code::exp:
      return row_exp;
    case Code::log:
      return row_log;
    case Code::sin:
      return row_sin;
    case Code::cos:
      return row_cos;
    case Code::tan:
      return row_tan;
    case Code::asin:
      return row_asin;
    case Code::acos:
      return row_acos;
    case Code::atan:
      return row_atan;
    case Code::atan2:
      return row_atan2;
    case Code::sinh:
      return row_sinh;
    case Code::cosh:
      return row_cosh;
    case Code::tanh:
      return row_tanh;
    case Code::sincos:
      return row_sincos;
    case Code::knot:
    case Code::piece:
      return row_looked_up;
    default:
      return nullptr;
  }
}

// ---- constants ----------------------------------------------------------------------------------

enum class Constant : std::uint8_t { sign_bit, all_but_sign, one, minus_one, zero, cells };

constexpr std::array<std::uint64_t, 4> four_of(std::uint64_t bits) {
  return {bits, bits, bits, bits};
}
constexpr std::array<std::uint64_t, 4> four_of(double x) {
  return four_of(std::bit_cast<std::uint64_t>(x));
}
alignas(32) constexpr std::array<std::array<std::uint64_t, 4>, 6> constants{
    four_of(std::uint64_t{1} << 63),
    four_of(~(std::uint64_t{1} << 63)),
    four_of(1.0),
    four_of(-1.0),
    four_of(0.0),
    four_of(cells_in_row)};

Assembler::Operand constant(Constant which) {
  return Assembler::at(Assembler::Base::r14, 32 * static_cast<std::int32_t>(which));
}

// ---- writing ------------------------------------------------------------------------------------

/// When the values of an instruction are read again: number of the next instruction that does it,
/// that of all instructions for outputs.
struct Next {
  int to = never, second = never, a = never, b = never, c = never;
};

std::vector<Next> next_reads(const Program& program) {
  std::vector<int> next(static_cast<std::size_t>(program.registers), never);
  const auto of = [&](std::int32_t reg) -> int& { return next[static_cast<std::size_t>(reg)]; };
  for (const Output& output : program.outputs)
    of(output.reg) = static_cast<int>(program.code.size());
  std::vector<Next> found(program.code.size());
  for (std::size_t k = program.code.size(); k-- > 0;) {
    const Instruction& i = program.code[k];
    Next& here = found[k];
    here.to = std::exchange(of(i.to), never);
    if (i.code == Code::sincos) here.second = std::exchange(of(i.b), never);
    const bool b = reads_b(i.code), c = reads_c(i.code);
    here.a = of(i.a);
    if (b) here.b = of(i.b);
    if (c) here.c = of(i.c);
    of(i.a) = static_cast<int>(k);
    if (b) of(i.b) = static_cast<int>(k);
    if (c) of(i.c) = static_cast<int>(k);
  }
  return found;
}

class Writer {
 public:
  Writer(const Program& program, int width)
      : program_{program},
        width_{width},
        assembler_{width > 1},
        next_{next_reads(program)},
        vector_of_(static_cast<std::size_t>(program.registers), -1) {}

  /// `looked` has room for what the program looks up, and stays where it is.
  [[nodiscard]] const std::vector<std::uint8_t>& write(std::vector<Looking>& looked) {
    assembler_.prologue(reinterpret_cast<std::uint64_t>(constants.data()), row(1));
    const std::vector<Instruction>& code = program_.code;
    for (std::size_t k = 0; k < code.size();) {
      if (function_of(code[k].code) != nullptr) {
        call(code[k], looked);
        ++k;
        continue;
      }
      // calls leave nothing in vectors: between two of them is a loop over the lanes
      std::size_t end = k;
      while (end < code.size() && function_of(code[end].code) == nullptr) ++end;
      end_ = static_cast<int>(end);
      const std::size_t begin = assembler_.begin_loop();
      for (; k < end; ++k) operate(code[k], next_[k]);
      put_all_back();
      if (width_ > 1) assembler_.end_loop(begin, row(1));
    }
    assembler_.epilogue();
    return assembler_.bytes();
  }

 private:
  using Operand = Assembler::Operand;
  using Arithmetic = Assembler::Arithmetic;
  using Logic = Assembler::Logic;
  using Relation = Assembler::Relation;

  struct Vector {
    std::int32_t reg = -1;  // whose value it has
    int next = never;       // when that is read
    bool changed = false;   // since it was in its place
    bool pinned = false;    // of the instruction that is being written
  };

  [[nodiscard]] std::int32_t row(std::int32_t reg) const {
    return reg * width_ * static_cast<std::int32_t>(sizeof(double));
  }
  [[nodiscard]] Operand place(std::int32_t reg) const {
    return Assembler::at(Assembler::Base::rbx, row(reg));
  }
  [[nodiscard]] int& vector_of(std::int32_t reg) {
    return vector_of_[static_cast<std::size_t>(reg)];
  }
  [[nodiscard]] Vector& held(int v) { return held_[static_cast<std::size_t>(v)]; }

  void call(const Instruction& i, std::vector<Looking>& looked) {
    assembler_.pass(0, row(i.to));
    assembler_.pass(1, row(i.a));
    assembler_.pass(2, row(i.b));
    assembler_.pass(3, row(i.c));
    auto fifth = static_cast<std::uint64_t>(width_);
    if (i.lookup >= 0) {
      looked.push_back({program_.lookups[static_cast<std::size_t>(i.lookup)],
                        i.code == Code::knot ? Op::knot : Op::piece,
                        static_cast<std::size_t>(width_)});
      fifth = reinterpret_cast<std::uint64_t>(&looked.back());
    }
    assembler_.call(reinterpret_cast<std::uint64_t>(function_of(i.code)), fifth);
  }

  // -- who is in which vector

  void forget(int v) {
    if (held(v).reg >= 0) vector_of(held(v).reg) = -1;
    held(v) = {};
  }
  void put_back(int v) {
    if (held(v).changed && held(v).next != never) assembler_.store(place(held(v).reg), v);
    forget(v);
  }
  void put_all_back() {
    for (int v = 0; v < vectors; ++v)
      if (held(v).reg >= 0) put_back(v);
  }
  // a vector that is free, or whose value is read last
  [[nodiscard]] int take() {
    int best = -1;
    for (int v = 0; v < vectors; ++v) {
      if (held(v).pinned) continue;
      if (held(v).reg < 0) return v;
      if (best < 0 || held(v).next > held(best).next) best = v;
    }
    put_back(best);
    return best;
  }
  [[nodiscard]] int temporary() {
    const int v = take();
    held(v).pinned = true;
    return v;
  }
  [[nodiscard]] int read(std::int32_t reg) {
    int v = vector_of(reg);
    if (v < 0) {
      v = take();
      assembler_.load(v, place(reg));
      held(v).reg = reg;
      vector_of(reg) = v;
    }
    held(v).pinned = true;
    return v;
  }
  // where it is, if it is not read again between these calls
  [[nodiscard]] Operand read_or_place(std::int32_t reg, int next) {
    return vector_of(reg) < 0 && next >= end_ ? place(reg) : Assembler::in(read(reg));
  }
  void passes(std::int32_t reg, int next) {
    const int v = vector_of(reg);
    if (v < 0) return;
    held(v).next = next;
    if (next == never) forget(v);
  }

  /// The vector of the result, once all operands are in theirs: the last instruction of an
  /// operation reads them and may overwrite one.
  [[nodiscard]] int result(const Instruction& i, const Next& next) {
    for (Vector& one : held_) one.pinned = false;
    passes(i.a, next.a);
    if (reads_b(i.code)) passes(i.b, next.b);
    if (reads_c(i.code)) passes(i.c, next.c);
    if (const int old = vector_of(i.to); old >= 0) forget(old);
    const int v = take();
    if (next.to != never) {
      held(v) = {.reg = i.to, .next = next.to, .changed = true};
      vector_of(i.to) = v;
    }
    return v;
  }

  // -- operations

  void operate(const Instruction& i, const Next& next) {
    switch (i.code) {
      case Code::add:
        return arithmetic(Arithmetic::add, i, next);
      case Code::sub:
        return arithmetic(Arithmetic::sub, i, next);
      case Code::mul:
        return arithmetic(Arithmetic::mul, i, next);
      case Code::div:
        return arithmetic(Arithmetic::div, i, next);
      case Code::sqrt: {
        const Operand a = read_or_place(i.a, next.a);
        const int to = result(i, next);
        return assembler_.arithmetic(Arithmetic::sqrt, to, to, a);
      }
      case Code::neg:
        return logic(Logic::differ, Constant::sign_bit, i, next);
      case Code::abs:
        return logic(Logic::both, Constant::all_but_sign, i, next);
      case Code::floor: {
        const Operand a = read_or_place(i.a, next.a);
        const int to = result(i, next);
        return assembler_.round_down(to, a);
      }
      case Code::min:
        return extreme(Arithmetic::min, i, next);
      case Code::max:
        return extreme(Arithmetic::max, i, next);
      case Code::less: {
        const int a = read(i.a);
        const Operand b = read_or_place(i.b, next.b);
        const int mask = temporary();
        assembler_.compare(Relation::less, mask, a, b);
        return assembler_.logic(Logic::both, result(i, next), mask, constant(Constant::one));
      }
      case Code::select: {
        const int a = read(i.a), b = read(i.b), c = read(i.c), mask = temporary();
        assembler_.compare(Relation::not_equal, mask, a, constant(Constant::zero));
        return assembler_.blend(result(i, next), c, Assembler::in(b), mask);
      }
      case Code::sign: {
        const int a = read(i.a), mask = temporary(), up = temporary();
        assembler_.compare(Relation::greater, mask, a, constant(Constant::zero));
        assembler_.blend(up, a, constant(Constant::one), mask);
        assembler_.compare(Relation::less, mask, a, constant(Constant::zero));
        return assembler_.blend(result(i, next), up, constant(Constant::minus_one), mask);
      }
      case Code::cell: {
        const int a = read(i.a);
        const Operand b = read_or_place(i.b, next.b);
        const int rows = temporary();
        assembler_.arithmetic(Arithmetic::mul, rows, a, constant(Constant::cells));
        return assembler_.arithmetic(Arithmetic::add, result(i, next), rows, b);
      }
      case Code::mul_add:
        return with_product(Arithmetic::add, false, i, next);
      case Code::mul_sub:
        return with_product(Arithmetic::sub, false, i, next);
      case Code::sub_mul:
        return with_product(Arithmetic::sub, true, i, next);
      default:
        return;  // a function
    }
  }

  void arithmetic(Arithmetic what, const Instruction& i, const Next& next) {
    const int a = read(i.a);
    const Operand b = read_or_place(i.b, next.b);
    assembler_.arithmetic(what, result(i, next), a, b);
  }
  void logic(Logic what, Constant with, const Instruction& i, const Next& next) {
    const int a = read(i.a);
    assembler_.logic(what, result(i, next), a, constant(with));
  }
  // the machine gives the second where one of two is no number: right but for the first
  void extreme(Arithmetic what, const Instruction& i, const Next& next) {
    const int a = read(i.a);
    const Operand b = read_or_place(i.b, next.b);
    const int nearly = temporary(), mask = temporary();
    assembler_.arithmetic(what, nearly, a, b);
    assembler_.compare(Relation::is_nan, mask, a, Assembler::in(a));
    assembler_.blend(result(i, next), nearly, Assembler::in(a), mask);
  }
  void with_product(Arithmetic what, bool product_last, const Instruction& i, const Next& next) {
    const int a = read(i.a);
    const Operand b = read_or_place(i.b, next.b);
    const int product = temporary();
    assembler_.arithmetic(Arithmetic::mul, product, a, b);
    if (product_last) {
      const int c = read(i.c);
      assembler_.arithmetic(what, result(i, next), c, Assembler::in(product));
    } else {
      const Operand c = read_or_place(i.c, next.c);
      assembler_.arithmetic(what, result(i, next), product, c);
    }
  }

  const Program& program_;
  int width_;
  Assembler assembler_;
  std::vector<Next> next_;
  std::vector<int> vector_of_;
  std::array<Vector, vectors> held_;
  int end_ = 0;  // of the instructions before the next call
};

}  // namespace

std::unique_ptr<const MachineCode> MachineCode::make(const Program& program, int width) {
  static const bool able = __builtin_cpu_supports("avx2") != 0;
  if (!able || program.code.empty() || program.code.size() > most_instructions) return nullptr;
  const auto looked = std::make_shared<std::vector<Looking>>();
  looked->reserve(
      static_cast<std::size_t>(std::count_if(program.code.begin(), program.code.end(),
                                             [](const Instruction& i) { return i.lookup >= 0; })));
  Writer writer{program, width};
  const std::vector<std::uint8_t>& code = writer.write(*looked);

  // some sanitizers read what stands before a function
  constexpr std::size_t before = 64;
  constexpr std::uint8_t trap = 0xCC;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t bytes = (before + code.size() + page - 1) / page * page;
  void* const pages =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  auto* const at = static_cast<std::uint8_t*>(pages);
  std::fill_n(at, before, trap);
  std::copy(code.begin(), code.end(), at + before);
  if (::mprotect(pages, bytes, PROT_READ | PROT_EXEC) != 0) {
    ::munmap(pages, bytes);
    return nullptr;
  }
  Run run = nullptr;
  void* const entry = at + before;
  std::memcpy(&run, &entry, sizeof run);
  return std::unique_ptr<const MachineCode>{new MachineCode{pages, bytes, run, looked}};
}

MachineCode::~MachineCode() { ::munmap(pages_, bytes_); }

}  // namespace taut::formula

#else

namespace taut::formula {

std::unique_ptr<const MachineCode> MachineCode::make(const Program& /*program*/, int /*width*/) {
  return nullptr;
}
MachineCode::~MachineCode() = default;

}  // namespace taut::formula

#endif
