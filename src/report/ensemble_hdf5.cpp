// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "report/hdf5_file.hpp"
#include "taut/report/ensemble.hpp"

namespace taut {

std::string write_ensemble_hdf5(const Ensemble& all, const std::string& file) {
  const std::size_t rows = all.t.size();
  std::vector<std::string> names, parts;
  for (const EnsembleColumn& column : all.columns) names.push_back(column.name);
  for (const double p : all.quantiles) parts.push_back(fmt::format("{:.6g} %", 100 * p));
  const auto table = [&](const auto& of) {
    std::vector<double> values;
    for (std::size_t k = 0; k < rows; ++k)
      for (const EnsembleColumn& column : all.columns) values.push_back(of(column)[k]);
    return values;
  };
  return hdf5::write(file, [&](hid_t out) {
    for (const char* group : {"names", "quantiles"}) {
      const hdf5::Handle made{
          hdf5::library().H5Gcreate2(out, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
          hdf5::library().H5Gclose};
      if (!made.good()) return false;
    }
    using Of = EnsembleColumn;
    bool good = hdf5::put_names(out, "names/columns", names) &&
                hdf5::put_names(out, "names/quantiles", parts) &&
                hdf5::put(out, "t", all.t, rows, 0) &&
                hdf5::put(out, "runs", {all.count.begin(), all.count.end()}, rows, 0) &&
                hdf5::put(out, "apart", all.apart, rows, 0);
    const auto put = [&](const char* name, const auto& of) {
      good = good && hdf5::put_group(out, name, table(of), rows, names);
    };
    put("mean", [](const Of& c) -> const std::vector<double>& { return c.mean; });
    put("deviation", [](const Of& c) -> const std::vector<double>& { return c.deviation; });
    put("least", [](const Of& c) -> const std::vector<double>& { return c.least; });
    put("greatest", [](const Of& c) -> const std::vector<double>& { return c.greatest; });
    for (std::size_t p = 0; p < parts.size(); ++p)
      put(fmt::format("quantiles/{}", p).c_str(),
          [p](const Of& c) -> const std::vector<double>& { return c.quantiles[p]; });
    return good;
  });
}

}  // namespace taut
