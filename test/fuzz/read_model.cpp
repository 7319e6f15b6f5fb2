// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: any bytes as a model file.
//   test/fuzz/run 600
#include "read_model.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 1U << 16U;
  if (size > longest) return 0;
  const taut::Problems problems =
      taut::fuzz::read_and_compile({reinterpret_cast<const char*>(data), size});
  for (const taut::Problem& problem : problems.sorted()) {
    // a mistake without a remedy, or a place outside of the file, is a finding as well
    if (problem.remedy.empty() || problem.what.empty() || problem.at.line < 0) __builtin_trap();
  }
  return problems.message().empty() ? 1 : 0;
}
