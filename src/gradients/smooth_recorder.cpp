// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/smooth_recorder.hpp"

#include "core/dense_decompositions.hpp"

namespace taut {
namespace {

constexpr Index terms = 9;

/// Coefficients of (1) from q, q', q'' by x at -1, 0 and 1.
const Mat& from_knots() {
  static const Mat inverse = [] {
    Mat rows = Mat::Zero(terms, terms);
    Index row = 0;
    for (const double x : {-1.0, 0.0, 1.0}) {
      double power = 1.0, before = 0.0, second = 0.0;  // x^i, x^(i-1), x^(i-2)
      for (Index i = 0; i < terms; ++i) {
        const auto n = static_cast<double>(i);
        rows(row, i) = power;
        rows(row + 1, i) = n * before;
        rows(row + 2, i) = n * (n - 1) * second;
        second = before;
        before = power;
        power *= x;
      }
      row += 3;
    }
    return inverse_of(rows);
  }();
  return inverse;
}

}  // namespace

Status SmoothRecorder::start(const State& state, const std::vector<double>& modes) {
  modes_ = modes;
  return method_.start(system_, state);
}

Status SmoothRecorder::advance(double t_stop, State& state, Mat& inside) {
  const Index nq = forces_.nq();
  Mat knots(nq, terms);
  const State from = state;
  const Vec a_from = *method_.acceleration();
  if (const Status status = method_.advance(system_, t_stop, state); status != Status::ok)
    return status;
  const double half = (state.t - from.t) / 2;
  State middle;
  if (const Status status = method_.interpolate(system_, from.t + half, middle);
      status != Status::ok)
    return status;
  if (const Status status = forces_.forces(middle.t, middle.q, middle.v); status != Status::ok)
    return status;
  knots << from.q, half * from.v, half * half * a_from, middle.q, half * middle.v,
      half * half * forces_.a(), state.q, half * state.v, half * half * *method_.acceleration();
  inside = product(knots, from_knots().transpose());
  return Status::ok;
}

void SmoothRecorder::at(const MotionPiece& piece, double t, State& state, Vec* a) {
  const double half = (piece.t1 - piece.t0) / 2, x = (t - piece.t0) / half - 1;
  const Mat& c = piece.inside;
  state.t = t;
  state.q = c.col(terms - 1);
  state.v = Vec::Zero(c.rows());
  Vec bend = state.v;  // half of the second derivative
  for (Index i = terms - 2; i >= 0; --i) {
    bend = x * bend + state.v;
    state.v = x * state.v + state.q;
    state.q = x * state.q + c.col(i);
  }
  state.v /= half;
  if (a != nullptr) *a = 2 / (half * half) * bend;
}

}  // namespace taut
