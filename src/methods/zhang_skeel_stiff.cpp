// SPDX-License-Identifier: BSD-3-Clause
#include "methods/zhang_skeel_stiff.hpp"

#include <algorithm>

#include "model/pattern.hpp"
#include "taut/methods/fits.hpp"

namespace taut {
namespace {

constexpr Needs forces = needs(Target::force, Target::constraint, Target::constraint_jacobian);

void for_each_entry(const Sparse& matrix, const auto& visit) {
  for (int r = 0; r < matrix.rows(); ++r)
    for (int p = matrix.outerIndexPtr()[r]; p < matrix.outerIndexPtr()[r + 1]; ++p)
      visit(r, matrix.innerIndexPtr()[p]);
}

// pairs of entries of G in one row, in the order in which their products are added
void for_each_product(const Sparse& G, const auto& visit) {
  for (int r = 0; r < G.rows(); ++r)
    for (int p = G.outerIndexPtr()[r]; p < G.outerIndexPtr()[r + 1]; ++p)
      for (int s = G.outerIndexPtr()[r]; s < G.outerIndexPtr()[r + 1]; ++s) visit(r, p, s);
}

}  // namespace

Status StiffFilter::start(const System& system, const State& state, Counters& counters) {
  const Structure& structure = system.structure();
  message_ = refusal(info, structure).text();
  if (!message_.empty()) return Status::not_supported;
  system.prepare(ev_);
  lambda_ = Vec::Zero(system.nc());

  const Sparse& G = structure.G;
  const int* const column = G.innerIndexPtr();
  Pattern pattern;
  for_each_entry(structure.H, [&](int i, int j) { pattern.add(i, j); });
  for_each_product(G, [&](int, int p, int s) { pattern.add(column[p], column[s]); });
  S_ = pattern.matrix(structure.nq, structure.nq);
  of_H_.clear();
  of_G_.clear();
  for_each_entry(structure.H, [&](int i, int j) { of_H_.push_back(value_slot(S_, i, j)); });
  for_each_product(
      G, [&](int, int p, int s) { of_G_.push_back(value_slot(S_, column[p], column[s])); });
  matrix_.analyse(structure.M, S_);

  // rehearsal, in which the matrix is M
  Vec a = Vec::Zero(system.nq());
  const Status st = (*this)(system, state, 0.0, a, counters);
  return st == Status::indefinite_matrix ? Status::mass_singular : st;
}

Status StiffFilter::operator()(const System& system, const State& at, double h, Vec& a,
                               Counters& counters) {
  message_.clear();
  ++counters.force_evaluations;
  ++counters.jacobian_evaluations;
  const Structure& structure = system.structure();
  const Arguments here{.t = at.t, .q = at.q, .v = at.v, .a = &a, .lambda = &lambda_};
  if (const Status st = system.evaluate(forces, here, ev_); st != Status::ok) return st;
  lambda_ = ev_.g.cwiseQuotient(structure.C);
  if (structure.nc > 0)
    if (const Status st = system.evaluate(need(Target::constraint_stiffness), here, ev_);
        st != Status::ok)
      return st;
  assemble(structure);
  ++counters.factorisations;
  if (const Status st = matrix_.factor(S_, h); st != Status::ok) {
    message_ = matrix_.reason(structure, S_, at.t);
    return st;
  }
  // (2)
  a = ev_.f;
  if (structure.nc > 0) a.noalias() -= ev_.G.transpose() * lambda_;
  matrix_.solve(a, a);
  return Status::ok;
}

// S of (2)
void StiffFilter::assemble(const Structure& structure) {
  double* const S = S_.valuePtr();
  std::fill_n(S, S_.nonZeros(), 0.0);
  const double* const H = ev_.H.valuePtr();
  for (std::size_t k = 0; k < of_H_.size(); ++k) S[of_H_[k]] += H[k];
  const double* const G = ev_.G.valuePtr();
  const int* slot = of_G_.data();
  for_each_product(structure.G,
                   [&](int r, int p, int s) { S[*slot++] += G[p] * G[s] / structure.C[r]; });
}

}  // namespace taut
