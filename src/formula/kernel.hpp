// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>

#include "taut/formula/program.hpp"

namespace taut::formula {

/// Executes one program. Immutable and shared by threads; scratch is the caller's.
///
/// Block layout, the same for every back end and lane width: register r of lane l stands at
/// `registers[r * width() + l]`. The caller fills the input registers of all width() lanes (a tail
/// is padded by repeating a valid lane) and reads the output registers named by program().outputs.
/// A kernel neither throws nor allocates; NaN goes through and the caller tests what it reads.
/// Every back end gives the same bits.
class Kernel {
 public:
  virtual ~Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// `registers` has program().registers * width() doubles, 64-byte aligned.
  virtual void run(double* registers) const = 0;

  /// Writes the program's constants into their registers: once per scratch and kernel.
  void load_constants(double* registers) const { load_constants(registers, program_.constants); }
  /// The same with other values of them.
  void load_constants(double* registers, std::span<const double> constants) const;

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] const Program& program() const { return program_; }

 protected:
  Kernel(Program program, int width) : program_{std::move(program)}, width_{width} {}

 private:
  Program program_;
  int width_;
};

/// Lanes of the wide interpreter.
inline constexpr int lanes = 64;
/// Of the narrow one, whose registers stay in the first cache where programs are long.
inline constexpr int narrow_lanes = 32;

/// The factory of what a model is compiled to: a scalar interpreter (width 1) for fewer than four
/// instances, lanes otherwise.
[[nodiscard]] std::unique_ptr<const Kernel> make_kernel(Program program, int instances);

/// Machine code where there is any, else an interpreter, of width 1 or narrow_lanes: for programs
/// that will be run so often that they are worth the writing.
[[nodiscard]] std::unique_ptr<const Kernel> make_busy_kernel(Program program, int width);

/// One kernel of every back end this machine can run, the scalar interpreter first: all of them
/// give the same bits, and tests hold them to it.
[[nodiscard]] std::vector<std::unique_ptr<const Kernel>> make_every_kernel(const Program& program);

}  // namespace taut::formula
