// SPDX-License-Identifier: BSD-3-Clause
#include "taut/testing/method_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "taut/core/archive.hpp"
#include "taut/core/problems.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::laws {
namespace {

/// Collects what is broken, under the names of the method and the motion.
class Finding {
 public:
  Finding(const Method& method, const KnownMotion& motion)
      : about_{fmt::format("{} on {}", method.info().name, motion.name)} {}

  void operator()(bool kept, const std::string& broken) {
    if (kept) return;
    std::string text = fmt::format("{}: {}", about_, broken);
    if (std::find(found_.begin(), found_.end(), text) == found_.end())
      found_.push_back(std::move(text));
  }
  [[nodiscard]] bool ok(Status status, std::string_view what) {
    if (status == Status::ok) return true;
    (*this)(false, fmt::format("{} fails with {}", what, taut::name(status)));
    return false;
  }
  [[nodiscard]] Violations list() && { return std::move(found_); }

 private:
  std::string about_;
  Violations found_;
};

bool same_bits(const State& a, const State& b) { return a.t == b.t && a.q == b.q && a.v == b.v; }

double distance(const State& a, const State& b) {
  return std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
}

// steps of a length that resolves the motion; of an adaptive method its own
constexpr int usual_steps = 150;

Status go(Method& method, const KnownMotion& motion, State& s) {
  const double h = motion.duration / usual_steps;
  return method.info().adaptive
             ? method->advance(motion.system, motion.start.t + motion.duration, s)
             : method->step(motion.system, h, s);
}

Status run(Method& method, const System& system, double h, int steps, State& s) {
  Status st = method->start(system, s);
  for (int n = 0; n < steps && st == Status::ok; ++n) st = method->step(system, h, s);
  return st;
}

double largest_rigid_residual(const System& system, Evaluation& scratch, const State& s) {
  if (system.evaluate(need(Target::constraint), {s.t, s.q, s.v}, scratch) != Status::ok)
    return INFINITY;
  double worst = 0.0;
  for (Index i = 0; i < system.nc(); ++i)
    if (system.structure().C[i] == 0.0) worst = std::max(worst, std::abs(scratch.g[i]));
  return worst;
}

/// Errors of positions and velocities of a run with constant steps: root mean squares over eight
/// times, so that no accidental zero is taken for accuracy.
struct Errors {
  double h = 0.0, q = 0.0, v = 0.0;
};

std::optional<Errors> errors(Method method, const KnownMotion& motion,
                             const std::vector<State>& truth, int stride) {
  const auto samples = static_cast<double>(truth.size());
  Errors e{motion.duration / (stride * samples)};
  State s = motion.start;
  if (method->start(motion.system, s) != Status::ok) return {};
  for (const State& there : truth) {
    for (int n = 0; n < stride; ++n)
      if (method->step(motion.system, e.h, s) != Status::ok) return {};
    e.q += (s.q - there.q).squaredNorm() / samples;
    e.v += (s.v - there.v).squaredNorm() / samples;
  }
  e.q = std::sqrt(e.q);
  e.v = std::sqrt(e.v);
  return e;
}

// slope of the straight line through the logarithms
double slope(const std::vector<Errors>& lines, double Errors::*error) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const Errors& line : lines) {
    const double a = std::log(line.h), b = std::log(line.*error);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const auto n = static_cast<double>(lines.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

/// A force that has no value beyond q = 1, where the motion arrives at t = 2.
KnownMotion edge() {
  Problems problems;
  const Model model = read_model(R"toml(
name = "the edge of a domain"
[coordinates]
q = { mass = 1, at = 0, velocity = 0.5 }
[[force]]
on = "q"
value = "1e-6*sqrt(1 - q)"
)toml",
                                 problems);
  problems.throw_if_any();
  CompiledModel compiled = compile(model);
  return {model.name, compiled.system, compiled.given, {}, 10.0};
}

Violations fails_at_the_edge(const MakeMethod& make) {
  const KnownMotion motion = edge();
  Method method = make();
  Finding found{method, motion};
  State s = motion.start, before = s;
  Status st = method->start(motion.system, s);
  for (int n = 0; n < 100'000 && st == Status::ok && s.t < motion.duration; ++n) {
    before = s;
    st = go(method, motion, s);
  }
  found(st != Status::ok, "goes on where the force has no value");
  found(st == Status::ok || same_bits(s, before), "a step that fails changes the state");
  return std::move(found).list();
}

}  // namespace

Violations order(const MakeMethod& make, const KnownMotion& motion) {
  Finding found{make(), motion};
  const MethodInfo claims = make().info();
  if (claims.adaptive || claims.order > 6 || !motion.truth) return {};
  constexpr int samples = 8, lines = 4;
  constexpr double rounding = 1e-12, within = 0.15;
  std::vector<State> truth;
  for (int k = 1; k <= samples; ++k)
    truth.push_back(motion.truth(motion.start.t + motion.duration * k / samples));

  // the finest runs above rounding
  std::vector<Errors> all;
  for (double stride = claims.order == 6 ? 5 : 12; stride <= 400; stride *= 1.4) {
    const std::optional<Errors> e = errors(make(), motion, truth, static_cast<int>(stride));
    found(e.has_value(), "a step fails");
    if (!e) return std::move(found).list();
    if (std::min(e->q, e->v) < rounding) break;
    all.push_back(*e);
  }
  if (all.size() > lines) all.erase(all.begin(), all.end() - lines);
  found(all.size() >= 3, "its errors are rounding from the first steps on: no order is seen");
  if (all.size() < 3) return std::move(found).list();
  for (const auto& [what, error] : {std::pair{"positions", &Errors::q}, {"velocities", &Errors::v}})
    found(std::abs(slope(all, error) - claims.order) <= within,
          fmt::format("{} are of order {:.2f}, and it claims {}", what, slope(all, error),
                      claims.order));
  return std::move(found).list();
}

Violations retraces(const MakeMethod& make, const KnownMotion& motion) {
  Method method = make();
  const MethodInfo claims = method.info();
  Finding found{method, motion};
  if (claims.adaptive) return {};
  constexpr double near = 1e-11;
  const double h = motion.duration / usual_steps;
  // from the first step on: a method may have velocities of its own kind, which no start has
  State first = motion.start;
  if (!found.ok(run(method, motion.system, h, 1, first), "the first step"))
    return std::move(found).list();
  State s = first;
  if (found.ok(run(method, motion.system, h, 100, s), "a step") &&
      found.ok(run(method, motion.system, -h, 100, s), "a step back")) {
    const double away = distance(s, first);
    found(!claims.symmetric || away <= near,
          fmt::format("it claims to be symmetric, and comes back {:.2g} beside its start", away));
    found(claims.symmetric || away >= near,
          fmt::format("it comes back to its start ({:.2g}) and does not claim to be symmetric",
                      away));
  }
  return std::move(found).list();
}

Violations keeps_the_state_when_it_fails(const MakeMethod& make, const KnownMotion& motion) {
  if (make().info().adaptive) return fails_at_the_edge(make);
  Method method = make(), untroubled = make();
  Finding found{method, motion};
  const double h = motion.duration / 200;
  State s = motion.start, expected = motion.start;
  if (!found.ok(run(method, motion.system, h, 3, s), "a step") ||
      !found.ok(run(untroubled, motion.system, h, 3, expected), "a step"))
    return std::move(found).list();
  const State before = s;
  found(method->step(motion.system, 1e200, s) != Status::ok, "a step of 1e200 s succeeds");
  found(same_bits(s, before), "a step that fails changes the state");
  s = before;
  if (found.ok(method->step(motion.system, h, s), "the step after one that failed") &&
      found.ok(untroubled->step(motion.system, h, expected), "a step"))
    found(distance(s, expected) <= 1e-12,
          fmt::format("after a step that failed it goes {:.2g} beside its way",
                      distance(s, expected)));
  return std::move(found).list();
}

Violations resumes(const MakeMethod& make, const KnownMotion& motion) {
  Method method = make(), resumed = make();
  Finding found{method, motion};
  const MethodInfo claims = method.info();
  if (!claims.resumable) return {};
  const int before = claims.adaptive ? 5 : 20;
  const double end = motion.start.t + motion.duration;
  State s = motion.start;
  bool ok = found.ok(method->start(motion.system, s), "start");
  for (int n = 0; ok && n < before && s.t < end; ++n)
    ok = found.ok(go(method, motion, s), "a step");
  if (!ok) return std::move(found).list();
  Archive writer = Archive::writer();
  method->archive(writer);

  State again = s;
  if (!found.ok(resumed->start(motion.system, again), "start in the middle"))
    return std::move(found).list();
  Archive reader = Archive::reader(writer.bytes());
  resumed->archive(reader);
  found(reader.at_end(), "it does not read all that it has archived");
  for (int n = 0; (claims.adaptive || n < before) && s.t < end; ++n) {
    if (!found.ok(go(method, motion, s), "a step") ||
        !found.ok(go(resumed, motion, again), "a step that was resumed"))
      break;
    if (same_bits(s, again)) continue;
    found(false, fmt::format("resumed, its step {} differs by {:.2g}", n + 1, distance(s, again)));
    break;
  }
  const Counters &a = method->counters(), &b = resumed->counters();
  found(
      a.steps == b.steps && a.rejected == b.rejected && a.force_evaluations == b.force_evaluations,
      "resumed, it counts differently");
  return std::move(found).list();
}

Violations holds_constraints(const MakeMethod& make, const KnownMotion& motion) {
  Method method = make();
  Finding found{method, motion};
  if (!method.info().exact_constraints) return {};
  Evaluation scratch;
  motion.system.prepare(scratch);
  State s = motion.start;
  double worst = 0.0;
  bool ok = found.ok(method->start(motion.system, s), "start");
  for (int n = 0; ok && n < 100'000 && s.t < motion.start.t + motion.duration; ++n) {
    ok = found.ok(go(method, motion, s), "a step");
    worst = std::max(worst, largest_rigid_residual(motion.system, scratch, s));
  }
  found(worst <= 1e-12, fmt::format("a constraint is broken by {:.2g}", worst));
  return std::move(found).list();
}

Violations does_not_allocate(const MakeMethod& make, const KnownMotion& motion,
                             const std::function<std::size_t()>& allocations) {
  Method method = make();
  Finding found{method, motion};
  const bool adaptive = method.info().adaptive;
  const double end = motion.start.t + motion.duration;
  State s = motion.start, at = s;
  Status st = method->start(motion.system, s);
  if (st == Status::ok) st = go(method, motion, s);
  const std::size_t before = allocations();
  for (int n = 0; (adaptive || n < 50) && s.t < end && st == Status::ok; ++n) {
    const double t0 = s.t;
    st = go(method, motion, s);
    if (adaptive && st == Status::ok) st = method->interpolate(motion.system, (t0 + s.t) / 2, at);
  }
  const std::size_t made = allocations() - before;
  (void)found.ok(st, "a step");
  found(made == 0, fmt::format("its steps after the first allocate {} times", made));
  return std::move(found).list();
}

Violations meets_the_end(const MakeMethod& make, const KnownMotion& motion) {
  Method method = make();
  Finding found{method, motion};
  if (!method.info().adaptive) return {};
  const double end = motion.start.t + motion.duration;
  State s = motion.start;
  bool ok = found.ok(method->start(motion.system, s), "start");
  for (int n = 0; ok && n < 100'000 && s.t < end; ++n) {
    const double t0 = s.t;
    ok = found.ok(go(method, motion, s), "a step");
    found(s.t > t0 || !ok, "a step does not move");
    if (s.t <= t0) break;
  }
  found(!ok || s.t == end, fmt::format("asked for t = {}, it ends at {}", end, s.t));
  return std::move(found).list();
}

Violations interpolates(const MakeMethod& make, const KnownMotion& motion) {
  Method quiet = make(), busy = make();
  Finding found{quiet, motion};
  if (!quiet.info().adaptive) return {};
  const double end = motion.start.t + motion.duration;
  State a = motion.start, b = motion.start, at = a;
  bool ok = found.ok(quiet->start(motion.system, a), "start") &&
            found.ok(busy->start(motion.system, b), "start");
  const auto inside = [&](double t) {
    ok = ok && found.ok(busy->interpolate(motion.system, t, at), "interpolation");
  };
  const bool to_the_bit = quiet.info().resumable;
  const auto same = [&](const State& x, const State& y) {
    return to_the_bit ? same_bits(x, y) : x.t == y.t && distance(x, y) <= 1e-6;
  };
  while (ok && a.t < end) {
    const State from = b;
    ok = found.ok(go(quiet, motion, a), "a step") && found.ok(go(busy, motion, b), "a step");
    inside(from.t);
    found(!ok || same(at, from), "interpolated at its begin, a step has another state there");
    inside(b.t);
    found(!ok || same(at, b), "interpolated at its end, a step has another state there");
    inside(from.t + (b.t - from.t) / 2);
    if (same_bits(a, b)) continue;
    found(false, "its motion is another one where states inside of steps are asked for");
    break;
  }
  return std::move(found).list();
}

Violations method_laws(const MakeMethod& make) {
  Violations all;
  for (const KnownMotion& motion : known_motions(make().info()))
    for (const auto& law : {order, retraces, keeps_the_state_when_it_fails, resumes,
                            holds_constraints, meets_the_end, interpolates}) {
      const Violations some = law(make, motion);
      all.insert(all.end(), some.begin(), some.end());
    }
  return all;
}

}  // namespace taut::laws
