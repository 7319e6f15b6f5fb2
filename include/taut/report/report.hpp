// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "taut/model/scene.hpp"
#include "taut/run/curve_motion.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"

#pragma GCC visibility push(default)

namespace taut {

struct Model;
struct Plan;

/// What a report is about, besides what the run found.
struct ReportSubject {
  std::string file{};     ///< of the model, as it was given
  std::string text{};     ///< of that file
  std::string version{};  ///< of the taut that made the run
  /// Names and values, as the run had them.
  std::vector<std::pair<std::string, double>> parameters{};
  Scene scene{};           ///< what the model looks like
  double tolerance = 0.0;  ///< of a method that chooses its steps; 0: they are constant
  bool watched = false;  ///< it is run again and again: the page is read again when it is looked at
  bool own_units = false;  ///< the model states its own units (states_own_units()): none are shown
};

/// The subject of a run; `file` is the name that is shown.
[[nodiscard]] ReportSubject subject_of(const Plan& plan, std::string file);

/// Whether a model has anything of molecules: [[pair]], [[water]], [[bond]], [[angle]],
/// [[dihedral]], [box] or [thermostat]. Such models are rarely in SI units.
[[nodiscard]] bool states_own_units(const Model& model);

/// What a report tells of the system that moved.
struct SystemFacts {
  std::int64_t coordinates = 0;
  std::int64_t rigid = 0;      ///< constraints that are equations, without compliance
  std::int64_t compliant = 0;  ///< constraints that give way
  bool conservative = true;    ///< Structure::conservative
};
[[nodiscard]] SystemFacts facts_of(const Structure& structure);

/// Everything that the report of a run in time is made of. A plain value.
struct RunRecord {
  ReportSubject subject;
  SystemFacts system;
  Motion motion;
  Summary summary;
};

/// The same of a run along a curve.
struct CurveRecord {
  ReportSubject subject;
  CurveMotion motion;
  CurveSummary summary;
};

using Record = std::variant<RunRecord, CurveRecord>;

/// Stores the record of a run as an Archive, whole or not at all (see AtomicFile): its report can
/// be made at any time later, and is the same to the byte. What went wrong, with the path; empty
/// when the file is in place.
[[nodiscard]] std::string write_record(const Motion& motion, const Summary& summary,
                                       const SystemFacts& system, const ReportSubject& subject,
                                       const std::string& file);
[[nodiscard]] std::string write_record(const CurveMotion& motion, const CurveSummary& summary,
                                       const ReportSubject& subject, const std::string& file);

/// Result of reading one.
struct RecordFound {
  std::optional<Record> record;  ///< every number as it was written, to the bit
  std::string problem;           ///< why there is none, with the path: missing, damaged, or written
                                 ///< by a version of taut that has another layout
};
[[nodiscard]] RecordFound read_record(const std::string& file);

/// The report of a run: one HTML file below 5 MB that needs nothing else (web/README.md has its
/// data). It says in words what was solved, how, how well and what to doubt, and shows the motion.
///
/// Marks. `good`, `fair` and `bad` are relative to the sizes of the problem:
///
///   run           bad unless it reached its end or an event stopped it; fair at a limit
///   constraints   Summary::max_relative_constraint: good up to 1e-9, fair up to 1e-5; no mark
///                 where no constraint is rigid
///   energy        Summary::energy_error: good up to 1e-4, fair up to 1e-2, but never good
///                 where the run failed; `none` where energy is not conserved
///   places        ErrorEstimate::along_run().q over the largest change of any coordinate: good up
///                 to 1e-4, fair up to 1e-2; no mark where errors were not estimated
///   equations     of a curve, CurveSummary::max_relative: as constraints
///
/// Size. Rows and columns are left out where all would be too much: first rows, down to 400, whose
/// least and greatest values go to their successors; then columns of plots, keeping the first ones
/// and those with the largest range; then rows again. A picture of more than some 6 000 points with
/// as many lines is left out, and of the model's file what is beyond 100 kB. `thinned` says so.
[[nodiscard]] std::string report_html(const RunRecord& run);
[[nodiscard]] std::string report_html(const CurveRecord& run);

/// Writes it (see AtomicFile). What went wrong, with the path; empty when the file is in place.
[[nodiscard]] std::string write_report(const Record& record, const std::string& file);

/// One page of two runs: parameters, numbers and lines of the model in which they differ, both
/// motions in one picture, and their columns over a common axis, or the difference of them. Below
/// 5 MB, as a report is.
[[nodiscard]] std::string write_report_of_two(const Record& first, const Record& second,
                                              const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
