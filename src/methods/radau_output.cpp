// SPDX-License-Identifier: BSD-3-Clause
#include <stdexcept>

#include "core/archive_list.hpp"
#include "methods/radau_solver.hpp"

namespace taut {

Status Radau::Solver::interpolate(double t, State& state) {
  if (t == last_.from.t || t == end_.t) {
    state = t == end_.t ? end_ : last_.from;
    return Status::ok;
  }
  if (passage_.leapt()) return passage_.interpolate(system_, t, state);
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

Status Radau::Solver::rates(double t, State& rate) {
  if (passage_.leapt()) return passage_.rates(system_, t, rate);
  const DerivativeWeights w = weights_at(last_, (t - last_.from.t) / last_.h);
  rate.q.setZero(last_.from.q.size());
  rate.v = w[1][0] / last_.h * last_.from.v;
  for (int i = 0; i < last_.stages(); ++i) {
    rate.q += w[1][i + 1] / last_.h * last_.Z[i];
    rate.v += w[1][i + 1] / last_.h * last_.V[i];
  }
  return Status::ok;
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

namespace {

// of a step there may have been none: 0
void archive_stages(Archive& archive, int& stages) {
  archive_within(archive, stages, 0, 7);
  require_sense(stages == 0 || stages % 2 == 1, "stages in it");
}

}  // namespace

// Everything the next step depends on. Derivatives and factors are computed again from where they
// were computed first.
void Radau::Solver::archive(Archive& archive) {
  archive.tag("radau");
  archive_potential(archive);
  int stages = control_.method().s, last_stages = has_last_ || remembers_ ? last_.stages() : 0;
  double h = control_.h();
  archive_stages(archive, stages);
  archive_stages(archive, last_stages);
  archive(h, t_start_, g_, known_.value, known_.rate, known_.curvature);
  control_.archive(archive);
  derivatives_.archive(archive);
  bool shares_loads = here_.shares_loads();
  archive(first_h_, last_.h, last_.from, last_.g0, end_, shares_loads, remembers_);
  here_.archive(archive);
  passage_.archive(archive);
  archive_list(archive, notes);
  passage_.archive_method(archive, system_, next_);
  for (int i = 0; i < last_stages; ++i)
    archive(last_.Z[i], last_.V[i], last_.lambda[i], last_.g[i]);
  if (!archive.loading()) return;
  require_sense(stages > 0 && (last_stages > 0 || !remembers_), "stages in it");

  control_.use_stages(stages);
  control_.propose(h);
  has_last_ = last_stages > 0 && !remembers_;
  if (last_stages > 0) last_.method = &radau_coefficients(last_stages);
  if (shares_loads) here_.share_loads();
  if (arrive(system_, next_, known_) != Status::ok)
    throw std::runtime_error{"the state of the checkpoint cannot be evaluated"};
  derivatives_.restore(system_, control_.method(), control_.converges_quickly());
}

}  // namespace taut
