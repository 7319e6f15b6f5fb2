// SPDX-License-Identifier: BSD-3-Clause
// What a report says in words and marks.
#include <gtest/gtest.h>

#include <cmath>

#include "report_of_run.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut::test {
namespace {

TEST(Report, SaysWhichRodCarriesMost) {
  const Reported r = reported(report_double_pendulum(), "dop853", {.until = 3.0});
  std::size_t most = 0;
  for (std::size_t k = 0; k < r.motion.lambda.size(); ++k)
    if (std::abs(r.motion.lambda[k]) > std::abs(r.motion.lambda[most])) most = k;
  const Json& load = r.data["loads"][0];
  EXPECT_EQ(load["name"], r.motion.constraints[most % 2]);
  EXPECT_EQ(load["largest"], std::abs(r.motion.lambda[most]));
  EXPECT_EQ(load["at"], r.motion.t[most / 2]);
  EXPECT_TRUE(report_says(r, "well",
                          "at the steps of the run, is that of " + r.motion.constraints[most % 2]));
  EXPECT_EQ(load["note"], "");
  const std::string what = r.data["words"]["what"][0];
  EXPECT_NE(what.find("2 point masses, 2 rods; 2 degrees of freedom"), std::string::npos) << what;
  EXPECT_TRUE(r.data["words"]["doubt"].empty()) << r.data["words"]["doubt"];
  for (const Json& verdict : r.data["verdicts"])
    EXPECT_EQ(verdict["state"], verdict["name"] == "largest load" ? "none" : "good");
}

// the page shows them first, from the summary
TEST(Report, OfAFailureHasReasonAndHintOnce) {
  const Reported r = reported(report_double_pendulum(), "dop853", {.until = 3.0, .max_steps = 5});
  EXPECT_EQ(r.data["verdicts"][0]["state"], "fair");  // it may go on
  const Reported far = reported(report_double_pendulum(), "rattle", {.until = 60.0, .step = 0.6});
  ASSERT_FALSE(far.summary.good());
  EXPECT_EQ(far.data["verdicts"][0]["state"], "bad");
  EXPECT_EQ(far.data["summary"]["message"], far.summary.message);
  EXPECT_FALSE(report_says(far, "doubt", far.summary.message));
  EXPECT_FALSE(report_says(far, "doubt", far.summary.hint));
}

TEST(Report, OfARunIntoASingularityDoesNotCallItsEnergyGood) {
  const Reported r = reported(R"toml(
name = "into the centre"
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "-1/x^2"
)toml",
                              "dop853", {.until = 10.0});
  ASSERT_FALSE(r.summary.good());
  EXPECT_NE(report_verdict(r, "energy")["state"], "good");
  EXPECT_FALSE(report_says(r, "well", "kept to"));
  EXPECT_TRUE(report_says(r, "well", "Energy changed from -1 J to"));
}

// The same motion, 1000 km higher.
TEST(Report, JudgesEnergyWhateverTheZeroOfThePotential) {
  const auto pendulum = [](const std::string& y) {
    return reported("name = \"high\"\n[anchors]\npivot = { at = [0, " + y +
                        "] }\n[points]\nbob = { mass = 1, at = [1, " + y +
                        "] }\n[[rod]]\nbetween = [\"pivot\", \"bob\"]\nlength = 1\n"
                        "[[gravity]]\nacceleration = [0, -9.81]\n",
                    "rattle", {.until = 20.0, .step = 0.1});
  };
  const Reported low = pendulum("0"), high = pendulum("1e6");
  ASSERT_GT(*low.summary.energy_error, 1e-3);
  EXPECT_NEAR(*high.summary.energy_error, *low.summary.energy_error,
              1e-2 * *low.summary.energy_error);
  EXPECT_EQ(report_verdict(high, "energy")["state"], report_verdict(low, "energy")["state"]);
}

// Errors of places that were estimated are a mark, and from when on nothing is certain is a doubt.
TEST(Report, JudgesPlacesByTheEstimateOfTheirErrors) {
  Problems problems;
  const Model model = read_model(report_double_pendulum(), problems);
  const auto of = [&](const char* until) {
    const Result run = simulate(model, {.until = until, .error_estimate = true});
    Reported r;
    r.html = report_html(RunRecord{.subject = {.version = "0", .tolerance = 1e-8},
                                   .system = facts_of(run.plan->system.structure()),
                                   .motion = run.motion,
                                   .summary = run.summary});
    r.data = report_data(r.html);
    return r;
  };
  const Reported near = of("5"), far = of("40");
  EXPECT_EQ(report_verdict(near, "places")["state"], "good");
  EXPECT_TRUE(report_says(near, "well", "A second run (tol 1e-10) tells how exact"));
  EXPECT_FALSE(report_says(near, "doubt", "places are not known"));
  EXPECT_FALSE(report_says(near, "well", "None of this tells"));
  EXPECT_EQ(report_verdict(far, "energy")["state"], "good");
  EXPECT_EQ(report_verdict(far, "places")["state"], "bad");
  EXPECT_TRUE(report_says(far, "doubt", "on places are not known to a hundredth"));
}

TEST(Report, JudgesEachConstraintByItsOwnSize) {
  const Reported r = reported(R"toml(
name = "short and long"
[points]
a = { mass = 1, at = [1e6, 0] }
b = { mass = 1, at = [0, 1e-3] }
[[rod]]
between = ["origin", "a"]
length = 1e6
[[rod]]
between = ["origin", "b"]
length = 1e-3
[[gravity]]
acceleration = [0, -9.81]
)toml",
                              "dop853", {.until = 0.1});
  ASSERT_GT(r.summary.max_constraint, 1e-12);
  EXPECT_EQ(report_verdict(r, "constraints")["state"], "good");
}

TEST(Report, SaysAtLeastWhereStepsWereLeftOut) {
  const Reported r = reported(report_double_pendulum(), "rattle",
                              {.until = 3.0, .step = 0.001, .max_rows = 20, .max_measured = 100});
  EXPECT_EQ(report_verdict(r, "largest load")["text"].get<std::string>().find("rod 1: at least "),
            0u);
  EXPECT_TRUE(report_says(r, "well", "(computed at 35 of 2988 steps)"));
  EXPECT_TRUE(report_says(r, "doubt", "computed at 35 of 2988 steps"));
}

TEST(Report, OfAnAveragedReadingShowsMeanLoads) {
  const Reported r =
      reported(report_double_pendulum(), "dop853", {.until = 1.0}, ReadingKind::averaged);
  EXPECT_TRUE(report_verdict(r, "largest load").is_null());
  EXPECT_FALSE(report_verdict(r, "mean load").is_null());
  EXPECT_TRUE(report_says(r, "well", "The largest mean load"));
  EXPECT_TRUE(report_says(r, "doubt", "the vibration adds to them"));
  EXPECT_EQ(r.data["loads"][0]["note"], "of the averaged motion; the vibration adds to it");
}

TEST(Report, OfABarWithMassSpeaksOfItsMultiplier) {
  const Reported r = reported(R"toml(
name = "bar"
[points]
tip = { mass = 0, at = [0, -1], velocity = [6, 0] }
[[rod]]
between = ["origin", "tip"]
length = 1
mass = 2
)toml",
                              "dop853", {.until = 1.0});
  EXPECT_NEAR(r.data["loads"][0]["largest"].get<double>(), 2 * 36.0 / 3, 1e-6);
  EXPECT_TRUE(report_says(r, "well", "multiplier of a bar"));
  EXPECT_TRUE(report_says(r, "well", "not its largest axial force"));
}

// The load of a spring is known from where its ends are: 100 (|x - 0.5| - 1) between x = 2 and its
// mirror image.
TEST(Report, HasTheLargestLoadOfASpring) {
  const Reported r = reported(R"toml(
name = "spring"
[anchors]
wall = { at = [0.5, 0] }
[points]
a = { mass = 1, at = [2, 0] }
[[spring]]
between = ["wall", "a"]
stiffness = 100
length = 1
)toml",
                              "dop853", {.until = 1.0});
  EXPECT_TRUE(report_says(r, "well", "is that of spring 1: 50 N at t = 0 s, pulled"));
  EXPECT_EQ(report_verdict(r, "largest load")["text"], "spring 1: 50 N");
}

TEST(Report, OfMoleculesHasNoUnits) {
  const Reported r = reported(R"toml(
name = "two atoms"
[points]
a = { mass = 1, at = [0, 0, 0] }
b = { mass = 1, at = [1.3, 0, 0] }
c = { mass = 1, at = [0, 1, 0] }
[[rod]]
between = ["a", "c"]
[[pair]]
law = "lennard-jones"
epsilon = 1
sigma = 1
)toml",
                              "rattle", {.until = 1.0, .step = 0.001});
  for (const char* const what : {"length", "time", "force", "energy"})
    EXPECT_EQ(r.data["units"][what], "");
  for (const Json& group : r.data["groups"]) EXPECT_EQ(group["unit"], "") << group["id"];
  EXPECT_EQ(r.data["axis"]["unit"], "");
  for (const char* const where : {"what", "well", "doubt"})
    for (const char* const unit : {" J", " N", " m ", " s.", " s,", " s "})
      EXPECT_FALSE(report_says(r, where, unit)) << where << unit;
  EXPECT_TRUE(report_says(r, "how", "with constant steps of 0.001."));
}

TEST(Report, ShowsTimesThatAreLateInFull) {
  Structure structure;
  Motion motion;
  structure.rows.push_back({.name = "rod"});
  motion.start(structure);
  Frame frame;
  frame.lambda.setZero(1);
  for (const double t : {100'000.0, 100'000.512, 100'001.0}) {
    frame.state.t = t;
    frame.lambda[0] = t == 100'000.512 ? 5.0 : 1.0;
    motion.append(frame);
  }
  const Json data = report_data(report_html(
      RunRecord{.subject = {}, .system = facts_of(structure), .motion = motion, .summary = {}}));
  const std::string all = data["words"].dump();
  EXPECT_NE(all.find("at t = 100000.512 s"), std::string::npos) << all;
  EXPECT_NE(all.find("from t = 100000 to t = 100001 s"), std::string::npos) << all;
}

// U+202E turns what follows it, U+2069 would end the isolation.
TEST(Report, KeepsTheDirectionOfANameInsideIt) {
  const Reported r =
      reported(report_double_pendulum("a\u202eb\u2069c \u05d0"), "dop853", {.until = 0.5});
  EXPECT_TRUE(report_says(r, "what", "\"\u2068abc \u05d0\u2069\": 2 point masses"));
  EXPECT_EQ(r.data["title"], "a\u202eb\u2069c \u05d0");
}

TEST(Report, TellsOfAMovedStartOnlyBeyondRounding) {
  for (const auto& [length, told] : {std::pair{"1.000000000001", false}, {"1.001", true}}) {
    const Reported r = reported(std::string{R"toml(
name = "off"
[points]
a = { mass = 1, at = [1, 0] }
[[gravity]]
acceleration = [0, -9.81]
[[rod]]
between = ["origin", "a"]
length = )toml"} + length,
                                "dop853", {.until = 0.5});
    EXPECT_TRUE(r.summary.moved.any());
    EXPECT_EQ(report_says(r, "doubt", "does not satisfy the constraints"), told);
  }
}

// a motion that keeps its energy may still be elsewhere
TEST(Report, SaysThatPlacesAreNotChecked) {
  const Reported r = reported(report_double_pendulum(), "dop853", {.until = 0.5});
  const std::string last = r.data["words"]["well"].back();
  EXPECT_NE(last.find(": taut compare models/test.toml, or"), std::string::npos) << last;
  EXPECT_NE(last.find(".tol = 1e-11"), std::string::npos) << last;
}

}  // namespace
}  // namespace taut::test
