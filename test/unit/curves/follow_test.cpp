// SPDX-License-Identifier: BSD-3-Clause
// Runs along curves: impasse points, events, rows and limits, on curves that are known otherwise.
#include "taut/run/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "core/notes.hpp"
#include "follow_curves.hpp"
#include "taut/simulation/choose_form.hpp"

namespace taut {
namespace {

using std::numbers::pi;

FollowOptions follow_until(double until, double tol = 1e-10) {
  FollowOptions options;
  options.until = until;
  options.integrator.tol = tol;
  return options;
}

// impasse points ------------------------------------------------------------------------------

TEST(Follow, ACircleTurnsBackAtOneAndIsGoneRound) {
  FollowOptions options;
  options.arc = 2 * pi;
  options.integrator.tol = 1e-11;
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  ASSERT_EQ(s.status, Status::ok) << s.message;
  ASSERT_EQ(s.impasse_points.size(), 2U);
  const ImpassePoint &right = s.impasse_points[0], &left = s.impasse_points[1];
  EXPECT_EQ(right.kind, ImpassePoint::Kind::turns_back);
  EXPECT_NEAR(right.s, pi / 2, 1e-9);
  EXPECT_NEAR(right.p[0], 1.0, 1e-9);
  EXPECT_NEAR(right.p[1], 0.0, 1e-9);
  EXPECT_EQ(right.unbounded, std::vector<std::string>{"y"});
  EXPECT_NEAR(left.s, 3 * pi / 2, 1e-9);
  EXPECT_NEAR(left.p[0], -1.0, 1e-9);
  EXPECT_NEAR(s.s, 2 * pi, 1e-14);
  EXPECT_LE((s.p - follow_point(0, 1)).norm(), 1e-9);
}

TEST(Follow, LongStepsDoNotStepOverTurningPoints) {
  const Curve ellipse = follow_curve([](const Vec& p) { return follow_point(p[1], -9.0 * p[0]); });
  for (const double tol : {1e-3, 1e-5, 1e-9}) {
    FollowOptions options;
    options.arc = 31.0;
    options.integrator.tol = tol;
    CurveMotion motion;
    const CurveSummary s = follow(ellipse, {}, follow_point(0, 3), options, motion);
    ASSERT_EQ(s.status, Status::ok) << s.message;
    // 13.36 is the circumference of half axes 1 and 3
    EXPECT_EQ(s.impasse_points.size(), 5U) << tol << ", " << s.counters.steps << " steps";
  }
}

TEST(Follow, SaysThatAClosedCurveDoesNotReachTheEnd) {
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), follow_until(2.0), motion);
  EXPECT_EQ(s.status, Status::impasse);
  EXPECT_NE(s.message.find("closed"), std::string::npos) << s.message;
  EXPECT_NE(s.hint.find(".arc"), std::string::npos);
  // where it is closed, and no row behind that
  EXPECT_NEAR(s.s, 2 * pi, 1e-8);
  EXPECT_LE((s.p - follow_point(0, 1)).norm(), 1e-8);
  EXPECT_EQ(motion.s.back(), s.s);

  // a parabola turns back for good
  const Curve parabola =
      follow_curve([](const Vec& p) { return follow_point(-2.0 * p[1], 1.0); });  // x = 1 - y^2
  const CurveSummary gone = follow(parabola, {}, follow_point(0, -1), follow_until(2.0), motion);
  EXPECT_EQ(gone.status, Status::impasse);
  EXPECT_NE(gone.message.find("turned back at x = 1"), std::string::npos) << gone.message;
}

TEST(Follow, ReachesAnEndThatIsTheTurningPointItself) {
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), follow_until(1.0), motion);
  EXPECT_EQ(s.status, Status::ok) << s.message;
  EXPECT_NEAR(s.p[0], 1.0, 1e-9);
}

TEST(Follow, StopsAtAnImpassePointWhenAsked) {
  FollowOptions options = follow_until(2.0);
  options.at_impasse = AtImpasse::stop;
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  EXPECT_EQ(s.status, Status::stopped_by_event);
  EXPECT_TRUE(s.good());
  EXPECT_NEAR(s.s, pi / 2, 1e-9);
  EXPECT_NEAR(s.p[1], 0.0, 1e-9);
  EXPECT_EQ(motion.s.back(), s.s);
}

TEST(Follow, PassesTheImpassePointOfThePlugFlow) {
  const JetSystem system = follow_plug_flow();
  const CurveForm form = invariants_form(system);
  ASSERT_EQ(form.reason, "");
  const CurveStart start = curve_start(form.curve, given_point(system, form.curve.structure()));
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  for (const double tol : {1e-8, 1e-10}) {
    CurveMotion motion;
    const CurveSummary s = follow(form.curve, {}, start, follow_until(3.2188, tol), motion);
    ASSERT_EQ(s.status, Status::ok) << s.message;
    ASSERT_EQ(s.impasse_points.size(), 1U);
    const ImpassePoint& impasse = s.impasse_points[0];
    EXPECT_EQ(impasse.kind, ImpassePoint::Kind::passes);
    EXPECT_NEAR(impasse.p[0], 1.0958051, 1e-6);
    EXPECT_NEAR(impasse.p[1], 0.0, 1e-6);
    EXPECT_NEAR(impasse.p[2], 10.8288, 1e-4);
    EXPECT_NEAR(impasse.p[3], 0.0, 1e-6);
    EXPECT_EQ(s.p[0], 3.2188);
    EXPECT_NEAR(s.p[1], -8.42, 0.005);
    EXPECT_NEAR(s.s, 28.87, 0.005);
    EXPECT_LE(s.counters.steps, 200);
  }
  // a bound of the physics stops it there
  const CurveEvents events = curve_events(system, form.curve);
  ASSERT_EQ(events.reason, "");
  CurveMotion motion;
  const CurveSummary stopped =
      follow(form.curve, events.events, start, follow_until(3.2188), motion);
  EXPECT_EQ(stopped.status, Status::stopped_by_event);
  EXPECT_NE(stopped.message.find("empty"), std::string::npos);
  EXPECT_NEAR(stopped.p[0], 1.0958051, 1e-6);
  EXPECT_NEAR(stopped.p[1], 0.0, 1e-9);
}

TEST(Follow, TheOriginalPlugFlowRunsToInfinity) {
  const JetSystem system = follow_original_plug_flow();
  const CurveForm form = invariants_form(system);
  ASSERT_EQ(form.reason, "");
  const CurveStart start = curve_start(form.curve, given_point(system, form.curve.structure()));
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  for (const double tol : {1e-6, 1e-8, 1e-10}) {
    CurveMotion motion;
    const CurveSummary s = follow(form.curve, {}, start, follow_until(3.2188, tol), motion);
    EXPECT_EQ(s.status, Status::impasse) << s.message;
    EXPECT_NEAR(s.p[0], 1.0958051, 1e-6);
    EXPECT_NE(s.message.find("u2 runs to infinity"), std::string::npos) << s.message;
    EXPECT_LE(s.counters.steps + s.counters.rejected, 1000) << tol;
    EXPECT_GT(motion.rows(), 10U);
  }
}

TEST(Follow, FastGrowthIsNoImpasse) {
  CurveMotion motion;
  // y = e^(40 x): exponential, over 17 powers of ten
  const Curve growing = follow_ode([](double, double y) { return 40.0 * y; });
  const CurveSummary s = follow(growing, {}, follow_point(0, 1), follow_until(1.0, 1e-8), motion);
  EXPECT_EQ(s.status, Status::ok) << s.message;
  EXPECT_NEAR(std::log(s.p[1]), 40.0, 1e-5);

  // y = 1 / (1 - x) is one, however far it is gone
  const Curve infinite = follow_ode([](double, double y) { return y * y; });
  const CurveSummary none =
      follow(infinite, {}, follow_point(0, 1), follow_until(2.0, 1e-8), motion);
  EXPECT_EQ(none.status, Status::impasse);
  EXPECT_NEAR(none.p[0], 1.0, 1e-7);
  EXPECT_NE(none.message.find("y runs to infinity"), std::string::npos) << none.message;
  // just before it, it is a solution like others
  const CurveSummary close =
      follow(infinite, {}, follow_point(0, 1), follow_until(0.9999, 1e-10), motion);
  EXPECT_EQ(close.status, Status::ok) << close.message;
  EXPECT_NEAR(close.p[1] * 1e-4, 1.0, 1e-5);
}

TEST(Follow, StepsInXEndAtTheImpassePoint) {
  FollowOptions options = follow_until(2.0);
  options.integrator.parameter = Parametrisation::time;
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  EXPECT_EQ(s.status, Status::impasse) << s.message;
  EXPECT_NE(s.hint.find(".parameter"), std::string::npos) << s.hint;
  EXPECT_NEAR(s.p[0], 1.0, 1e-3);
}

// events and rows -----------------------------------------------------------------------------

TEST(Follow, AConstantStepThatWouldPassAnImpassePointIsNotSaidToBeAtOne) {
  FollowOptions options = follow_until(2.0);
  options.integrator.parameter = Parametrisation::time;
  options.integrator.step = 0.3;
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  EXPECT_EQ(s.status, Status::impasse);
  EXPECT_LT(s.p[0], 0.95);
  EXPECT_NE(s.message.find("a step of 0.3 from x = "), std::string::npos) << s.message;
  EXPECT_NE(s.hint.find("shorter steps"), std::string::npos) << s.hint;
}

// y' = -k (y - cos x) - sin x from y = cos x: as smooth with k = 2000 as with k = 1
TEST(Follow, SaysThatAStiffSystemIsOne) {
  for (const double k : {1.0, 2000.0}) {
    const Curve curve = follow_curve([k](const Vec& p) {
      return follow_point(1.0, -k * (p[1] - std::cos(p[0])) - std::sin(p[0]));
    });
    for (const CurveTableau tableau :
         {CurveTableau::dopri54, CurveTableau::dop853, CurveTableau::rk4}) {
      FollowOptions options = follow_until(3.0, 1e-6);
      options.integrator.tableau = tableau;
      CurveMotion motion;
      const CurveSummary s = follow(curve, {}, follow_point(0, 1), options, motion);
      ASSERT_EQ(s.status, Status::ok) << s.message;
      const bool said = std::any_of(s.notes.begin(), s.notes.end(), [](const Note& note) {
        return note.is(notes::stiff_for_explicit);
      });
      EXPECT_EQ(said, k > 1.0) << s.counters.stiff_steps << " of " << s.counters.steps;
    }
  }
}

TEST(Follow, EventsAreFoundWhereTheyHappen) {
  std::vector<CurveEvent> events;
  events.push_back({.name = "half", .value = [](const Vec& p, const Vec&) { return p[1] - 0.5; }});
  // y' = -x / y = 1 on the way back
  events.push_back({.name = "slope",
                    .value = [](const Vec&, const Vec& V) { return V[1] / V[0] - 1.0; },
                    .direction = Observable::Direction::falling,
                    .stops = true});
  FollowOptions options;
  options.arc = 2 * pi;
  options.integrator.tol = 1e-11;
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), events, follow_point(0, 1), options, motion);
  EXPECT_EQ(s.status, Status::stopped_by_event) << s.message;
  ASSERT_EQ(s.events.size(), 2U);
  EXPECT_NEAR(s.events[0].s, pi / 3, 1e-9);
  EXPECT_NEAR(s.events[0].p[0], std::sqrt(0.75), 1e-9);
  EXPECT_EQ(s.events[1].name, "slope");
  EXPECT_NEAR(s.s, 3 * pi / 4, 1e-9);
  EXPECT_NEAR(s.p[1], -std::sqrt(0.5), 1e-9);

  // y' goes from minus to plus infinity at x = 1: it is -2 once, and 2 once
  for (const double slope : {-2.0, 2.0}) {
    events.pop_back();
    events.push_back({.name = "steep",
                      .value = [slope](const Vec&, const Vec& V) { return V[1] / V[0] - slope; }});
    options.arc = pi;
    const CurveSummary steep = follow(follow_circle(), events, follow_point(0, 1), options, motion);
    ASSERT_EQ(steep.events.size(), 2U);
    const CurveEventRecord& event = steep.events[1];
    EXPECT_EQ(event.name, "steep");
    EXPECT_NEAR(-event.p[0] / event.p[1], slope, 1e-8);
  }
}

TEST(Follow, RowsAtGivenXComeAgainOnTheWayBack) {
  FollowOptions options;
  options.arc = pi;
  options.every = 0.25;
  options.integrator.tol = 1e-11;
  CurveMotion motion;
  ASSERT_EQ(follow(follow_circle(), {}, follow_point(0, 1), options, motion).status, Status::ok);
  const std::vector<double> expected{0, 0.25, 0.5, 0.75, 0.75, 0.5, 0.25, 0};
  std::vector<double> xs;
  for (std::size_t r = 0; r < motion.rows(); ++r) {
    const double x = motion.p[2 * r], y = motion.p[2 * r + 1];
    if (std::abs(x - 1.0) < 1e-9) continue;  // whether the turning point itself is met is rounding
    xs.push_back(std::round(x * 1e8) / 1e8);
    EXPECT_NEAR(y, (motion.s[r] < pi / 2 ? 1 : -1) * std::sqrt(1 - x * x), 1e-8);
    EXPECT_NEAR(motion.s[r], std::atan2(x, y), 1e-9);
  }
  EXPECT_EQ(xs, expected);
}

TEST(Follow, RowsAtArcDistances) {
  FollowOptions options;
  options.arc = 2.05;
  options.every_arc = 0.5;
  options.integrator.tol = 1e-11;
  CurveMotion motion;
  ASSERT_EQ(follow(follow_circle(), {}, follow_point(0, 1), options, motion).status, Status::ok);
  EXPECT_EQ(motion.s, (std::vector<double>{0, 0.5, 1.0, 1.5, 2.0, 2.05}));
  for (std::size_t r = 0; r < motion.rows(); ++r)
    EXPECT_NEAR(motion.p[2 * r], std::sin(motion.s[r]), 1e-9);
}

TEST(Follow, GoesBackwards) {
  const Curve decay = follow_ode([](double x, double y) { return -y * std::cos(x); });
  FollowOptions options = follow_until(-2.0);
  options.every = 0.5;
  CurveMotion motion;
  const CurveSummary s = follow(decay, {}, follow_point(0, 1), options, motion);
  ASSERT_EQ(s.status, Status::ok) << s.message;
  EXPECT_EQ(s.p[0], -2.0);
  EXPECT_NEAR(s.p[1], std::exp(-std::sin(-2.0)), 1e-8);
  ASSERT_EQ(motion.rows(), 5U);
  for (std::size_t r = 0; r < 5; ++r) EXPECT_EQ(motion.p[2 * r], -0.5 * static_cast<double>(r));

  options = {};
  options.sense = -1.0;
  options.arc = 1.0;
  EXPECT_LT(follow(decay, {}, follow_point(0, 1), options, motion).p[0], -0.5);
}

// limits, resuming, failures ------------------------------------------------------------------

TEST(Follow, ThinsTheStepsOfLongRuns) {
  FollowOptions options;
  options.arc = 200.0;
  options.max_rows = 20;
  CurveMotion motion;
  const CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  ASSERT_EQ(s.status, Status::ok);
  EXPECT_LE(motion.rows(), 21U);
  EXPECT_GE(motion.rows(), 10U);
  ASSERT_FALSE(s.notes.empty());
  EXPECT_NE(s.notes[0].text().find(".every_arc"), std::string::npos);
}

TEST(Follow, ResumesToTheSameBits) {
  const auto folder = std::filesystem::temp_directory_path() / "taut-follow-test";
  std::filesystem::create_directories(folder);
  const JetSystem system = follow_plug_flow();
  const CurveForm form = invariants_form(system);
  const CurveStart start = curve_start(form.curve, given_point(system, form.curve.structure()));
  FollowOptions options = follow_until(3.2188, 1e-9);
  CurveMotion whole, part;
  const CurveSummary once = follow(form.curve, {}, start, options, whole);

  options.checkpoint.file = folder / "checkpoint.bin";
  options.checkpoint.identity = {{"test", "follow"}};
  for (const std::int64_t steps : {1, 7, 30}) {
    options.max_steps = steps;
    options.checkpoint.resume.reset();
    EXPECT_EQ(follow(form.curve, {}, start, options, part).status, Status::step_limit);
    CheckpointFound found = find_checkpoint(options.checkpoint.file, options.checkpoint.identity);
    ASSERT_EQ(found.kind, CheckpointFound::Kind::usable) << found.problem;
    options.checkpoint.resume = std::move(found.content);
    options.max_steps = 0;
    const CurveSummary again = follow(form.curve, {}, start, options, part);
    EXPECT_EQ(again.status, Status::ok) << again.message;
    EXPECT_EQ(again.p, once.p);
    EXPECT_EQ(again.s, once.s);
    EXPECT_EQ(again.counters.steps, once.counters.steps);
    EXPECT_EQ(part.p, whole.p);
    EXPECT_EQ(part.s, whole.s);
    EXPECT_EQ(part.step, whole.step);
    ASSERT_EQ(again.impasse_points.size(), once.impasse_points.size());
    EXPECT_EQ(again.impasse_points[0].p, once.impasse_points[0].p);
    EXPECT_EQ(again.impasse_points[0].unbounded, once.impasse_points[0].unbounded);
  }
  std::filesystem::remove_all(folder);
}

TEST(Follow, LimitsAndInterruptionsKeepWhatThereIs) {
  FollowOptions options;
  options.arc = 1e9;
  options.max_seconds = 0.02;
  CurveMotion motion;
  CurveSummary s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  EXPECT_EQ(s.status, Status::time_limit);
  EXPECT_GT(motion.rows(), 2U);
  EXPECT_GT(s.s, 0.0);

  const std::atomic<bool> cancel{true};
  options.cancel = &cancel;
  s = follow(follow_circle(), {}, follow_point(0, 1), options, motion);
  EXPECT_EQ(s.status, Status::cancelled);
  EXPECT_EQ(motion.rows(), 1U);
}

TEST(Follow, KeepsTheLastGoodPointWhereAFormulaFails) {
  const Curve ends = follow_ode(
      [](double x, double) { return x > 1.0 ? std::numeric_limits<double>::quiet_NaN() : 1.0; });
  CurveMotion motion;
  const CurveSummary s = follow(ends, {}, follow_point(0, 0), follow_until(2.0), motion);
  EXPECT_EQ(s.status, Status::non_finite) << s.message;
  EXPECT_NEAR(s.p[0], 1.0, 0.2);
  EXPECT_LE(s.p[0], 1.0);
  EXPECT_NEAR(s.p[1], s.p[0], 1e-9);
  EXPECT_NE(s.message.find("not finite"), std::string::npos) << s.message;
}

// starts and forms ----------------------------------------------------------------------------

TEST(CurveStart, KeepsWhatIsStatedAndFindsTheRest) {
  JetBuilder builder{{"y", "z"}, 1};
  builder.start(0.0, {{0.6, std::numeric_limits<double>::quiet_NaN()}});
  builder.equation("y", [](const FollowJets& j) { return j.y[1][0] - j.y[0][1]; });
  builder.equation("hyperbola", [](const FollowJets& j) { return j.y[0][1] * j.y[0][0] - 1.2; });
  const JetSystem system = builder.build();
  const FormChoice choice = choose_form(system);
  ASSERT_EQ(choice.status, Status::ok) << choice.message;
  EXPECT_EQ(choice.start.p[1], 0.6);
  EXPECT_NEAR(choice.start.p[2], 2.0, 1e-14);
  EXPECT_TRUE(choice.start.moved.empty());
  EXPECT_EQ(choice.start.found, std::vector<std::string>{"z"});
  // y y' = 1.2
  CurveMotion motion;
  const CurveSummary s = follow(choice.form.curve, {}, choice.start, follow_until(1.0), motion);
  ASSERT_EQ(s.status, Status::ok) << s.message;
  EXPECT_NEAR(s.p[1], std::sqrt(0.36 + 2.4), 1e-9);
}

TEST(CurveStart, SaysWhichEquationsDoNotHold) {
  JetBuilder builder{{"y"}, 1};
  builder.start(0.0, {{0.5}});
  builder.equation("slope", [](const FollowJets& j) { return j.y[1][0] - 0.0 * j.y[0][0]; });
  builder.equation("nowhere", [](const FollowJets& j) { return j.y[0][0] * j.y[0][0] + 1.0; });
  const JetSystem system = builder.build();
  const CurveForm form = invariants_form(system);
  ASSERT_EQ(form.reason, "");
  const CurveStart start = curve_start(form.curve, given_point(system, form.curve.structure()));
  EXPECT_NE(start.status, Status::ok);
  EXPECT_NE(start.reason.find("nowhere is 1.25 instead of 0"), std::string::npos) << start.reason;
  EXPECT_EQ(start.p[1], 0.5);
  CurveMotion motion;
  const CurveSummary s = follow(form.curve, {}, start, follow_until(1.0), motion);
  EXPECT_EQ(s.status, start.status);
  EXPECT_EQ(motion.rows(), 0U);
}

TEST(ChooseForm, CompletesWhatIsNotStated) {
  // a pendulum with its rod as the only condition
  JetBuilder builder{{"u", "v", "tension"}, 2};
  builder.start(0.0, {{0.6, -0.8}, {0.0, 0.0}});
  builder.equation("u", [](const FollowJets& j) { return j.y[2][0] + j.y[0][2] * j.y[0][0]; });
  builder.equation("v",
                   [](const FollowJets& j) { return j.y[2][1] + j.y[0][2] * j.y[0][1] + 1.0; });
  builder.equation("rod", [](const FollowJets& j) {
    return j.y[0][0] * j.y[0][0] + j.y[0][1] * j.y[0][1] - 1.0;
  });
  const FormChoice choice = choose_form(builder.build());
  ASSERT_EQ(choice.status, Status::ok) << choice.message;
  EXPECT_EQ(choice.kind, FormKind::completed);
  ASSERT_TRUE(choice.completion);
  EXPECT_EQ(choice.completion->index, 3);
  CurveMotion motion;
  const CurveSummary s = follow(choice.form.curve, {}, choice.start, follow_until(3.0), motion);
  ASSERT_EQ(s.status, Status::ok) << s.message;
  EXPECT_LE(s.max_equation, 1e-11);
  // its energy, which no equation states
  double u = 0, v = 0, u1 = 0, v1 = 0;
  for (std::size_t i = 0; i < s.coordinates.size(); ++i) {
    const double value = s.p[static_cast<Index>(i)];
    if (s.coordinates[i] == "u") u = value;
    if (s.coordinates[i] == "v") v = value;
    if (s.coordinates[i] == "u'") u1 = value;
    if (s.coordinates[i] == "v'") v1 = value;
  }
  EXPECT_NEAR((u1 * u1 + v1 * v1) / 2 + v, -0.8, 1e-8);
  EXPECT_NEAR(u * u + v * v, 1.0, 1e-11);
}

TEST(ChooseForm, RefusesWhatHasNoSolution) {
  JetBuilder builder{{"y"}, 1};
  builder.start(0.0, {{0.0}});
  builder.equation("slope", [](const FollowJets& j) { return j.y[1][0] - 1.0; });
  builder.equation("flat", [](const FollowJets& j) { return j.y[0][0] * 1.0; });
  const FormChoice choice = choose_form(builder.build());
  EXPECT_NE(choice.status, Status::ok);
  EXPECT_NE(choice.message.find("flat"), std::string::npos) << choice.message;
}

}  // namespace
}  // namespace taut
