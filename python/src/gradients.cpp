// SPDX-License-Identifier: BSD-3-Clause
// Gradients of measures, and designs found with them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bound.hpp"
#include "options.hpp"
#include "taut/report/gradient.hpp"
#include "taut/report/optimize.hpp"

namespace taut::python {
namespace {

using Names = std::vector<std::string>;

std::string gradient_of(BoundModel& bound, const nb::dict& given, const Names& measures,
                        const Names& by, bool curves, double memory) {
  Problems problems{bound.model().file};
  const SimulationOptions options = read_options(given, bound.model(), problems);
  std::vector<MotionMeasure> read;
  for (const std::string& text : measures) read.push_back(read_motion_measure(text, problems));
  problems.throw_if_any();
  Watch watch;
  const std::atomic<double> fraction = 0.0;
  const Gradient found = watched(watch, fraction, [&] {
    SimulationOptions cancelled = options;
    cancelled.cancel = watch.cancel();
    return gradient(bound.model(), cancelled, read, by, {.memory = 1e6 * memory, .curves = curves},
                    problems);
  });
  problems.throw_if_any();
  return gradient_json(found);
}

std::string optimum_of(BoundModel& bound, const nb::dict& given, const std::string& objective,
                       bool maximize, const nb::list& vary, const Names& subject_to, int starts,
                       int threads) {
  Problems problems{bound.model().file};
  const SimulationOptions options = read_options(given, bound.model(), problems);
  OptimizeOptions wanted{.objective = read_motion_measure(objective, problems),
                         .maximize = maximize,
                         .starts = starts,
                         .threads = static_cast<unsigned>(std::max(0, threads))};
  for (const nb::handle one : vary)
    wanted.vary.push_back({.name = nb::cast<std::string>(one["name"]),
                           .lower = nb::cast<double>(one["lower"]),
                           .upper = nb::cast<double>(one["upper"])});
  for (const std::string& text : subject_to)
    wanted.subject_to.push_back(read_design_bound(text, problems));
  problems.throw_if_any();
  Watch watch;
  const std::atomic<double> fraction = 0.0;
  const Optimum found = watched(watch, fraction, [&] {
    wanted.cancel = watch.cancel();
    return optimize(bound.model(), options, wanted, problems);
  });
  problems.throw_if_any();
  return optimum_json(found);
}

}  // namespace

void bind_gradients(nb::class_<BoundModel>& model) {
  model
      .def("gradient", gradient_of, nb::arg("options"), nb::arg("measure"), nb::arg("by"),
           nb::arg("curves"), nb::arg("memory"))
      .def("optimize", optimum_of, nb::arg("options"), nb::arg("objective"), nb::arg("maximize"),
           nb::arg("vary"), nb::arg("subject_to"), nb::arg("starts"), nb::arg("threads"));
}

}  // namespace taut::python
