// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace taut::formula {

/// The few instructions of x86-64 with AVX2 that straight-line programs need, as bytes. Encodings
/// are those of Intel's manual, volume 2, with a prefix VEX of three bytes throughout:
///
///   C4   R̄X̄B̄ mmmmm   W v̄v̄v̄v̄ L pp   opcode   ModRM   displacement   immediate (1)
///
/// where a bar means inverted bits. Numbers of vectors are 0 to 15, of general registers those of
/// the manual. Operations on doubles differ between one double (pp = F2, L = 0) and four (pp = 66,
/// L = 1) in the prefix alone.
class Assembler {
 public:
  enum class Base : std::uint8_t { rbx = 3, r14 = 14 };
  /// What an instruction reads last, or writes to: a vector, or memory at base + displacement.
  struct Operand {
    int vector = -1;
    Base base = Base::rbx;
    std::int32_t displacement = 0;
  };
  [[nodiscard]] static Operand in(int vector) { return {.vector = vector}; }
  [[nodiscard]] static Operand at(Base base, std::int32_t displacement) {
    return {.base = base, .displacement = displacement};
  }

  enum class Arithmetic : std::uint8_t {
    sqrt = 0x51,
    add = 0x58,
    mul = 0x59,
    sub = 0x5C,
    min = 0x5D,
    div = 0x5E,
    max = 0x5F
  };
  enum class Logic : std::uint8_t { both = 0x54, either = 0x56, differ = 0x57 };
  /// Immediates of comparisons; unordered is false in the first three.
  enum class Relation : std::uint8_t { less = 0x11, greater = 0x1E, not_equal = 0x04, is_nan = 3 };

  explicit Assembler(bool four) : four_{four} {}

  void load(int to, Operand from) { move(0x10, to, from); }
  void store(Operand to, int from) { move(0x11, from, to); }
  void arithmetic(Arithmetic what, int to, int a, Operand b) {
    // the square root of four has one operand, that of one takes the other half of its second
    const int first = what == Arithmetic::sqrt && four_ ? 0 : a;
    vex(one_or_four(), map_0f, static_cast<std::uint8_t>(what), to, first, b, four_);
  }
  void logic(Logic what, int to, int a, Operand b) {
    vex(pp_66, map_0f, static_cast<std::uint8_t>(what), to, a, b, four_);
  }
  void compare(Relation relation, int to, int a, Operand b) {
    vex(one_or_four(), map_0f, 0xC2, to, a, b, four_, static_cast<int>(relation));
  }
  /// to = mask is negative ? b : a
  void blend(int to, int a, Operand b, int mask) {
    vex(pp_66, map_0f3a, 0x4B, to, a, b, four_, mask << 4);
  }
  void round_down(int to, Operand a) {
    constexpr int down_quietly = 9;
    if (four_)
      vex(pp_66, map_0f3a, 0x09, to, 0, a, true, down_quietly);
    else
      vex(pp_66, map_0f3a, 0x0B, to, to, a, false, down_quietly);
  }

  void prologue(std::uint64_t constants, std::int32_t bytes_of_row) {
    emit({0x53, 0x41, 0x54, 0x41, 0x56});  // push rbx, r12, r14: the stack is aligned again
    emit({0x48, 0x89, 0xFB});              // mov rbx, rdi
    emit({0x49, 0xBE});                    // mov r14, constants
    emit(constants);
    emit({0x4C, 0x8D, 0xA3});  // lea r12, [rbx + bytes_of_row]
    emit(bytes_of_row);
  }
  void epilogue() {
    leave_vectors();
    emit({0x41, 0x5E, 0x41, 0x5C, 0x5B, 0xC3});  // pop r14, r12, rbx; ret
  }
  /// A loop over the row of a register, four lanes at a time: rbx goes from 0 to its end.
  [[nodiscard]] std::size_t begin_loop() const { return bytes_.size(); }
  void end_loop(std::size_t begin, std::int32_t bytes_of_row) {
    emit({0x48, 0x83, 0xC3, 0x20});  // add rbx, 32
    emit({0x4C, 0x39, 0xE3});        // cmp rbx, r12
    emit({0x0F, 0x85});              // jne begin
    emit(static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(begin) -
                                   static_cast<std::ptrdiff_t>(bytes_.size() + 4)));
    emit({0x48, 0x81, 0xEB});  // sub rbx, bytes_of_row
    emit(bytes_of_row);
  }
  /// The address of memory at rbx + displacement as argument number 0 to 3 of a call.
  void pass(int argument, std::int32_t displacement) {
    constexpr std::uint8_t rdi_rsi_rdx_rcx[] = {0xBB, 0xB3, 0x93, 0x8B};
    emit({0x48, 0x8D, rdi_rsi_rdx_rcx[argument]});  // lea ARGUMENT, [rbx + displacement]
    emit(displacement);
  }
  void call(std::uint64_t function) {
    leave_vectors();
    emit({0x48, 0xB8});  // mov rax, function
    emit(function);
    emit({0xFF, 0xD0});  // call rax
  }
  /// The same with a fifth argument.
  void call(std::uint64_t function, std::uint64_t fifth) {
    emit({0x49, 0xB8});  // mov r8, fifth
    emit(fifth);
    call(function);
  }

  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  static constexpr std::uint8_t pp_66 = 1, pp_f2 = 3;
  static constexpr std::uint8_t map_0f = 1, map_0f3a = 3;
  [[nodiscard]] std::uint8_t one_or_four() const { return four_ ? pp_66 : pp_f2; }

  // between vectors all of one goes over, as with memory
  void move(std::uint8_t opcode, int vector, Operand other) {
    if (other.vector >= 0)
      vex(pp_66, map_0f, 0x28, vector, 0, other, four_);
    else
      vex(one_or_four(), map_0f, opcode, vector, 0, other, four_);
  }

  // (1)
  void vex(std::uint8_t pp, std::uint8_t map, std::uint8_t opcode, int to, int first, Operand last,
           bool four, int immediate = -1) {
    const int rm = last.vector >= 0 ? last.vector : static_cast<int>(last.base);
    const auto byte = [](int x) { return static_cast<std::uint8_t>(x); };
    emit({0xC4, byte((to < 8 ? 0x80 : 0) | 0x40 | (rm < 8 ? 0x20 : 0) | map),
          byte(((~first & 0xF) << 3) | (four ? 4 : 0) | pp), opcode,
          byte((last.vector >= 0 ? 0xC0 : 0x80) | (to & 7) << 3 | (rm & 7))});
    if (last.vector < 0) emit(last.displacement);
    if (immediate >= 0) emit({byte(immediate)});
  }

  // functions of the C library may be compiled for the older encoding, which is slow otherwise
  void leave_vectors() {
    if (four_) emit({0xC5, 0xF8, 0x77});  // vzeroupper
  }

  void emit(std::initializer_list<std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  template <class Number>
  void emit(Number number) {
    static_assert(std::endian::native == std::endian::little);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof number);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
  }

  bool four_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace taut::formula
