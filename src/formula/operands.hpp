// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "taut/formula/program.hpp"

namespace taut::formula {

/// Whether an instruction reads its register b. (sincos writes to it.)
inline bool reads_b(Code code) {
  switch (code) {
    case Code::add:
    case Code::sub:
    case Code::mul:
    case Code::div:
    case Code::pow:
    case Code::atan2:
    case Code::min:
    case Code::max:
    case Code::less:
    case Code::select:
    case Code::cell:
    case Code::piece:
    case Code::mul_add:
    case Code::mul_sub:
    case Code::sub_mul:
      return true;
    default:
      return false;
  }
}

/// Whether an instruction reads its register c.
inline bool reads_c(Code code) {
  return code == Code::select || code == Code::piece || code == Code::mul_add ||
         code == Code::mul_sub || code == Code::sub_mul;
}

}  // namespace taut::formula
