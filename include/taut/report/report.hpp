// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "taut/model/scene.hpp"
#include "taut/run/curve_motion.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"

namespace taut {

struct Model;

/// What a report is about, besides what the run found.
struct ReportSubject {
  std::string file;        ///< of the model, as it was given
  std::string text;        ///< of that file
  std::string version;     ///< of taut
  const Scene& scene;      ///< what the model looks like
  double tolerance = 0.0;  ///< of a method that chooses its steps; 0: they are constant
  bool own_units = false;  ///< the model states its own units (states_own_units()): none are shown
};

/// Whether a model has anything of molecules: [[pair]], [[water]], [[bond]], [[angle]],
/// [[dihedral]], [box] or [thermostat]. Such models are rarely in SI units.
[[nodiscard]] bool states_own_units(const Model& model);

/// The report of a run: one HTML file below 5 MB that needs nothing else (web/README.md has its
/// data). It says in words what was solved, how, how well and what to doubt, and shows the motion.
///
/// Marks. `good`, `fair` and `bad` are relative to the sizes of the problem:
///
///   run           bad unless it reached its end or an event stopped it; fair at a limit
///   constraints   Summary::max_relative_constraint: good up to 1e-9, fair up to 1e-5; there is
///   none
///                 where no constraint is rigid
///   energy        Summary::energy_error: good up to 1e-4, fair up to 1e-2, but never good where
///   the
///                 run failed; `none` where energy is not conserved
///   equations     of a curve, CurveSummary::max_relative: as constraints
///
/// Size. Rows and columns are left out where all would be too much: first rows, down to 400, whose
/// least and greatest values go to their successors; then columns of plots, keeping the first ones
/// and those with the largest range; then rows again. A picture of more than some 6 000 points with
/// as many lines is left out, and of the model's file what is beyond 100 kB. `thinned` says so.
[[nodiscard]] std::string report_html(const Motion& motion, const Summary& summary,
                                      const Structure& structure, const ReportSubject& subject);
[[nodiscard]] std::string report_html(const CurveMotion& motion, const CurveSummary& summary,
                                      const ReportSubject& subject);

/// Writes it (see AtomicFile). What went wrong, with the path; empty when the file is in place.
[[nodiscard]] std::string write_report(const Motion& motion, const Summary& summary,
                                       const Structure& structure, const ReportSubject& subject,
                                       const std::filesystem::path& file);
[[nodiscard]] std::string write_report(const CurveMotion& motion, const CurveSummary& summary,
                                       const ReportSubject& subject,
                                       const std::filesystem::path& file);

}  // namespace taut
