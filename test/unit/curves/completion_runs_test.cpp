// SPDX-License-Identifier: BSD-3-Clause
// Runs on implicit completed forms, and on equations that contradict one another beside the start.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "completion_systems.hpp"
#include "taut/run/follow.hpp"
#include "taut/simulation/choose_form.hpp"

namespace taut {
namespace {

using RunJets = JetBuilder::Jets;

// a' = cos x, b' = sin x, or both with the other sign: squares do not tell
JetSystem completion_two_branches() {
  const auto turn = [](double factor) {
    return [factor](const RunJets& j) {
      return factor * (j.y[1][0] * sin(j.x) - j.y[1][1] * cos(j.x));
    };
  };
  return JetBuilder{{"a", "b"}, 1}
      .equation(
          "length",
          [](const RunJets& j) { return j.y[1][0] * j.y[1][0] + j.y[1][1] * j.y[1][1] - 1.0; })
      .equation("turn", turn(1.0))
      .equation("twice", turn(2.0))
      .start(0, {{0, 0}, {1, 0}})
      .build();
}

TEST(CompletedForm, ImplicitRunsDependOnNothingButTheirPoints) {
  const FormChoice choice = choose_form(completion_two_branches(), FormKind::completed);
  ASSERT_EQ(choice.status, Status::ok) << choice.message;
  ASSERT_FALSE(choice.completion->structural);
  const Curve& curve = choice.form.curve;
  const std::vector<CurveEvent> events{
      {.name = "slope",
       .value = [](const Vec&, const Vec& V) { return V[1] / V[0] + 0.9; },
       .direction = Observable::Direction::falling}};
  FollowOptions options;
  options.until = 6.0;
  CurveMotion whole, part;
  const CurveSummary once = follow(curve, events, choice.start, options, whole);
  ASSERT_EQ(once.status, Status::ok) << once.message;
  EXPECT_NEAR(once.p[1], std::sin(6.0), 1e-6);
  EXPECT_NEAR(once.p[2], 1.0 - std::cos(6.0), 1e-6);
  ASSERT_EQ(once.events.size(), 1U);
  EXPECT_NEAR(once.events[0].p[0], std::acos(-0.9), 1e-6);

  // rows asked for change nothing
  for (const double every : {0.1, 100.0}) {
    options.every = every;
    const CurveSummary rows = follow(curve, events, choice.start, options, part);
    EXPECT_EQ(rows.p, once.p);
    ASSERT_EQ(rows.events.size(), 1U);
    EXPECT_EQ(rows.events[0].p, once.events[0].p);
  }
  options.every = 0.0;

  const auto folder = std::filesystem::temp_directory_path() / "taut-completion-runs-test";
  std::filesystem::create_directories(folder);
  options.checkpoint.file = folder / "checkpoint.bin";
  options.checkpoint.identity = {{"test", "completion runs"}};
  for (const std::int64_t steps : {1, 14}) {
    options.max_steps = steps;
    options.checkpoint.resume.reset();
    EXPECT_EQ(follow(curve, events, choice.start, options, part).status, Status::step_limit);
    CheckpointFound found = find_checkpoint(options.checkpoint.file, options.checkpoint.identity);
    ASSERT_EQ(found.kind, CheckpointFound::Kind::usable) << found.problem;
    options.checkpoint.resume = std::move(found.content);
    options.max_steps = 0;
    const CurveSummary again = follow(curve, events, choice.start, options, part);
    EXPECT_EQ(again.status, Status::ok) << again.message;
    EXPECT_EQ(again.p, once.p);
    EXPECT_EQ(part.p, whole.p);
    ASSERT_EQ(again.events.size(), 1U);
    EXPECT_EQ(again.events[0].p, once.events[0].p);
  }
  std::filesystem::remove_all(folder);
}

TEST(ChooseForm, EquationsThatContradictBesideTheStartAreFound) {
  // they agree at x = 0, with their first two derivatives
  const JetSystem system =
      JetBuilder{{"y"}, 1}
          .equation("slope", [](const RunJets& j) { return j.y[1][0] - 1.0; })
          .equation("cubic", [](const RunJets& j) { return j.y[0][0] - j.x - j.x * j.x * j.x; })
          .start(0, {{0}})
          .build();
  const Completion completion = complete(system);
  EXPECT_EQ(completion.verdict, Completion::Verdict::inconsistent);
  EXPECT_NE(completion.reason.find("'cubic'"), std::string::npos) << completion.reason;

  // and by a run that was not warned
  const CurveForm form = invariants_form(system);
  const CurveStart start = curve_start(form.curve, given_point(system, form.curve.structure()));
  ASSERT_EQ(start.status, Status::ok) << start.reason;
  for (const Parametrisation parameter : {Parametrisation::arc, Parametrisation::time}) {
    FollowOptions options;
    options.until = 0.5;
    options.integrator.parameter = parameter;
    CurveMotion motion;
    const CurveSummary s = follow(form.curve, {}, start, options, motion);
    EXPECT_EQ(s.status, Status::constraints_contradict) << s.message;
    EXPECT_NE(s.message.find("cubic changes"), std::string::npos) << s.message;
  }
}

TEST(ChooseForm, StartsWhereOnlyDerivativesOfAnEquationHaveNoValue) {
  // y = 2/3 x^(3/2)
  const JetSystem system =
      JetBuilder{{"y"}, 1}
          .equation("root", [](const RunJets& j) { return j.y[1][0] - sqrt(j.x); })
          .start(0, {{0}})
          .build();
  EXPECT_EQ(complete(system).status, Status::non_finite);
  const FormChoice choice = choose_form(system);
  ASSERT_EQ(choice.status, Status::ok) << choice.message;
  FollowOptions options;
  options.until = 1.0;
  CurveMotion motion;
  const CurveSummary s = follow(choice.form.curve, {}, choice.start, options, motion);
  ASSERT_EQ(s.status, Status::ok) << s.message;
  EXPECT_NEAR(s.p[1], 2.0 / 3.0, 1e-6);
}

TEST(ChooseForm, AStartAtAnImpassePointStaysThere) {
  // x² + y² = 1 from (1, 0)
  const JetSystem system =
      JetBuilder{{"y"}, 1}
          .equation("circle", [](const RunJets& j) { return j.y[0][0] * j.y[1][0] + j.x; })
          .start(1, {{0}})
          .build();
  for (const FormKind kind : {FormKind::automatic, FormKind::completed}) {
    const FormChoice choice = choose_form(system, kind);
    ASSERT_EQ(choice.status, Status::ok) << choice.message;
    EXPECT_TRUE(choice.start.moved.empty());
    FollowOptions options;
    options.until = 0.0;
    CurveMotion motion;
    const CurveSummary s = follow(choice.form.curve, {}, choice.start, options, motion);
    ASSERT_EQ(s.status, Status::ok) << s.message;
    EXPECT_NEAR(std::abs(s.p[1]), 1.0, 1e-7);
  }
}

TEST(Completion, ContradictionsAtOneXAloneAreSingularPoints) {
  // a and b follow from a + x b = sin x and a + b = cos x: they do not where x = 1
  const auto system = [](double x) {
    return JetBuilder{{"a", "b"}, 1}
        .equation("1", [](const RunJets& j) { return j.y[1][0] + j.x * j.y[1][1] - j.y[0][0]; })
        .equation("2", [](const RunJets& j) { return j.y[0][0] + j.x * j.y[0][1] - sin(j.x); })
        .start(x, {{}})
        .build();
  };
  EXPECT_EQ(complete(system(1.0)).verdict, Completion::Verdict::singular);
  EXPECT_TRUE(complete(system(2.0)).completed());

  // z = 1/y at y = 0
  const Completion pole =
      complete(JetBuilder{{"y", "z"}, 1}
                   .equation("1", [](const RunJets& j) { return j.y[1][0] - 1.0; })
                   .equation("2", [](const RunJets& j) { return j.y[0][0] * j.y[0][1] - 1.0; })
                   .start(0, {{0, 1}})
                   .build());
  EXPECT_EQ(pole.verdict, Completion::Verdict::singular);
  EXPECT_NE(pole.reason.find("determine no z at the start"), std::string::npos) << pole.reason;
}

}  // namespace
}  // namespace taut
