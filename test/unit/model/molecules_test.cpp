// SPDX-License-Identifier: BSD-3-Clause
// Water, bonds, angles and dihedrals, against plain formulas and differences.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support.hpp"

namespace taut::test {
namespace {

using Vector3 = Eigen::Vector3d;

/// A model of points p1, p2, ... in space, and what its elements do at q.
class Molecule {
 public:
  Molecule(const std::vector<Vector3>& points, const std::string& elements) {
    std::string text = "name = \"molecule\"\n[points]\n";
    for (std::size_t k = 0; k < points.size(); ++k)
      text += "p" + std::to_string(k + 1) + " = { mass = 1, at = [" + std::to_string(points[k][0]) +
              ", " + std::to_string(points[k][1]) + ", " + std::to_string(points[k][2]) + "] }\n";
    model = compile_text(text + elements);
    model.system.prepare(out_);
    q = model.given.q;
    for (std::size_t k = 0; k < points.size(); ++k)
      q.segment<3>(3 * static_cast<Index>(k)) = points[k];
  }

  double energy(const Vec& at) {
    return evaluate(at, need(Target::potential_energy)).potential_energy;
  }
  Vec force(const Vec& at) { return evaluate(at, need(Target::force)).f; }
  Mat stiffness(const Vec& at) { return evaluate(at, need(Target::stiffness)).K; }
  Vec third(const Vec& at) { return evaluate(at, need(Target::third)).third; }

  /// Force, stiffness and third derivative against differences of what stands one below.
  void expect_consistent() {
    a_ = random_vector(q.size(), 7);
    const Mat gradient = differences([&](const Vec& x) { return one(energy(x)); }, q);
    const Mat hessian = differences([&](const Vec& x) { return Vec{-force(x)}; }, q);
    const Mat contraction =
        differences([&](const Vec& x) { return one(a_.dot(stiffness(x) * a_)); }, q);
    EXPECT_LE((force(q) + gradient.transpose()).norm(), 1e-8 * (1.0 + gradient.norm()));
    EXPECT_LE((stiffness(q) - hessian).norm(), 1e-8 * (1.0 + hessian.norm()));
    EXPECT_LE((third(q) - contraction.transpose()).norm(), 1e-7 * (1.0 + contraction.norm()));
  }

  CompiledModel model;
  Vec q;

 private:
  const Evaluation& evaluate(const Vec& at, Needs wanted) {
    if (a_.size() == 0) a_ = random_vector(q.size(), 7);
    const Vec none;
    const Arguments here{.t = 0.0, .q = at, .v = model.given.v, .a = &a_, .lambda = &none};
    EXPECT_EQ(model.system.evaluate(wanted, here, out_), Status::ok);
    return out_;
  }
  Evaluation out_;
  Vec a_;
};

double angle_between(const Vector3& u, const Vector3& w) {
  return std::acos(u.normalized().dot(w.normalized()));
}

TEST(Bond, IsHarmonicOrMorse) {
  const std::vector<Vector3> points{{0.1, 0.2, -0.3}, {0.9, -0.5, 0.4}};
  const double r = (points[0] - points[1]).norm();
  Molecule harmonic{points, "[[bond]]\nbetween = [\"p1\", \"p2\"]\nstiffness = 7\nlength = 1\n"};
  EXPECT_NEAR(harmonic.energy(harmonic.q), 3.5 * (r - 1) * (r - 1), 1e-14);
  Molecule morse{points,
                 "[[bond]]\nbetween = [\"p1\", \"p2\"]\nstiffness = 7\nlength = 1\ndepth = 2\n"};
  const double e = 1.0 - std::exp(-std::sqrt(7.0 / 4.0) * (r - 1));
  EXPECT_NEAR(morse.energy(morse.q), 2 * e * e, 1e-14);
  morse.expect_consistent();
  // at rest both are equally stiff, and far away Morse's bond is broken
  Vec rest(6), far(6);
  rest << 0, 0, 0, 1, 0, 0;
  far << 0, 0, 0, 60, 0, 0;
  EXPECT_NEAR(morse.stiffness(rest)(0, 0), 7.0, 1e-12);
  EXPECT_NEAR(harmonic.stiffness(rest)(0, 0), 7.0, 1e-12);
  EXPECT_NEAR(morse.energy(far), 2.0, 1e-12);
}

TEST(Angle, IsThatOfTheDirectionsToBothNeighbours) {
  const std::vector<Vector3> points{{1.1, 0.2, -0.3}, {0.1, 0.0, 0.1}, {-0.2, 1.2, 0.5}};
  Molecule bent{points,
                "[[angle]]\nbetween = [\"p1\", \"p2\", \"p3\"]\nstiffness = 3\nangle = 1.2\n"};
  const double theta = angle_between(points[0] - points[1], points[2] - points[1]);
  EXPECT_NEAR(bent.energy(bent.q), 1.5 * (theta - 1.2) * (theta - 1.2), 1e-13);
  bent.expect_consistent();
  Molecule as_it_starts{points, "[[angle]]\nbetween = [\"p1\", \"p2\", \"p3\"]\nstiffness = 3\n"};
  EXPECT_NEAR(as_it_starts.energy(as_it_starts.q), 0.0, 1e-12);
}

TEST(Angle, ThatIsStraightAtRestIsSmoothThere) {
  const std::string straight =
      "[[angle]]\nbetween = [\"p1\", \"p2\", \"p3\"]\nstiffness = 3\nangle = \"pi\"\n";
  const auto bent_by = [](double delta) {
    return std::vector<Vector3>{
        {-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.5 * std::cos(delta), 1.5 * std::sin(delta), 0.0}};
  };
  // on both sides of s = sin²(delta/2) = 0.02, where the series ends
  for (const double delta : {0.0, 1e-9, 1e-4, 0.1, 0.283, 0.2838, 0.28379411, 0.284, 0.5, 2.0}) {
    Molecule molecule{bent_by(delta), straight};
    EXPECT_NEAR(molecule.energy(molecule.q), 1.5 * delta * delta, 1e-15 + 4e-15 * delta * delta)
        << delta;
    molecule.expect_consistent();
  }
}

TEST(Dihedral, CountsFromCisAndIsSmoothThroughTrans) {
  const std::string torsion =
      "[[dihedral]]\nbetween = [\"p1\", \"p2\", \"p3\", \"p4\"]\nbarrier = 5\nmultiplicity = 3\n"
      "phase = 0.4\n";
  const auto turned = [](double phi) {
    return std::vector<Vector3>{
        {1.0, 0.0, -0.4}, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.2}, {std::cos(phi), std::sin(phi), 1.9}};
  };
  for (const double phi : {0.0, 0.7, 2.0, std::numbers::pi, 3.3, -1.1}) {
    Molecule molecule{turned(phi), torsion};
    EXPECT_NEAR(molecule.energy(molecule.q), 2.5 * (1 + std::cos(3 * phi - 0.4)), 1e-12) << phi;
    molecule.expect_consistent();
  }
}

TEST(Water, StartsWithItsGeometryAndNothingOverlaps) {
  const CompiledModel water =
      compile_text("name = \"w\"\n[[water]]\nmolecules = 30\nname = \"w\"\n");
  const System& system = water.system;
  ASSERT_EQ(system.nq(), 270);
  ASSERT_EQ(system.nc(), 90);
  EXPECT_EQ(system.structure().coordinates[12], "w2Ha.x");
  EXPECT_EQ(system.structure().rows[5].name, "w2 HaHb");
  Evaluation out;
  system.prepare(out);
  ASSERT_EQ(system.evaluate(need(Target::constraint),
                            {.t = 0.0, .q = water.given.q, .v = water.given.v}, out),
            Status::ok);
  EXPECT_LE(out.g.cwiseAbs().maxCoeff(), 1e-14);
  const auto site = [&](Index i) { return Vector3{water.given.q.segment<3>(3 * i)}; };
  EXPECT_NEAR(angle_between(site(4) - site(3), site(5) - site(3)),
              104.52 * std::numbers::pi / 180.0, 1e-12);
  for (Index i = 0; i < 90; ++i)
    for (Index j = 0; j < i; ++j)
      if (i / 3 != j / 3) {
        EXPECT_GT((site(i) - site(j)).norm(), 1.1);
      }
}

/// TIP3P by hand, in kcal/mol.
double energy_of_water(const Vec& q) {
  double energy = 0.0;
  const auto charge = [](Index site) { return site % 3 == 0 ? -0.834 : 0.417; };
  for (Index i = 0; 3 * i < q.size(); ++i)
    for (Index j = 0; j < i; ++j) {
      if (i / 3 == j / 3) continue;
      const double r = (q.segment(3 * i, 3) - q.segment(3 * j, 3)).norm();
      energy += 332.0637 * charge(i) * charge(j) / r;
      if (i % 3 == 0 && j % 3 == 0) energy += 582e3 / std::pow(r, 12) - 595.0 / std::pow(r, 6);
    }
  return energy;
}

double energy_at_start(const CompiledModel& model) {
  Evaluation out;
  model.system.prepare(out);
  EXPECT_EQ(model.system.evaluate(need(Target::potential_energy),
                                  {.t = 0.0, .q = model.given.q, .v = model.given.v}, out),
            Status::ok);
  return out.potential_energy;
}

TEST(Water, ActsAsPublishedAndInBothUnits) {
  const std::string text = "name = \"w\"\n[[water]]\nmolecules = 9\n";
  const CompiledModel kcal = compile_text(text);
  const double energy = energy_of_water(kcal.given.q);
  EXPECT_NEAR(energy_at_start(kcal), energy, 1e-12 * std::abs(energy));
  EXPECT_NEAR(energy_at_start(compile_text(text + "units = \"eV\"\n")), energy / 23.06054783,
              1e-12 * std::abs(energy));
  // two tables of molecules act on one another
  const CompiledModel two = compile_text(
      "name = \"w\"\n[[water]]\nmolecules = 2\n[[water]]\nname = \"x\"\nmolecules = 3\n"
      "at = [9, 9, 9]\n");
  const double of_both = energy_of_water(two.given.q);
  EXPECT_NEAR(energy_at_start(two), of_both, 1e-12 * (1.0 + std::abs(of_both)));
}

TEST(Water, OfSevenRestsInItsLowestState) {
  Problems problems;
  Model file = read_model_file(TAUT_MODELS "/water7.toml", problems);
  const CompiledModel model = compile(file, problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  EXPECT_NEAR(energy_at_start(model), -57.40012, 5e-6);
  EXPECT_NEAR(energy_of_water(model.given.q), -57.40012, 5e-6);
  // no force but along the rods, and every small motion that keeps the rods costs energy
  const System& system = model.system;
  Evaluation out;
  system.prepare(out);
  Vec lambda = Vec::Zero(system.nc());
  const Vec rest = Vec::Zero(system.nq());
  const Arguments at{.t = 0.0, .q = model.given.q, .v = rest, .a = &rest, .lambda = &lambda};
  ASSERT_EQ(system.evaluate(needs(Target::force, Target::constraint, Target::constraint_jacobian),
                            at, out),
            Status::ok);
  const Mat G = out.G;
  EXPECT_LE(out.g.cwiseAbs().maxCoeff(), 1e-11);
  // Gᵀ = Q R by Gram and Schmidt, and from it λ and the motions along the rods' manifold
  Mat Q = G.transpose();
  Mat R = Mat::Zero(system.nc(), system.nc());
  for (Index c = 0; c < system.nc(); ++c) {
    for (Index k = 0; k < c; ++k) {
      R(k, c) = Q.col(k).dot(Q.col(c));
      Q.col(c) -= R(k, c) * Q.col(k);
    }
    R(c, c) = Q.col(c).norm();
    Q.col(c) /= R(c, c);
  }
  const Vec along = Q.transpose() * out.f;
  for (Index c = system.nc() - 1; c >= 0; --c)
    lambda[c] = (along[c] - R.row(c).dot(lambda)) / R(c, c);
  EXPECT_LE((out.f - G.transpose() * lambda).cwiseAbs().maxCoeff(), 1e-8);
  ASSERT_EQ(system.evaluate(need(Target::stiffness), at, out), Status::ok);
  const Mat projector = Mat::Identity(system.nq(), system.nq()) - Q * Q.transpose();
  const Mat K = projector * Mat(out.K) * projector;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Vec move = projector * random_vector(system.nq(), seed);
    EXPECT_GT(move.dot(K * move), 0.0);
  }
}

TEST(Water, FillsABox) {
  const CompiledModel model =
      compile_text("name = \"w\"\n[box]\nsize = [12.4, 12.4, 12.4]\n[[water]]\nmolecules = 64\n");
  Evaluation out;
  model.system.prepare(out);
  Vec q = model.given.q;
  const auto energy = [&] {
    EXPECT_EQ(model.system.evaluate(need(Target::potential_energy),
                                    {.t = 0.0, .q = q, .v = model.given.v}, out),
              Status::ok);
    return out.potential_energy;
  };
  // a molecule that leaves on one side comes back on the other
  const double before = energy();
  q.segment(9, 9).array() += 12.4;
  EXPECT_NEAR(energy(), before, 1e-10 * std::abs(before));
}

TEST(Water, IsNotTornApartAtTheCutOff) {
  const CompiledModel model = compile_text("name = \"w\"\n[[water]]\nmolecules = 2\ncutoff = 6\n");
  Evaluation out;
  model.system.prepare(out);
  // two neutral molecules: no more than two dipoles of 2.35 D = 0.489 e Angstrom in line
  for (double r = 4.5; r < 8.0; r += 0.05) {
    Vec q = model.given.q;
    for (Index i = 0; i < 3; ++i) q.segment<3>(9 + 3 * i) += Vector3{r - 3.1, 0.2 * r, 0.1};
    ASSERT_EQ(model.system.evaluate(need(Target::potential_energy),
                                    {.t = 0.0, .q = q, .v = model.given.v}, out),
              Status::ok);
    EXPECT_LE(std::abs(out.potential_energy), 2.0 * 332.1 * 0.489 * 0.489 / (r * r * r)) << r;
  }
}

/// What is wrong with a model, each once.
std::vector<std::string> mistakes_in(const std::string& tables) {
  Problems problems{"test.toml"};
  (void)compile(read_model("name = \"mistakes\"\n" + tables, problems), problems);
  std::vector<std::string> all;
  for (const Problem& problem : problems.sorted())
    all.push_back(problem.where + ": " + problem.what);
  return all;
}

TEST(Molecules, ReportAMistakeOnce) {
  using Said = std::vector<std::string>;
  EXPECT_EQ(mistakes_in("[box]\nsize = [-4, 0, 3]\n[[water]]\nmolecules = 8\n"),
            Said{"box: size: -4 is not > 0"});
  EXPECT_EQ(mistakes_in("[box]\nsize = [9, 9, 9]\n[[water]]\nmolecules = 8\ncutoff = 6\n"),
            Said{"water 1: cutoff: 6 is more than half of the shortest edge 9 of [box]"});
  EXPECT_EQ(mistakes_in("[[water]]\nmolecules = 8\n[[water]]\nmolecules = 8\nat = [30, 0, 0]\n"),
            Said{"water 2: another [[water]] has the name 'water'"});
  const std::string two = "[[water]]\nmolecules = 8\n[[water]]\nname = \"w\"\nmolecules = 1\n";
  EXPECT_EQ(mistakes_in(two),
            Said{"water 2: at: its molecules would overlap those of the water before"});
  EXPECT_EQ(mistakes_in(two + "at = [30, 0, 0]\n"), Said{});
  EXPECT_EQ(mistakes_in(two + "[start]\nw1O.x = 30\nw1Ha.x = 30.6\nw1Hb.x = 29.4\n"), Said{});
}

TEST(Molecules, RefuseNumbersThatNoPairHas) {
  using Said = std::vector<std::string>;
  const std::string ions =
      "[points]\na = { mass = 1, charge = 1, at = [0, 0] }\n"
      "b = { mass = 1, charge = 1, at = [1, 0] }\n[[pair]]\n";
  EXPECT_EQ(mistakes_in(ions + "law = \"lennard-jones\"\nepsilon = -1\nsigma = -2\n"),
            (Said{"pair 1: epsilon: -1 is not >= 0", "pair 1: sigma: -2 is not >= 0"}));
  EXPECT_EQ(mistakes_in(ions + "law = \"coulomb\"\ncutoff = 2\nfrom = 1\n"),
            Said{"pair 1: from: is no number of the law coulomb: its cut-off is a reaction field"});
}

TEST(Molecules, HaveNoPairsOfMarkers) {
  EXPECT_EQ(
      mistakes_in("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, 0]\n"
                  "markers = { tip = [1, 0, 0] }\n[[pair]]\nlaw = \"power\"\nstrength = 1\n"
                  "exponent = -1\namong = [\"b.tip\"]\n"),
      std::vector<std::string>{"pair 1: among: 'b.tip' is a marker, which has no such pairs"});
}

TEST(Molecules, ReportEveryMistakeAtOnce) {
  Problems problems{"test.toml"};
  const Model model = read_model(R"toml(
name = "mistakes"
[box]
size = [5, 5, 5]
[points]
a = { mass = 1, at = [0, 0, 0] }
b = { mass = 1, at = [1, 0, 0] }
c = { mass = 1, at = [1, 1, 0] }
[[pair]]
law = "lennard-jones"
epsilon = 1
exponent = 3
[[pair]]
law = "coulomb"
cutoff = 2
[[pair]]
law = "lennard-jones"
epsilon = 1
sigma = 1
cutoff = 3
[[pair]]
law = "power"
strength = 1
exponent = -3
among = ["d*"]
[[pair]]
law = "power"
strength = 1
exponent = -3
cutoff = 2
from = 2.5
apart = 1.5
[[pair]]
law = "power"
strength = 1
exponent = -3
[[angle]]
between = ["a", "b"]
stiffness = 1
[[angle]]
between = ["a", "b", "c"]
stiffness = 1
angle = 120
[[dihedral]]
between = ["a", "b", "c", "a"]
barrier = 1
multiplicity = 1.5
[[bond]]
between = ["a", "b"]
stiffness = -1
[[water]]
name = "w"
molecules = 1000
)toml",
                                 problems);
  (void)compile(model, problems);
  const std::string message = problems.message();
  for (const char* part :
       {"pair 1: exponent: is no number of the law lennard-jones",
        "pair 1: needs epsilon and sigma", "pair 2: among: none of these points has a charge",
        "pair 3: cutoff: 3 is more than half of the shortest edge 5",
        "pair 4: among: there is no point 'd*'", "pair 5: from: 2.5 is not before the cut-off 2",
        "pair 5: apart: is 1.5", "pair 6: cutoff: is missing", "angle 1: between: has 2 names",
        "angle 2: angle: 120 is not between 0 and pi", "dihedral 1: between: names 'a' twice",
        "bond 1: stiffness: -1 is not > 0", "water 1: spacing: molecules 0.5 apart"})
    EXPECT_NE(message.find(part), std::string::npos) << part << "\n" << message;
  for (const Problem& problem : problems.sorted()) EXPECT_FALSE(problem.remedy.empty());
}

}  // namespace
}  // namespace taut::test
