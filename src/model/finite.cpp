// SPDX-License-Identifier: BSD-3-Clause
#include "model/finite.hpp"

#include <array>
#include <cmath>

namespace taut {
namespace {

std::span<const double> values(const double& x) { return {&x, 1}; }
std::span<const double> values(const Vec& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
std::span<const double> values(const Sparse& a) {
  return {a.valuePtr(), static_cast<std::size_t>(a.nonZeros())};
}

}  // namespace

bool all_finite(std::span<const double> numbers) {
  constexpr std::size_t width = 8;
  std::array<double, width> sums{};
  std::size_t i = 0;
  for (; i + width <= numbers.size(); i += width)
    for (std::size_t k = 0; k < width; ++k) sums[k] += numbers[i + k] * 0.0;
  for (; i < numbers.size(); ++i) sums[0] += numbers[i] * 0.0;
  double sum = 0.0;
  for (const double s : sums) sum += s;
  return sum == 0.0;
}

namespace {

/// What is only shown stops no motion.
bool watched_are_finite(const Vec& observable, const std::vector<Observable>& observables) {
  for (std::size_t k = 0; k < observables.size(); ++k)
    if (observables[k].kind < Observable::Kind::drawn &&
        !std::isfinite(observable[static_cast<Index>(k)]))
      return false;
  return true;
}

}  // namespace

NonFinitePlace& last_non_finite_place() {
  thread_local NonFinitePlace place;
  return place;
}

bool all_finite(Needs wanted, const Evaluation& out, const Structure& structure) {
  const auto fine = [wanted](Target target, const auto& field) {
    return (wanted & need(target)) == 0 || all_finite(values(field));
  };
  return (structure.mass_constant || fine(Target::mass, out.M)) && fine(Target::force, out.f) &&
         fine(Target::momentum_force, out.momentum_force) && fine(Target::momentum, out.momentum) &&
         fine(Target::kinetic_energy, out.kinetic_energy) &&
         fine(Target::potential_energy, out.potential_energy) && fine(Target::constraint, out.g) &&
         fine(Target::constraint_jacobian, out.G) && fine(Target::constraint_rate, out.g_t) &&
         fine(Target::constraint_curvature, out.curvature) &&
         fine(Target::velocity_jacobian, out.N) && fine(Target::stiffness, out.K) &&
         fine(Target::damping, out.D) && fine(Target::constraint_stiffness, out.H) &&
         fine(Target::third, out.third) &&
         ((wanted & need(Target::observable)) == 0 ||
          watched_are_finite(out.observable, structure.observables)) &&
         fine(Target::observable_t, out.observable_t) &&
         fine(Target::observable_q, out.observable_q) &&
         fine(Target::observable_v, out.observable_v) &&
         fine(Target::force_multiplier, out.force_multiplier) &&
         fine(Target::observable_multiplier, out.observable_multiplier) &&
         fine(Target::acceleration_q, out.acceleration_q) &&
         fine(Target::acceleration_v, out.acceleration_v);
}

}  // namespace taut
