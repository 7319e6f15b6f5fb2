// SPDX-License-Identifier: BSD-3-Clause
#include "methods/radau_derivatives.hpp"

#include <algorithm>

#include "core/archive_list.hpp"

namespace taut {
namespace {

constexpr double same = 0.01;  // change of the matrix up to which its factors serve

// where the diagonal of a matrix stands among its entries; -1: not there
std::vector<int> diagonal_slots(const Sparse& matrix) {
  std::vector<int> slots;
  for (int i = 0; i < matrix.rows(); ++i) {
    slots.push_back(-1);
    for (int p = matrix.outerIndexPtr()[i]; p < matrix.outerIndexPtr()[i + 1]; ++p)
      if (matrix.innerIndexPtr()[p] == i) slots.back() = p;
  }
  return slots;
}

}  // namespace

void RadauDerivatives::start(const System& system) {
  const Structure& structure = system.structure();
  system.prepare(evaluation_);
  matrix_.analyse(structure);
  K_diagonal_ = diagonal_slots(structure.K);
  M_diagonal_ = diagonal_slots(structure.M);
  wanted_ = true;
  factored_stages_ = 0;
}

Status RadauDerivatives::evaluate(const System& system, const RadauCoefficients& method,
                                  bool quick) {
  const Structure& structure = system.structure();
  Needs all = needs(Target::stiffness, Target::damping);
  if (!structure.mass_constant) all |= need(Target::mass);
  if (structure.nc > 0) all |= needs(Target::constraint_jacobian, Target::velocity_jacobian);
  const State& at = point.state;
  if (const Status status = system.evaluate(
          all, {.t = at.t, .q = at.q, .v = at.v, .a = &point.a, .lambda = &point.lambda},
          evaluation_);
      status != Status::ok)
    return status;
  const Sparse& M = structure.mass_constant ? structure.M : evaluation_.M;
  matrix_.set(structure, M, evaluation_.K, evaluation_.D, evaluation_.G, evaluation_.N,
              point.dropped);
  stiffest_ = 0.0;
  for (std::size_t i = 0; i < K_diagonal_.size(); ++i)
    if (K_diagonal_[i] >= 0)
      stiffest_ = std::max(stiffest_,
                           evaluation_.K.valuePtr()[K_diagonal_[i]] / M.valuePtr()[M_diagonal_[i]]);
  wanted_ = false;
  // a matrix may be far off and its corrections small for that very reason: look
  if (factored_stages_ != method.s || !quick || matrix_.change(method, factored_h_) > same)
    factored_stages_ = 0;
  return Status::ok;
}

Status RadauDerivatives::factor(const RadauCoefficients& method, double h) {
  factored_stages_ = 0;
  if (const Status status = matrix_.factor(method, h); status != Status::ok) return status;
  factored_stages_ = method.s;
  factored_h_ = h;
  factor_point_ = point;
  return Status::ok;
}

void RadauDerivatives::archive(Archive& archive) {
  archive(factored_h_, factored_stages_, factor_point_.state, factor_point_.a, factor_point_.lambda,
          factor_point_.dropped);
}

void RadauDerivatives::restore(const System& system, const RadauCoefficients& method, bool quick) {
  const DerivativePoint& at = factor_point_;
  const auto is_row = [&](int row) { return row >= 0 && row < system.nc(); };
  require_sense(factored_stages_ == 0 ||
                    (at.state.q.size() == system.nq() && at.state.v.size() == system.nq() &&
                     at.a.size() == system.nq() && at.lambda.size() == system.nc() &&
                     std::all_of(at.dropped.begin(), at.dropped.end(), is_row)),
                "sizes in it");
  const double stiffest = stiffest_, h = factored_h_;
  if (factored_stages_ == method.s) {
    point = factor_point_;
    if (evaluate(system, method, quick) != Status::ok || factor(method, h) != Status::ok)
      factored_stages_ = 0;
  }
  stiffest_ = stiffest;
  wanted_ = true;
}

}  // namespace taut
