// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/notes.hpp"
#include "gallery.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using test::gallery;
using testing::HasSubstr;

std::string mistakes(const Model& model, const SimulationOptions& options) {
  try {
    static_cast<void>(plan(model, options));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(Plan, TellsWhatWasChosenAndWhy) {
  const Plan stiff = plan(gallery("stiff_double_pendulum"), {.until = 10});
  EXPECT_EQ(stiff.method.name, "auto");
  EXPECT_THAT(stiff.reason.text(), HasSubstr("implicit"));
  EXPECT_EQ(stiff.run.until, 10);
  EXPECT_EQ(stiff.tolerance(), 1e-8);
  EXPECT_EQ(stiff.prepared.reading.kind(), Reading::Kind::as_written);
  EXPECT_GT(stiff.system.nc(), 0);  // its rods are equations for the method, not springs

  const Plan followed = plan(gallery("stiff_double_pendulum"), {.until = 1e-3, .method = "verlet"});
  EXPECT_TRUE(followed.reason.empty());  // the user chose
  EXPECT_EQ(followed.system.nc(), 0);    // springs
  EXPECT_GT(followed.run.step, 0.0);
  EXPECT_EQ(followed.tolerance(), 0.0);
}

TEST(Plan, ReadingsAreValues) {
  const Model model = gallery("double_pendulum");
  EXPECT_EQ(plan(model, {.reading = Reading::rigid()}).prepared.reading.name(), "rigid");
  const Plan penalized = plan(model, {.reading = Reading::penalized(100)});
  EXPECT_EQ(penalized.prepared.compiled.run.omega, 100.0);
  EXPECT_DOUBLE_EQ(penalized.prepared.system.structure().rows[0].compliance, 1e-4);
  const Plan slow = plan(model, {.reading = Reading::slow({}, "10*g")});
  EXPECT_DOUBLE_EQ(*slow.prepared.compiled.run.omega, 98.1);
  EXPECT_TRUE(slow.system.structure().has_manifold);
  for (const std::string_view name : Reading::names())
    EXPECT_EQ(Reading::named(name)->name(), name);
  EXPECT_FALSE(Reading::named("stiff"));
}

TEST(Plan, AllMistakesAreSaidAtOnceInTheWordsOfTheCaller) {
  const std::string text = mistakes(
      gallery("double_pendulum"), {.set = {{"gg", 1.0}}, .until = "10*nothing", .method = "ratle"});
  EXPECT_THAT(text, HasSubstr(".set = gg"));
  EXPECT_THAT(text, HasSubstr("did you mean 'g'"));
  EXPECT_THAT(text, HasSubstr("nothing"));
  EXPECT_THAT(text, HasSubstr("did you mean 'rattle'"));
}

TEST(Plan, OptionsThatNothingHeedsAreMistakes) {
  const Model model = gallery("double_pendulum");
  EXPECT_THAT(mistakes(model, {.method = "dop853", .step = 0.1}), HasSubstr(".tol instead"));
  EXPECT_THAT(mistakes(model, {.method = "rattle", .tol = 0.1}), HasSubstr(".step instead"));
  EXPECT_THAT(mistakes(model, {.slow = {.via = SlowVia::filter}}), HasSubstr(".via"));
  EXPECT_THAT(mistakes(model, {.averaging = {.micro_steps = 8}}), HasSubstr(".micro_steps"));
  EXPECT_THAT(mistakes(model, {.method = "rattle", .step = 0.1, .beta = 0.5}),
              HasSubstr("no such parameter"));
  EXPECT_THAT(mistakes(model, {.curve = {.arc = 1.0}}), HasSubstr("[jets]"));
  EXPECT_THAT(mistakes(gallery("plug_flow"), {.keep_start = true}),
              HasSubstr("is for mechanical models"));
}

// it runs, and is more often a mistake of sign than meant
TEST(Plan, SpringsThatPushAreNamed) {
  Problems problems;
  Model model = read_model(R"(
[parameters]
k = -2
[points]
a = { mass = 1, at = [1.1, 0] }
b = { mass = 1, at = [3, 0] }
[[spring]]
between = ["origin", "a"]
stiffness = "k"
length = 1
[[spring]]
name = "second"
between = ["a", "b"]
stiffness = 2
)",
                           problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  const auto said = [](const Plan& planned) {
    for (const Note& note : planned.notes)
      if (note.is(notes::stiffness_negative)) return note.text();
    return std::string{};
  };
  EXPECT_THAT(said(plan(model, {.until = 1})), HasSubstr("spring 1: a negative stiffness"));
  EXPECT_TRUE(simulate(model, {.until = 1}).good());
  EXPECT_EQ(said(plan(model, {.set = {{"k", 2.0}}, .until = 1})), "");
}

TEST(Plan, SaysThatABoxOfChargesIsNotNeutral) {
  const auto said = [](double second) {
    Problems problems;
    Model model = read_model(R"(
[box]
size = [4, 4, 4]
[parameters]
Q = 1
[points]
a = { mass = 1, at = [0, 0, 0], charge = 1 }
b = { mass = 1, at = [1, 1, 1], charge = "Q" }
[[pair]]
law = "coulomb"
electrostatics = "ewald"
)",
                             problems);
    EXPECT_TRUE(problems.empty()) << problems.message();
    for (const Note& note : plan(model, {.set = {{"Q", second}}, .until = 0.1, .step = 0.1}).notes)
      if (note.is(notes::charges_not_neutral)) return note.text();
    return std::string{};
  };
  EXPECT_THAT(said(1.0), HasSubstr("pair 1: charges add up to 2"));
  EXPECT_EQ(said(-1.0), "");
}

TEST(Plan, TwoPlansOfOneRunAreOneIdentity) {
  const Model model = gallery("double_pendulum");
  EXPECT_EQ(plan(model, {.until = 5}).identity(), plan(model, {.until = 5}).identity());
  EXPECT_NE(plan(model, {.until = 5}).identity(), plan(model, {.until = 6}).identity());
  EXPECT_NE(plan(model, {.until = 5}).identity(),
            plan(model, {.set = {{"g", 1.0}}, .until = 5}).identity());
}

}  // namespace
}  // namespace taut
