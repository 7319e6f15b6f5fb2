// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../row.hpp"
#include "curves/curve_integrator.hpp"
#include "printed_tables.hpp"

namespace taut::papers::involutive {

/// One run, stepped and counted as the paper does as far as is known.
struct PublishedRun {
  CurveIntegratorOptions options;
  double until = 0.0;
  Entry published;
  std::string source;
  Why counts_tried;    ///< where steps differ
  Why newton_tried{};  ///< where Newton's iterations differ
};

struct Counted {
  Status status = Status::ok;
  std::int64_t steps = 0, rejected = 0, most = 0;
  double average = 0.0, seconds = 0.0;
  double direction_seconds = 0.0;  ///< of them
  std::vector<Vec> points;         ///< after every step, the start first; empty unless asked for
  std::vector<double> lengths;     ///< of the steps between them
  Vec end;
};

/// Steps from `start` until the next one would pass x = until, which is neither taken nor counted.
[[nodiscard]] Counted count(const Curve& curve, Vec start, const CurveIntegratorOptions& options,
                            double until, bool keep_points = false);

/// Rows `name: steps`, rejected steps, Newton average, Newton maximum, time, share of directions.
void add_rows(const std::string& name, const Curve& curve, const Vec& start,
              const PublishedRun& run, std::vector<Row>& rows);

/// Options of a run as section 6.1 prints them: SymmLQ for the inexact steps.
[[nodiscard]] CurveIntegratorOptions options_of(CurveTableau tableau, bool exact, bool initialised);

/// The four columns of a table and what is above them: Euler and dopri54, constant and adaptive.
struct Table {
  int number = 0;
  std::string kind;  ///< "general, exact"
  bool exact = true, initialised = false;
  std::span<const Entry> published;  ///< four
};

/// What the columns of one example have in common.
struct Example {
  const Curve* curve = nullptr;
  Vec start;
  double until = 0.0, tol = 0.0, step = 0.0, max_growth = 5.0;
};
void add_table(const Example& example, const Table& table, std::vector<Row>& rows);

}  // namespace taut::papers::involutive
