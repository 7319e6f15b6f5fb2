// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <vector>

namespace taut {

/// X_k = sum_j x_j exp(-2 pi i j k / n) in place of x, for any n: by halves where n is a power of
/// two, else as a convolution with exp(i pi j^2 / n) by those that are (bluestein1970).
void fourier(std::vector<std::complex<double>>& x);

}  // namespace taut
