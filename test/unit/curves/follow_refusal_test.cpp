// SPDX-License-Identifier: BSD-3-Clause
// Runs along curves: what a caller cannot mean, and which rows are kept.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "follow_curves.hpp"
#include "taut/run/follow.hpp"
#include "taut/simulation/choose_form.hpp"

namespace taut {
namespace {

CurveSummary refused_follow(const Curve& curve, const Vec& start, const FollowOptions& options) {
  CurveMotion motion;
  CurveSummary s = follow(curve, {}, start, options, motion);
  EXPECT_EQ(s.status, Status::invalid_argument) << s.message;
  EXPECT_FALSE(s.hint.empty());
  EXPECT_EQ(motion.rows(), 0u);
  EXPECT_EQ(s.counters.steps, 0);
  return s;
}

void expect_said(const CurveSummary& s, const std::string& words) {
  EXPECT_NE(s.message.find(words), std::string::npos) << words << " in: " << s.message;
}

FollowOptions refused_until(double until) {
  FollowOptions options;
  options.until = until;
  return options;
}

TEST(RefusedFollow, WrongSizesAndNumbersOfTheStart) {
  const Curve curve = follow_circle();
  expect_said(refused_follow(curve, Vec::Zero(3), refused_until(0.5)), "3 numbers");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_said(refused_follow(curve, follow_point(0, nan), refused_until(0.5)), "nan in y");
}

TEST(RefusedFollow, EndsThatAreNone) {
  const Curve curve = follow_circle();
  const Vec start = follow_point(0, 1);
  expect_said(refused_follow(curve, start, {}), "no end");
  expect_said(refused_follow(curve, start, refused_until(std::nan(""))), "nan");
  FollowOptions options;
  options.arc = -2.0;
  expect_said(refused_follow(curve, start, options), "-2");
}

TEST(RefusedFollow, DistancesAndStepsThatAreNone) {
  const Curve curve = follow_circle();
  const Vec start = follow_point(0, 1);
  FollowOptions options = refused_until(0.5);
  options.every = -0.25;
  expect_said(refused_follow(curve, start, options), "-0.25");
  options = refused_until(0.5);
  options.every_arc = std::nan("");
  expect_said(refused_follow(curve, start, options), "nan");
  options = refused_until(0.5);
  options.integrator.step = -0.125;
  expect_said(refused_follow(curve, start, options), "steps of -0.125");
}

TEST(RefusedFollow, AStartOffTheCurve) {
  const FormChoice choice = choose_form(follow_plug_flow());
  ASSERT_EQ(choice.status, Status::ok) << choice.message;
  const Curve& curve = choice.form.curve;
  Vec start = choice.start.p;
  FollowOptions options = refused_until(1.0);
  options.max_steps = 2;
  CurveMotion motion;
  EXPECT_EQ(follow(curve, {}, start, options, motion).status, Status::step_limit);
  start[2] += 0.1;
  expect_said(refused_follow(curve, start, options), "off the curve");
}

TEST(RowsOfACurve, AreAllThinnedOrOnlyShown) {
  const Curve curve = follow_circle();
  for (const double every_arc : {0.0, 0.25}) {
    FollowOptions options;
    options.arc = 5.0;
    options.every_arc = every_arc;
    options.integrator.step = 0.01;
    options.max_rows = 100;
    const auto run = [&](Rows rows, CurveMotion& motion, std::vector<double>& seen) {
      options.rows = rows;
      options.observers = {[&](const CurveFrame& frame) { seen.push_back(frame.s); }};
      const CurveSummary s = follow(curve, {}, follow_point(0, 1), options, motion);
      EXPECT_TRUE(s.good()) << s.message;
      return s.p;
    };
    CurveMotion all, none, thinned;
    std::vector<double> seen_all, seen_none, seen_thinned;
    const Vec end = run(Rows::all, all, seen_all);
    EXPECT_EQ(run(Rows::none, none, seen_none), end);
    EXPECT_EQ(run(Rows::thinned, thinned, seen_thinned), end);
    EXPECT_GE(all.rows(), every_arc > 0.0 ? 21u : 500u);
    EXPECT_EQ(seen_all, all.s);
    EXPECT_EQ(none.rows(), 0u);
    EXPECT_EQ(seen_none, seen_all);
    EXPECT_LE(thinned.rows(), 102u);
    EXPECT_EQ(thinned.s.back(), all.s.back());
  }
}

}  // namespace
}  // namespace taut
