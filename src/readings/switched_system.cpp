// SPDX-License-Identifier: BSD-3-Clause
#include "readings/switched_system.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "core/archive_list.hpp"
#include "core/dense_decompositions.hpp"
#include "readings/base_of.hpp"
#include "readings/frozen_model.hpp"
#include "readings/readings.hpp"
#include "readings/row_multipliers.hpp"

namespace taut {

using formula::Enclosure;
using formula::point;
using formula::Slot;

namespace {

constexpr Needs moved_by_switches =
    needs(Target::force, Target::momentum_force, Target::stiffness, Target::damping,
          Target::constraint_stiffness, Target::force_multiplier);

}  // namespace

struct Switches::Scratch {
  std::vector<Enclosure> inputs, all;
  Accelerations accelerations;
  std::shared_ptr<const SystemImplementation> started;  // on it
  Vec a, lambda;
  std::vector<Vec> change;  // of a, by each switch on its high side
  Mat slopes;
  Vec rates, alpha;
  RowMultipliers multipliers;
  Vec of_rows, mu_of_guard;
  std::vector<Vec>
      mu;           // that formulas read: on all low sides, and with each switch on its high one
  Evaluation side;  // powers on one side
};

/// Frozen where that is finite, as written elsewhere; sliding switches at (1) of Sliding.
class SwitchedSystem final : public SystemImplementation {
 public:
  /// Without switches `of` none slides.
  SwitchedSystem(System live, System frozen, std::shared_ptr<const Switches> of = nullptr)
      : live_{std::move(live)}, frozen_{std::move(frozen)}, of_{std::move(of)} {}

  const Structure& structure() const override { return frozen_.structure(); }
  void prepare(Evaluation& out) const override { frozen_.prepare(out); }

  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    if (of_ && !of_->sliding().empty() && (wanted & moved_by_switches) != 0)
      return between(*of_, wanted, at, out);
    const Status status = frozen_.evaluate(wanted, at, out);
    return status == Status::non_finite ? live_.evaluate(wanted, at, out) : status;
  }

  Status evaluate_series(Needs wanted, const SeriesArguments& at,
                         std::span<Evaluation> out) const override {
    return frozen_.evaluate_series(wanted, at, out);
  }
  Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                     Vec& all_rows) const override {
    return frozen_.multipliers(at, lambda, out, all_rows);
  }
  std::string culprit(const Arguments& at) const override {
    std::string name = frozen_.culprit(at);
    return name.empty() ? live_.culprit(at) : name;
  }
  const SystemImplementation* model() const override { return live_.implementation().model(); }
  std::shared_ptr<const SystemImplementation> powers() const override;

  [[nodiscard]] const System& frozen() const { return frozen_; }
  [[nodiscard]] bool slides() const { return of_ && !of_->sliding().empty(); }

 private:
  // (1): what the low sides give, and what each high side adds
  Status between(const Switches& switches, Needs wanted, const Arguments& at,
                 Evaluation& out) const {
    Switches::Scratch& s = *switches.scratch_;
    const std::vector<Sliding>& sliding = switches.sliding();
    const State here{at.t, at.q, at.v};
    if (const Status status = switches.weights(here, s.alpha); status != Status::ok) return status;
    const Vec alpha = s.alpha;
    const std::vector<Vec> mu = s.mu;
    for (const Sliding& one : sliding) switches.put(one, false);
    // each side has the multipliers that belong to it, so that its accelerations are those of (1)
    const bool takes = frozen_.structure().takes_multipliers;
    Arguments on_side = at;
    if (takes) {
      on_side.mu = &mu.front();
      if (const Needs others = wanted & ~moved_by_switches; others != 0)
        if (const Status status = frozen_.evaluate(others, at, out); status != Status::ok)
          return status;
    }
    if (const Status status =
            frozen_.evaluate(takes ? wanted & moved_by_switches : wanted, on_side, out);
        status != Status::ok)
      return status;
    const Vec f = out.f, momentum_force = out.momentum_force;
    const auto values = [](Sparse& m) { return Eigen::Map<Vec>{m.valuePtr(), m.nonZeros()}; };
    const Vec K = values(out.K), D = values(out.D), H = values(out.H);
    Vec df = Vec::Zero(f.size()), dp = df;
    Vec dK = Vec::Zero(K.size()), dD = Vec::Zero(D.size()), dH = Vec::Zero(H.size());
    for (std::size_t j = 0; j < sliding.size(); ++j) {
      switches.put(sliding[j], true);
      if (takes) on_side.mu = &mu[j + 1];
      const Status status = frozen_.evaluate(wanted & moved_by_switches, on_side, out);
      switches.put(sliding[j], false);
      if (status != Status::ok) return status;
      const double weight = alpha[static_cast<Index>(j)];
      df += weight * (out.f - f);
      dp += weight * (out.momentum_force - momentum_force);
      dK += weight * (values(out.K) - K);
      dD += weight * (values(out.D) - D);
      dH += weight * (values(out.H) - H);
    }
    const auto asks = [wanted](Target target) { return (wanted & need(target)) != 0; };
    if (asks(Target::force)) out.f = f + df;
    if (asks(Target::momentum_force)) out.momentum_force = momentum_force + dp;
    if (asks(Target::stiffness)) values(out.K) = K + dK;
    if (asks(Target::damping)) values(out.D) = D + dD;
    if (asks(Target::constraint_stiffness)) values(out.H) = H + dH;
    if (asks(Target::force_multiplier)) values(out.force_multiplier).setZero();
    return Status::ok;
  }

  System live_, frozen_;
  std::shared_ptr<const Switches> of_;
};

/// Powers of a model some of whose switches may slide: the force of one that does is that of (1) of
/// Sliding, and so is its power; a formula at g = 0 would have none.
class SwitchedPowers final : public SystemImplementation {
 public:
  SwitchedPowers(System live, System frozen, std::shared_ptr<const Switches> of)
      : live_{std::move(live)}, frozen_{std::move(frozen)}, of_{std::move(of)} {}

  const Structure& structure() const override { return live_.structure(); }
  void prepare(Evaluation& out) const override { live_.prepare(out); }
  Status evaluate(Needs wanted, const Arguments& at, Evaluation& out) const override {
    const std::vector<Sliding>& sliding = of_->sliding();
    if (sliding.empty()) return live_.evaluate(wanted, at, out);
    Switches::Scratch& s = *of_->scratch_;
    if (const Status status = of_->weights({at.t, at.q, at.v}, s.alpha); status != Status::ok)
      return status;
    const Vec alpha = s.alpha;
    const std::vector<Vec> mu = s.mu;
    Evaluation& side = s.side;
    frozen_.prepare(side);
    Arguments on_side = at;
    const auto evaluate_side = [&](std::size_t number) {
      if (structure().takes_multipliers) on_side.mu = &mu[number];
      return frozen_.evaluate(wanted, on_side, side);
    };
    for (const Sliding& one : sliding) of_->put(one, false);
    if (const Status status = evaluate_side(0); status != Status::ok) return status;
    const Vec low = side.observable;
    out.observable = low;
    for (std::size_t j = 0; j < sliding.size(); ++j) {
      of_->put(sliding[j], true);
      const Status status = evaluate_side(j + 1);
      of_->put(sliding[j], false);
      if (status != Status::ok) return status;
      out.observable += alpha[static_cast<Index>(j)] * (side.observable - low);
    }
    return Status::ok;
  }
  Status multipliers(const Arguments& at, const Vec& lambda, Evaluation& out,
                     Vec& all_rows) const override {
    return live_.multipliers(at, lambda, out, all_rows);
  }
  std::string culprit(const Arguments& at) const override { return live_.culprit(at); }

 private:
  System live_, frozen_;
  std::shared_ptr<const Switches> of_;
};

std::shared_ptr<const SystemImplementation> SwitchedSystem::powers() const {
  auto live = live_.implementation().powers();
  auto frozen = frozen_.implementation().powers();
  if (!live || !frozen || !of_) return live;
  assert(live->structure().observables.size() == frozen->structure().observables.size());
  return std::make_shared<const SwitchedPowers>(System{std::move(live)}, System{std::move(frozen)},
                                                of_);
}

Switches::Switches()
    : modes_{std::make_shared<std::vector<double>>()}, scratch_{std::make_shared<Scratch>()} {}

System switched(const System& reading, std::shared_ptr<Switches>& switches) {
  switches = std::make_shared<Switches>();
  const System base = base_of(reading), formulas = without_forces(base);
  switches->compiled_ = std::dynamic_pointer_cast<const CompiledSystem>(formulas.shared());
  if (!switches->compiled_) return reading;
  switches->batches_ = watched_batches(switches->compiled_->batches());
  if (!switches->any_switch()) return reading;
  switches->modes_->resize(static_cast<std::size_t>(switches->batches_.modes));
  const System frozen{std::make_shared<const CompiledSystem>(
      *switches->compiled_, std::move(switches->batches_.frozen), switches->modes_)};
  const auto read = [&](auto... watched_by) {
    const System made{std::make_shared<const SwitchedSystem>(formulas, frozen, watched_by...)};
    return read_like(with_forces_of(base, made), reading);
  };
  switches->moved_ = springs(read());
  return read(switches);
}

std::optional<System> frozen_model(const System& reading) {
  System base = base_of(reading);
  const auto* const made = dynamic_cast<const SwitchedSystem*>(&base.implementation());
  if (made == nullptr) return base;
  if (made->slides()) return std::nullopt;
  return made->frozen();
}

bool Switches::has_contacts() const {
  return compiled_ && std::any_of(compiled_->pairs().begin(), compiled_->pairs().end(),
                                  [](const PairField& f) { return f.contacts() != nullptr; });
}

bool switches_or_is_short(const System& reading) {
  const auto compiled =
      std::dynamic_pointer_cast<const CompiledSystem>(without_forces(base_of(reading)).shared());
  if (!compiled) return false;
  const WatchedBatches all = watched_batches(compiled->batches());
  return std::any_of(all.watched.begin(), all.watched.end(), [](const WatchedBatch& batch) {
    return !batch.guards.empty() || batch.steep_in_time;
  });
}

std::size_t Switches::place(SwitchId s) const {
  const Batch& batch = batches_.watched[static_cast<std::size_t>(s.batch)].batch;
  return static_cast<std::size_t>(
      batch.modes[static_cast<std::size_t>(s.guard * batch.instances + s.instance)]);
}

void Switches::slide(const Sliding& one) {
  sliding_.push_back(one);
  find_others(sliding_.back());
}

void Switches::put(const Sliding& one, bool on_high) const {
  (*modes_)[place(one.which)] = on_high ? one.high : one.low;
  for (const Sliding::Side& other : one.others)
    (*modes_)[place(other.which)] = on_high ? other.high : other.low;
}

// Those that look at g, or at -g.
void Switches::find_others(Sliding& one) const {
  one.others.clear();
  const WatchedBatch& watched = batches_.watched[static_cast<std::size_t>(one.which.batch)];
  const WatchedBatch::Decision& decided = decision(one.which);
  for (std::size_t k = 0; k < watched.guards.size(); ++k) {
    const SwitchId other{one.which.batch, one.which.instance, static_cast<int>(k)};
    const WatchedBatch::Decision& guard = watched.guards[k];
    if (other == one.which || guard.node == formula::no_node ||
        guard.kind == formula::Guard::Kind::floor)
      continue;
    const bool turned = guard.minus == decided.node || decided.minus == guard.node;
    if (!turned && guard.node != decided.node) continue;
    Sliding::Side side{other, guard.kind == formula::Guard::Kind::sign ? -1.0 : 0.0, 1.0};
    if (turned) std::swap(side.low, side.high);
    one.others.push_back(side);
  }
}

const std::string& Switches::label(SwitchId s) const {
  return batches_.watched[static_cast<std::size_t>(s.batch)].label(decision(s).root, s.instance);
}

Enclosure Switches::guard(SwitchId s, const State& state, const Vec* a) const {
  const WatchedBatch& watched = batches_.watched[static_cast<std::size_t>(s.batch)];
  const Batch& batch = watched.batch;
  const formula::NodeId node = decision(s).node;
  if (node == formula::no_node) return {};
  Scratch& scratch = *scratch_;
  std::vector<Enclosure>& to = scratch.inputs;
  to.clear();
  scratch.mu_of_guard.resize(0);
  for (const formula::Input& input : watched.features->inputs()) {
    const std::size_t at =
        static_cast<std::size_t>(input.index) * static_cast<std::size_t>(batch.instances) +
        static_cast<std::size_t>(s.instance);
    double x = 0.0, rate = 0.0;
    switch (input.slot) {
      case Slot::q:
        x = state.q[batch.coordinates[at]];
        rate = state.v[batch.coordinates[at]];
        break;
      case Slot::v:
        x = state.v[batch.coordinates[at]];
        rate = a != nullptr ? (*a)[batch.coordinates[at]] : 0.0;
        break;
      case Slot::t:
        x = state.t;
        rate = 1.0;
        break;
      case Slot::theta:
        x = compiled_->theta(state.t);
        rate = compiled_->theta_rate();
        break;
      case Slot::parameter:
        x = batch.parameters[at];
        break;
      case Slot::input:
        x = compiled_->input(input.index);
        break;
      case Slot::mode:
        x = (*modes_)[static_cast<std::size_t>(batch.modes[at])];
        break;
      case Slot::mu:
        // with the sides that there are; its rate is not known
        if (scratch.mu_of_guard.size() == 0 && multipliers_at(state) != Status::ok)
          scratch.mu_of_guard.setConstant(
              static_cast<Index>(moved_.structure().read_multipliers.size()),
              std::numeric_limits<double>::quiet_NaN());
        x = scratch.mu_of_guard[input.index];
        break;
      case Slot::a:
      case Slot::lambda:
        break;  // no guard reads them
    }
    to.push_back({.value = point(x), .rate = point(rate), .middle = x});
  }
  watched.features->enclose(to, 0.0, scratch_->all);
  return scratch_->all[static_cast<std::size_t>(watched.features->place(node))];
}

// What formulas read of the multipliers, with the sides there are.
Status Switches::multipliers_at(const State& state) const {
  Scratch& s = *scratch_;
  const Status status = s.multipliers(moved_, state, s.of_rows);
  if (status == Status::ok) read_multipliers(moved_.structure(), s.of_rows, s.mu_of_guard);
  return status;
}

double Switches::value(SwitchId s, const State& state) const {
  return guard(s, state, nullptr).middle;
}

double Switches::rate(SwitchId s, const State& state, const Vec& a) const {
  const formula::Interval rate = guard(s, state, &a).rate;
  return (rate.lo + rate.hi) / 2;
}

double Switches::mode_of(formula::Guard::Kind kind, double g) {
  switch (kind) {
    case formula::Guard::Kind::positive:
      return g > 0.0 ? 1.0 : 0.0;
    case formula::Guard::Kind::sign:
      return g > 0.0 ? 1.0 : (g < 0.0 ? -1.0 : g);
    case formula::Guard::Kind::floor:
      return std::floor(g);
  }
  return 0.0;
}

Status Switches::plain_accelerations(const State& state, Vec& a) const {
  Scratch& s = *scratch_;
  if (s.started != moved_.shared()) {
    s.started.reset();
    if (const Status status = s.accelerations.start(moved_); status != Status::ok) return status;
    s.started = moved_.shared();
  }
  return s.accelerations(moved_, state.t, state.q, state.v, a, s.lambda);
}

Status Switches::accelerations(const State& state, Vec& a) const {
  if (sliding_.empty()) return plain_accelerations(state, a);
  Scratch& s = *scratch_;
  if (const Status status = weights(state, s.alpha); status != Status::ok) return status;
  a = s.a;
  for (std::size_t i = 0; i < sliding_.size(); ++i)
    a += s.alpha[static_cast<Index>(i)] * s.change[i];
  return Status::ok;
}

// g_j'(α) = g_j'(0) + Σ_i α_i (g_j'(e_i) - g_j'(0)) = 0
Status Switches::weights(const State& state, Vec& alpha) const {
  alpha.resize(0);
  if (sliding_.empty()) return Status::ok;
  Scratch& s = *scratch_;
  const auto k = static_cast<Index>(sliding_.size());
  s.slopes.resize(k, k);
  s.rates.resize(k);
  s.change.resize(sliding_.size());
  for (const Sliding& one : sliding_) put(one, false);
  if (const Status status = plain_accelerations(state, s.a); status != Status::ok) return status;
  s.mu.resize(sliding_.size() + 1);
  const auto keep_multipliers = [&](Vec& mu) {
    if (!moved_.structure().multipliers_in_forces) return Status::ok;
    const Status status = s.multipliers(moved_, state, s.of_rows);
    read_multipliers(moved_.structure(), s.of_rows, mu);
    return status;
  };
  if (const Status status = keep_multipliers(s.mu.front()); status != Status::ok) return status;
  const auto rate_of = [&](Index j, const Vec& a) {
    return rate(sliding_[static_cast<std::size_t>(j)].which, state, a);
  };
  for (Index j = 0; j < k; ++j) s.rates[j] = rate_of(j, s.a);
  for (Index i = 0; i < k; ++i) {
    const Sliding& one = sliding_[static_cast<std::size_t>(i)];
    Vec& change = s.change[static_cast<std::size_t>(i)];
    put(one, true);
    if (const Status status = plain_accelerations(state, change); status != Status::ok)
      return status;
    if (const Status status = keep_multipliers(s.mu[static_cast<std::size_t>(i) + 1]);
        status != Status::ok)
      return status;
    for (Index j = 0; j < k; ++j) s.slopes(j, i) = rate_of(j, change) - s.rates[j];
    put(one, false);
    change -= s.a;
  }
  constexpr double independent = 1e-9;
  alpha = MinimumNorm{s.slopes, independent}.solve(-s.rates);
  const double left = (s.slopes * alpha + s.rates).lpNorm<Eigen::Infinity>();
  const double size = s.rates.lpNorm<Eigen::Infinity>() + s.slopes.lpNorm<Eigen::Infinity>();
  return left <= 1e-6 * size ? Status::ok : Status::singular_matrix;
}

void Switches::archive(Archive& archive) {
  const std::size_t modes = modes_->size();
  archive(*modes_);
  require_sense(modes_->size() == modes, "sides of switches in it");
  archive_list(archive, sliding_, [&](Sliding& one) {
    archive_switch(archive, one.which);
    archive(one.low, one.high);
    if (archive.loading()) find_others(one);
  });
  require_sense(sliding_.size() <= modes, "sides of switches in it");
}

void Switches::archive_switch(Archive& archive, SwitchId& which) const {
  archive(which.batch, which.instance, which.guard);
  if (!archive.loading()) return;
  const auto within = [](int k, auto size) { return k >= 0 && k < static_cast<int>(size); };
  require_sense(within(which.batch, batches_.watched.size()), "switches in it");
  const WatchedBatch& watched = batches_.watched[static_cast<std::size_t>(which.batch)];
  require_sense(
      within(which.guard, watched.guards.size()) && within(which.instance, watched.batch.instances),
      "switches in it");
}

}  // namespace taut
