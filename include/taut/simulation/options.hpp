// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "taut/curves/curve_options.hpp"
#include "taut/curves/jet_forms.hpp"
#include "taut/model/value.hpp"
#include "taut/run/follow.hpp"
#include "taut/run/run_options.hpp"
#include "taut/simulation/choose_form.hpp"
#include "taut/simulation/reading.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Of projected-rk, and of models with [jets], which it follows; unset: as it has them.
struct CurveOptions {
  bool keep_energy = false;  ///< T + U is kept as constraints are
  std::optional<Parametrisation> parameter{};
  std::optional<CurveTableau> tableau{};
  std::optional<bool> project_stages{};  ///< every stage, or accepted points alone
  std::optional<ProjectionMethod> newton{};
  std::optional<DistributionMethod> distribution{};

  // of models with [jets]
  std::optional<FormKind> form{};  ///< absent: chosen
  std::optional<AtImpasse> at_impasse{};
  double arc = 0.0;        ///< ends after this length of the curve; 0: no bound
  double every_arc = 0.0;  ///< rows at these distances of arc length; 0: as `every` says
};

/// Choices by the names people give them.
template <class Choice>
using Choices = std::span<const std::pair<std::string_view, Choice>>;
[[nodiscard]] Choices<CurveTableau> tableau_choices();
[[nodiscard]] Choices<ProjectionMethod> newton_choices();
[[nodiscard]] Choices<DistributionMethod> distribution_choices();
[[nodiscard]] Choices<FormKind> form_choices();
/// The name of a distribution; empty where it has none.
[[nodiscard]] std::string_view name(DistributionMethod method);

/// Heat bath of a run, in place of what [thermostat] says; and averages of multipliers.
struct ThermalOptions {
  std::optional<Value> temperature{};  ///< k T [J]
  std::optional<Value> friction{};     ///< rate [1/s]
  std::optional<Value> drag{};         ///< or coefficient [kg/s]: rate drag/mass
  std::optional<Value> seed{};
  double multiplier_window = 0.0;  ///< width of windows [s]; 0: multipliers of instants alone
};

/// What a user may say about a run. Everything may be left out: then [run] of the model is heeded,
/// and where that says nothing either, taut chooses and says why. Values are numbers or expressions
/// of the model's parameters.
struct SimulationOptions {
  std::vector<std::pair<std::string, Value>> set{};  ///< parameters, by name
  std::optional<Value> from{}, until{};              ///< start and end time [s]
  std::optional<Value> every{};  ///< distance of rows [s]; absent: the steps themselves
  std::vector<double> times{};   ///< rows at these times instead, growing

  std::optional<Reading> reading{};
  std::optional<Value> omega{};  ///< of the penalized reading, and of the slow one made of it
  std::string method{};
  std::optional<Value> step{};            ///< constant step [s]
  std::optional<Value> tol{};             ///< of methods that choose their steps
  std::optional<Value> max_step{};        ///< no step of any method is longer [s]
  std::optional<double> beta{}, gamma{};  ///< of Newmark and linearly implicit methods
  CurveOptions curve{};
  ThermalOptions thermal{};

  bool keep_start = false;     ///< with the vibrations of compliant constraints
  bool slow_start = false;     ///< without any: where nothing vibrates fast
  double project_every = 0.0;  ///< back onto the slow manifold at these distances [s]; 0: never
  /// The same when the energy of vibration exceeds so many times that of the stretch.
  double project_above = 0.0;
  SlowOptions slow{};            ///< of these, of the slow start, and of the slow reading
  AveragingOptions averaging{};  ///< of the averaged reading

  /// Of global errors, by a second run; absent: where [run] asks for it. `taut run` estimates them
  /// where that is quick (estimate_errors()).
  std::optional<bool> error_estimate{};

  /// Of the motion: "all" quantities of elements (forces of springs, loads of joints,
  /// accelerations, ...), only what is "stated", or "auto": all where they are not too many.
  std::string columns{};

  Rows rows = Rows::thinned;   ///< what the motion keeps; observers are shown every row
  bool extremes = true;        ///< least and greatest values of steps that are no rows
  std::int64_t max_steps = 0;  ///< 0: no limit
  double max_seconds = 0.0;    ///< of wall time; 0: no limit
  const std::atomic<bool>* cancel = nullptr;  ///< the run ends after the step in which it is set
  std::function<void(const Progress&)> progress{};             ///< some ten times a second
  std::vector<std::function<void(const Frame&)>> observers{};  ///< called with every row
};

}  // namespace taut

#pragma GCC visibility pop
