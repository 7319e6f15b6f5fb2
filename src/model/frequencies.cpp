// SPDX-License-Identifier: BSD-3-Clause
#include "model/frequencies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/any_direction.hpp"
#include "core/dense_decompositions.hpp"
#include "model/accelerations.hpp"

namespace taut {
namespace {

// takes over the squares of the frequencies; what is zero up to rounding is no vibration
void sort_out(const Vec& squares, Frequencies& found) {
  const double largest = squares.size() > 0 ? squares.cwiseAbs().maxCoeff() : 0.0;
  const double rounding =
      static_cast<double>(squares.size()) * 1e2 * std::numeric_limits<double>::epsilon() * largest;
  for (const double square : squares) {
    if (square > rounding) found.omega.push_back(std::sqrt(square));
    if (square < -rounding) found.growth = std::max(found.growth, std::sqrt(-square));
  }
  std::sort(found.omega.rbegin(), found.omega.rend());
}

// (1) as a matrix
Mat projector(const Kkt& kkt, const Sparse& M, Index nc) {
  const Index nq = M.rows();
  Mat P = Mat::Identity(nq, nq);
  if (nc == 0) return P;
  const Vec zero = Vec::Zero(nc);
  Vec x(nq), mu(nc);
  for (Index j = 0; j < nq; ++j) {
    const Vec column = M * P.col(j);
    kkt.solve(column, zero, x, mu);
    P.col(j) = x;
  }
  return P;
}

void all(const Kkt& kkt, const Sparse& M, const Sparse& K, Index nc, Frequencies& found) {
  const Mat P = projector(kkt, M, nc);
  const Mat dense_K{K};
  const Mat allowed = product(product(P.transpose(), dense_K + dense_K.transpose()), P) / 2;
  const SymmetricModes modes = symmetric_modes(allowed, Mat{M}, Wanted::values);
  if (!modes.found) {
    found.status = Status::iteration_limit;
    return;
  }
  sort_out(modes.omega2, found);
}

void fastest(const Kkt& kkt, const Sparse& M, const Sparse& K, Index nc, Frequencies& found) {
  constexpr int iterations = 60;  // a few per cent of a well separated frequency: an estimate
  const Index nq = M.rows();
  const Vec zero = Vec::Zero(nc);
  Vec x = any_direction(nq), y(nq), mu(nc);
  double square = 0.0;
  for (int k = 0; k < iterations; ++k) {
    y = K * x;
    kkt.solve(y, zero, x, mu);
    const double norm = std::sqrt(x.dot(M * x));
    if (!(norm > 0.0)) return;
    x /= norm;
    square = x.dot(K * x);
  }
  if (square > 0.0) found.omega.push_back(std::sqrt(square));
  if (square < 0.0) found.growth = std::sqrt(-square);
}

}  // namespace

Frequencies frequencies(const System& system, const State& state) {
  Frequencies found;
  Accelerations accelerations;
  Evaluation ev;
  Vec a(system.nq()), lambda(system.nc());
  system.prepare(ev);
  found.status = accelerations.start(system);
  if (found.status == Status::ok)
    found.status = accelerations(system, state.t, state.q, state.v, a, lambda);
  if (found.status == Status::ok)
    found.status = system.evaluate(needs(Target::stiffness, Target::mass),
                                   {state.t, state.q, state.v, &a, &lambda}, ev);
  if (found.status != Status::ok) return found;

  // first-order states are held: they have no vibrations of their own
  const Index places = system.structure().places();
  for (Index i = places; i < system.nq(); ++i)
    for (Sparse::InnerIterator it{ev.K, i}; it; ++it) it.valueRef() = 0.0;

  const Sparse& M = system.structure().mass_constant ? system.structure().M : ev.M;
  if (system.nq() <= Frequencies::all_up_to)
    all(accelerations.kkt(), M, ev.K, system.nc(), found);
  else
    fastest(accelerations.kkt(), M, ev.K, system.nc(), found);
  return found;
}

}  // namespace taut
