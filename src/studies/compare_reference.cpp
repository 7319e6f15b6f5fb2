// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/notes.hpp"
#include "readings/readings.hpp"
#include "run/pace.hpp"
#include "studies/compare_trial.hpp"
#include "taut/methods/registry.hpp"

namespace taut {
namespace {

constexpr double good_enough = 1e-9;        // of an uncertainty: no further method is asked
constexpr double most_uncertain = 1e-3;     // of a reference that may be called one
constexpr std::size_t most_runs = 5;        // the nearest of many would be luck
constexpr double rounding_of_runs = 1e-15;  // no uncertainty is smaller
constexpr std::array tols{1e-9, 1e-11, 1e-12, 1e-13};

// explicit methods first: what they compute, they have resolved
constexpr std::array<std::string_view, 8> candidates{
    "dop853", "radau", "cvode-adams", "dopri5", "ida", "projected-rk", "cvode-bdf", "arkode"};

/// The finest run of a method.
struct Finest {
  MethodInfo method;
  double tol = 0.0;
  Motion motion;
  double change = std::numeric_limits<double>::infinity();  // from the run before
  bool in_pieces = false;
};

Eigen::Map<const Vec> row_of(const std::vector<double>& rows, std::size_t row, std::size_t width) {
  return {rows.data() + row * width, static_cast<Index>(width)};
}

// not std::max: what is not a number stays so
void take_larger(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

std::optional<Finest> run_candidate(const CompareProblem& problem, const CompareOptions& options,
                                    CompareMetric& metric, const MethodInfo& method, bool in_pieces,
                                    double seconds) {
  const Pace clock;
  std::optional<Finest> finest;
  double last = 0.0;
  for (const double tol : tols) {
    const double left = seconds - clock.seconds();
    if (left <= 0.0 || 1.5 * last > left) break;
    if (options.progress)
      options.progress(fmt::format("reference: {} at {:.0e}", method.name, tol), 0.0);
    CompareTrial trial = try_method(problem,
                                    {.method = method,
                                     .tol = tol,
                                     .times = compare_times(problem.start.t, problem.until),
                                     .in_pieces = in_pieces,
                                     .max_seconds = left},
                                    options.cancel);
    if (trial.summary.status != Status::ok) break;
    last = trial.summary.wall_seconds;
    const double change =
        finest ? metric(finest->motion, trial.motion).q : std::numeric_limits<double>::infinity();
    finest = Finest{method, tol, std::move(trial.motion), change, in_pieces};
  }
  return finest;
}

// until when two motions agree to 1e-6
double agree_until(CompareMetric& metric, const Motion& a, const Motion& b) {
  double t = a.t.front();
  for (std::size_t k = 1; k < a.rows() && metric.at(k, a, b).q <= 1e-6; ++k) t = a.t[k];
  return t;
}

// to three digits of the time since the start
double rounded_down(double t, double from) {
  if (!(t > from)) return t;
  const double unit = std::pow(10.0, std::floor(std::log10(t - from)) - 2);
  return from + std::floor((t - from) / unit) * unit;
}

void explain_disagreement(CompareMetric& metric, const Finest& a, const Finest& b,
                          CompareReferenceRun& reference) {
  reference.reason = fmt::format(
      "the reference does not converge: {} at {:.0e} and {} at {:.0e} differ by {:.1e} of the "
      "motion",
      a.method.name, a.tol, b.method.name, b.tol, reference.about.uncertainty.q);
  const double t = rounded_down(agree_until(metric, a.motion, b.motion), a.motion.t.front());
  const double first = a.motion.t[1];
  reference.hint =
      t > a.motion.t.front()
          ? fmt::format("they agree to 1e-6 until t = {:.6g}: give <<until: {:.6g}>>", t, t)
          : fmt::format(
                "they do not even agree until t = {:.6g}: give an end before, or a larger "
                "<<budget>>",
                first);
}

}  // namespace

std::vector<double> compare_times(double from, double until) {
  constexpr int count = 48;
  std::vector<double> times;
  for (int k = 1; k < count; ++k) {
    const double golden = k * (std::numbers::phi - 1);
    times.push_back(from + (until - from) * (k - 1 + golden - std::floor(golden)) / count);
  }
  times.push_back(until);
  return times;
}

CompareTrial try_method(const CompareProblem& problem, const ComparePlan& plan,
                        const std::atomic<bool>* cancel) {
  const System& system = plan.method.compliance ? problem.equations : problem.springs;
  RunOptions options;
  options.until = problem.until;
  options.step = plan.step;
  if (plan.method.adaptive) options.max_step = problem.max_step;
  options.times = plan.times;
  if (plan.in_pieces) {
    // a projection that leaves the state as it is: steps end there, and the method starts anew
    options.projection.every = (problem.until - problem.start.t) / compare_pieces;
    options.projection.onto = [](State&, std::int64_t&) { return Status::ok; };
  }
  options.max_seconds = plan.max_seconds;
  options.cancel = cancel;
  if (problem.acting) {
    auto acting = std::make_shared<ActingModel>(*problem.acting);
    acting->read = [read = problem.acting->read,
                    compliance = plan.method.compliance](const CompiledModel& model) {
      return compliance ? equations(read(model)) : springs(read(model));
    };
    options.acting = std::move(acting);
  }
  CompareTrial trial;
  const std::int64_t before = system.hidden_evaluations();
  trial.summary =
      integrate(system, problem.start, make_method(plan.method.name, {.tol = plan.tol}).value(),
                options, trial.motion);
  const std::int64_t of_reading = system.hidden_evaluations() - before;
  trial.force_evaluations = of_reading > 0 ? of_reading : trial.summary.counters.force_evaluations;
  return trial;
}

namespace {

// with 0 for the integrals of first-order states
Vec places_of(const Motion& motion, std::size_t row) {
  Vec q = Vec::Zero(static_cast<Index>(motion.velocities.size()));
  q.head(static_cast<Index>(motion.coordinates.size())) =
      row_of(motion.q, row, motion.coordinates.size());
  return q;
}

}  // namespace

Status CompareMetric::evaluate_mass(const Motion& motion, std::size_t row) {
  const Vec q = places_of(motion, row), v = row_of(motion.v, row, motion.velocities.size());
  return system_.evaluate(need(Target::mass), {motion.t[row], q, v}, ev_);
}

Status CompareMetric::set_sizes(const Motion& motion) {
  const std::size_t n = motion.velocities.size(), nr = motion.constraints.size();
  double place = 0.0;
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    if (const Status status = evaluate_mass(motion, row); status != Status::ok) return status;
    const Vec q = places_of(motion, row);
    take_larger(size_, norm(q - places_of(motion, 0)));
    take_larger(place, norm(q));
    take_larger(speed_, norm(row_of(motion.v, row, n)));
    if (nr > 0) take_larger(load_, row_of(motion.lambda, row, nr).norm());
  }
  moves_ = size_ > 1e-13 * place;
  return Status::ok;
}

CompareError CompareMetric::at(std::size_t row, const Motion& motion, const Motion& reference) {
  const std::size_t n = reference.velocities.size(), nr = reference.constraints.size();
  CompareError error;
  if (evaluate_mass(reference, row) != Status::ok) return error;
  error.q = norm(places_of(motion, row) - places_of(reference, row)) / size_;
  error.v = norm(row_of(motion.v, row, n) - row_of(reference.v, row, n)) / speed_;
  if (nr > 0)
    error.lambda =
        (row_of(motion.lambda, row, nr) - row_of(reference.lambda, row, nr)).norm() / load_;
  return error;
}

CompareError CompareMetric::operator()(const Motion& motion, const Motion& reference) {
  CompareError largest{.q = 0.0, .v = 0.0, .lambda = 0.0};
  if (motion.rows() != reference.rows()) return {};
  for (std::size_t row = 1; row < reference.rows(); ++row) {
    const CompareError error = at(row, motion, reference);
    take_larger(largest.q, error.q);
    take_larger(largest.v, error.v);
    take_larger(largest.lambda, error.lambda);
  }
  return largest;
}

CompareReferenceRun find_reference(const CompareProblem& problem, const CompareOptions& options,
                                   CompareMetric& metric, double seconds) {
  const Pace clock;
  CompareReferenceRun reference;
  std::vector<Finest> runs;
  const Finest* second = nullptr;
  double least = std::numeric_limits<double>::infinity();
  std::vector<MethodInfo> fitting;
  for (const std::string_view name : candidates) {
    const std::optional<Method> made = make_method(name);
    if (!made) continue;  // of SUNDIALS, which this library may be without
    const MethodInfo info = made->info();
    if (fits(info, problem.equations.structure()).empty()) fitting.push_back(info);
  }
  runs.reserve(most_runs);
  const auto cancelled = [&] { return options.cancel != nullptr && options.cancel->load(); };
  const auto more = [&] {
    return seconds - clock.seconds() > 0.0 && least > good_enough && runs.size() < most_runs &&
           !cancelled();
  };
  const auto add = [&](const MethodInfo& method, bool in_pieces, double part) {
    const double left = runs.size() < 2 ? seconds / 2 : seconds - clock.seconds();
    std::optional<Finest> run =
        run_candidate(problem, options, metric, method, in_pieces, part * left);
    if (!run || cancelled()) return;
    runs.push_back(std::move(*run));
    if (runs.size() == 1) return;
    const double difference = metric(runs.back().motion, runs.front().motion).q;
    if (difference >= least) return;
    least = difference;
    second = &runs.back();
  };
  for (const MethodInfo& method : fitting) {
    if (!more()) break;
    const bool first = runs.empty();
    // the first in pieces where the time suffices; others where they see something else as a whole
    if (first) add(method, true, 2.0 / 3);
    if (first ? runs.empty() && more() : true) add(method, false, first ? 1.0 / 3 : 1.0);
    if (!first && more()) add(method, true, 1.0);
  }
  if (second == nullptr) {
    reference.reason = fmt::format("there is no reference: {} of {} methods got to the end",
                                   runs.size(), fitting.size());
    reference.hint = "give an earlier <<until>>, or a larger <<budget>>";
    return reference;
  }

  // of the two, the one that its last tolerance has changed less
  const Finest *a = &runs.front(), *b = second;
  if (b->change < a->change) std::swap(a, b);
  CompareReference& about = reference.about;
  about.methods = {std::string{a->method.name}, std::string{b->method.name}};
  about.tols = {a->tol, b->tol};
  about.uncertainty = metric(b->motion, a->motion);
  for (double* u : {&about.uncertainty.q, &about.uncertainty.v, &about.uncertainty.lambda})
    if (*u < rounding_of_runs) *u = rounding_of_runs;
  if (!runs.front().in_pieces)
    about.note = note<notes::reference_in_one_piece>(compare_pieces);
  else if (a->method.derivatives && b->method.derivatives)
    about.note = note<notes::reference_implicit>();
  about.converged = about.uncertainty.q <= most_uncertain;
  if (!about.converged) explain_disagreement(metric, *a, *b, reference);
  reference.motion = a->motion;
  return reference;
}

}  // namespace taut
