// SPDX-License-Identifier: BSD-3-Clause
// Runs whose numbers are drawn.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "bound.hpp"
#include "options.hpp"
#include "taut/report/ensemble.hpp"
#include "taut/report/samples.hpp"

namespace taut::python {
namespace {

namespace fs = std::filesystem;

/// A folder that goes with it.
struct Folder {
  std::string place = (fs::temp_directory_path() / "taut_samples_XXXXXX").string();
  Folder() {
    if (::mkdtemp(place.data()) == nullptr) throw std::runtime_error{place + " cannot be made"};
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(place); }
};

struct Wish {
  SampleDesign design;
  std::vector<std::string> probabilities;
  std::vector<double> quantiles;
  double until_error = 0.0;
};

Wish wish_of(const nb::dict& given, Problems& problems) {
  using Kind = SampleDesign::Kind;
  const auto texts = [&](const char* name) {
    return nb::cast<std::vector<std::string>>(given[name]);
  };
  const auto sampling = nb::cast<std::string>(given["sampling"]);
  Wish wish;
  wish.design = {.distributions = read_distributions(texts("distribution"), problems),
                 .correlations = read_correlations(texts("correlation"), problems),
                 .runs = nb::cast<std::size_t>(given["sample"]),
                 .kind = sampling == "latin"   ? Kind::latin
                         : sampling == "sobol" ? Kind::sobol
                                               : Kind::random,
                 .seed = nb::cast<std::uint64_t>(given["seed"]),
                 .indices = nb::cast<bool>(given["indices"])};
  if (given.contains("probability")) wish.probabilities = texts("probability");
  wish.quantiles = nb::cast<std::vector<double>>(given["quantiles"]);
  if (given.contains("until_error")) wish.until_error = nb::cast<double>(given["until_error"]);
  return wish;
}

/// What `taut sweep --sample --json` prints; numbers that were drawn (runs x distributions),
/// measures (runs x measures), the status of each run.
nb::tuple sample(BoundModel& bound, const nb::dict& given, const nb::dict& drawn,
                 std::vector<std::string> measures, unsigned threads, bool one_by_one,
                 const std::string& device, nb::object progress) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  refuse_misspelled(options, bound.model(), problems);
  const Wish wish = wish_of(drawn, problems);
  const SamplePoints points{wish.design, problems};
  const std::vector<RunCondition> conditions = read_conditions(wish.probabilities, problems);
  for (const RunCondition& condition : conditions)
    if (std::find(measures.begin(), measures.end(), condition.measure) == measures.end())
      measures.push_back(condition.measure);
  Model model = bound.model();
  std::vector<std::string> names;
  for (const Distribution& one : points.design().distributions) names.push_back(one.name);
  const std::vector<std::string> parameters = name_start_values(names, model, problems);
  const std::vector<RunMeasure> read = read_measures(measures, problems);
  const MotionSweep runs{std::move(model), std::move(options), read, problems};
  Plan plan;
  if (problems.empty()) plan = runs.plan(problems);
  problems.throw_if_any();

  const Folder folder;
  Watch watch{std::move(progress)};
  std::atomic<double> fraction = 0.0;
  StatisticsOptions wanted{
      .measures = measures, .conditions = conditions, .quantiles = wish.quantiles};
  const StoredSweepOptions how{.file = folder.place + "/runs",
                               .threads = threads,
                               .lanes = !one_by_one,
                               .device = device,
                               .until_error = wish.until_error,
                               .statistics = wanted,
                               .cancel = watch.cancel(),
                               .progress = [&](const SweepProgress& p) {
                                 fraction =
                                     static_cast<double>(p.done) / static_cast<double>(p.total);
                               }};
  const StoredSweep done =
      watched(watch, fraction, [&] { return taut::sweep(runs, points, parameters, how); });
  if (done.status == Status::not_supported) throw std::runtime_error{done.problem};
  SampleReport report{.origin = {.model = runs.prepared().model.name,
                                 .reading = std::string{runs.prepared().reading.name()},
                                 .file = bound.model().file},
                      .method = std::string{plan.method.name},
                      .points = &points,
                      .measures = measures,
                      .sweep = &done};
  report.statistics = run_statistics(done.store, points, done.runs, wanted);

  const std::size_t count = done.runs, d = names.size(), m = measures.size();
  auto* const numbers = new double[std::max<std::size_t>(count * (d + m), 1)];
  const nb::capsule owner{numbers, [](void* p) noexcept { delete[] static_cast<double*>(p); }};
  nb::list statuses;
  const std::string wrong = done.store.for_each(0, count, [&](const RunStore::Run& run) {
    const std::vector<double> x = points(run.number);
    double* const to = numbers + run.number * (d + m);
    std::copy(x.begin(), x.end(), to);
    std::copy(run.measures.begin(), run.measures.end(), to + d);
    statuses.append(nb::str(RunStore::name_of(run.status).c_str()));
  });
  if (!wrong.empty()) throw std::runtime_error{wrong};
  const std::size_t shape[] = {count, d + m};
  return nb::make_tuple(samples_json(report),
                        nb::ndarray<nb::numpy, double, nb::ndim<2>>(numbers, 2, shape, owner),
                        statuses, measures);
}

/// What `taut run --ensemble --json` prints.
std::string ensemble_of(BoundModel& bound, const nb::dict& given, const nb::dict& drawn,
                        double spread, unsigned threads, nb::object progress) {
  Problems problems{bound.model().file};
  SimulationOptions options = read_options(given, bound.model(), problems);
  refuse_misspelled(options, bound.model(), problems);
  Wish wish = wish_of(drawn, problems);
  problems.throw_if_any();
  Watch watch{std::move(progress)};
  std::atomic<double> fraction = 0.0;
  const EnsembleOptions how{.design = std::move(wish.design),
                            .spread = spread,
                            .quantiles = wish.quantiles,
                            .threads = threads,
                            .cancel = watch.cancel(),
                            .progress = [&](const SweepProgress& p) {
                              fraction = static_cast<double>(p.done) / static_cast<double>(p.total);
                            }};
  const Ensemble found = watched(
      watch, fraction, [&] { return taut::ensemble(bound.model(), options, how, problems); });
  problems.throw_if_any();
  return ensemble_json(found);
}

}  // namespace

void bind_samples(nb::module_& m) {
  m.def("ensemble", ensemble_of, nb::arg("model"), nb::arg("options"), nb::arg("design"),
        nb::arg("spread"), nb::arg("threads"), nb::arg("progress").none());
  m.def("sample", sample, nb::arg("model"), nb::arg("options"), nb::arg("design"),
        nb::arg("measures"), nb::arg("threads"), nb::arg("one_by_one"), nb::arg("device"),
        nb::arg("progress").none());
}

}  // namespace taut::python
