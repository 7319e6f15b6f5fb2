// SPDX-License-Identifier: BSD-3-Clause
#include "gradients/adjoint_flow.hpp"

#include <utility>

#include "gradients/smooth_recorder.hpp"

namespace taut {

struct AdjointFlow::Scratch {
  LinearisedForces& forces;
  ReadNumbers& numbers;
  MotionTape& tape;
  std::vector<double>& modes;
  std::vector<std::vector<MeasuredDensity>> densities;
  Index nq = 0, ne = 0, rows = 0, m = 0;
  std::size_t part = 0;
  Vec of_measures{}, of_e{};  // scales
  bool dense = false;         // whether there is any density
  bool needs_loads = true;    // whether K, D or a number reads a or λ

  State state{};
  Covectors at{}, rate{};
  Vec x{}, lambda_all{}, no_motion{};
  Mat weights{}, on_a{}, on_rows{}, on_lambda{}, slopes{};
  Tangent nothing{};
  Mat no_lambda{};

  // state, and what LinearisedForces knows there
  Status go_to(double t) {
    const MotionPiece* piece = nullptr;
    if (const Status status = tape.find(t, part, piece); status != Status::ok) return status;
    SmoothRecorder::at(*piece, t, state);
    return Status::ok;
  }

  Status look(const State& there, bool derivatives) {
    if (!modes.empty()) modes = tape.parts()[part].modes;
    if (needs_loads) {
      if (const Status status = forces.forces(there.t, there.q, there.v); status != Status::ok)
        return status;
    } else {
      forces.place(there.t, there.q, there.v, no_motion);
    }
    if (derivatives)
      if (const Status status = forces.linearise(); status != Status::ok) return status;
    if (numbers.count() == 0) return Status::ok;
    if (!numbers.read_loads()) return numbers.values(there, {}, {}, x);
    if (const Status status = forces.all_multipliers(nothing, no_lambda, lambda_all, slopes);
        status != Status::ok)
      return status;
    return numbers.values(there, forces.a(), lambda_all, x);
  }

  // the transposes at the point of look(): `on_a` holds what came by v
  Status turn_back(const Mat& by, Covectors& to) {
    on_rows.setZero(rows, m);
    if (numbers.count() > 0)
      if (const Status status = numbers.pull_back(by, to.xi, to.eta, on_a, on_rows);
          status != Status::ok)
        return status;
    on_lambda.setZero(no_lambda.rows(), m);
    if (numbers.read_loads()) forces.pull_back_multipliers(on_rows, on_lambda, to.xi, to.eta);
    forces.pull_back(on_a, on_lambda, to.xi, to.eta);
    return Status::ok;
  }
};

AdjointFlow::AdjointFlow(LinearisedForces& forces, ReadNumbers& numbers, MotionTape& tape,
                         std::vector<double>& modes,
                         std::vector<std::vector<MeasuredDensity>> densities)
    : scratch_{
          std::make_unique<Scratch>(Scratch{forces, numbers, tape, modes, std::move(densities)})} {
  Scratch& s = *scratch_;
  s.nq = forces.nq();
  s.ne = forces.wide().ne();
  s.m = static_cast<Index>(s.densities.size());
  const Structure& model = forces.reading().structure();
  s.rows = static_cast<Index>(model.rows.size());
  for (const auto& of_one : s.densities) s.dense |= !of_one.empty();
  s.needs_loads = model.nc > 0 || !model.mass_constant || numbers.read_loads();
  s.of_measures = Vec::Ones(s.m);
  s.of_e = Vec::Ones(s.ne);
  s.no_motion = Vec::Zero(s.nq);
  s.nothing = {Mat(s.nq, 0), Mat(s.nq, 0)};
  s.no_lambda = Mat(model.nc, 0);
  const Index all = (2 * s.nq + s.ne + 1) * s.m;
  structure_.nq = structure_.nz = all;
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
  structure_.has_manifold = model.nc > 0;
}

AdjointFlow::~AdjointFlow() = default;

void AdjointFlow::enter(std::size_t part) { scratch_->part = part; }

void AdjointFlow::scale(const Vec& measures, const Vec& e) {
  scratch_->of_measures = measures;
  scratch_->of_e = e;
}

void AdjointFlow::prepare(Evaluation& out) const {
  out.M = structure_.M;
  out.f.setZero(structure_.nq);
}

State AdjointFlow::joined(double t, const Covectors& at) const {
  const Scratch& s = *scratch_;
  State result{-t, Vec::Zero(structure_.nq), Vec(structure_.nq)};
  Mat all(2 * s.nq + s.ne + 1, s.m);
  all << at.xi.topRows(s.nq), s.of_e.asDiagonal() * at.xi.bottomRows(s.ne), at.eta,
      at.integral.transpose();
  result.v = (all * s.of_measures.asDiagonal()).eval().reshaped();
  return result;
}

void AdjointFlow::split(const State& joined, Covectors& at) const {
  const Scratch& s = *scratch_;
  Mat all = joined.v.reshaped(2 * s.nq + s.ne + 1, s.m);
  all = all * s.of_measures.cwiseInverse().asDiagonal();
  at.xi = all.topRows(s.nq + s.ne);
  at.xi.bottomRows(s.ne) = s.of_e.cwiseInverse().asDiagonal() * at.xi.bottomRows(s.ne);
  at.eta = all.middleRows(s.nq + s.ne, s.nq);
  at.integral = all.row(2 * s.nq + s.ne).transpose();
}

Status AdjointFlow::place(double t, State& state) const {
  if (const Status status = scratch_->go_to(t); status != Status::ok) return status;
  state = scratch_->state;
  return Status::ok;
}

Status AdjointFlow::values(const State& state, Vec& x) const {
  if (const Status status = scratch_->look(state, false); status != Status::ok) return status;
  x = scratch_->x;
  return Status::ok;
}

Status AdjointFlow::pull_back(const State& state, const Mat& weights, Covectors& to) const {
  Scratch& s = *scratch_;
  if (const Status status = s.look(state, true); status != Status::ok) return status;
  s.on_a.setZero(s.nq, s.m);
  return s.turn_back(weights, to);
}

// (1), (2), (3) with -t as the time
Status AdjointFlow::evaluate(Needs wanted, const Arguments& at, Evaluation& out) const {
  if ((wanted & need(Target::force)) == 0) return Status::ok;
  Scratch& s = *scratch_;
  if (const Status status = s.go_to(-at.t); status != Status::ok) return status;
  if (const Status status = s.look(s.state, true); status != Status::ok) return status;
  split({at.t, {}, at.v}, s.at);
  s.rate.xi.setZero(s.nq + s.ne, s.m);
  s.rate.eta = s.at.xi.topRows(s.nq);
  s.rate.integral.setZero(s.m);
  s.weights.setZero(s.numbers.count(), s.m);
  for (Index j = 0; j < s.m; ++j)
    for (const MeasuredDensity& one : s.densities[static_cast<std::size_t>(j)]) {
      const double x = s.x[one.number];
      s.weights(one.number, j) += one.square ? 2 * x : 1.0;
      s.rate.integral[j] += one.square ? x * x : x;
    }
  s.on_a = s.at.eta;
  if (const Status status = s.turn_back(s.weights, s.rate); status != Status::ok) return status;
  out.f = joined(0.0, s.rate).v;
  return out.f.allFinite() ? Status::ok : Status::non_finite;
}

Status AdjointFlow::densities(double t, const Covectors& at, Mat& of_e) const {
  Scratch& s = *scratch_;
  Evaluation out;
  prepare(out);
  const State here = joined(t, at);
  if (const Status status = evaluate(need(Target::force), {.t = -t, .q = here.q, .v = here.v}, out);
      status != Status::ok)
    return status;
  of_e = s.rate.xi.bottomRows(s.ne);
  return Status::ok;
}

Status AdjointFlow::project(State& state, Evaluation& /*scratch*/) const {
  Scratch& s = *scratch_;
  if (const Status status = s.go_to(-state.t); status != Status::ok) return status;
  if (!s.modes.empty()) s.modes = s.tape.parts()[s.part].modes;
  split(state, s.at);
  if (const Status status =
          s.forces.pull_back_projection(s.state.t, s.state.q, s.state.v, s.at.xi, s.at.eta);
      status != Status::ok)
    return status;
  const Vec q = state.q;
  state = joined(-state.t, s.at);
  state.q = q;
  return Status::ok;
}

Status AdjointFlow::multipliers(const Arguments& /*at*/, const Vec& /*lambda*/, Evaluation& /*out*/,
                                Vec& all_rows) const {
  all_rows.resize(0);
  return Status::ok;
}

std::string AdjointFlow::culprit(const Arguments& /*at*/) const { return {}; }

}  // namespace taut
