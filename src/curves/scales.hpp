// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "curves/jet_rows.hpp"

namespace taut {

/// How far numbers may go from a point u before the rows bend away from their tangents there: the
/// largest lengths L_c <= max(unit_c, |u_c|), found by halving, for which
///
///   sum_c |G_rc(u + L s) - G_rc(u)| L_c  <=  4 sum_c |G_rc(u)| L_c       for each row r (1)
///
/// with G = d rows/du and some vectors s of signs. A linear row bounds nothing; y^2 + k x^2 = 1
/// bounds x to about 1/sqrt(k) at (0, 1), a circle of radius R both numbers to about R. What is
/// called near by, or zero, has to be so on this scale: beyond it there may be no point at all.
///
/// Where the rows bend little nothing is said: lengths above 1/64 of a number's size are that size.
/// A row that would bound a number to less than 1e-10 of its size is singular at u as far as u is
/// known, and has no say. Costs some 2 log2(size/L) evaluations.
[[nodiscard]] Vec scales_of(const JetRows& rows, const Vec& u, const Vec& units = {});

}  // namespace taut
