// SPDX-License-Identifier: BSD-3-Clause
// Numbers with units: what they are in SI units, and where they do not fit.
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/model_file_schema.hpp"
#include "model/quantity.hpp"
#include "taut/model/compile.hpp"
#include "taut/model/model_file.hpp"

namespace taut {
namespace {

constexpr double half_turn = std::numbers::pi;

TEST(Units, AreConvertedToSi) {
  const auto value = [](const char* text) {
    const auto found = read_quantity(text);
    return found ? found->value : std::nan("");
  };
  EXPECT_DOUBLE_EQ(value("30 deg"), half_turn / 6);
  EXPECT_DOUBLE_EQ(value("5 mm"), 5e-3);
  EXPECT_DOUBLE_EQ(value("2.5 kN/m"), 2500);
  EXPECT_DOUBLE_EQ(value("-1.5e2 N/mm"), -1.5e5);
  EXPECT_DOUBLE_EQ(value("9.81 m/s^2"), 9.81);
  EXPECT_DOUBLE_EQ(value("1 g0"), 9.80665);
  EXPECT_DOUBLE_EQ(value("3000 rpm"), 100 * half_turn);
  EXPECT_DOUBLE_EQ(value("2 rev/s"), 4 * half_turn);
  EXPECT_DOUBLE_EQ(value("90 km/h"), 25);
  EXPECT_DOUBLE_EQ(value("2 min"), 120);
  EXPECT_DOUBLE_EQ(value("1.5h"), 5400);
  EXPECT_DOUBLE_EQ(value("7 kg m^2"), 7);
  EXPECT_DOUBLE_EQ(value("7 g*cm^2"), 7e-7);
  EXPECT_DOUBLE_EQ(value("4 N m/rad"), 4);
  EXPECT_DOUBLE_EQ(value("1 1/(N m)"), 1);
  EXPECT_DOUBLE_EQ(value("20 um"), 20e-6);
  EXPECT_DOUBLE_EQ(value("3 inch"), 0.0762);
}

TEST(Units, WhatIsNoneOfThemIsAnExpression) {
  for (const char* text : {"2*k", "2 k", "2/m", "m", "2", "2 m + 1", "2 (m)", "1e3", "2 pi", "2 e",
                           "2 m^x", "2 m/", "sin(2 m)", "", " ", "2 t", "(2 m)", "2 m)", "2 m^99"})
    EXPECT_FALSE(read_quantity(text).has_value()) << text;
}

Model units_model(const std::string& text, Problems& problems) {
  Model model = read_model(text, problems);
  if (problems.empty()) static_cast<void>(compile(model, problems));
  return model;
}

TEST(Units, AModelWithUnitsIsTheModelInSi) {
  Problems problems;
  const Model model = units_model(R"toml(
[parameters]
k = "2.5 kN/m"
n = "600 rpm"
[points]
bob = { mass = "250 g", at = ["30 cm", "-4 dm"], velocity = ["3.6 km/h", 0] }
[coordinates]
phi = { mass = "20 kg cm^2", at = "90 deg" }
[[spring]]
between = ["origin", "bob"]
stiffness = "k"
length = "200 mm"
[start]
phi = "45 deg"
[run]
until = "1 min"
every = "20 ms"
)toml",
                                  problems);
  ASSERT_TRUE(problems.empty()) << problems.message();
  EXPECT_DOUBLE_EQ(model.parameters[0].value.number(), 2500);
  EXPECT_DOUBLE_EQ(model.parameters[1].value.number(), 20 * half_turn);
  EXPECT_DOUBLE_EQ(model.points[0].mass.number(), 0.25);
  EXPECT_DOUBLE_EQ(model.points[0].at[0].number(), 0.3);
  EXPECT_DOUBLE_EQ(model.points[0].at[1].number(), -0.4);
  EXPECT_DOUBLE_EQ(model.points[0].velocity[0].number(), 1.0);
  EXPECT_DOUBLE_EQ(model.coordinates[0].mass.number(), 2e-3);
  EXPECT_DOUBLE_EQ(model.start[0].at->number(), half_turn / 4);
  EXPECT_DOUBLE_EQ(model.run.until->number(), 60);
  EXPECT_DOUBLE_EQ(model.run.every->number(), 0.02);
}

TEST(Units, OfAnotherDimensionAreRefusedWithTheirLine) {
  const auto message = [](const std::string& text) {
    Problems problems{"test.toml"};
    static_cast<void>(units_model(text, problems));
    return problems.message();
  };
  const auto has = [&](const std::string& text, const std::string& what) {
    EXPECT_NE(message(text).find(what), std::string::npos) << text << "\n-> " << message(text);
  };
  has("[points]\nbob = { mass = \"2 m\", at = [0, 0] }\n", "test.toml:2");
  has("[points]\nbob = { mass = \"2 m\", at = [0, 0] }\n", "\"2 m\" is a length; must be in kg");
  has("[points]\nbob = { mass = 1, at = [0, \"2 s\"] }\n", "\"2 s\" is a time; must be in m");
  has("[run]\nuntil = \"5 m\"\n[coordinates]\nq = { mass = 1 }\n", "must be in s");
  has("[run]\nomega = \"50 Hz\"\n[coordinates]\nq = { mass = 1 }\n", "must be in rad/s");
  // not a unit where the model gives the name to something else, nor inside of expressions
  has("[parameters]\nm = 3\nk = \"2 m\"\n[coordinates]\nq = { mass = 1 }\n", "expected");
  has("[parameters]\nk = \"2 kg + 1\"\n[coordinates]\nq = { mass = 1 }\n",
      "a unit stands behind a number that is the whole value");
}

TEST(Units, MoleculesHaveTheirOwn) {
  Problems problems;
  static_cast<void>(
      read_model("[points]\na = { mass = 1, at = [0, 0, 0] }\nb = { mass = 1, at = "
                 "[1, 0, 0] }\n[[bond]]\nbetween = [\"a\", \"b\"]\nstiffness = \"2 "
                 "N/m\"\nlength = 1\n",
                 problems));
  EXPECT_NE(problems.message().find("units of their own"), std::string::npos) << problems.message();
}

// every unit that a key of the file is described with is one that can be checked, but for those of
// molecules
TEST(Units, OfAllKeysAreKnown) {
  for (const model_file::Section& section : model_file::schema())
    for (const model_file::Key& key : section.keys) {
      for (const char* own : {"[kg]", "[m]", "[s]", "[N/m]", "[rad]", "[J]"})
        if (key.meaning.find(own) != std::string::npos) {
          const std::string_view unit{own};
          EXPECT_TRUE(dimension_of(unit.substr(1, unit.size() - 2))) << key.meaning;
        }
    }
  EXPECT_FALSE(dimension_of("Angstrom").has_value());
  EXPECT_FALSE(dimension_of("kinetic").has_value());
  EXPECT_TRUE(fits(*dimension_of("N m/rad"), *dimension_of("N m")));
  EXPECT_FALSE(fits(*dimension_of("Hz"), *dimension_of("rad/s")));
}

}  // namespace
}  // namespace taut
