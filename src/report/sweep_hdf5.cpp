// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>
#include <vector>

#include "report/hdf5_file.hpp"
#include "report/sweep_fields.hpp"
#include "taut/report/sweep.hpp"

namespace taut {

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
    const hdf5::Handle group{
        hdf5::library().H5Gcreate2(out, "names", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        hdf5::library().H5Gclose};
    return group.good() && hdf5::put_names(out, "names/values", parameters) &&
           hdf5::put_names(out, "names/measures", sweep.measures) &&
           hdf5::put(out, "shape", shape, shape.size(), 0) &&
           hdf5::put_group(out, "values", values, runs, parameters) &&
           hdf5::put_group(out, "measures", measures, runs, sweep.measures) &&
           hdf5::put_names(out, "status", status) && hdf5::put_names(out, "reason", reason);
  });
}

}  // namespace taut
