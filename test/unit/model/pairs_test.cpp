// SPDX-License-Identifier: BSD-3-Clause
// Forces between all pairs: against the same energies written as formulas, whose derivatives are
// those of the graph, and against a plain sum.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "allocation_counter.hpp"
#include "pair_kernel.hpp"
#include "support.hpp"
#include "taut/core/threads.hpp"

namespace taut::test {
namespace {

constexpr Needs sums = needs(Target::force, Target::momentum_force, Target::potential_energy);

/// n points on a wobbly lattice, some of them charged, and what acts between them.
std::string points_and(int n, int dimension, const std::string& elements) {
  std::string text = "name = \"points\"\n[points]\n";
  const int side = dimension == 2 ? 100 : static_cast<int>(std::ceil(std::cbrt(n)));
  for (int k = 0; k < n; ++k) {
    const double w = 0.1 * std::sin(37.0 * k + 1.0);
    text += "p" + std::to_string(k + 1) +
            " = { mass = 1, charge = " + std::to_string(0.3 + 0.1 * (k % 3)) + ", at = [" +
            std::to_string(k % side + w) + ", " + std::to_string(k / side % side - 1.3 * w);
    if (dimension == 3) text += ", " + std::to_string(k / (side * side) + 0.7 * w);
    text += "] }\n";
  }
  return text + elements;
}

struct Evaluated {
  CompiledModel model;
  Evaluation out;
  Vec a, lambda;

  explicit Evaluated(const std::string& text) : model{compile_text(text)} {
    model.system.prepare(out);
    a = random_vector(model.system.nq(), 5);
    lambda = random_vector(model.system.nc(), 6);
  }
  Status at(const Vec& q, Needs wanted) {
    const Arguments here{.t = 0.0, .q = q, .v = model.given.v, .a = &a, .lambda = &lambda};
    return model.system.evaluate(wanted, here, out);
  }
  Status at_start(Needs wanted) { return at(model.given.q, wanted); }
};

void expect_near(const Vec& x, const Vec& truth, double tolerance) {
  ASSERT_EQ(x.size(), truth.size());
  EXPECT_LE((x - truth).cwiseAbs().maxCoeff(), tolerance * truth.cwiseAbs().maxCoeff());
}

void expect_same(const std::string& pairs, const std::string& formulas, const Vec* q = nullptr) {
  Evaluated field{pairs};
  Evaluated graph{formulas};
  const Needs all = sums | needs(Target::stiffness, Target::third);
  const Vec& at = q != nullptr ? *q : field.model.given.q;
  ASSERT_EQ(field.at(at, all), Status::ok);
  ASSERT_EQ(graph.at(at, all), Status::ok);
  EXPECT_NEAR(field.out.potential_energy, graph.out.potential_energy,
              1e-13 * (1.0 + std::abs(graph.out.potential_energy)));
  expect_near(field.out.f, graph.out.f, 1e-13);
  expect_near(field.out.momentum_force, graph.out.momentum_force, 1e-13);
  expect_near(Mat(field.out.K).reshaped(), Mat(graph.out.K).reshaped(), 1e-12);
  expect_near(field.out.third, graph.out.third, 1e-11);
  EXPECT_TRUE(field.model.system.structure().conservative);
}

const std::string distance_in_space =
    "sqrt((p{i}.x - p{j}.x)^2 + (p{i}.y - p{j}.y)^2 + (p{i}.z - p{j}.z)^2)";

TEST(Pairs, AreWhatTheSameEnergiesAsFormulasAre) {
  const std::string pairs = points_and(13, 3, R"toml(
[[pair]]
law = "lennard-jones"
among = ["p*"]
epsilon = 0.3
sigma = 1.1
[[pair]]
law = "coulomb"
strength = 2
[[pair]]
law = "power"
strength = 0.7
exponent = 1.5
among = ["p1*"]
with = ["p2", "p11"]
)toml");
  const std::string formulas =
      points_and(13, 3,
                 "[definitions]\n\"r{i}_{j}\" = { value = \"" + distance_in_space +
                     R"toml(", repeat = { i = "1:13", j = "1:13" } }
"c{k}" = { value = "0.3 + 0.1*({k-1} - 3*floor({k-1}/3))", repeat = { k = "1:13" } }
[[potential]]
energy = "4*0.3*((1.1/r{i}_{j})^12 - (1.1/r{i}_{j})^6) + 2*c{i}*c{j}/r{i}_{j}"
repeat = { i = "1:13", j = "i+1:13" }
[[potential]]
energy = "0.7*(r1_2^1.5 + r1_11^1.5 + r10_2^1.5 + r10_11^1.5 + r11_2^1.5 + r12_2^1.5 + r12_11^1.5 + r13_2^1.5 + r13_11^1.5)"
)toml");
  expect_same(pairs, formulas);
}

TEST(Pairs, OfThePlaneAndWithASwitchAreWhatFormulasAre) {
  const std::string pairs = points_and(6, 2, R"toml(
[[pair]]
law = "lennard-jones"
repulsion = 1.5
attraction = 0.8
cutoff = 3.2
from = 1.8
)toml");
  const std::string formulas = points_and(6, 2, R"toml(
[definitions]
"r{i}_{j}" = { value = "hypot(p{i}.x - p{j}.x, p{i}.y - p{j}.y)", repeat = { i = "1:6", j = "1:6" } }
"x{i}_{j}" = { value = "min(max((r{i}_{j} - 1.8)/1.4, 0), 1)", repeat = { i = "1:6", j = "1:6" } }
[[potential]]
energy = "(1.5/r{i}_{j}^12 - 0.8/r{i}_{j}^6)*(1 - x{i}_{j}^3*(10 - 15*x{i}_{j} + 6*x{i}_{j}^2))"
repeat = { i = "1:6", j = "i+1:6" }
)toml");
  expect_same(pairs, formulas);
}

TEST(Pairs, OfChargesEndAtTheCutOffWithAReactionField) {
  const std::string pairs = points_and(13, 3, R"toml(
[[pair]]
law = "coulomb"
strength = 2
cutoff = 1.9
[[pair]]
law = "lennard-jones"
among = ["p1*"]
epsilon = 0.3
sigma = 1.1
cutoff = 1.9
)toml");
  // r of pairs beyond the cut-off is held there: energy and force are 0
  const std::string formulas =
      points_and(13, 3,
                 "[definitions]\n\"r{i}_{j}\" = { value = \"min(" + distance_in_space +
                     R"toml(, 1.9)", repeat = { i = "1:13", j = "1:13" } }
"x{i}_{j}" = { value = "min(max((r{i}_{j} - 1.71)/0.19, 0), 1)", repeat = { i = "1:13", j = "1:13" } }
"S{i}_{j}" = { value = "1 - x{i}_{j}^3*(10 - 15*x{i}_{j} + 6*x{i}_{j}^2)", repeat = { i = "1:13", j = "1:13" } }
"c{k}" = { value = "0.3 + 0.1*({k-1} - 3*floor({k-1}/3))", repeat = { k = "1:13" } }
"u{i}_{j}" = { value = "4*0.3*((1.1/r{i}_{j})^12 - (1.1/r{i}_{j})^6)*S{i}_{j}", repeat = { i = "1:13", j = "1:13" } }
[[potential]]
energy = "2*c{i}*c{j}*(1/r{i}_{j} + r{i}_{j}^2/(2*1.9^3) - 3/(2*1.9))"
repeat = { i = "1:13", j = "i+1:13" }
[[potential]]
energy = "u1_10 + u1_11 + u1_12 + u1_13"
[[potential]]
energy = "u{i}_{j}"
repeat = { i = "10:13", j = "i+1:13" }
)toml");
  expect_same(pairs, formulas);
}

TEST(Pairs, SeeTheNearestImageInABox) {
  const std::string pair = R"toml(
[[pair]]
law = "coulomb"
cutoff = 2
)toml";
  Evaluated in_box{points_and(2, 3, "[box]\nsize = [4, 5, 6]\n" + pair)};
  Evaluated alone{points_and(2, 3, pair)};
  Vec q(6);
  q << 0.3, 0.2, 0.1, 1.1, -0.4, 0.9;
  ASSERT_EQ(alone.at(q, sums | need(Target::stiffness)), Status::ok);
  Vec moved = q;
  moved.tail(3) += Vec{{-8.0, 5.0, 18.0}};
  ASSERT_EQ(in_box.at(moved, sums | need(Target::stiffness)), Status::ok);
  EXPECT_NEAR(in_box.out.potential_energy, alone.out.potential_energy, 1e-14);
  expect_near(in_box.out.f, alone.out.f, 1e-13);
  expect_near(Mat(in_box.out.K).reshaped(), Mat(alone.out.K).reshaped(), 1e-12);
  EXPECT_GT(alone.out.f.norm(), 0.05);
}

/// A plain sum over all pairs in a box, for the neighbour list.
double plain_energy(const Vec& q, double edge, double from, double cutoff, Vec& f) {
  double energy = 0.0;
  f.setZero(q.size());
  for (Index i = 0; i < q.size(); i += 3)
    for (Index j = i + 3; j < q.size(); j += 3) {
      Vec d = q.segment(i, 3) - q.segment(j, 3);
      for (Index k = 0; k < 3; ++k) d[k] -= edge * std::round(d[k] / edge);
      const double r = d.norm();
      if (r >= cutoff) continue;
      const double x = std::clamp((r - from) / (cutoff - from), 0.0, 1.0);
      const double S = 1.0 - std::pow(x, 3) * (10.0 - 15.0 * x + 6.0 * x * x);
      const double dS = -30.0 * x * x * (1.0 - x) * (1.0 - x) / (cutoff - from);
      const double u = 4.0 * (std::pow(r, -12) - std::pow(r, -6));
      const double du = 4.0 * (-12.0 * std::pow(r, -13) + 6.0 * std::pow(r, -7));
      energy += S * u;
      const Vec force = -(S * du + dS * u) / r * d;
      f.segment(i, 3) += force;
      f.segment(j, 3) -= force;
    }
  return energy;
}

const std::string liquid = R"toml(
[box]
size = [10, 10, 10]
[[pair]]
law = "lennard-jones"
epsilon = 1
sigma = 1
cutoff = 2.5
)toml";

TEST(Pairs, OfANeighbourListAreThoseOfAllPairs) {
  Evaluated near{points_and(1000, 3, liquid)};
  EXPECT_FALSE(near.model.system.structure().differentiable);
  EXPECT_EQ(near.at_start(need(Target::stiffness)), Status::not_supported);
  // along a path that crosses the box, so that lists are kept, made again, and wrap around
  std::mt19937 engine{3};
  std::normal_distribution<double> normal;
  Vec q = near.model.given.q;
  Vec v(q.size());
  for (double& x : v) x = 0.05 * normal(engine);
  Vec f;
  for (int step = 0; step < 12; ++step) {
    ASSERT_EQ(near.at(q, sums), Status::ok);
    const double energy = plain_energy(q, 10.0, 2.25, 2.5, f);
    EXPECT_NEAR(near.out.potential_energy, energy, 1e-12 * std::abs(energy)) << step;
    expect_near(near.out.f, f, 1e-12);
    // the same bits as without any history
    Evaluated fresh = near;
    fresh.model.system.prepare(fresh.out);
    ASSERT_EQ(fresh.at(q, sums), Status::ok);
    EXPECT_EQ(fresh.out.f, near.out.f) << step;
    EXPECT_EQ(fresh.out.potential_energy, near.out.potential_energy);
    q += v;
    if (step == 6) q.array() += 7.0;
  }
}

// 300 points: with a cut-off of 0.9 of half the box all pairs are looked at, with one of a quarter
// a list says who is near
TEST(Pairs, AreTheSameWhetherOrNotAListSaysWhoIsNear) {
  for (const double cutoff : {3.1, 1.9}) {
    Evaluated some{points_and(300, 3, R"toml(
[box]
size = [7, 7, 7]
[[pair]]
law = "lennard-jones"
epsilon = 1
sigma = 1
cutoff = )toml" + std::to_string(cutoff))};
    Vec f;
    Vec q = some.model.given.q;
    q.array() += 4.0 * random_vector(1, 8)[0];
    ASSERT_EQ(some.at(q, sums), Status::ok);
    const double energy = plain_energy(q, 7.0, 0.9 * cutoff, cutoff, f);
    EXPECT_NEAR(some.out.potential_energy, energy, 1e-12 * std::abs(energy)) << cutoff;
    expect_near(some.out.f, f, 1e-12);
  }
}

TEST(Pairs, PushBackAndTurnNothing) {
  Evaluated free{points_and(60, 3,
                            "[[pair]]\nlaw = \"lennard-jones\"\nepsilon = 1\nsigma = 1.2\n"
                            "[[pair]]\nlaw = \"coulomb\"\nstrength = -3\n")};
  ASSERT_EQ(free.at_start(sums), Status::ok);
  Vec force = Vec::Zero(3);
  Vec torque = Vec::Zero(3);
  const Vec& q = free.model.given.q;
  for (Index i = 0; i < q.size(); i += 3) {
    const Vec x = q.segment(i, 3);
    const Vec f = free.out.f.segment(i, 3);
    force += f;
    for (Index k = 0; k < 3; ++k)
      torque[k] += x[(k + 1) % 3] * f[(k + 2) % 3] - x[(k + 2) % 3] * f[(k + 1) % 3];
  }
  const double size = free.out.f.cwiseAbs().maxCoeff();
  EXPECT_LE(force.norm(), 1e-13 * size);
  EXPECT_LE(torque.norm(), 1e-12 * size);
}

TEST(Pairs, GiveTheSameBitsForEveryNumberOfThreadsAndEveryInstructionSet) {
  const std::string waters = "name = \"waters\"\n[[water]]\nmolecules = 90\n";
  const std::string all_images =
      waters + "electrostatics = \"ewald\"\n[box]\nsize = [14, 14, 14]\n";
  for (const std::string& text : {waters, all_images, points_and(600, 3, liquid)}) {
    std::vector<Vec> forces;
    for (const unsigned threads : {1U, 2U, 3U}) {
      use_threads(threads);
      Evaluated some{text};
      ASSERT_EQ(some.at_start(sums), Status::ok);
      forces.push_back(some.out.f);
      forces.back().conservativeResize(some.out.f.size() + 1);
      forces.back()[some.out.f.size()] = some.out.potential_energy;
    }
    use_threads(0);
    EXPECT_EQ(forces[0], forces[1]);
    EXPECT_EQ(forces[0], forces[2]);
  }

  constexpr int n = 21;
  std::vector<double> x(n + 8), y(n + 8), z(n + 8), charge(n + 8, 0.7);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = 1.1 * static_cast<double>(i);
    y[i] = std::sin(x[i]);
    z[i] = std::cos(3.0 * x[i]);
  }
  const std::vector<PairLaw> laws{{.repulsion = 2.0, .attraction = 1.0, .coulomb = 3.0},
                                  {.coulomb = -1.0},
                                  {.powers = {{0.3, -2.5}}}};
  const std::vector<PairSegment> segments{{1, 12, 0}, {13, 21, 1}, {18, 21, 2}};
  const std::vector<int> first{0, 2, 3};
  std::vector<int> partners;
  for (int j = 1; j < n; ++j) partners.push_back(j);
  const std::vector<PairSegment> listed{{0, 13, 0}, {13, 17, 1}, {17, 20, 2}};
  const std::vector<int> first_listed{0, 3};
  const PairNeighbours near{.first = first_listed.data(),
                            .segments = listed.data(),
                            .partners = partners.data(),
                            .laws = laws.data()};
  const PairColumns at{x.data(), y.data(), z.data(), charge.data()};
  const PairTable table{first.data(), segments.data(), laws.data()};
  for (const double alpha : {0.0, 0.2}) {
    const PairReach reach{.range = {.from = 8.0, .cutoff = 17.0, .alpha = alpha},
                          .edge = {90.0, 0.0, 0.0}};
    std::vector<std::vector<double>> found;
    for (const PairKernel& kernel : pair_kernels()) {
      std::vector<double> f;
      const auto keep = [&](auto&& add) {
        std::vector<double> forces(3 * (n + 8), 0.0);
        PairSums to{forces.data(), forces.data() + n + 8, forces.data() + 2 * (n + 8)};
        add(to);
        f.insert(f.end(), forces.begin(), forces.end());
        f.push_back(to.energy);
      };
      keep([&](PairSums& to) { kernel.add_table(table, 0, 2, at, to); });
      keep([&](PairSums& to) { kernel.add_table_within(table, reach, 0, 2, at, to); });
      keep([&](PairSums& to) { kernel.add_neighbours(near, reach, 0, 1, at, to); });
      std::vector<int> places(n + 8);
      const double here[3] = {x[4], y[4], z[4]};
      const int within = kernel.find_within(here, 4.0, reach.edge, n, at, places.data());
      f.insert(f.end(), places.begin(), places.begin() + within);
      EXPECT_TRUE(
          std::all_of(f.begin(), f.end(), [](double value) { return std::isfinite(value); }));
      EXPECT_GT(within, 3);
      found.push_back(f);
    }
    for (const auto& f : found) {
      ASSERT_EQ(f.size(), found.front().size());
      EXPECT_EQ(0, std::memcmp(f.data(), found.front().data(), f.size() * sizeof(double)));
    }
  }
}

TEST(Pairs, SparePointsThatAreJoined) {
  const auto energy = [](const std::string& apart) {
    Evaluated chain{R"toml(
name = "chain"
[points]
"p{k}" = { mass = 1, charge = 1, at = ["{k}", 0], repeat = { k = "1:5" } }
[[rod]]
between = ["p1", "p2"]
[[spring]]
between = ["p2", "p3"]
stiffness = 1
[[bond]]
between = ["p3", "p4"]
stiffness = 1
[[pair]]
law = "coulomb"
)toml" + apart};
    EXPECT_EQ(chain.at_start(sums), Status::ok);
    return chain.out.potential_energy;
  };
  // p5 is free; distances are whole numbers
  const double all = 4.0 / 1 + 3.0 / 2 + 2.0 / 3 + 1.0 / 4;
  EXPECT_NEAR(energy("apart = 1"), all, 1e-14);
  EXPECT_NEAR(energy("apart = 2"), all - 3.0, 1e-14);
  EXPECT_NEAR(energy(""), all - 3.0 - 2.0 / 2, 1e-14);
  EXPECT_NEAR(energy("apart = 4"), all - 3.0 - 2.0 / 2 - 1.0 / 3, 1e-14);
}

TEST(Pairs, NameWhoOverlaps) {
  for (const std::string cutoff : {"", "cutoff = 2\n"}) {
    Evaluated some{points_and(4, 3, "[[pair]]\nlaw = \"coulomb\"\n" + cutoff)};
    Vec q = some.model.given.q;
    q.segment(6, 3) = q.segment(3, 3);
    EXPECT_EQ(some.at(q, need(Target::force)), Status::non_finite);
    EXPECT_EQ(some.model.system.culprit({.t = 0.0, .q = q, .v = some.model.given.v}),
              "pair 1: p2 and p3");
    q[6] = std::nan("");
    EXPECT_EQ(some.at(q, need(Target::force)), Status::non_finite);
    EXPECT_EQ(some.model.system.culprit({.t = 0.0, .q = q, .v = some.model.given.v}),
              "pair 1: position of p3");
  }
}

TEST(Pairs, AllocateNothingOnceTheyAreEvaluated) {
  const std::string waters = "name = \"waters\"\n[[water]]\nmolecules = 80\n";
  for (const std::string& text :
       {waters, waters + "electrostatics = \"ewald\"\n[box]\nsize = [14, 14, 14]\n",
        points_and(500, 3, liquid)}) {
    Evaluated some{text};
    ASSERT_EQ(some.at_start(sums), Status::ok);
    Vec q = some.model.given.q;
    const auto before = allocations();
    for (int k = 0; k < 20; ++k) {
      q.array() += 0.05;  // together far enough for a new list
      ASSERT_EQ(some.at(q, sums), Status::ok);
    }
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace taut::test
