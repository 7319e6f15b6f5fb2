// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "modes/linear_point.hpp"
#include "taut/modes/modes.hpp"

namespace taut {

/// Frequencies of vibrations without damping about a rest, anew from their shapes,
///
///   omega² = sum over elements of U_qq(x, x) / xᵀ M x,                                        (1)
///
/// each term by the formula of its element. The entries of K are sums of much larger numbers where
/// stiff directions lie beside soft ones (a long beam of short rods), and rounding of them, eps
/// |K|, is what is left of the lowest frequencies; (1) has the rounding of the bends themselves,
/// and the square of the shape's error. Nothing is changed where the terms of elements are not all
/// of K.
void sharpen_frequencies(const LinearPoint& point, const LinearTerms& terms, Modes& found);

}  // namespace taut
