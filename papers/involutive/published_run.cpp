// SPDX-License-Identifier: BSD-3-Clause
#include "published_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace taut::papers::involutive {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// averages are printed with three digits, 0 as 0
double last_digit(double printed) {
  return printed == 0.0 ? 1e-3 : std::pow(10.0, std::floor(std::log10(printed)) - 2.0);
}

constexpr Why control_tried{
    "Adaptive steps with exact Newton",
    "the paper's step control is \"essentially\" that of Hairer, Norsett and Wanner; ours is the "
    "one of some 3800 variants that meets its tables best"};
constexpr Why averages_tried{
    "Adaptive steps with exact Newton",
    "what the printed averages are means of is not said: ours are rounded per step, up or down, as "
    "fits best"};
constexpr Why inexact_tried{
    "Inexact Newton",
    "as printed: SymmLQ, eps_0 = 0.5, eps_k+1 = 0.8 eps_k, residual test of Algorithm 4.4; other "
    "solvers and eps_0 in the item inexact"};
constexpr Why initialised_tried{
    "Initialization",
    "as printed: conjugate gradients until 0.01 |f(a)|; 2e-4 would fit Table 5, 1e-3 Table 11"};

constexpr Why shares_tried{
    "Shares of the time",
    "directions and projections are other programs here: see the manual for where the time goes"};

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A curve, and how long its directions take. For one thread.
class TimedDirections : public CurveImplementation {
 public:
  explicit TimedDirections(Curve curve) : curve_{std::move(curve)} {}
  [[nodiscard]] double seconds() const { return seconds_; }

  [[nodiscard]] const CurveStructure& structure() const override { return curve_.structure(); }
  void prepare(CurveEvaluation& out) const override { curve_.prepare(out); }
  [[nodiscard]] Status value(const Vec& p, CurveEvaluation& out) const override {
    return curve_.value(p, out);
  }
  [[nodiscard]] Status jacobian(const Vec& p, CurveEvaluation& out) const override {
    return curve_.jacobian(p, out);
  }
  [[nodiscard]] Status hessian(const Vec& p, const Vec& mu, CurveEvaluation& out) const override {
    return curve_.hessian(p, mu, out);
  }
  [[nodiscard]] Status direction(const Vec& p, CurveEvaluation& out, Vec& V) const override {
    const auto begin = Clock::now();
    const Status status = curve_.direction(p, out, V);
    seconds_ += since(begin);
    return status;
  }
  [[nodiscard]] double orientation(const Vec& p, CurveEvaluation& out) const override {
    return curve_.orientation(p, out);
  }
  [[nodiscard]] Status settle(const Vec& p, CurveEvaluation& out) const override {
    return curve_.settle(p, out);
  }
  [[nodiscard]] std::string explain(const Vec& p) const override { return curve_.explain(p); }

 private:
  Curve curve_;
  mutable double seconds_ = 0.0;
};

}  // namespace

Counted count(const Curve& of, Vec start, const CurveIntegratorOptions& options, double until,
              bool keep_points) {
  Counted result;
  const auto timed = std::make_shared<TimedDirections>(of);
  const Curve curve{timed};
  CurveIntegrator integrator{options};
  const auto begin = Clock::now();
  result.status = integrator.start(curve, start);
  const auto first = static_cast<double>(integrator.counters.iterations);
  Vec p = start;
  CurveCounters counted = integrator.counters;
  if (keep_points) result.points.push_back(p);
  while (result.status == Status::ok) {
    result.status = integrator.advance(curve, p);
    result.most = integrator.counters.most_iterations;
    if (result.status != Status::ok || p[0] > until) break;
    counted = integrator.counters;
    start = p;
    if (keep_points) {
      result.points.push_back(p);
      result.lengths.push_back(integrator.last_step());
    }
  }
  result.seconds = since(begin);
  result.direction_seconds = timed->seconds();
  result.steps = counted.steps;
  result.rejected =
      options.tableau == CurveTableau::euler ? counted.rejected_once : counted.rejected;
  const bool down = options.tableau == CurveTableau::dopri54 && options.step == 0.0;
  const double sum = first + (down ? counted.mean_iterations_down : counted.mean_iterations_up);
  result.average = sum / static_cast<double>(counted.steps + 1);
  result.end = start;
  return result;
}

CurveIntegratorOptions options_of(CurveTableau tableau, bool exact, bool initialised) {
  CurveIntegratorOptions options = published_options(tableau);
  options.projection.method = exact ? ProjectionMethod::exact : ProjectionMethod::inexact;
  options.projection.initialise = initialised;
  return options;
}

void add_rows(const std::string& name, const Curve& curve, const Vec& start,
              const PublishedRun& run, std::vector<Row>& rows) {
  Counted found = count(curve, start, run.options, run.until);
  // times of a few milliseconds are those of whatever else the computer does: the best of some
  constexpr double brief = 0.02;
  for (int again = 0; again < 4 && found.seconds < brief; ++again) {
    Counted more = count(curve, start, run.options, run.until);
    if (more.seconds < found.seconds) found = std::move(more);
  }
  const bool failed = found.status != Status::ok;
  const auto add = [&](const char* what, double published, double obtained, Tolerance tolerance,
                       Why why) {
    rows.push_back(tried(printed(fmt::format("{}: {}", name, what), published,
                                 failed ? none : obtained, run.source, tolerance),
                         why));
  };
  add("steps", run.published.steps, static_cast<double>(found.steps), counted(), run.counts_tried);
  if (run.options.step == 0.0)
    add("rejected", run.published.rejected, static_cast<double>(found.rejected), counted(),
        run.counts_tried);
  add("Newton average", run.published.average, found.average,
      unit_of(last_digit(run.published.average)), run.newton_tried);
  add("Newton maximum", run.published.most, static_cast<double>(found.most), counted(),
      run.newton_tried);
  rows.push_back(not_repeatable(stated(
      fmt::format("{}: seconds", name), "CPU total on a PC of 1 GHz: a bound for one of today",
      run.source, run.published.seconds, failed ? none : found.seconds, at_most())));
  const double share = run.published.direction_seconds / run.published.seconds;
  rows.push_back(not_repeatable(
      tried(stated(fmt::format("{}: share of the time in directions", name),
                   fmt::format("CPU dist is {:.0f} % of CPU total: {} than half", 100.0 * share,
                               share < 0.5 ? "less" : "more"),
                   run.source, 0.5, failed ? none : found.direction_seconds / found.seconds,
                   share < 0.5 ? at_most() : at_least()),
            shares_tried)));
}

void add_table(const Example& example, const Table& table, std::vector<Row>& rows) {
  struct Column {
    const char *name, *title;
    CurveTableau tableau;
    bool adaptive;
  };
  const Column columns[] = {
      {"Euler, constant", "Euler (constant)", CurveTableau::euler, false},
      {"Euler, adaptive", "Euler (adaptive)", CurveTableau::euler, true},
      {"dopri54, constant", "dopri54 (constant)", CurveTableau::dopri54, false},
      {"dopri54, adaptive", "dopri54 (adaptive)", CurveTableau::dopri54, true}};
  for (std::size_t c = 0; c < 4; ++c) {
    PublishedRun run{
        .options = options_of(columns[c].tableau, table.exact, table.initialised),
        .until = example.until,
        .published = table.published[c],
        .source = fmt::format("Table {}, {}, {}", table.number,
                              table.initialised ? "w/INIT" : "no INIT", columns[c].title),
        .counts_tried = control_tried,
        .newton_tried = averages_tried};
    run.options.tol = example.tol;
    run.options.max_growth = example.max_growth;
    if (columns[c].adaptive)
      run.options.first_step = example.step;
    else
      run.options.step = example.step;
    if (!table.exact)
      run.counts_tried = run.newton_tried = inexact_tried;
    else if (table.initialised)
      run.counts_tried = run.newton_tried = initialised_tried;
    add_rows(fmt::format("table {}, {}{}, {}", table.number, table.kind,
                         table.initialised ? ", w/INIT" : "", columns[c].name),
             *example.curve, example.start, run, rows);
  }
}

}  // namespace taut::papers::involutive
