// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <string>
#include <vector>

#include "report/hdf5_file.hpp"
#include "report/hdf5_rows.hpp"
#include "taut/report/samples.hpp"

namespace taut {

std::string write_samples_hdf5(const SampleReport& report, const std::string& file) {
  const std::vector<Distribution>& drawn = report.points->design().distributions;
  const std::size_t runs = report.statistics.runs, d = drawn.size();
  std::vector<hdf5::Table> tables{{.name = "status", .rows = runs}};
  for (std::size_t j = 0; j < d; ++j)
    tables.push_back({.name = fmt::format("values/{}", j), .rows = runs});
  for (std::size_t m = 0; m < report.measures.size(); ++m)
    tables.push_back({.name = fmt::format("measures/{}", m), .rows = runs});
  const auto fill = [&](hid_t out) {
    for (const char* group : {"names", "values", "measures"}) {
      const hdf5::Handle made{
          hdf5::library().H5Gcreate2(out, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          hdf5::library().H5Gclose};
      if (!made.good()) return false;
    }
    std::vector<std::string> names, statuses;
    for (const Distribution& one : drawn) names.push_back(one.name);
    for (int k = 0; k < 64; ++k) statuses.push_back(RunStore::name_of(k));
    return hdf5::put_names(out, "names/values", names) &&
           hdf5::put_names(out, "names/measures", report.measures) &&
           hdf5::put_names(out, "names/status", statuses);
  };
  return hdf5::write_rows(file, fill, tables, [&](hdf5::RowWriter& to) {
    return report.sweep->store.for_each(0, runs, [&](const RunStore::Run& run) {
      const double status = run.status;
      to.numbers(0, &status, 1);
      const std::vector<double> values = (*report.points)(run.number);
      for (std::size_t j = 0; j < d; ++j) to.numbers(1 + j, &values[j], 1);
      for (std::size_t m = 0; m < run.measures.size(); ++m)
        to.numbers(1 + d + m, &run.measures[m], 1);
    });
  });
}

}  // namespace taut
