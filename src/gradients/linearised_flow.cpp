// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/linearised_flow.hpp"

#include <utility>

#include "run/dense_output.hpp"

namespace taut {

struct LinearisedFlow::Scratch {
  Scratch(LinearisedForces& of, System system) : forces{of}, plain{std::move(system)} {}

  LinearisedForces& forces;
  System plain;
  OutputProjection projection;
  State state;
  Tangent columns;
  Mat w_rate, lambda_rate;
};

LinearisedFlow::LinearisedFlow(LinearisedForces& forces, System plain)
    : scratch_{std::make_unique<Scratch>(forces, std::move(plain))} {
  const Index all = forces.nq() * (1 + forces.columns());
  structure_.nq = all;
  structure_.coordinates.resize(static_cast<std::size_t>(all));
  structure_.velocities.resize(static_cast<std::size_t>(all));
  structure_.M.resize(all, all);
  structure_.M.setIdentity();
  structure_.M.makeCompressed();
  for (Sparse* empty : {&structure_.K, &structure_.D, &structure_.H}) empty->resize(all, all);
  for (Sparse* empty :
       {&structure_.G, &structure_.N, &structure_.observable_q, &structure_.observable_v})
    empty->resize(0, all);
  structure_.force_uses_velocity = structure_.force_uses_time = true;
  structure_.conservative = structure_.differentiable = false;
  structure_.has_manifold = scratch_->plain.nc() > 0;
  static_cast<void>(scratch_->projection.start(scratch_->plain));
}

LinearisedFlow::~LinearisedFlow() = default;

void LinearisedFlow::prepare(Evaluation& out) const {
  out.M = structure_.M;
  out.f.setZero(structure_.nq);
}

State LinearisedFlow::joined(const State& state, const Tangent& columns) const {
  State result{state.t, Vec(structure_.nq), Vec(structure_.nq)};
  result.q << state.q, columns.q.reshaped();
  result.v << state.v, columns.v.reshaped();
  return result;
}

void LinearisedFlow::split(const State& joined, State& state, Tangent& columns) const {
  const Index nq = scratch_->forces.nq(), m = scratch_->forces.columns();
  state.t = joined.t;
  state.q = joined.q.head(nq);
  state.v = joined.v.head(nq);
  columns.q = joined.q.tail(nq * m).reshaped(nq, m);
  columns.v = joined.v.tail(nq * m).reshaped(nq, m);
}

Status LinearisedFlow::evaluate(Needs wanted, const Arguments& at, Evaluation& out) const {
  if ((wanted & need(Target::force)) == 0) return Status::ok;
  Scratch& s = *scratch_;
  split({at.t, at.q, at.v}, s.state, s.columns);
  if (const Status status = s.forces.forces(at.t, s.state.q, s.state.v); status != Status::ok)
    return status;
  if (s.forces.columns() == 0) {
    out.f = s.forces.a();
    return Status::ok;
  }
  if (const Status status = s.forces.linearise(); status != Status::ok) return status;
  s.forces.rates(s.columns, s.w_rate, s.lambda_rate);
  out.f << s.forces.a(), s.w_rate.reshaped();
  return out.f.allFinite() ? Status::ok : Status::non_finite;
}

Status LinearisedFlow::project(State& state, Evaluation& /*scratch*/) const {
  Scratch& s = *scratch_;
  split(state, s.state, s.columns);
  if (const Status status = s.projection(s.plain, s.state); status != Status::ok) return status;
  if (s.forces.columns() > 0)
    if (const Status status = s.forces.project(s.state.t, s.state.q, s.state.v, s.columns);
        status != Status::ok)
      return status;
  state = joined(s.state, s.columns);
  return Status::ok;
}

Status LinearisedFlow::multipliers(const Arguments& /*at*/, const Vec& /*lambda*/,
                                   Evaluation& /*out*/, Vec& all_rows) const {
  all_rows.resize(0);
  return Status::ok;
}

std::string LinearisedFlow::culprit(const Arguments& at) const {
  const Index nq = scratch_->forces.nq();
  const Vec q = at.q.head(nq), v = at.v.head(nq);
  return scratch_->plain.culprit({.t = at.t, .q = q, .v = v});
}

}  // namespace taut
