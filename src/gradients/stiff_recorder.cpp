// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/stiff_recorder.hpp"

#include "methods/radau_coefficients.hpp"

namespace taut {

Status StiffRecorder::start(const State& state, const std::vector<double>& /*modes*/) {
  if (const Status status = method_.start(system_, state); status != Status::ok) return status;
  a_.resize(system_.nq());
  lambda_.resize(system_.nc());
  return method_.multipliers(system_, state, a_, lambda_);
}

Status StiffRecorder::advance(double t_stop, State& state, Mat& inside) {
  const Index nq = system_.nq(), nc = system_.nc();
  inside.resize(3 * nq + nc, stages + 1);
  inside.col(0) << state.q, state.v, a_, lambda_;
  const double t0 = state.t;
  if (const Status status = method_.advance(system_, t_stop, state); status != Status::ok)
    return status;
  const Vec& c = radau_coefficients(stages).c;
  for (int i = 0; i < stages; ++i) {
    State at_stage;
    const double t = i + 1 == stages ? state.t : t0 + c[i] * (state.t - t0);
    if (const Status status = at(t, at_stage, a_, lambda_); status != Status::ok) return status;
    inside.col(i + 1) << at_stage.q, at_stage.v, a_, lambda_;
  }
  return Status::ok;
}

Status StiffRecorder::at(double t, State& state, Vec& a, Vec& lambda) {
  if (const Status status = method_.interpolate(system_, t, state); status != Status::ok)
    return status;
  a.resize(system_.nq());
  lambda.resize(system_.nc());
  return method_.multipliers(system_, state, a, lambda);
}

}  // namespace taut
