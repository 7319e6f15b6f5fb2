// SPDX-License-Identifier: BSD-3-Clause
#include "taut/model/force_only.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "taut/core/problems.hpp"

namespace taut {
namespace {

void check(const ForceOnly& description) {
  Problems problems;
  const auto n = static_cast<Index>(description.coordinates.size());
  if (n == 0) problems.add({}, "coordinates", "there are none", "name at least one coordinate");
  if (description.mass.size() != n)
    problems.add({}, "mass",
                 fmt::format("{} masses for {} coordinates", description.mass.size(), n),
                 "give one mass for each coordinate");
  for (Index i = 0; i < std::min(n, description.mass.size()); ++i)
    if (!(description.mass[i] > 0.0) || !std::isfinite(description.mass[i]))
      problems.add({},
                   fmt::format("mass of {}", description.coordinates[static_cast<std::size_t>(i)]),
                   fmt::format("{} is not a mass", description.mass[i]), "give a number > 0");
  if (!description.force)
    problems.add({}, "force", "there is no function", "give the function that computes f(t, q)");
  problems.throw_if_any();
}

class ForceOnlySystem final : public SystemImplementation {
 public:
  explicit ForceOnlySystem(ForceOnly description) : description_{std::move(description)} {
    Structure& s = structure_;
    s.coordinates = description_.coordinates;
    s.nq = static_cast<Index>(s.coordinates.size());
    for (const std::string& name : s.coordinates) s.velocities.push_back("v(" + name + ")");
    s.M.resize(s.nq, s.nq);
    s.M.setIdentity();
    Eigen::Map<Vec>(s.M.valuePtr(), s.nq) = description_.mass;
    for (Sparse* x : {&s.K, &s.D}) x->resize(s.nq, s.nq);
    for (Sparse* x : {&s.G, &s.N, &s.observable_q, &s.observable_v}) x->resize(0, s.nq);
    for (Sparse* x : {&s.K, &s.D, &s.G, &s.N, &s.observable_q, &s.observable_v})
      x->makeCompressed();
    s.force_uses_time = description_.uses_time;
    s.conservative = false;
    s.differentiable = false;
  }

  [[nodiscard]] const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    const Structure& s = structure_;
    out.M = s.M;
    out.G = s.G;
    out.N = s.N;
    out.K = s.K;
    out.D = s.D;
    out.observable_q = s.observable_q;
    out.observable_v = s.observable_v;
    for (Vec* x : {&out.f, &out.momentum_force, &out.momentum}) x->setZero(s.nq);
    for (Vec* x : {&out.g, &out.g_t, &out.curvature, &out.observable, &out.observable_t})
      x->resize(0);
    out.kinetic_energy = out.potential_energy = 0.0;
  }

  [[nodiscard]] Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if ((wanted & force_derivatives) != 0) return Status::not_supported;
    const auto speed = at.v.array();
    if (asks(Target::momentum)) out.momentum = (description_.mass.array() * speed).matrix();
    if (asks(Target::kinetic_energy))
      out.kinetic_energy = 0.5 * (description_.mass.array() * speed.square()).sum();
    // not a failure: a run that records energies has this much to say about them
    if (asks(Target::potential_energy))
      out.potential_energy = std::numeric_limits<double>::quiet_NaN();
    if (!asks(Target::force) && !asks(Target::momentum_force)) return Status::ok;
    Vec& f = asks(Target::force) ? out.f : out.momentum_force;
    if (const Status st = description_.force(at.t, at.q, f); st != Status::ok) return st;
    if (!f.allFinite()) return Status::non_finite;
    if (asks(Target::force) && asks(Target::momentum_force)) out.momentum_force = out.f;
    return Status::ok;
  }

  [[nodiscard]] Status multipliers(const Arguments& /*at*/, const Vec& /*lambda*/,
                                   Evaluation& /*out*/, Vec& all_rows) const override {
    all_rows.resize(0);
    return Status::ok;
  }

  [[nodiscard]] std::string culprit(const Arguments& at) const override {
    Vec f = Vec::Zero(structure_.nq);
    if (description_.force(at.t, at.q, f) != Status::ok) return {};
    for (Index i = 0; i < f.size(); ++i)
      if (!std::isfinite(f[i]))
        return "force on " + structure_.coordinates[static_cast<std::size_t>(i)];
    return {};
  }

 private:
  ForceOnly description_;
  Structure structure_;
};

}  // namespace

System force_only(ForceOnly description) {
  check(description);
  return System{std::make_shared<const ForceOnlySystem>(std::move(description))};
}

}  // namespace taut
