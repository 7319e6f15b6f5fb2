// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "taut/formula/program.hpp"

namespace taut::device {

/// A double as C++ and CUDA C read it, to the bit.
[[nodiscard]] std::string literal(double x);

/// Whether there is text for all of its operations; `why` says of which there is none.
[[nodiscard]] bool has_text(const formula::Program& program, std::string& why);

/// The instructions of a program as statements of C++ that CUDA C has, too: each result is a
/// constant of its own. The operations are those of kernels, in their order; where products and
/// sums are not contracted and functions are the same, so are the bits.
struct ProgramText {
  std::string statements;
  std::vector<std::string> registers;  ///< what stands in each of them at the end
};

/// `inputs` are the expressions of its inputs.
[[nodiscard]] ProgramText text_of(const formula::Program& program,
                                  const std::vector<std::string>& inputs);

}  // namespace taut::device
