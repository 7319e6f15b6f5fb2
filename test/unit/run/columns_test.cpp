// SPDX-License-Identifier: BSD-3-Clause
#include "taut/run/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "models.hpp"
#include "taut/core/problems.hpp"
#include "taut/methods/registry.hpp"
#include "taut/run/curve_motion.hpp"
#include "taut/run/integrate.hpp"

namespace taut {
namespace {

static_assert(std::random_access_iterator<Column::Iterator>);

Motion motion_with_columns() {
  const test::Example e = test::double_pendulum(R"toml(
[[invariant]]
name = "height"
value = "a.y + b.y"
)toml");
  Motion motion;
  const Summary s = integrate(e.system, e.start, make_method("rattle").value(),
                              {.until = 0.1, .step = 0.01}, motion);
  EXPECT_TRUE(s.good());
  return motion;
}

TEST(Columns, AreFoundByName) {
  const Motion motion = motion_with_columns();
  const Column y = motion["b.y"], vy = motion["b.vy"], t = motion["t"];
  ASSERT_EQ(y.size(), motion.rows());
  for (std::size_t row = 0; row < motion.rows(); ++row) {
    EXPECT_EQ(t[row], motion.t[row]);
    EXPECT_EQ(y[row], motion.q[4 * row + 3]);
    EXPECT_EQ(vy[row], motion.v[4 * row + 3]);
    EXPECT_EQ(motion["rod 2"][row], motion.lambda[2 * row + 1]);
    EXPECT_EQ(motion.column("lambda(rod 2)")[row], motion.lambda[2 * row + 1]);
    EXPECT_EQ(motion["energy"][row], motion.energy[row]);
    EXPECT_EQ(motion["step"][row], motion.step[row]);
    EXPECT_EQ(motion["rejected"][row], motion.rejected[row]);
    EXPECT_NEAR(motion["height"][row], motion["a.y"][row] + y[row], 1e-15);
  }
  EXPECT_EQ(*std::max_element(y.begin(), y.end()), y[0]);
  EXPECT_EQ(y.front(), 1.0);
  EXPECT_EQ(y.back(), *(y.end() - 1));
  EXPECT_EQ(std::distance(y.begin(), y.end()), static_cast<std::ptrdiff_t>(y.size()));
}

TEST(Columns, OfUnknownNamesSayTheNearest) {
  const Motion motion = motion_with_columns();
  const auto complaint = [&](const char* name) -> std::string {
    try {
      (void)motion[name];
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_NE(complaint("b.yy").find("did you mean 'b."), std::string::npos) << complaint("b.yy");
  EXPECT_NE(complaint("enrgy").find("did you mean 'energy'"), std::string::npos);
  // nothing is near: all of them
  const std::string all = complaint("temperature of the bath");
  EXPECT_NE(all.find("temperature of the bath"), std::string::npos) << all;
  EXPECT_NE(all.find("lambda(rod 1)"), std::string::npos) << all;
}

TEST(Columns, OfACurve) {
  CurveMotion motion;
  motion.coordinates = {"x", "u"};
  motion.unknowns = {"pressure"};
  Vec p(2);
  for (int k = 0; k < 3; ++k) {
    p << k, 10 + k;
    motion.append({.s = 0.5 * k, .p = p, .max_equation = 1e-16, .step = 0.5});
    motion.unknown.push_back(100 + k);
  }
  EXPECT_EQ(motion["s"][2], 1.0);
  EXPECT_EQ(motion["u"][1], 11.0);
  EXPECT_EQ(motion["pressure"][2], 102.0);
  EXPECT_EQ(motion["max_equation"][0], 1e-16);
  EXPECT_THROW((void)motion["v"], ModelError);
}

// what is found by name is what is written, in the same order
TEST(Columns, StandInFilesAsTheyAreListed) {
  const Motion motion = motion_with_columns();
  std::vector<std::string> names;
  for (const ColumnGroup& group : motion.groups())
    for (std::size_t k = 0; group.written && k < group.width(); ++k)
      names.push_back(group.column(k));
  EXPECT_EQ(names, (std::vector<std::string>{"t",
                                             "a.x",
                                             "a.y",
                                             "b.x",
                                             "b.y",
                                             "a.vx",
                                             "a.vy",
                                             "b.vx",
                                             "b.vy",
                                             "lambda(rod 1)",
                                             "lambda(rod 2)",
                                             "energy",
                                             "max_constraint",
                                             "max_velocity_constraint",
                                             "step",
                                             "kinetic_energy",
                                             "potential_energy",
                                             "work",
                                             "a.ax",
                                             "a.ay",
                                             "b.ax",
                                             "b.ay"}));
}

}  // namespace
}  // namespace taut
