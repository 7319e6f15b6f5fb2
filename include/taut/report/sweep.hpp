// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "taut/studies/sweep.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Of what a sweep is one, for what is written about it.
struct SweepOrigin {
  std::string model, reading;                         ///< their names
  std::string file = {}, command = {}, version = {};  ///< model file, command line, of taut
  std::string run = {};  ///< command line of one run, to which --set is added; empty: not known
};

/// A sweep of runs as a JSON object, on one line (docs/manual/sweep.md has its fields). It is what
/// the page of a sweep is drawn from, too.
[[nodiscard]] std::string sweep_json(const RunSweep& sweep, const SweepOrigin& origin);

/// One line for each run that has finished: the parameters, `status`, the measures (nan where there
/// is none), `reason`. The writers return what went wrong, with the path; empty when the file is in
/// place.
[[nodiscard]] std::string write_sweep_csv(const RunSweep& sweep, const std::string& file);

/// All runs as HDF5: `values` (runs x axes), `measures` (runs x measures), `status` and `reason`
/// (one text for each run, empty where it was not run), `shape` (points of each axis), and
/// names/values, names/measures.
[[nodiscard]] std::string write_sweep_hdf5(const RunSweep& sweep, const std::string& file);

/// The page with curves or a map.
[[nodiscard]] std::string write_sweep_html(const RunSweep& sweep, const SweepOrigin& origin,
                                           const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
