// SPDX-License-Identifier: BSD-3-Clause
#include "taut/studies/compare.hpp"
#include "taut/readings/with_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models.hpp"
#include "taut/methods/registry.hpp"

namespace taut::test {
namespace {

CompareProblem compare_problem(const Example& model, double until) {
  return {.equations = equations(model.system),
          .springs = springs(model.system),
          .start = model.start.state,
          .until = until};
}

// times do not matter here: short runs are not repeated
CompareOptions compare_options(const std::vector<std::string_view>& methods) {
  CompareOptions options;
  for (const std::string_view name : methods)
    options.methods.push_back(make_method(name).value().info());
  options.repeat_seconds = 0.0;
  options.max_seconds = 10.0;
  return options;
}

const ComparedMethod& compared(const Comparison& comparison, std::string_view name) {
  for (const ComparedMethod& method : comparison.methods)
    if (method.info.name == name) return method;
  throw std::runtime_error{"not compared"};
}

// Verlet's oscillator is x_n = cos(n a) with 2 sin(a/2) = h: its error is known in closed form.
TEST(Compare, MeasuresTheErrorThatAClosedFormHas) {
  const double until = 8.0;
  CompareOptions options = compare_options({"verlet"});
  options.steps = {0.1, 0.05, 0.001};
  const Comparison c = compare(compare_problem(oscillator(), until), options);
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  EXPECT_TRUE(c.reference.converged);
  EXPECT_LE(c.reference.uncertainty.q, 1e-10);
  EXPECT_NEAR(c.size, 2.0, 1e-4);
  EXPECT_NEAR(c.speed, 1.0, 1e-4);
  EXPECT_EQ(c.times.back(), until);
  const ComparedMethod& verlet = compared(c, "verlet");
  ASSERT_EQ(verlet.points.size(), 3u);
  for (const ComparePoint& point : verlet.points) {
    const double a = 2 * std::asin(point.step / 2);
    double error = 0.0;
    for (const double t : c.times)
      error = std::max(error, std::abs(std::cos(t / point.step * a) - std::cos(t)));
    // between steps, velocities of Verlet add a term of third order
    EXPECT_NEAR(point.error.q * c.size, error, std::pow(point.step, 3) / 8 + 1e-10) << point.step;
    EXPECT_EQ(point.counters.steps, std::llround(until / point.step));
    EXPECT_TRUE(std::isnan(point.error.lambda));  // there are no constraints
  }
}

// A mass on a rod that turns with angle t: another formulation than that of the runs.
TEST(Compare, ErrorsOfRodsAgreeWithTheAngleWithinTheUncertainty) {
  const double until = 6.0;
  CompareOptions options = compare_options({"rattle", "dop853"});
  options.steps = {0.1, 0.01};
  options.tols = {1e-5};
  const Example model = rotor();
  const CompareProblem problem = compare_problem(model, until);
  const Comparison c = compare(problem, options);
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  // a step of rattle turns the mass by a with sin a = h: q1 = (1 - s) q0 + h v0 with |q1| = 1
  for (const ComparePoint& point : compared(c, "rattle").points) {
    const double a = std::asin(point.step);
    double error = 0.0;
    for (const double t : c.times)
      error = std::max(error, 2 * std::abs(std::sin(t * (a / point.step - 1) / 2)));
    EXPECT_NEAR(point.error.q * c.size, error, std::pow(point.step, 3) / 8 + 1e-10);
    EXPECT_LE(point.error.lambda, 10 * point.error.q + 1e-12);
  }
  EXPECT_LE(compared(c, "dop853").points.at(0).error.q, 1e-4);
  EXPECT_GE(compared(c, "dop853").points.at(0).error.q, c.reference.uncertainty.q);
}

// At turning points an error of the phase is none of the place: no time span may put all t_k there.
TEST(Compare, IsNotDeceivedByATimeSpanOfWholePeriods) {
  for (const int periods : {10, 24, 47, 48}) {
    const double until = 2 * std::numbers::pi * periods;
    CompareOptions options = compare_options({"verlet"});
    options.steps = {0.1, 0.05, 0.025, 0.0125};
    const Comparison c = compare(compare_problem(oscillator(), until), options);
    ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
    const ComparedMethod& verlet = compared(c, "verlet");
    for (const ComparePoint& point : verlet.points) {
      const double phase = until * (2 * std::asin(point.step / 2) / point.step - 1);
      EXPECT_GT(point.error.q * c.size, std::sin(std::min(phase, 1.0)) / 2) << periods;
      EXPECT_LT(point.error.q * c.size, 2 * phase) << periods;
    }
    EXPECT_NEAR(verlet.order.value(), 2.0, 0.1) << periods;
  }
}

// An oscillator that is pushed once: x'' = -x + F between t1 and t2.
Example pushed_oscillator(const std::string& force, const std::string& t1, const std::string& t2) {
  return example(R"toml(
name = "pushed"
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "x^2/2"
[[force]]
on = "x"
value = ")toml" + force +
                 "*less(" + t1 + ",t)*less(t," + t2 + R"toml()"
)toml");
}

// The push lasts a thousandth of the time span; long steps of smooth motion would go over it.
TEST(Compare, SeesAShortPush) {
  CompareOptions options = compare_options({"verlet", "dop853", "radau"});
  options.steps = {0.01, 1e-3, 1e-4};
  const Comparison c =
      compare(compare_problem(pushed_oscillator("10", "3.33", "3.34"), 10.0), options);
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  EXPECT_LT(c.reference.uncertainty.q, 1e-8);
  for (const char* method : {"dop853", "radau"})
    EXPECT_LT(compared(c, method).points.back().error.q, 1e-7) << method;
  EXPECT_LT(compared(c, "verlet").points.back().error.q, 1e-7);
  EXPECT_TRUE(c.notes.empty());
}

// The same as a function to call, of which nothing is known: behind it,
// x = cos t + F (cos(t - t2) - cos(t - t1)).
Example secretly_pushed_oscillator(double force, double t1, double t2) {
  Example result = pushed_oscillator("0", "1", "2");
  result.system = with_force(result.system, {.force =
                                                 [=](double t, const Vec&, const Vec&, Vec& f) {
                                                   f[0] = t1 < t && t < t2 ? force : 0.0;
                                                   return Status::ok;
                                                 },
                                             .derivatives = [](double, const Vec&, const Vec&, Mat&,
                                                               Mat&) { return Status::ok; },
                                             .uses_velocity = false});
  return result;
}

TEST(Compare, SaysWhichMethodsAgreeOnWhatTheyHaveMissed) {
  CompareOptions options = compare_options({"verlet", "dop853", "radau"});
  options.steps = {0.01, 1e-3, 1e-4};
  // where nothing that is compared lies near the push, neither stages nor the check of dense output
  // see it, whatever the tolerance
  int missed = 0;
  for (const double begin : {3.33, 3.39, 3.45, 3.51, 3.57, 3.63, 3.69, 3.75}) {
    const Comparison c = compare(
        compare_problem(secretly_pushed_oscillator(10, begin, begin + 0.01), 10.0), options);
    if (c.ending != Comparison::Ending::done) continue;
    EXPECT_LT(c.reference.uncertainty.q, 1e-8);
    const ComparePoint& verlet = compared(c, "verlet").points.back();
    EXPECT_LT(verlet.error.q, 2e-3);  // a step too many, or too few, in a hundred of the push
    // by the amplitude 2 F sin(0.005) = 0.1 of 2
    const auto misses = [&](const char* name) {
      return std::abs(compared(c, name).points.back().error.q - 0.05) < 0.005;
    };
    // a run that is more exact than those may meet it: then they are not said to agree
    if (!misses("dop853") || !misses("radau") || c.notes.empty()) continue;
    ++missed;
    EXPECT_NE(c.notes.back().text().find("dop853 and radau agree with each other"),
              std::string::npos)
        << c.notes.back().text();
  }
  EXPECT_GT(missed, 0);
}

// One that lasts a fifth of that may be between the stages of the reference, but not between steps.
TEST(Compare, DoubtsAReferenceThatTwoMethodsDisagreeWith) {
  CompareOptions options = compare_options({"verlet", "rk4"});
  options.steps = {8e-5, 4e-5, 2e-5};
  const Comparison c =
      compare(compare_problem(secretly_pushed_oscillator(50, 3.3336, 3.3356), 10.0), options);
  EXPECT_EQ(c.ending, Comparison::Ending::no_reference);
  EXPECT_FALSE(c.reference.converged);
  EXPECT_NE(c.reason.find("verlet and rk4 agree with each other"), std::string::npos) << c.reason;
  EXPECT_NE(c.hint.find(".from"), std::string::npos) << c.hint;
  EXPECT_NE(c.reference.note.text().find("doubtful"), std::string::npos) << c.reference.note.text();
  EXPECT_TRUE(c.methods.empty() && c.advice.empty());
}

// Steps longer than the time span are that long.
TEST(Compare, MakesNoRunTwice) {
  CompareOptions options = compare_options({"verlet"});
  options.steps = {100, 10, 1, 0.1};
  const Comparison c = compare(compare_problem(oscillator(), 1.0), options);
  ASSERT_EQ(compared(c, "verlet").points.size(), 2u);
  EXPECT_EQ(compared(c, "verlet").points[0].step, 1.0);
  EXPECT_NEAR(compared(c, "verlet").points[1].step, 0.1, 1e-15);
}

// Where time is short, nobody gets finer runs before all have had their coarse ones.
TEST(Compare, GivesEveryMethodItsPartOfTheTime) {
  CompareOptions options = compare_options({"rattle", "rattle-suzuki6", "rk4", "dop853"});
  std::vector<std::string> order;
  options.progress = [&](std::string_view what, double) {
    if (what.substr(0, 4) != "refe" && what.substr(0, 4) != "size")
      order.emplace_back(what.substr(0, what.find(' ')));
  };
  options.max_seconds = 0.1;
  const Comparison c = compare(compare_problem(double_pendulum(), 1.0), options);
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  ASSERT_GE(order.size(), 8u);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(order[k], c.methods[k % 4].info.name) << k;
  const ComparedMethod& rattle = compared(c, "rattle");
  EXPECT_TRUE(rattle.cut);
  EXPECT_NE(rattle.note.text().find(".max_seconds"), std::string::npos) << rattle.note.text();
}

TEST(Compare, SeesTheOrdersThatMethodsHave) {
  CompareOptions options = compare_options({"rattle", "rattle-suzuki4", "rk4", "dopri5"});
  options.steps = {0.02, 0.01, 0.005, 2.5e-3, 1.25e-3, 6.25e-4, 3.125e-4};
  const Comparison c = compare(compare_problem(double_pendulum(), 1.0), options);
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  EXPECT_NEAR(compared(c, "rattle").order.value(), 2.0, 0.1);
  EXPECT_NEAR(compared(c, "rattle-suzuki4").order.value(), 4.0, 0.2);
  EXPECT_NEAR(compared(c, "rk4").order.value(), 4.0, 0.2);
  EXPECT_NEAR(compared(c, "dopri5").order.value(), 5.0, 1.0);
  // from coarse to fine, with falling errors and growing cost
  for (const ComparedMethod& method : c.methods) {
    ASSERT_GE(method.points.size(), 4u);
    EXPECT_LT(method.points.back().error.q, 1e-3 * method.points.front().error.q);
    EXPECT_GT(method.points.back().force_evaluations, method.points.front().force_evaluations);
    EXPECT_FALSE(method.note.empty() && method.points.size() < (method.info.adaptive ? 9u : 7u))
        << method.info.name;
  }
  EXPECT_EQ(c.fastest.size(), compare_levels.size());
  EXPECT_FALSE(c.advice.empty());
}

// A chaotic motion forgets its start long before the end.
TEST(Compare, SaysUntilWhenThereIsAReference) {
  const Comparison c =
      compare(compare_problem(double_pendulum(), 40.0), compare_options({"rattle"}));
  EXPECT_EQ(c.ending, Comparison::Ending::no_reference);
  EXPECT_FALSE(c.reference.converged);
  EXPECT_GT(c.reference.uncertainty.q, 1e-3);
  EXPECT_NE(c.reason.find("does not converge"), std::string::npos) << c.reason;
  EXPECT_NE(c.hint.find(".until"), std::string::npos) << c.hint;
  EXPECT_TRUE(c.methods.empty());
}

TEST(Compare, RefusesWhatDoesNotMove) {
  Example model = oscillator();
  model.start.state.q.setZero();
  const Comparison c = compare(compare_problem(model, 1.0), compare_options({"verlet"}));
  EXPECT_EQ(c.ending, Comparison::Ending::no_reference);
  EXPECT_NE(c.reason.find("nothing moves"), std::string::npos) << c.reason;
}

// A stiff rod that starts stretched by 1e-3 vibrates: steps over the vibration have that error.
TEST(Compare, ShowsTheErrorOfMethodsThatStepOverAVibration) {
  const double stretch = 1e-3, omega = 2000.0;
  Example model = rotor();
  model.system = penalized(model.system, omega);
  model.start.state.q[0] += stretch;
  CompareOptions options = compare_options({"gauss-newton", "verlet"});
  options.steps = {0.01, 1e-5};
  const Comparison c = compare(compare_problem(model, 1.0), options);
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  EXPECT_LT(c.reference.uncertainty.q, 1e-2 * stretch);
  EXPECT_GT(compared(c, "gauss-newton").points.at(0).error.q * c.size, stretch / 10);
  EXPECT_LT(compared(c, "verlet").points.back().error.q * c.size, stretch / 10);
  EXPECT_FALSE(compared(c, "verlet").points.at(0).good());  // far beyond its limit of stability
}

TEST(Compare, LeavesOutWhatDoesNotFitAndStopsBeforeEvents) {
  const Comparison c = compare(compare_problem(rotor(R"(
[[event]]
name = "left"
zero = "p.x"
action = "stop"
)"),
                                               5.0),
                               compare_options({"verlet", "dopri5"}));
  ASSERT_EQ(c.ending, Comparison::Ending::done) << c.reason;
  ASSERT_EQ(c.left_out.size(), 1u);
  EXPECT_EQ(c.left_out[0].name, "verlet");
  EXPECT_NE(c.left_out[0].reason.text().find("rigid"), std::string::npos);
  EXPECT_LT(c.until, std::numbers::pi / 2);
  EXPECT_GT(c.until, 0.9 * std::numbers::pi / 2);
  ASSERT_EQ(c.notes.size(), 1u);
  EXPECT_NE(c.notes[0].text().find("left"), std::string::npos) << c.notes[0].text();
}

TEST(Compare, KeepsWhatWasDoneWhenItIsCancelled) {
  std::atomic<bool> cancel{false};
  CompareOptions options = compare_options({"verlet", "rk4"});
  options.steps = {0.1};
  options.cancel = &cancel;
  options.progress = [&](std::string_view what, double) {
    if (what.substr(0, 3) == "rk4") cancel = true;
  };
  const Comparison c = compare(compare_problem(oscillator(), 1.0), options);
  EXPECT_EQ(c.ending, Comparison::Ending::cancelled);
  EXPECT_EQ(compared(c, "verlet").points.size(), 1u);
  EXPECT_EQ(c.hint, "1 runs of 2 methods were measured");
  EXPECT_TRUE(compared(c, "rk4").points.empty());
}

// error = 1/n^2 and time = n: what an error costs lies on that line.
TEST(Compare, ReadsCostsOffTheCurves) {
  Comparison c;
  c.reference.uncertainty.q = 1e-8;
  ComparedMethod slow, lucky;
  slow.info.name = "slow";
  lucky.info.name = "lucky";
  for (int k = 0; k < 12; ++k) {
    const double n = 10 * std::pow(2.0, k);
    ComparePoint point;
    point.step = 1 / n;
    point.error.q = 1 / (n * n);
    point.seconds = n;
    point.force_evaluations = point.counters.steps = std::llround(n);
    slow.points.push_back(point);
    if (k == 0) {
      point.error.q = 1e-12;  // below the uncertainty: no error smaller than that is claimed
      point.below_uncertainty = true;
      lucky.points.push_back(point);
    }
  }
  slow.points[5].status = Status::unstable;  // a failure is no part of a curve
  c.methods = {slow, lucky};
  draw_conclusions(c);
  const ComparedMethod &s = c.methods[0], &l = c.methods[1];
  EXPECT_NEAR(s.order.value(), 2.0, 1e-6);
  EXPECT_NEAR(s.reaches[0]->seconds, std::sqrt(1e3), 1e-6);
  EXPECT_NEAR(s.reaches[1]->seconds, 1000.0, 1e-3);
  EXPECT_NEAR(s.reaches[1]->force_evaluations, 1000.0, 1.0);
  EXPECT_FALSE(s.reaches[2].has_value());  // 1e-9 is below the uncertainty
  EXPECT_NEAR(l.reaches[1]->seconds, 10.0, 1e-12);
  EXPECT_FALSE(l.reaches[2].has_value());
  EXPECT_EQ(c.fastest[1].method, "lucky");
  EXPECT_EQ(c.fastest[1].next, "slow");
  EXPECT_TRUE(c.fastest[2].method.empty());
  EXPECT_NE(c.fastest[2].reason.find("uncertainty"), std::string::npos);

  // of a method that was cut before it could be slower, nothing is known: that is said
  ASSERT_EQ(c.advice.size(), 2u);
  EXPECT_EQ(c.advice[1].find("not known"), std::string::npos) << c.advice[1];
  ComparedMethod cut = slow;
  cut.info.name = "cut";
  cut.cut = true;
  cut.points.resize(1);
  cut.points[0].seconds = 1.0;
  c.methods.push_back(cut);
  draw_conclusions(c);
  EXPECT_NE(c.advice[1].find("not known of cut"), std::string::npos) << c.advice[1];
}

}  // namespace
}  // namespace taut::test
