// SPDX-License-Identifier: BSD-3-Clause
// What the compiler refuses: each mistake with its line, what it is, and a remedy.
#include <gtest/gtest.h>

#include "support.hpp"

namespace taut::test {
namespace {

std::vector<Problem> problems_of(const std::string& toml) {
  Problems problems{"test.toml"};
  const Model model = read_model(toml, problems);
  [[maybe_unused]] const CompiledModel unused = compile(model, problems);
  return problems.sorted();
}

struct Case {
  const char* name;
  const char* toml;
  int line;
  const char* what;
  const char* remedy;
};

class Mistakes : public testing::TestWithParam<Case> {};

TEST_P(Mistakes, IsReportedOnceWithLineAndRemedy) {
  const auto found = problems_of(GetParam().toml);
  ASSERT_EQ(found.size(), 1U) << (found.empty() ? "" : found[1].what);
  EXPECT_EQ(found[0].at.line, GetParam().line) << found[0].what;
  EXPECT_NE(found[0].what.find(GetParam().what), std::string::npos) << found[0].what;
  EXPECT_NE(found[0].remedy.find(GetParam().remedy), std::string::npos) << found[0].remedy;
}

INSTANTIATE_TEST_SUITE_P(
    Compiler, Mistakes,
    testing::Values(
        Case{"ParameterCycle",
             "[parameters]\na = \"b\"\nb = \"c+1\"\nc = \"a\"\n[coordinates]\nq = { mass = 1 }\n",
             2, "a -> b -> c -> a", "number"},
        Case{"DefinitionCycle",
             "[coordinates]\nq = { mass = 1 }\n[definitions]\nu = \"w\"\nw = \"u + "
             "q\"\n[[potential]]\nenergy = \"u\"\n",
             4, "u -> w -> u", "without the others"},
        Case{"UnknownName",
             "[coordinates]\nangle = { mass = 1 }\n[[potential]]\nenergy = \"cos(angel)\"\n", 4,
             "angel", "angle"},
        Case{"VelocityInPotential",
             "[coordinates]\nq = { mass = 1 }\n[[potential]]\nenergy = \"v(q)^2\"\n", 4,
             "is a velocity", "positions"},
        Case{"VelocityInConstraint",
             "[points]\nb = { mass = 1, at = [1, 0] }\n[[constraint]]\nzero = \"b.vx\"\n", 4,
             "is a velocity", "positions"},
        Case{"TimeInParameter", "[parameters]\na = \"t\"\n[coordinates]\nq = { mass = 1 }\n", 2,
             "changes in time", "parameters only"},
        Case{"NoMass", "[coordinates]\nq = { at = 1 }\n[[potential]]\nenergy = \"q^2\"\n", 2,
             "no inertia", "mass"},
        Case{"NegativeMass", "[coordinates]\nq = { mass = -1 }\n", 2, "negative", ">= 0"},
        Case{"NotQuadratic", "[coordinates]\nq = { mass = 1 }\n[[kinetic]]\nenergy = \"v(q)^3\"\n",
             4, "not quadratic", "products of two"},
        Case{"KineticWithoutVelocity",
             "[coordinates]\nq = { mass = 1 }\n[[kinetic]]\nenergy = \"q^2\"\n", 4, "no square",
             "[[potential]]"},
        Case{"UnknownEnd",
             "[points]\nbob = { mass = 1, at = [1, 0] }\n[[rod]]\nbetween = [\"origin\", "
             "\"bib\"]\nlength = 1\n",
             4, "'bib'", "'bob'"},
        Case{"RodOfNoLength",
             "[points]\nbob = { mass = 1, at = [1, 0] }\n[[rod]]\nbetween = [\"origin\", "
             "\"bob\"]\nlength = 0\n",
             5, "not > 0", "coincide"},
        Case{"RodToItself",
             "[points]\nbob = { mass = 1, at = [1, 0] }\n[[rod]]\nbetween = [\"bob\", "
             "\"bob\"]\nlength = 1\n",
             4, "same point", "different"},
        Case{"MixedDimensions",
             "[points]\na = { mass = 1, at = [1, 0] }\nb = { mass = 1, at = [1, 0, 0] "
             "}\n[[rod]]\nbetween = [\"a\", \"b\"]\nlength = 1\n",
             5, "dimensions", "both three"},
        Case{"NegativeCompliance",
             "[points]\nbob = { mass = 1, at = [1, 0] }\n[[rod]]\nbetween = [\"origin\", "
             "\"bob\"]\ncompliance = -1\n",
             3, "negative", "rigid"},
        Case{"NegativeDamping",
             "[points]\nbob = { mass = 1, at = [1, 0] }\n[[rod]]\nbetween = [\"origin\", "
             "\"bob\"]\ncompliance = 1\ndamping = -2\n",
             6, "negative", "positive damping"},
        Case{"DampingOfARigidConstraint",
             "[coordinates]\nq = { mass = 1 }\n[[constraint]]\nzero = \"q\"\ndamping = 2\n", 5,
             "rigid", "compliance > 0"},
        Case{"ConstraintWithoutCoordinate",
             "[coordinates]\nq = { mass = 1 }\n[[constraint]]\nzero = \"t - 1\"\n", 4,
             "no coordinate", "position"},
        Case{"ForceOnNothing",
             "[coordinates]\nq = { mass = 1 }\n[[force]]\non = \"p\"\nvalue = \"1\"\n", 4, "'p'",
             "coordinate"},
        Case{"DivisionByZero", "[parameters]\na = \"1/0\"\n[coordinates]\nq = { mass = 1 }\n", 2,
             "finite", "divisions by zero"},
        Case{"DuplicateConstraintName",
             "[coordinates]\nq = { mass = 1 }\np = { mass = 1 }\n[[constraint]]\nname = "
             "\"c\"\nzero = \"q\"\n[[constraint]]\nname = \"c\"\nzero = \"p\"\n",
             8, "name of another", "own name"},
        Case{"DuplicateNameInARepeat",
             "[coordinates]\nq = { mass = 1 }\n[[potential]]\nname = \"well\"\nenergy = "
             "\"q^{k}\"\nrepeat = { k = \"2:3\" }\n",
             3, "has this name", "own name"},
        Case{"FractionalRange",
             "[coordinates]\n\"q{k}\" = { mass = 1, repeat = { k = \"1:2.5\" } }\n", 2,
             "whole number", "whole number"},
        Case{"TooManyCopies",
             "[coordinates]\n\"q{k}\" = { mass = 1, repeat = { k = \"1:100000000\" } }\n", 2,
             "more than", "bounds"},
        Case{"UnknownIndex", "[coordinates]\nq = { mass = 1 }\n[[potential]]\nenergy = \"q^{k}\"\n",
             4, "k", ""},
        Case{"UntilBeforeFrom", "[coordinates]\nq = { mass = 1 }\n[run]\nfrom = 2\nuntil = 1\n", 5,
             "not after", "after"},
        Case{"UnknownStart", "[coordinates]\nq = { mass = 1 }\n[start]\nqq = 1\n", 4, "no such",
             "'q'"}),
    [](const auto& which) { return std::string{which.param.name}; });

TEST(Mistakes, EmptyModelSaysThatNothingCanMove) {
  const auto found = problems_of("name = \"empty\"\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].what.find("nothing that can move"), std::string::npos);
}

}  // namespace
}  // namespace taut::test
