// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "compare_trial.hpp"
#include "pace.hpp"
#include "taut/methods/registry.hpp"
#include "taut/readings/readings.hpp"
#include "taut/run/choose_method.hpp"
#include "taut/run/frequencies.hpp"

namespace taut {
namespace {

constexpr int outputs = 10;        // times at which errors are measured
constexpr int most_halvings = 20;  // of steps
constexpr double part_of_reference = 1.0 / 3;
constexpr double part_of_pilot = 1.0 / 6;
constexpr double pilot_tol = 1e-7;
constexpr int samples = 997;  // of the size of the motion; prime, to be out of step with vibrations
constexpr double before_stop = 0.95;  // of the time until an event stops the run
constexpr int most_repetitions = 100;

class Comparer {
 public:
  Comparer(const CompareProblem& problem, const CompareOptions& options)
      : problem_{problem}, options_{options}, metric_{problem} {}

  Comparison run() {
    result_.from = problem_.start.t;
    result_.automatic = options_.automatic;
    sort_methods();
    if (pilot() && refer()) measure_all();
    result_.until = problem_.until;
    for (int k = 1; k <= outputs; ++k)
      result_.times.push_back(k == outputs ? problem_.until : result_.from + k * span() / outputs);
    if (cancelled()) {
      result_.ending = Comparison::Ending::cancelled;
      result_.reason = sentence(Status::cancelled);
      result_.hint =
          fmt::format("{} of {} methods were measured", result_.methods.size(), methods_.size());
    }
    draw_conclusions(result_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] double span() const { return problem_.until - problem_.start.t; }
  [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  void sort_methods() {
    for (const MethodInfo& info : options_.methods)
      if (std::string reason = fits(info, problem_.equations.structure()); reason.empty())
        methods_.push_back(info);
      else
        result_.left_out.push_back({std::string{info.name}, std::move(reason)});
  }

  bool fail(std::string reason, std::string hint) {
    result_.ending = Comparison::Ending::no_reference;
    result_.reason = std::move(reason);
    result_.hint = std::move(hint);
    return false;
  }

  /// A run as taut would choose it: how large the motion is, and whether it gets to the end.
  bool pilot() {
    if (!(span() > 0.0)) return fail("the end is not after the start", "give a later --until");
    const double seconds = part_of_pilot * options_.budget;
    if (options_.progress) options_.progress("size of the motion", 0.0);
    MethodInfo method = make_method("auto").value().info();
    if (!fits(method, problem_.equations.structure()).empty())
      method = make_method("dop853").value().info();
    const CompareTrial trial = try_method(
        problem_,
        {.method = method, .tol = pilot_tol, .every = span() / samples, .max_seconds = seconds},
        options_.cancel);
    const Summary& summary = trial.summary;
    if (summary.status == Status::stopped_by_event) {
      problem_.until = problem_.start.t + before_stop * (summary.state.t - problem_.start.t);
      result_.notes.push_back(fmt::format("{}: compared until t = {:.6g}, shortly before",
                                          summary.message, problem_.until));
    } else if (summary.status != Status::ok) {
      return fail(fmt::format("the motion cannot be computed: {}", summary.message),
                  summary.status == Status::time_limit
                      ? "give an earlier --until, or a larger --budget"
                      : summary.hint);
    }
    if (const Status status = metric_.set_sizes(trial.motion); status != Status::ok)
      return fail(std::string{sentence(status)}, std::string{hint(status)});
    if (!metric_.moves() || !(span() > 0.0))
      return fail("nothing moves: errors have nothing to be relative to",
                  "give a start that moves, or a later --until");
    result_.size = metric_.size();
    result_.speed = metric_.speed();
    result_.load = metric_.load();
    return true;
  }

  bool refer() {
    CompareReferenceRun found =
        find_reference(problem_, options_, metric_, part_of_reference * options_.budget);
    result_.reference = std::move(found.about);
    reference_ = std::move(found.motion);
    return result_.reference.converged || fail(std::move(found.reason), std::move(found.hint));
  }

  // Curves.
  // ----------------------------------------------------------------------------------------

  void measure_all() {
    for (std::size_t m = 0; m < methods_.size() && !cancelled(); ++m) {
      // what is left goes to those that are left, in equal parts
      const double left = options_.budget - clock_.seconds();
      part_ = std::max(left, 0.0) / static_cast<double>(methods_.size() - m);
      done_ = static_cast<double>(m) / static_cast<double>(methods_.size());
      result_.methods.push_back(measure(methods_[m]));
    }
  }

  [[nodiscard]] std::vector<double> ladder(const MethodInfo& info) {
    std::vector<double> values = info.adaptive ? options_.tols : options_.steps;
    if (!values.empty()) return values;
    if (info.adaptive) {
      for (int k = 3; k <= 11; ++k) values.push_back(std::pow(10.0, -k));
    } else {
      double step = coarsest_step(steps_over_stiffness(info));
      for (int k = 0; k < most_halvings; ++k, step /= 2) values.push_back(step);
    }
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

  [[nodiscard]] ComparedMethod measure(const MethodInfo& info) {
    ComparedMethod method{.info = info, .points = {}, .order = {}, .note = {}, .reaches = {}};
    const Pace clock;
    const bool given = !(info.adaptive ? options_.tols : options_.steps).empty();
    for (const double value : ladder(info)) {
      const double left = std::min(options_.max_seconds, part_ - clock.seconds());
      if (method.note = why_end(method.points, left, given); !method.note.empty()) break;
      if (options_.progress) options_.progress(fmt::format("{} {:.2g}", info.name, value), done_);
      ComparePoint point = measure(info, value, left);
      if (point.status == Status::cancelled) break;
      method.points.push_back(std::move(point));
    }
    return method;
  }

  /// Why no finer run is made; empty where one is.
  [[nodiscard]] std::string why_end(const std::vector<ComparePoint>& points, double left,
                                    bool given) const {
    if (points.empty()) return {};
    const ComparePoint& last = points.back();
    const double expected = (last.step > 0.0 ? 2.0 : 1.5) * last.seconds;
    if (last.status == Status::time_limit || left <= 0.0 || expected > left)
      return "finer runs would take longer than the time limit";
    if (given) return {};
    if (last.below_uncertainty) return "finer runs would be below the uncertainty of the reference";
    // rounding: twice in a row far from the best
    if (points.size() >= 3) {
      double best = points.front().error.q;
      for (const ComparePoint& point : points)
        if (point.good() && !(point.error.q >= best)) best = point.error.q;
      const ComparePoint& before = points[points.size() - 2];
      if (best < 1e-6 && !(last.error.q <= 2 * best) && !(before.error.q <= 2 * best))
        return "finer runs are no more accurate";
    }
    return {};
  }

  [[nodiscard]] ComparePoint measure(const MethodInfo& info, double value, double left) {
    ComparePlan plan{.method = info, .every = span() / outputs, .max_seconds = left};
    ComparePoint point;
    if (info.adaptive) {
      point.tol = plan.tol = value;
    } else {
      const double steps = std::max(1.0, std::ceil(plan.every / value - 1e-9));
      point.step = plan.step = plan.every / steps;
    }
    const Pace clock;
    const CompareTrial trial = try_method(problem_, plan, options_.cancel);
    const Summary& summary = trial.summary;
    point.status = summary.status;
    if (!point.good()) point.message = summary.message;
    point.counters = summary.counters;
    point.force_evaluations = trial.force_evaluations;
    point.seconds = summary.wall_seconds;
    if (!point.good()) return point;
    point.error = metric_(trial.motion, reference_);
    point.below_uncertainty = point.error.q <= result_.reference.uncertainty.q;
    const double long_enough = std::min(options_.repeat_seconds, part_ / 20);
    for (int k = 1; k < most_repetitions && clock.seconds() < long_enough; ++k) {
      const CompareTrial again = try_method(problem_, plan, options_.cancel);
      if (again.summary.status != Status::ok) break;
      point.seconds = std::min(point.seconds, again.summary.wall_seconds);
    }
    return point;
  }

  CompareProblem problem_;
  const CompareOptions& options_;
  CompareMetric metric_;
  Comparison result_;
  std::vector<MethodInfo> methods_;
  Motion reference_;
  const Pace clock_;
  double part_ = 0.0, done_ = 0.0;   // of the method at work: its time, and how many before
  double coarsest_[2] = {0.0, 0.0};  // steps, once they are known
};

}  // namespace

Comparison compare(const CompareProblem& problem, const CompareOptions& options) {
  return Comparer{problem, options}.run();
}

}  // namespace taut
