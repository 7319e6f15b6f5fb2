// SPDX-License-Identifier: BSD-3-Clause
// Runs that are over: columns as arrays, instants, what is written of them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <filesystem>
#include <memory>

#include "bound.hpp"
#include "taut/report/lyapunov.hpp"
#include "taut/report/report.hpp"
#include "taut/report/section.hpp"
#include "taut/report/sensitivity.hpp"
#include "taut/report/writers.hpp"
#include "taut/version.hpp"

namespace taut::python {
namespace {

Record record_of(const Result& result) {
  ReportSubject subject = subject_of(*result.plan, result.plan->prepared.model.file);
  if (result.curve)
    return CurveRecord{std::move(subject), result.curve->motion, result.curve->summary};
  return RunRecord{std::move(subject), facts_of(result.plan->system.structure()), result.motion,
                   result.summary};
}

std::string report_of(const Result& result) {
  if (!parts().pages) return {};
  return std::visit([](const auto& record) { return report_html(record); }, record_of(result));
}

// what `taut run` writes, under the same names; the summary last: where it is, the rest is, too
std::vector<std::string> save(const BoundResult& bound, const std::string& folder,
                              const std::vector<std::string>& formats, bool report, int digits) {
  const Result& result = bound.result;
  const std::filesystem::path to{folder};
  std::filesystem::create_directories(to);
  std::vector<std::string> files;
  const auto put = [&](const std::string& name, const auto& write) {
    const std::string file = (to / name).string();
    if (const std::string problem = write(file); !problem.empty())
      throw std::runtime_error{problem};
    files.push_back(file);
  };
  const auto motion = [&](const auto& rows) {
    for (const std::string& format : formats)
      put("motion." + format, [&](const std::string& file) {
        return format == "csv"    ? write_motion_csv(rows, file, digits)
               : format == "json" ? write_motion_json(rows, file)
                                  : write_motion_hdf5(rows, file);
      });
  };
  if (result.curve)
    motion(result.curve->motion);
  else
    motion(result.motion);
  for (const StatisticResult& statistic : result.summary.statistics)
    if (!statistic.columns.empty())
      put(statistic_file(statistic),
          [&](const std::string& file) { return write_statistic_csv(statistic, file); });
  if (!result.summary.statistics.empty())
    put("statistics.json", [&](const std::string& file) {
      return write_statistics_json(result.summary.statistics, file);
    });
  put("record.bin", [&](const std::string& file) {
    const Record record = record_of(result);
    if (const auto* curve = std::get_if<CurveRecord>(&record))
      return write_record(curve->motion, curve->summary, curve->subject, file);
    const auto& run = std::get<RunRecord>(record);
    return write_record(run.motion, run.summary, run.system, run.subject, file);
  });
  if (report && parts().pages)
    put("report.html",
        [&](const std::string& file) { return write_report(record_of(result), file); });
  if (bound.sensitivities)
    put("sensitivity.json", [&](const std::string& file) {
      return write_sensitivity_json({result, *bound.sensitivities}, file);
    });
  if (bound.lyapunov)
    put("lyapunov.json",
        [&](const std::string& file) { return write_lyapunov_json(*bound.lyapunov, file); });
  if (bound.section) {
    put("section.csv",
        [&](const std::string& file) { return write_section_csv(*bound.section, file); });
    if (report && parts().pages)
      put("section.html", [&](const std::string& file) {
        return write_section_html(*bound.section, result, file);
      });
  }
  put("summary.json", [&](const std::string& file) {
    return result.curve ? write_summary_json(result.curve->summary, file)
                        : write_summary_json(result.summary, file);
  });
  return files;
}

// `taut report`: the page of a run that has been saved
std::string page_of(const std::vector<std::string>& records, const std::string& page) {
  std::vector<Record> runs;
  for (const std::string& file : records) {
    RecordFound found = read_record(file);
    if (!found.record) throw nb::value_error(found.problem.c_str());
    runs.push_back(std::move(*found.record));
  }
  const std::string problem = runs.size() == 2 ? write_report_of_two(runs[0], runs[1], page)
                                               : write_report(runs.at(0), page);
  if (!problem.empty()) throw std::runtime_error{problem};
  return page;
}

}  // namespace

nb::object column_array(const Column& column, nb::handle owner) {
  const std::size_t shape[] = {column.size()};
  const std::ptrdiff_t stride =
      column.size() > 1 ? &column.begin()[1] - &column.begin()[0] : std::ptrdiff_t{1};
  const std::int64_t strides[] = {stride};
  const double* const data = column.empty() ? nullptr : &column.begin()[0];
  return nb::cast(
      nb::ndarray<nb::numpy, const double, nb::ndim<1>>(data, 1, shape, owner, strides));
}

nb::object vector_array(const Vec& vector) {
  auto* const copy = new double[static_cast<std::size_t>(std::max<Index>(vector.size(), 1))];
  std::copy_n(vector.data(), vector.size(), copy);
  const nb::capsule owner{copy, [](void* p) noexcept { delete[] static_cast<double*>(p); }};
  const std::size_t shape[] = {static_cast<std::size_t>(vector.size())};
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(copy, 1, shape, owner));
}

BoundResult carry_out(Plan plan, nb::object progress, std::shared_ptr<Callables> callables,
                      const std::vector<std::string>& sensitivity, std::optional<int> exponents) {
  BoundResult bound{.watch = std::make_shared<Watch>(std::move(progress)),
                    .result = {},
                    .callables = std::move(callables)};
  Watch& watch = *bound.watch;
  if (exponents) {
    const auto fraction = std::make_shared<std::atomic<double>>(0.0);
    plan.watch(watch.cancel(), [fraction](const Progress& p) { *fraction = p.fraction; });
    Problems problems{plan.prepared.model.file};
    LyapunovRun run =
        watched(watch, *fraction, [&] { return lyapunov(std::move(plan), *exponents, problems); });
    problems.throw_if_any();
    bound.result = std::move(run.result);
    bound.lyapunov = std::move(run.lyapunov);
  } else if (sensitivity.empty()) {
    plan.watch(watch.cancel(), [&watch](const Progress& p) { watch.look(p.fraction); });
    nb::gil_scoped_release released;
    bound.result = simulate(std::move(plan));
  } else {
    // derivatives are computed after the motion, and say nothing of how far they are
    const auto fraction = std::make_shared<std::atomic<double>>(0.0);
    plan.watch(watch.cancel(), [fraction](const Progress& p) { *fraction = p.fraction; });
    Problems problems{plan.prepared.model.file};
    DifferentiatedRun run = watched(
        watch, *fraction, [&] { return differentiate(std::move(plan), sensitivity, problems); });
    problems.throw_if_any();
    bound.result = std::move(run.result);
    bound.sensitivities = std::move(run.sensitivities);
  }
  watch.rethrow();
  watch.forget();
  if (bound.callables) bound.callables->rethrow();
  return bound;
}

void bind_result(nb::module_& m) {
  m.def("report", page_of);
  nb::class_<Instant>(m, "Instant")
      .def("__getitem__", [](const Instant& i, const std::string& name) { return i[name]; })
      .def_prop_ro("t", [](const Instant& i) { return i.frame().state.t; })
      .def_prop_ro("q", [](const Instant& i) { return vector_array(i.frame().state.q); })
      .def_prop_ro("v", [](const Instant& i) { return vector_array(i.frame().state.v); })
      .def_prop_ro("a", [](const Instant& i) { return vector_array(i.frame().a); })
      .def_prop_ro("lam", [](const Instant& i) { return vector_array(i.frame().lambda); })
      .def_prop_ro("success", [](const Instant& i) { return i.status() == Status::ok; })
      .def_prop_ro("message", [](const Instant& i) { return i.message(); });

  nb::class_<BoundResult>(m, "Result", nb::type_slots(seen_by_collector<BoundResult>))
      .def("column",
           [](nb::handle_t<BoundResult> self, const std::string& name) {
             const auto& bound = nb::cast<const BoundResult&>(self);
             return column_array(find_column(bound.groups(), name), self);
           })
      .def("names",
           [](const BoundResult& bound) {
             std::vector<std::string> names;
             for (const ColumnGroup& group : bound.groups())
               if (group.written)
                 for (std::size_t k = 0; k < group.width(); ++k) names.push_back(group.column(k));
             return names;
           })
      .def("at",
           [](BoundResult& bound, double t) {
             std::optional<Instant> there;
             {
               nb::gil_scoped_release released;
               there.emplace(bound.result.at(t));
             }
             if (bound.callables) bound.callables->rethrow();
             return std::move(*there);
           })
      .def_prop_ro("is_curve", [](const BoundResult& b) { return b.result.curve.has_value(); })
      .def_prop_ro("success", [](const BoundResult& b) { return b.result.good(); })
      .def_prop_ro("status",
                   [](const BoundResult& b) {
                     return std::string{name(b.result.curve ? b.result.curve->summary.status
                                                            : b.result.summary.status)};
                   })
      .def_prop_ro("message",
                   [](const BoundResult& b) {
                     return b.result.curve ? b.result.curve->summary.message
                                           : b.result.summary.message;
                   })
      .def_prop_ro("nfev",
                   [](const BoundResult& b) {
                     return b.result.curve ? b.result.curve->summary.counters.directions
                                           : b.result.summary.counters.force_evaluations;
                   })
      .def("summary_json",
           [](const BoundResult& b) {
             return b.result.curve ? summary_json(b.result.curve->summary)
                                   : summary_json(b.result.summary);
           })
      .def("lyapunov_json",
           [](const BoundResult& b) {
             return b.lyapunov ? lyapunov_json(*b.lyapunov) : std::string{};
           })
      .def("section_json",
           [](const BoundResult& b) {
             return b.section ? section_json(*b.section, b.result) : std::string{};
           })
      .def(
          "sensitivity_json",
          [](const BoundResult& b) {
            return b.sensitivities ? sensitivity_json({b.result, *b.sensitivities}) : std::string{};
          })
      .def("go_on",
           [](const BoundResult& b, double until) {
             if (b.callables)
               throw nb::value_error(
                   "a run with functions of Python does not go on: begin it again with a later "
                   "until=");
             BoundResult next{.watch = b.watch, .result = {}, .callables = nullptr};
             {
               nb::gil_scoped_release released;
               next.result = go_on(b.result, until);
             }
             next.watch->rethrow();
             return next;
           })
      .def("save",
           [](const BoundResult& b, const std::string& folder,
              const std::vector<std::string>& formats, bool report, int digits) {
             nb::gil_scoped_release released;
             return save(b, folder, formats, report, digits);
           })
      .def("report", [](const BoundResult& b) {
        nb::gil_scoped_release released;
        return report_of(b.result);
      });
}

}  // namespace taut::python
