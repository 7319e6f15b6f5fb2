// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "taut/formula/program.hpp"

namespace taut::formula {

/// Instructions of this machine for a program, to the same bits as the interpreters: every
/// operation is one IEEE operation or the same function of the C library, in the same order and
/// without contraction. Values stay in registers of the machine as long as they can; of those that
/// do not fit, the one that is read last goes to its place in the block. Places of values that
/// nothing reads any more are left as they are: only inputs, constants and outputs of the program
/// are where the block says (Kernel).
///
/// For processors with AVX2 under the calling convention of System V. Pages are writable or
/// executable, never both.
class MachineCode {
 public:
  /// Of `width` lanes: 1, or a multiple of 4. Nothing where the machine is another one, or allows
  /// no such pages, or the program is too long.
  [[nodiscard]] static std::unique_ptr<const MachineCode> make(const Program& program, int width);

  MachineCode(const MachineCode&) = delete;
  MachineCode& operator=(const MachineCode&) = delete;
  ~MachineCode();

  void operator()(double* registers) const { run_(registers); }

 private:
  using Run = void (*)(double*);
  MachineCode(void* pages, std::size_t bytes, Run run, std::shared_ptr<const void> looked_up)
      : pages_{pages}, bytes_{bytes}, run_{run}, looked_up_{std::move(looked_up)} {}

  void* pages_;
  std::size_t bytes_;
  Run run_;
  std::shared_ptr<const void> looked_up_;  // tables, and where in them
};

}  // namespace taut::formula
