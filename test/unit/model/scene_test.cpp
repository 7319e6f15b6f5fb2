// SPDX-License-Identifier: BSD-3-Clause
// What models look like: places against formulas written by hand, rods against their constraints,
// boxes of bodies against the inertia they stand for.
#include <cmath>
#include <numbers>
#include <set>

#include "scene_support.hpp"

namespace taut::test {
namespace {

using Kind = Scene::Point::Kind;
using LineKind = Scene::Line::Kind;

void expect_sound_component(const Scene::Component& component, const Structure& structure,
                            std::set<int>& drawn) {
  EXPECT_LT(component.coordinate, structure.nq);
  EXPECT_FALSE(component.coordinate >= 0 && component.observable >= 0);
  EXPECT_TRUE(std::isfinite(component.value));
  if (component.observable < 0) return;
  ASSERT_LT(component.observable, static_cast<int>(structure.observables.size()));
  const Observable& observable =
      structure.observables[static_cast<std::size_t>(component.observable)];
  EXPECT_EQ(observable.kind, Observable::Kind::drawn) << observable.name;
  drawn.insert(component.observable);
}

/// Every reference leads somewhere, and nothing is watched in vain.
void expect_sound_scene(const CompiledModel& model) {
  const Structure& structure = model.system.structure();
  const Scene& scene = model.scene;
  std::set<int> drawn;
  for (const Scene::Point& point : scene.points) {
    EXPECT_FALSE(point.name.empty());
    EXPECT_EQ(point.kind == Kind::marker, point.body >= 0) << point.name;
    EXPECT_LT(point.body, static_cast<int>(scene.bodies.size()));
    for (const auto& component : point.at) expect_sound_component(component, structure, drawn);
  }
  for (const Scene::Body& body : scene.bodies) {
    for (const auto& component : body.position) expect_sound_component(component, structure, drawn);
    for (const auto& component : body.rotation) expect_sound_component(component, structure, drawn);
  }
  for (const Scene::Line& line : scene.lines) {
    for (const int end : line.ends) {
      ASSERT_GE(end, 0) << line.name;
      ASSERT_LT(end, static_cast<int>(scene.points.size())) << line.name;
    }
    EXPECT_NE(line.ends[0], line.ends[1]) << line.name;
    EXPECT_EQ(line.kind == LineKind::rod, line.row >= 0) << line.name;
  }
  for (std::size_t k = 0; k < structure.observables.size(); ++k)
    EXPECT_EQ(structure.observables[k].kind == Observable::Kind::drawn,
              drawn.contains(static_cast<int>(k)))
        << structure.observables[k].name;
}

/// The length that a rod must have for its constraint (d² - L²)/2L to be g at the distance d.
double length_from(double g, double d) { return std::hypot(g, d) - g; }

void expect_rods_of_the_constraints(const CompiledModel& model) {
  const auto& rows = model.system.structure().rows;
  const Vec moved = model.given.q + 0.05 * random_vector(model.given.q.size(), 3);
  Evaluation ev;
  model.system.prepare(ev);
  const auto g_at = [&](const Vec& q) {
    EXPECT_EQ(
        model.system.evaluate(need(Target::constraint), {model.given.t, q, model.given.v}, ev),
        Status::ok);
    return ev.g;
  };
  const Vec g_start = g_at(model.given.q), g_moved = g_at(moved);
  const SceneAt start{model}, elsewhere{model, model.given.t, moved};
  for (const Scene::Line& line : model.scene.lines) {
    if (line.kind != LineKind::rod) continue;
    ASSERT_LT(line.row, static_cast<int>(rows.size()));
    const Row& row = rows[static_cast<std::size_t>(line.row)];
    EXPECT_EQ(line.name, row.name);
    const auto keeps = [&](const auto& length_of) {
      const double length = length_of(g_start[row.equation], start.distance(line));
      return std::abs(start.distance(line) - length) < 1e-9 &&
             std::abs(length_of(g_moved[row.equation], elsewhere.distance(line)) - length) < 1e-9;
    };
    // a line that stands for a constraint keeps d - L
    EXPECT_TRUE(keeps(length_from) || keeps([](double g, double d) { return d - g; })) << line.name;
  }
}

TEST(Scene, EveryModelOfTheGalleryShowsSomethingThatHoldsTogether) {
  int scenes = 0, rods = 0;
  for (const auto& entry : std::filesystem::directory_iterator{TAUT_MODELS}) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const CompiledModel model = compile_gallery_model(entry.path());
    // a model of states alone has no places to be drawn
    const bool places = !model.jets && model.system.structure().places() > 0;
    EXPECT_EQ(model.scene.empty(), !places);
    if (!places) continue;
    ++scenes;
    expect_sound_scene(model);
    // its rope comes off a drum: how long it is, is a coordinate
    if (entry.path().stem() != "hoist") expect_rods_of_the_constraints(model);
    for (const Scene::Line& line : model.scene.lines) rods += line.kind == LineKind::rod ? 1 : 0;
  }
  EXPECT_GE(scenes, 20);
  EXPECT_GE(rods, 100);
}

/// Of a uniform box, turned by its axes, about its centre:  I = Σ m/12 (b² + c²) e_a e_aᵀ.
Mat inertia_of(const Scene::Body& body) {
  Mat I = Mat::Zero(3, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const double b = body.box[(k + 1) % 3], c = body.box[(k + 2) % 3];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        I(Index(i), Index(j)) +=
            body.mass / 12 * (b * b + c * c) * body.axes[3 * i + k] * body.axes[3 * j + k];
  }
  return I;
}

TEST(Scene, ABodyIsTheUniformBoxOfItsMassAndInertia) {
  const CompiledModel model = compile_text(R"toml(
[[body]]
name    = "plain"
mass    = 3
inertia = [3, 5, 4]
[[body]]
name    = "oblique"
mass    = 2
inertia = [3, 4, 5, 0.5, -0.3, 0.2]
[[body]]
name    = "flat"
mass    = 2
inertia = [1, 2, 3]
)toml");
  ASSERT_EQ(model.scene.bodies.size(), 3U);
  EXPECT_EQ(model.scene.dimension, 3);
  const Mat plain = Vec{{3, 5, 4}}.asDiagonal(), flat = Vec{{1, 2, 3}}.asDiagonal();
  const Mat oblique{{3, 0.5, -0.3}, {0.5, 4, 0.2}, {-0.3, 0.2, 5}};
  EXPECT_LE((inertia_of(model.scene.bodies[0]) - plain).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((inertia_of(model.scene.bodies[1]) - oblique).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((inertia_of(model.scene.bodies[2]) - flat).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(model.scene.bodies[2].box[2], 0.0);
  // no reflection
  const auto& a = model.scene.bodies[1].axes;
  const double volume = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                        a[2] * (a[3] * a[7] - a[4] * a[6]);
  EXPECT_NEAR(volume, 1.0, 1e-14);
}

TEST(Scene, TheThirdAxisOfAFlatBodyIsWatched) {
  const CompiledModel model = compile_text(R"toml(
[[body]]
name     = "disc"
mass     = 2
inertia  = [1, 1, 2]
at       = [1, 2, 3]
rotation = [0.3, -0.2, 0.9]
markers  = { tip = [0, 0, 2] }
[[joint]]
name    = "pin"
kind    = "ball"
between = ["ground", "disc"]
at      = [0, 0, 0]
[[spring]]
between   = ["origin", "disc"]
stiffness = 1
)toml");
  expect_sound_scene(model);
  const SceneAt scene{model};
  const Mat R = scene.rotation(model.scene.bodies[0]);
  EXPECT_LE((R * R.transpose() - Mat::Identity(3, 3)).cwiseAbs().maxCoeff(), 1e-15);
  // along the axis of the rotation nothing turns
  const Vec axis{{0.3, -0.2, 0.9}};
  EXPECT_LE((R * axis - axis).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_LE((scene.place("disc.tip") - (Vec{{1, 2, 3}} + 2 * R.col(2))).cwiseAbs().maxCoeff(),
            1e-15);
  EXPECT_LE(scene.place("pin").cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_EQ(names_of(model.scene.points),
            (std::vector<std::string>{"disc.tip", "pin", "origin", "disc"}));
  EXPECT_LE((scene.place("disc") - Vec{{1, 2, 3}}).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Scene, PointsAnchorsAndWhatJoinsThem) {
  const CompiledModel model = compile_text(R"toml(
[parameters]
k = 7
[definitions]
lift = "0.1*sin(10*t)"
[anchors]
wall   = ["-k", 2]
lifted = [3, "1 + lift"]
[points]
"m{i}" = { mass = "{i}", at = ["{i}", 0.5], repeat = { i = "1:2" } }
[[spring]]
between   = ["wall", "m1"]
stiffness = "k"
length    = 2
[[damper]]
between = ["m1", "m2"]
damping = 1
[[bond]]
name      = "morse"
between   = ["lifted", "m2"]
stiffness = 3
length    = 1.5
depth     = 9
[box]
size = [20, 30]
[run]
from = 0.2
)toml");
  expect_sound_scene(model);
  const Scene& scene = model.scene;
  EXPECT_EQ(scene.dimension, 2);
  EXPECT_EQ(scene.box, (std::vector<double>{20, 30}));
  EXPECT_EQ(names_of(scene.points), (std::vector<std::string>{"m1", "m2", "lifted", "wall"}));
  EXPECT_EQ(scene.points[1].mass, 2.0);
  EXPECT_EQ(scene.points[1].at[0].coordinate, 2);
  EXPECT_TRUE(scene.points[3].at[0].fixed());
  EXPECT_EQ(scene.points[3].at[0].value, -7.0);
  // only the component that moves is watched
  EXPECT_TRUE(scene.points[2].at[0].fixed());
  ASSERT_EQ(model.system.structure().observables.size(), 1U);
  EXPECT_EQ(model.system.structure().observables[0].name, "drawing lifted.y");
  const SceneAt later{model, 0.4, model.given.q};
  EXPECT_NEAR(later.place("lifted")[1], 1 + 0.1 * std::sin(4.0), 1e-15);

  ASSERT_EQ(scene.lines.size(), 3U);
  EXPECT_EQ(scene.lines[0].kind, LineKind::spring);
  EXPECT_EQ(scene.lines[0].ends, (std::array{3, 0}));
  EXPECT_EQ(scene.lines[0].stiffness, 7.0);
  EXPECT_EQ(scene.lines[0].length, 2.0);
  EXPECT_EQ(scene.lines[1].kind, LineKind::damper);
  EXPECT_EQ(scene.lines[2].name, "morse");
  EXPECT_EQ(scene.lines[2].stiffness, 3.0);
  EXPECT_EQ(scene.lines[2].length, 1.5);
}

TEST(Scene, ChainsAndWaterShowTheirRods) {
  const CompiledModel chain = compile_text(R"toml(
[[chain]]
name  = "c"
links = 3
)toml");
  EXPECT_EQ(names_of(chain.scene.points), (std::vector<std::string>{"c1", "c2", "c3", "origin"}));
  ASSERT_EQ(chain.scene.lines.size(), 3U);
  EXPECT_EQ(chain.scene.lines[0].ends, (std::array{3, 0}));
  EXPECT_EQ(chain.scene.lines[2].name, "c link 3");
  EXPECT_EQ(chain.scene.lines[2].row, 2);
  const CompiledModel water = compile_text("[[water]]\nmolecules = 2\n");
  EXPECT_EQ(water.scene.points.size(), 6U);
  EXPECT_EQ(water.scene.lines.size(), 6U);
  EXPECT_EQ(water.scene.dimension, 3);
}

// a groove goes round with its cam, once; a wire is shown on both sides of its bead; neither has
// points of its own
TEST(Scene, CurvesOfJointsAreLines) {
  const CompiledModel model = compile_text(R"toml(
[[body]]
name = "cam"
mass = 1
inertia = 0.1
at = [3, 0]
rotation = 0.5
[points]
roller = { mass = 1, at = [3.2, 0] }
bead = { mass = 1, at = [1, 1] }
[[joint]]
name = "groove"
kind = "point-on-curve"
between = ["cam", "roller"]
curve = ["0.2*cos(s)", "0.2*sin(s)"]
[[joint]]
name = "wire"
kind = "point-on-curve"
between = ["ground", "bead"]
curve = ["s", "s^2"]
start = 1
)toml");
  expect_sound_scene(model);
  const SceneAt seen{model};
  double round = 0.0, left = 0.0, right = 0.0;
  for (const Scene::Line& line : model.scene.lines) {
    ASSERT_EQ(line.kind, LineKind::drawn);
    EXPECT_LT(model.scene.points[static_cast<std::size_t>(line.ends[0])].radius, 0.0);
    const Vec a = seen.place(line.ends[0]), b = seen.place(line.ends[1]);
    if (line.name == "groove") {
      EXPECT_NEAR(std::hypot(a[0] - 3, a[1]), 0.2, 1e-12);
      round += (b - a).norm();
    } else {
      EXPECT_NEAR(a[1], a[0] * a[0], 1e-12);
      (a[0] < 1 ? left : right) += (b - a).norm();
    }
  }
  EXPECT_NEAR(round, 2 * std::numbers::pi * 0.2, 1e-3);
  EXPECT_GT(left, 1.0);
  EXPECT_GT(right, 1.0);
  EXPECT_LT(left + right, 20.0);
}

TEST(Scene, AModelOfPlainCoordinatesSaysNothingOfItsShape) {
  EXPECT_TRUE(compile_text("[coordinates]\nq = { mass = 1 }\n").scene.empty());
}

}  // namespace
}  // namespace taut::test
