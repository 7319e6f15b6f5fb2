// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "taut/run/curve_motion.hpp"
#include "taut/run/curve_start.hpp"
#include "taut/run/curve_summary.hpp"
#include "taut/run/motion.hpp"
#include "taut/run/summary.hpp"
#include "taut/slow/slow_start.hpp"

#pragma GCC visibility push(default)

namespace taut {

/// Writers of what a run found. Every file appears whole or not at all (see AtomicFile), and every
/// number is written so that reading it back gives the same bits. They return what went wrong, with
/// the path; empty when the file is in place.

/// The summary as a JSON object, indented (docs/manual/running.md has its fields). Numbers that are
/// not finite are null, and a note says where.
[[nodiscard]] std::string summary_json(const Summary& summary);
[[nodiscard]] std::string write_summary_json(const Summary& summary, const std::string& file);

/// A number with the digits that an error leaves it, for tables: the error is at most one unit of
/// the last digit. Where it leaves none: how far from 0 the number may be, "0 +- 2e-05". All digits
/// where the error is 0.
[[nodiscard]] std::string supported_digits(double x, double error);

/// The columns of a statistic, one line for each row; its file is called NAME.csv.
[[nodiscard]] std::string write_statistic_csv(const StatisticResult& statistic,
                                              const std::string& file);
[[nodiscard]] std::string statistic_file(const StatisticResult& statistic);

/// All statistics of a run by name, with their numbers and their columns as arrays.
[[nodiscard]] std::string write_statistics_json(const std::vector<StatisticResult>& statistics,
                                                const std::string& file);

/// A start as a JSON object: q, v, a, lambda by name in file order, `moved` with the entries that
/// changed by more than rounding, `redundant`; only status, reason and hint when there is none.
[[nodiscard]] std::string start_json(const Structure& structure, const Start& start);

/// The same with `via`, `order`, `uncertainty`, `velocity_uncertainty`, `near` and
/// `force_evaluations`.
[[nodiscard]] std::string start_json(const Structure& structure, const SlowStart& start);

/// One line for each row: t, q and v by their names, lambda(NAME) for each constraint, energy,
/// max_constraint, max_velocity_constraint, step. Names are quoted where RFC 4180 asks for it; a
/// number that is not finite is nan, inf or -inf. After `step`: outputs by their names,
/// kinetic_energy, potential_energy, work, and quantities of elements. With `digits` > 0 numbers
/// have so many; with 0 as many as give the same bits.
[[nodiscard]] std::string write_motion_csv(const Motion& motion, const std::string& file,
                                           int digits = 0);

/// The same columns as arrays of a JSON object; null where a number is not finite.
[[nodiscard]] std::string write_motion_json(const Motion& motion, const std::string& file);

/// The same as HDF5: datasets t, energy, max_constraint, max_velocity_constraint, step (one number
/// for each row), q, v, lambda (rows x columns) and the names of their columns in names/q, names/v,
/// names/lambda as UTF-8 strings; likewise outputs and quantities, where there are any.
[[nodiscard]] std::string write_motion_hdf5(const Motion& motion, const std::string& file);

/// The same of a run along a curve. Columns: s, the coordinates of p by their names, max_equation,
/// step, unknowns that are no coordinates; in HDF5 s, p and unknowns (rows x columns), names/p,
/// names/unknowns, max_equation, step.
[[nodiscard]] std::string summary_json(const CurveSummary& summary);
[[nodiscard]] std::string write_summary_json(const CurveSummary& summary, const std::string& file);
[[nodiscard]] std::string start_json(const CurveStructure& structure, const CurveStart& start);
[[nodiscard]] std::string write_motion_csv(const CurveMotion& motion, const std::string& file,
                                           int digits = 0);
[[nodiscard]] std::string write_motion_json(const CurveMotion& motion, const std::string& file);
[[nodiscard]] std::string write_motion_hdf5(const CurveMotion& motion, const std::string& file);

}  // namespace taut

#pragma GCC visibility pop
