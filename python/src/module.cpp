// SPDX-License-Identifier: BSD-3-Clause
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bound.hpp"
#include "options.hpp"
#include "taut/core/threads.hpp"
#include "taut/core/wording.hpp"
#include "taut/report/diagnosis.hpp"
#include "taut/version.hpp"

namespace taut::python {
namespace {

// bad input is taut.ModelError with the list of problems
void translate(const std::exception_ptr& thrown, void* /*payload*/) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ModelError& error) {
    nb::list problems;
    for (const Problem& p : error.problems().sorted()) {
      nb::dict one;
      one["file"] = error.problems().file();
      one["line"] = p.at.line;
      one["column"] = p.at.column;
      one["where"] = p.where;
      one["what"] = p.what;
      one["remedy"] = p.remedy;
      problems.append(one);
    }
    const nb::object type = nb::module_::import_("taut._errors").attr("ModelError");
    PyErr_SetObject(type.ptr(), type(error.what(), problems).ptr());
  }
}

}  // namespace

NB_MODULE(_taut, m) {
  speak(Dialect::python);
  nb::register_exception_translator(translate);
  m.def("version", [] { return std::string{version()}; });
  m.def("parts", [] {
    nb::dict all;
    const Parts have = parts();
    all["sundials"] = have.sundials;
    all["hdf5"] = have.hdf5;
    all["tbb"] = have.tbb;
    all["pages"] = have.pages;
    return all;
  });
  m.def("methods", methods_json);
  m.def("use_threads", use_threads);
  m.def("options", option_names);
  bind_result(m);
  bind_model(m);
  bind_simulation(m);
  bind_samples(m);
  bind_sweep(m);
}

}  // namespace taut::python
