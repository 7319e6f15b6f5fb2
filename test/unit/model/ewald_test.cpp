// SPDX-License-Identifier: BSD-3-Clause
// Charges and all their images in a box: against constants of crystals, a plain sum over images and
// waves with a splitting of its own, differences, and the energy of a motion.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "screening.hpp"
#include "support.hpp"

namespace taut::test {
namespace {

using Edges = std::array<double, 3>;

struct Ions {
  Edges edge{};
  std::vector<std::array<double, 3>> at;
  std::vector<double> charge;
};

std::string digits(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", x);
  return text.data();
}

std::string three(const std::array<double, 3>& x) {
  return "[" + digits(x[0]) + ", " + digits(x[1]) + ", " + digits(x[2]) + "]";
}

/// A model of ions with Ewald's sum.
std::string ionic(const Ions& ions, const std::string& fields) {
  std::string text = "name = \"ions\"\n[box]\nsize = " + three(ions.edge) + "\n[points]\n";
  for (std::size_t i = 0; i < ions.at.size(); ++i)
    text += "p" + std::to_string(i + 1) + " = { mass = 1, charge = " + digits(ions.charge[i]) +
            ", at = " + three(ions.at[i]) + " }\n";
  return text + "[[pair]]\nlaw = \"coulomb\"\nelectrostatics = \"ewald\"\n" + fields;
}

class Images {
 public:
  explicit Images(const std::string& text) : model{compile_text(text)} {
    model.system.prepare(out_);
  }
  const Evaluation& at(const Vec& q) {
    const Arguments here{.t = 0.0, .q = q, .v = model.given.v};
    EXPECT_EQ(model.system.evaluate(needs(Target::force, Target::potential_energy), here, out_),
              Status::ok);
    return out_;
  }
  const Evaluation& at_start() { return at(model.given.q); }

  CompiledModel model;

 private:
  Evaluation out_;
};

/// Ions anywhere; the last one makes the box neutral, or not.
Ions some_ions(int n, double rest) {
  Ions ions{.edge = {3.0, 4.0, 3.5}, .at = {}, .charge = {}};
  const Vec x = random_vector(3 * n, 11);
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    ions.at.push_back({3.0 * x[3 * i], 4.0 * x[3 * i + 1], 6.0 * x[3 * i + 2]});
    ions.charge.push_back(i + 1 < n ? (i % 2 == 0 ? 1.0 : -1.3) : rest - sum);
    sum += ions.charge.back();
  }
  return ions;
}

struct Sum {
  double energy = 0.0;
  Vec force;
};

/// Ewald's sum by its definition, with erfc to the third image and every wave that counts.
Sum plain_sum(const Ions& ions) {
  const double pi = std::numbers::pi;
  const double shortest = std::min(ions.edge[0], std::min(ions.edge[1], ions.edge[2]));
  const double alpha = 5.0 / shortest;  // erfc(5) = 1.5e-12, erfc(6.5) = 4e-20
  const double volume = ions.edge[0] * ions.edge[1] * ions.edge[2];
  const std::size_t n = ions.at.size();
  Sum result{.energy = 0.0, .force = Vec::Zero(3 * static_cast<Index>(n))};
  double charge = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    charge += ions.charge[i];
    result.energy -= alpha / std::sqrt(pi) * ions.charge[i] * ions.charge[i];
    for (std::size_t j = 0; j < n; ++j)
      for (int image = 0; image < 125; ++image) {
        Eigen::Vector3d d;
        for (int k = 0; k < 3; ++k) {
          const auto axis = static_cast<std::size_t>(k);
          d[k] = ions.at[i][axis] - ions.at[j][axis];
          d[k] -= ions.edge[axis] * std::round(d[k] / ions.edge[axis]);
        }
        d[0] += ions.edge[0] * (image % 5 - 2);
        d[1] += ions.edge[1] * (image / 5 % 5 - 2);
        d[2] += ions.edge[2] * (image / 25 - 2);
        const double r = d.norm();
        if (r == 0.0 || r > 1.3 * shortest) continue;
        const double c = ions.charge[i] * ions.charge[j];
        const double u = c * std::erfc(alpha * r) / r;
        const double slope = c * 2.0 * alpha / std::sqrt(pi) * std::exp(-alpha * alpha * r * r);
        result.energy += u / 2.0;
        result.force.segment<3>(3 * static_cast<Index>(i)) += (u + slope) / (r * r) * d;
      }
  }
  result.energy -= pi / (2.0 * volume * alpha * alpha) * charge * charge;
  const double last = 12.5 * alpha;  // exp(-39) = 1e-17
  const auto most = [&](std::size_t k) {
    return static_cast<int>(last * ions.edge[k] / (2.0 * pi));
  };
  for (int a = -most(0); a <= most(0); ++a)
    for (int b = -most(1); b <= most(1); ++b)
      for (int c = 0; c <= most(2); ++c) {
        // of two opposite waves, one
        if (c == 0 && (b < 0 || (b == 0 && a <= 0))) continue;
        const Eigen::Vector3d k{2.0 * pi * a / ions.edge[0], 2.0 * pi * b / ions.edge[1],
                                2.0 * pi * c / ions.edge[2]};
        if (k.norm() > last) continue;
        const double weight = 2.0 * 4.0 * pi / (volume * k.squaredNorm()) *
                              std::exp(-k.squaredNorm() / (4.0 * alpha * alpha));
        std::complex<double> S = 0.0;
        std::vector<std::complex<double>> waves;
        for (std::size_t i = 0; i < n; ++i) {
          waves.push_back(
              std::polar(1.0, k[0] * ions.at[i][0] + k[1] * ions.at[i][1] + k[2] * ions.at[i][2]));
          S += ions.charge[i] * waves.back();
        }
        result.energy += weight / 2.0 * std::norm(S);
        for (std::size_t i = 0; i < n; ++i)
          result.force.segment<3>(3 * static_cast<Index>(i)) +=
              weight * ions.charge[i] * (std::conj(S) * waves[i]).imag() * k;
      }
  return result;
}

TEST(Ewald, OfCrystalsIsMadelungsConstant) {
  Ions salt{.edge = {2.0, 2.0, 2.0}, .at = {}, .charge = {}};
  for (int k = 0; k < 8; ++k) {
    salt.at.push_back({0.1 + k % 2, 0.2 + k / 2 % 2, -7.3 + k / 4});
    salt.charge.push_back((k % 2 + k / 2 % 2 + k / 4) % 2 == 0 ? 1.0 : -1.0);
  }
  Images sodium_chloride{ionic(salt, "accuracy = 1e-12\n")};
  EXPECT_NEAR(-sodium_chloride.at_start().potential_energy / 4.0, 1.74756459463318219, 2e-12);
  EXPECT_LE(sodium_chloride.at_start().f.cwiseAbs().maxCoeff(), 1e-11);

  const Ions pair{
      .edge = {1.0, 1.0, 1.0}, .at = {{0.1, 0.2, 0.3}, {0.6, 0.7, 0.8}}, .charge = {1.0, -1.0}};
  Images caesium_chloride{ionic(pair, "accuracy = 1e-12\n")};
  EXPECT_NEAR(-caesium_chloride.at_start().potential_energy * std::sqrt(0.75), 1.76267477307098840,
              2e-12);
}

// whatever is left to waves, and whatever the charges add up to
TEST(Ewald, IsAsAccurateAsItSaysForEveryCutOff) {
  for (const double rest : {0.0, 2.0}) {
    const Ions ions = some_ions(40, rest);
    const Sum truth = plain_sum(ions);
    double squares = 0.0;
    for (const double Q : ions.charge) squares += Q * Q / 40.0;
    // the force of two such charges at their mean distance
    const double unit = squares / std::pow(3.0 * 4.0 * 3.5 / 40.0, 2.0 / 3.0);
    for (const double accuracy : {1e-3, 1e-6, 1e-10})
      for (const std::string cutoff : {"", "cutoff = 1.1\n"}) {
        Images ewald{ionic(ions, "apart = 1\naccuracy = " + digits(accuracy) + "\n" + cutoff)};
        const Evaluation& found = ewald.at_start();
        const double error = (found.f - truth.force).norm() / std::sqrt(40.0);
        EXPECT_LE(error, accuracy * unit) << rest << " " << accuracy << " " << cutoff;
        EXPECT_GE(error, 1e-4 * accuracy * unit) << "more work than was asked for";
        EXPECT_NEAR(found.potential_energy, truth.energy, 40.0 * accuracy * unit);
      }
  }
}

// ten times the distances and twice the strength: 1/5 of the energy
TEST(Ewald, KnowsUnits) {
  Ions ions = some_ions(10, 0.0);
  Images one{ionic(ions, "accuracy = 1e-9\n")};
  for (double& edge : ions.edge) edge *= 10.0;
  for (auto& x : ions.at)
    for (double& coordinate : x) coordinate *= 10.0;
  Images other{ionic(ions, "accuracy = 1e-9\nstrength = 2\n")};
  EXPECT_NEAR(other.at_start().potential_energy, one.at_start().potential_energy / 5.0,
              1e-12 * std::abs(one.at_start().potential_energy));
}

TEST(Ewald, HasForcesThatAreItsExactGradient) {
  Images rough{ionic(some_ions(12, 0.0), "accuracy = 1e-2\n")};
  const Vec& q = rough.model.given.q;
  const Vec f = rough.at_start().f;
  const Mat gradient = differences(
      [&](const Vec& x) {
        Vec energy(1);
        energy[0] = rough.at(x).potential_energy;
        return energy;
      },
      q);
  EXPECT_LE((f + gradient.transpose()).cwiseAbs().maxCoeff(), 1e-8 * f.cwiseAbs().maxCoeff());
}

// a molecule meets its images, but not itself
TEST(Ewald, SparesWhatIsJoined) {
  const std::string text = R"toml(
name = "one molecule"
[box]
size = [6, 7, 8]
[[water]]
molecules = 1
at = [2.9, 3.4, -0.1]
cutoff = 3
electrostatics = "ewald"
accuracy = 1e-10
)toml";
  Images water{text};
  Ions sites{.edge = {6.0, 7.0, 8.0}, .at = {}, .charge = {-0.834, 0.417, 0.417}};
  const Vec& q = water.model.given.q;
  for (Index i = 0; i < 9; i += 3) sites.at.push_back({q[i], q[i + 1], q[i + 2]});
  Sum truth = plain_sum(sites);
  for (Index i = 0; i < 3; ++i)
    for (Index j = 0; j < 3; ++j) {
      if (i == j) continue;
      const Eigen::Vector3d d = q.segment<3>(3 * i) - q.segment<3>(3 * j);
      const double c =
          sites.charge[static_cast<std::size_t>(i)] * sites.charge[static_cast<std::size_t>(j)];
      truth.energy -= c / d.norm() / 2.0;
      truth.force.segment<3>(3 * i) -= c / std::pow(d.norm(), 3) * d;
    }
  EXPECT_NEAR(water.at_start().potential_energy, 332.0637 * truth.energy, 1e-7);
  EXPECT_LE((water.at_start().f - 332.0637 * truth.force).cwiseAbs().maxCoeff(), 1e-7);

  // the same, when charges are left to a law of the model's own
  std::string apart = text;
  apart.replace(apart.find("ewald\"\naccuracy = 1e-10\n"), 24,
                "none\"\n[[pair]]\nlaw = \"coulomb\"\nstrength = 332.0637\ncutoff = 3\n"
                "electrostatics = \"ewald\"\naccuracy = 1e-10\n");
  Images own{apart};
  EXPECT_NEAR(own.at_start().potential_energy, water.at_start().potential_energy, 1e-12);
}

// half the step, a quarter of the error of the energy, at an accuracy far below it
TEST(Ewald, KeepsTheEnergyOfAMotionWhateverItsAccuracy) {
  Ions salt{.edge = {4.0, 4.0, 4.0}, .at = {}, .charge = {}};
  for (int k = 0; k < 64; ++k) {
    const int x = k % 4, y = k / 4 % 4, z = k / 16;
    const double w = 0.06 * std::sin(37.0 * k);
    salt.at.push_back({x + w, y - 0.7 * w, z + 1.3 * w});
    salt.charge.push_back((x + y + z) % 2 == 0 ? 1.0 : -1.0);
  }
  Images crystal{ionic(salt,
                       "accuracy = 1e-2\ncutoff = 1.7\n[[pair]]\nlaw = \"lennard-jones\"\n"
                       "repulsion = 0.1\nattraction = 0\ncutoff = 1.7\n")};
  const auto error = [&](int steps) {
    const double h = 1.0 / steps;
    Vec q = crystal.model.given.q;
    Vec v = Vec::Zero(q.size());
    Vec f = crystal.at(q).f;
    const double start = crystal.at(q).potential_energy;
    double worst = 0.0;
    for (int n = 0; n < steps; ++n) {
      v += h / 2.0 * f;
      q += h * v;
      f = crystal.at(q).f;
      v += h / 2.0 * f;
      worst =
          std::max(worst, std::abs(crystal.at(q).potential_energy + v.squaredNorm() / 2.0 - start));
    }
    return worst;
  };
  const double coarse = error(40), fine = error(80);
  EXPECT_NEAR(coarse / fine, 4.0, 0.6);
  EXPECT_LT(fine, 0.02);
}

TEST(Ewald, ScreensAsErfcDoes) {
  for (int n = 0; n <= 1000; ++n) {
    const double z = Screening::farthest * n / 1000.0;
    const double x = Screening::argument(z);
    double sum = 0.0;
    for (std::size_t k = Screening::terms; k-- > 0;) sum = sum * x + screening().coefficients[k];
    const long double truth = std::erfc(static_cast<long double>(z)) *
                              std::exp(static_cast<long double>(z) * static_cast<long double>(z));
    EXPECT_NEAR(sum / static_cast<double>(truth), 1.0, 4e-15) << z;
  }
}

TEST(Ewald, SaysWhatItNeeds) {
  const auto refused = [](const std::string& text, const std::string& sentence) {
    try {
      (void)compile_text(text);
      ADD_FAILURE() << "not refused: " << sentence;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string{error.what()}.find(sentence), std::string::npos) << error.what();
    }
  };
  const Ions ions = some_ions(4, 0.0);
  const std::string fine = ionic(ions, "");
  refused(fine.substr(0, fine.find("[box]")) + fine.substr(fine.find("[points]")),
          "there is no [box] with three edges");
  refused(ionic(ions, "accuracy = 0\n"), "accuracy");
  refused(ionic(ions, "with = [\"p1\"]\n"), "all charges of one group");
  refused(ionic(ions, "cutoff = 1.6\n"), "more than half of the shortest edge");
  std::string other = fine;
  other.replace(other.find("law = \"coulomb\""), 15, "law = \"power\"\nstrength = 1\nexponent = 2");
  refused(other, "is of the law coulomb alone");
  other = fine + "accuracy = 1e-5\n";
  other.replace(other.find("electrostatics = \"ewald\"\n"), 25, "cutoff = 1\n");
  refused(other, "there is none");
}

}  // namespace
}  // namespace taut::test
