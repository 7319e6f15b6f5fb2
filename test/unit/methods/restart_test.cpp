// SPDX-License-Identifier: BSD-3-Clause
// A method that is restarted goes on as if nothing had happened, but for what it has to compute
// anew at the state it is given.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "methods/automatic.hpp"
#include "methods/dormand_prince.hpp"
#include "methods/radau.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"
#include "stiff_problems.hpp"
#include "taut/core/archive.hpp"
#include "taut/methods/method.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut::test {
namespace {

// to T, with a restart after every `every`-th step; 0: none
template <class Adaptive>
Status run_restarted(Adaptive& method, const System& system, double T, int every, State& s) {
  Status status = method.start(system, s);
  for (int n = 1; status == Status::ok && s.t < T; ++n) {
    status = method.advance(system, T, s);
    if (status == Status::ok && every > 0 && n % every == 0) status = method.restart(system, s);
  }
  return status;
}

template <class Adaptive>
void costs_little(const Loaded& model, double T, double tol, double more_steps) {
  Adaptive plain{{.tol = tol}}, restarted{{.tol = tol}};
  State end = model.start, again = model.start;
  ASSERT_EQ(run_restarted(plain, model.system, T, 0, end), Status::ok);
  ASSERT_EQ(run_restarted(restarted, model.system, T, 2, again), Status::ok);
  EXPECT_LE(static_cast<double>(restarted.counters.steps),
            more_steps * static_cast<double>(plain.counters.steps));
  EXPECT_LE((again.q - end.q).norm(), 300 * tol * (1.0 + end.q.norm()));
}

TEST(Restart, OfDormandPrinceKeepsItsStep) {
  costs_little<DormandPrince853>(load("double_pendulum"), 3.0, 1e-9, 1.05);
  costs_little<DormandPrince853>(load("four_bar"), 3.0, 1e-9, 1.05);
  costs_little<DormandPrince54>(load("double_pendulum"), 3.0, 1e-7, 1.05);
}

TEST(Restart, OfRadauKeepsItsStep) {
  costs_little<Radau>(load("double_pendulum"), 3.0, 1e-7, 1.1);
  costs_little<Radau>(load("double_pendulum"), 3.0, 1e-10, 1.1);
  costs_little<Radau>(smooth_double_pendulum(1e-5), 3.0, 1e-7, 1.1);
}

TEST(Restart, WithNothingChangedRepeatsTheBitsOfDormandPrince) {
  // k_0 is evaluated at the state in any case
  const Loaded model = load("four_bar");
  DormandPrince853 plain{{.tol = 1e-9}}, restarted{{.tol = 1e-9}};
  State end = model.start, again = model.start;
  ASSERT_EQ(run_restarted(plain, model.system, 1.0, 0, end), Status::ok);
  ASSERT_EQ(run_restarted(restarted, model.system, 1.0, 1, again), Status::ok);
  EXPECT_TRUE(same_bits(end, again));
}

TEST(Restart, OfAutomaticDoesNotAskAgainWhatIsStiff) {
  const Loaded model = smooth_double_pendulum(1e-5);
  Automatic method{{.tol = 1e-6}};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  ASSERT_EQ(method.advance(model.system, 5.0, s), Status::ok);
  ASSERT_EQ(method.used(), "radau");
  // so near an end that a start there would be explicit
  const double end = s.t + 1e-3;
  ASSERT_FALSE(stiffness_at_start(model.system, s, end).stiff);
  ASSERT_EQ(method.restart(model.system, s), Status::ok);
  ASSERT_EQ(method.advance(model.system, end, s), Status::ok);
  EXPECT_EQ(method.used(), "radau");
  EXPECT_EQ(method.counters.steps, 2);
}

// x'' = -k x + u with values that are set between steps
CompiledModel pushed() {
  Problems problems{"test"};
  const Model model = read_model(R"toml(
name = "pushed"
[coordinates]
x = { mass = 1, at = 0 }
[inputs]
u = 1
[[force]]
on = "x"
value = "u - 4*x"
)toml",
                                 problems);
  const CompiledModel compiled = compile(model, problems);
  problems.throw_if_any();
  return compiled;
}

// after u is changed to 3 at x = 1/4 (1 - cos 2t): a closed form in two pieces
template <class Adaptive>
void reads_new_values() {
  const CompiledModel model = pushed();
  const auto inputs = std::make_shared<std::vector<double>>(std::vector<double>{1.0});
  const System system = model.with_inputs(inputs).system;
  Adaptive method{{.tol = 1e-10}};
  State s = model.given;
  ASSERT_EQ(method.start(system, s), Status::ok);
  while (s.t < 1.0) ASSERT_EQ(method.advance(system, 1.0, s), Status::ok);
  const double x = (1 - std::cos(2.0)) / 4, v = std::sin(2.0) / 2;
  (*inputs)[0] = 3.0;
  ASSERT_EQ(method.restart(system, s), Status::ok);
  Adaptive fresh{{.tol = 1e-10}};
  State other = s;
  ASSERT_EQ(fresh.start(system, other), Status::ok);
  while (other.t < 2.0) ASSERT_EQ(fresh.advance(system, 2.0, other), Status::ok);
  const std::int64_t before = method.counters.steps;
  while (s.t < 2.0) ASSERT_EQ(method.advance(system, 2.0, s), Status::ok);
  EXPECT_NEAR(s.q[0], 0.75 + (x - 0.75) * std::cos(2.0) + v / 2 * std::sin(2.0), 1e-8);
  EXPECT_LE(method.counters.steps - before, fresh.counters.steps + 2);
}

TEST(Restart, ReadsValuesThatWereChanged) {
  reads_new_values<DormandPrince853>();
  reads_new_values<DormandPrince54>();
  reads_new_values<Radau>();
  reads_new_values<Automatic>();
}

TEST(Restart, GoesOnWithAnotherSystemOfTheSameStructure) {
  const Loaded stiff = smooth_double_pendulum(1e-5), stiffer = smooth_double_pendulum(1e-6);
  Automatic method{{.tol = 1e-7}};
  State s = stiff.start;
  ASSERT_EQ(method.start(stiff.system, s), Status::ok);
  while (s.t < 1.0) ASSERT_EQ(method.advance(stiff.system, 1.0, s), Status::ok);
  const std::int64_t before = method.counters.steps;
  const State from = s;
  ASSERT_EQ(method.restart(stiffer.system, s), Status::ok);
  while (s.t < 2.0) ASSERT_EQ(method.advance(stiffer.system, 2.0, s), Status::ok);
  EXPECT_LE(method.counters.steps, 4 * before);
  Radau exact{{.tol = 1e-11}};
  State truth = from;
  ASSERT_EQ(exact.start(stiffer.system, truth), Status::ok);
  while (truth.t < 2.0) ASSERT_EQ(exact.advance(stiffer.system, 2.0, truth), Status::ok);
  EXPECT_LE((s.q - truth.q).norm(), 1e-4);
}

TEST(Restart, AtAnEarlierStateRepeatsTheStepShorter) {
  const Loaded model = load("double_pendulum");
  std::vector<Method> methods;
  methods.emplace_back(DormandPrince853{{.tol = 1e-9}});
  methods.emplace_back(Radau{{.tol = 1e-9}});
  methods.emplace_back(Automatic{{.tol = 1e-9}});
  for (Method& method : methods) {
    SCOPED_TRACE(method.info().name);
    State s = model.start;
    ASSERT_EQ(method->start(model.system, s), Status::ok);
    for (int n = 0; n < 5; ++n) ASSERT_EQ(method->advance(model.system, 3.0, s), Status::ok);
    const State from = s;
    ASSERT_EQ(method->advance(model.system, 3.0, s), Status::ok);
    State inside;
    const double t = from.t + 0.3 * (s.t - from.t);
    ASSERT_EQ(method->interpolate(model.system, t, inside), Status::ok);
    State again = from;
    ASSERT_EQ(method->restart(model.system, again), Status::ok);
    while (again.t < t) ASSERT_EQ(method->advance(model.system, t, again), Status::ok);
    EXPECT_LE((again.q - inside.q).norm(), 1e-6);
  }
}

TEST(Restart, ResumedBehindOneTheMotionIsTheSame) {
  const Loaded model = smooth_double_pendulum(1e-5);
  Automatic method{{.tol = 1e-8}};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  for (int n = 0; n < 4; ++n) ASSERT_EQ(method.advance(model.system, 3.0, s), Status::ok);
  ASSERT_EQ(method.restart(model.system, s), Status::ok);
  Archive out = Archive::writer();
  method.archive(out);
  Automatic resumed{{.tol = 1e-8}};
  State again = s;
  ASSERT_EQ(resumed.start(model.system, again), Status::ok);
  Archive in = Archive::reader(out.bytes());
  resumed.archive(in);
  EXPECT_TRUE(in.at_end());
  for (int n = 0; n < 3; ++n) {
    ASSERT_EQ(method.advance(model.system, 3.0, s), Status::ok);
    ASSERT_EQ(resumed.advance(model.system, 3.0, again), Status::ok);
    EXPECT_TRUE(same_bits(s, again)) << n;
  }
}

// A method of others that knows nothing of restarts.
struct Counted {
  static constexpr MethodInfo info{.name = "counted", .order = 1};
  Status start(const System&, const State&) {
    ++counters.steps;
    return Status::ok;
  }
  Status step(const System&, double, State&) { return Status::ok; }
  void archive(Archive&) {}
  Counters counters;
};

TEST(Restart, OfAMethodThatHasNoneIsAStart) {
  const Loaded model = load("pendulum");
  Method method{Counted{}};
  ASSERT_EQ(method->start(model.system, model.start), Status::ok);
  ASSERT_EQ(method->restart(model.system, model.start), Status::ok);
  EXPECT_EQ(method->counters().steps, 2);
}

}  // namespace
}  // namespace taut::test
