// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <vector>

#include "report/hdf5_file.hpp"
#include "taut/report/samples.hpp"

namespace taut {

// column by column: memory is that of one
std::string write_samples_hdf5(const SampleReport& report, const std::string& file) {
  const std::vector<Distribution>& drawn = report.points->design().distributions;
  const std::size_t runs = report.statistics.runs;
  std::string problem;
  const auto column = [&](const auto& number) {
    std::vector<double> all;
    all.reserve(runs);
    std::string wrong = report.sweep->store.for_each(
        0, runs, [&](const RunStore::Run& run) { all.push_back(number(run)); });
    if (problem.empty()) problem = std::move(wrong);
    return all;
  };
  std::string written = hdf5::write(file, [&](hid_t out) {
    bool good = true;
    for (const char* group : {"names", "values", "measures"}) {
      const hdf5::Handle made{H5Gcreate2(out, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                              H5Gclose};
      good = good && made.good();
    }
    std::vector<std::string> names, statuses;
    for (const Distribution& one : drawn) names.push_back(one.name);
    for (int k = 0; k < 255 && statuses.size() < 64; ++k) statuses.push_back(RunStore::name_of(k));
    good =
        good && hdf5::put_names(out, "names/values", names) &&
        hdf5::put_names(out, "names/measures", report.measures) &&
        hdf5::put_names(out, "names/status", statuses) &&
        hdf5::put(out, "status",
                  column([](const RunStore::Run& run) { return static_cast<double>(run.status); }),
                  runs, 0);
    for (std::size_t j = 0; j < drawn.size() && good; ++j)
      good = hdf5::put(
          out, fmt::format("values/{}", j).c_str(),
          column([&](const RunStore::Run& run) { return (*report.points)(run.number)[j]; }), runs,
          0);
    for (std::size_t m = 0; m < report.measures.size() && good; ++m)
      good = hdf5::put(out, fmt::format("measures/{}", m).c_str(),
                       column([&](const RunStore::Run& run) { return run.measures[m]; }), runs, 0);
    return good;
  });
  return problem.empty() ? written : problem;
}

}  // namespace taut
