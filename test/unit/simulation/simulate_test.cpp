// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gallery.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;

TEST(Load, ThrowsWithEverythingThatIsWrong) {
  try {
    static_cast<void>(load(TAUT_MODELS "/no_such_model.toml"));
    FAIL() << "there is no such file";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no_such_model.toml"));
  }
}

// The row of a run and the instant of another that was not asked for it are the same bits: both are
// the method's own dense output. Methods that choose their steps, that do not, that remember.
TEST(Result, InstantsAreTheRowsThatWereNotAskedFor) {
  const Model model = gallery("double_pendulum");
  for (const char* const method : {"auto", "dop853", "radau", "rattle", "rk4", "projected-rk"}) {
    SCOPED_TRACE(method);
    const bool constant = std::string_view{method} == "rattle" || std::string_view{method} == "rk4";
    SimulationOptions options{.until = 3, .method = method};
    if (constant) options.step = 1e-2;
    const Result asked_later = simulate(model, options);
    options.every = 0.37;
    const Result rows = simulate(model, options);
    ASSERT_TRUE(rows.good());
    // forward, then back and forth: from places that were stored on the way
    for (const std::size_t n : {0u, 1u, 2u, 5u, 8u, 3u, 1u, 7u, 0u, 4u}) {
      const Instant then = asked_later.at(rows.motion.t[n]);
      ASSERT_EQ(then.status(), Status::ok) << then.message();
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(then.frame().state.q[static_cast<Index>(i)], rows.motion.q[4 * n + i]);
        EXPECT_EQ(then.frame().state.v[static_cast<Index>(i)], rows.motion.v[4 * n + i]);
      }
      EXPECT_EQ(then["rod 2"], rows.motion.lambda[2 * n + 1]);
      EXPECT_EQ(then["lambda(rod 2)"], then["rod 2"]);
      EXPECT_EQ(then["t"], rows.motion.t[n]);
    }
  }
}

TEST(Result, InstantsOfLongRunsGoOnFromStoredPlaces) {
  const Result run = simulate(gallery("pendulum"), {.until = 50, .method = "rattle", .step = 1e-3});
  const Instant late = run.at(40.0003), early = run.at(0.5), late_again = run.at(40.0003);
  for (Index i = 0; i < 2; ++i) EXPECT_EQ(late.frame().state.q[i], late_again.frame().state.q[i]);
  EXPECT_NE(late.frame().state.q[0], early.frame().state.q[0]);
}

TEST(Result, TimesOutsideTheRunAndUnknownNamesAreSaid) {
  const Result run = simulate(gallery("double_pendulum"), {.until = 1});
  for (const double t : {-0.1, 1.1, std::nan("")}) {
    const Instant nowhere = run.at(t);
    EXPECT_EQ(nowhere.status(), Status::invalid_argument);
    EXPECT_THAT(nowhere.message(), HasSubstr("outside the run"));
    EXPECT_TRUE(std::isnan(nowhere["bob1.x"]));
  }
  try {
    static_cast<void>(run.at(0.5)["bob1.z"]);
    FAIL() << "the bob has no z";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bob1.z"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean"));
  }
}

TEST(Result, RunsGoOnFromTheirEnd) {
  const Model model = gallery("double_pendulum");
  const Result first = simulate(model, {.until = 1, .tol = 1e-11});
  const Result second = go_on(first, 2);
  const Result whole = simulate(model, {.until = 2, .tol = 1e-11});
  ASSERT_TRUE(second.good());
  EXPECT_EQ(second.motion.t.front(), 1.0);
  EXPECT_EQ(second.summary.state.t, 2.0);
  // another sequence of steps, the same motion
  EXPECT_LT((second.summary.state.q - whole.summary.state.q).norm(), 1e-7);
  EXPECT_FALSE(second.summary.moved.any());
  EXPECT_THROW(static_cast<void>(go_on(first, 0.5)), ModelError);
}

TEST(Simulate, AFailedRunIsAResult) {
  Model model;
  model.name = "singular";
  model.coordinates = {{.name = "x", .mass = 1.0, .at = 1.0, .velocity = -1.0}};
  model.elements = {{.what = Potential{"1e-3*sqrt(x)"}}};
  const Result run = simulate(model, {.until = 10});
  EXPECT_FALSE(run.good());
  EXPECT_FALSE(run.summary.message.empty());
  EXPECT_GT(run.motion.rows(), 1u);
  EXPECT_GE(run.summary.state.q[0], 0.0);
}

TEST(Simulate, CurvesAreFollowedToo) {
  const Result run = simulate(gallery("plug_flow"));
  ASSERT_TRUE(run.curve.has_value());
  EXPECT_TRUE(run.good());
  EXPECT_NEAR(run.curve->summary.impasse_points.at(0).p[0], 1.0958048, 1e-6);
  EXPECT_EQ(run.at(1.0).status(), Status::invalid_argument);
}

TEST(Simulate, ObserversSeeEveryRowAndCancelStops) {
  std::atomic<bool> stop{false};
  std::size_t rows = 0;
  const Result run =
      simulate(gallery("double_pendulum"),
               {.until = 10, .every = 0.1, .cancel = &stop, .observers = {[&](const Frame& row) {
                                                              ++rows;
                                                              if (row.state.t > 1.0) stop = true;
                                                            }}});
  EXPECT_EQ(run.summary.status, Status::cancelled);
  EXPECT_LT(run.summary.state.t, 2.0);
  EXPECT_GE(rows, 11u);
}

}  // namespace
}  // namespace taut
