// SPDX-License-Identifier: BSD-3-Clause
// projected-rk on the chain of models/zigzag.toml (tuomela2005, tables 13-15), in three parts:
//
//   work and precision for 6, 24 and 50 particles beside ida, dop853 and rattle. Errors are those
//     of (q, v) at the end in the 2-norm, against projected-rk at a tolerance of 1e-13. The time of
//     ida at an equal error is read off its own line through six tolerances;
//   cost per particle and tried step of long chains in gentle rotation, with the energy kept and
//     without;
//   6 particles until t = 1000: what is left of constraints and energy.
//
// Times are CPU times of the steps alone, the fastest of several runs in turn; what start() costs
// is shown apart.
//
//   taut_bench_involutive [--seconds S] [--particles N]
//
//   --seconds    CPU time spent on each entry (default 0.2)
//   --particles  only the long chains, of this length
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "measure.hpp"
#include "methods/projected_rk.hpp"
#include "options.hpp"
#include "problems.hpp"
#include "taut/methods/registry.hpp"

namespace taut::bench {
namespace {

/// A row C of the notes: a compiled prototype written for this chain, at three tolerances.
struct Prototype {
  double error, ms;
};

struct Chain {
  int n;
  double energy, until;
  Prototype prototype[3];
};

constexpr double tolerances[] = {1e-6, 1e-8, 1e-10};
constexpr Chain chains[] = {
    {6, 59.653, 1.0, {{1.4e-5, 0.035}, {1.0e-7, 0.072}, {9.3e-10, 0.15}}},
    {24, 3008.6, 1.0, {{2.5e-4, 0.27}, {3.0e-6, 0.56}, {2.2e-8, 1.2}}},
    {50, 26914.0, 0.73, {{4.7e-5, 0.24}, {4.4e-7, 0.42}, {3.5e-9, 0.76}}},
};

Problem chain(int n, const std::string& parameter, double value) {
  return load(TAUT_MODELS, "zigzag.toml", {{"n", n}, {parameter, value}});
}

struct Run {
  State end;
  Counters cost;
  double ms = std::numeric_limits<double>::infinity();
  double start_ms = std::numeric_limits<double>::infinity();
  double error = 0.0;
};

/// The fastest of as many runs as fit into `seconds`, three at least.
Run timed(const Problem& problem, const std::string& name, const MethodOptions& options,
          double seconds, double step = 0.0) {
  Run result;
  Method method = make_method(name, options).value();
  const double first = cpu_seconds();
  for (int k = 0; k < 3 || cpu_seconds() - first < seconds; ++k) {
    State s = problem.start;
    const Counters before = method->counters();
    const double begin = cpu_seconds();
    Status st = method->start(problem.system, s);
    const double started = cpu_seconds();
    if (step > 0.0)
      for (auto left = std::llround(problem.until / step); left > 0 && st == Status::ok; --left)
        st = method->step(problem.system, step, s);
    else
      while (st == Status::ok && s.t < problem.until)
        st = method->advance(problem.system, problem.until, s);
    const double ended = cpu_seconds();
    if (st != Status::ok)
      throw std::runtime_error{
          fmt::format("{} failed: {}; {}", name, sentence(st), method->message())};
    result.ms = std::min(result.ms, 1e3 * (ended - started));
    result.start_ms = std::min(result.start_ms, 1e3 * (started - begin));
    if (k > 0) continue;
    result.end = s;
    result.cost = method->counters();
    result.cost.steps -= before.steps;
    result.cost.rejected -= before.rejected;
    result.cost.force_evaluations -= before.force_evaluations;
  }
  return result;
}

double distance(const State& a, const State& b) {
  return std::sqrt((a.q - b.q).squaredNorm() + (a.v - b.v).squaredNorm());
}

/// Time at which a method would have had this error, on the line through its runs in logarithms.
double ms_at(const std::vector<Run>& line, double error) {
  std::size_t i = 0;
  while (i + 2 < line.size() && line[i + 1].error > error) ++i;
  const Run &a = line[i], &b = line[i + 1];
  const double slope = std::log(b.ms / a.ms) / std::log(b.error / a.error);
  return a.ms * std::pow(error / a.error, slope);
}

void print_run(const std::string& name, const std::string& tol, const Run& run) {
  fmt::print("  {:<20}{:>8}{:>12.2e}{:>7}({}){:>8}{:>10.3f}", name, tol, run.error,
             run.cost.steps - run.cost.rejected, run.cost.rejected, run.cost.force_evaluations,
             run.ms);
}

void compare(const Chain& c, double seconds) {
  Problem problem = chain(c.n, "energy", c.energy);
  problem.until = c.until;
  const auto options = [](double tol, bool energy) {
    MethodOptions chosen{.tol = tol};
    chosen.projected.keep_energy = energy;
    return chosen;
  };
  const State reference = timed(problem, "projected-rk", options(1e-13, false), 0.0).end;
  const auto run = [&](const std::string& name, const MethodOptions& chosen, double step = 0.0) {
    Run made = timed(problem, name, chosen, seconds, step);
    made.error = distance(made.end, reference);
    return made;
  };
  const Run other = run("dop853", {.tol = 1e-13});
  fmt::print(
      "\n{} particles until {}; reference and dop853 at 1e-13 differ by {:.1e}\n"
      "  {:<20}{:>8}{:>12}{:>9}{:>8}{:>10}{:>12}{:>8}{:>22}\n",
      c.n, c.until, other.error, "method", "tol", "error", "steps", "evals", "ms", "ida there",
      "ratio", "prototype: error, ms");
  std::vector<Run> ida;
  for (int k = 5; k <= 11; ++k) ida.push_back(run("ida", {.tol = std::pow(10.0, -k)}));
  for (const bool energy : {false, true})
    for (const int k : {0, 1, 2}) {
      const Run made = run("projected-rk", options(tolerances[k], energy));
      const double there = ms_at(ida, made.error);
      print_run(energy ? "projected-rk, energy" : "projected-rk",
                fmt::format("{:.0e}", tolerances[k]), made);
      fmt::print("{:>12.2f}{:>8.1f}{:>13.1e},{:>8}{}\n", there, there / made.ms,
                 c.prototype[k].error, c.prototype[k].ms,
                 k == 0 ? fmt::format("   (start {:.2f} ms)", made.start_ms) : std::string{});
    }
  for (const char* name : {"dopri5", "dop853"})
    for (const double tol : tolerances) {
      print_run(name, fmt::format("{:.0e}", tol), run(name, {.tol = tol}));
      fmt::print("\n");
    }
  for (const int k : {1, 3, 5}) {
    print_run("ida", fmt::format("1e-{:02}", k + 5), ida[static_cast<std::size_t>(k)]);
    fmt::print("\n");
  }
  for (const double steps : {200.0, 2000.0}) {
    print_run("rattle", "", run("rattle", {}, problem.until / steps));
    fmt::print("\n");
  }
}

void long_chains(const std::vector<int>& lengths, double seconds) {
  fmt::print(
      "\nlong chains in gentle rotation until 1, tol 1e-6: us per particle and tried step\n"
      "{:>10}{:>16}{:>10}{:>12}{:>20}{:>10}{:>12}\n",
      "particles", "steps", "ms", "us", "steps with energy", "ms", "us");
  for (const int n : lengths) {
    // the speed of the far end is that of 50 particles
    Problem problem = chain(n, "omega", 115.0 / n);
    problem.until = 1.0;
    fmt::print("{:>10}", n);
    for (const bool energy : {false, true}) {
      MethodOptions options{.tol = 1e-6};
      options.projected.keep_energy = energy;
      const Run run = timed(problem, "projected-rk", options, seconds);
      fmt::print("{:>{}}({}){:>10.2f}{:>12.3f}", run.cost.steps - run.cost.rejected,
                 energy ? 16 : 12, run.cost.rejected, run.ms,
                 1e3 * run.ms / (static_cast<double>(run.cost.steps) * n));
    }
    fmt::print("\n");
  }
}

void long_run() {
  Problem problem = chain(6, "energy", 59.653);
  constexpr double until = 1000.0;
  constexpr Needs wanted = needs(Target::constraint, Target::constraint_jacobian,
                                 Target::kinetic_energy, Target::potential_energy);
  fmt::print("\n6 particles until {}, tol 1e-6: largest values over all steps\n", until);
  for (const bool energy : {false, true}) {
    ProjectedRk method{{.tol = 1e-6, .keep_energy = energy}};
    Evaluation ev;
    problem.system.prepare(ev);
    State s = problem.start;
    double g = 0.0, Gv = 0.0, dE = 0.0, E0 = 0.0, spent = 0.0;
    Status st = method.start(problem.system, s);
    for (bool first = true; st == Status::ok; first = false) {
      st = problem.system.evaluate(wanted, {.t = s.t, .q = s.q, .v = s.v}, ev);
      const double E = ev.kinetic_energy + ev.potential_energy;
      if (first) E0 = E;
      g = std::max(g, ev.g.cwiseAbs().maxCoeff());
      Gv = std::max(Gv, (ev.G * s.v).cwiseAbs().maxCoeff());
      dE = std::max(dE, std::abs(E - E0));
      if (st != Status::ok || s.t >= until) break;
      const double begin = cpu_seconds();
      st = method.advance(problem.system, until, s);
      spent += cpu_seconds() - begin;
    }
    if (st != Status::ok) throw std::runtime_error{fmt::format("failed: {}", method.message())};
    fmt::print("  {:<16}|g| {:.1e}  |G v| {:.1e}  |E - E0| {:.1e}  {} steps, {:.0f} ms\n",
               energy ? "energy kept" : "energy not kept", g, Gv, dE, method.counters.steps,
               1e3 * spent);
  }
}

}  // namespace
}  // namespace taut::bench

int main(int count, char** words) {
  try {
    double seconds = 0.2, particles = 0.0;
    taut::bench::Options{}
        .number("--seconds", seconds)
        .number("--particles", particles)
        .read(count, words, "usage: taut_bench_involutive [--seconds S] [--particles N]");
    if (particles > 0.0) {
      taut::bench::long_chains({static_cast<int>(particles)}, seconds);
      return 0;
    }
    for (const taut::bench::Chain& chain : taut::bench::chains)
      taut::bench::compare(chain, seconds);
    taut::bench::long_chains({50, 100, 1000, 10'000}, seconds);
    taut::bench::long_run();
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
