// SPDX-License-Identifier: BSD-3-Clause
// Global errors: the run beside a second one of the same plan. Its steps are those of its own
// tolerance, and its dense output is read at the rows of the first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/notes.hpp"
#include "run/time_run.hpp"
#include "simulation/carry_out.hpp"
#include "simulation/replay.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// What the second run does otherwise, and what a difference to it is multiplied with.
struct Companion {
  double tol = 0.0, step = 0.0;
  double factor = 1.0;

  [[nodiscard]] std::string text() const {
    return tol > 0.0 ? fmt::format("tol {:.3g}", tol) : fmt::format("step {:.6g}", step);
  }
};

// The errors of the second run are then a few hundredths of those of the first where they follow
// the tolerance, and below two thirds where they follow it badly: a tenth is not enough for that.
constexpr double tighter = 1e-2, least_tol = 1e-14;
// by the errors of the second run the difference may be too small
constexpr double safety = 4.0 / 3;
// of the largest difference so far: a difference may vanish by chance, the error of the second run
// does not
constexpr double by_chance = 0.075;

std::optional<Companion> tight(const Plan& plan) {
  if (!plan.method.adaptive)
    return Companion{.step = plan.run.step / 2,
                     .factor = safety / (1 - std::pow(2.0, -plan.method.order))};
  const double tol = plan.method_options.tol;
  const double wanted = std::max(tighter * tol, least_tol);
  if (wanted > 0.101 * tol) return std::nullopt;
  return Companion{.tol = wanted, .factor = safety};
}

// Its errors are larger than those of the first run: that is what the difference shows.
std::optional<Companion> loose(const Plan& plan) {
  if (!plan.method.adaptive) return std::nullopt;
  return Companion{.tol = 10 * plan.method_options.tol};
}

/// A run of a plan at the tolerance of its companion, to be asked at times that grow.
class SecondRun {
 public:
  SecondRun(const Plan& plan, const Companion& companion, double most_seconds)
      : options_{options(plan, companion, most_seconds)},
        run_{plan.system, method(plan, companion), options_, motion_} {
    run_.keep_interior();
  }

  [[nodiscard]] Status begin(const State& start) { return run_.begin(start); }

  // an event that stopped one of the two runs did not end the motion
  [[nodiscard]] Status go_to(double t) {
    run_.expect(t);
    while (run_.is_before(t))
      if (const Status status = run_.advance();
          status != Status::ok && status != Status::stopped_by_event)
        return status;
    return run_.measure_at(t);
  }
  // to where the event that is number `n` of those that act has acted
  [[nodiscard]] Status go_behind(std::size_t n) {
    while (acted() < n)
      if (const Status status = run_.finished() ? Status::not_supported : run_.advance();
          status != Status::ok && status != Status::stopped_by_event)
        return status;
    return run_.measure_at(run_.state().t);
  }

  [[nodiscard]] const Frame& frame() const { return run_.frame(); }
  [[nodiscard]] std::string message(Status status) const { return run_.message(status); }
  [[nodiscard]] double seconds() const { return run_.seconds(); }

 private:
  [[nodiscard]] std::size_t acted() const {
    const std::vector<EventRecord>& events = run_.events();
    return static_cast<std::size_t>(std::count_if(
        events.begin(), events.end(), [](const EventRecord& e) { return e.after.v.size() > 0; }));
  }
  static RunOptions options(const Plan& plan, const Companion& companion, double most_seconds) {
    RunOptions all = only_steps(plan.run);
    if (companion.step > 0.0) all.step = companion.step;
    all.times = {plan.run.until};  // no step is measured for itself
    all.cancel = plan.run.cancel;
    all.progress = plan.run.progress;
    const double limit = plan.run.max_seconds;
    if (limit > 0.0) most_seconds = std::min(most_seconds, limit);
    all.max_seconds = std::isfinite(most_seconds) ? most_seconds : 0.0;
    return all;
  }
  static Method method(const Plan& plan, const Companion& companion) {
    MethodOptions all = plan.method_options;
    if (companion.tol > 0.0) all.tol = companion.tol;
    return make_method(plan.method.name, all).value();
  }

  RunOptions options_;
  Motion motion_;
  TimeRun run_;
};

/// Collects (1) of ErrorEstimate for one kind of numbers.
class Differences {
 public:
  Differences(const std::vector<double>& rows, Index width, double factor)
      : rows_{rows}, factor_{factor}, size_{Vec::Zero(width)}, most_{size_} {}

  void add(std::size_t row, const Vec& other) {
    const Index n = size_.size();
    const Eigen::Map<const Vec> here{rows_.data() + static_cast<Index>(row) * n, n};
    size_ = size_.cwiseMax(here.cwiseAbs());
    errors = (here - other.head(n)).cwiseAbs();
    most_ = most_.cwiseMax(errors);
    errors = factor_ * errors + by_chance * most_ + 4 * epsilon * size_;
    along.push_back(n > 0 ? errors.maxCoeff() : 0.0);
  }

  Vec errors;  // of the last row
  std::vector<double> along;

 private:
  const std::vector<double>& rows_;
  double factor_;
  Vec size_, most_;  // the largest of each so far, and of the differences
};

// One side of a jump, whose time is another in the second run.
bool is_at_jump(const Motion& motion, std::size_t row) {
  const auto same = [&](std::size_t other) {
    return other < motion.rows() && motion.t[other] == motion.t[row];
  };
  return same(row + 1) || (row > 0 && same(row - 1));
}

// The start is the same, the end is one of them.
std::vector<std::size_t> compared_rows(const Motion& motion) {
  constexpr std::size_t most = 200;
  const std::size_t rows = motion.rows(), count = std::min(rows - 1, most);
  std::vector<std::size_t> all;
  for (std::size_t k = 1; k <= count; ++k) {
    const std::size_t row = k * (rows - 1) / count;
    if (row + 1 == rows || !is_at_jump(motion, row)) all.push_back(row);
  }
  return all;
}

struct Outcome {
  Status status = Status::ok;
  std::string message;
  ErrorEstimate estimate;
};

Outcome compare(const Plan& plan, const Motion& motion, std::size_t acted,
                const Companion& companion, double most_seconds) {
  SecondRun second{plan, companion, most_seconds};
  const auto columns = [&](const std::vector<std::string>& names, const std::vector<double>& rows) {
    return Differences{rows, static_cast<Index>(names.size()), companion.factor};
  };
  Differences q = columns(motion.coordinates, motion.q), v = columns(motion.velocities, motion.v),
              lambda = columns(motion.constraints, motion.lambda);
  Outcome found;
  found.status = second.begin(plan.start.state);
  for (const std::size_t row : compared_rows(motion)) {
    // the end behind an event is compared with that behind the same event
    if (found.status == Status::ok)
      found.status = acted > 0 && is_at_jump(motion, row) ? second.go_behind(acted)
                                                          : second.go_to(motion.t[row]);
    if (found.status != Status::ok) {
      found.message = second.message(found.status);
      return found;
    }
    q.add(row, second.frame().state.q);
    v.add(row, second.frame().state.v);
    lambda.add(row, second.frame().lambda);
    found.estimate.t.push_back(motion.t[row]);
  }
  found.estimate.q = std::move(q.errors);
  found.estimate.v = std::move(v.errors);
  found.estimate.lambda = std::move(lambda.errors);
  found.estimate.q_along = std::move(q.along);
  found.estimate.v_along = std::move(v.along);
  found.estimate.lambda_along = std::move(lambda.along);
  found.estimate.companion = companion.text();
  found.estimate.wall_seconds = second.seconds();
  return found;
}

// Why an estimate would mean nothing; empty where it does.
Note meaningless(const Result& run) {
  if (run.curve) return note<notes::estimate_of_curve>();
  const Plan& plan = *run.plan;
  if (plan.bath) return note<notes::estimate_in_bath>();
  if (plan.prepared.reading.made())
    return note<notes::estimate_of_reading>(plan.prepared.reading.name());
  const Status status = run.summary.status;
  const bool limited = may_continue(status) && status != Status::cancelled;
  if (!run.summary.good() && !limited && status != Status::energy_not_kept)
    return note<notes::estimate_of_failure>();
  if (!run.replay) return note<notes::estimate_of_held_run>();
  return run.motion.rows() < 2 ? note<notes::estimate_at_rest>() : Note{};
}

Note give_up(const Outcome& outcome, double most_seconds) {
  if (outcome.status == Status::time_limit)
    return note<notes::estimate_takes_long>(true, most_seconds);
  if (outcome.status == Status::cancelled) return note<notes::estimate_interrupted>();
  return note<notes::estimate_failed>(outcome.message);
}

}  // namespace

void estimate_errors(Result& run, double most_seconds) {
  Summary& summary = run.summary;
  summary.error_estimate.reset();
  summary.no_error_estimate = meaningless(run);
  if (!summary.no_error_estimate.empty()) return;
  const Plan& plan = *run.plan;
  // what a hundredth of the tolerance costs a method of low order
  const double expected = 3 * summary.wall_seconds;
  if (expected > most_seconds) {
    summary.no_error_estimate = note<notes::estimate_takes_long>(false, expected);
    return;
  }
  const auto acted = static_cast<std::size_t>(
      std::count_if(summary.events.begin(), summary.events.end(),
                    [](const EventRecord& event) { return event.after.v.size() > 0; }));
  for (const std::optional<Companion>& companion : {tight(plan), loose(plan)}) {
    if (!companion) continue;
    Outcome outcome = compare(plan, run.motion, acted, *companion, most_seconds);
    if (outcome.status == Status::ok) {
      summary.error_estimate = std::move(outcome.estimate);
      summary.no_error_estimate = {};
      return;
    }
    // that of the tighter one says more
    if (summary.no_error_estimate.empty())
      summary.no_error_estimate = give_up(outcome, most_seconds);
    if (may_continue(outcome.status)) return;
  }
}

}  // namespace taut
