// SPDX-License-Identifier: BSD-3-Clause
// A run that is held in the hand.
#include "taut/simulation/simulation.hpp"

#include <nanobind/eigen/dense.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cmath>

#include "bound.hpp"
#include "options.hpp"

namespace taut::python {
namespace {

struct BoundSimulation {
  std::shared_ptr<Watch> watch;  // the run inside looks at it some ten times a second
  std::unique_ptr<Simulation> held;
  std::shared_ptr<Callables> callables;
  bool at_work = false;  // without the GIL, which guards this

  Simulation& there() const {
    if (!held) throw nb::value_error("the simulation was finished");
    if (at_work)
      throw std::runtime_error(
          "the simulation is at work: it serves one thread at a time, and no function that it "
          "calls");
    return *held;
  }

  /// Moves it on without the GIL.
  template <class Move>
  std::string moved(const Move& move) {
    Simulation& simulation = there();
    const auto work = [&] {
      struct AtWork {
        explicit AtWork(bool& flag) : is{flag} { is = true; }
        AtWork(const AtWork&) = delete;
        AtWork& operator=(const AtWork&) = delete;
        ~AtWork() { is = false; }
        bool& is;
      } const guard{at_work};
      nb::gil_scoped_release released;
      return move(simulation);
    };
    const Status status = work();
    watch->rethrow();
    return told(status);
  }

  /// What a call ended with: an event that stops is no failure.
  std::string told(Status status) const {
    if (callables) callables->rethrow();
    if (status == Status::ok || status == Status::stopped_by_event)
      return std::string{name(status)};
    const nb::object errors = nb::module_::import_("taut._errors");
    const nb::object error =
        status == Status::invalid_argument ? errors.attr("ModelError") : errors.attr("RunError");
    PyErr_SetObject(error.ptr(), nb::str(there().message().c_str()).ptr());
    throw nb::python_error();
  }
};

BoundSimulation hold(BoundModel& bound, const nb::dict& given, const nb::list& forces,
                     const nb::list& events) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  refuse_misspelled(options, bound.model(), problems);
  PreparedModel prepared = bound.prepare(options, problems);
  problems.throw_if_any();
  std::shared_ptr<Callables> callables;
  if (nb::len(forces) + nb::len(events) > 0) callables = std::make_shared<Callables>();
  add_forces(forces, prepared, callables);
  Plan made = plan(std::move(prepared), options, problems);
  if (callables) callables->rethrow();
  problems.throw_if_any();
  add_events(events, made, callables);
  BoundSimulation simulation{std::make_shared<Watch>(), nullptr, std::move(callables)};
  made.watch(simulation.watch->cancel(),
             [watch = simulation.watch.get()](const Progress& p) { watch->look(p.fraction); });
  {
    nb::gil_scoped_release released;
    simulation.held = std::make_unique<Simulation>(std::move(made));
  }
  simulation.told(simulation.held->message().empty() ? Status::ok
                                                     : simulation.held->plan().start.status);
  return simulation;
}

}  // namespace

void bind_simulation(nb::module_& m) {
  nb::class_<BoundSimulation>(m, "Simulation", nb::type_slots(seen_by_collector<BoundSimulation>))
      .def_static("hold", hold)
      .def_prop_ro("t", [](const BoundSimulation& s) { return s.there().t(); })
      .def_prop_ro("q", [](const BoundSimulation& s) { return vector_array(s.there().q()); })
      .def_prop_ro("v", [](const BoundSimulation& s) { return vector_array(s.there().v()); })
      .def_prop_ro("lam", [](const BoundSimulation& s) { return vector_array(s.there().lambda()); })
      .def("__getitem__",
           [](const BoundSimulation& s, std::string_view name) {
             for (const SystemInput& input : s.there().plan().system.structure().inputs)
               if (input.name == name) return s.held->input(name);
             if (const auto& compiled = s.held->plan().prepared.compiled;
                 compiled.parameter_index(name) >= 0)
               return compiled
                   .parameter_values()[static_cast<std::size_t>(compiled.parameter_index(name))];
             return (*s.held)[name];
           })
      .def("__setitem__",
           [](const BoundSimulation& s, std::string_view name, double value) {
             Simulation& held = s.there();
             for (const SystemInput& input : held.plan().system.structure().inputs)
               if (input.name == name) {
                 s.told(held.set_input(name, value));
                 return;
               }
             const Structure& structure = held.plan().system.structure();
             const auto has = [name](const std::vector<std::string>& names) {
               return std::find(names.begin(), names.end(), name) != names.end();
             };
             if (held.plan().prepared.compiled.parameter_index(name) >= 0)
               s.told(held.set_parameter(name, value));
             else if (has(structure.coordinates) || has(structure.velocities))
               s.told(held.set_state(name, value));
             else
               s.told(held.set_input(name, value));  // says what there is
           })
      .def("value",
           [](const BoundSimulation& s, std::string_view text) { return s.there().value(text); })
      .def("step",
           [](BoundSimulation& s) { return s.moved([](Simulation& it) { return it.step(); }); })
      .def("advance_to",
           [](BoundSimulation& s, nb::handle time) {
             const double t = PyFloat_AsDouble(time.ptr());
             if (PyErr_Occurred() != nullptr || !std::isfinite(t)) {
               PyErr_Clear();
               const std::string given = nb::repr(time).c_str();
               throw nb::type_error(("advance_to(t) takes a time, not " + given).c_str());
             }
             return s.moved([t](Simulation& it) { return it.advance_to(t); });
           })
      .def("set_state", [](const BoundSimulation& s, const Vec& q,
                           const Vec& v) { s.told(s.there().set_state(q, v)); })
      .def("at", [](const BoundSimulation& s, double t) { return s.there().at(t); })
      .def("events",
           [](const BoundSimulation& s) {
             nb::list all;
             for (const EventRecord& e : s.there().events())
               all.append(nb::make_tuple(e.name, e.state.t));
             return all;
           })
      .def("save",
           [](const BoundSimulation& s) {
             const std::vector<std::byte> saved = s.there().save();
             return nb::bytes(saved.data(), saved.size());
           })
      .def("restore",
           [](const BoundSimulation& s, const nb::bytes& saved) {
             const auto* const data = static_cast<const std::byte*>(saved.data());
             s.told(s.there().restore({data, data + saved.size()}));
           })
      .def("finish", [](BoundSimulation& s) {
        BoundResult result{s.watch, s.there().finish(), std::move(s.callables)};
        s.held.reset();
        return result;
      });
}

}  // namespace taut::python
