// SPDX-License-Identifier: BSD-3-Clause
// What a body of a model file becomes: coordinates, mass, rows, points on it; and mistakes.
#include <random>

#include "support.hpp"

namespace taut::test {
namespace {

// a cloud of points that moves rigidly: the truth of mass matrix and inertia
TEST(Body, KineticEnergyIsThatOfAllItsPoints) {
  std::mt19937 random{3};
  std::uniform_real_distribution<double> any{-1, 1};
  std::vector<std::pair<double, Vec3>> cloud;
  Vec3 centre = Vec3::Zero();
  double mass = 0;
  for (int i = 0; i < 20; ++i) {
    cloud.emplace_back(1.2 + any(random), Vec3{any(random), 0.5 * any(random), 2 * any(random)});
    centre += cloud.back().first * cloud.back().second;
    mass += cloud.back().first;
  }
  Mat3 I = Mat3::Zero();
  for (auto& [m, p] : cloud) {
    p -= centre / mass;
    I += m * (p.squaredNorm() * Mat3::Identity() - p * p.transpose());
  }
  Body body;
  body.prefix = "b";
  body.mass = mass;
  for (const double x : {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)})
    body.inertia.emplace_back(x);
  const auto triple = [&] { return std::vector<Value>{any(random), any(random), any(random)}; };
  body.at = triple();
  body.velocity = triple();
  body.rotation = triple();
  body.spin = triple();
  Model model;
  model.elements.push_back({.what = body});
  const CompiledModel compiled = compile(model);
  const Pose p{compiled.system, compiled.given, "b"};
  EXPECT_LE((p.R.transpose() * p.R - Mat3::Identity()).norm(), 1e-15);
  EXPECT_NEAR(p.R.determinant(), 1.0, 1e-15);
  double T = 0;
  for (const auto& [m, at] : cloud) T += m / 2 * (p.v + p.R * hat(p.spin()) * at).squaredNorm();
  EXPECT_NEAR(energy(compiled.system, compiled.given), T, 1e-13 * T);
  EXPECT_TRUE(compiled.system.structure().mass_constant);

  const Vec3 w{body.rotation[0].number(), body.rotation[1].number(), body.rotation[2].number()};
  const Mat3 R = Eigen::AngleAxisd{w.norm(), w.normalized()}.toRotationMatrix();
  EXPECT_LE((p.R - R).norm(), 1e-14);
}

TEST(Body, HasTheCoordinatesAndRowsOfItsRotation) {
  const auto model = bodies("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1.5]\n");
  const Structure& s = model.system.structure();
  ASSERT_EQ(s.nq, 12);
  EXPECT_EQ(s.coordinates[3], "b.r11");
  EXPECT_EQ(s.coordinates[4], "b.r21");
  EXPECT_EQ(s.velocities[4], "v(b.r21)");
  ASSERT_EQ(s.rows.size(), 6U);
  EXPECT_EQ(s.rows[0].name, "b axes 11");
  EXPECT_EQ(s.rows[4].name, "b axes 13");
  EXPECT_TRUE(s.mass_diagonal);
}

// |g| is half of |RᵀR - 1|: the springs of penalized(2 omega) are the penalty of the paper
TEST(Body, PenaltyIsTheFrobeniusNorm) {
  const auto model = bodies("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1.5]\n");
  State s = model.given;
  std::mt19937 random{5};
  std::uniform_real_distribution<double> any{-1, 1};
  for (double& x : s.q) x = any(random);
  const Mat3 R = Pose{model.system, s, "b"}.R;
  const double omega = 3;
  EXPECT_NEAR(energy(penalized(model.system, 2 * omega), s),
              omega * omega / 2 * (R.transpose() * R - Mat3::Identity()).squaredNorm(), 1e-12);
}

Vec force(const System& system, const State& s) {
  Evaluation ev;
  system.prepare(ev);
  EXPECT_EQ(system.evaluate(need(Target::force), {.t = s.t, .q = s.q, .v = s.v}, ev), Status::ok);
  return ev.f;
}

// full and flat, where the marker is off the plane of the two axes that are coordinates
TEST(Marker, ForceOnItDoesTheWorkOfItsDisplacement) {
  for (const char* moments : {"[1, 2, 2.5]", "[1, 2, 3]", "[3, 1, 2]"}) {
    const std::string body =
        std::string{
            "[[body]]\nname = \"b\"\nmass = 1\nrotation = [0.3, 0.4, "
            "-0.9]\nmarkers = { tip = [0.3, -0.2, 0.5] }\ninertia = "} +
        moments + "\n";
    const auto with_force = bodies(body + "[[force]]\non = \"b.tip\"\nvalue = [1, -2, 0.7]\n");
    const auto with_potential =
        bodies(body + "[[potential]]\nenergy = \"-b.tip.x + 2*b.tip.y - 0.7*b.tip.z\"\n");
    const Vec f = force(with_force.system, with_force.given);
    EXPECT_LE((f - force(with_potential.system, with_potential.given)).norm(), 1e-15) << moments;
    EXPECT_GT(f.tail(6).norm(), 0.1);
  }
}

TEST(Marker, MovesWithTheBody) {
  const auto model = bodies(R"toml(
[[body]]
name     = "b"
mass     = 1
inertia  = [1, 2, 3]
at       = [1, 2, 3]
velocity = [0.1, 0.2, 0.3]
rotation = [0.3, 0.4, -0.9]
spin     = [1, -2, 0.5]
markers  = { tip = [0.3, -0.2, 0.5], side = [0, 1, 0] }
[[invariant]]
value = "b.tip.x"
[[invariant]]
value = "b.tip.vx"
[[invariant]]
value = "b.r13"
[[invariant]]
value = "v(b.r13) + b.side.vz"
[anchors]
wall = [0, 0, "1 + t"]
[[damper]]
between = ["b.tip", "wall"]
damping = 0.7
[[rod]]
between = ["b.side", "origin"]
[[spring]]
between   = ["b.tip", "b.side"]
stiffness = 3
)toml");
  const System& system = model.system;
  const Pose p{system, model.given, "b"};
  const Vec3 tip{0.3, -0.2, 0.5}, side{0, 1, 0};
  const Vec3 x = p.x + p.R * tip, v = p.v + p.R * hat({1, -2, 0.5}) * tip;
  Evaluation ev;
  system.prepare(ev);
  const State& s = model.given;
  ASSERT_EQ(system.evaluate(needs(Target::observable, Target::force, Target::constraint),
                            {.t = 0, .q = s.q, .v = s.v}, ev),
            Status::ok);
  EXPECT_NEAR(ev.observable[0], x[0], 1e-14);
  EXPECT_NEAR(ev.observable[1], v[0], 1e-14);
  EXPECT_NEAR(ev.observable[2], p.R(0, 2), 1e-14);
  EXPECT_NEAR(ev.observable[3],
              (p.R * hat({1, -2, 0.5}))(0, 2) + (p.v + p.R * hat({1, -2, 0.5}) * side)[2], 1e-14);
  EXPECT_NEAR(ev.g.tail(1)[0], 0.0, 1e-15);  // the rod has the length of the start
  // power of the damper at the tip; the spring is at rest, and T_q vanishes as M is constant
  const Vec3 d = x - Vec3{0, 0, 1};
  const double rate = d.dot(v - Vec3{0, 0, 1}) / d.squaredNorm();
  EXPECT_NEAR(ev.f.dot(s.v), -0.7 * rate * d.dot(v), 1e-13);
}

// a chain of points hangs on a body, gravity pulls at the body's centre
TEST(Marker, CarriesAChain) {
  const auto model = bodies(R"toml(
[[body]]
name    = "b"
mass    = 2
inertia = [1, 1, 1]
at      = [0, 0, 1]
markers = { hook = [1, 0, 0] }
[[chain]]
links = 2
from  = "b.hook"
direction = [0, 0, -1]
[[gravity]]
acceleration = [0, 0, -10]
)toml");
  const Vec f = force(model.system, model.given);
  EXPECT_EQ(f[2], -20.0);
  EXPECT_EQ(f.segment(3, 9).norm(), 0.0);
  const auto& names = model.system.structure().coordinates;
  const auto z = std::find(names.begin(), names.end(), "link2.z") - names.begin();
  EXPECT_EQ(model.given.q[z], -1.0);
  EXPECT_EQ(model.given.q[z - 2], 1.0);
}

TEST(Body, IsRepeated) {
  const auto model = bodies(R"toml(
[parameters]
n = 3
[[body]]
name    = "b{k}"
mass    = 1
inertia = [1, 1, 1]
at      = ["{k}", 0, 0]
repeat  = { k = "1:n" }
[[joint]]
kind    = "hinge"
between = ["b{k}", "b{k+1}"]
at      = ["{k} + 0.5", 0, 0]
axis    = [0, 0, 1]
repeat  = { k = "1:n-1" }
)toml");
  EXPECT_EQ(model.system.nq(), 36);
  EXPECT_EQ(model.system.nc(), 18 + 10);
  EXPECT_EQ(model.system.structure().rows.back().name, "joint 2 tilt 2");
}

struct Refused {
  const char* name;
  const char* toml;
  int line;
  const char* what;
  const char* remedy;
};
class BodyMistakes : public testing::TestWithParam<Refused> {};

TEST_P(BodyMistakes, AreReportedOnceWithLineAndRemedy) {
  Problems problems{"test.toml"};
  const Model model = read_model(GetParam().toml, problems);
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  const auto found = problems.sorted();
  ASSERT_EQ(found.size(), 1U) << problems.message();
  EXPECT_EQ(found[0].at.line, GetParam().line) << found[0].what;
  EXPECT_NE(found[0].what.find(GetParam().what), std::string::npos) << found[0].what;
  EXPECT_NE(found[0].remedy.find(GetParam().remedy), std::string::npos) << found[0].remedy;
}

#define TAUT_BODY "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n"

INSTANTIATE_TEST_SUITE_P(
    Compiler, BodyMistakes,
    testing::Values(
        Refused{"Triangle", "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 3]\n", 4,
                "no body has the principal moments 3, 1, 1", "sum of the two others"},
        Refused{"TriangleOfSix", "[[body]]\nname = \"b\"\nmass = 1\ninertia = [2, 2, 2, 1, 1, 1]\n",
                4, "no body has the principal moments 4, 1, 1", "sum of the two others"},
        Refused{"ThinRod", "[[body]]\nname = \"b\"\nmass = 1\ninertia = [0, 1, 1]\n", 4, "thin rod",
                "[[rod]] with a mass"},
        Refused{"ObliquePlate",
                "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1.5, 1.5, 3, 0.5, 0, 0]\n", 4,
                "flat body", "principal moments 3, 2, 1"},
        Refused{"NumberOfMoments", "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1]\n", 4,
                "has 2 components", "six: xx, yy, zz, xy, xz, yz"},
        Refused{"NoMass", "[[body]]\nname = \"b\"\nmass = 0\ninertia = [1, 1, 1]\n", 3,
                "0 is not > 0", "mass of the body"},
        Refused{"Plane", TAUT_BODY "at = [1, 2]\n", 5, "has 2 components", "give three"},
        Refused{"MarkerLikeACoordinate", TAUT_BODY "markers = { r12 = [0, 0, 0] }\n", 1,
                "names a coordinate", "another name"},
        Refused{"MarkerName", TAUT_BODY "markers = { \"a b\" = [0, 0, 0] }\n", 5, "not a letter",
                "tip_1"},
        Refused{"Ground", "[[body]]\nname = \"ground\"\nmass = 1\ninertia = [1, 1, 1]\n", 1,
                "fixed world", "name of its own"},
        Refused{"UnknownBody",
                TAUT_BODY "[[joint]]\nkind = \"ball\"\nbetween = [\"b\", \"groud\"]\nat = [0, 0, "
                          "0]\n",
                7, "no body 'groud'", "'ground'"},
        Refused{"NoAxis",
                TAUT_BODY "[[joint]]\nkind = \"hinge\"\nbetween = [\"b\", \"ground\"]\nat = [0, "
                          "0, 0]\n",
                5, "direction of its axis", "not all zero"},
        Refused{"AxisOfWhatIsFixed",
                TAUT_BODY "[[joint]]\nkind = \"fixed\"\nbetween = [\"b\", \"ground\"]\nat = [0, "
                          "0, 0]\naxis = [0, 0, 1]\n",
                9, "only a hinge", "leave it out"},
        Refused{"SameBody",
                TAUT_BODY "[[joint]]\nkind = \"ball\"\nbetween = [\"b\", \"b\"]\nat = [0, 0, 0]\n",
                7, "same body", "ground"},
        Refused{"UnknownMarker",
                TAUT_BODY "markers = { tip = [0, 0, 1] }\n[[spring]]\nbetween = [\"b.top\", "
                          "\"origin\"]\nstiffness = 1\nlength = 1\n",
                7, "'b.top'", "'b.tip'"},
        Refused{"BarOnABody",
                TAUT_BODY "markers = { tip = [0, 0, 1] }\n[[rod]]\nbetween = [\"b.tip\", "
                          "\"origin\"]\nmass = 1\n",
                8, "ends on a body", "massless"}),
    [](const auto& refused) { return refused.param.name; });

}  // namespace
}  // namespace taut::test
