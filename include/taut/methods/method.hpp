// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/core/counters.hpp"
#include "taut/core/note.hpp"
#include "taut/core/state.hpp"
#include "taut/core/status.hpp"
#include "taut/methods/method_info.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A method of constant steps: a value with its scratch.
///
///   start    sizes the scratch for the system and evaluates what the first step needs; the state
///            is consistent (g = 0, G v + g_t = 0)
///   step     advances the state by h (negative: backwards); on failure the state is as before
///   archive  memory that start() cannot recompute from the state to the same bits
///
/// Between two steps the velocities may be changed (a thermostat does): what a method remembers of
/// them it must notice.
template <class M>
concept SteppingMethod = requires(M m, const System& system, State& state, const State& at,
                                  double h, Archive& archive) {
  { M::info } -> std::convertible_to<MethodInfo>;
  { m.start(system, at) } -> std::same_as<Status>;
  { m.step(system, h, state) } -> std::same_as<Status>;
  {m.archive(archive)};
  { m.counters } -> std::convertible_to<Counters>;
}
&&std::movable<M>;

/// A method that chooses its own steps.
///
///   advance      takes one accepted step, never beyond t_stop, which it meets exactly; rejected
///                tries are counted inside; on failure the state is as before
///   interpolate  the state at a time inside the last accepted step, by the method's own dense
///   output
///   rates        may be there: q' and v' of that dense output as it is before it is put onto
///                constraints, as a State whose t does not matter. Without it they are found from
///                eight of its points
///   bound_steps  may be there: no step from now on is longer than this. Without it, a bounded step
///                is one to a nearer t_stop
template <class M>
concept AdaptiveMethod = requires(M m, const System& system, State& state, const State& at,
                                  double t, Archive& archive) {
  { M::info } -> std::convertible_to<MethodInfo>;
  { m.start(system, at) } -> std::same_as<Status>;
  { m.advance(system, t, state) } -> std::same_as<Status>;
  { m.interpolate(system, t, state) } -> std::same_as<Status>;
  {m.archive(archive)};
  { m.counters } -> std::convertible_to<Counters>;
}
&&std::movable<M>;

/// A method that can go on from another state than the end of its last step, or after values that
/// the system reads have changed, without forgetting what it has found out about the motion: how
/// long its steps are, and whether anything is stiff.
///
///   restart  as start(), which was called before, perhaps with another system of the same
///            structure; the inside of the last step is not known any more, counters and notes go
///            on
///
/// Others are started anew.
template <class M>
concept RestartableMethod = requires(M m, const System& system, const State& at) {
  { m.restart(system, at) } -> std::same_as<Status>;
};

template <class M>
concept AnyMethod = SteppingMethod<M> || AdaptiveMethod<M>;

/// A method that computes accelerations and multipliers itself, at states within its last step.
template <class M>
concept WithMultipliers = requires(M m, const System& system, const State& at, Vec& a,
                                   Vec& lambda) {
  { m.multipliers(system, at, a, lambda) } -> std::same_as<Status>;
};

/// Any method behind one face: what integrate() and the command line hold. Empty after it was moved
/// from, and then only to be asked whether it is, assigned to, or destroyed.
class Method {
 public:
  class Concept {
   public:
    virtual ~Concept() = default;
    [[nodiscard]] virtual MethodInfo info() const = 0;
    [[nodiscard]] virtual Status start(const System& system, const State& state) = 0;
    /// Goes on from a state after start(), with what was found out about the motion so far.
    [[nodiscard]] virtual Status restart(const System& system, const State& state) = 0;
    /// One step of length h; only for stepping methods.
    [[nodiscard]] virtual Status step(const System& system, double h, State& state) = 0;
    /// One step of the method's own choice; only for adaptive methods.
    [[nodiscard]] virtual Status advance(const System& system, double t_stop, State& state) = 0;
    /// Of adaptive methods: from now on, and until it is said again, also after start(), no step is
    /// longer than `most` > 0 [s]; infinity: no bound. It may change from step to step.
    virtual void bound_steps(double most) = 0;
    /// Relative and absolute tolerance of q and v; 0 where a method has none.
    [[nodiscard]] virtual double tolerance() const = 0;
    /// Accelerations at the end of the last step, or at the start, where they cost nothing; else
    /// null.
    [[nodiscard]] virtual const Vec* acceleration() const = 0;
    /// Only for adaptive methods.
    [[nodiscard]] virtual Status interpolate(const System& system, double t, State& state) = 0;
    /// Time derivatives of the dense output, which meets constraints only afterwards;
    /// not_supported where a method does not know them.
    [[nodiscard]] virtual Status rates(const System& system, double t, State& rate) = 0;
    /// Whether the method computes accelerations and multipliers better than from a state alone.
    [[nodiscard]] virtual bool knows_multipliers() const = 0;
    /// They, of all equations, at a state within the last step; only where they are known.
    [[nodiscard]] virtual Status multipliers(const System& system, const State& at, Vec& a,
                                             Vec& lambda) = 0;
    virtual void archive(Archive& archive) = 0;
    [[nodiscard]] virtual Counters& counters() = 0;
    /// What an external solver said about its failure; empty otherwise.
    [[nodiscard]] virtual std::string message() const = 0;
    /// The name, or the names of the methods it has used where it chooses itself.
    [[nodiscard]] virtual std::string used() const = 0;
    /// What a user should know about the run.
    [[nodiscard]] virtual std::vector<Note> notes() const = 0;
  };

  template <class M>
  requires(!std::same_as<M, Method> && AnyMethod<M>)
      Method(M method)  // NOLINT(google-explicit-constructor): any method is a Method
      : self_{std::make_unique<Holder<M>>(std::move(method))} {}

  /// Whether there is a method.
  [[nodiscard]] explicit operator bool() const { return self_ != nullptr; }

  [[nodiscard]] MethodInfo info() const { return self_->info(); }
  Concept* operator->() { return self_.get(); }
  const Concept* operator->() const { return self_.get(); }

 private:
  template <class M>
  class Holder final : public Concept {
   public:
    explicit Holder(M method) : method_{std::move(method)} {}
    MethodInfo info() const override {
      if constexpr (requires(const M& m) { m.claims(); })
        return method_.claims();
      else
        return M::info;
    }
    Status start(const System& system, const State& state) override {
      return method_.start(system, state);
    }
    Status restart(const System& system, const State& state) override {
      if constexpr (RestartableMethod<M>)
        return method_.restart(system, state);
      else
        return method_.start(system, state);
    }
    Status step(const System& system, double h, State& state) override {
      if constexpr (SteppingMethod<M>)
        return method_.step(system, h, state);
      else
        return Status::not_supported;
    }
    Status advance(const System& system, double t_stop, State& state) override {
      if constexpr (AdaptiveMethod<M>) {
        if (std::abs(t_stop - state.t) > most_)
          t_stop = state.t + std::copysign(most_, t_stop - state.t);
        return method_.advance(system, t_stop, state);
      } else {
        return Status::not_supported;
      }
    }
    double tolerance() const override {
      if constexpr (requires(const M& m) { m.tolerance(); })
        return method_.tolerance();
      else
        return 0.0;
    }
    const Vec* acceleration() const override {
      if constexpr (requires(const M& m) { m.acceleration(); })
        return method_.acceleration();
      else
        return nullptr;
    }
    void bound_steps(double most) override {
      if constexpr (requires(M & m) { m.bound_steps(most); })
        method_.bound_steps(most);
      else
        most_ = most;
    }
    Status interpolate(const System& system, double t, State& state) override {
      if constexpr (AdaptiveMethod<M>)
        return method_.interpolate(system, t, state);
      else
        return Status::not_supported;
    }
    Status rates(const System& system, double t, State& rate) override {
      if constexpr (requires { {method_.rates(system, t, rate)}; })
        return method_.rates(system, t, rate);
      else
        return Status::not_supported;
    }
    bool knows_multipliers() const override {
      if constexpr (requires(const M& m) { m.knows_multipliers(); })
        return method_.knows_multipliers();
      else
        return WithMultipliers<M>;
    }
    Status multipliers(const System& system, const State& at, Vec& a, Vec& lambda) override {
      if constexpr (WithMultipliers<M>)
        return method_.multipliers(system, at, a, lambda);
      else
        return Status::not_supported;
    }
    void archive(Archive& archive) override { method_.archive(archive); }
    Counters& counters() override { return method_.counters; }
    std::string message() const override {
      if constexpr (requires(const M& m) { m.message(); })
        return method_.message();
      else
        return {};
    }

    std::string used() const override {
      if constexpr (requires(const M& m) { m.used(); })
        return method_.used();
      else
        return std::string{M::info.name};
    }
    std::vector<Note> notes() const override {
      if constexpr (requires(const M& m) { m.notes(); })
        return method_.notes();
      else
        return {};
    }

   private:
    M method_;
    double most_ = std::numeric_limits<double>::infinity();  // of a method that knows no bound
  };

  std::unique_ptr<Concept> self_;
};

}  // namespace taut

#pragma GCC visibility pop
