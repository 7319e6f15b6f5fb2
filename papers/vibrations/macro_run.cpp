// SPDX-License-Identifier: BSD-3-Clause
#include "macro_run.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "problem.hpp"

namespace taut::papers::vibrations {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// finds Λ in  M a = F(X) + g'(X)ᵀ Λ
class MissingForce {
 public:
  explicit MissingForce(const System& system) : system_{system}, M_{Mat(system.structure().M)} {
    system.prepare(at_);
  }

  // Λ for the acceleration `a` at a state; NaN where the force has none
  Vec operator()(const State& state, const Vec& a) {
    const Needs wanted = needs(Target::force, Target::constraint_jacobian);
    if (system_.evaluate(wanted, {.t = state.t, .q = state.q, .v = state.v}, at_) != Status::ok)
      return Vec::Constant(system_.nc(), nan);
    const Mat G = at_.G;
    const Eigen::LLT<Mat> mass{M_};
    const Vec lacking = a - mass.solve(at_.f);
    const Mat along = mass.solve(G.transpose());
    const Vec lambda = (G * along).llt().solve(G * lacking);
    unexplained_ = std::max(unexplained_, (lacking - along * lambda).norm());
    largest_ = std::max(largest_, a.norm());
    return lambda;
  }

  [[nodiscard]] double missing() const { return unexplained_ / largest_; }

 private:
  const System& system_;
  Mat M_;
  Evaluation at_;
  double unexplained_ = 0.0, largest_ = 0.0;
};

}  // namespace

MacroRun run(const System& system, Method method, const State& from, int steps) {
  const std::int64_t before = micro_steps(system);
  MacroRun run{.states = {from}};
  State state = from;
  Status status = method->start(system, state);
  for (int n = 1; n <= steps; ++n) {
    if (n == steps) run.micro_steps = micro_steps(system) - before;
    if (status == Status::ok) status = method->step(system, until / steps, state);
    run.states.push_back(status == Status::ok ? state : no_state(system.nq()));
  }
  return run;
}

MacroRun run_averaged(const System& vibrated, const AveragedOptions& options, Method method,
                      const State& from, int steps) {
  const AveragedReading reading = averaged(vibrated, from, options);
  if (reading.status != Status::ok) {
    MacroRun failed;
    failed.states.assign(static_cast<std::size_t>(steps) + 1, no_state(vibrated.nq()));
    return failed;
  }
  return run(reading.system, std::move(method), from, steps);
}

double largest_error(const MacroRun& run, const std::vector<State>& exact) {
  double error = 0.0;
  for (std::size_t n = 1; n < run.states.size(); ++n) {
    const double here = std::abs(run.states[n].q(0) - exact[n].q(0));
    if (std::isnan(here)) return nan;
    error = std::max(error, here);
  }
  return error;
}

Multipliers shake_multipliers(const System& averaged, const MacroRun& run) {
  MissingForce missing{averaged};
  Multipliers found;
  const auto& X = run.states;
  const double H = until / static_cast<double>(X.size() - 1);
  for (std::size_t n = 0; n + 1 < X.size(); ++n) {
    const Vec before = n == 0 ? X[0].v : Vec((X[n].q - X[n - 1].q) / H);
    const Vec a = ((X[n + 1].q - X[n].q) / H - before) / (n == 0 ? H / 2 : H);
    found.x.push_back(missing(X[n], a));
  }
  found.missing = missing.missing();
  return found;
}

Multipliers rattle_multipliers(const System& averaged, const MacroRun& run) {
  MissingForce missing{averaged};
  Multipliers found;
  const auto& X = run.states;
  const double H = until / static_cast<double>(X.size() - 1);
  for (std::size_t n = 0; n + 1 < X.size(); ++n) {
    const Vec half = (X[n + 1].q - X[n].q) / H;
    found.x.push_back(missing(X[n], (half - X[n].v) / (H / 2)));
    found.v.push_back(missing(X[n + 1], (X[n + 1].v - half) / (H / 2)));
  }
  found.missing = missing.missing();
  return found;
}

}  // namespace taut::papers::vibrations
