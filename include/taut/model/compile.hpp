// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "taut/core/state.hpp"
#include "taut/model/heat_bath.hpp"
#include "taut/model/jet_system.hpp"
#include "taut/model/model.hpp"
#include "taut/model/scene.hpp"
#include "taut/model/system.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// [run] with its expressions evaluated.
struct CompiledRun {
  double from = 0.0;
  std::optional<double> until, step, tol, max_step, every, omega;
  std::string reading, method;  ///< empty: not given
  std::string at_impasse;       ///< likewise
  std::optional<bool> error_estimate;
};

/// A statistic with its names resolved and its expressions evaluated.
struct CompiledStatistic {
  Statistic::Kind kind = Statistic::Kind::histogram;
  std::string name;
  int observable = -1;           ///< of histogram and autocorrelation: in Structure::observables
  std::vector<int> among, with;  ///< of a radial distribution: first coordinate of each point
  int dimension = 3;             ///< of these points
  std::vector<double> box;       ///< edges of the periodic box; empty: there is none
  double from = 0.0, to = 0.0;   ///< range of bins
  int bins = 100;
  double lag = 0.0;    ///< longest one [s]
  double every = 0.0;  ///< distance of samples [s]; 0: every step
  double after = 0.0;  ///< no samples before this time [s]
};

/// One thing that an event changes: Event::Assignment with its names resolved.
struct CompiledAction {
  enum class Target : unsigned char { place, velocity, parameter, input, velocities };
  int event = 0;  ///< in Structure::observables
  Target target = Target::place;
  /// In q, in v, of CompiledModel::parameter_names(), or in Structure::inputs; of `velocities`, a
  /// number that is linear in them, which observable of action_values it is.
  int index = 0;
  std::string name;  ///< as the model calls it
};

/// A new value of a parameter; `index` is that of CompiledModel::parameter_names().
struct ParameterValue {
  int index = 0;
  double value = 0.0;
};

/// Values of the inputs of a model, in the order of Structure::inputs, for systems to read them
/// from.
using Inputs = std::shared_ptr<const std::vector<double>>;

/// One expression in the names of a model: parameters, inputs, coordinates, velocities, t and
/// definitions. Immutable, may be shared by threads.
class Expression {
 public:
  explicit Expression(System system) : system_{std::move(system)} {}

  /// Its value there; NaN or infinite where it has none. `at` needs neither accelerations nor
  /// multipliers; `scratch` is of this expression alone, and one of each thread.
  [[nodiscard]] double operator()(const Arguments& at, Evaluation& scratch) const;
  [[nodiscard]] double operator()(const State& at) const;

 private:
  System system_;  // of the model's coordinates, with this value as its only observable
};

class ParameterBinding;  // values of the parameters, and how the model is had with others

struct CompiledModel {
  std::optional<JetSystem>
      jets;       ///< of a model with [jets]: then there is neither system nor state
  System system;  ///< as written: compliant constraints are rows with C > 0
  State given;    ///< the start as stated, before it is made consistent
  CompiledRun run;
  std::optional<HeatBath> bath;
  double bath_after = 0.0;  ///< its temperature is averaged from this time on [s]
  std::vector<CompiledStatistic> statistics;
  /// Observables of those Model::outputs that are no columns, in their order; -1 where the value is
  /// the name of a number of the motion.
  std::vector<int> outputs;
  Scene scene;  ///< what it looks like; empty where the model does not say
  /// What events do, those of one event side by side; and, where there are any, a system whose
  /// observables are the new values. It reads what System::quantities() read.
  std::vector<CompiledAction> actions;
  System action_values;
  std::shared_ptr<const ParameterBinding> binding;  ///< behind the functions below

  /// Parameters of the model in file order, and the values they have here.
  [[nodiscard]] std::span<const std::string> parameter_names() const;
  [[nodiscard]] std::span<const double> parameter_values() const;
  /// Number of a parameter in these lists; -1 when there is none of this name.
  [[nodiscard]] int parameter_index(std::string_view name) const;

  /// The model with other values of parameters, to the bit what compile() gives when the file
  /// states them: parameters that are expressions of others follow, unless they are set themselves.
  /// Costs microseconds where every decision of the compilation stands, and another compilation
  /// where one does not: a value that is 0 or 1 and was not, a sign that turns, parameters that
  /// were equal and are not any more, numbers that the structure depends on (links of a chain,
  /// bounds of repeats). Compilations are kept, so that values may go back and forth. The system
  /// shares its kernels with this one; many threads may call this at once, and use the results as
  /// any others.
  ///
  /// What compile() would refuse is refused in the same words. No index may be out of range.
  [[nodiscard]] CompiledModel with_parameters(std::span<const ParameterValue> values,
                                              Problems& problems) const;
  /// The same, but throws ModelError.
  [[nodiscard]] CompiledModel with_parameters(std::span<const ParameterValue> values) const;
  /// One parameter by its name.
  [[nodiscard]] CompiledModel with_parameter(std::string_view name, double value) const;

  /// The model with its inputs read from `values`, which the caller may change between steps, and
  /// between steps alone: a method has computed with the old ones until it is restarted. One run
  /// at a time may use it. Without this, inputs keep their initial values.
  [[nodiscard]] CompiledModel with_inputs(Inputs values) const;

  /// Compiles an expression in the names of the model, with the parameters and inputs of this one.
  /// Throws ModelError with its mistakes.
  [[nodiscard]] Expression expression(std::string_view text) const;
};

/// Resolves names, expands repeats, differentiates. Every mistake goes to `problems`; the result
/// may only be used when there is none.
[[nodiscard]] CompiledModel compile(const Model& model, Problems& problems);

/// The same for models built in code: throws ModelError.
[[nodiscard]] CompiledModel compile(const Model& model);

}  // namespace taut

#pragma GCC visibility pop
