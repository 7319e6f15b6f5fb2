// SPDX-License-Identifier: BSD-3-Clause
// Method auto: with what it begins, when it changes over, and that nothing is lost on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "methods/automatic.hpp"
#include "problems.hpp"
#include "readings/readings.hpp"
#include "stiff_problems.hpp"
#include "taut/core/archive.hpp"

namespace taut::test {
namespace {

// runs to T; the method tells afterwards what it used
Status run(Automatic& method, const Loaded& model, double T, State& s) {
  s = model.start;
  Status status = method.start(model.system, s);
  while (status == Status::ok && s.t < T) status = method.advance(model.system, T, s);
  return status;
}

TEST(Automatic, StaysExplicitWhereNothingIsStiff) {
  for (const auto& [name, T] :
       std::vector<std::pair<std::string, double>>{{"pendulum", 5.0},
                                                   {"double_pendulum", 3.0},
                                                   {"car_axis", 3.0},
                                                   {"andrews", 0.03},
                                                   {"four_bar", 3.0},
                                                   {"chain", 2.0},
                                                   {"redundant", 3.0},
                                                   {"parallel_manipulator", 2.0},
                                                   {"pleiades", 3.0}}) {
    const Loaded model = load(name);
    Automatic method{{.tol = 1e-6}};
    State s;
    ASSERT_EQ(run(method, model, T, s), Status::ok) << name;
    EXPECT_EQ(method.used(), "dop853") << name;
    EXPECT_TRUE(method.notes().empty()) << name;
  }
}

TEST(Automatic, BeginsImplicitWhereConstraintsAreStiff) {
  for (const double eps : {1e-4, 1e-6}) {
    const Loaded model = smooth_double_pendulum(eps);
    Automatic method{{.tol = 1e-6}};
    State s;
    ASSERT_EQ(run(method, model, 5.0, s), Status::ok);
    EXPECT_EQ(method.used(), "radau");
    EXPECT_LE(method.counters.steps, 100);
    const StiffnessAtStart why = stiffness_at_start(model.system, model.start, 5.0);
    EXPECT_TRUE(why.stiff);
    EXPECT_FALSE(why.reason.empty());
  }
  // over a time in which they vibrate a few times only
  const Loaded model = smooth_double_pendulum(1e-4);
  EXPECT_FALSE(stiffness_at_start(model.system, model.start, 0.01).stiff);
}

TEST(Automatic, FollowsSoftConstraintsAsSprings) {
  Loaded model = smooth_double_pendulum(0.0);
  model.system = equations(penalized(model.system, 3.0));
  Automatic method{{.tol = 1e-8}};
  State s;
  ASSERT_EQ(run(method, model, 2.0, s), Status::ok);
  EXPECT_EQ(method.used(), "dop853");
  const State exact = resolved_end(model.system, model.start, 2.0);
  EXPECT_LE((s.q - exact.q).norm(), 1e-7);
  Vec a, lambda;
  ASSERT_EQ(method.multipliers(model.system, s, a, lambda), Status::ok);
  EXPECT_LE((lambda - resolved_multipliers(model.system, exact)).norm(), 1e-6);
}

/// A damper that grips between t = 6 and t = 12: stiff, then not again.
Loaded gripped() {
  return from_text(R"toml(
name = "damper"
[coordinates]
x = { mass = 1, at = 1 }
y = { mass = 1, at = 1 }
[definitions]
grip = "5e3*(tanh(4*(t - 6)) - tanh(4*(t - 12)))"
[[force]]
on = "x"
value = "-x - grip*(v(x) + 0.2*v(y))"
[[force]]
on = "y"
value = "-y"
)toml");
}

constexpr double long_after = 60.0;

TEST(Automatic, ChangesOverToRadauAndBack) {
  const Loaded model = gripped();
  const State exact = resolved_end(model.system, model.start, long_after, 1e-11);
  for (const double tol : {1e-6, 1e-8}) {
    Automatic method{{.tol = tol}};
    State s;
    ASSERT_EQ(run(method, model, long_after, s), Status::ok);
    EXPECT_EQ(method.used(), "dop853 and radau, at last dop853");
    ASSERT_EQ(method.notes().size(), 2U);
    EXPECT_NE(method.notes()[0].text().find("changed to radau at t = 5"), std::string::npos)
        << method.notes()[0].text();
    EXPECT_NE(method.notes()[1].text().find("changed to dop853"), std::string::npos);
    EXPECT_LE((s.q - exact.q).norm(), 100 * tol);
    EXPECT_LE((s.v - exact.v).norm(), 100 * tol);
    EXPECT_LE(method.counters.steps, 1000);
  }
}

TEST(Automatic, OutputDoesNotJumpWhereItChangesOver) {
  const Loaded model = gripped();
  Automatic method{{.tol = 1e-8}};
  Radau exact{{.tol = 1e-11}};
  State s = model.start, truth = s, at = s;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  ASSERT_EQ(exact.start(model.system, truth), Status::ok);
  double worst = 0.0;
  while (s.t < long_after) {
    const double t0 = s.t;
    ASSERT_EQ(method.advance(model.system, long_after, s), Status::ok);
    for (const double t : {t0 + 0.4 * (s.t - t0), s.t}) {
      ASSERT_EQ(method.interpolate(model.system, t, at), Status::ok);
      while (truth.t < t) ASSERT_EQ(exact.advance(model.system, t, truth), Status::ok);
      worst = std::max(worst, (at.q - truth.q).norm());
    }
  }
  EXPECT_LE(worst, 1e-6);
  EXPECT_EQ(method.notes().size(), 2U);
}

TEST(Automatic, ResumedFromAnyStepTheMotionIsTheSame) {
  const Loaded model = gripped();
  Automatic method{{.tol = 1e-8}};
  State s = model.start;
  ASSERT_EQ(method.start(model.system, s), Status::ok);
  std::vector<State> states{s};
  std::vector<Archive> archives;
  const auto keep = [&] {
    archives.push_back(Archive::writer());
    method.archive(archives.back());
  };
  keep();
  while (s.t < long_after) {
    ASSERT_EQ(method.advance(model.system, long_after, s), Status::ok);
    states.push_back(s);
    keep();
  }
  ASSERT_EQ(method.notes().size(), 2U);
  for (std::size_t n = 0; n + 1 < states.size(); ++n) {
    SCOPED_TRACE(n);
    Automatic resumed{{.tol = 1e-8}};
    State again = states[n];
    ASSERT_EQ(resumed.start(model.system, again), Status::ok);
    Archive reader = Archive::reader(archives[n].bytes());
    resumed.archive(reader);
    EXPECT_TRUE(reader.at_end());
    for (std::size_t k = n + 1; k < std::min(n + 4, states.size()); ++k) {
      ASSERT_EQ(resumed.advance(model.system, long_after, again), Status::ok);
      ASSERT_TRUE(same_bits(again, states[k])) << again.t;
    }
  }
}

TEST(Automatic, DecidesTheSameInTwoRuns) {
  const Loaded model = gripped();
  Automatic a{{.tol = 1e-7}}, b{{.tol = 1e-7}};
  State end_a, end_b;
  ASSERT_EQ(run(a, model, long_after, end_a), Status::ok);
  ASSERT_EQ(run(b, model, long_after, end_b), Status::ok);
  EXPECT_TRUE(same_bits(end_a, end_b));
  EXPECT_EQ(a.notes(), b.notes());
}

}  // namespace
}  // namespace taut::test
