// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <complex>

#include "report/json.hpp"

namespace taut {

/// Null where it is not finite.
inline Json number_of(double x) { return std::isfinite(x) ? Json(x) : Json{}; }

/// [Re, Im]
inline Json complex_of(std::complex<double> z) {
  return Json::array({number_of(z.real()), number_of(z.imag())});
}

}  // namespace taut
