// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms of the gallery that are stated by coordinates, energies and rods, restated by bodies
// and joints: the same motion.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "gallery.hpp"
#include "taut/model/model_file.hpp"

namespace taut {
namespace {

using test::gallery;

Model stated_by_bodies(const std::string& text) {
  Problems problems{"restated.toml"};
  Model model = read_model(text, problems);
  problems.throw_if_any();
  return model;
}

std::string body(const std::string& name, const std::string& mass, const std::string& inertia,
                 const std::string& x, const std::string& y, const std::string& angle) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nmass = \"{}\"\ninertia = \"{}\"\nat = [\"{}\", \"{}\"]\nrotation = "
      "\"{}\"\n",
      name, mass, inertia, x, y, angle);
}

std::string hinge(const std::string& first, const std::string& second, const std::string& x,
                  const std::string& y) {
  return fmt::format(
      "[[joint]]\nkind = \"hinge\"\nbetween = [\"{}\", \"{}\"]\nat = [\"{}\", \"{}\"]\n", first,
      second, x, y);
}

/// The parameters of a model of the gallery, as text.
std::string parameters_of(const Model& model) {
  std::string text = "[parameters]\n";
  for (const Parameter& parameter : model.parameters)
    text += parameter.value.is_number()
                ? fmt::format("{} = {:.17g}\n", parameter.name, parameter.value.number())
                : fmt::format("{} = \"{}\"\n", parameter.name, parameter.value.text());
  return text;
}

// Seven bodies and ten hinges in place of seven angles and six closing conditions; the end is that
// of the test set for initial value problems.
TEST(Restated, AndrewsMechanismOfBodiesAndHinges) {
  const Model angles = gallery("andrews");
  std::string text = parameters_of(angles) +
                     "be = -0.0617138900142764496\nth = 0\nga = 0.455279819163070380\n"
                     "ph = 0.222668390165885884\nde = 0.487364979543842550\n"
                     "om = -0.222668390165885884\nep = 1.23054744454982119\n"
                     "tx = \"r*cos(be)\"\nty = \"r*sin(be)\"\n"
                     "px = \"tx - d*cos(be + th)\"\npy = \"ty - d*sin(be + th)\"\n"
                     "ex = \"xa + zt*cos(de)\"\ney = \"ya + zt*sin(de)\"\n"
                     "hx = \"xa + u*sin(ep)\"\nhy = \"ya - u*cos(ep)\"\n"
                     "ec = \"e4 - ea\"\nfc = \"zf - fa\"\n"
                     "t5 = \"hypot(ta, tb)\"\nu7 = \"hypot(ua, ub)\"\n";
  text += body("K1", "m1", "I1", "ra*cos(be)", "ra*sin(be)", "be");
  text += body("K2", "m2", "I2", "tx - da*cos(be + th)", "ty - da*sin(be + th)", "be + th");
  text +=
      body("K3", "m3", "I3", "xb + sa*sin(ga) + sb*cos(ga)", "yb - sa*cos(ga) + sb*sin(ga)", "ga") +
      "markers = { spring = [\"sd - sb\", \"sa - sc\"] }\n";
  text += body("K4", "m4", "I4", "ex + ec*sin(ph + de)", "ey - ec*cos(ph + de)", "ph + de");
  text += body("K5", "m5", "I5", "xa + t5*cos(de)", "ya + t5*sin(de)", "de");
  text += body("K6", "m6", "I6", "hx + fc*cos(om + ep)", "hy + fc*sin(om + ep)", "om + ep");
  text += body("K7", "m7", "I7", "xa + u7*sin(ep)", "ya - u7*cos(ep)", "ep");
  text += hinge("ground", "K1", "0", "0") + "torque = \"mom\"\n";
  text += hinge("K1", "K2", "tx", "ty") + hinge("K2", "K3", "px", "py");
  text += hinge("ground", "K3", "xb", "yb") + hinge("K2", "K4", "px", "py");
  text += hinge("K4", "K5", "ex", "ey") + hinge("ground", "K5", "xa", "ya");
  text += hinge("K2", "K6", "px", "py") + hinge("K6", "K7", "hx", "hy");
  text += hinge("ground", "K7", "xa", "ya");
  text +=
      "[anchors]\nC = [\"xc\", \"yc\"]\n[[spring]]\nbetween = [\"C\", \"K3.spring\"]\n"
      "stiffness = \"c0\"\nlength = \"l0\"\n[run]\nuntil = 0.03\n";
  const Model hinges = stated_by_bodies(text);
  for (const char* const method : {"dop853", "radau"}) {
    SCOPED_TRACE(method);
    const Result run = simulate(hinges, {.every = 0.005, .method = method, .tol = 1e-11});
    ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
    EXPECT_NEAR(run.motion["K1.angle"].back(), 15.8107711951537, 2e-6);
    EXPECT_NEAR(run.motion["K3.angle"].back(), 0.0408222401196458, 2e-7);
    EXPECT_NEAR(run.motion["K5.angle"].back(), 0.524409965879954, 2e-7);
    const Result other = simulate(angles, {.until = 0.03, .every = 0.005, .tol = 1e-11});
    ASSERT_EQ(other.motion.rows(), run.motion.rows());
    for (std::size_t k = 0; k < run.motion.rows(); ++k) {
      EXPECT_NEAR(run.motion["K1.angle"][k], other.motion["beta"][k], 3e-6);
      EXPECT_NEAR(run.motion["K7.angle"][k], other.motion["epsilon"][k], 3e-7);
    }
  }
}

// Uniform bars as rods with mass, and as bodies; with the forces in the joints of the ground.
TEST(Restated, FourBarOfBodies) {
  std::string text;
  const double ends[3][4] = {{0, 0, 0, 1}, {0, 1, 3, 3}, {3, 3, 3, 0}};
  const double masses[] = {1, 4, 3};
  const char* const names[] = {"crank", "coupler", "rocker"};
  // both upper joints move with (5, 0): the crank and the rocker turn, the coupler does not
  const double spins[] = {-5, 0, -5.0 / 3};
  for (int k = 0; k < 3; ++k) {
    const auto& [xa, ya, xb, yb] = ends[k];
    const double length2 = (xb - xa) * (xb - xa) + (yb - ya) * (yb - ya);
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {:.17g}\nat = [{}, {}]\nspin = "
        "{:.17g}\nvelocity = [{}, 0]\n",
        names[k], masses[k], masses[k] * length2 / 12, (xa + xb) / 2, (ya + yb) / 2, spins[k],
        k == 1 ? 5.0 : 2.5);
  }
  text += hinge("ground", "crank", "0", "0") + hinge("crank", "coupler", "0", "1") +
          hinge("coupler", "rocker", "3", "3") + hinge("rocker", "ground", "3", "0") +
          "[[gravity]]\nacceleration = [0, -9.81]\n[run]\nuntil = 5\n";
  const SimulationOptions options{.until = 3, .every = 0.25, .method = "dop853", .tol = 1e-11};
  const Result hinges = simulate(stated_by_bodies(text), options);
  const Result rods = simulate(gallery("four_bar"), options);
  ASSERT_EQ(hinges.summary.status, Status::ok) << hinges.summary.message;
  ASSERT_EQ(rods.summary.status, Status::ok) << rods.summary.message;
  const Motion &h = hinges.motion, &r = rods.motion;
  ASSERT_EQ(h.rows(), r.rows());
  for (std::size_t k = 0; k < h.rows(); ++k) {
    EXPECT_NEAR(h["crank.x"][k], r["b.x"][k] / 2, 1e-6);
    EXPECT_NEAR(h["coupler.y"][k], (r["b.y"][k] + r["c.y"][k]) / 2, 1e-6);
    EXPECT_NEAR(h["rocker.x"][k], (3 + r["c.x"][k]) / 2, 1e-6);
    EXPECT_NEAR(h["kinetic_energy"][k], r["kinetic_energy"][k], 1e-4);
  }
}

// Seven bodies and nine hinges in place of nine angles and six closing conditions; the motors and
// their friction are words on the hinges.
TEST(Restated, ParallelManipulatorOfBodiesAndHinges) {
  const SimulationOptions options{.until = 2, .every = 0.25, .method = "dop853", .tol = 1e-11};
  const Model angles = gallery("parallel_manipulator");
  const Result stated = simulate(angles, options);
  ASSERT_EQ(stated.summary.status, Status::ok) << stated.summary.message;
  const auto at_start = [&](const std::string& name) { return stated.motion[name][0]; };
  const double x = at_start("x"), y = at_start("y"), phi = at_start("phi");
  constexpr double crank = 0.6, rod = 0.7, platform = 0.3, third = 2.0943951023931953;
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  std::string text = parameters_of(angles) +
                     body("plate", "mp", "mp*platform^2/2", number(x), number(y), number(phi));
  for (int k = 1; k <= 3; ++k) {
    const double a = at_start(fmt::format("a{}", k)), b = at_start(fmt::format("b{}", k));
    const double ax = std::cos(third * k), ay = std::sin(third * k);
    const double bx = ax + crank * std::cos(a), by = ay + crank * std::sin(a);
    const std::string motor = fmt::format("crank{}", k), free = fmt::format("rod{}", k);
    text +=
        body(motor, "mc", "mc*crank^2/12", number((ax + bx) / 2), number((ay + by) / 2),
             number(a)) +
        body(free, "mr", "mr*rod^2/12", number(bx + rod / 2 * std::cos(b)),
             number(by + rod / 2 * std::sin(b)), number(b)) +
        hinge("ground", motor, number(ax), number(ay)) +
        fmt::format("torque = \"torque*sin(omega*t + 2*pi*{}/3)\"\ndamping = \"friction\"\n", k) +
        hinge(motor, free, number(bx), number(by)) + "damping = \"elbow\"\n" +
        hinge(free, "plate", number(x + platform * std::cos(phi + third * k)),
              number(y + platform * std::sin(phi + third * k)));
  }
  const Result hinges = simulate(stated_by_bodies(text), options);
  ASSERT_EQ(hinges.summary.status, Status::ok) << hinges.summary.message;
  ASSERT_EQ(hinges.motion.rows(), stated.motion.rows());
  for (std::size_t row = 0; row < hinges.motion.rows(); ++row) {
    for (const char* const name : {"x", "y"})
      EXPECT_NEAR(hinges.motion[std::string{"plate."} + name][row], stated.motion[name][row], 1e-7);
    EXPECT_NEAR(hinges.motion["plate.angle"][row], stated.motion["phi"][row], 1e-7);
    EXPECT_NEAR(hinges.motion["crank2.angle"][row], stated.motion["a2"][row], 1e-7);
  }
}

// One mechanism, once with 3 coordinates a body and once with 12: CPU time side by side, the least
// of a few, so that other programs do not decide.
TEST(Restated, FourBarInThePlaneTakesAFifthOfTheTimeInSpace) {
  const auto four_bar = [](bool space) {
    std::string text;
    const double ends[3][4] = {{0, 0, 0, 1}, {0, 1, 3, 3}, {3, 3, 3, 0}};
    const double masses[] = {1, 4, 3}, spins[] = {-5, 0, -5.0 / 3};
    const char* const names[] = {"crank", "coupler", "rocker"};
    const char* const zero = space ? ", 0" : "";
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& [xa, ya, xb, yb] = ends[k];
      const double I = masses[k] * ((xb - xa) * (xb - xa) + (yb - ya) * (yb - ya)) / 12;
      text += fmt::format(
          "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nat = [{}, {}{}]\nspin = {}\nvelocity "
          "= [{}, 0{}]\n",
          names[k], masses[k],
          space ? fmt::format("[0.01, {0:.17g}, {0:.17g}]", I) : fmt::format("{:.17g}", I),
          (xa + xb) / 2, (ya + yb) / 2, zero,
          space ? fmt::format("[0, 0, {:.17g}]", spins[k]) : fmt::format("{:.17g}", spins[k]),
          k == 1 ? 5.0 : 2.5, zero);
    }
    const char* const sides[] = {"ground", "crank", "coupler", "rocker", "ground"};
    const double at[4][2] = {{0, 0}, {0, 1}, {3, 3}, {3, 0}};
    for (std::size_t k = 0; k < 4; ++k)
      text += fmt::format(
          "[[joint]]\nkind = \"hinge\"\nbetween = [\"{}\", \"{}\"]\nat = [{}, {}{}]\n{}", sides[k],
          sides[k + 1], at[k][0], at[k][1], zero, space ? "axis = [0, 0, 1]\n" : "");
    return stated_by_bodies(text + fmt::format("[[gravity]]\nacceleration = [0, -9.81{}]\n", zero));
  };
  const Model plane = four_bar(false), space = four_bar(true);
  SimulationOptions options{.until = 20, .every = 20, .method = "dop853", .tol = 1e-9};
  options.columns = "stated";
  options.extremes = false;
  double least[2] = {1e9, 1e9};
  for (int round = 0; round < 3; ++round)
    for (const bool in_space : {false, true}) {
      const Plan planned = plan(in_space ? space : plane, options);
      const std::clock_t begin = std::clock();
      const Result run = simulate(planned);
      const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      ASSERT_EQ(run.summary.status, Status::ok) << run.summary.message;
      least[in_space ? 1 : 0] = std::min(least[in_space ? 1 : 0], seconds);
    }
  EXPECT_GE(least[1], 5 * least[0]) << least[0] << " s and " << least[1] << " s";
}

}  // namespace
}  // namespace taut
