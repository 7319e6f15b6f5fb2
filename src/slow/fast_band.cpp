// SPDX-License-Identifier: BSD-3-Clause
#include "slow/fast_band.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/any_direction.hpp"
#include "core/dense_decompositions.hpp"
#include "core/kkt.hpp"
#include "model/frequencies.hpp"
#include "readings/readings.hpp"

namespace taut {
namespace {

constexpr Index most_steps = 40;  // of Lanczos' iteration: all there is for small systems
constexpr double margin = 0.03;   // by which a band is wider than what an iteration has found

using Operator = std::function<void(const Vec&, Vec&)>;

/// Largest eigenvalue of a symmetric positive operator by Lanczos' iteration, every vector made
/// orthogonal to all before it.
double largest_eigenvalue(const Operator& apply, Index n) {
  const Index steps = std::min(n, most_steps);
  Mat basis(n, steps);
  Vec diagonal = Vec::Zero(steps), beside = Vec::Zero(std::max<Index>(steps - 1, 0)), y(n);
  Vec x = any_direction(n).normalized();
  Index k = 0;
  for (; k < steps; ++k) {
    basis.col(k) = x;
    apply(x, y);
    diagonal[k] = x.dot(y);
    for (int twice = 0; twice < 2; ++twice)
      y -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * y);
    const double left = y.norm();
    if (k + 1 == steps || left <= 1e-10 * std::abs(diagonal[0])) break;
    beside[k] = left;
    x = y / left;
  }
  const Index size = std::min(k + 1, steps);
  const Vec found = tridiagonal_eigenvalues(diagonal.head(size), beside.head(size - 1));
  return found.size() > 0 ? found.maxCoeff() : std::nan("");
}

/// (1)
FastBand of_constraints(const System& equations, const State& state) {
  const Structure& structure = equations.structure();
  FastBand found;
  Evaluation ev;
  Kkt kkt;
  equations.prepare(ev);
  kkt.analyse(structure.M, structure.G);
  found.status = equations.evaluate(needs(Target::mass, Target::constraint_jacobian),
                                    {.t = state.t, .q = state.q, .v = state.v}, ev);
  if (found.status == Status::ok)
    found.status =
        kkt.factor(structure.mass_constant ? structure.M : ev.M, ev.G, Vec::Zero(structure.nc));
  if (found.status != Status::ok) {
    found.reason = sentence(found.status);
    return found;
  }
  if (!kkt.dependent().empty()) {
    found.status = Status::not_supported;
    found.reason = "some constraints depend on others: which vibrations they have is not known";
    return found;
  }
  const Vec root = structure.C.cwiseSqrt();
  Vec x(structure.nq), s(structure.nc), mu(structure.nc);
  const double highest = largest_eigenvalue(
      [&](const Vec& in, Vec& out) {
        x = ev.G.transpose() * in.cwiseQuotient(root);
        kkt.solve_mass(x, x);
        out = (ev.G * x).cwiseQuotient(root);
      },
      structure.nc);
  const double lowest = 1.0 / largest_eigenvalue(
                                  [&](const Vec& in, Vec& out) {
                                    s = root.cwiseProduct(in);
                                    kkt.solve_constraint(s, x, mu);
                                    out = -root.cwiseProduct(mu);
                                  },
                                  structure.nc);
  if (!(lowest > 0.0) || !std::isfinite(highest)) {
    found.status = Status::iteration_limit;
    found.reason = "the frequencies of the constraints could not be computed";
    return found;
  }
  found.band = {std::sqrt(lowest) * (1.0 - margin), std::sqrt(highest) * (1.0 + margin)};
  return found;
}

FastBand of_potential(const System& system, const State& state, double gap) {
  const Frequencies all = frequencies(system, state);
  const std::vector<double>& omega = all.omega;
  FastBand found{.status = all.status, .reason = {}, .band = {}};
  if (found.status != Status::ok) {
    found.reason = sentence(found.status);
    return found;
  }
  found.status = Status::not_supported;
  if (system.nq() > Frequencies::all_up_to) {
    found.reason =
        fmt::format("of systems with more than {} coordinates only the fastest vibration is known",
                    Frequencies::all_up_to);
    return found;
  }
  // growth is slow motion like any other; so is what moves without vibrating
  std::vector<double> rates = omega;
  if (all.growth > 0.0) rates.push_back(all.growth);
  const double size = state.q.norm();
  if (static_cast<Index>(rates.size()) < system.nq() - system.nc())
    rates.push_back(size > 0.0 ? state.v.norm() / size : 0.0);
  std::sort(rates.rbegin(), rates.rend());
  std::size_t fast = 0;
  double widest = gap;
  for (std::size_t k = 1; k < rates.size(); ++k)
    if (rates[k - 1] >= widest * rates[k]) {
      widest = rates[k - 1] / rates[k];
      fast = k;
    }
  if (fast == 0) {
    found.reason = omega.empty()
                       ? "nothing vibrates here"
                       : fmt::format(
                             "the frequencies of small vibrations, {:.3g} to {:.3g} rad/s, "
                             "have no gap that tells fast from slow ones",
                             omega.back(), omega.front());
    return found;
  }
  found.status = Status::ok;
  found.band = {rates[fast - 1], rates.front()};
  return found;
}

std::string outside(const Band& band, double frequency, const char* what) {
  return fmt::format("the band from {:.4g} to {:.4g} rad/s {}, of {:.4g} rad/s", band.lowest,
                     band.highest, what, frequency);
}

}  // namespace

std::string band_mistake(const System& equations, const State& state, const Band& band) {
  if (equations.nc() == 0) {
    const Frequencies all = frequencies(equations, state);
    if (all.status != Status::ok || all.omega.empty()) return {};
    if (all.fastest() > (1.0 + margin) * band.highest)
      return outside(band, all.fastest(), "leaves out a faster vibration");
    if (all.fastest() < (1.0 - margin) * band.lowest)
      return outside(band, all.fastest(), "is above the fastest vibration");
    return {};
  }
  const FastBand fast = fast_band(equations, state);
  // where they are not known, such as those of rows that share a load, the user is believed
  if (fast.status == Status::ok) {
    if (fast.band.lowest * (1.0 + 2 * margin) < band.lowest)
      return outside(band, fast.band.lowest, "leaves out a slower vibration of the constraints");
    if (fast.band.highest * (1.0 - 2 * margin) > band.highest)
      return outside(band, fast.band.highest, "leaves out a faster vibration of the constraints");
  }
  const double slow = frequencies(rigid(equations), state).fastest();
  if (slow >= band.lowest) return outside(band, slow, "contains a slow vibration");
  return {};
}

FastBand fast_band(const System& equations, const State& state, double gap) {
  const Structure& structure = equations.structure();
  if (structure.nc == 0 || !(structure.C.maxCoeff() > 0.0))
    return of_potential(equations, state, gap);
  if (structure.C.minCoeff() > 0.0) return of_constraints(equations, state);
  return {Status::not_supported,
          "there are rigid constraints beside compliant ones: their vibrations are not free",
          {}};
}

}  // namespace taut
