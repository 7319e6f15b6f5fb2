// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dense_decompositions.hpp"
#include "modes/drive_period.hpp"
#include "modes/linear_point.hpp"
#include "modes/periodic_case.hpp"
#include "taut/core/wording.hpp"
#include "taut/model/start.hpp"
#include "taut/simulation/at_rest.hpp"

namespace taut {
namespace {

void refuse(PeriodicCase& made, Status status, std::string reason, std::string_view hint) {
  made.status = status;
  made.reason = std::move(reason);
  made.hint = worded(hint);
}

PeriodicMotion refused(Status status, std::string reason, std::string_view hint) {
  PeriodicMotion motion;
  motion.status = status;
  motion.reason = std::move(reason);
  motion.hint = worded(hint);
  return motion;
}

PeriodicMotion refused(Status status) {
  const Failure why = failure_of(status);
  return refused(why.status, why.reason, why.hint);
}

/// A number, or what an expression of the model is at its start.
std::optional<double> number_of(const Value& value, const CompiledModel& compiled,
                                const std::string& where, Problems& problems) {
  if (value.is_number()) return value.number();
  try {
    return compiled.expression(value.text())(compiled.given);
  } catch (const ModelError& error) {
    for (const Problem& one : error.problems().sorted())
      problems.add({}, where, one.what, one.remedy);
    return std::nullopt;
  }
}

/// Values of the guess in place of those of the start.
void apply_guess(const CompiledModel& compiled, const PeriodicOptions& periodic, State& state,
                 Problems& problems) {
  const Structure& structure = compiled.system.structure();
  const std::vector<std::string> places = structure.place_names();
  std::vector<std::string> names = places;
  names.insert(names.end(), structure.velocities.begin(), structure.velocities.end());
  for (const auto& [name, value] : periodic.from) {
    const std::string where = fmt::format("<<from>> {}", name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      const std::string near = nearest_name(name, names);
      problems.add({}, where, "there is no coordinate, velocity or state of this name",
                   near.empty() ? fmt::format("there are: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near));
      continue;
    }
    const std::optional<double> x = number_of(value, compiled, where, problems);
    if (!x) continue;
    if (!std::isfinite(*x)) {
      problems.add({}, where, "is not a finite number", "give a number");
      continue;
    }
    const auto i = static_cast<Index>(found - names.begin());
    const auto n = static_cast<Index>(places.size());
    (i < n ? state.q[i] : state.v[i - n]) = *x;
  }
}

/// When the motion from here comes back: the hyperplane through the state, normal to its rate, is
/// crossed again near by, in the same direction.
double time_of_return(LinearFlow& flow, const State& state) {
  Vec a;
  if (flow.rates(state, a) != Status::ok) return 0.0;
  const Index places = flow.system().structure().places();
  LinearFlow::Columns none{Mat(state.q.size(), 0), Mat(state.q.size(), 0)};
  const auto side_of = [&](const State& s) {
    return state.v.head(places).dot((s.q - state.q).head(places)) + a.dot(s.v - state.v);
  };
  double before = 0.0, farthest = 0.0;
  State now = state, last = state, behind;
  int steps = 0;
  bool found = false;
  const auto seen = [&](const State& s) {
    const Vec dq = (s.q - state.q).head(places), dv = s.v - state.v;
    const double side = side_of(s);
    const double distance = std::sqrt(dq.squaredNorm() + dv.squaredNorm());
    farthest = std::max(farthest, distance);
    if (before < 0.0 && side >= 0.0 && distance < 0.5 * farthest) {
      found = true;
      behind = s;
      return false;
    }
    before = side;
    last = s;
    constexpr int most = 20000;
    return ++steps < most;
  };
  static_cast<void>(flow(now, state.t + 1e6, none, seen));
  if (!found) return 0.0;
  // a step is long: where in it
  double low = last.t, high = behind.t;
  for (int k = 0; k < 30; ++k) {
    const double middle = (low + high) / 2;
    State there = last;
    if (flow(there, middle, none) != Status::ok) break;
    (side_of(there) < 0.0 ? low : high) = middle;
  }
  return (low + high) / 2 - state.t;
}

/// From a state for a time, the clock put back.
Status let_go(const PeriodicCase& made, double time, State& state) {
  LinearFlow flow = made.flow(1e-9);
  LinearFlow::Columns none{Mat(state.q.size(), 0), Mat(state.q.size(), 0)};
  const double begin = state.t;
  const Status status = flow(state, begin + time, none);
  state.t = begin;
  return status;
}

/// Changes that come back unchanged whatever the motion is, and what is kept: columns.
Mat trivial_directions(const PeriodicCase& made, const Shot& shot, const State& state) {
  Mat trivial(shot.dimension(), 0);
  if (!made.free || !(shot.travel > 0.0)) return trivial;
  trivial.conservativeResize(Eigen::NoChange, made.keeps ? 2 : 1);
  trivial.col(0) = shot.rate;
  if (made.keeps) trivial.col(1) = energy_slope(made.system, shot, state);
  return trivial;
}

/// Newton's method on one period; of a free motion the period is unknown, and the change normal to
/// the rate.
PeriodicMotion solve(const PeriodicCase& made, State state, double period, double tol) {
  LinearFlow flow = made.flow(tol);
  const bool free = made.free;
  constexpr int most = 40;
  constexpr double closed = 1e-9;
  PeriodicMotion motion;
  bool last = false;
  double first_travel = 0.0;
  for (int k = 0; k < most; ++k) {
    const Shot shot = shoot(flow, state, period);
    if (shot.status != Status::ok) return refused(shot.status);
    if (k == 0) {
      first_travel = shot.travel;
      // of small motions the error is measured by their own size
      if (shot.extent > 1e-9) flow.resolve(std::min(1.0, shot.extent));
    }
    if (last || shot.r.norm() <= 1e-12 * shot.size) {
      if (free && !(shot.travel > 1e-6 * first_travel))
        return refused(Status::iteration_limit, "the motion came to rest instead",
                       "begin farther away from the rest, or elsewhere: <<from>>");
      if (std::string why = why_doubtful(flow, shot, state, period); !why.empty())
        return refused(Status::not_supported, std::move(why),
                       "make the switch smooth, such as tanh(v/0.01) in the place of sign(v)");
      describe(made, shot, state, period, motion);
      motion.iterations = k;
      return motion;
    }
    last = shot.r.norm() <= closed * shot.size;
    const Index n = shot.dimension();
    Mat J = Mat::Zero(n + (free ? 1 : 0), n + (free ? 1 : 0));
    J.topLeftCorner(n, n) = shot.monodromy - Mat::Identity(n, n);
    Vec right = Vec::Zero(J.rows());
    right.head(n) = -shot.r;
    if (free) {
      J.col(n).head(n) = shot.end_rate;
      J.row(n).head(n) = shot.rate.transpose();
    }
    // free motions of what keeps its energy come in families: the step goes to the nearest one
    Vec step = MinimumNorm{J, made.keeps ? 1e-5 : 1e-12}.solve(right);
    // not farther than the motion is large
    const double longest = 0.5 * shot.size;
    if (step.head(n).norm() > longest) step *= longest / step.head(n).norm();
    if (free) period = std::clamp(period + step[n], 0.5 * period, 2 * period);
    // nor farther than the constraints can be met
    Status moved = Status::ok;
    for (double part = 1.0; part > 1e-3; part /= 2) {
      moved = move(flow, shot, part * step.head(n), state);
      if (moved == Status::ok) break;
    }
    if (moved != Status::ok) return refused(moved);
  }
  return refused(
      Status::iteration_limit, "Newton's method did not arrive at a periodic motion",
      "begin nearer to one (<<from>>), or give the motion time to come near (<<settle>>)");
}

/// A free motion that comes back twice or three times in the period that was found has a shorter
/// one.
PeriodicMotion with_shortest_period(const PeriodicCase& made, PeriodicMotion motion, double tol) {
  for (bool shorter = motion.free && motion.status == Status::ok; shorter;) {
    shorter = false;
    for (const int part : {2, 3}) {
      LinearFlow flow = made.flow(tol);
      const Shot shot = shoot(flow, motion.state, motion.period / part);
      if (shot.status != Status::ok || shot.r.norm() > 1e-6 * shot.travel) continue;
      PeriodicMotion found = solve(made, motion.state, motion.period / part, tol);
      if (found.status != Status::ok) continue;
      motion = std::move(found);
      shorter = true;
      break;
    }
  }
  return motion;
}

/// The motion of a start that has been let go for a time.
PeriodicMotion after(const PeriodicCase& made, State& state, double time, double tol) {
  const bool free = made.free;
  if (time > 0.0)
    if (const Status st = let_go(made, time, state); st != Status::ok) return refused(st);
  double period = made.period;
  if (free && !(period > 0.0)) {
    LinearFlow flow = made.flow(1e-8);
    period = time_of_return(flow, state);
    if (const Status reached = made.limits->reached(); reached != Status::ok)
      return refused(reached);
    if (!(period > 0.0))
      return refused(Status::iteration_limit, "the motion from the start does not come back",
                     "begin nearer to a periodic motion (<<from>>), or give a guess of its period "
                     "(<<period>>)");
  }
  return with_shortest_period(made, solve(made, state, period, tol), tol);
}

/// Whether the start itself is nearly periodic.
bool closes(const PeriodicCase& made, const State& state) {
  LinearFlow flow = made.flow(1e-9);
  const Shot shot = shoot(flow, state, made.period);
  return shot.status == Status::ok && shot.r.norm() <= 1e-6 * shot.size;
}

bool rests(const PeriodicCase& made, const State& state) {
  LinearFlow flow = made.flow(1e-9);
  Vec a;
  if (flow.rates(state, a) != Status::ok) return false;
  const Vec v = state.v.head(made.system.structure().places());
  return v.norm() + a.norm() <= 1e-12 * (1.0 + state.q.norm() + state.v.norm());
}

/// Evenly spread rows of one period.
void sample(const PeriodicCase& made, double tol, PeriodicMotion& motion) {
  constexpr int rows = 256;
  const Structure& structure = made.system.structure();
  const Index places = structure.places(), nz = structure.nz;
  motion.velocities = {structure.velocities.begin(), structure.velocities.begin() + places};
  motion.places.resize(rows + 1, places + nz);
  motion.speeds.resize(rows + 1, places);
  LinearFlow flow = made.flow(tol);
  flow.bound_steps(motion.period / 64);
  LinearFlow::Columns none{Mat(structure.nq, 0), Mat(structure.nq, 0)};
  State state = motion.state;
  for (int k = 0; k <= rows; ++k) {
    const double t = motion.state.t + motion.period * k / rows;
    if (k > 0 && flow(state, t, none) != Status::ok) break;
    motion.times.push_back(t);
    motion.places.row(k) << state.q.head(places).transpose(), state.v.tail(nz).transpose();
    motion.speeds.row(k) = state.v.head(places).transpose();
  }
  const auto count = static_cast<Index>(motion.times.size());
  motion.places.conservativeResize(count, Eigen::NoChange);
  motion.speeds.conservativeResize(count, Eigen::NoChange);
}

}  // namespace

Failure failure_of(Status status) {
  Failure why{.status = status,
              .reason = std::string{sentence(status)},
              .hint = worded("begin elsewhere: <<from>>")};
  switch (status) {
    case Status::step_limit:
    case Status::step_too_small:
      why.reason = "the motion needs too many steps of an explicit method";
      why.hint = worded(
          "stiff springs may be taken for rigid (<<reading: rigid>>), steep switches made "
          "smoother, "
          "a guess of the period be given (<<period>>)");
      break;
    case Status::not_supported:
      why.reason = "the derivative of this motion by its start is not known";
      why.hint = worded(
          "leave out formulas that read multipliers of constraints, lambda(...), or take springs "
          "in "
          "the place of these: <<reading: penalized>>");
      break;
    case Status::time_limit:
      why.hint = worded("raise <<max seconds>>, or begin nearer to a periodic motion: <<from>>");
      break;
    case Status::cancelled:
      why.hint.clear();
      break;
    default:
      break;
  }
  return why;
}

std::string why_doubtful(LinearFlow& flow, const Shot& shot, const State& state, double period) {
  constexpr double most = 1e-3;
  if (doubt(flow, shot, state, period) <= most) return {};
  return "small changes do not go on as the derivative of the motion says: it passes a switch at "
         "which a force jumps (friction, an impact), of which no multipliers are known";
}

void describe(const PeriodicCase& made, const Shot& shot, const State& state, double period,
              PeriodicMotion& motion) {
  const Mat trivial = trivial_directions(made, shot, state);
  motion.state = state;
  motion.period = period;
  motion.free = made.free;
  motion.trivial = static_cast<int>(trivial.cols());
  motion.multipliers = multipliers_of(shot.monodromy, trivial);
  motion.closing = shot.r.norm() / shot.size;
  motion.energy = energy_of(made.system, state);
  motion.lowest = shot.lowest;
  motion.highest = shot.highest;
  motion.coordinates = made.system.structure().names_at_rest();
}

PreparedModel prepared_for_periods(const Model& model, const SimulationOptions& options,
                                   Problems& problems) {
  PreparedModel prepared = prepare(model, options, problems);
  if (!problems.empty()) return prepared;
  if (prepared.compiled.jets)
    problems.add(prepared.model.jets->position, "jets", "only mechanical models have them",
                 "state the model as a mechanical one");
  else if (prepared.compiled.bath)
    problems.add({}, "thermostat", "what a heat bath does comes by chance and never again",
                 "leave out [thermostat]");
  else if (!prepared.compiled.actions.empty())
    problems.add({}, "event: then", "events that change the motion are not followed on it",
                 "take the event away, or state a force in its place ([[stop]], [[contact]])");
  else if (prepared.reading.kind() == Reading::Kind::slow)
    problems.add({}, "reading slow", "it has no derivatives, on which the multipliers stand",
                 "give <<reading: as-written>>");
  return prepared;
}

PeriodicCase periodic_case(const PreparedModel& prepared, const SimulationOptions& options,
                           const PeriodicOptions& periodic,
                           std::shared_ptr<const SearchLimits> limits, Problems& problems) {
  PeriodicCase made{.limits = std::move(limits)};
  const CompiledModel& compiled = prepared.compiled;
  System system = prepared.system;
  made.given = compiled.given;
  if (prepared.reading.kind() == Reading::Kind::averaged) {
    std::vector<Note> notes;
    const SweepCase averaged = read_at_rest(compiled, Reading::averaged(options.averaging), notes);
    if (averaged.status != Status::ok) {
      refuse(made, averaged.status, averaged.reason, hint(averaged.status));
      return made;
    }
    system = averaged.system;
    made.given = averaged.near;
  }
  made.system = without_compliance(system);
  const Structure& structure = made.system.structure();
  if (!structure.differentiable) {
    refuse(made, Status::not_supported, "this reading has no derivatives",
           "give <<reading: as-written>>");
    return made;
  }
  apply_guess(compiled, periodic, made.given, problems);
  made.free = !structure.force_uses_time && !structure.constraint_uses_time;
  made.keeps = made.free && structure.conservative && structure.nz == 0;
  if (compiled.run.until) made.until = *compiled.run.until - compiled.run.from;
  if (periodic.period) {
    const std::optional<double> period =
        number_of(*periodic.period, compiled, "<<period>>", problems);
    if (period && !(*period > 0.0 && std::isfinite(*period)))
      problems.add({}, "<<period>>", fmt::format("a period of {} is none", *period),
                   "give a time above 0");
    made.period = period.value_or(0.0);
    if (problems.empty() && !made.free && !repeats(made.system, made.given, made.period))
      problems.add({}, "<<period>>",
                   fmt::format("what drives the model is not after {:.9g} s what it was before",
                               made.period),
                   "give a whole number of its periods, as an expression such as 2*pi/w");
  } else if (!made.free) {
    std::optional<double> period = drive_period(made.system);
    for (bool shorter = period.has_value(); shorter;) {
      shorter = false;
      for (const int part : {2, 3, 5})
        if (repeats(made.system, made.given, *period / part)) {
          *period /= part;
          shorter = true;
          break;
        }
    }
    if (period && repeats(made.system, made.given, *period))
      made.period = *period;
    else
      refuse(made, Status::invalid_argument,
             "the period of what drives the model cannot be told from its formulas",
             "give it: <<period>>");
  }
  return made;
}

PeriodicMotion find_periodic(const PeriodicCase& made, const PeriodicOptions& periodic) {
  if (!made.good()) return refused(made.status, made.reason, made.hint);
  const Start start = consistent_start(made.system, made.given);
  if (start.status != Status::ok)
    return refused(start.status,
                   start.reason.empty() ? std::string{sentence(start.status)} : start.reason,
                   hint(start.status));
  State state = start.state;
  const double tol = periodic.tol;
  if (made.free && rests(made, state))
    return refused(Status::invalid_argument, "the start is a rest, which has no period",
                   "begin beside it: <<from>>");
  // of a driven motion whole periods: the phase of the start is kept
  const auto whole = [&](double time) {
    return made.free ? time : made.period * std::ceil(time / made.period);
  };
  if (periodic.settle) return after(made, state, whole(std::max(0.0, *periodic.settle)), tol);
  PeriodicMotion motion;
  const bool as_it_is = made.free || closes(made, state);
  if (as_it_is) {
    motion = after(made, state, 0.0, tol);
    if (motion.status == Status::ok || made.keeps) return motion;
  }
  if (const Status reached = made.limits->reached(); reached != Status::ok) return refused(reached);
  double unit = made.period;
  if (!(unit > 0.0)) {
    LinearFlow flow = made.flow(1e-8);
    unit = time_of_return(flow, state);
    if (!(unit > 0.0)) unit = made.until > 0.0 ? made.until / 20 : 1.0;
  }
  for (const double periods : {20.0, 200.0}) {
    motion = after(made, state, periods * unit, tol);
    if (motion.status == Status::ok || made.limits->reached() != Status::ok) return motion;
  }
  if (as_it_is) return motion;
  state = start.state;
  PeriodicMotion direct = after(made, state, 0.0, tol);
  return direct.status == Status::ok ? direct : motion;
}

int PeriodicMotion::growing() const {
  constexpr double border = 1e-6;
  // What is kept besides the energy makes several multipliers one, in chains that rounding splits
  // by the root of itself: their mean stays where they are. Of a pair 1 + x, 1 - x it says 1 for x
  // up to half of this, which moves a border by x^2.
  constexpr double near = 1e-4;
  int count = 0;
  for (Index k = trivial; k < multipliers.size(); ++k) {
    if (!(std::abs(multipliers[k]) > 1.0 + border)) continue;
    std::complex<double> sum = 0.0;
    double members = 0.0;
    for (Index l = trivial; l < multipliers.size(); ++l) {
      if (std::abs(multipliers[l] - multipliers[k]) > near) continue;
      sum += multipliers[l];
      members += 1.0;
    }
    if (std::abs(sum) > (1.0 + border) * members) ++count;
  }
  return count;
}

Floquet PeriodicMotion::verdict() const {
  constexpr double border = 1e-6;
  if (trivial >= multipliers.size()) return trivial > 0 ? Floquet::neutral : Floquet::stable;
  const std::complex<double> largest = multipliers[trivial];
  if (growing() == 0) return std::abs(largest) < 1.0 - border ? Floquet::stable : Floquet::neutral;
  if (largest.imag() != 0.0) return Floquet::torus;
  return largest.real() < 0.0 ? Floquet::flip : Floquet::divergence;
}

std::string_view name(Floquet verdict) {
  switch (verdict) {
    case Floquet::stable:
      return "stable";
    case Floquet::neutral:
      return "neutral";
    case Floquet::divergence:
      return "divergence";
    case Floquet::flip:
      return "flip";
    case Floquet::torus:
      break;
  }
  return "torus";
}

PeriodicMotion periodic_motion(const Model& model, const SimulationOptions& options,
                               const PeriodicOptions& periodic, Problems& problems) {
  const PreparedModel prepared = prepared_for_periods(model, options, problems);
  if (!problems.empty()) return {};
  const PeriodicCase made = periodic_case(
      prepared, options, periodic,
      std::make_shared<const SearchLimits>(options.max_seconds, options.cancel), problems);
  if (!problems.empty()) return {};
  PeriodicMotion motion = find_periodic(made, periodic);
  motion.model = prepared.model.name;
  motion.reading = prepared.reading.name();
  if (motion.status == Status::ok) sample(made, periodic.tol, motion);
  return motion;
}

PeriodicMotion periodic_motion(const Model& model, const SimulationOptions& options,
                               const PeriodicOptions& periodic) {
  Problems problems{model.file};
  PeriodicMotion motion = periodic_motion(model, options, periodic, problems);
  problems.throw_if_any();
  return motion;
}

}  // namespace taut
