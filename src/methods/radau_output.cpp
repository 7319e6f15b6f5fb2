// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include "methods/radau_solver.hpp"

namespace taut {

Status Radau::Solver::interpolate(double t, State& state) {
  if (t == last_.from.t || t == end_.t) {
    state = t == end_.t ? end_ : last_.from;
    return Status::ok;
  }
  if (leapt_) return explicit_->interpolate(system_, t, state);
  const int s = last_.stages();
  const double x = (t - last_.from.t) / last_.h;
  const DerivativeWeights w = weights_at(last_, x);
  state.t = t;
  state.q = last_.from.q;
  state.v = w[0][0] * last_.from.v;
  for (int i = 0; i < s; ++i) {
    state.q += w[0][i + 1] * last_.Z[i];
    state.v += w[0][i + 1] * last_.V[i];
  }
  const Structure& structure = system_.structure();
  if (structure.nc == 0) return Status::ok;

  estimate_multipliers(last_, x, known_there_);
  constraint_rate(last_, x, rate_);
  return onto_constraints(state, known_there_.value);
}

Status Radau::Solver::multipliers(const State& at, Vec& a, Vec& lambda) {
  if (system_.shared() == nullptr) return Status::not_supported;  // start() has refused it
  if (potential_ != nullptr)
    if (const Status status = system_.evaluate(need(Target::constraint_jacobian),
                                               {.t = at.t, .q = at.q, .v = at.v}, landing_);
        status != Status::ok)
      return status;
  if (has_last_)
    estimate_multipliers(last_, (at.t - last_.from.t) / last_.h, known_there_);
  else
    known_there_ = known_;
  if (const Status status = there_(system_, {.t = at.t, .q = at.q, .v = at.v},
                                   has_last_ ? last_.h : first_h_, known_there_, a, lambda);
      status != Status::ok)
    return status;
  lambda.conservativeResize(given_.nc());
  return Status::ok;
}

// Everything the next step depends on. Derivatives and factors are computed again from where they
// were computed first.
void Radau::Solver::archive(Archive& archive) {
  archive.tag("radau");
  archive_potential(archive);
  int stages = method_->s, last_stages = has_last_ ? last_.stages() : 0;
  archive(stages, last_stages, h_, t_start_, g_, known_.value, known_.rate, known_.curvature);
  archive(first_, after_rejection_, accepted_h_, accepted_error_, theta_, since_change_, failures_);
  archive(factored_h_, factored_stages_, factor_point_.state, factor_point_.a, factor_point_.lambda,
          factor_point_.dropped, first_h_);
  bool shares_loads = here_.shares_loads();
  archive(last_.h, last_.from, last_.g0, end_, shares_loads, leapt_, leap_refused_, zone_step_,
          best_independence_, leap_tol_);
  auto told = static_cast<std::int64_t>(notes.size());
  archive(told);
  notes.resize(static_cast<std::size_t>(told));
  for (std::string& note : notes) archive(note);
  if (leapt_) {
    if (archive.loading()) {
      explicit_.emplace(AdaptiveOptions{.tol = leap_tol_});
      if (explicit_->start(system_, next_) != Status::ok)
        throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
    }
    archive(*explicit_);
  }
  for (int i = 0; i < last_stages; ++i)
    archive(last_.Z[i], last_.V[i], last_.lambda[i], last_.g[i]);
  if (!archive.loading()) return;

  method_ = &radau_coefficients(stages);
  has_last_ = last_stages > 0;
  if (has_last_) last_.method = &radau_coefficients(last_stages);
  if (shares_loads) here_.share_loads();
  const int factored = factored_stages_;
  const double stiffest = stiffest_;
  if (arrive(system_, next_, known_) != Status::ok)
    throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
  if (factored == method_->s) {
    point_ = factor_point_;
    if (evaluate_derivatives() != Status::ok || factor(factored_h_) != Status::ok)
      factored_stages_ = 0;
  }
  stiffest_ = stiffest;
  derivatives_wanted_ = true;
}

}  // namespace taut
