// SPDX-License-Identifier: BSD-3-Clause
// [drawing]: mechanisms in angles hold together where they are drawn, and a drawing changes nothing
// of what is computed.
#include <cmath>
#include <limits>
#include <map>

#include "averaged/averaged.hpp"
#include "readings/readings.hpp"
#include "scene_support.hpp"
#include "slow/slow_reading.hpp"
#include "taut/methods/registry.hpp"
#include "taut/model/start.hpp"
#include "taut/run/integrate.hpp"

namespace taut::test {
namespace {

Model drawing_model(const std::string& name) {
  Problems problems;
  Model model = read_model_file(std::filesystem::path{TAUT_MODELS} / (name + ".toml"), problems);
  problems.throw_if_any();
  return model;
}

struct DrawingRun {
  CompiledModel model;
  Motion motion;
  Summary summary;
};

DrawingRun drawing_run(const Model& given, const std::string& method, RunOptions options) {
  DrawingRun run{.model = compile(given)};
  const Start start = consistent_start(run.model.system, run.model.given);
  EXPECT_EQ(start.status, Status::ok) << start.reason;
  run.summary = integrate(run.model.system, start, make_method(method, {.tol = 1e-10}).value(),
                          options, run.motion);
  EXPECT_TRUE(run.summary.good()) << run.summary.message;
  return run;
}

/// Calls visit(scene, q) for every row of a motion.
template <class Visit>
void for_each_row(const DrawingRun& run, const Visit& visit) {
  const Index n = run.model.system.nq();
  ASSERT_GE(run.motion.rows(), 20U);
  for (std::size_t row = 0; row < run.motion.rows(); ++row) {
    const Vec q = Eigen::Map<const Vec>(run.motion.q.data() + row * static_cast<std::size_t>(n), n);
    visit(SceneAt{run.model, run.motion.t[row], q}, q);
  }
}

TEST(Drawing, BarsOfAndrewsMechanismKeepTheirLengths) {
  const DrawingRun run =
      drawing_run(drawing_model("andrews"), "radau", {.until = 0.03, .every = 0.001});
  // of the published figure; two of the bars of each loop close it
  const std::map<std::pair<std::string, std::string>, double> bars{
      {{"origin", "F"}, 0.007},
      {{"F", "E"}, 0.028},
      {{"B", "E"}, 0.035},
      {{"A", "G"}, 0.04},
      {{"G", "E"}, 0.02},
      {{"A", "H"}, 0.04},
      {{"H", "E"}, 0.02},
      {{"B", "D"}, std::hypot(0.018, 0.02)},
      {{"E", "D"}, std::hypot(0.02, 0.035 - 0.018)}};
  for_each_row(run, [&](const SceneAt& scene, const Vec&) {
    for (const auto& [ends, length] : bars)
      EXPECT_NEAR(scene.distance(ends.first, ends.second), length, 1e-9)
          << ends.first << ends.second;
  });
  // and they are what the lines join
  const SceneAt start{run.model};
  std::size_t joined = 0;
  for (const Scene::Line& line : run.model.scene.lines) {
    const auto name = [&](int end) {
      return run.model.scene
          .points[static_cast<std::size_t>(line.ends.at(static_cast<std::size_t>(end)))]
          .name;
    };
    joined += bars.contains({name(0), name(1)}) || bars.contains({name(1), name(0)}) ? 1 : 0;
  }
  EXPECT_EQ(joined, bars.size());
  EXPECT_EQ(run.model.scene.lines.size(), bars.size() + 1);  // the spring
}

TEST(Drawing, TheElasticRodOfTheSliderCrankReachesFromCrankToSlider) {
  const DrawingRun run =
      drawing_run(drawing_model("slider_crank"), "radau", {.until = 0.02, .every = 0.001});
  for_each_row(run, [](const SceneAt& scene, const Vec& q) {
    const double x3 = q[2], q1 = q[3], q2 = q[4], q3 = q[5], q4 = q[6];
    EXPECT_NEAR(scene.distance("origin", "A"), 0.15, 1e-15);
    EXPECT_NEAR(scene.distance("A", "R8"), 0.30 + q4, 1e-9);
    EXPECT_LE((scene.place("R8") - Vec{{x3, 0, 0}}).norm(), 1e-9);
    // the middle: bent by the first mode, stretched by the node there; the quarter by both modes
    EXPECT_NEAR(scene.distance("A", "R4"), std::hypot(0.15 + q3, q1), 1e-12);
    EXPECT_NEAR(scene.distance("A", "R2"),
                std::hypot(0.075 + 0.75 * q3 - 0.125 * q4, q1 * std::sqrt(0.5) + q2), 1e-12);
    EXPECT_NEAR((scene.place("S1") + scene.place("S3"))[0] / 2, x3, 1e-15);
  });
}

TEST(Drawing, LegsOfTheManipulatorReachItsPlatform) {
  const DrawingRun run =
      drawing_run(drawing_model("parallel_manipulator"), "radau", {.until = 0.5, .every = 0.02});
  for_each_row(run, [](const SceneAt& scene, const Vec&) {
    for (const std::string k : {"1", "2", "3"}) {
      EXPECT_NEAR(scene.distance("A" + k, "B" + k), 0.6, 1e-12);
      EXPECT_NEAR(scene.distance("B" + k, "P" + k), 0.7, 1e-9);
    }
    EXPECT_NEAR(scene.distance("P1", "P2"), 0.3 * std::sqrt(3.0), 1e-12);
  });
}

/// With its drawing, and without.
void expect_the_same_run(const std::string& name, const std::string& method,
                         const RunOptions& options) {
  SCOPED_TRACE(name);
  Model model = drawing_model(name);
  const DrawingRun drawn = drawing_run(model, method, options);
  ASSERT_FALSE(model.drawing.lines.empty());
  model.drawing = {};
  const DrawingRun plain = drawing_run(model, method, options);
  EXPECT_GT(drawn.model.system.structure().observables.size(),
            plain.model.system.structure().observables.size());
  EXPECT_EQ(drawn.motion.t, plain.motion.t);
  EXPECT_EQ(drawn.motion.q, plain.motion.q);
  EXPECT_EQ(drawn.motion.v, plain.motion.v);
  EXPECT_EQ(drawn.motion.lambda, plain.motion.lambda);
  const Summary &a = drawn.summary, &b = plain.summary;
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
  EXPECT_EQ(a.counters.steps, b.counters.steps);
  EXPECT_EQ(a.counters.force_evaluations, b.counters.force_evaluations);
  EXPECT_EQ(a.output_evaluations, b.output_evaluations);
  EXPECT_EQ(a.max_constraint, b.max_constraint);
  EXPECT_EQ(a.energy_error, b.energy_error);
  EXPECT_EQ(a.invariant_errors, b.invariant_errors);
  EXPECT_EQ(a.events.size(), b.events.size());
}

TEST(Drawing, ChangesNotABitOfWhatIsComputed) {
  expect_the_same_run("andrews", "radau", {.until = 0.01, .every = 0.001});
  expect_the_same_run("andrews", "projected-rk", {.until = 0.005, .every = 0.001});
  expect_the_same_run("slider_crank", "radau", {.until = 0.005, .every = 0.001});
  expect_the_same_run("inverted_pendulum", "dop853", {.until = 0.05, .every = 0.001});
}

const std::string drawing_of_pendulum = R"toml(
[points]
bob = { mass = 1, at = [1, 0], velocity = [0, 1] }
[[rod]]
between    = ["origin", "bob"]
length     = 1
compliance = 1e-8
[[gravity]]
acceleration = [0, -1]
[[invariant]]
name  = "energy"
value = "(bob.vx^2 + bob.vy^2)/2 + bob.y"
[drawing.points]
half = ["bob.x/2 + t", "bob.y/2"]
)toml";

TEST(Drawing, EveryReadingKnowsThePlaces) {
  const CompiledModel model = compile_text(drawing_of_pendulum);
  const Vec q{{0.6, -0.8}}, v{{0.8, 0.6}};
  const auto expect_places = [&](const System& system) {
    ASSERT_EQ(system.structure().observables.size(), 3U);
    EXPECT_EQ(system.structure().observables[2].kind, Observable::Kind::drawn);
    EXPECT_EQ(system.structure().observables[2].name, "drawing half.y");
    Evaluation ev;
    system.prepare(ev);
    ASSERT_EQ(system.evaluate(need(Target::observable), {0.5, q, v}, ev), Status::ok);
    EXPECT_NEAR(ev.observable[1], 0.8, 1e-7);
    EXPECT_NEAR(ev.observable[2], -0.4, 1e-7);
  };
  expect_places(model.system);
  expect_places(rigid(model.system));
  expect_places(penalized(model.system, 1e4));
  expect_places(springs(model.system));
  const SlowReading reading = slow(model.system, {.t = 0.5, .q = q, .v = v});
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  expect_places(reading.system);
}

TEST(Drawing, TimeInItDoesNotMakeAnAveragedForceSlowlyVarying) {
  const std::string text = R"toml(
[coordinates]
q = { mass = 1, at = 0.5 }
[vibration]
omega = 1e6
[[force]]
on    = "q"
value = "(49 + 2e7*cos(theta))*sin(q)"
[drawing.points]
bob = ["sin(q) + t", "cos(q) + theta"]
)toml";
  const CompiledModel model = compile_text(text);
  EXPECT_FALSE(model.system.structure().vibration.slow_time);
  const AveragedReading reading = averaged(model.system, model.given);
  ASSERT_EQ(reading.status, Status::ok) << reading.reason;
  ASSERT_EQ(reading.system.structure().observables.size(), 2U);
  Evaluation ev;
  reading.system.prepare(ev);
  const Vec q{{0.5}}, v{{0.0}};
  ASSERT_EQ(reading.system.evaluate(need(Target::observable), {0.25, q, v}, ev), Status::ok);
  EXPECT_EQ(ev.observable[0], std::sin(0.5) + 0.25);
}

TEST(Drawing, OnlyValuesOfItAreComputed) {
  const CompiledModel model = compile_text(drawing_of_pendulum);
  const Structure& s = model.system.structure();
  for (Index k = 1; k <= 2; ++k) {
    EXPECT_EQ(s.observable_q.row(k).nonZeros(), 0);
    EXPECT_EQ(s.observable_v.row(k).nonZeros(), 0);
  }
  EXPECT_GT(s.observable_q.row(0).nonZeros(), 0);
  EXPECT_TRUE(s.conservative);
  EXPECT_FALSE(s.force_uses_time);
}

TEST(Drawing, APlaceThatIsNotFiniteStopsNoRun) {
  Problems problems;
  const Model model =
      read_model(drawing_of_pendulum + "far = [\"sqrt(bob.x - 5)\", 0]\n", problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  const DrawingRun run = drawing_run(model, "radau", {.until = 0.1, .every = 0.01});
  EXPECT_EQ(run.summary.invariant_errors.size(), 1U);
  EXPECT_LT(run.summary.invariant_errors[0].second, 1e-3);
  Evaluation ev;
  run.model.system.prepare(ev);
  const State& end = run.summary.state;
  ASSERT_EQ(run.model.system.evaluate(need(Target::observable), {end.t, end.q, end.v}, ev),
            Status::ok);
  EXPECT_TRUE(std::isnan(ev.observable[3]));
  EXPECT_TRUE(run.model.system.culprit({end.t, end.q, end.v}).empty());
  // an invariant that is not finite is a failure as before
  const CompiledModel watched =
      compile_text(drawing_of_pendulum + "[[invariant]]\nvalue = \"sqrt(bob.x - 5)\"\n");
  watched.system.prepare(ev);
  EXPECT_EQ(watched.system.evaluate(need(Target::observable), {end.t, end.q, end.v}, ev),
            Status::non_finite);
}

TEST(Drawing, NumbersCoordinatesAndFormulasAreToldApart) {
  const CompiledModel model = compile_text(R"toml(
[parameters]
n = 3
[coordinates]
"q{k}" = { mass = 1, at = "0.1*{k}", repeat = { k = "1:n" } }
[drawing.points]
"P{k}" = { at = ["{k}^2", "q{k}"], repeat = { k = "1:n" } }
"Q{k}" = { at = ["{k} + sin(q{k})", "q1 - q1", "2*n"], repeat = { k = "1:n" } }
[[drawing.line]]
through = ["P{k}", "P{k+1}"]
repeat  = { k = "1:n-1" }
[[drawing.line]]
through = ["origin", "Q1", "P1", "origin"]
)toml");
  const Scene& scene = model.scene;
  EXPECT_EQ(scene.dimension, 3);
  EXPECT_EQ(names_of(scene.points),
            (std::vector<std::string>{"P1", "P2", "P3", "Q1", "Q2", "Q3", "origin"}));
  EXPECT_EQ(model.system.structure().observables.size(), 3U);
  for (int k = 1; k <= 3; ++k) {
    const Scene::Point& P = scene.points[static_cast<std::size_t>(k - 1)];
    EXPECT_TRUE(P.at[0].fixed());
    EXPECT_EQ(P.at[0].value, k * k);
    EXPECT_EQ(P.at[1].coordinate, k - 1);
    EXPECT_TRUE(P.at[2].fixed());
    const Scene::Point& Q = scene.points[static_cast<std::size_t>(k + 2)];
    EXPECT_EQ(Q.at[0].observable, k - 1);
    EXPECT_TRUE(Q.at[1].fixed());
    EXPECT_EQ(Q.at[2].value, 6.0);
    EXPECT_EQ(SceneAt{model}.place(k + 2)[0], k + std::sin(0.1 * k));
  }
  std::vector<std::array<int, 2>> ends;
  for (const Scene::Line& line : scene.lines) {
    EXPECT_EQ(line.kind, Scene::Line::Kind::drawn);
    ends.push_back(line.ends);
  }
  EXPECT_EQ(ends, (std::vector<std::array<int, 2>>{{0, 1}, {1, 2}, {6, 3}, {3, 0}, {0, 6}}));
}

const std::string drawing_of_loads = R"toml([points]
"p{k}" = { mass = 1, at = ["{k}", 0], repeat = { k = "1:2" } }
[[constraint]]
zero = "hypot(p1.x, p1.y) - 1"
[[constraint]]
name = "arm"
zero = "hypot(p2.x - p1.x, p2.y - p1.y) - 1"
)toml";

TEST(Drawing, LineWithALoadIsARodOfItsConstraint) {
  const CompiledModel model = compile_text(drawing_of_loads + R"toml([[drawing.line]]
through = ["p1", "p2"]
load    = "arm"
[[drawing.line]]
through = ["origin", "p{k}"]
load    = "constraint {k}"
repeat  = { k = "1:1" }
)toml");
  ASSERT_EQ(model.scene.lines.size(), 2U);
  for (const Scene::Line& line : model.scene.lines) {
    EXPECT_EQ(line.kind, Scene::Line::Kind::rod);
    EXPECT_EQ(model.system.structure().rows[static_cast<std::size_t>(line.row)].name, line.name);
  }
  EXPECT_EQ(model.scene.lines[0].name, "arm");
  EXPECT_EQ(model.scene.lines[1].name, "constraint 1");
}

TEST(Drawing, LoadThatIsNoConstraintIsAMistake) {
  Problems problems{"model.toml"};
  const Model model = read_model(
      drawing_of_loads + "[[drawing.line]]\nthrough = [\"p1\", \"p2\"]\nload = \"arn\"\n",
      problems);
  (void)compile(model, problems);
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems.message().find("there is no constraint 'arn'"), std::string::npos);
  EXPECT_NE(problems.message().find("did you mean 'arm'?"), std::string::npos);
}

TEST(Drawing, MistakesAreReportedTogetherWithLinesAndRemedies) {
  const std::string text = R"toml([points]
bob = { mass = 1, at = [1, 0] }
[[rod]]
between = ["origin", "bab"]
[drawing.points]
bob  = [0, 1]
A    = ["bob.vx", 1]
B    = ["1/0", 2]
C    = [1]
D    = { at = [1, 2], colour = "red" }
F    = ["nobody", 0]
"G{k}" = { at = [0, "bob.vy"], repeat = { k = "1:9" } }
[[drawing.line]]
through = ["A"]
[[drawing.line]]
through = ["A", "bib", "origin"]
[[drawing.line]]
though  = ["A", "B"]
[[drawing.lines]]
through = ["A", "bob", "bob"]
[[drawing.circle]]
x = 1
)toml";
  Problems problems{"m.toml"};
  const Model model = read_model(text, problems);
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  const std::vector<std::array<std::string, 4>> expected{
      {"4", "rod 1: between", "there is no point or anchor 'bab'", "did you mean 'bob'?"},
      {"6", "drawing.point bob", "the name \"bob\" is already that of the point in line 2",
       "its own name"},
      {"7", "drawing.point A", "'bob.vx' is a velocity, which cannot be used here",
       "use parameters, t and positions only"},
      {"8", "drawing.point B", "does not give a finite number", "divisions by zero"},
      {"9", "drawing.point C", "has 1 components; must be two or three", "write"},
      {"10", "drawing.point D", "\"colour\" is not a key of [drawing.points]", "at, repeat"},
      {"11", "drawing.point F", "unknown name 'nobody'", "use a name"},
      {"12", "drawing.point G{k}", "'bob.vy' is a velocity", "positions only"},
      {"14", "drawing.line 1: through", "has only one name", "two points or more"},
      {"16", "drawing.line 2: through", "there is no point 'bib'", "did you mean 'bob'?"},
      {"18", "drawing.line 3", "\"though\" is not a key of [[drawing.line]]",
       "did you mean through?"},
      {"19", "drawing", "\"lines\" is not a part of it", "did you mean [[drawing.line]]?"},
      {"20", "drawing.line 4: through", "goes from 'bob' to itself", "different"},
      {"21", "drawing", "\"circle\" is not a part of it", "[drawing.points]"}};
  const auto found = problems.sorted();
  ASSERT_EQ(found.size(), expected.size()) << problems.message();
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [line, where, what, remedy] = expected[i];
    const Problem& problem = found[i];
    EXPECT_EQ(std::to_string(problem.at.line), line);
    EXPECT_EQ(problem.where, where);
    EXPECT_NE(problem.what.find(what), std::string::npos) << problem.what;
    EXPECT_NE(problem.remedy.find(remedy), std::string::npos) << problem.remedy;
  }
}

TEST(Drawing, NamesOfCopiesMustNotClashEither) {
  Problems problems;
  const Model model = read_model(R"toml(
[[chain]]
name  = "c"
links = 2
[drawing.points]
"c{k}" = { at = [0, 0], repeat = { k = "2:3" } }
)toml",
                                 problems);
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  const auto found = problems.sorted();
  ASSERT_EQ(found.size(), 1U) << problems.message();
  EXPECT_EQ(found[0].what, "the name 'c2' is already taken by chain 1");
}

TEST(Drawing, DoesNotBelongToDifferentialSystems) {
  Problems problems;
  const Model model = read_model(R"toml(
[jets]
unknowns = ["y"]
[[equation]]
zero = "y' - y"
[start]
y = 1
[drawing.points]
A = ["y", 0]
[[drawing.line]]
through = ["origin", "A"]
)toml",
                                 problems);
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  const auto found = problems.sorted();
  ASSERT_EQ(found.size(), 2U) << problems.message();
  EXPECT_EQ(found[0].where, "[drawing.points]");
  EXPECT_EQ(found[1].where, "[[drawing.line]]");
  EXPECT_NE(found[0].what.find("[jets]"), std::string::npos);
}

TEST(Drawing, ModelsBuiltInCodeAreCheckedLikeFiles) {
  Model model;
  model.coordinates.push_back({.name = "q", .mass = 1.0});
  model.drawing.points.push_back({.name = "A", .at = {"cos(q)"}});
  model.drawing.lines.push_back({});
  Problems problems;
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  const auto found = problems.sorted();
  ASSERT_EQ(found.size(), 2U) << problems.message();
  EXPECT_EQ(found[0].what, "has 1 components");
  EXPECT_EQ(found[1].what, "has no name");
}

}  // namespace
}  // namespace taut::test
