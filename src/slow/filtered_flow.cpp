// SPDX-License-Identifier: BSD-3-Clause
#include "slow/filtered_flow.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "taut/core/problems.hpp"

namespace taut {
namespace {

constexpr Needs forces = needs(Target::force, Target::momentum_force);
constexpr Needs at_slow_point =
    needs(Target::kinetic_energy, Target::potential_energy, Target::observable,
          Target::observable_q, Target::observable_v, Target::observable_t);

/// What an Evaluation of the flow keeps.
struct FilteredScratch final : ReadingScratch {
  explicit FilteredScratch(IteratedProjection started) : projection{std::move(started)} {}
  [[nodiscard]] std::unique_ptr<ReadingScratch> clone() const override {
    return std::make_unique<FilteredScratch>(*this);
  }
  IteratedProjection projection;
  State slow;  // P of the point of the last evaluation
};

class FilteredFlow final : public SystemImplementation {
 public:
  FilteredFlow(System base, IteratedProjection started)
      : base_{std::move(base)}, started_{std::move(started)}, structure_{base_.structure()} {
    structure_.K = structure_.D = Sparse(structure_.nq, structure_.nq);
    structure_.force_constant = false;
    structure_.force_uses_velocity = true;
    structure_.differentiable = false;
    structure_.has_manifold = true;
  }

  [[nodiscard]] const Structure& structure() const override { return structure_; }

  void prepare(Evaluation& out) const override {
    base_.prepare(out);
    out.inner.resize(1);
    base_.prepare(out.inner.front());
    out.K = structure_.K;
    out.D = structure_.D;
    out.own.reset(std::make_unique<FilteredScratch>(started_));
  }

  [[nodiscard]] Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    if ((wanted & force_derivatives) != 0) return Status::not_supported;
    Evaluation& in = out.inner.front();
    if ((wanted & need(Target::momentum)) != 0) {
      if (const Status st = base_.evaluate(need(Target::momentum), at, in); st != Status::ok)
        return st;
      out.momentum = in.momentum;
    }
    if ((wanted & (forces | at_slow_point)) == 0) return Status::ok;

    FilteredScratch& own = out.own.as<FilteredScratch>();
    if (const Status st = find_slow_point(at, own); st != Status::ok) return st;
    // (1)
    if ((wanted & need(Target::force)) != 0)
      out.f.noalias() = structure_.M * own.projection.acceleration();
    if ((wanted & need(Target::momentum_force)) != 0)
      out.momentum_force.noalias() = structure_.M * own.projection.acceleration();
    if ((wanted & at_slow_point) == 0) return Status::ok;
    const Status st = base_.evaluate(wanted & at_slow_point, here(own), in);
    if (st == Status::ok) copy(wanted, in, out);
    return st;
  }

  [[nodiscard]] Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                                   Vec& all_rows) const override {
    FilteredScratch& own = out.own.as<FilteredScratch>();
    if (const Status st = find_slow_point(at, own); st != Status::ok) return st;
    return base_.multipliers(here(own), lambda, out.inner.front(), all_rows);
  }

  [[nodiscard]] Status project(State& state, Evaluation& scratch) const override {
    return count(scratch.own.as<FilteredScratch>().projection, state);
  }

  [[nodiscard]] std::int64_t hidden_evaluations() const override {
    return evaluations_.load(std::memory_order_relaxed);
  }

  [[nodiscard]] const SystemImplementation* model() const override {
    return base_.implementation().model();
  }
  [[nodiscard]] std::string culprit(const Arguments& at) const override {
    return base_.culprit(at);
  }

 private:
  [[nodiscard]] Status find_slow_point(const Arguments& at, FilteredScratch& own) const {
    own.slow.t = at.t;
    own.slow.q = at.q;
    own.slow.v = at.v;
    return count(own.projection, own.slow);
  }

  [[nodiscard]] Status count(IteratedProjection& projection, State& state) const {
    const std::int64_t before = projection.force_evaluations();
    const Status st = projection(state);
    evaluations_.fetch_add(projection.force_evaluations() - before, std::memory_order_relaxed);
    return st;
  }

  static Arguments here(const FilteredScratch& own) {
    return {.t = own.slow.t, .q = own.slow.q, .v = own.slow.v};
  }

  static void copy(Needs wanted, const Evaluation& in, Evaluation& out) {
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::kinetic_energy)) out.kinetic_energy = in.kinetic_energy;
    if (asks(Target::potential_energy)) out.potential_energy = in.potential_energy;
    if (asks(Target::observable)) out.observable = in.observable;
    if (asks(Target::observable_t)) out.observable_t = in.observable_t;
    if (asks(Target::observable_q)) out.observable_q = in.observable_q;
    if (asks(Target::observable_v)) out.observable_v = in.observable_v;
  }

  System base_;
  IteratedProjection started_;  // what every Evaluation gets a copy of
  Structure structure_;
  mutable std::atomic<std::int64_t> evaluations_{0};
};

System flow(const System& system, Status status, IteratedProjection projection) {
  if (status != Status::ok) {
    Problems problems;
    problems.add({}, "filtered flow", projection.reason(), "see iterated projection in the manual");
    problems.throw_if_any();
  }
  return System{std::make_shared<const FilteredFlow>(system, std::move(projection))};
}

}  // namespace

System filtered_flow(const System& system, const FilterChoice& filter,
                     const IteratedProjectionOptions& options) {
  IteratedProjection projection;
  const Status status = projection.start(system, filter, options);
  return flow(system, status, std::move(projection));
}

System filtered_flow(const System& system, const System& known, const FilterChoice& filter,
                     const IteratedProjectionOptions& options) {
  IteratedProjection projection;
  const Status status = projection.start(system, known, filter, options);
  return flow(system, status, std::move(projection));
}

}  // namespace taut
