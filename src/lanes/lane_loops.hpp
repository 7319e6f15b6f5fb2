// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "lanes/lane_program.hpp"
#include "taut/core/types.hpp"

namespace taut::lanes {

// Arithmetic on rows of `width` numbers, one for each lane: aligned to 64 bytes. Compiled for
// several instruction sets; no lane depends on another, and all of them give the same bits.

/// w times the rows from k on.
struct Term {
  const double* w;
  const double* k;
};

/// to = from + Σ w k, term by term, of so many rows that follow each other; without `from`, 0
/// stands for it.
void add_terms(const double* from, std::span<const Term> terms, Index rows, double* to);

/// to = factor * x.
void scale(double factor, const double* x, double* to);

/// Where chosen != 0, to = from.
void take_where(const double* chosen, const double* from, double* to);

/// What a step is measured with: the difference between two results, and the ends of the step.
struct Weighed {
  const double *d, *from, *to;
};
/// sum += (d_v / (1 + max(|v0|, |v1|)))^2, and the same of q added to it first, where there is one.
void add_weighted_square(const Weighed* q, const Weighed& v, double* sum);

/// |x - y|^2 of vectors of n rows, summed in the order of Eigen.
void squared_distance(std::span<const double* const> x, std::span<const double* const> y,
                      double* to);

/// best = max(best, 1 / dependence), and least = min(least, 1 / dependence / best).
void track_least_ratio(const double* dependence, double* best, double* least);

/// Rows that follow each other.
struct RowBlock {
  double* begin;
};

/// now = max |g_r| scale_r, or NaN, and s = -g.
void scaled_residual(std::span<const double* const> g, const RowBlock& scale, const RowBlock& s,
                     double* now);

/// The largest modulus of so many rows.
void largest(const RowBlock& x, Index count, double* to);

/// Of G v + g_t: G by the entries of a pattern, whose row r has those from outer[r] on, in columns
/// inner[].
struct VelocityRows {
  const int *outer, *inner;
  Index count;
  RowBlock G, g_t, v;
};
/// now = max |G v + g_t| in units of its terms, as Projection::velocity() has it; s = -(G v + g_t).
void velocity_residual(const VelocityRows& rows, const double* v_most, const RowBlock& s,
                       double* now);

/// (5) of ExplicitTableau: y0, y1, k_0, k_s, and the rows r_0, r_1, r_2 of their step.
struct DenseEnds {
  const double *y0, *y1, *k0, *ks, *h;
};
void dense_coefficients(const DenseEnds& ends, double* r0, double* r1, double* r2);

/// Where a step is read: θ = (t - from) / (to - from), and 1 - θ.
struct DensePlace {
  const double *theta, *rest, *h;
};
/// (4) of ExplicitTableau, from the inside out.
void dense_value(std::span<const double* const> r, const DensePlace& at, const double* from,
                 double* to);
/// And its derivative, per second.
void dense_rate(std::span<const double* const> r, const DensePlace& at, double* to);

/// most = max(most, |rate - x| / (1 + |y|)); what is no number stays there.
void track_defect(const double* rate, const double* x, const double* y, double* most);

/// Where chosen != 0, to += x.
void add_where(const double* chosen, const double* x, double* to);

}  // namespace taut::lanes
