// SPDX-License-Identifier: BSD-3-Clause
#include "taut/modes/periodic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
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
struct Return {
  double time = 0.0;       // 0: it did not
  bool all_steps = false;  // it was followed for as many steps as there are
};

Return time_of_return(LinearFlow& flow, const State& state, const std::vector<Index>& angles) {
  Vec a;
  Return back;
  if (flow.rates(state, a) != Status::ok) return back;
  const Index places = flow.system().structure().places();
  LinearFlow::Columns none{Mat(state.q.size(), 0), Mat(state.q.size(), 0)};
  const auto change_of = [&](const State& s) {
    Vec dq = (s.q - state.q).head(places);
    for (const Index i : angles) dq[i] = std::remainder(dq[i], 2 * std::numbers::pi);
    return dq;
  };
  const auto side_of = [&](const State& s) {
    return state.v.head(places).dot(change_of(s)) + a.dot(s.v - state.v);
  };
  double before = 0.0, farthest = 0.0;
  State now = state, last = state, behind;
  int steps = 0;
  bool found = false;
  const auto seen = [&](const State& s) {
    const Vec dq = change_of(s), dv = s.v - state.v;
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
    back.all_steps = ++steps >= most;
    return !back.all_steps;
  };
  static_cast<void>(flow(now, state.t + 1e6, none, seen));
  if (!found) return back;
  // a step is long: where in it
  double low = last.t, high = behind.t;
  for (int k = 0; k < 30; ++k) {
    const double middle = (low + high) / 2;
    State there = last;
    if (flow(there, middle, none) != Status::ok) break;
    (side_of(there) < 0.0 ? low : high) = middle;
  }
  return {.time = (low + high) / 2 - state.t};
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

/// Changes that come back unchanged whatever the motion is, and what is kept, of each node:
/// columns.
std::vector<Mat> trivial_directions(const PeriodicCase& made, const ShotChain& chain) {
  std::vector<Mat> all;
  for (std::size_t k = 0; k < chain.shots.size(); ++k) {
    const Shot& shot = chain.shots[k];
    Mat trivial(shot.dimension(), 0);
    if (made.free && chain.travel > 0.0) {
      trivial.conservativeResize(Eigen::NoChange, made.keeps ? 2 : 1);
      trivial.col(0) = shot.rate;
      if (made.keeps) trivial.col(1) = energy_slope(made.system, shot, chain.nodes[k]);
    }
    all.push_back(std::move(trivial));
  }
  return all;
}

/// A guess: nodes at equal parts of a period, and what turns add to coordinates in it.
struct Guess {
  std::vector<State> nodes;
  double period = 0.0;
  Vec turns;
};

constexpr double closed = 1e-9, closed_to_rounding = 1e-12;

/// A motion that has been found.
PeriodicMotion arrived(const PeriodicCase& made, LinearFlow& flow, const ShotChain& chain,
                       const Guess& at, int iterations) {
  if (std::string why = why_doubtful(flow, chain, at.period); !why.empty())
    return refused(Status::not_supported, std::move(why),
                   "make the switch smooth, such as tanh(v/0.01) in the place of sign(v)");
  PeriodicMotion motion;
  describe(made, chain, at.period, motion);
  motion.iterations = iterations;
  if (!at.turns.isZero(0.0)) motion.turns = at.turns;
  return motion;
}

PeriodicMotion not_arrived() {
  return refused(
      Status::iteration_limit, "Newton's method did not arrive at a periodic motion",
      "begin nearer to one (<<from>>), or give the motion time to come near (<<settle>>)");
}

/// Newton's equations of a chain: of a free motion the period is unknown, and the change normal to
/// the rate. (y of all nodes, T)
Vec newton_step(const PeriodicCase& made, const ShotChain& chain) {
  const Index n = chain.dimension();
  Mat J = Mat::Zero(n + (made.free ? 1 : 0), n + (made.free ? 1 : 0));
  J.topLeftCorner(n, n) = chain.jacobian();
  Vec right = Vec::Zero(J.rows());
  right.head(n) = -chain.residual();
  if (made.free) {
    J.col(n).head(n) = chain.end_rates();
    J.row(n).head(n) = chain.rates().transpose();
  }
  // free motions of what keeps its energy come in families: the step goes to the nearest one
  return MinimumNorm{J, made.keeps ? 1e-5 : 1e-12}.solve(right);
}

/// Newton's method on one period; of a free motion the period is unknown, and the change normal to
/// the rate.
PeriodicMotion solve(const PeriodicCase& made, Guess guess, double tol) {
  LinearFlow flow = made.flow(tol);
  const bool free = made.free;
  constexpr int most = 40;
  double first_travel = 0.0, before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most; ++k) {
    const ShotChain chain = shoot(flow, guess.nodes, guess.period, guess.turns);
    if (chain.status != Status::ok) return refused(chain.status);
    if (k == 0) {
      first_travel = chain.travel;
      // of small motions the error is measured by their own size
      if (chain.extent > 1e-9) flow.resolve(std::min(1.0, chain.extent));
    }
    // closed, and a step more did not close it better
    const double gap = chain.gap() / chain.size;
    if (gap <= closed_to_rounding || (gap <= closed && before <= closed)) {
      if (free && !(chain.travel > 1e-6 * first_travel))
        return refused(Status::iteration_limit, "the motion came to rest instead",
                       "begin farther away from the rest, or elsewhere: <<from>>");
      return arrived(made, flow, chain, guess, k);
    }
    before = gap;
    const Index n = chain.dimension();
    Vec step = newton_step(made, chain);
    // not farther than the motion is large
    const double longest = 0.5 * chain.size;
    if (step.head(n).norm() > longest) step *= longest / step.head(n).norm();
    if (free)
      guess.period = std::clamp(guess.period + step[n], 0.5 * guess.period, 2 * guess.period);
    // nor farther than the constraints can be met
    Status moved = Status::ok;
    for (double part = 1.0; part > 1e-3; part /= 2) {
      moved = move(flow, chain, part * step.head(n), guess.nodes);
      if (moved == Status::ok) break;
    }
    if (moved != Status::ok) return refused(moved);
  }
  return not_arrived();
}

/// Nodes get their clocks, and their places on the constraints at that time.
Status place_nodes(const PeriodicCase& made, Guess& guess) {
  const auto parts = static_cast<double>(guess.nodes.size());
  for (std::size_t k = 0; k < guess.nodes.size(); ++k) {
    State& node = guess.nodes[k];
    node.t = guess.nodes.front().t + guess.period * static_cast<double>(k) / parts;
    Start start = consistent_start(made.system, node);
    if (start.status != Status::ok) return start.status;
    node = std::move(start.state);
  }
  return Status::ok;
}

/// The same for guesses of many nodes, which need not be near each other: a step is as long as
/// leaves smaller gaps.
PeriodicMotion solve_in_parts(const PeriodicCase& made, Guess guess, double tol) {
  LinearFlow flow = made.flow(tol);
  if (const Status st = place_nodes(made, guess); st != Status::ok) return refused(st);
  ShotChain chain = shoot(flow, guess.nodes, guess.period, guess.turns);
  if (chain.status != Status::ok) return refused(chain.status);
  if (chain.extent > 1e-9) flow.resolve(std::min(1.0, chain.extent));
  const double first_travel = chain.travel;
  constexpr int most = 40;
  for (int k = 0; k < most; ++k) {
    const double gap = chain.gap();
    const bool near = gap <= closed * chain.size;
    if (gap <= closed_to_rounding * chain.size) {
      if (!(chain.travel > 1e-6 * first_travel)) return not_arrived();
      return arrived(made, flow, chain, guess, k);
    }
    const Index n = chain.dimension();
    const Vec step = newton_step(made, chain);
    ShotChain next;
    Guess there;
    constexpr double shortest = 1e-3;
    double part = 1.0;
    for (; part > shortest; part /= 2) {
      if (const Status reached = made.limits->reached(); reached != Status::ok)
        return refused(reached);
      there = guess;
      if (made.free)
        there.period =
            std::clamp(guess.period + part * step[n], 0.5 * guess.period, 2 * guess.period);
      if (move(flow, chain, part * step.head(n), there.nodes) != Status::ok) continue;
      next = shoot(flow, there.nodes, there.period, there.turns);
      if (next.status == Status::ok && (near || next.gap() < (1 - 0.1 * part) * gap)) break;
    }
    if (part <= shortest) return not_arrived();
    // rounding: no step leaves less
    if (near && next.gap() >= 0.5 * gap) {
      if (!(chain.travel > 1e-6 * first_travel)) return not_arrived();
      return arrived(made, flow, chain, guess, k);
    }
    chain = std::move(next);
    guess = std::move(there);
  }
  return not_arrived();
}

/// Beyond this a part is too long for its errors to stay small.
constexpr double most_growth = 1e4;
constexpr std::size_t most_parts = 128;

/// Unknowns that dense equations have at most.
constexpr Index most_unknowns = 1500;

/// In as many parts as it takes, from one that closed or from where the guess is.
PeriodicMotion in_parts(const PeriodicCase& made, Guess guess, double tol) {
  for (;;) {
    PeriodicMotion motion = solve_in_parts(made, guess, tol);
    if (made.limits->reached() != Status::ok) return motion;
    LinearFlow flow = made.flow(tol);
    if (motion.status == Status::ok) {
      guess.nodes = motion.nodes;
      guess.period = motion.period;
      if (shoot(flow, guess.nodes, guess.period, guess.turns).growth() <= most_growth)
        return motion;
    }
    const Index unknowns = 2 * static_cast<Index>(guess.nodes.size()) * 2 * made.system.nq();
    if (2 * guess.nodes.size() > most_parts || unknowns > most_unknowns) return motion;
    if (motion.status == Status::ok) {
      if (split(flow, guess.period, guess.nodes) != Status::ok) return motion;
      continue;
    }
    // what is no motion yet: every node twice, its clock set by the shots
    std::vector<State> twice;
    for (const State& node : guess.nodes) twice.insert(twice.end(), 2, node);
    guess.nodes = std::move(twice);
  }
}

/// By one part where that closes and is well conditioned, else by more.
PeriodicMotion solve_as_needed(const PeriodicCase& made, const Guess& guess, double tol) {
  PeriodicMotion motion = solve(made, guess, tol);
  if (motion.status != Status::ok || motion.multipliers.size() == 0) return motion;
  constexpr double harmless = 1e6;
  if (motion.multipliers.cwiseAbs().maxCoeff() <= harmless) return motion;
  LinearFlow flow = made.flow(tol);
  Guess cut{.nodes = motion.nodes, .period = motion.period, .turns = guess.turns};
  for (int twice = 0; twice < 3; ++twice)
    if (split(flow, cut.period, cut.nodes) != Status::ok) return motion;
  PeriodicMotion finer = in_parts(made, cut, tol);
  if (finer.status != Status::ok) return motion;
  finer.iterations += motion.iterations;
  return finer;
}

/// A free motion that comes back twice or three times in the period that was found has a shorter
/// one.
PeriodicMotion with_shortest_period(const PeriodicCase& made, PeriodicMotion motion, double tol) {
  const Vec none = Vec::Zero(motion.state.q.size());
  for (bool shorter = motion.free && motion.status == Status::ok && motion.nodes.size() == 1;
       shorter;) {
    shorter = false;
    for (const int part : {2, 3}) {
      LinearFlow flow = made.flow(tol);
      const Guess guess{.nodes = motion.nodes,
                        .period = motion.period / part,
                        .turns = motion.turns.size() > 0 ? Vec{motion.turns / part} : none};
      const ShotChain chain = shoot(flow, guess.nodes, guess.period, guess.turns);
      if (chain.status != Status::ok || chain.gap() > 1e-6 * chain.travel) continue;
      PeriodicMotion found = solve(made, guess, tol);
      if (found.status != Status::ok) continue;
      motion = std::move(found);
      shorter = true;
      break;
    }
  }
  return motion;
}

/// The turns that the motion from a state makes in a period.
Vec turns_from(const PeriodicCase& made, const State& state, double period) {
  LinearFlow flow = made.flow(1e-8);
  State end = state;
  LinearFlow::Columns none{Mat(state.q.size(), 0), Mat(state.q.size(), 0)};
  if (!(period > 0.0) || flow(end, state.t + period, none) != Status::ok)
    return Vec::Zero(state.q.size());
  return whole_turns(made.system, state, end.q, made.free ? 0.0 : period);
}

/// What the motion from a state is taken for, or why for nothing.
PeriodicMotion guess_from(const PeriodicCase& made, const State& state, Guess& guess) {
  guess = {.nodes = {state}, .period = made.period, .turns = Vec::Zero(state.q.size())};
  PeriodicMotion good;
  if (made.free && !(guess.period > 0.0)) {
    LinearFlow flow = made.flow(1e-8);
    Return back = time_of_return(flow, state, {});
    if (!(back.time > 0.0))
      if (const std::vector<Index> angles = angles_of(made.system, state); !angles.empty())
        back = time_of_return(flow, state, angles);
    if (const Status reached = made.limits->reached(); reached != Status::ok)
      return refused(reached);
    if (back.all_steps)
      return refused(Status::step_limit,
                     "the motion from the start did not come back in 20 000 steps of an explicit "
                     "method",
                     "give a guess of its period (<<period>>) or begin nearer to a periodic motion "
                     "(<<from>>); of a stiff model take stiff springs for rigid "
                     "(<<reading: rigid>>)");
    if (!(back.time > 0.0))
      return refused(Status::iteration_limit, "the motion from the start does not come back",
                     "begin nearer to a periodic motion (<<from>>), or give a guess of its period "
                     "(<<period>>)");
    guess.period = back.time;
  }
  guess.turns = turns_from(made, state, guess.period);
  return good;
}

/// The motion of a start that has been let go for a time.
PeriodicMotion after(const PeriodicCase& made, State& state, double time, double tol) {
  if (time > 0.0)
    if (const Status st = let_go(made, time, state); st != Status::ok) return refused(st);
  Guess guess;
  if (PeriodicMotion none = guess_from(made, state, guess); none.status != Status::ok) return none;
  return with_shortest_period(made, solve_as_needed(made, guess, tol), tol);
}

/// How far the start of a motion is from a state, the turns of angles included.
double away(const PeriodicMotion& motion, const State& state) {
  return (motion.state.q - state.q).norm() + (motion.state.v - state.v).norm();
}

/// A guess from which the flow over a period does not close: cut into parts, with nodes along the
/// motion, and with all of them at the guess; the nearer one of what they lead to.
PeriodicMotion from_parts(const PeriodicCase& made, const State& state, double tol) {
  Guess along;
  if (PeriodicMotion none = guess_from(made, state, along); none.status != Status::ok) return none;
  constexpr int parts = 8;
  const Guess still{.nodes = std::vector<State>(parts, state),
                    .period = along.period,
                    .turns = Vec::Zero(state.q.size())};
  LinearFlow flow = made.flow(1e-8);
  Status whole = Status::ok;
  for (int twice = 0; twice < 3 && whole == Status::ok; ++twice)
    whole = split(flow, along.period, along.nodes);
  PeriodicMotion motion = not_arrived();
  if (whole == Status::ok) motion = in_parts(made, along, tol);
  if (made.free || made.limits->reached() != Status::ok) return motion;
  PeriodicMotion other = in_parts(made, still, tol);
  const bool nearer = other.status == Status::ok &&
                      (motion.status != Status::ok || away(other, state) < away(motion, state));
  return nearer ? other : motion;
}

/// Whether the start itself is nearly periodic.
bool closes(const PeriodicCase& made, const State& state) {
  LinearFlow flow = made.flow(1e-9);
  const ShotChain chain = shoot(flow, {state}, made.period, turns_from(made, state, made.period));
  return chain.status == Status::ok && chain.gap() <= 1e-6 * chain.size;
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
  // each part from its own node: where small changes grow fast the motion is lost beyond
  const int each = rows / static_cast<int>(motion.nodes.size());
  State state = motion.state;
  for (int k = 0; k <= rows; ++k) {
    const double t = motion.state.t + motion.period * k / rows;
    if (k > 0 && flow(state, t, none) != Status::ok) break;
    motion.times.push_back(t);
    motion.places.row(k) << state.q.head(places).transpose(), state.v.tail(nz).transpose();
    motion.speeds.row(k) = state.v.head(places).transpose();
    if (k > 0 && k < rows && k % each == 0)
      state = motion.nodes[static_cast<std::size_t>(k / each)];
  }
  const auto count = static_cast<Index>(motion.times.size());
  motion.places.conservativeResize(count, Eigen::NoChange);
  motion.speeds.conservativeResize(count, Eigen::NoChange);
}

/// Whether a drive is after a time what it was before, perhaps with angles turned by the motion
/// from the start.
bool comes_back(const PeriodicCase& made, double period) {
  if (repeats(made.system, made.given, period)) return true;
  if (!made.system.structure().constraint_uses_time) return false;
  const Start start = consistent_start(made.system, made.given);
  if (start.status != Status::ok) return false;
  const Vec turns = turns_from(made, start.state, period);
  return !turns.isZero(0.0) && repeats(made.system, made.given, period, turns);
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

std::string why_doubtful(LinearFlow& flow, const ShotChain& chain, double period) {
  constexpr double most = 1e-3;
  if (doubt(flow, chain, period) <= most) return {};
  return "small changes do not go on as the derivative of the motion says: it passes a switch at "
         "which a force jumps (friction, an impact), of which no multipliers are known";
}

void describe(const PeriodicCase& made, const ShotChain& chain, double period,
              PeriodicMotion& motion) {
  const std::vector<Mat> trivial = trivial_directions(made, chain);
  motion.state = chain.nodes.front();
  motion.nodes = chain.nodes;
  motion.period = period;
  motion.free = made.free;
  motion.trivial = static_cast<int>(trivial.front().cols());
  motion.multipliers = multipliers_of(chain.X, trivial);
  motion.closing = chain.gap() / chain.size;
  motion.energy = energy_of(made.system, motion.state);
  motion.lowest = chain.lowest;
  motion.highest = chain.highest;
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
    if (problems.empty() && !made.free && !comes_back(made, made.period))
      problems.add({}, "<<period>>",
                   fmt::format("what drives the model is not after {:.9g} s what it was before",
                               made.period),
                   "give a whole number of its periods, as an expression such as 2*pi/w");
  } else if (!made.free) {
    std::optional<double> period = drive_period(made.system);
    for (bool shorter = period.has_value(); shorter;) {
      shorter = false;
      for (const int part : {2, 3, 5})
        if (comes_back(made, *period / part)) {
          *period /= part;
          shorter = true;
          break;
        }
    }
    if (period && comes_back(made, *period))
      made.period = *period;
    else
      refuse(made, Status::invalid_argument,
             "the period of what drives the model cannot be told from its formulas",
             "give it: <<period>>");
  }
  return made;
}

namespace {

/// Newton's method, or the flow, went astray: shorter parts may not.
bool lost(const PeriodicMotion& motion) {
  return motion.status == Status::iteration_limit || motion.status == Status::non_finite ||
         motion.status == Status::step_too_small || motion.status == Status::unstable ||
         motion.status == Status::projection_diverged;
}

/// The largest of a coordinate at the start, of the largest range of one.
double distance(const PeriodicCase& made, const PeriodicMotion& motion, const State& from) {
  const Index places = made.system.structure().places();
  double most = 0.0, size = 0.0;
  for (Index i = 0; i < places; ++i) {
    const bool turns = i < motion.turns.size() && motion.turns[i] != 0.0;
    const double change = from.q[i] - motion.state.q[i];
    most = std::max(most, std::abs(turns ? std::remainder(change, 2 * std::numbers::pi) : change));
    size = std::max(size, motion.highest[i] - motion.lowest[i]);
  }
  return size > 0.0 ? most / size : 0.0;
}

PeriodicMotion search(const PeriodicCase& made, const PeriodicOptions& periodic,
                      const State& start) {
  const double tol = periodic.tol;
  State state = start;
  // of a driven motion whole periods: the phase of the start is kept
  const auto whole = [&](double time) {
    return made.free ? time : made.period * std::ceil(time / made.period);
  };
  // from a state as it is: the nearer one of two, where the flow from there may have gone astray
  const auto cut = [&](PeriodicMotion motion) {
    constexpr double far = 0.1, fast = 1e3;
    const bool astray = motion.status == Status::ok
                            ? !made.free && (distance(made, motion, state) > far ||
                                             (motion.multipliers.size() > 0 &&
                                              motion.multipliers.cwiseAbs().maxCoeff() > fast))
                            : lost(motion);
    if (!astray) return motion;
    PeriodicMotion other = from_parts(made, state, tol);
    const bool nearer =
        other.status == Status::ok &&
        (motion.status != Status::ok || away(other, state) < 0.9 * away(motion, state));
    return nearer ? other : motion;
  };
  if (periodic.settle) return cut(after(made, state, whole(std::max(0.0, *periodic.settle)), tol));
  PeriodicMotion motion;
  const bool as_it_is = made.free || nothing_damps(made.system) || closes(made, state);
  if (as_it_is) {
    motion = after(made, state, 0.0, tol);
    if (!made.free || motion.status == Status::ok || made.keeps) motion = cut(std::move(motion));
    if (motion.status == Status::ok || made.keeps) return motion;
  }
  if (const Status reached = made.limits->reached(); reached != Status::ok) return refused(reached);
  double unit = made.period;
  if (!(unit > 0.0)) {
    LinearFlow flow = made.flow(1e-8);
    unit = time_of_return(flow, state, {}).time;
    if (!(unit > 0.0)) unit = made.until > 0.0 ? made.until / 20 : 1.0;
  }
  for (const double periods : {20.0, 200.0}) {
    motion = after(made, state, periods * unit, tol);
    if (motion.status == Status::ok || made.limits->reached() != Status::ok) return motion;
  }
  if (as_it_is) return motion;
  state = start;
  PeriodicMotion direct = cut(after(made, state, 0.0, tol));
  return direct.status == Status::ok ? direct : motion;
}

}  // namespace

PeriodicMotion find_periodic(const PeriodicCase& made, const PeriodicOptions& periodic) {
  if (!made.good()) return refused(made.status, made.reason, made.hint);
  const Start start = consistent_start(made.system, made.given);
  if (start.status != Status::ok)
    return refused(start.status,
                   start.reason.empty() ? std::string{sentence(start.status)} : start.reason,
                   hint(start.status));
  if (made.free && rests(made, start.state))
    return refused(Status::invalid_argument, "the start is a rest, which has no period",
                   "begin beside it: <<from>>");
  PeriodicMotion motion = search(made, periodic, start.state);
  if (motion.status == Status::ok) motion.moved = distance(made, motion, start.state);
  return motion;
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
