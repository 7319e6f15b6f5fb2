// SPDX-License-Identifier: BSD-3-Clause
// Runs in lanes are those of simulate(), to the bit.
#include "studies/lane_sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "taut/model/model_file.hpp"
#include "taut/studies/motion_sweep.hpp"

namespace taut {
namespace {

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

// Three masses on rods.
const std::string three_rods = R"toml(
name = "chain"
[parameters]
g = 9.81
length = 1
aside = 0
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 2, at = ["1 + length", 0] }
c = { mass = 0.5, at = ["1 + length", "-1 + aside"] }
[[rod]]
between = ["origin", "a"]
length = 1
[[rod]]
between = ["a", "b"]
length = "length"
[[rod]]
between = ["b", "c"]
length = 1
[[gravity]]
acceleration = [0, "-g"]
[run]
until = 2
)toml";

const std::string driven_rods = three_rods + R"toml(
[[force]]
on = "c"
value = ["3*t", 0]
)toml";

const std::string two_masses = R"toml(
name = "two masses on a spring"
[parameters]
k = 1e6
[coordinates]
x = { mass = 1, at = 1 }
y = { mass = 1, at = 1 }
[[potential]]
energy = "k*(x - y)^2/2 + x^2/2"
[run]
until = 5
)toml";

const std::string oscillator = R"toml(
name = "oscillator"
[parameters]
k = 100
[coordinates]
x = { mass = 1, at = 1 }
[[potential]]
energy = "k*x^2/2"
[run]
until = 1
)toml";

const std::string door = R"toml(
name = "door"
[parameters]
spin = 10
[[body]]
name = "leaf"
mass = 1
inertia = [0.1, 0.2, 0.25]
at = [0.5, 0, 0]
velocity = [0, "0.5*spin", 0]
spin = [0, 0, "spin"]
[[joint]]
name = "hinge"
kind = "revolute"
between = ["ground", "leaf"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[gravity]]
acceleration = [1, 0, -9.81]
[run]
until = 3
)toml";

struct LaneCase {
  std::string name, text, parameter;
  double first = 0.0, last = 1.0;
  int points = 70;
  SimulationOptions options;
  std::vector<std::string> measures;
};

struct PreparedLanes {
  explicit PreparedLanes(const LaneCase& of) : measures{read_measures(of.measures, problems)} {
    Model model = read_model(of.text, problems);
    sweep.emplace(std::move(model), of.options, measures, problems);
    EXPECT_TRUE(problems.empty()) << of.name << ": " << problems.message();
    axes = {{.parameter = of.parameter, .first = of.first, .last = of.last, .points = of.points}};
  }
  // how many of them went through lanes to their ends
  int in_lanes(const LaneCase& of) {
    std::string why;
    const auto lanes = LaneSweep::make(sweep->prepared(), of.options, measures, axes, why);
    if (!lanes) {
      ADD_FAILURE() << of.name << ": " << why;
      return 0;
    }
    int k = 0, done = 0, left = 0;
    const NextRun next = [&]() -> std::optional<SweepRun> {
      if (k == of.points) return {};
      const double value = axes[0].value(k);
      return SweepRun{static_cast<std::size_t>(k++), {value}};
    };
    (*lanes)(
        100, next, [&](std::size_t, const SweptRun&) { ++done; },
        [&](const std::vector<double>&) {
          ++left;
          return SweptRun{.status = "left"};
        },
        nullptr);
    EXPECT_EQ(done, of.points);
    return done - left;
  }

  Problems problems;
  std::vector<RunMeasure> measures;
  std::optional<MotionSweep> sweep;
  std::vector<SweepAxis> axes;
};

void expect_same_runs(const RunSweep& x, const RunSweep& y, const std::string& name) {
  ASSERT_EQ(x.runs.size(), y.runs.size());
  for (std::size_t k = 0; k < x.runs.size(); ++k) {
    EXPECT_EQ(x.runs[k].status, y.runs[k].status) << name << " " << k;
    EXPECT_EQ(x.runs[k].reason, y.runs[k].reason) << name << " " << k;
    EXPECT_EQ(x.runs[k].method, y.runs[k].method) << name << " " << k;
    ASSERT_EQ(x.runs[k].measures.size(), y.runs[k].measures.size());
    for (std::size_t m = 0; m < x.runs[k].measures.size(); ++m)
      EXPECT_EQ(bits_of(x.runs[k].measures[m]), bits_of(y.runs[k].measures[m]))
          << name << " " << k << " " << x.measures[m] << " " << x.runs[k].measures[m] << " "
          << y.runs[k].measures[m];
  }
}

const std::vector<std::string> usual_measures{"end(c.x)", "end(c.vy)", "end(lambda(rod 2))", "t",
                                              "steps",    "rejected",  "force_evaluations"};

TEST(LaneSweep, GivesTheBitsOfRunsOneByOne) {
  for (
      const LaneCase& one : std::vector<LaneCase>{
          {"auto", three_rods, "g", 5, 15, 40, {.tol = 1e-7}, usual_measures},
          {"dop853", three_rods, "g", 5, 15, 40, {.method = "dop853", .tol = 1e-9}, usual_measures},
          {"dopri5", three_rods, "g", 5, 15, 40, {.method = "dopri5", .tol = 1e-7}, usual_measures},
          {"bounded",
           three_rods,
           "g",
           5,
           15,
           20,
           {.method = "dop853", .max_step = 0.02},
           usual_measures},
          {"length", three_rods, "length", 0.5, 2, 40, {.tol = 1e-6}, usual_measures},
          {"driven",
           driven_rods,
           "g",
           5,
           15,
           40,
           {.until = 20, .method = "dop853"},
           {"end(c.x)", "end(lambda(rod 2))", "steps", "rejected"}},
      }) {
    PreparedLanes prepared{one};
    EXPECT_GE(prepared.in_lanes(one), one.points - 4) << one.name;
    const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
    expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
    expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 2}), alone, one.name);
  }
}

// A pendulum on springs beside one of sines and exponentials, and the same driven and damped.
const std::string smooth_forces = R"toml(
name = "smooth forces"
[parameters]
k = 60
g = 9.81
[points]
a = { mass = 1, at = [1, 0] }
b = { mass = 2, at = [2, 0] }
[coordinates]
phi = { mass = 1, at = 1 }
[[spring]]
between = ["origin", "a"]
stiffness = "k"
length = 1
[[rod]]
between = ["a", "b"]
length = 1
[[spring]]
between = ["origin", "b"]
stiffness = 5
length = 0.5
[[gravity]]
acceleration = [0, "-g"]
[[potential]]
energy = "-cos(phi) + exp(0.1*sin(phi))/(2 + phi^2)"
[run]
until = 5
)toml";

const std::string smooth_and_driven = smooth_forces + R"toml(
[[force]]
on = "phi"
value = "-0.1*sin(3*t)*tanh(phi) - v(phi)"
)toml";

// Springs, sines, exponentials: their steps are watched in lanes as in runs one by one.
TEST(LaneSweep, WatchesStepsAsRunsOneByOneDo) {
  const std::vector<std::string> measures{"end(b.x)", "end(phi)", "end(lambda(rod 1))",
                                          "steps",    "rejected", "force_evaluations"};
  const std::vector<std::string> and_courses{"max(lambda(rod 1))", "rms(phi)", "end(b.vx)", "steps",
                                             "force_evaluations"};
  for (const LaneCase& one : std::vector<LaneCase>{
           {"auto", smooth_forces, "k", 40, 90, 20, {.tol = 1e-7}, measures},
           {"dop853", smooth_forces, "k", 40, 90, 20, {.method = "dop853"}, measures},
           {"dopri5", smooth_forces, "k", 40, 90, 20, {.method = "dopri5", .tol = 1e-6}, measures},
           {"courses", smooth_forces, "g", 5, 15, 9, {.tol = 1e-7}, and_courses},
           {"driven", smooth_and_driven, "g", 5, 15, 9, {}, {"end(phi)", "min(phi)", "steps"}},
       }) {
    PreparedLanes prepared{one};
    EXPECT_GE(prepared.in_lanes(one), one.points / 2) << one.name;
    const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
    expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
  }
}

const std::vector<std::string> of_courses{"max(c.x)",
                                          "min(c.y)",
                                          "mean(c.x*c.vy)",
                                          "rms(c.vx)",
                                          "range(b.x)",
                                          "peak(c.vy)",
                                          "frequency(b.x)",
                                          "max(abs(lambda(rod 1)))",
                                          "min(lambda(rod 3))",
                                          "end(c.x)",
                                          "steps",
                                          "rejected",
                                          "t",
                                          "force_evaluations"};

// Rows inside of steps are those of runs one by one, to the bit.
TEST(LaneSweep, GivesTheBitsOfCoursesOneByOne) {
  const std::vector<std::string> of_oscillator{"max(x)", "rms(x)", "frequency(x)", "mean(x^2)",
                                               "steps"};
  for (const LaneCase& one : std::vector<LaneCase>{
           {"auto", three_rods, "g", 5, 15, 12, {.tol = 1e-7}, of_courses},
           {"dop853", three_rods, "g", 5, 15, 12, {.method = "dop853", .tol = 1e-9}, of_courses},
           {"dopri5", three_rods, "length", 0.5, 2, 12, {.method = "dopri5"}, of_courses},
           {"aside", three_rods, "aside", 0.0, 0.5, 12, {.tol = 1e-6}, of_courses},
           {"free", oscillator, "k", 50, 150, 12, {.until = 3}, of_oscillator},
       }) {
    PreparedLanes prepared{one};
    EXPECT_GE(prepared.in_lanes(one), one.points - 2) << one.name;
    const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
    expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
  }
}

const std::string with_events = three_rods + R"toml(
[[event]]
name = "low"
zero = "c.y + 1.9"
[[event]]
name = "left"
zero = "b.x + length/2"
action = "stop"
)toml";

// Events are located as in runs one by one, and stop runs there.
TEST(LaneSweep, FindsEventsAsRunsOneByOneDo) {
  const std::vector<std::string> measures{"event(low)",       "event(left)",        "t",
                                          "end(c.vx)",        "end(lambda(rod 2))", "steps",
                                          "force_evaluations"};
  const std::vector<std::string> and_courses{"event(left)", "max(c.vx)", "mean(b.y)", "end(b.x)",
                                             "steps"};
  for (const LaneCase& one : std::vector<LaneCase>{
           {"auto", with_events, "g", 5, 15, 12, {.tol = 1e-7}, measures},
           {"dop853", with_events, "length", 0.5, 2, 12, {.method = "dop853"}, measures},
           {"courses", with_events, "g", 5, 15, 9, {.tol = 1e-7}, and_courses},
       }) {
    PreparedLanes prepared{one};
    EXPECT_GE(prepared.in_lanes(one), one.points - 2) << one.name;
    const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
    expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
    const auto stopped = std::count_if(alone.runs.begin(), alone.runs.end(), [](const SweptRun& x) {
      return x.status == "stopped_by_event";
    });
    EXPECT_GT(stopped, 0) << one.name;
  }
}

// Where the angle of a joint is asked for, its turns are counted, one run at a time.
TEST(LaneSweep, LeavesTurnsThatAreCountedToRunsOneByOne) {
  const LaneCase one{"door", door, "spin", 10, 20, 8, {.tol = 1e-8}, {"end(hinge.angle)"}};
  const PreparedLanes prepared{one};
  std::string why;
  EXPECT_EQ(LaneSweep::make(prepared.sweep->prepared(), one.options, prepared.measures,
                            prepared.axes, why),
            nullptr);
  EXPECT_FALSE(why.empty());
  const RunSweep runs = (*prepared.sweep)(prepared.axes, {.threads = 1});
  for (std::size_t k = 0; k < runs.runs.size(); ++k) {
    const double spin = 10 + 10.0 * static_cast<double>(k) / 7;
    // all but for the swing in the field along x: more than four turns, and none of them forgotten
    EXPECT_NEAR(runs.runs[k].measures[0], 3 * spin, 0.5) << spin;
  }
}

// Of some the springs are stiff: `auto` goes over to an implicit method, and lanes do not.
TEST(LaneSweep, LeavesStiffRunsToSingleRuns) {
  const LaneCase one{"stiff", two_masses, "k", 10, 2e5, 30, {.tol = 1e-6}, {"end(x)", "steps"}};
  PreparedLanes prepared{one};
  const int in_lanes = prepared.in_lanes(one);
  EXPECT_GT(in_lanes, 0);
  EXPECT_LT(in_lanes, one.points);
  const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
  expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
}

// Nor does a lane say of a run that has lost its energy that it is done.
TEST(LaneSweep, LeavesRunsThatLoseTheirEnergyToSingleRuns) {
  const LaneCase one{
      "lost",    oscillator, "k", 50, 150, 12, {.until = 1500, .method = "dopri5", .tol = 3e-4},
      {"end(x)"}};
  PreparedLanes prepared{one};
  const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
  EXPECT_GT(alone.failed, 0U);
  expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
}

// The rod does not reach there: the start is moved first.
TEST(LaneSweep, MovesStartsOntoTheConstraints) {
  const LaneCase one{"aside", three_rods, "aside", 0.0, 0.5, 20, {.tol = 1e-6}, usual_measures};
  PreparedLanes prepared{one};
  EXPECT_GE(prepared.in_lanes(one), one.points - 2);
  const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
  expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
}

// Runs that fail on their way are those of simulate(), with its reasons; the others stay in lanes.
TEST(LaneSweep, LeavesWhatIsUnusualToSingleRuns) {
  const LaneCase one{"sqrt",
                     three_rods,
                     "g",
                     5,
                     15,
                     40,
                     {.until = 0.4, .tol = 1e-6},
                     {"end(sqrt(c.y + 1.8))", "end(c.y)"}};
  PreparedLanes prepared{one};
  const int in_lanes = prepared.in_lanes(one);
  EXPECT_GT(in_lanes, 0);
  EXPECT_LT(in_lanes, one.points);
  const RunSweep alone = (*prepared.sweep)(prepared.axes, {.threads = 1, .lanes = false});
  EXPECT_GT(alone.failed, 0U);
  EXPECT_LE(alone.failed, static_cast<std::size_t>(one.points - in_lanes));
  expect_same_runs((*prepared.sweep)(prepared.axes, {.threads = 1}), alone, one.name);
}

TEST(LaneSweep, RefusesWhatItDoesNotDo) {
  const auto refused = [](std::string text, const SimulationOptions& options,
                          const std::string& measure) {
    Problems problems;
    const std::vector<RunMeasure> measures = read_measures({measure}, problems);
    Model model = read_model(text, problems);
    const MotionSweep sweep{std::move(model), options, measures, problems};
    EXPECT_TRUE(problems.empty()) << problems.message();
    const std::vector<SweepAxis> axes{{.parameter = "g", .first = 5, .last = 15, .points = 9}};
    std::string why;
    const auto lanes = LaneSweep::make(sweep.prepared(), options, measures, axes, why);
    EXPECT_EQ(lanes == nullptr, !why.empty());
    return why;
  };
  EXPECT_EQ(refused(three_rods, {}, "end(c.x)"), "");
  EXPECT_EQ(refused(three_rods, {}, "max(c.x)"), "");
  EXPECT_EQ(refused(three_rods, {}, "energy_error"), "'energy_error' is not found in lanes");
  // runs one by one also look into steps for the work of its forces
  EXPECT_EQ(refused(driven_rods, {}, "force_evaluations"),
            "its evaluations are not all made in lanes");
  EXPECT_EQ(refused(three_rods, {.method = "radau"}, "end(c.x)"),
            "there are no lanes of its method");
  EXPECT_EQ(refused(three_rods, {.every = 0.1}, "end(c.x)"), "rows are asked for at given times");
  EXPECT_EQ(
      refused(three_rods + "[[event]]\nzero = \"c.x\"\nname = \"through\"\nthen = { g = 1 }\n", {},
              "end(c.x)"),
      "its events act");
  EXPECT_EQ(refused(three_rods + "[[spring]]\nbetween = [\"origin\", \"c\"]\nstiffness = 1\n", {},
                    "end(c.x)"),
            "");
}

}  // namespace
}  // namespace taut
