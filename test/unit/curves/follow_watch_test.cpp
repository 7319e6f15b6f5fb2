// SPDX-License-Identifier: BSD-3-Clause
// Switches, short features and events inside the steps along curves of [jets]: closed forms, and
// pulses that are drawn anew in every run. A failure prints its model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>

#include "core/notes.hpp"
#include "drawn_seed.hpp"
#include "taut/model/model_file.hpp"
#include "taut/simulation/simulate.hpp"

namespace taut {
namespace {

using std::numbers::pi;

/// A model with [jets] as text.
struct Stated {
  std::vector<std::string> unknowns;
  std::vector<std::string> equations;
  std::string start;
  double until = 1.0;
  double from = 0.0;
  std::vector<std::string> events{};

  [[nodiscard]] std::string text() const {
    std::string result = "name = \"test\"\n[jets]\nindependent = \"t\"\nunknowns = [";
    for (const std::string& unknown : unknowns) result += fmt::format("\"{}\", ", unknown);
    result += "]\n";
    for (const std::string& equation : equations)
      result += fmt::format("[[equation]]\nzero = \"{}\"\n", equation);
    for (std::size_t i = 0; i < events.size(); ++i)
      result += fmt::format("[[event]]\nname = \"event {}\"\nzero = \"{}\"\n", i, events[i]);
    return result +
           fmt::format("[start]\n{}\n[run]\nfrom = {:.17g}\nuntil = {:.17g}\n", start, from, until);
  }
};

Model model_of(const std::string& text) {
  Problems problems;
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

CurveResult run(const Stated& stated, const SimulationOptions& options = {}) {
  return simulate(model_of(stated.text()), options).curve.value();
}

SimulationOptions in_x() {
  SimulationOptions options;
  options.curve.parameter = Parametrisation::time;
  return options;
}

double end_of(const CurveSummary& s, const std::string& name) {
  for (std::size_t i = 0; i < s.coordinates.size(); ++i)
    if (s.coordinates[i] == name) return s.p[static_cast<Index>(i)];
  return std::nan("");
}

/// The end of an unknown, by steps of arc length and of x.
void expect_end(const Stated& stated, const std::string& name, double truth, double error,
                std::int64_t most_steps = 1'000'000) {
  for (const SimulationOptions& options : {SimulationOptions{}, in_x()}) {
    const CurveSummary s = run(stated, options).summary;
    ASSERT_EQ(s.status, Status::ok) << s.message << "\n" << stated.text();
    EXPECT_EQ(s.p[0], stated.until);
    EXPECT_NEAR(end_of(s, name), truth, error) << stated.text();
    EXPECT_LE(s.counters.steps, most_steps) << stated.text();
    EXPECT_TRUE(s.impasse_points.empty()) << stated.text();
  }
}

TEST(FollowSwitches, KinkIsNoImpassePoint) {
  std::ifstream file{TAUT_CASES "/kink.toml"};
  std::stringstream text;
  text << file.rdbuf();
  for (const SimulationOptions& options : {SimulationOptions{}, in_x()}) {
    const CurveSummary s = simulate(model_of(text.str()), options).curve->summary;
    ASSERT_EQ(s.status, Status::ok) << s.message;
    EXPECT_NEAR(end_of(s, "y"), 2.0, 1e-9);
    EXPECT_NEAR(end_of(s, "z"), 100.0, 1e-7);
    EXPECT_TRUE(s.impasse_points.empty());
    EXPECT_LE(s.counters.steps, 12);
  }
}

TEST(FollowSwitches, KinksOfAllKinds) {
  expect_end({{"y", "z"}, {"y' - 1", "z - 7*max(0, y - 1)"}, "y = 0", 3.0}, "z", 14.0, 1e-9, 15);
  expect_end({{"y", "z"}, {"y' - 1", "z - min(y, 3 - y)"}, "y = 0", 3.0}, "z", 0.0, 1e-9, 15);
  expect_end({{"y"}, {"y' - floor(t)"}, "y = 0", 5.5}, "y", 12.5, 1e-8, 20);
  expect_end({{"y"}, {"y' - sign(t - 1)"}, "y = 0", 3.0}, "y", 1.0, 1e-9, 15);
  expect_end({{"y"}, {"y' - select(less(2.5, t)*less(t, 2.51), 1, 0)"}, "y = 0", 10.0}, "y", 0.01,
             1e-9, 20);
  // both sides of the factor of y'
  expect_end({{"y"}, {"select(less(t, 1), 1, -1)*y' - 1"}, "y = 0", 3.0}, "y", -1.0, 1e-9, 15);
  // two switches at one place, of which one alone would be a jump
  expect_end({{"y", "z"},
              {"y' - 1", "z - select(less(y, 1), y, 2) + select(less(1, y), 2 - y, 0)"},
              "y = 0",
              3.0},
             "z", 3.0, 1e-9, 15);
  // backwards
  for (const SimulationOptions& options : {SimulationOptions{}, in_x()}) {
    const CurveSummary s =
        run({{"y", "z"}, {"y' - 1", "z - abs(y - 1)"}, "y = 2", -2.0, 2.0}, options).summary;
    ASSERT_EQ(s.status, Status::ok) << s.message;
    EXPECT_NEAR(end_of(s, "z"), 3.0, 1e-9);
  }
}

// x'' = a push of unit height w/2 wide about c: the slope of x' on it is 1/w, and an error of t in
// it is one of x' that is larger by as much
TEST(FollowSwitches, HighAndShortPushesAreAsLargeAsTheyAre) {
  for (const double w : {1e-3, 1e-5, 1e-6})
    for (const double tol : {1e-6, 1e-8, 1e-10})
      for (const double area : {-0.5, 0.8}) {
        SCOPED_TRACE(testing::Message() << "w = " << w << ", tol = " << tol << ", " << area);
        const double c = 0.46393397830086, until = 0.772;
        const Stated stated{
            {"x"},
            {fmt::format("x'' - {:.17g}*max(0, 1 - abs((t - {:.17g})/{:.17g}))", area / w, c, w)},
            "x = {at = 0, derivatives = [-0.9]}",
            until};
        SimulationOptions options;
        options.tol = tol;
        const CurveSummary s = run(stated, options).summary;
        ASSERT_EQ(s.status, Status::ok) << s.message;
        EXPECT_NEAR(end_of(s, "x'"), -0.9 + area, 2e3 * tol);
        EXPECT_NEAR(end_of(s, "x"), -0.9 * until + area * (until - c), 2e3 * tol);
      }
}

// a push of Gauss whose width in x is below the tolerance moves x' by 0.7 all the same
TEST(FollowFeatures, PushesShorterThanTheToleranceAreNotSteppedOver) {
  for (const double w : {1e-4, 1e-6, 5e-7})
    for (const double tol : {1e-6, 1e-7, 1e-9})
      for (const double c : {0.1307130788, 0.326588397, 0.45821862}) {
        SCOPED_TRACE(testing::Message() << "w = " << w << ", tol = " << tol << ", c = " << c);
        const double area = 0.7, until = 0.512;
        const Stated stated{{"x"},
                            {fmt::format("x'' - {:.17g}*exp(-((t - {:.17g})/{:.17g})^2)",
                                         area / w / std::sqrt(pi), c, w)},
                            "x = {at = 0, derivatives = [-0.4]}",
                            until};
        SimulationOptions options;
        options.tol = tol;
        const CurveSummary s = run(stated, options).summary;
        ASSERT_EQ(s.status, Status::ok) << s.message;
        EXPECT_NEAR(end_of(s, "x'"), -0.4 + area, 4e3 * tol);
      }
}

TEST(FollowSwitches, AtTheStart) {
  expect_end({{"y", "z"}, {"y' - 1", "z - abs(y)"}, "y = 0", 2.0}, "z", 2.0, 1e-9);
  expect_end({{"y"}, {"y' - sign(y) - 1"}, "y = 0", 2.0}, "y", 4.0, 1e-8);
  // nothing moves it
  expect_end({{"y"}, {"y' + sign(y)"}, "y = 0", 2.0}, "y", 0.0, 0.0);
}

// z + |z|/2 = sin t: a nonlinear resistor, whose switch is in the unknown itself
TEST(FollowSwitches, SwitchesOfAlgebraicUnknownsAndDerivatives) {
  const double truth = 2 / 1.5 - 2 * (1 - std::cos(6 - pi));
  expect_end({{"y", "z"}, {"y' - z", "z + 0.5*abs(z) - sin(t)"}, "y = 0", 6.0}, "y", truth, 1e-7);
  // |y'| with y' no coordinate
  expect_end({{"y"}, {"y' + 0.5*abs(y') - sin(t)"}, "y = 0", 6.0}, "y", truth, 1e-7);
  // y' as a coordinate that keeps its branch, and one that jumps
  expect_end({{"y"}, {"(y')^2 - 1 - max(0, t - 1)"}, "y = {at = 0, derivatives = [-1]}", 3.0}, "y",
             -1 - 2.0 / 3 * (std::pow(3, 1.5) - 1), 1e-7);
  expect_end({{"y"}, {"(y')^2 - select(less(t, 1), 1, 4)"}, "y = {at = 0, derivatives = [1]}", 2.0},
             "y", 3.0, 1e-8);
}

// u' = 5 sin t - u - i with a limiter, piecewise linear: truth by its exact pieces
TEST(FollowSwitches, SaturatedCircuit) {
  const Stated stated{
      {"u", "i"}, {"u' - (5*sin(t) - u - i)", "i - min(0.1, max(-0.1, 10*u))"}, "u = 0", 10.0};
  // u' = a sin t + b u + c from u0 at t0
  const auto piece = [](double b, double c, double t0, double u0, double t) {
    const double A = -5 * b / (1 + b * b), B = -5 / (1 + b * b);  // of sin and cos
    const auto particular = [&](double at) { return A * std::sin(at) + B * std::cos(at) - c / b; };
    return particular(t) + (u0 - particular(t0)) * std::exp(b * (t - t0));
  };
  // limits are reached at |u| = 0.01
  double t = 0.0, u = 0.0;
  int side = 0;
  while (t < 10.0) {
    const double b = side == 0 ? -11.0 : -1.0, c = -0.1 * side;
    const auto outside = [&](double at) {
      const double x = piece(b, c, t, u, at);
      return side == 0 ? std::abs(x) > 0.01 : side * x < 0.01;
    };
    double to = t + 1e-9;
    while (to < 10.0 && !outside(to)) to += 1e-4;
    if (to >= 10.0) {
      u = piece(b, c, t, u, 10.0);
      break;
    }
    double from = std::max(t, to - 1e-4);
    for (int i = 0; i < 60; ++i) {
      const double middle = (from + to) / 2;
      (outside(middle) ? to : from) = middle;
    }
    u = piece(b, c, t, u, to);
    t = to;
    side = side == 0 ? (u > 0.0 ? 1 : -1) : 0;
  }
  expect_end(stated, "u", u, 1e-6, 250);
}

TEST(FollowSwitches, ImpactOscillatorOfSecondOrder) {
  // y'' + y + 99 max(0, y) = 0: half periods pi and pi / 10
  const double period = pi * 1.1;
  for (const char* const equations : {"y'' + y + 99*max(0, y)"})
    expect_end({{"y"}, {equations}, "y = {at = 0, derivatives = [1]}", 3 * period}, "y", 0.0, 1e-6,
               400);
}

TEST(FollowSwitches, FormulaWithoutValueBeyondItsBorder) {
  const double truth = 2.0 / 3;
  expect_end({{"y"}, {"y' - select(less(t, 1), sqrt(1 - t), 0)"}, "y = 0", 3.0}, "y", truth, 1e-7,
             200);
  expect_end({{"y", "z"}, {"y' - z", "z - select(less(t, 1), sqrt(1 - t), 0)"}, "y = 0", 3.0}, "y",
             truth, 1e-7, 200);
}

TEST(FollowSwitches, JumpsAreRefused) {
  for (const SimulationOptions& options : {SimulationOptions{}, in_x()}) {
    const CurveResult result =
        run({{"y", "z"}, {"y' - 1", "z - select(less(y, 1), 0, 1)"}, "y = 0", 2.0}, options);
    const CurveSummary& s = result.summary;
    EXPECT_EQ(s.status, Status::discontinuous);
    EXPECT_NE(s.message.find("equation 2 (line 8)"), std::string::npos) << s.message;
    EXPECT_NE(s.message.find("z would jump by 1"), std::string::npos) << s.message;
    // all that was computed is there
    EXPECT_NEAR(s.p[0], 1.0, 1e-9);
    EXPECT_NEAR(result.motion.p[result.motion.p.size() - 3], 1.0, 1e-9);
  }
}

TEST(FollowSwitches, SlidingIsStalled) {
  for (const SimulationOptions& options : {SimulationOptions{}, in_x()}) {
    const CurveSummary s = run({{"y"}, {"y' + sign(y)"}, "y = 1", 2.0}, options).summary;
    EXPECT_EQ(s.status, Status::stalled);
    EXPECT_NE(s.message.find("where y is 0"), std::string::npos) << s.message;
    EXPECT_NEAR(s.p[0], 1.0, 1e-9);
    EXPECT_LE(s.counters.steps, 10);
  }
}

// t = |y| is a curve with a corner, behind which t comes back
TEST(FollowSwitches, CornerWhereXTurnsBack) {
  Stated stated{{"y"}, {"t - abs(y)"}, "y = -1", -5.0, 1.0};
  SimulationOptions options;
  options.curve.arc = 3.0;
  const CurveSummary s = run(stated, options).summary;
  ASSERT_EQ(s.status, Status::ok) << s.message;
  ASSERT_EQ(s.impasse_points.size(), 1U);
  EXPECT_NEAR(s.impasse_points[0].s, std::sqrt(2.0), 1e-9);
  EXPECT_NEAR(end_of(s, "y"), 3.0 / std::sqrt(2.0) - 1, 1e-9);
  const CurveSummary steps_in_x = run(stated, in_x()).summary;
  EXPECT_EQ(steps_in_x.status, Status::impasse);
  EXPECT_NEAR(steps_in_x.p[0], 0.0, 1e-9);
}

// Same bits after a checkpoint between two switches.
TEST(FollowSwitches, ResumedRunHasTheSameBits) {
  const Stated stated{{"y", "z"}, {"y' - cos(t)", "z - abs(y)"}, "y = 0.5", 12.0};
  const std::string file = testing::TempDir() + "/follow_watch_checkpoint.bin";
  const CurveResult whole = run(stated);
  ASSERT_EQ(whole.summary.status, Status::ok) << whole.summary.message;
  const Model model = model_of(stated.text());
  SimulationOptions some;
  some.max_steps = whole.summary.counters.steps / 2;
  Plan first = plan(model, some);
  ASSERT_EQ(first.keep_checkpoints(file, 0.0, false), "");
  EXPECT_EQ(simulate(std::move(first)).curve->summary.status, Status::step_limit);
  Plan second = plan(model);
  ASSERT_EQ(second.keep_checkpoints(file, 1e9, true), "");
  const CurveSummary s = simulate(std::move(second)).curve->summary;
  ASSERT_EQ(s.status, Status::ok) << s.message;
  EXPECT_EQ(s.p, whole.summary.p);
  EXPECT_EQ(s.counters.steps, whole.summary.counters.steps);
}

// Pulses of area 1 that are drawn anew, in t and in an unknown, as equations of y' and as unknowns.
TEST(FollowFeatures, DrawnPulsesAreNotSteppedOver) {
  const unsigned seed = taut::test::drawn_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random{seed};
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>{low, high}(random);
  };
  constexpr int many = 60;
  for (int i = 0; i < many; ++i) {
    const double width = 10 * std::pow(10.0, between(-6, -1)), c = between(1.5, 8.5);
    const bool in_space = i % 2 == 1;
    const std::string x = in_space ? "w" : "t";
    const std::string u = fmt::format("(({} - {:.17g})/{:.17g})", x, c, width);
    std::string pulse;
    double area = 1.0;
    switch (i / 2 % 3) {
      case 0:
        pulse = fmt::format("{:.17g}*exp(-{}^2)", 1 / width / std::sqrt(pi), u);
        area = (std::erf((10 - c) / width) + std::erf(c / width)) / 2;
        break;
      case 1:
        pulse = fmt::format("{:.17g}*max(0, 1 - abs{})", 1 / width, u);
        break;
      default:
        pulse = fmt::format("{:.17g}/(1 + {}^2)", 1 / width / pi, u);
        area = (std::atan((10 - c) / width) + std::atan(c / width)) / pi;
        break;
    }
    // w = t, in space; the pulse acts on y at once or through an unknown
    Stated stated{{"w", "y"}, {"w' - 1", fmt::format("y' - {}", pulse)}, "w = 0\ny = 0", 10.0};
    if (i / 6 % 2 == 1)
      stated = {{"w", "y", "z"},
                {"w' - 1", "y' - z", fmt::format("z - {}", pulse)},
                "w = 0\ny = 0",
                10.0};
    for (const bool time : {false, true}) {
      SimulationOptions options = time ? in_x() : SimulationOptions{};
      options.tol = 1e-10;
      if (i % 5 == 4) options.curve.tableau = CurveTableau::dop853;
      const CurveSummary s = run(stated, options).summary;
      ASSERT_EQ(s.status, Status::ok) << s.message << "\n" << stated.text();
      // an error of t or w, of the tolerance, is one of y by the height of the pulse
      EXPECT_NEAR(end_of(s, "y"), area, 1e-6 + 5e-8 / width) << "time " << time << "\n"
                                                             << stated.text();
    }
  }
}

TEST(FollowFeatures, FastForcesAndConstantSteps) {
  const Stated fast{{"y"}, {"y' - sin(1e4*t)"}, "y = 0", 1.0};
  expect_end(fast, "y", (1 - std::cos(1e4)) / 1e4, 1e-4);
  const Stated pulse{{"y"}, {"y' - exp(-((t - 5)/0.01)^2)"}, "y = 0", 10.0};
  SimulationOptions constant = in_x();
  constant.step = 0.3;
  const CurveSummary s = run(pulse, constant).summary;
  ASSERT_EQ(s.status, Status::ok) << s.message;
  bool noted = false;
  for (const Note& note : s.notes) noted = noted || note.is(notes::force_not_resolved);
  EXPECT_TRUE(noted);
}

TEST(FollowFeatures, ConstantStepsEndAtSwitchesAndGoOnToTheirGrid) {
  SimulationOptions constant = in_x();
  constant.step = 0.25;
  constant.curve.tableau = CurveTableau::rk4;
  const CurveResult result = run({{"y"}, {"y' - max(0, t - 1.1)"}, "y = 0", 2.0}, constant);
  ASSERT_EQ(result.summary.status, Status::ok) << result.summary.message;
  EXPECT_NEAR(end_of(result.summary, "y"), 0.405, 1e-10);
  EXPECT_EQ(result.summary.counters.steps, 9);
}

TEST(FollowEvents, SeveralInOneStep) {
  const Stated stated{
      {"y"},   {"y' - 1"},
      "y = 0", 10.0,
      0.0,     {"(t - 5)^2 - 1e-6", "sin(200*y) - 0.5", "(t - 3)^2 + 1e-9", "y' - 1e-3*t - 1"}};
  for (const SimulationOptions& options : {SimulationOptions{}, in_x()}) {
    const CurveSummary s = run(stated, options).summary;
    ASSERT_EQ(s.status, Status::ok) << s.message;
    std::vector<double> first;
    int second = 0, third = 0;
    double before = 0.0;
    for (const CurveEventRecord& event : s.events) {
      EXPECT_GE(event.s, before);
      before = event.s;
      if (event.name == "event 0") first.push_back(event.p[0]);
      second += event.name == "event 1" ? 1 : 0;
      third += event.name == "event 2" ? 1 : 0;
    }
    ASSERT_EQ(first.size(), 2U);
    EXPECT_NEAR(first[0], 4.999, 1e-9);
    EXPECT_NEAR(first[1], 5.001, 1e-9);
    EXPECT_EQ(second, 637);
    EXPECT_EQ(third, 0);
  }
}

// A derivative that jumps through zero is a crossing, too.
TEST(FollowEvents, OfDerivativesThatJump) {
  const CurveSummary s = run({{"y"}, {"y' - sign(1 - t)"}, "y = 0", 2.0, 0.0, {"y'"}}).summary;
  ASSERT_EQ(s.status, Status::ok) << s.message;
  ASSERT_EQ(s.events.size(), 1U);
  EXPECT_NEAR(s.events[0].p[0], 1.0, 1e-12);
}

// Crossings of drawn events against a dense scan.
TEST(FollowEvents, DrawnCrossingsAsADenseScanHasThem) {
  const unsigned seed = taut::test::drawn_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random{seed};
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>{low, high}(random);
  };
  for (int i = 0; i < 40; ++i) {
    const double a = between(0.5, 3), b = between(5, 60), c = between(-1.2, 1.2), d = between(0, 6);
    const Stated stated{
        {"y"},   {"y' - cos(t)"},
        "y = 0", 6.0,
        0.0,     {fmt::format("sin({:.17g}*t + {:.17g})*{:.17g} + y - {:.17g}", b, d, a, c)}};
    const auto value = [&](double t) { return std::sin(b * t + d) * a + std::sin(t) - c; };
    int crossings = 0;
    bool unclear = false;  // it nearly touches zero
    constexpr int points = 200'000;
    for (int k = 0; k < points; ++k) {
      const double x = value(6.0 * k / points), y = value(6.0 * (k + 1) / points);
      crossings += (x < 0.0) != (y < 0.0) ? 1 : 0;
      if (k > 0) {
        const double w = value(6.0 * (k - 1) / points);
        unclear = unclear || (std::abs(x) < 1e-6 && std::abs(w) >= std::abs(x) &&
                              std::abs(y) >= std::abs(x) && (w < 0.0) == (y < 0.0));
      }
    }
    if (unclear) continue;
    const CurveSummary s = run(stated).summary;
    ASSERT_EQ(s.status, Status::ok) << s.message;
    EXPECT_EQ(s.events.size(), static_cast<std::size_t>(crossings)) << stated.text();
  }
}

}  // namespace
}  // namespace taut
