// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>
#include <vector>

#include "report/hdf5_file.hpp"
#include "report/hdf5_rows.hpp"
#include "report/sweep_fields.hpp"
#include "taut/report/grid.hpp"

namespace taut {
namespace {

bool make_group(hid_t out, const char* name) {
  const hdf5::Handle group{
      hdf5::library().H5Gcreate2(out, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      hdf5::library().H5Gclose};
  return group.good();
}

}  // namespace

std::string write_sweep_hdf5(const RunSweep& sweep, const std::string& file) {
  std::vector<double> values, measures, shape;
  std::vector<std::string> status, reason, parameters;
  for (const SweepAxis& axis : axes_of(sweep)) shape.push_back(axis.points);
  for (const SweepAxis& axis : sweep.axes) parameters.push_back(axis.parameter);
  for (std::size_t k = 0; k < sweep.runs.size(); ++k) {
    const SweptRun& run = sweep.runs[k];
    const std::vector<double> here = sweep.values(k);
    values.insert(values.end(), here.begin(), here.end());
    for (std::size_t m = 0; m < sweep.measures.size(); ++m)
      measures.push_back(m < run.measures.size() ? run.measures[m] : std::nan(""));
    status.push_back(run.status);
    reason.push_back(run.reason);
  }
  const std::size_t runs = sweep.runs.size();
  return hdf5::write(file, [&](hid_t out) {
    return make_group(out, "names") && hdf5::put_names(out, "names/values", parameters) &&
           hdf5::put_names(out, "names/measures", sweep.measures) &&
           hdf5::put(out, "shape", shape, shape.size(), 0) &&
           hdf5::put_group(out, "values", values, runs, parameters) &&
           hdf5::put_group(out, "measures", measures, runs, sweep.measures) &&
           hdf5::put_names(out, "status", status) && hdf5::put_names(out, "reason", reason);
  });
}

std::string write_grid_hdf5(const GridReport& report, const std::string& file) {
  constexpr std::size_t in_one_piece = 100'000, most_reasons = 1000, status_bytes = 24;
  const SweepPoints points = SweepPoints::of(report.axes);
  if (points.count <= in_one_piece) return write_sweep_hdf5(sweep_in_memory(report), file);
  const RunStore& store = report.sweep->store;
  const std::size_t d = report.axes.size(), m = report.measures.size();
  std::string problem;
  const auto fill = [&](hid_t out) {
    std::vector<std::string> parameters, reasons;
    std::vector<double> shape, numbers;
    for (const SweepAxis& axis : report.axes) {
      parameters.push_back(axis.parameter);
      shape.push_back(axis.points);
    }
    problem = store.for_each(0, report.found.failed > 0 ? points.count : 0, [&](const auto& run) {
      if (!run.done() || RunStore::is_good(run.status) || reasons.size() == most_reasons) return;
      numbers.push_back(static_cast<double>(run.number));
      reasons.emplace_back(run.reason);
    });
    return make_group(out, "names") && make_group(out, "failures") &&
           hdf5::put_names(out, "names/values", parameters) &&
           hdf5::put_names(out, "names/measures", report.measures) &&
           hdf5::put(out, "shape", shape, shape.size(), 0) &&
           hdf5::put(out, "failures/run", numbers, numbers.size(), 0) &&
           hdf5::put_names(out, "failures/reason", reasons);
  };
  const std::vector<hdf5::Table> tables{
      {.name = "values", .rows = points.count, .columns = d},
      {.name = "measures", .rows = points.count, .columns = m},
      {.name = "status", .rows = points.count, .text_bytes = status_bytes}};
  std::string written = hdf5::write_rows(file, fill, tables, [&](hdf5::RowWriter& to) {
    return store.for_each(0, points.count, [&](const RunStore::Run& run) {
      to.numbers(0, points.values(run.number).data(), d);
      // places of runs that were not done have zeros
      if (run.done())
        to.numbers(1, run.measures.data(), m);
      else
        to.numbers(1, std::vector<double>(m, std::nan("")).data(), m);
      to.text(2, RunStore::name_of(run.status));
    });
  });
  return problem.empty() ? written : problem;
}

}  // namespace taut
