// SPDX-License-Identifier: BSD-3-Clause
// The start is the user's: what a run does to it, and what it does not.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Model start_model(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

std::vector<std::string> said(const std::vector<Note>& notes) {
  std::vector<std::string> sentences;
  for (const Note& note : notes) sentences.push_back(note.text());
  return sentences;
}

/// A mass on a line at L + s from its anchor, with
///   m s'' = -k s - c s' + m a,   s(0) = s0,   s'(0) = v0
/// as a spring with a damper or as a compliant constraint, and its closed form.
struct Oscillator {
  double m = 1.0, k = 1.0, c = 0.0, a = 0.0, L = 1.0, s0 = 0.0, v0 = 0.0;

  [[nodiscard]] Model as_spring() const {
    return model(fmt::format(R"([[spring]]
between = ["origin", "p"]
stiffness = {:.17g}
length = {:.17g}
[[damper]]
between = ["origin", "p"]
damping = {:.17g}
)",
                             k, L, c));
  }
  [[nodiscard]] Model as_constraint() const {
    return model(fmt::format(R"([[constraint]]
zero = "hypot(p.x, p.y) - {:.17g}"
compliance = {:.17g}
damping = {:.17g}
)",
                             L, 1.0 / k, c));
  }
  [[nodiscard]] double operator()(double t) const {
    using Complex = std::complex<double>;
    const double rest = m * a / k, A = s0 - rest;
    // r1,2 = -b +- sqrt(b² - w²); the second by their product, since b may be much larger than w
    const double b = c / (2 * m), w2 = k / m;
    const Complex root = std::sqrt(Complex{b * b - w2, 0.0});
    const Complex r1 = -b - root, r2 = w2 / r1;
    const Complex second = (v0 - r1 * A) / (r2 - r1), first = A - second;
    return L + rest + (first * std::exp(r1 * t) + second * std::exp(r2 * t)).real();
  }

 private:
  [[nodiscard]] Model model(const std::string& element) const {
    return start_model(fmt::format(R"([points]
p = {{ mass = {:.17g}, at = [{:.17g}, 0], velocity = [{:.17g}, 0] }}
[[gravity]]
acceleration = [{:.17g}, 0]
)",
                                   m, L + s0, v0, a) +
                       element);
  }
};

double largest_error(const Oscillator& truth, const Result& run) {
  const Column t = run.motion["t"], x = run.motion["p.x"];
  double most = 0.0;
  for (std::size_t i = 0; i < run.motion.rows(); ++i)
    most = std::max(most, std::abs(x[i] - truth(t[i])));
  return most;
}

TEST(Start, IsFollowedWhateverWordStatesTheSpringAndHoweverLongTheRun) {
  std::mt19937_64 random{20261116};
  const auto uniform = [&](double from, double to) {
    return std::uniform_real_distribution<double>{from, to}(random);
  };
  const auto spread = [&](double from, double to) {
    return std::exp(uniform(std::log(from), std::log(to)));
  };
  // not critically: closed form and formulas would both divide by 0
  constexpr std::array dampings{0.0, 0.0, 0.003, 0.3, 0.9, 1.7, 30.0};
  for (int i = 0; i < 100; ++i) {
    Oscillator truth;
    const double omega = spread(0.5, 3e4);
    truth.m = spread(0.1, 100.0);
    truth.k = truth.m * omega * omega;
    truth.c = 2 * truth.m * omega * dampings[static_cast<std::size_t>(i) % dampings.size()];
    // stretched, at rest under a load, or pushed: each by far more than the tolerance
    const double by = spread(1e-5, 0.2);
    truth.s0 = i % 3 == 0 ? by : 0.0;
    truth.a = i % 3 == 1 ? by * omega * omega : 0.0;
    truth.v0 = i % 3 == 2 ? by * omega : 0.0;
    const Model spring = truth.as_spring(), constraint = truth.as_constraint();
    for (const double periods : {1e-1, 1.0, 1e1, 1e2, 1e3, 1e4, 1e5}) {
      const char* const method = i % 4 == 0 ? "radau" : "";
      const SimulationOptions options{
          .until = periods * 2 * M_PI / omega, .method = method, .max_steps = 300};
      for (const Model* model : {&spring, &constraint}) {
        SCOPED_TRACE(fmt::format("{}: omega {:.3g}, c/2mw {:.3g}, by {:.3g}, {} periods, {}", i,
                                 omega, truth.c / (2 * truth.m * omega), by, periods,
                                 model == &spring ? "spring" : "constraint"));
        const Result run = simulate(*model, options);
        ASSERT_THAT(run.summary.status, AnyOf(Status::ok, Status::step_limit))
            << run.summary.message;
        ASSERT_EQ(run.plan->start.distance, 0.0);
        ASSERT_LE(largest_error(truth, run), 2e-6);
      }
    }
  }
}

Model let_go(double C) {
  return start_model(fmt::format(R"([coordinates]
x = {{ mass = 1 }}
[[constraint]]
name = "spring"
zero = "x"
compliance = {}
[[potential]]
energy = "9.81*x"
)",
                                 C));
}

TEST(Start, OfAMassLetGoOscillatesForEveryEnd) {
  for (const auto& [C, until] :
       {std::pair{1e-2, 3.0}, std::pair{1e-2, 299.0}, std::pair{1e-2, 301.0},
        std::pair{1e-2, 3000.0}, std::pair{100.0, 40000.0}, std::pair{1e-8, 0.3}})
    for (const char* const method : {"auto", "radau"}) {
      SCOPED_TRACE(fmt::format("{} {} {}", C, until, method));
      const Result run = simulate(let_go(C), {.until = until, .method = method});
      ASSERT_TRUE(run.good());
      const double truth = 9.81 * C * (std::cos(until / std::sqrt(C)) - 1.0);
      EXPECT_NEAR(run.summary.state.q[0], truth, 2e-5 * 9.81 * C + 3e-8);
      EXPECT_TRUE(run.summary.moved.q.empty());
    }
}

TEST(Start, SaysWhatItsVibrationCostsAndWhatRemovesIt) {
  const Result run = simulate(let_go(1e-2), {.until = 301});
  EXPECT_THAT(said(run.summary.notes), Contains(HasSubstr("10 rad/s")));
  EXPECT_THAT(said(run.summary.notes), Contains(HasSubstr("slow_start")));
  const Result slow = simulate(let_go(1e-2), {.until = 301, .slow_start = true});
  EXPECT_NEAR(slow.summary.state.q[0], -0.0981, 1e-12);
  EXPECT_LE(slow.summary.counters.steps, 20);
}

TEST(Start, IsMovedOnlyWithinTheToleranceOfThePlaces) {
  const Model pendulum = gallery("stiff_pendulum");
  const Plan loose = plan(pendulum);
  EXPECT_GT(loose.start.distance, 0.0);
  for (Index i = 0; i < 2; ++i)
    EXPECT_LE(std::abs(loose.start.q_moved[i]), 1e-8 * (1 + std::abs(loose.start.state.q[i])));
  const Plan tight = plan(pendulum, {.tol = 1e-10});
  EXPECT_EQ(tight.start.distance, 0.0);
  EXPECT_THAT(said(tight.notes), Contains(HasSubstr("slow_start")));
  EXPECT_EQ(plan(pendulum, {.tol = 1e-10, .slow_start = true}).start.state.q, loose.start.state.q);
  EXPECT_EQ(plan(pendulum, {.keep_start = true}).start.distance, 0.0);
}

// Lengths of 1e-6 and an absolute tolerance of 1e-8: a vibration of a thousandth of the motion.
TEST(Start, IsTheUsersInWhateverUnits) {
  for (const double unit : {1.0, 1e-3, 1e-6, 1e3}) {
    SCOPED_TRACE(unit);
    const auto pendulum = [&](double epsilon) {
      return start_model(fmt::format(R"([points]
bob = {{ mass = 1, at = [{0}, 0] }}
[[constraint]]
zero = "hypot(bob.x, bob.y) - {0}"
compliance = {1}
[[gravity]]
acceleration = [{0}, {0}]
)",
                                     unit, epsilon * epsilon));
    };
    EXPECT_GT(plan(pendulum(5e-5), {.until = 10}).start.distance, 0.0);
    EXPECT_EQ(plan(pendulum(5e-4), {.until = 10}).start.distance, 0.0);
  }
  EXPECT_THAT(said(plan(let_go(1e-10), {.until = 10}).notes), Contains(HasSubstr("smaller")));
}

TEST(Start, OfWhatRelaxesWithoutVibratingIsNeverMoved) {
  // critical damping is 2 sqrt(m/C)
  for (const double times : {1.001, 3.0, 100.0}) {
    const double C = 1e-10;
    const Plan made = plan(start_model(fmt::format(R"([points]
bob = {{ mass = 1, at = [1, 0] }}
[[constraint]]
zero = "hypot(bob.x, bob.y) - 1"
compliance = {}
damping = {}
[[gravity]]
acceleration = [1, 1]
)",
                                                   C, times * 2 / std::sqrt(C))),
                           {.until = 10});
    EXPECT_EQ(made.start.distance, 0.0) << times;
  }
}

TEST(Start, OfAFileMayBeSlow) {
  const Model chain = gallery("stiff_chain");
  EXPECT_TRUE(chain.slow_start);
  EXPECT_GT(plan(chain).start.distance, 1e-6);
  EXPECT_EQ(plan(chain, {.keep_start = true}).start.distance, 0.0);
  // a coordinate may have the name
  const Model named = start_model("[coordinates]\nslow = { mass = 1 }\n[start]\nslow = 2\n");
  EXPECT_FALSE(named.slow_start);
  EXPECT_EQ(plan(named, {.until = 1}).start.state.q[0], 2.0);
}

TEST(Start, IsNotBothKeptAndSlow) {
  EXPECT_THROW((void)plan(gallery("stiff_pendulum"), {.keep_start = true, .slow_start = true}),
               ModelError);
}

TEST(Start, OfAStiffPotentialIsSlowWhenAsked) {
  const Oscillator stiff{.k = 1e8, .a = 100.0};
  const Plan made = plan(stiff.as_spring(), {.until = 1, .slow_start = true});
  ASSERT_EQ(made.start.status, Status::ok) << made.start.reason;
  EXPECT_NEAR(made.start.state.q[0], 1.0 + 1e-6, 1e-9);
}

TEST(Start, OfOneRunIsSetByTheNamesOfItsValues) {
  const Model model = start_model(
      "[parameters]\nk = 3\n[points]\nbob = { mass = 1, at = [1, 2] }\n"
      "[coordinates]\nq = { mass = 1 }\n[states]\nz = { at = 1, rate = \"-z\" }\n"
      "[start]\nq = { at = 5, velocity = 6 }\n");
  const Plan made = plan(model, {.set = {{"start(bob.y)", 7.0},
                                         {"start(bob.vx)", "k + 1"},
                                         {"start(v(q))", 8.0},
                                         {"start(z)", 9.0}},
                                 .until = 1});
  const State& start = made.start.state;
  EXPECT_EQ(start.q.head(3), Vec({{1.0, 7.0, 5.0}}));
  EXPECT_EQ(start.v, Vec({{4.0, 0.0, 8.0, 9.0}}));
  Problems problems;
  (void)plan(model,
             {.set = {{"start(bob.z)", 1.0}, {"start(v(p))", 1.0}, {"bob.x", 1.0}}, .until = 1},
             problems);
  EXPECT_THAT(problems.message(), AllOf(HasSubstr("start bob.z: there is no such coordinate"),
                                        HasSubstr("start p: there is no such coordinate"),
                                        HasSubstr("such as start(bob.vx)")));
}

}  // namespace
}  // namespace taut
