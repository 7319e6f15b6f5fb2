// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/archive.hpp"
#include "taut/run/events.hpp"
#include "taut/simulation/instant.hpp"
#include "taut/simulation/simulate.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// A run that is held in the hand, for control and co-simulation: the same engine as simulate().
///
///   taut::Simulation cart{model, {.until = 10}};
///   while (cart.t() < 10) {
///     cart.set_input("force", controller(cart["theta"], cart["v(theta)"]));
///     if (cart.advance_to(cart.t() + 1e-3) != taut::Status::ok) break;
///   }
///
/// It stands at an instant, at first at the consistent start, and nothing but step(), advance_to()
/// and restore() moves it. Mistakes (a name that does not exist, a time before the present) are a
/// Status with a message(), and leave it where it is.
///
/// What is changed between steps restarts the method there and nothing else: rows, counters, clock
/// and events go on, and so does what an adaptive method knows of its steps. Inputs and parameters
/// hold until they are set again.
class Simulation {
 public:
  /// Bad input throws ModelError with all mistakes. A model with [jets] has no states over time:
  /// that is bad input, too.
  explicit Simulation(const Model& model, const SimulationOptions& options = {});
  explicit Simulation(Plan plan);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;
  ~Simulation();

  // moving on
  /// One step of the method, not beyond the end of the run.
  Status step();
  /// As many steps as it takes; the last one meets t. An event that stops ends it there, with
  /// Status::stopped_by_event, and the next call goes on behind it.
  Status advance_to(double t);

  // where it is
  [[nodiscard]] double t() const;
  [[nodiscard]] const State& state() const;
  [[nodiscard]] const Vec& q() const { return state().q; }
  [[nodiscard]] const Vec& v() const { return state().v; }
  /// Multipliers of all constraints, NaN where they cannot be computed.
  [[nodiscard]] const Vec& lambda() const;
  /// A number of the present by its name (FrameNames). Throws ModelError with the nearest name
  /// where there is none.
  [[nodiscard]] double operator[](std::string_view name) const;
  /// Any expression of parameters, inputs, coordinates, velocities, definitions and t. Throws
  /// ModelError where it is none.
  [[nodiscard]] double value(std::string_view expression) const;
  /// The instant at a time inside the last step, by the dense output of the method.
  [[nodiscard]] Instant at(double t) const;

  // what may be changed
  Status set_input(std::string_view name, double value);
  [[nodiscard]] double input(std::string_view name) const;
  /// A parameter; one that changes the structure of the system (its coordinates, constraints) is
  /// refused.
  Status set_parameter(std::string_view name, double value);
  /// Another state at the same time; it must fulfil the constraints.
  Status set_state(const Vec& q, const Vec& v);
  /// The same with one coordinate, velocity or first-order state changed, by its name.
  Status set_state(std::string_view name, double value);

  // what has happened
  [[nodiscard]] const std::vector<EventRecord>& events() const;
  Status reset_events();
  /// Of the last call that was not good, in words; empty after a good one.
  [[nodiscard]] const std::string& message() const;
  /// Rows up to the present.
  [[nodiscard]] const Motion& motion() const;
  [[nodiscard]] const Plan& plan() const;
  /// The run ends here: what simulate() returns. Afterwards it cannot be moved on.
  [[nodiscard]] Result finish();

  // to and fro
  /// What it takes to come back here, to the same bits; of methods that are resumable.
  [[nodiscard]] std::vector<std::byte> save() const;
  /// Back to where it was saved, with the inputs and parameters of then. Of another simulation, or
  /// damaged: Status::invalid_argument, and nothing has changed.
  Status restore(const std::vector<std::byte>& saved);

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace taut

#pragma GCC visibility pop
