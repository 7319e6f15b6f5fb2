// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "taut/gradients/sensitivities.hpp"
#include "taut/modes/lyapunov.hpp"
#include "taut/readings/with_force.hpp"
#include "taut/simulation/simulate.hpp"
#include "taut/studies/section.hpp"
#include "watch.hpp"

namespace taut::python {

using Array = nb::ndarray<nb::numpy, const double>;

/// Functions of Python inside a system, and what one of them raised. The collector of Python sees
/// them through the result that owns them (tp_traverse): a system itself is invisible to it.
struct Callables {
  std::vector<nb::object> functions;
  std::unique_ptr<nb::python_error> failure;

  /// Holds the GIL: raises again what a function raised.
  void rethrow() {
    if (!failure) return;
    nb::python_error error{std::move(*failure)};
    failure.reset();
    throw error;
  }
};

/// Shows the collector the functions that a bound object keeps in `callables`: they may refer to
/// it.
template <class Bound>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  if (const auto& callables = nb::inst_ptr<Bound>(self)->callables)
    for (const nb::object& function : callables->functions) Py_VISIT(function.ptr());
  return 0;
}
template <class Bound>
int clear(PyObject* self) {
  if (const auto& callables = nb::inst_ptr<Bound>(self)->callables)
    for (nb::object& function : callables->functions) function = nb::none();
  return 0;
}
template <class Bound>
inline PyType_Slot seen_by_collector[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse<Bound>)},
    {Py_tp_clear, reinterpret_cast<void*>(clear<Bound>)},
    {0, nullptr}};

/// One force of Python, as forces= of a run states it.
struct StatedForce {
  nb::object function;
  nb::object derivatives;  ///< None: by central differences
  std::vector<std::string> on = {};
  bool uses_velocity = true, uses_time = true;
};

/// The force for with_force(); calls take the GIL.
[[nodiscard]] BlackBoxForce black_box(const StatedForce& stated, std::shared_ptr<Callables> owner);

/// Gives events of a plan values that are functions, from a list of (name, function).
void add_events(const nb::list& stated, Plan& plan, const std::shared_ptr<Callables>& owner);

/// The mechanical system of an object of Python that evaluates M, f, g and their derivatives.
[[nodiscard]] System system_of(nb::object functions, const Structure& model, bool mass_constant,
                               Index constraints, std::shared_ptr<Callables> owner);

/// A model, and how it was compiled for the runs before: other parameters are bound in
/// microseconds.
class BoundModel {
 public:
  BoundModel(Model model) : model_{std::move(model)} {}

  [[nodiscard]] const Model& model() const { return model_; }
  /// Without the GIL.
  [[nodiscard]] PreparedModel prepare(const SimulationOptions& options, Problems& problems);

 private:
  Model model_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const PreparedModel>> compiled_;
};

/// What keywords of a call say, and the model as it stands then; raises all mistakes. Holds the
/// GIL, and lets it go.
[[nodiscard]] PreparedModel prepared_for(BoundModel& bound, const nb::dict& given,
                                         SimulationOptions& options);

/// A finished run.
struct BoundResult {
  std::shared_ptr<Watch> watch;  ///< its plan looks at it, should it be carried out again
  Result result;
  std::shared_ptr<Callables> callables;
  std::optional<Sensitivities> sensitivities = {};
  std::optional<LyapunovExponents> lyapunov = {};
  std::optional<Section> section = {};

  [[nodiscard]] std::vector<ColumnGroup> groups() const {
    return result.curve ? result.curve->motion.groups() : result.motion.groups();
  }
};

/// Computes a plan, watched.
[[nodiscard]] BoundResult carry_out(Plan plan, nb::object progress,
                                    std::shared_ptr<Callables> callables,
                                    const std::vector<std::string>& sensitivity = {},
                                    std::optional<int> exponents = {});

/// Reads forces= and adds them to a prepared model. Holds the GIL.
void add_forces(const nb::list& forces, PreparedModel& prepared,
                const std::shared_ptr<Callables>& callables);

[[nodiscard]] nb::object column_array(const Column& column, nb::handle owner);
[[nodiscard]] nb::object vector_array(const Vec& vector);

void bind_model(nb::module_& m);
void bind_studies(nb::class_<BoundModel>& model);
void bind_gradients(nb::class_<BoundModel>& model);
void bind_result(nb::module_& m);
void bind_simulation(nb::module_& m);
void bind_samples(nb::module_& m);
void bind_sweep(nb::module_& m);

}  // namespace taut::python
