// SPDX-License-Identifier: BSD-3-Clause
// Many runs of one model, a part of them at a time.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "bound.hpp"
#include "options.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace taut::python {
namespace {

struct BoundSweep {
  std::unique_ptr<MotionSweep> sweep;
  std::vector<std::string> parameters;
  std::size_t measures = 0;
};

BoundSweep make(BoundModel& bound, const nb::dict& given, std::vector<std::string> parameters,
                const std::vector<std::string>& measures) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  refuse_misspelled(options, bound.model(), problems);
  const std::vector<RunMeasure> read = read_measures(measures, problems);
  BoundSweep made{nullptr, std::move(parameters), measures.size()};
  nb::gil_scoped_release released;
  made.sweep = std::make_unique<MotionSweep>(bound.model(), std::move(options), read, problems);
  if (problems.empty()) {
    const auto known = made.sweep->prepared().compiled.parameter_names();
    const std::vector<std::string> all{known.begin(), known.end()};
    for (const std::string& name : made.parameters)
      if (made.sweep->prepared().compiled.parameter_index(name) < 0) {
        const std::string meant = nearest_name(name, all);
        std::string list;
        for (const std::string& one : all) list += (list.empty() ? "" : ", ") + one;
        problems.add({}, name + "=", "there is no parameter '" + name + "'",
                     !meant.empty() ? "did you mean '" + meant + "'?"
                     : all.empty()  ? "the model has no parameters"
                                    : "parameters are: " + list);
      }
  }
  if (problems.empty()) static_cast<void>(made.sweep->plan(problems));
  problems.throw_if_any();
  return made;
}

/// Runs at the rows of `values` (runs x parameters): measures (runs x measures), and for each run
/// its status, reason and method.
nb::tuple compute(const BoundSweep& bound,
                  nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu> values,
                  unsigned threads, bool one_by_one, const std::string& device,
                  nb::object progress) {
  const std::size_t runs = values.shape(0), width = values.shape(1), m = bound.measures;
  if (width != bound.parameters.size())
    throw nb::value_error("one column of values for each parameter");
  auto* const numbers = new double[std::max<std::size_t>(runs * m, 1)];
  const nb::capsule owner{numbers, [](void* p) noexcept { delete[] static_cast<double*>(p); }};
  const double* const data = values.data();
  std::vector<SweepAxis> axes;
  for (std::size_t i = 0; i < width; ++i) {
    axes.push_back({.parameter = bound.parameters[i], .points = static_cast<int>(runs)});
    for (std::size_t k = 0; k < runs; ++k) {
      const double x = data[k * width + i];
      axes[i].first = k == 0 ? x : std::min(axes[i].first, x);
      axes[i].last = k == 0 ? x : std::max(axes[i].last, x);
    }
  }
  Watch watch{std::move(progress)};
  std::atomic<double> fraction = 0.0;
  RunSweepOptions options{.threads = threads,
                          .lanes = !one_by_one,
                          .device = device,
                          .cancel = watch.cancel(),
                          .progress = [&](const SweepProgress& p) {
                            fraction = static_cast<double>(p.done) / static_cast<double>(p.total);
                          }};
  for (std::size_t k = 0; k < runs; ++k)
    options.points.emplace_back(data + k * width, data + (k + 1) * width);
  const RunSweep sweep = watched(watch, fraction, [&] { return (*bound.sweep)(axes, options); });
  if (sweep.status == Status::not_supported)
    throw std::runtime_error{"device=: " + sweep.problem +
                             "; leave it out: the processor does these runs"};
  nb::list statuses, reasons, methods;
  for (std::size_t k = 0; k < runs; ++k) {
    const SweptRun& run = sweep.runs[k];
    for (std::size_t i = 0; i < m; ++i)
      numbers[k * m + i] =
          i < run.measures.size() ? run.measures[i] : std::numeric_limits<double>::quiet_NaN();
    statuses.append(nb::str(run.status.c_str()));
    reasons.append(nb::str(run.reason.c_str()));
    methods.append(nb::str(run.method.c_str()));
  }
  const std::size_t shape[] = {runs, m};
  return nb::make_tuple(nb::ndarray<nb::numpy, double, nb::ndim<2>>(numbers, 2, shape, owner),
                        statuses, reasons, methods);
}

}  // namespace

void bind_sweep(nb::module_& m) {
  nb::class_<BoundSweep>(m, "Sweep")
      .def_static("make", make)
      .def("compute", compute, nb::arg("values"), nb::arg("threads"), nb::arg("one_by_one"),
           nb::arg("device"), nb::arg("progress").none());
}

}  // namespace taut::python
