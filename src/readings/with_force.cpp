// SPDX-License-Identifier: BSD-3-Clause
#include "taut/readings/with_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/parameter_binding.hpp"
#include "model/pattern.hpp"
#include "readings/base_of.hpp"
#include "taut/core/problems.hpp"

namespace taut {
namespace {

/// Numbers of the coordinates a force names; what is wrong goes to `problems`.
std::vector<int> places_of(const BlackBoxForce& force, const Structure& structure,
                           Problems& problems) {
  const std::vector<std::string>& all = structure.coordinates;
  std::vector<int> places;
  if (force.coordinates.empty())
    for (int i = 0; i < structure.nq; ++i) places.push_back(i);
  for (const std::string& name : force.coordinates) {
    const auto found = std::find(all.begin(), all.end(), name);
    const auto place = static_cast<int>(found - all.begin());
    if (found == all.end())
      problems.add({}, "coordinates", fmt::format("there is no coordinate '{}'", name),
                   fmt::format("coordinates are: {}", fmt::join(all, ", ")));
    else if (std::find(places.begin(), places.end(), place) != places.end())
      problems.add({}, "coordinates", fmt::format("'{}' stands twice", name), "name it once");
    else
      places.push_back(place);
  }
  return places;
}

/// What the function is given and gives.
class Exchange final : public ReadingScratch {
 public:
  explicit Exchange(Index n) : q(n), v(n), f(n), f_q(n, n), f_v(n, n) {}
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<Exchange>(*this);
  }
  Vec q, v, f;
  Mat f_q, f_v;
};

/// A matrix of the base with a block of the force's coordinates added.
class BlockSum {
 public:
  Sparse analyse(const Sparse& base, const std::vector<int>& places) {
    Pattern pattern;
    for (int r = 0; r < base.outerSize(); ++r)
      for (Sparse::InnerIterator it{base, r}; it; ++it) pattern.add(r, static_cast<int>(it.col()));
    for (const int r : places)
      for (const int c : places) pattern.add(r, c);
    const Sparse sum = pattern.matrix(base.rows(), base.cols());
    for (int r = 0; r < base.outerSize(); ++r)
      for (Sparse::InnerIterator it{base, r}; it; ++it)
        of_base_.push_back(value_slot(sum, r, static_cast<int>(it.col())));
    for (const int r : places)
      for (const int c : places) of_block_.push_back(value_slot(sum, r, c));
    return sum;
  }

  /// to = base - block
  void write(const Sparse& base, const Mat& block, Sparse& to) const {
    std::fill_n(to.valuePtr(), to.nonZeros(), 0.0);
    for (std::size_t i = 0; i < of_base_.size(); ++i)
      to.valuePtr()[of_base_[i]] = base.valuePtr()[i];
    auto slot = of_block_.begin();
    for (Index r = 0; r < block.rows(); ++r)
      for (Index c = 0; c < block.cols(); ++c) to.valuePtr()[*slot++] -= block(r, c);
  }

 private:
  std::vector<int> of_base_, of_block_;
};

class WithForce final : public SystemImplementation {
 public:
  WithForce(System base, BlackBoxForce force, std::vector<int> places)
      : base_{std::move(base)},
        force_{std::move(force)},
        places_{std::move(places)},
        structure_{base_.structure()} {
    structure_.force_uses_velocity |= force_.uses_velocity;
    structure_.force_uses_time |= force_.uses_time;
    structure_.force_constant = false;
    structure_.conservative = false;
    structure_.differentiable &= force_.derivatives != nullptr;
    if (!structure_.differentiable) return;
    structure_.K = stiffness_.analyse(structure_.K, places_);
    if (force_.uses_velocity) structure_.D = damping_.analyse(structure_.D, places_);
  }

  [[nodiscard]] const System& base() const { return base_; }
  /// The same force on another base of the same coordinates.
  [[nodiscard]] System on(System base) const {
    return System{std::make_shared<const WithForce>(std::move(base), force_, places_)};
  }

  const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    base_.prepare(out);
    out.inner.resize(1);
    base_.prepare(out.inner.front());
    out.K = structure_.K;
    out.D = structure_.D;
    out.own.reset(std::make_unique<Exchange>(static_cast<Index>(places_.size())));
  }

  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    const bool of_force = asks(Target::stiffness) || asks(Target::damping);
    if (of_force && !structure_.differentiable) return Status::not_supported;
    Evaluation& in = out.inner.front();
    if (const Status st = base_.evaluate(wanted, at, in); st != Status::ok) return st;
    copy(wanted, in, out);
    auto& exchange = out.own.as<Exchange>();
    if (asks(Target::force) || asks(Target::momentum_force)) {
      if (const Status st = ask_force(at, exchange); st != Status::ok) return st;
      if (asks(Target::force)) add_force(exchange, out.f);
      if (asks(Target::momentum_force)) add_force(exchange, out.momentum_force);
    }
    if (!of_force) return Status::ok;
    if (const Status st = ask_derivatives(at, exchange); st != Status::ok) return st;
    if (asks(Target::stiffness)) stiffness_.write(in.K, exchange.f_q, out.K);
    if (asks(Target::damping) && force_.uses_velocity) damping_.write(in.D, exchange.f_v, out.D);
    return Status::ok;
  }

  Status evaluate_series(Needs wanted, const SeriesArguments& at,
                         std::span<Evaluation> out) const override {
    constexpr Needs of_force = needs(Target::force, Target::momentum_force);
    return (wanted & of_force) != 0 ? Status::not_supported
                                    : base_.evaluate_series(wanted, at, out);
  }

  Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                     Vec& all_rows) const override {
    return base_.multipliers(at, lambda, out.inner.front(), all_rows);
  }

  std::int64_t hidden_evaluations() const override { return base_.hidden_evaluations(); }

  const SystemImplementation* model() const override { return base_.implementation().model(); }
  std::string culprit(const Arguments& at) const override {
    Exchange exchange{static_cast<Index>(places_.size())};
    if (ask_force(at, exchange) == Status::non_finite)
      for (std::size_t i = 0; i < places_.size(); ++i)
        if (!std::isfinite(exchange.f[static_cast<Index>(i)]))
          return "force on " + structure_.coordinates[static_cast<std::size_t>(places_[i])];
    return base_.culprit(at);
  }

 private:
  void gather(const Arguments& at, Exchange& exchange) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      exchange.q[static_cast<Index>(i)] = at.q[places_[i]];
      exchange.v[static_cast<Index>(i)] = at.v[places_[i]];
    }
  }

  Status ask_force(const Arguments& at, Exchange& exchange) const {
    gather(at, exchange);
    exchange.f.setZero();
    const Status st = force_.force(at.t, exchange.q, exchange.v, exchange.f);
    if (st != Status::ok) return st;
    return exchange.f.allFinite() ? Status::ok : Status::non_finite;
  }

  Status ask_derivatives(const Arguments& at, Exchange& exchange) const {
    gather(at, exchange);
    exchange.f_q.setZero();
    exchange.f_v.setZero();
    const Status st = force_.derivatives(at.t, exchange.q, exchange.v, exchange.f_q, exchange.f_v);
    if (st != Status::ok) return st;
    return exchange.f_q.allFinite() && exchange.f_v.allFinite() ? Status::ok : Status::non_finite;
  }

  void add_force(const Exchange& exchange, Vec& f) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
      f[places_[i]] += exchange.f[static_cast<Index>(i)];
  }

  void copy(Needs wanted, const Evaluation& in, Evaluation& out) const {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    const auto take = [](const Sparse& from, Sparse& to) {
      std::copy_n(from.valuePtr(), from.nonZeros(), to.valuePtr());
    };
    if (asks(Target::mass) && !structure_.mass_constant) take(in.M, out.M);
    if (asks(Target::force)) out.f = in.f;
    if (asks(Target::momentum_force)) out.momentum_force = in.momentum_force;
    if (asks(Target::momentum)) out.momentum = in.momentum;
    if (asks(Target::kinetic_energy)) out.kinetic_energy = in.kinetic_energy;
    if (asks(Target::potential_energy)) out.potential_energy = in.potential_energy;
    if (asks(Target::constraint)) out.g = in.g;
    if (asks(Target::constraint_jacobian)) take(in.G, out.G);
    if (asks(Target::constraint_rate)) out.g_t = in.g_t;
    if (asks(Target::constraint_curvature)) out.curvature = in.curvature;
    if (asks(Target::velocity_jacobian)) take(in.N, out.N);
    if (asks(Target::damping) && !force_.uses_velocity) take(in.D, out.D);
    if (asks(Target::constraint_stiffness)) take(in.H, out.H);
    if (asks(Target::third)) out.third = in.third;
    if (asks(Target::observable)) out.observable = in.observable;
    if (asks(Target::observable_t)) out.observable_t = in.observable_t;
    if (asks(Target::observable_q)) take(in.observable_q, out.observable_q);
    if (asks(Target::observable_v)) take(in.observable_v, out.observable_v);
    if (asks(Target::force_multiplier)) take(in.force_multiplier, out.force_multiplier);
    if (asks(Target::observable_multiplier))
      take(in.observable_multiplier, out.observable_multiplier);
    if (asks(Target::acceleration_q)) out.acceleration_q = in.acceleration_q;
    if (asks(Target::acceleration_v)) out.acceleration_v = in.acceleration_v;
  }

  System base_;
  BlackBoxForce force_;
  std::vector<int> places_;  // of its coordinates among all
  Structure structure_;
  BlockSum stiffness_, damping_;
};

}  // namespace

System with_force(const System& system, BlackBoxForce force) {
  Problems problems;
  std::vector<int> places = places_of(force, system.structure(), problems);
  if (!force.force)
    problems.add({}, "force", "there is no function", "give the function that computes f(t, q, v)");
  if (system.structure().has_manifold)
    problems.add({}, "system", "its motions are confined to a manifold that no equation states",
                 "add the force to the model it was made of, and read that");
  problems.throw_if_any();
  // below the reading of rows, so that they can still be read in other ways
  const System joined{
      std::make_shared<const WithForce>(base_of(system), std::move(force), std::move(places))};
  return read_like(joined, system);
}

System without_forces(const System& base) {
  const auto* const joined = dynamic_cast<const WithForce*>(&base.implementation());
  return joined != nullptr ? without_forces(joined->base()) : base;
}

System with_forces_of(const System& base, const System& formulas) {
  const auto* const joined = dynamic_cast<const WithForce*>(&base.implementation());
  return joined != nullptr ? joined->on(with_forces_of(joined->base(), formulas)) : formulas;
}

CompiledModel with_force(const CompiledModel& model, const BlackBoxForce& force) {
  if (model.jets) {
    Problems problems;
    problems.add({}, "force", "is for mechanical models, and this one has [jets]",
                 "write it into the equations");
    throw ModelError{std::move(problems)};
  }
  return with_addition(model, [force](const System& system) { return with_force(system, force); });
}

}  // namespace taut
