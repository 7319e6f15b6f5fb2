// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "core/notes.hpp"
#include "model/frequencies.hpp"
#include "readings/readings.hpp"
#include "run/pace.hpp"
#include "simulation/choose_method.hpp"
#include "studies/compare_trial.hpp"
#include "taut/core/wording.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

constexpr int most_halvings = 20;  // of steps
constexpr double part_of_reference = 1.0 / 3;
constexpr double part_of_pilot = 1.0 / 6;
constexpr double pilot_tol = 1e-7;
constexpr int samples = 997;  // of the size of the motion; prime, to be out of step with vibrations
constexpr double before_stop = 0.95;  // of the time until an event stops the run
constexpr int most_repetitions = 100;
constexpr double part_of_repetitions = 0.05;  // of the time of a run
// a method that has changed by less than this part of its error goes elsewhere than the reference
constexpr double well_below = 0.1;
constexpr double least_elsewhere = 1e-9;  // an error that may be one of rounding is none

class Comparer {
 public:
  Comparer(const CompareProblem& problem, const CompareOptions& options)
      : problem_{problem}, options_{options}, metric_{problem} {}

  Comparison run() {
    result_.from = problem_.start.t;
    result_.automatic = options_.automatic;
    sort_methods();
    if (pilot() && refer()) {
      measure_all();
      if (!cancelled()) doubt_reference();
    }
    result_.until = problem_.until;
    result_.times = compare_times(result_.from, result_.until);
    if (cancelled()) {
      result_.ending = Comparison::Ending::cancelled;
      result_.reason = sentence(Status::cancelled);
      std::size_t runs = 0;
      for (const ComparedMethod& method : result_.methods) runs += method.points.size();
      result_.hint = fmt::format("{} runs of {} methods were measured", runs, methods_.size());
    }
    draw_conclusions(result_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] double span() const { return problem_.until - problem_.start.t; }
  [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  void sort_methods() {
    for (const MethodInfo& info : options_.methods)
      if (Note reason = fits(info, problem_.equations.structure()); reason.empty())
        methods_.push_back(info);
      else
        result_.left_out.push_back({std::string{info.name}, std::move(reason)});
  }

  bool fail(const std::string& reason, const std::string& hint) {
    result_.ending = Comparison::Ending::no_reference;
    result_.reason = worded(reason);
    result_.hint = worded(hint);
    return false;
  }

  /// A run as taut would choose it: how large the motion is, and whether it gets to the end.
  bool pilot() {
    if (!(span() > 0.0)) return fail("the end is not after the start", "give a later <<until>>");
    const double seconds = part_of_pilot * options_.budget;
    if (options_.progress) options_.progress("size of the motion", 0.0);
    MethodInfo method = make_method("auto").value().info();
    if (!fits(method, problem_.equations.structure()).empty())
      method = make_method("dop853").value().info();
    const CompareTrial trial = try_method(
        problem_,
        {.method = method, .tol = pilot_tol, .times = even_times(), .max_seconds = seconds},
        options_.cancel);
    const Summary& summary = trial.summary;
    if (summary.status == Status::stopped_by_event) {
      problem_.until = problem_.start.t + before_stop * (summary.state.t - problem_.start.t);
      result_.notes.push_back(note<notes::compared_until_stop>(summary.message, problem_.until));
    } else if (summary.status != Status::ok) {
      return fail(fmt::format("the motion cannot be computed: {}", summary.message),
                  summary.status == Status::time_limit
                      ? "give an earlier <<until>>, or a larger <<budget>>"
                      : summary.hint);
    }
    if (const Status status = metric_.set_sizes(trial.motion); status != Status::ok)
      return fail(std::string{sentence(status)}, std::string{hint(status)});
    if (!metric_.moves() || !(span() > 0.0))
      return fail("nothing moves: errors have nothing to be relative to",
                  "give a start that moves, or a later <<until>>");
    result_.size = metric_.size();
    result_.speed = metric_.speed();
    result_.load = metric_.load();
    return true;
  }

  [[nodiscard]] std::vector<double> even_times() const {
    std::vector<double> times;
    for (int k = 1; k < samples; ++k) times.push_back(problem_.start.t + k * span() / samples);
    times.push_back(problem_.until);
    return times;
  }

  bool refer() {
    CompareReferenceRun found =
        find_reference(problem_, options_, metric_, part_of_reference * options_.budget);
    result_.reference = std::move(found.about);
    reference_ = std::move(found.motion);
    return result_.reference.converged || fail(found.reason, found.hint);
  }

  // Curves.
  // ----------------------------------------------------------------------------------------

  /// A method at work.
  struct Ladder {
    std::vector<double> values;  // tolerances or steps, coarse to fine
    bool given = false;          // by the user: all of them are run
    bool ended = false;
    double limit = 0.0;                     // of time, of the last run
    Motion finest;                          // of the last good run
    double change = CompareError::unknown;  // from the good run before to that one
    double change_before = CompareError::unknown;
    std::optional<bool> stays = {};  // where it has gone, with another step; once that is asked
  };

  void measure_all() {
    times_ = compare_times(problem_.start.t, problem_.until);
    for (const MethodInfo& info : methods_) {
      result_.methods.emplace_back().info = info;
      Ladder& added = ladders_.emplace_back();
      added.values = ladder(info);
      added.given = !(info.adaptive ? options_.tols : options_.steps).empty();
    }
    while (!cancelled())
      if (const std::size_t m = next(); m < methods_.size())
        measure(m);
      else
        break;
  }

  // Coarse runs of all methods come before finer ones of any, and none takes more than its part of
  // the time that is left while others wait: whom a limit cuts does not depend on the order of
  // methods. Then the cheapest, as long as there is time.
  [[nodiscard]] std::size_t next() {
    const double left = options_.budget - clock_.seconds();
    std::size_t waiting = 0, fair = methods_.size(), cheapest = fair;
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      end_where_useless(m);
      if (ladders_[m].ended) continue;
      if (left <= 0.0 || expected(m) > left) {
        cut(m, note<notes::finer_beyond_budget>());
        continue;
      }
      ++waiting;
    }
    const double part = left / static_cast<double>(std::max<std::size_t>(waiting, 1));
    const auto points = [&](std::size_t m) { return result_.methods[m].points.size(); };
    for (std::size_t m = 0; m < methods_.size(); ++m) {
      if (ladders_[m].ended) continue;
      if (expected(m) <= part && (fair == methods_.size() || points(m) < points(fair))) fair = m;
      if (cheapest == methods_.size() || expected(m) < expected(cheapest)) cheapest = m;
    }
    part_ = part;
    // what was expected may be too little by far
    limit_ = std::min(options_.max_seconds,
                      fair < methods_.size() ? std::max(part, 4 * expected(fair)) : left);
    limit_ = std::min(limit_, left);
    return fair < methods_.size() ? fair : cheapest;
  }

  // of the next run of a method; 0: not known
  [[nodiscard]] double expected(std::size_t m) const {
    const std::vector<ComparePoint>& points = result_.methods[m].points;
    return points.empty() ? 0.0 : (points.back().step > 0.0 ? 2.0 : 1.5) * points.back().seconds;
  }

  void cut(std::size_t m, Note why) {
    ladders_[m].ended = true;
    result_.methods[m].cut = true;
    result_.methods[m].note = std::move(why);
  }

  [[nodiscard]] std::vector<double> ladder(const MethodInfo& info) {
    std::vector<double> values = info.adaptive ? options_.tols : options_.steps;
    if (values.empty() && info.adaptive) {
      for (int k = 3; k <= 11; ++k) values.push_back(std::pow(10.0, -k));
    } else if (values.empty()) {
      double step = coarsest_step(steps_over_stiffness(info));
      for (int k = 0; k < most_halvings; ++k, step /= 2) values.push_back(step);
    }
    if (info.adaptive) return values;
    // those that integrate() will take
    for (double& step : values) step = span() / std::max(1.0, std::ceil(span() / step - 1e-9));
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  [[nodiscard]] double coarsest_step(bool over_stiffness) {
    double& known = coarsest_[over_stiffness ? 1 : 0];
    if (known > 0.0) return known;
    const Vec& C = problem_.equations.structure().C;
    const bool compliant = (C.array() > 0.0).any();
    const Frequencies found = frequencies(
        over_stiffness && compliant ? rigid(problem_.equations) : problem_.springs, problem_.start);
    const double omega = std::max(found.fastest(), found.growth);
    known = span() / 20;
    if (omega > 0.0) known = std::min(known, 2 * std::numbers::pi / omega / 4);
    return known;
  }

  void end_where_useless(std::size_t m) {
    Ladder& ladder = ladders_[m];
    ComparedMethod& method = result_.methods[m];
    const std::vector<ComparePoint>& points = method.points;
    if (ladder.ended || points.empty()) return;
    if (points.size() == ladder.values.size()) {
      ladder.ended = true;
      return;
    }
    if (points.back().status == Status::time_limit || expected(m) > options_.max_seconds)
      return cut(m,
                 points.back().status == Status::time_limit && ladder.limit < options_.max_seconds
                     ? note<notes::last_beyond_part>()
                     : note<notes::finer_beyond_limit>());
    if (ladder.given) return;
    method.note = why_useless(points);
    ladder.ended = !method.note.empty();
  }

  /// Why finer runs would tell nothing; empty where they would.
  [[nodiscard]] static Note why_useless(const std::vector<ComparePoint>& points) {
    const ComparePoint& last = points.back();
    if (last.below_uncertainty) return note<notes::finer_below_reference>();
    if (points.size() < 3) return {};
    // rounding: twice in a row far from the best
    double best = points.front().error.q;
    for (const ComparePoint& point : points)
      if (point.good() && !(point.error.q >= best)) best = point.error.q;
    const ComparePoint& before = points[points.size() - 2];
    if (best < 1e-6 && !(last.error.q <= 2 * best) && !(before.error.q <= 2 * best))
      return note<notes::finer_not_better>();
    return {};
  }

  void measure(std::size_t m) {
    const MethodInfo& info = methods_[m];
    ComparedMethod& method = result_.methods[m];
    Ladder& ladder = ladders_[m];
    const double value = ladder.values[method.points.size()];
    if (options_.progress)
      options_.progress(fmt::format("{} {:.2g}", info.name, value),
                        std::min(1.0, clock_.seconds() / options_.budget));
    ComparePlan plan{.method = info, .times = times_, .max_seconds = limit_};
    ComparePoint point;
    (info.adaptive ? point.tol : point.step) = value;
    (info.adaptive ? plan.tol : plan.step) = value;
    ladder.limit = limit_;
    const Pace clock;
    CompareTrial trial = try_method(problem_, plan, options_.cancel);
    const Summary& summary = trial.summary;
    if (summary.status == Status::cancelled) return;
    point.status = summary.status;
    if (!point.good()) point.message = summary.message;
    point.counters = summary.counters;
    point.force_evaluations = trial.force_evaluations;
    point.seconds = summary.wall_seconds;
    if (point.good()) {
      point.error = metric_(trial.motion, reference_);
      point.below_uncertainty = point.error.q <= result_.reference.uncertainty.q;
      ladder.change_before = ladder.change;
      ladder.change =
          ladder.finest.rows() > 0 ? metric_(ladder.finest, trial.motion).q : CompareError::unknown;
      ladder.finest = std::move(trial.motion);
      repeat(plan, clock, point.seconds);
    }
    method.points.push_back(std::move(point));
  }

  // short runs, without rows: they would take as long as the steps
  void repeat(ComparePlan& plan, const Pace& clock, double& seconds) const {
    plan.times = {problem_.until};
    const double long_enough = std::min(options_.repeat_seconds, part_of_repetitions * part_);
    for (int k = 1; k < most_repetitions && clock.seconds() < long_enough; ++k) {
      const CompareTrial again = try_method(problem_, plan, options_.cancel);
      if (again.summary.status != Status::ok) break;
      seconds = std::min(seconds, again.summary.wall_seconds);
    }
  }

  // Doubts.
  // ----------------------------------------------------------------------------------------

  // has converged, but not to the reference
  [[nodiscard]] bool elsewhere(std::size_t m) const {
    const std::vector<ComparePoint>& points = result_.methods[m].points;
    if (points.empty() || !points.back().good()) return false;
    const double error = points.back().error.q;
    return error > std::max(10 * result_.reference.uncertainty.q, least_elsewhere) &&
           ladders_[m].change < well_below * error &&
           ladders_[m].change_before < well_below * error;
  }

  // Where a force jumps, constant steps may count one too many in several runs of halved steps, and
  // look converged: not in one with another step.
  [[nodiscard]] bool stays_elsewhere(std::size_t m) {
    std::optional<bool>& known = ladders_[m].stays;
    if (!known) known = is_elsewhere_with_another_step(m);
    return *known;
  }

  [[nodiscard]] bool is_elsewhere_with_another_step(std::size_t m) {
    const ComparePoint& last = result_.methods[m].points.back();
    if (!(last.step > 0.0)) return true;
    if (options_.progress) options_.progress("whether the reference is to be trusted", 1.0);
    const CompareTrial again = try_method(problem_,
                                          {.method = methods_[m],
                                           .step = last.step / std::numbers::phi,
                                           .times = times_,
                                           .max_seconds = 2 * options_.max_seconds},
                                          options_.cancel);
    return again.summary.status == Status::ok &&
           metric_(again.motion, ladders_[m].finest).q < well_below * last.error.q;
  }

  // Two methods that go to the same motion, and that is not the reference. One of them is explicit:
  // two implicit ones may step over the same vibration. Where one has constant steps that are
  // shorter than those of the reference, it has seen more than that; otherwise, less.
  void doubt_reference() {
    const double shortest = span() / compare_pieces;
    Note steps_over;
    for (std::size_t i = 0; i < methods_.size(); ++i)
      for (std::size_t j = i + 1; j < methods_.size() && elsewhere(i); ++j) {
        if (!elsewhere(j) || (methods_[i].derivatives && methods_[j].derivatives)) continue;
        if (methods_[i].order == methods_[j].order) continue;  // may be one under two names
        const ComparePoint &a = result_.methods[i].points.back(),
                           &b = result_.methods[j].points.back();
        const double apart = metric_(ladders_[i].finest, ladders_[j].finest).q;
        if (!(apart < well_below * std::min(a.error.q, b.error.q))) continue;
        if (!stays_elsewhere(i) || !stays_elsewhere(j)) continue;
        const auto fine = [&](const ComparePoint& p) { return p.step > 0.0 && p.step <= shortest; };
        const std::string_view one = methods_[i].name, other = methods_[j].name;
        if (fine(a) || fine(b))
          return refuse_reference(one, other, apart, std::min(a.error.q, b.error.q));
        if (steps_over.empty()) steps_over = note<notes::agree_elsewhere>(one, other);
      }
    if (!steps_over.empty()) result_.notes.push_back(std::move(steps_over));
  }

  void refuse_reference(std::string_view one, std::string_view other, double apart, double error) {
    result_.reference.converged = false;
    result_.reference.note = note<notes::reference_doubtful>(one, other, apart, error);
    result_.methods.clear();
    fail(
        fmt::format("the reference is not to be trusted: {} and {} agree with each other to {:.1e} "
                    "of the motion, and differ from it by {:.1e}",
                    one, other, apart, error),
        fmt::format("something lasts less than 1/{} of the time span: compare a shorter one about "
                    "it, with <<from>> and <<until>>",
                    compare_pieces));
  }

  CompareProblem problem_;
  const CompareOptions& options_;
  CompareMetric metric_;
  Comparison result_;
  std::vector<MethodInfo> methods_;
  Motion reference_;
  std::vector<double> times_;    // of rows
  std::vector<Ladder> ladders_;  // of methods_
  const Pace clock_;
  double part_ = 0.0, limit_ = 0.0;  // of time: a method's part of what is left, and the next run's
  double coarsest_[2] = {0.0, 0.0};  // steps, once they are known
};

}  // namespace

void leave_to_comparison(PreparedModel& prepared, Problems& problems) {
  CompiledModel& compiled = prepared.compiled;
  if (compiled.bath)
    problems.add({}, "thermostat", "in a heat bath every run is another: there is no error",
                 "compare the model without [thermostat]; 'taut run' has statistics of noise");
  compiled.statistics.clear();
  compiled.run.method.clear();
  compiled.run.step.reset();
  compiled.run.every.reset();
}

CompareProblem compare_problem(const Plan& plan) {
  const bool made = plan.prepared.reading.made();
  return {.equations = made ? plan.system : equations(plan.prepared.system),
          .springs = made ? plan.system : springs(plan.prepared.system),
          .start = plan.start.state,
          .until = plan.run.until,
          .max_step = plan.run.max_step,
          .acting = plan.run.acting};
}

Comparison compare(const CompareProblem& problem, const CompareOptions& options) {
  return Comparer{problem, options}.run();
}

}  // namespace taut
