// SPDX-License-Identifier: BSD-3-Clause
#include "dense_system.hpp"

#include <cmath>
#include <string>

namespace taut::test {
namespace {

Sparse full(Index rows, Index columns) {
  Sparse pattern = Mat::Ones(rows, columns).sparseView();
  pattern.makeCompressed();
  pattern.coeffs().setZero();
  return pattern;
}

Eigen::Map<RowMat> dense(Sparse& matrix) {
  return {matrix.valuePtr(), matrix.rows(), matrix.cols()};
}

}  // namespace

DenseSystem::DenseSystem(Size size) {
  structure_.nq = size.nq;
  structure_.nc = size.nc;
  structure_.C = structure_.d = Vec::Zero(size.nc);
  structure_.M = full(size.nq, size.nq);
  structure_.G = structure_.N = full(size.nc, size.nq);
  structure_.K = structure_.D = structure_.H = structure_.M;
  structure_.mass_diagonal = false;
  for (Index i = 0; i < size.nq; ++i) {
    std::string name{"q"};
    name += std::to_string(i + 1);
    structure_.coordinates.push_back(name);
    structure_.velocities.push_back(name.insert(0, "v(").append(")"));
  }
  for (int r = 0; r < static_cast<int>(size.nc); ++r)
    structure_.rows.push_back(
        {.name = "constraint " + std::to_string(r + 1), .equation = r, .scale = size.scale});
}

void DenseSystem::set_mass(const Mat& M) { dense(structure_.M) = M; }

void DenseSystem::mass(const Vec&, RowMat& M) const {
  M = Eigen::Map<const RowMat>{structure_.M.valuePtr(), structure_.nq, structure_.nq};
}

void DenseSystem::prepare(Evaluation& out) const {
  out.M = structure_.M;
  out.G = structure_.G;
  out.N = structure_.N;
  out.K = structure_.K;
  out.D = structure_.D;
  out.H = structure_.H;
  out.f = out.momentum_force = out.momentum = out.third = Vec::Zero(structure_.nq);
  out.g = out.g_t = out.curvature = Vec::Zero(structure_.nc);
}

Status DenseSystem::evaluate(Needs needs, const Arguments& at, Evaluation& out) const {
  const auto asked = [&needs](Target target) { return (needs & need(target)) != 0; };
  // small enough for the stack of Eigen's assignments; sized once per thread
  thread_local RowMat M, G;
  M.resize(structure_.nq, structure_.nq);
  G.resize(structure_.nc, structure_.nq);
  bool finite = true;
  if (asked(Target::mass) || asked(Target::momentum) || asked(Target::kinetic_energy)) {
    mass(at.q, M);
    if (asked(Target::mass)) dense(out.M) = M;
    out.momentum.noalias() = M * at.v;
    out.kinetic_energy = at.v.dot(out.momentum) / 2;
    finite = finite && out.momentum.allFinite();
  }
  if (asked(Target::force)) {
    force(at, out.f);
    finite = finite && out.f.allFinite();
  }
  if (asked(Target::momentum_force)) {
    momentum_force(at, out.momentum_force);
    finite = finite && out.momentum_force.allFinite();
  }
  if (asked(Target::potential_energy)) out.potential_energy = potential(at);
  if (asked(Target::constraint)) {
    constraint(at, out.g);
    finite = finite && out.g.allFinite();
  }
  if (asked(Target::constraint_jacobian)) {
    jacobian(at, G);
    dense(out.G) = G;
    finite = finite && G.allFinite();
  }
  if (asked(Target::constraint_rate)) rate(at, out.g_t);
  if (asked(Target::constraint_curvature)) curvature(at, out.curvature);
  if (asked(Target::third)) third(at, out.third);
  if (asked(Target::stiffness) && stiffness(at, M)) {
    dense(out.K) = M;
    needs &= ~need(Target::stiffness);
  }
  if (asked(Target::stiffness) || asked(Target::damping) || asked(Target::velocity_jacobian))
    differentiate(needs, at, out);
  if (asked(Target::constraint_stiffness)) differentiate_reactions(at, out);
  return finite ? Status::ok : Status::non_finite;
}

void DenseSystem::differentiate(Needs needs, const Arguments& at, Evaluation& out) const {
  const auto asked = [needs](Target target) { return (needs & need(target)) != 0; };
  const Index nq = structure_.nq, nc = structure_.nc;
  thread_local RowMat M, G;
  thread_local Vec q, v, f, g_t, r_high, r_low, u_high, u_low;
  M.resize(nq, nq);
  G.resize(nc, nq);
  for (Vec* x : {&f, &r_high, &r_low}) x->resize(nq);
  for (Vec* x : {&g_t, &u_high, &u_low}) x->resize(nc);
  q = at.q;
  v = at.v;
  const Arguments moved{.t = at.t, .q = q, .v = v};
  const auto residual = [&](Vec& r, Vec& u) {
    force(moved, f);
    r = -f;
    if (at.a != nullptr) {
      mass(q, M);
      r.noalias() += M * *at.a;
    }
    if (nc == 0) return;
    jacobian(moved, G);
    if (at.lambda != nullptr) r.noalias() += G.transpose() * *at.lambda;
    rate(moved, g_t);
    u = g_t;
    u.noalias() += G * v;
  };
  for (Vec* x : {&q, &v})
    for (Index j = 0; j < nq; ++j) {
      const double before = (*x)[j], h = 1e-6 * (1.0 + std::abs(before));
      (*x)[j] = before + h;
      residual(r_high, u_high);
      (*x)[j] = before - h;
      residual(r_low, u_low);
      (*x)[j] = before;
      if (x == &q && asked(Target::stiffness)) dense(out.K).col(j) = (r_high - r_low) / (2 * h);
      if (x == &v && asked(Target::damping)) dense(out.D).col(j) = (r_high - r_low) / (2 * h);
      if (x == &q && nc > 0 && asked(Target::velocity_jacobian))
        dense(out.N).col(j) = (u_high - u_low) / (2 * h);
    }
}

void DenseSystem::differentiate_reactions(const Arguments& at, Evaluation& out) const {
  thread_local RowMat G;
  thread_local Vec q;
  G.resize(structure_.nc, structure_.nq);
  q = at.q;
  const Arguments moved{.t = at.t, .q = q, .v = at.v};
  for (Index j = 0; j < structure_.nq; ++j) {
    const double before = q[j], h = 1e-5 * (1.0 + std::abs(before));
    dense(out.H).col(j).setZero();
    for (const double side : {h, -h}) {
      q[j] = before + side;
      jacobian(moved, G);
      for (Index r = 0; r < structure_.nc; ++r)
        dense(out.H).col(j) += (*at.lambda)[r] / (2 * side) * G.row(r).transpose();
    }
    q[j] = before;
  }
}

Status DenseSystem::multipliers(const Arguments&, const Vec& lambda, Evaluation&,
                                Vec& all_rows) const {
  all_rows = lambda;
  return Status::ok;
}

}  // namespace taut::test
